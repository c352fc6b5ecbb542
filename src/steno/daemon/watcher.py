"""Capture and scribe, each in a thread and with a memory of its own: capture never waits for the scribe."""

import os
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from steno.client import SPOOL
from steno.daemon.health import Health, give_back
from steno.daemon.nudges import Nudge, Nudges
from steno.daemon.vectors import Vectors
from steno.memory import Memory
from steno.sources import is_in_place
from steno.vocabulary import Captured
from steno.vocabulary.errors import StenoError, StoreError, UnknownSession
from steno.vocabulary.notebooks import Synced

# How often the spool is emptied, the journal counted and the scribe asked whether anything is left.
_ROUND_SECONDS: Final = 30.0
# New turns come in bursts: the scribe reads after a moment of quiet, then rests four times as long as it worked. Each
# time it writes something, rules are folded and gates learn anew, so it does not write more often than this.
_QUIET_SECONDS: Final = 1.0
_REST: Final = 4.0
_REST_SECONDS: Final = 5.0
_IDLE_SECONDS: Final = 0.5
# After so much work at once, memory that is not needed any more goes back to the system.
_MANY_TURNS: Final = 1_000
_LONGEST_PATH: Final = 4096


class _Interrupted(Exception):
    """Somebody waits for something more urgent; between two portions the scribe may be left and begun again."""


class Watcher:
    """Looks after all configured sources and the notebook. `capture`, `scribe` and `notebook` have a thread each."""

    def __init__(self, home: Path, environment: Mapping[str, str], health: Health, stop: threading.Event) -> None:
        self.nudges = Nudges()
        self._spool = home / SPOOL
        self._vectors = Vectors(home, environment, health)
        self._health = health
        self._stop = stop
        # Whether something was captured that the scribe has not read, and when it may begin.
        self._behind = True
        self._due = 0.0
        self._round = 0.0

    # -- for everybody -----------------------------------------------------------------------------------------------

    def flush(self, path: str | None, session: str | None, seconds: float) -> None:
        """Capture this transcript and let the scribe read that session now; wait for it so long at most."""
        nudge = Nudge(path, session, urgent=True)
        if self.nudges.put(nudge):
            nudge.done.wait(seconds)

    def later(self, path: str | None, session: str | None = None, *, urgent: bool = False) -> None:
        """Look at this transcript soon, without waiting for it; and save where that session stands."""
        self.nudges.put(Nudge(path, session, urgent=urgent))

    # -- the threads ---------------------------------------------------------------------------------------------

    def capture(self, memory: Memory) -> None:
        """Capture as transcripts grow, unless the user wants to do that by hand."""
        if memory.settings["auto_capture"]:
            memory.watch(told=self._looked, stop=self._stop.is_set)
        else:
            self._health.well("capture")
            self._stop.wait()

    def notebook(self, memory: Memory) -> None:
        """Take in what people save on the pages of the notebook, and keep it up to what is known."""
        memory.keep_notebook(self._synced, self._stop.is_set)

    def scribe(self, memory: Memory) -> None:
        """Read what was captured, urgent things first; in between, see to the rest."""
        try:
            self._scribe(memory)
        finally:
            self._vectors.close()

    def _scribe(self, memory: Memory) -> None:
        while not self._stop.is_set():
            nudge = self.nudges.take(_IDLE_SECONDS)
            if nudge is not None:
                try:
                    self._serve(memory, nudge)
                finally:
                    nudge.done.set()
            elif time.monotonic() >= self._round:
                self._go_round()
            elif self._behind and time.monotonic() >= self._due:
                self._read_on(memory)

    def _looked(self, captured: Captured) -> None:
        self._health.looked(captured)
        self._health.well("capture")
        if captured.turns:
            self._is_behind()

    def _synced(self, synced: Synced) -> None:
        self._health.well("notebook")
        if synced.edits or synced.conflicts:
            self._is_behind()

    def _is_behind(self) -> None:
        self._vectors.captured()
        self._due = max(self._due, time.monotonic() + _QUIET_SECONDS)
        self._behind = True

    def _serve(self, memory: Memory, nudge: Nudge) -> None:
        """Capture what a hook named; while capture is paused there is nothing to do.

        Anybody can call a hook, and what a transcript says of a person counts as theirs. So a hook names only what lies
        where its host keeps transcripts.
        """
        theirs = nudge.path is None or is_in_place(nudge.path, memory.home.environment)
        if not theirs:
            self._health.hook("elsewhere")
            self._health.note(f"hook: not read, outside every host's own folder: {nudge.path!r:.300}")
        elif memory.settings["auto_capture"] and (nudge.path is None or os.path.isfile(nudge.path)):
            with suppress(StenoError):
                captured = memory.capture(*([] if nudge.path is None else [nudge.path]))
                self._health.looked(captured)
                if captured.turns:
                    self._is_behind()
        if nudge.session is not None:
            with suppress(UnknownSession):
                memory.scribe(nudge.session, saved=nudge.done.set)
                self._save(memory, nudge.session)

    def _save(self, memory: Memory, session: str) -> None:
        """Files say nothing the store does not: if they cannot be written, work goes on, and `steno status` says so."""
        try:
            memory.save(session)
        except StoreError as error:
            self._health.trouble("notebook", error)
        else:
            self._health.well("notebook")

    def _read_on(self, memory: Memory) -> None:
        """Read everything unread. Left at once if somebody waits for something else."""
        self._behind, began = False, time.monotonic()
        try:
            learnt = memory.scribe(progress=self._give_way)
            self._health.counted(memory.status())
        except _Interrupted:
            self._behind = True
            return
        if learnt.turns >= _MANY_TURNS:
            give_back()
        self._health.well("scribe")
        ended = time.monotonic()
        self._due = ended + max(_REST_SECONDS, _REST * (ended - began))

    def _give_way(self, _: int) -> None:
        # A long history takes the scribe minutes, and it is found by meaning long before that.
        self._vectors.go_round()
        if self.nudges.pressing() or self._stop.is_set():
            raise _Interrupted

    def _go_round(self) -> None:
        self._round = time.monotonic() + _ROUND_SECONDS
        self._empty_spool()
        self._vectors.go_round()
        self._behind = True

    def _empty_spool(self) -> None:
        """What hooks left while nobody answered them."""
        with suppress(OSError):
            for file in sorted(self._spool.iterdir()):
                with suppress(OSError):
                    path = os.fsdecode(file.read_bytes()[:_LONGEST_PATH]).strip()
                    file.unlink()
                    self._health.hook("spooled")
                    if path:
                        self.later(path)
