"""`steno export` and `steno import`: take a memory elsewhere, and back."""

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from stat import S_ISREG
from typing import IO, TYPE_CHECKING

import click

from steno.cli.hidden import escaped
from steno.cli.show import json_option, print_json, say, write
from steno.cli.words import many

if TYPE_CHECKING:
    from pathlib import Path


@click.command(short_help="Write everything out as JSON lines.")
@click.argument("file", required=False, default="-")
@json_option
def export(file: str, as_json: bool) -> None:
    """Write everything as JSON lines to FILE, or to standard output.

    The file holds what was said and the key of the store: only you may read it. It is written whole or not at all.
    """
    import steno

    with steno.open() as memory:
        if file == "-":
            for line in memory.export():
                write(escaped(line) + b"\n")
            return
        _spare_the_store(file, memory.home)
        with _in_words(file), _whole(file) as out:
            lines = _write(memory.export(), out)
    if as_json:
        print_json({"file": os.path.abspath(file), "lines": lines})
    else:
        say(f"Wrote {many(lines, 'line')} to {file}.")


@click.command("import", short_help="Take in an export.")
@click.argument("file")
@json_option
def import_(file: str, as_json: bool) -> None:
    """Take in an export from FILE, or from standard input if FILE is `-`. Taking it in twice changes nothing."""
    import steno

    with steno.open() as memory, _in_words(file), _lines(file) as lines:
        new = memory.import_(lines)
        learnt = memory.scribe()
    if as_json:
        print_json({"turns": new, "entries": learnt.entries})
    else:
        say(f"Imported {many(new, 'new turn')}, {many(learnt.entries, 'new entry')}.")


@contextmanager
def _lines(file: str) -> Iterator[Iterable[bytes]]:
    if file == "-":
        yield sys.stdin.buffer
    else:
        with open(file, "rb") as opened:
            yield opened


def _write(lines: Iterable[bytes], out: IO[bytes]) -> int:
    number = 0
    for line in lines:
        out.write(line + b"\n")
        number += 1
    return number


@contextmanager
def _whole(file: str) -> Iterator[IO[bytes]]:
    """A file that appears under its name only when it is complete. What is no plain file (a pipe) is written to."""
    import tempfile

    target = os.path.realpath(file)
    if os.path.exists(target) and not S_ISREG(os.stat(target).st_mode):
        with open(target, "wb") as out:
            yield out
        return
    handle, beside = tempfile.mkstemp(dir=os.path.dirname(target), prefix=".steno-export-")  # mode 0600
    try:
        with os.fdopen(handle, "wb") as out:
            yield out
            out.flush()
            os.fsync(out.fileno())
        os.replace(beside, target)
    except BaseException:
        os.unlink(beside)
        raise


@contextmanager
def _in_words(file: str) -> Iterator[None]:
    from steno.vocabulary.errors import StenoError

    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise StenoError(f"cannot use {file}: {error.strerror}", hint="check the path and its rights") from error


def _spare_the_store(file: str, home: "Path") -> None:
    from steno.vocabulary.errors import WrongUse

    if os.path.realpath(file).startswith(os.path.realpath(home / "steno.db")):
        raise WrongUse(f"{file} is the store itself", hint="write the export to another file")
