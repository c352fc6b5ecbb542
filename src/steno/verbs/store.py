"""The store: how it is, what it holds, proofs that it is sound; and moving, making anew and cleaning all of it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from stat import S_ISREG
from typing import IO, TYPE_CHECKING, Annotated, Any, Final, Literal

from steno.verbs.table import Arg, verb

if TYPE_CHECKING:
    from steno.memory import Memory
    from steno.verbs import answers
    from steno.verbs.asking import Asker, Where

_PING_SECONDS: Final = 2.0
_TRUST: Final = (
    "This home did not write this export, or it was changed since. Trusted, it does all it says:\n"
    "pauses, exclusions, rules, archives, what was forgotten, as if you had said so here.\n"
    "Trust it?"
)


@verb("status")
def status(memory: Memory, where: Where) -> answers.StatusShown:
    """Show what holds here, what waits for you, and what is wrong.

    How many of your rules and refusals hold, the last ones in your words, and which of them may end. `--health` shows
    the store instead: totals, and for each session lines seen, read, skipped and bad, gaps, lag and context fill.

    $ steno status
    """
    import msgspec

    from steno import client
    from steno.verbs.answers import StatusShown
    from steno.vocabulary import Vitals

    vitals: Vitals | None = None
    with suppress(OSError, ValueError):
        told = client.call(str(memory.home.root), "ping", "cli", "ping", b"", _PING_SECONDS)
        vitals = msgspec.json.decode(told, type=Vitals)
    here = memory.waiting.here(where.project)
    return StatusShown(**msgspec.structs.asdict(memory.status()), here=here, daemon=vitals)


@verb("store doctor")
def doctor(memory: Memory) -> answers.Proofs:
    """Prove that the store is sound: exit code 0 if it is, 1 if not.

    $ steno store doctor
    """
    from steno.verbs.answers import Proofs

    return Proofs(checks=memory.doctor())


@verb("store settings", doors="cli", slow=True)
def settings() -> list[answers.SettingShown]:
    """List the settings and where each value came from.

    Set one in settings.toml in STENO_HOME, or as STENO_NAME in the environment.

    $ steno store settings
    """
    from steno.settings import SETTINGS, Settings, home_of
    from steno.verbs.answers import SettingShown
    from steno.vocabulary.errors import BadSetting

    try:
        found = Settings(home_of(os.environ), os.environ)
    except BadSetting as error:
        names = ", ".join(setting.name for setting in SETTINGS)
        raise BadSetting(error.message, hint=f"the settings are {names}") from error
    return [
        SettingShown(
            # A list of settings is soon pasted somewhere.
            value="***" if one.setting.name.endswith("_key") and one.value else one.value,
            name=one.setting.name, default=one.setting.default, origin=one.origin, help=one.setting.help,
        )
        for one in found.all()
    ]  # fmt: skip


@verb("store scripts", "rules", doors="cli", when=lambda memory, given: given["switch"] is not None)
def scripts(
    memory: Memory, asker: Asker, switch: Annotated[Literal["on", "off"] | None, Arg(metavar="on|off")] = None
) -> answers.Scripts:
    """Let your own scripts do what only people may, or not any more; alone, say which.

    Without a terminal Steno takes whoever asks for an agent: cron jobs and scripts wait for `steno review`. `on` lets
    them through. An agent's shell is still recognised by its environment, its parents and its calls. Only a terminal
    can change this.

    $ steno store scripts on
    """
    from steno.verbs.answers import Scripts
    from steno.vocabulary.errors import NotTheirs

    if switch is None:
        return Scripts(memory.home.store.control.scripts())
    if asker.who is None or asker.who.evidence not in ("a terminal", "a review"):
        raise NotTheirs("only a terminal can change this", hint="type it in a terminal of your own")
    memory.home.store.control.allow_scripts(switch == "on")
    return Scripts(switch == "on")


# -- moving ----------------------------------------------------------------------------------------------------------


@verb("store export", doors="cli", slow=True)
def export(memory: Memory, file: Annotated[str, Arg(metavar="[FILE]")] = "-") -> answers.Exported:
    """Write everything as JSON lines to FILE, or to standard output.

    The file holds what was said and the key of the store: only you may read it. It is written whole or not at all, and
    signed: this home takes it back as its own, unless it was changed.

    $ steno store export backup.jsonl
    """
    from steno.verbs.answers import Exported
    from steno.vocabulary.errors import WrongUse

    if os.path.realpath(file).startswith(os.path.realpath(memory.home.root / "steno.db")):
        raise WrongUse(f"{file} is the store itself", hint="write the export to another file")
    with _in_words(file), _whole(file) as out:
        lines = sum(1 for line in memory.export() if out.write(line + b"\n"))
    return Exported(file=os.path.abspath(file), lines=lines)


@verb("store import", "rules", doors="cli", slow=True)
def import_(
    memory: Memory, progress: Any, confirm: Callable[[str], bool], file: str, *,
    trust: Annotated[bool, Arg("Take all of it as your own: you know who wrote it. Look at it first.")] = False,
) -> answers.ImportDone:  # fmt: skip
    """Take in an export from FILE, or from standard input if FILE is `-`.

    Taking it in twice changes nothing. What this home exported itself comes back as it was. Any other export, or one
    that was changed, is hearsay: it can be found, nothing is learnt from it, and its pauses, exclusions, rules,
    archives and tombstones are not applied. On a terminal you are asked first whether to trust it all the same.
    `--trust` is for your own export on a new machine.

    Exit code 1: a line could not be imported, or the file is cut off. The rest was imported.

    $ steno store import backup.jsonl
    """
    from steno.verbs.answers import ImportDone

    with _in_words(file), nullcontext(sys.stdin.buffer) if file == "-" else open(file, "rb") as opened:
        total = None if file == "-" else os.fstat(opened.fileno()).st_size
        lines = _lines(opened, total, progress)
        done = memory.import_(lines, trust=trust, ask=lambda: file != "-" and confirm(_TRUST))
    return ImportDone(imported=done)


def _lines(file: IO[bytes], total: int | None, progress: Any) -> Iterator[bytes]:
    """Lines; of one that is too long to be taken in, only enough to see that."""
    from steno.pipeline.exported import LONGEST_LINE

    with progress("Importing", in_bytes=True) as told:
        while raw := file.readline(LONGEST_LINE + 2):
            told(len(raw), total)
            yield raw
            while len(raw) > LONGEST_LINE + 1 and not raw.endswith(b"\n"):
                raw = file.readline(LONGEST_LINE + 2)


@contextmanager
def _whole(file: str) -> Iterator[IO[bytes]]:
    """A file that appears under its name only when it is complete. What is no plain file (a pipe) is written to."""
    from steno.files import write_whole

    target = os.path.realpath(file)
    is_pipe = os.path.exists(target) and not S_ISREG(os.stat(target).st_mode)
    with open(target, "wb") if is_pipe else write_whole(target, sync=True) as out:
        yield out


@contextmanager
def _in_words(file: str) -> Iterator[None]:
    from steno.vocabulary.errors import StenoError

    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise StenoError(f"cannot use {file}: {error.strerror}", hint="check the path and its rights") from error


# -- all of it -------------------------------------------------------------------------------------------------------


@verb("store rebuild", "rules", slow=True)
def rebuild(
    memory: Memory, progress: Any, *,
    vectors: Annotated[bool, Arg("Instead, make the index of words and the vectors anew.")] = False,
) -> answers.Rebuilt:  # fmt: skip
    """Drop everything derived and learn it again from the journal.

    What people told Steno is kept. If interrupted, it goes on with the next `steno entries learn`. With --vectors,
    entries stay as they are, and the index of words and the vectors are made anew with the model chosen now; that goes
    on with `steno store embed`.

    $ steno store rebuild
    """
    from steno.verbs.answers import Rebuilt

    if not vectors:
        with progress("Learning", left=memory.unread) as told:
            return Rebuilt(learnt=memory.rebuild(progress=told))
    with progress("Making vectors", left=memory.unembedded) as told:
        made = memory.rebuild_vectors(told)
    return Rebuilt(embedded=_embedded(memory, made))


@verb("store embed", "rules", slow=True)
def embed(memory: Memory, progress: Any) -> answers.Embedded:
    """Make the vectors that recall by meaning needs, the newest first.

    `steno capture` does this for a minute; this goes on until nothing is missing. Where thousands of turns wait, each
    gets a sketch first, guessed from its words, so that it is found by meaning within a minute. Interrupt it whenever
    you like: what was made stays.

    $ steno store embed
    """
    with progress("Sketching", left=memory.unembedded) as told:
        memory.sketch(told)
    with progress("Making vectors", left=memory.unembedded) as told:
        made = memory.embed(told)
    return _embedded(memory, made)


def _embedded(memory: Memory, made: int) -> answers.Embedded:
    from msgspec.structs import asdict

    from steno.verbs.answers import Embedded

    return Embedded(made=made, **asdict(memory.recallable()))


@verb("store redact", "rules", slow=True)
def redact(memory: Memory, progress: Any) -> answers.Redacted:
    """Take secrets out of everything stored, by today's patterns and yours.

    Yours are `redact_patterns` in the settings.

    $ steno store redact
    """
    from steno.verbs.answers import Redacted

    with progress("Redacting") as told:
        return Redacted(memory.redact(progress=told))
