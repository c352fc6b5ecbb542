"""What is looked at again and again, what was found last, and how fit agents were."""

import json
from collections.abc import Iterable
from typing import Final, NamedTuple

import msgspec

from steno.store.database import Tables, value_of
from steno.vocabulary.looks import Bridge, Watched

_decode: Final = msgspec.json.Decoder(Bridge).decode


class Earlier(NamedTuple):
    """What a job found of something the last time, since when it is so, and the flag that was raised for it."""

    ok: bool | None
    since: str
    flag: str | None
    mend: str = ""


class Looks(Tables):
    """Bridges, watched files, findings."""

    def bridges(self) -> list[Bridge]:
        """All of them, by the consumer's folder."""
        return [_decode(value) for (value,) in self._database.rows("bridges")]

    def put_bridge(self, bridge: Bridge) -> None:
        """A person says whose output is whose input."""
        self._change("put_bridge", {"input": bridge.input, "value": msgspec.json.encode(bridge).decode()})

    def drop_bridge(self, input_: str) -> None:
        """It is one no more."""
        self._change("drop_bridge", {"input": input_})

    def watched(self) -> list[Watched]:
        rows = self._database.rows("watched")
        return [value_of(Watched, row, files=lambda files: files and json.loads(files)) for row in rows]

    def put_watched(self, path: str, files: dict[str, str] | None, now: str) -> None:
        """A person wants to know when it changes from how it is now."""
        self._change("put_watched", {"path": path, "at": now, "files": _marks(files)})

    def keep_watched(self, path: str, files: dict[str, str] | None, now: str, *, changed: bool) -> None:
        """What stands there now."""
        self._change("keep_watched", {"path": path, "at": now, "files": _marks(files), "changed": changed})

    def drop_watched(self, path: str) -> None:
        """Nobody wants to know any more."""
        self._change("drop_watched", {"path": path})

    def findings(self, job: str) -> dict[str, Earlier]:
        """What a job found last, by what it is about."""
        rows = self._database.rows("findings", {"job": job})
        return {what: Earlier(None if ok is None else bool(ok), *rest) for what, ok, *rest in rows}

    def mends(self) -> dict[str, str]:
        """The command that would put right what a flag was raised for, by the flag."""
        return dict(self._database.rows("finding_mends"))

    def put_findings(self, job: str, found: dict[str, Earlier], gone: Iterable[str]) -> None:
        """What it finds now; and what is not looked at any more."""
        with self._database.write():
            for what, now in found.items():
                self._database.rows("put_finding", {"job": job, "what": what, **now._asdict()})
            for what in gone:
                self._database.rows("drop_finding", {"job": job, "what": what})


def _marks(files: dict[str, str] | None) -> str | None:
    return None if files is None else json.dumps(files)
