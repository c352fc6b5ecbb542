"""Briefings kept ready on disk: what an agent is told at its start when the daemon cannot be asked."""

import os
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from steno.briefing.render import stopped
from steno.client import PROMPT, READY, START, late_file, ready_file
from steno.clock import utc_now
from steno.doors.hooks import ready_answer
from steno.memory import Memory

# The projects that were worked on last; a briefing takes a tenth of a second at 100,000 turns.
_PROJECTS: Final = 20
# Other things than turns change a briefing, too (a person's word, the days that pass): so often all are made again.
_AGAIN_SECONDS: Final = 600.0


class Ready:
    """Keeps one file per project up to date."""

    def __init__(self, home: Path) -> None:
        self._home = home
        # When each project was last spoken in, as of its file.
        self._made: dict[str, str | None] = {}
        # When all files were made, and as of which state of the store.
        self._all_made = -_AGAIN_SECONDS
        self._stamp: object = None
        self._erasures: int | None = None

    def follow(self, memory: Memory, stop: Callable[[], bool] = lambda: False) -> None:
        """Make anew what is older than what is known; at once if words were forgotten that may stand there."""
        erasures, stamp = memory.erasures(), self._store_stamp()
        late = time.monotonic() - self._all_made >= _AGAIN_SECONDS
        if erasures != self._erasures or (late and stamp != self._stamp):
            self._all_made, self._stamp, self._erasures = time.monotonic(), stamp, erasures
            self._made.clear()
        wanted, word = _latest(memory), stopped(memory.settings["silent_hours"])
        for project, last_at in wanted.items():
            if stop():
                return
            if project not in self._made or self._made[project] != last_at:
                briefing = memory.boot(given=False, project=project)
                text = briefing.text if briefing.items else ""
                self._put(ready_file(str(self._home), project), ready_answer(START, text))
                self._put(late_file(str(self._home), project), ready_answer(START, f"{text}\n{word}".strip()))
                self._made[project] = last_at
        if not Path(late_file(str(self._home))).exists():
            self._put(late_file(str(self._home)), ready_answer(PROMPT, word))
        self._drop_others(wanted)

    def outdate(self) -> None:
        """A person changed what is known: all are made anew the next time."""
        self._made = {}

    def _store_stamp(self) -> object:
        """Changes with the day, and whenever anybody wrote into the store."""
        files = [self._home / name for name in ("steno.db", "steno.db-wal")]
        return utc_now()[:10], [file.stat().st_mtime_ns for file in files if file.exists()]

    def _put(self, name: str, answer: bytes) -> None:
        """Whole or not at all; a disk that is full keeps the older one."""
        path = Path(name)
        beside = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
        with suppress(OSError):
            path.parent.mkdir(mode=0o700, exist_ok=True)
            file = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
            try:
                with os.fdopen(file, "wb") as opened:
                    opened.write(answer)
                os.replace(beside, path)
            except OSError:
                beside.unlink(missing_ok=True)

    def _drop_others(self, wanted: dict[str, str | None]) -> None:
        home = str(self._home)
        paths = [late_file(home), *(name(home, project) for project in wanted for name in (ready_file, late_file))]
        names = {Path(path).name for path in paths}
        with suppress(OSError):
            for file in (self._home / READY).iterdir():
                if file.name not in names:
                    file.unlink()


def _latest(memory: Memory) -> dict[str, str | None]:
    """The projects worked on last, each with its last moment; and none, for a project nobody has met."""
    found: dict[str, str | None] = {"": None}
    for one in memory.sessions():
        if one.session.project and one.session.project not in found:
            found[one.session.project] = one.last_at
            if len(found) > _PROJECTS:
                break
    return found
