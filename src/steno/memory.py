"""The front desk: one short method per verb. Every door translates, calls this, translates back, and nothing else."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Literal

from steno.clock import Clock, utc_now
from steno.pipeline.capture import Capture, Progress
from steno.pipeline.coverage import coverage
from steno.pipeline.leave_out import LeaveOut
from steno.pipeline.moving import export_lines, import_lines
from steno.pipeline.rewrite import redact_again
from steno.pipeline.scrub import Scrubber
from steno.pipeline.watch import watch
from steno.recall.lexical import expression, hit
from steno.redact import BadPattern, Redactor
from steno.settings import Settings, home_of
from steno.sources import source_named
from steno.sources.base import Source
from steno.store import open_store
from steno.vocabulary import Captured, Check, Forgotten, Found, Hit, JournalTurn, Status
from steno.vocabulary.errors import BadSetting, StenoError, WrongUse

Within = Literal["entries", "turns", "sessions", "all"]


def open(home: str | os.PathLike[str] | None = None) -> "Memory":
    """Open a memory: the home STENO_HOME names (else ~/.steno), or another folder."""
    if home is not None and "://" in str(home):
        raise WrongUse(f"cannot open {home}: only folders can be opened so far", hint="give the path of a folder")
    return Memory(Path(home) if home is not None else home_of(os.environ))


class Memory:
    """Everything Steno can do with one home. Close it, or use it in a `with` statement."""

    def __init__(self, home: Path, *, environment: Mapping[str, str] = os.environ, clock: Clock = utc_now) -> None:
        self.home = home
        self.settings = Settings(home, environment)
        self._environment = environment
        self._clock = clock
        self._store = open_store(home, busy_seconds=self.settings["busy_seconds"])
        try:
            self._scrubber = self._new_scrubber()
        except BadSetting:
            self._store.close()
            raise

    def __enter__(self) -> "Memory":
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the store."""
        self._store.close()

    # -- capture: what was said, copied ------------------------------------------------------------------------------

    def capture(
        self, *paths: str | os.PathLike[str], source: str | None = None, progress: Progress | None = None
    ) -> Captured:
        """Read everything new at or below the paths; without paths, from the hosts' own places."""
        sources = self._sources(source, everywhere=bool(paths))
        if since := self._store.control.paused():
            raise StenoError(f"capture is paused since {since}", hint="`steno resume` goes on")
        return self._capture().run(
            [os.path.abspath(path) for path in paths]
            or [place for place in self._places(sources) if os.path.exists(place)],
            sources,
            forced=source is not None and bool(paths),
            busy_seconds=self.settings["busy_seconds"],
            progress=progress,
        )

    def watch(
        self, *paths: str | os.PathLike[str], source: str | None = None,
        told: Callable[[Captured], None] = lambda _: None, stop: Callable[[], bool] = lambda: False,
    ) -> None:  # fmt: skip
        """Go on capturing as transcripts grow, until `stop` says so. Tells what each capture brought."""
        sources = self._sources(source, everywhere=bool(paths))
        places = [os.path.abspath(path) for path in paths] or self._places(sources)

        def capture(changed: list[str]) -> None:
            if not self._store.control.paused():
                forced = source is not None and bool(paths)
                there = [path for path in changed if paths or os.path.exists(path)]
                told(self._capture().run(there, sources, forced=forced))

        watch(places, capture, rescan_seconds=self.settings["rescan_seconds"], stop=stop)

    def pause(self) -> None:
        """Go off the record: what is said from now on is not captured, not even later."""
        self._store.control.pause(self._clock())

    def resume(self) -> None:
        """Go on record again."""
        self._store.control.resume(self._clock())

    def exclude(self, pattern: str) -> None:
        """Leave out a project, a folder or transcripts whose path matches a pattern."""
        self._store.control.exclude(_full(pattern), self._clock())

    def include(self, pattern: str) -> None:
        """Take in again what was excluded."""
        self._store.control.include(_full(pattern))

    def excluded(self) -> list[str]:
        """What is left out."""
        return [pattern for pattern, _ in self._store.control.excluded()]

    # -- looking -----------------------------------------------------------------------------------------------------

    def status(self) -> Status:
        """How much is in the journal, and how much of each session."""
        return coverage(self._store, self._clock())

    def sessions(self) -> list[Found]:
        """All sessions, the latest first."""
        return self._store.journal.sessions()

    def turns(self, session: str) -> Iterator[JournalTurn]:
        """Turns of a session (its id or the beginning of it), in order."""
        return self._store.journal.turns(session)

    def recall(
        self, query: str, *, k: int = 10, within: Within = "turns", project: str | None = None, agent: str | None = None
    ) -> list[Hit]:
        """The turns that fit a question best."""
        words = expression(query)
        if within in ("entries", "sessions") or not words:
            return []
        found = self._store.journal.search(words, most=k, project=project, agent=agent)
        return [hit(turn, rank, query) for turn, rank in found]

    def doctor(self) -> list[Check]:
        """Prove that the store is sound."""
        return self._store.proofs.all()

    # -- forgetting --------------------------------------------------------------------------------------------------

    def forget(
        self, *, session: str | None = None, turn: int | None = None, text: str | None = None,
        since: str | None = None, until: str | None = None, only_count: bool = False,
    ) -> Forgotten:  # fmt: skip
        """Erase a session, a turn, a text or a stretch of time, so that no byte is left and it does not come back."""
        turns = self._chosen(session=session, turn=turn, text=text, since=since, until=until)
        if only_count:
            return Forgotten(turns=len(turns), sessions=0)
        if text is not None:
            return self._store.eraser.forget_text(text, secret=self._store.secret, now=self._clock())
        return self._store.eraser.forget(turns, now=self._clock())

    def redact(self, progress: Progress | None = None) -> dict[str, int]:
        """Apply today's patterns to everything already stored; what was taken out, by kind."""
        return redact_again(self._store, self._scrubber, progress=progress)

    # -- moving ------------------------------------------------------------------------------------------------------

    def export(self) -> Iterator[bytes]:
        """Everything canonical as JSON lines."""
        return export_lines(self._store)

    def import_(self, lines: Iterable[bytes]) -> int:
        """Take in an export; how many turns were new. Taking it in twice changes nothing."""
        try:
            return import_lines(self._store, self._scrubber, lines)
        finally:
            self._scrubber = self._new_scrubber()

    # ----------------------------------------------------------------------------------------------------------------

    def _chosen(
        self, *, session: str | None, turn: int | None, text: str | None, since: str | None, until: str | None
    ) -> list[int]:
        """Numbers of the turns meant by exactly one of the ways to say it."""
        eraser = self._store.eraser
        ways = [session is not None, turn is not None, text is not None, since is not None or until is not None]
        if sum(ways) != 1:
            raise WrongUse("say one thing to forget: a session, a turn, a text, or a time", hint="steno forget --help")
        if text is not None:
            if not text.strip():
                raise WrongUse("an empty text is in every turn", hint="name the text to forget")
            return eraser.of_text(text)
        if session is not None:
            return eraser.of_session(self._store.journal.session_id(session))
        if turn is not None:
            return eraser.of_turn(turn)
        return eraser.of_time(since or "", until or "9999")

    def _new_scrubber(self) -> Scrubber:
        """The redactor in force: the store's key (an import may bring one along) and the user's own patterns."""
        try:
            return Scrubber(Redactor(secret=self._store.secret, extra=self.settings["redact_patterns"]))
        except BadPattern as error:
            raise BadSetting(f"redact_patterns: {error}", hint="patterns follow RE2's syntax") from error

    def _capture(self) -> Capture:
        leave_out = LeaveOut(
            excluded=self.excluded(),
            pauses=self._store.control.pauses(),
            capture_assistant=self.settings["capture_assistant"],
        )
        return Capture(self._store, self._scrubber, leave_out, clock=self._clock)

    def _sources(self, name: str | None, *, everywhere: bool) -> list[Source]:
        """The source the user named; else all we know for a path, or the configured ones for the hosts' places."""
        if name is not None:
            return [source_named(name)]
        from steno.sources import NAMES

        return [source_named(chosen) for chosen in (NAMES if everywhere else self.settings["sources"])]

    def _places(self, sources: list[Source]) -> list[str]:
        places = [place for source in sources for place in source.places(self._environment)]
        return [str(place) for place in places]


def _full(pattern: str) -> str:
    """A path as the machine knows it; a pattern with wild cards stays as it is."""
    return pattern if any(sign in pattern for sign in "*?[") else os.path.abspath(os.path.expanduser(pattern))
