"""The whole daemon, put together: who is started, who owns it, and in which order it is stopped."""

import os
import signal
import sys
import threading
import time
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from typing import Any, Final

import msgspec

from steno import __version__
from steno.daemon.calls import Calls
from steno.daemon.health import Health
from steno.daemon.heartbeat import keep_beating
from steno.daemon.lock import held
from steno.daemon.log import Say, kept_log
from steno.daemon.model import ReadingAlong
from steno.daemon.pulse import Pulsing
from steno.daemon.server import Server
from steno.daemon.upkeep import LookingAfter
from steno.daemon.watcher import Watcher
from steno.daemon.worker import Worker
from steno.doors.workers import Workers
from steno.memory import Memory
from steno.processes import end_all
from steno.settings import Settings
from steno.vocabulary.acts import STENO
from steno.vocabulary.errors import StenoError

# How long the threads have for the portion at hand when all is to stop. Being cut off after that loses nothing.
_LEAVE_SECONDS: Final = 8.0
_OPEN_SECONDS: Final = 1.0
# A hook asks the store some twenty times and gives the interpreter away each time. While the scribe works, Python's own
# five milliseconds until it comes back would make that a tenth of a second.
_SWITCH_SECONDS: Final = 0.0005
# Who answers does not wait long for somebody else's lock: no client waits longer.
_ANSWER_BUSY: Final = "1"
# Who asks waits until what was just said is learnt, some two seconds at most; a long history is the scribe's own work.
_MOST_UNREAD: Final = 300


def until_told(home: Path, *, echo: bool) -> int:
    """Run in this process until SIGTERM, Ctrl-C or `steno stop`. Gives the exit code."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _leave)
    sys.setswitchinterval(_SWITCH_SECONDS)
    ended = False
    with suppress(KeyboardInterrupt):
        ended = run(home, threading.Event(), echo=echo)
    if not ended:
        # Some thread still works. Its transaction is rolled back like after a power cut; to wait for more helps nobody.
        end_all()
        os._exit(0)
    return 0


def run(home: Path, stop: threading.Event, *, environment: Mapping[str, str] = os.environ, echo: bool = False) -> bool:
    """Be the daemon of a home until `stop`. False: some thread did not end in time."""
    with held(home), kept_log(home, echo=echo) as log:
        health = Health(log.say)
        workers: list[Worker] = []
        with ExitStack() as owned:
            with suppress(KeyboardInterrupt):
                calls = _staff(home, stop, environment, health, owned, workers)
                log.say(f"steno {__version__} runs as process {os.getpid()} on {home}")
                keep_beating(home, stop, health, rest=calls.rest)
            log.say("stops")
            stop.set()
        return _stopped(workers, log.say)


def _staff(
    home: Path, stop: threading.Event, environment: Mapping[str, str], health: Health, owned: ExitStack,
    workers: list[Worker],
) -> Calls:  # fmt: skip
    """Everybody at work; `owned` stops the doors in reverse order, `stop` the workers."""
    from steno.daemon.desk import FrontDesk

    owned.callback(stop.set)
    watcher = Watcher(home, environment, health, stop)
    along, after = ReadingAlong(health, stop), LookingAfter(home, health, stop)
    desk = FrontDesk(watcher, health, stop, before_compact=along.before_compact)
    verbs = {
        "ping": lambda *_: msgspec.json.encode(health.vitals()),
        "stop": lambda *_: _told(stop),
    }
    # The model is loaded by the memory that answers, when somebody recalls; what only writes does without it.
    writing = {**environment, "STENO_EMBEDDING": "off"}
    answering = {**environment, "STENO_BUSY_SECONDS": _ANSWER_BUSY}
    # Long work has a thread of its own; answers have two, so that one that waits for a lock holds up nobody.
    quick, slow = (
        Workers(lambda: Memory(home, environment=environment, most_unread=_MOST_UNREAD, who=STENO), threads=threads)
        for threads in (2, 1)
    )
    owned.callback(slow.close)
    owned.callback(quick.close)
    calls = Calls(quick, health, environment)
    server = Server(home, verbs, sure={"hook": desk.hook}, talks={"call": calls.answer})
    owned.callback(server.stop)
    owned.callback(watcher.nudges.close)
    health.queues = {"nudges": lambda: len(watcher.nudges), "connections": lambda: server.at_work}
    worker = partial(Worker, health=health, stop=stop)
    # One thread is the scribe; nobody else waits until everything is read.
    workers += [
        worker("answers", lambda: Memory(home, environment=answering, reads_on=False, who=STENO), desk.open),
        worker("capture", lambda: Memory(home, environment=writing, reads_on=False, who=STENO), watcher.capture),
        worker("notebook", lambda: Memory(home, environment=writing, reads_on=False, who=STENO), watcher.notebook),
        worker("scribe", lambda: Memory(home, environment=writing, reads_on=False, who=STENO), watcher.scribe),
        worker("upkeep", lambda: Memory(home, environment=writing, reads_on=False, who=STENO), after.look_after),
        worker(
            "pulse", lambda: Memory(home, environment=writing, reads_on=False, who=STENO), Pulsing(health, stop).beat
        ),
    ]
    if _has_model(home, environment):
        workers.append(
            worker("model", lambda: Memory(home, environment=writing, reads_on=False, who=STENO), along.read)
        )
    for one in workers:
        one.start()
    # Who connects meanwhile waits; a store that cannot be opened is no reason to let them wait for long.
    desk.is_open.wait(_OPEN_SECONDS)
    server.start()
    _serve_http(home, environment, quick, slow, health, owned)
    return calls


def _has_model(home: Path, environment: Mapping[str, str]) -> bool:
    """Whether the user named a model. Settings that cannot be read are named by whoever opens the memory."""
    try:
        return bool(Settings(home, environment)["model"])
    except StenoError:
        return False


def _serve_http(
    home: Path, environment: Mapping[str, str], quick: Workers, slow: Workers, health: Health, owned: ExitStack
) -> None:
    """HTTP and MCP on loopback, if the user chose a port. Without them everything else goes on."""
    try:
        if port := int(Settings(home, environment)["http_port"]):
            from steno.doors.serve import Server as Web

            door = Web(quick, slow, home, port)
            door.start()
            owned.callback(door.stop)
    except (StenoError, OSError, ImportError) as error:
        health.trouble("http", error)


def _stopped(workers: list[Worker], say: Say) -> bool:
    until = time.monotonic() + _LEAVE_SECONDS
    late = [worker.name for worker in workers if not worker.has_ended(until)]
    say(f"left in the middle of: {', '.join(late)}; it goes on there the next time" if late else "ended")
    return not late


def _told(stop: threading.Event) -> bytes:
    stop.set()
    return b"stopping"


def _leave(*_: Any) -> None:
    """The first signal ends the waiting; further ones do not disturb the leaving."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt
