"""`steno export` and `steno import`: take a memory elsewhere, and back."""

import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from stat import S_ISREG
from typing import IO, TYPE_CHECKING, Final

import click

import steno
from steno.cli.hidden import escaped
from steno.cli.progress import reading
from steno.cli.show import answer, json_option, on_terminal, print_json, say, write
from steno.cli.words import many

if TYPE_CHECKING:
    from pathlib import Path

    from steno.vocabulary import Imported

# What is counted, in words for a person; a record is called by what it does.
_NAMES: Final = {
    "turn": "turn",
    "pause": "pause",
    "excluded": "exclusion",
    "tombstone": "tombstone",
    "receipt": "receipt",
    "remember": "remembered entry",
}


@click.command(short_help="Write everything out as JSON lines.")
@click.argument("file", required=False, default="-")
@json_option
def export(file: str, as_json: bool) -> None:
    """Write everything as JSON lines to FILE, or to standard output.

    The file holds what was said and the key of the store: only you may read it. It is written whole or not at all,
    and signed: this home takes it back as its own, unless it was changed.
    """
    with steno.open() as memory:
        if file == "-":
            for line in memory.export():
                # On a terminal nobody will import it from there; elsewhere it must be as it was signed.
                write((escaped(line) if on_terminal() else line) + b"\n")
            return
        _spare_the_store(file, memory.home.root)
        with _in_words(file), _whole(file) as out:
            lines = _write(memory.export(), out)
    answer({"file": os.path.abspath(file), "lines": lines}, f"Wrote {many(lines, 'line')} to {file}.", as_json=as_json)


@click.command("import", short_help="Take in an export.")
@click.argument("file")
@click.option("--trust", is_flag=True, help="Take all of it for your own: you know who wrote it. Look at it first.")
@json_option
def import_(file: str, trust: bool, as_json: bool) -> None:
    """Take in an export from FILE, or from standard input if FILE is `-`. Taking it in twice changes nothing.

    What this home exported itself comes back as it was. Any other export, or one that was changed, is hearsay: it can
    be found, nothing is learnt from it, and what would take effect on people's say-so (pauses, exclusions, rules,
    archives, what was forgotten) is not applied. On a terminal you are asked first whether to trust it all the same.
    `--trust` is for your own export on a new machine.

    Exit status 1: a line could not be taken in, or the end is missing. What could be is there.
    """
    ask = _ask if sys.stdin.isatty() and file != "-" and not as_json else lambda: False
    with steno.open() as memory, _in_words(file), _lines(file) as lines:
        done = memory.import_(lines, trust=trust, ask=ask)
    if as_json:
        print_json(done)
    else:
        _tell(done)
    if done.bad_lines or done.cut_off:
        sys.exit(1)


def _ask() -> bool:
    click.echo("This home did not write this export, or it was changed since. Trusted, it does all it says:", err=True)
    click.echo("pauses, exclusions, rules, archives, what was forgotten, as if you had said so here.", err=True)
    return click.confirm("Trust it?", err=True)


def _tell(done: "Imported") -> None:
    """What came in, what did not, and why."""
    learnt = {"learnt entry": done.entries} if done.entries else {}
    came = {f"new {_name(kind)}": number for kind, number in done.new.items()} | learnt
    say(f"Imported {_counted(came) or 'nothing new'}; {done.known:,} known already.")
    if not done.own:
        say("This home did not write this export, or it was changed since.")
        say("It can be found (origin `file`), and nothing is learnt from it.")
    if done.held:
        say(f"Not applied: {_counted({_name(kind): number for kind, number in done.held.items()})}.")
    if not done.own:
        say("  → if it is your own export, look at it, then `steno import --trust FILE`")
    for number, reason in done.bad:
        say(f"line {number}: {reason}")
    if done.bad_lines > len(done.bad):
        say(f"… and {many(done.bad_lines - len(done.bad), 'more bad line')}")
    if done.cut_off:
        say("The last line is missing: the file was cut off, or is of an older Steno.")


def _name(kind: str) -> str:
    return _NAMES.get(kind, f"{kind} record")


def _counted(counts: Mapping[str, int]) -> str:
    return ", ".join(many(number, thing) for thing, number in counts.items())


@contextmanager
def _lines(file: str) -> Iterator[Iterable[bytes]]:
    if file == "-":
        yield _bounded(sys.stdin.buffer)
    else:
        with open(file, "rb") as opened:
            yield reading("Importing", _bounded(opened), os.fstat(opened.fileno()).st_size)


def _bounded(file: IO[bytes]) -> Iterator[bytes]:
    """Lines; of one that is too long to be taken in only so much that this shows."""
    from steno.pipeline.exported import LONGEST_LINE

    while raw := file.readline(LONGEST_LINE + 2):
        yield raw
        while len(raw) > LONGEST_LINE + 1 and not raw.endswith(b"\n"):
            raw = file.readline(LONGEST_LINE + 2)


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
