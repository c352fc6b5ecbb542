"""What is looked at again and again: folders that join agents, files that must not change unseen, the machine."""

from msgspec import Struct


class Finding(Struct, frozen=True, kw_only=True):
    """One thing that was looked at."""

    # What: always the same words for the same thing.
    what: str
    # None: it cannot be told here.
    ok: bool | None
    detail: str
    # The command that would put it right; empty: nobody knows one.
    mend: str = ""
    # What of the same look it follows from, as that is called; empty: nothing known.
    because: str = ""


class Bridge(Struct, frozen=True, kw_only=True):
    """One agent's output folder is another one's input."""

    producer: str
    output: str
    consumer: str
    # Where the consumer looks: its own name for that folder. No two bridges have the same.
    input: str
    # What is older is not fresh.
    hours: float = 24.0
    # When each is to run, by this machine's time ("22:00"); None: nobody said.
    produced_at: str | None = None
    consumed_at: str | None = None

    @property
    def name(self) -> str:
        """What it is called where somebody is told of it."""
        return f"{self.producer} to {self.consumer}, {self.input}"


class Watched(Struct, frozen=True, kw_only=True):
    """A file or a folder of which somebody wants to know when it changes."""

    path: str
    since: str
    # When it was looked at last, and when it was found changed last; None: never.
    looked_at: str | None = None
    changed_at: str | None = None
    # What stood there then: a mark for each file, by its name below the path. None: nothing could be read.
    files: dict[str, str] | None = None
