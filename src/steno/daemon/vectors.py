"""Vectors, made in idle time by a process of its own that ends: the model's 150 MB never become the daemon's.

Run as a program, this makes vectors for `MAKE_SECONDS`.
"""

import os
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from steno.client import INSIDE
from steno.daemon.health import Health
from steno.pipeline.embed import MAKE_SECONDS
from steno.settings import Settings, home_of
from steno.vocabulary.acts import STENO
from steno.vocabulary.errors import NoEmbedding, StenoError

# Nobody has spoken for so long, and the last time is so long ago.
_QUIET_SECONDS: Final = 20.0
_REST_SECONDS: Final = 300.0
# What a process may take to load the model and to end, besides what it was given.
_GRACE_SECONDS: Final = 60.0


class NoVectors(StenoError):
    """The process that makes vectors failed."""


class Vectors:
    """Starts that process now and then, and never leaves one behind. For one thread."""

    def __init__(
        self, home: Path, environment: Mapping[str, str], health: Health, *, quiet_seconds: float = _QUIET_SECONDS
    ) -> None:
        self._home = home
        self._environment = environment
        self._health = health
        self._quiet_seconds = quiet_seconds
        self._child: subprocess.Popen[bytes] | None = None
        # Whether there may be something to do, and when it may be begun or must be ended.
        self._wanted = True
        self._due = time.monotonic() + quiet_seconds

    def captured(self) -> None:
        """Something came that has no vectors yet."""
        self._wanted = True
        self._due = max(self._due, time.monotonic() + self._quiet_seconds)

    def go_round(self) -> None:
        """Begin if it is time, or see to what was begun."""
        if self._child is not None:
            self._look_at(self._child)
        elif self._wanted and time.monotonic() >= self._due:
            self._wanted = False
            if Settings(self._home, self._environment)["embedding"] != "off":
                self._due = time.monotonic() + MAKE_SECONDS + _GRACE_SECONDS
                self._child = self._begun()

    def close(self) -> None:
        """End what was begun. What it made stays."""
        if (child := self._child) is not None:
            self._child = None
            child.kill()
            child.communicate()

    def _begun(self) -> "subprocess.Popen[bytes]":
        environment = {**self._environment, "STENO_HOME": os.path.abspath(self._home), INSIDE: "1"}
        return subprocess.Popen(
            [sys.executable, "-P", "-m", "steno.daemon.vectors"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env=environment,
        )

    def _look_at(self, child: "subprocess.Popen[bytes]") -> None:
        if child.poll() is None:
            if time.monotonic() >= self._due:
                self.close()
                self._due = time.monotonic() + _REST_SECONDS
            return
        _, told = child.communicate()
        self._child, self._due = None, time.monotonic() + _REST_SECONDS
        # 0: nothing is left. 3: there is more to do.
        self._wanted = self._wanted or child.returncode == _MORE
        if child.returncode in (0, _MORE):
            self._health.well("vectors")
        else:
            last = told.decode("utf-8", "replace").strip().rpartition("\n")[2]
            self._health.trouble("vectors", NoVectors(last or f"left with code {child.returncode}"))


_MORE: Final = 3


def main() -> int:
    """Make vectors for a while. Without a model there is nothing to do, and `steno status` says so."""
    from steno.memory import Memory

    with suppress(OSError):
        os.nice(10)
    with suppress(NoEmbedding), Memory(home_of(os.environ), who=STENO) as memory:
        memory.embed(seconds=MAKE_SECONDS)
        return _MORE if memory.recallable().waiting else 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
