"""A process that has the command line imported and forks for each one: a command in a process of its own, for a
hundredth of what starting an interpreter costs.

    python forks.py    takes requests on the socket that is its standard input

A request brings the standard streams and the directory as files, and a length, then JSON: arguments and environment.
"""

import json
import os
import pkgutil
import signal
import socket
import sys
from contextlib import suppress
from importlib import import_module
from io import TextIOWrapper


def main() -> None:
    import steno.cli
    import steno.cli.looks

    for package in (steno.cli, steno.cli.looks):
        for module in pkgutil.iter_modules(package.__path__):
            import_module(f"{package.__name__}.{module.name}")
    for name in ("steno.memory", "steno.store.sqlite", "steno.daemon.control", "rich.console", "rich.table"):
        import_module(name)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with socket.socket(fileno=os.dup(0)) as given:
        while True:
            head, files, *_ = socket.recv_fds(given, 16, 5)
            if not head:
                return
            asked = json.loads(_exactly(given, int(head)))
            if pid := os.fork():
                for file in files:
                    os.close(file)
                # A grandchild runs the command, so that nobody has to wait here.
                os.waitpid(pid, 0)
            elif not os.fork():
                given.close()
                _run(asked, files)
            else:
                os._exit(0)


def _exactly(given: socket.socket, size: int) -> bytes:
    received = b""
    while len(received) < size:
        received += given.recv(size - len(received))
    return received


def _run(asked: dict, files: list[int]) -> None:
    """Be the program: on these streams, in that directory. The exit code goes out on the last file."""
    code = 1
    with suppress(BaseException):
        for number in range(3):
            os.dup2(files[number], number)
            mode = "wb" if number else "rb"
            raw = open(number, mode, closefd=False)  # noqa: SIM115
            errors = "backslashreplace" if number == 2 else "strict"
            stream = TextIOWrapper(raw, encoding="utf-8", errors=errors, line_buffering=number == 2 or raw.isatty())
            setattr(sys, ("stdin", "stdout", "stderr")[number], stream)
        os.fchdir(files[3])
        os.environ.clear()
        os.environ.update(asked["environment"])
        signal.signal(signal.SIGINT, signal.default_int_handler)
        sys.argv = ["steno", *asked["arguments"]]
        try:
            from steno.cli.tree import main as program

            program()
        except SystemExit as left:
            code = left.code if isinstance(left.code, int) else 0 if left.code is None else 1
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):
                stream.flush()
    os.write(files[4], b"%d" % code)
    os._exit(0)


if __name__ == "__main__":
    main()
