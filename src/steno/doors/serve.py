"""HTTP on this machine only: one thread, which the daemon starts and stops."""

import asyncio
import errno
import socket
import threading
import time
from pathlib import Path
from typing import Final

import uvicorn

from steno.doors.api import app
from steno.doors.patience import Impatient
from steno.doors.security import token
from steno.doors.workers import Workers
from steno.vocabulary.errors import StenoError

_HOST: Final = "127.0.0.1"
_BACKLOG: Final = 64
# More at once than this are told to come back later.
_CONNECTIONS: Final = 64
_START_SECONDS: Final = 20.0
# How long requests in hand may go on after we were told to stop.
_STOP_SECONDS: Final = 5


class CannotServe(StenoError):
    """HTTP cannot be served; everything else goes on."""


class PortTaken(CannotServe):
    """Another program listens on the port."""


class Server:
    """The HTTP API and MCP on a port of the loopback interface. Others own the threads that do the work."""

    def __init__(self, quick: Workers, slow: Workers, home: Path, port: int) -> None:
        self._workers = quick, slow
        self._home = home
        # 0: the system chooses one at the start.
        self.port = port
        self._running: tuple[uvicorn.Server, threading.Thread] | None = None

    @property
    def address(self) -> str:
        """Where it is served."""
        return f"http://{_HOST}:{self.port}"

    def start(self) -> None:
        """Serve, in a thread of its own. Comes back when requests are answered, or raises what stands in the way."""
        listening = _listen(self.port)
        self.port = int(listening.getsockname()[1])
        try:
            server = uvicorn.Server(self._config())
        except BaseException:
            listening.close()
            raise
        thread = threading.Thread(target=_run, args=(server, listening), name="steno-http", daemon=True)
        thread.start()
        self._running = server, thread
        deadline = time.monotonic() + _START_SECONDS
        while not server.started:
            thread.join(0.01)
            if not thread.is_alive() or time.monotonic() > deadline:
                self.stop()
                raise CannotServe(f"HTTP does not start on {self.address}", hint="`steno daemon logs` may say why")

    def stop(self) -> None:
        """Let requests in hand end, and let go of the port. Harmless if it was never started."""
        if self._running is not None:
            server, thread = self._running
            server.should_exit = True
            thread.join()
            self._running = None

    def _config(self) -> uvicorn.Config:
        return uvicorn.Config(
            app(*self._workers, token(self._home), self.port),
            loop="asyncio",
            http=Impatient,
            ws="none",
            lifespan="on",
            log_config=None,
            log_level="warning",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            backlog=_BACKLOG,
            limit_concurrency=_CONNECTIONS,
            timeout_graceful_shutdown=_STOP_SECONDS,
        )


def _run(server: uvicorn.Server, listening: socket.socket) -> None:
    with listening:
        asyncio.run(server.serve(sockets=[listening]))


def _listen(port: int) -> socket.socket:
    # With its protocol named, or asyncio leaves Nagle's delay on: 48 ms for the smallest answer instead of 0.5.
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((_HOST, port))
        listening.listen(_BACKLOG)
    except OverflowError:
        listening.close()
        raise CannotServe(f"there is no port {port}", hint="http_port is a number up to 65535") from None
    except OSError as error:
        listening.close()
        if error.errno == errno.EADDRINUSE:
            hint = f"choose another http_port, or find who has it: `ss -ltnp 'sport = :{port}'`"
            raise PortTaken(f"another program listens on port {port}", hint=hint) from error
        raise CannotServe(f"cannot listen on port {port}: {error.strerror}", hint="choose another http_port") from error
    return listening
