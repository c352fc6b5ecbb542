"""Command lines for the program `steno`: a process that has everything imported runs them (`cli/warm.py`)."""

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from steno.client import INSIDE

# It takes what it is handed at once; one that does not is of no use.
_HAND_SECONDS: Final = 1.0
_END_SECONDS: Final = 2.0


class Commands:
    """Owns that process: begins one when somebody asks, hands it connections, and ends it. It ends by itself, too."""

    def __init__(self, home: Path, environment: Mapping[str, str]) -> None:
        self._environment = {**environment, "STENO_HOME": os.path.abspath(home), INSIDE: "1"}
        self._lock = threading.Lock()
        self._running: tuple[subprocess.Popen[bytes], socket.socket] | None = None
        self._closed = False

    def hand(self, connection: socket.socket) -> bool:
        """Let it answer on this connection. False: it cannot now; another one is begun."""
        with self._lock:
            with suppress(OSError):
                if self._running is not None and self._running[0].poll() is None:
                    socket.send_fds(self._running[1], [b"."], [connection.fileno()])
                    return True
            self._end()
            self._start()
            return False

    def close(self) -> None:
        """End it. What it was asked to run goes on until it is done or its caller leaves."""
        with self._lock:
            self._closed = True
            self._end()

    def _start(self) -> None:
        if self._closed or self._running is not None:
            return
        ours, its = socket.socketpair()
        ours.settimeout(_HAND_SECONDS)
        with its, suppress(OSError):
            process = subprocess.Popen(
                [sys.executable, "-P", "-m", "steno.cli.warm"],
                stdin=its.fileno(),
                stdout=subprocess.DEVNULL,
                cwd="/",
                env=self._environment,
            )
            self._running = process, ours
            # So that it leaves nothing behind when it ends by itself.
            threading.Thread(target=process.wait, name="warm ends", daemon=True).start()

    def _end(self) -> None:
        if self._running is None:
            return
        process, ours = self._running
        self._running = None
        ours.close()  # by which it ends
        try:
            process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
