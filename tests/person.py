"""Runs a program as a person would start it: with a terminal that controls it, below no agent, without an agent's
variables. Acts that belong to people are held otherwise, also while a suite runs in an agent's shell."""

import fcntl
import os
import pty
import signal
import sys
import termios
from collections.abc import Sequence

from steno.surroundings import MARKS, surroundings


def is_person() -> bool:
    """Whether this process would be taken for a person's."""
    seen = surroundings()
    return seen.has_terminal and not seen.marks and not seen.parents


def as_person(command: Sequence[str]) -> int:
    """Run a command so, with our standard streams; its exit code."""
    reading, writing = os.pipe()
    master, slave = pty.openpty()
    if (between := os.fork()) == 0:
        os.close(reading)
        # Who is between ends at once, so that the command descends from nobody.
        if os.fork():
            os._exit(0)
        os.setsid()
        fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
        os.close(master)
        if (child := os.fork()) == 0:
            os.close(writing)
            environment = {name: value for name, value in os.environ.items() if name not in MARKS}
            os.execvpe(command[0], command, environment)
        os.write(writing, b"%d\n" % child)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        _, status = os.waitpid(child, 0)
        os.write(writing, b"%d\n" % os.waitstatus_to_exitcode(status))
        os._exit(0)
    os.close(writing)
    os.close(slave)
    os.waitpid(between, 0)
    with os.fdopen(reading) as told:
        child = int(told.readline())
        try:
            ended = told.readline()
        except KeyboardInterrupt:
            os.kill(child, signal.SIGINT)
            ended = told.readline()
    os.close(master)
    return int(ended) if ended else 1


if __name__ == "__main__":
    sys.exit(as_person(sys.argv[1:]))
