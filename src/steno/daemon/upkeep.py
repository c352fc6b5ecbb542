"""The memory takes care of itself, in a thread and with a memory of its own: nobody ever waits for it."""

import os
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

from steno.briefing.render import stopped
from steno.client import ALIVE, START, TOLD
from steno.clock import utc_now
from steno.daemon.health import Health
from steno.doors.hooks import claude_code
from steno.doors.hooks.heard import Tell
from steno.files import write_whole
from steno.memory import Memory
from steno.pipeline.flags import SILENCE
from steno.vocabulary.errors import StenoError
from steno.vocabulary.upkeep import Run

# How often somebody looks whether a job is due.
_ROUND_SECONDS: Final = 30.0


class LookingAfter:
    """Runs what is due; and puts off, as long as capture comes round, the time at which hooks say that nobody does."""

    def __init__(self, home: Path, health: Health, stop: threading.Event) -> None:
        self._home = home
        self._health = health
        self._stop = stop

    def look_after(self, memory: Memory) -> None:
        """Look again and again, until everybody is to stop."""
        self._health.well("upkeep")
        self._put_off(memory)
        while not self._stop.wait(_ROUND_SECONDS):
            self._put_off(memory)
            memory.upkeep.look(self._stop.is_set, self._told)

    def _told(self, run: Run) -> None:
        self._health.note(f"upkeep: {run.job} {run.state}, {run.report.changed} changed")
        if run.state == "failed":
            self._health.trouble(f"upkeep {run.job}", StenoError(run.error))
        else:
            self._health.well(f"upkeep {run.job}")

    def _put_off(self, memory: Memory) -> None:
        if not memory.settings["auto_capture"]:
            # Whoever captures by hand is not told that nobody does.
            (self._home / ALIVE).unlink(missing_ok=True)
            return
        if not self._health.is_capturing():
            return
        until = time.time() + SILENCE.total_seconds()
        with suppress(OSError):  # a full disk says so elsewhere
            with write_whole(self._home / ALIVE) as file:
                file.write(claude_code.say(START, Tell(stopped(utc_now()[:16]))))
                file.flush()
                os.utime(file.fileno(), (until, until))
            (self._home / TOLD).unlink(missing_ok=True)
