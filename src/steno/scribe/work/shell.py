"""Shell commands: what kind they are, which files they name outright, and how they went."""

import posixpath
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

from steno.language.shell import WORDS, Part, parts
from steno.vocabulary import Turn

Kind = Literal["test", "check", "look", "other"]
_TELLING: Final[tuple[Kind, ...]] = ("test", "check", "other")

# Longer commands are programs in a heredoc: the beginning says what they are.
COMMAND_LENGTH: Final = 4000
_LINE_LENGTH: Final = 300

TOLD: Final = tomllib.loads(Path(__file__).with_name("commands.toml").read_text("utf-8"))


def begins(told: Mapping[str, Any], before: str) -> re.Pattern[str]:
    """A pattern for what a piece of a command begins with, and what may stand before that."""
    whole = f"{told.get('begin', before)}(?:{'|'.join(told['patterns'])})"
    for name, fragment in TOLD["fragments"].items():
        whole = whole.replace(f"{{{{{name}}}}}", fragment)
    return re.compile(whole)


_KINDS: Final[Mapping[Kind, re.Pattern[str]]] = {
    kind: begins(told, "{{before}}") for kind, told in TOLD["kinds"].items()
}
PIECES: Final = re.compile(r"\s*(?:&&|\|\||;|\||\n)\s*")
_CD: Final = re.compile(r"\s*cd\s+(\"[^\"\n]+\"|'[^'\n]+'|[^\s;&|]+)\s*(?:&&|;|\n)\s*")
_READ: Final = re.compile(
    r"(?:cat|nl\s+-ba|sed\s+-n\s+(?:'[\d,$p;]+'|\"[\d,$p;]+\"|[\d,]+p)|(?:head|tail)(?:\s+-n?\s*\+?\d+)?)\s+"
    r"(\"[^\"\n]+\"|'[^'\n]+'|[^\s;&|<>*?$`{(-][^\s;&|<>*?$`{(]*)\s*"
)
# Programs that leave other files than they found; of those that edit, the first word says what to do, not where.
_CHANGES: Final = re.compile(
    r"(?:(?P<deleted>(?:git )?rm|unlink)|(?P<moved>(?:git )?mv)|(?P<edited>(?:sed|perl) (?:\S+ )*?-\w*i\S*)|"
    r"(?P<copied>cp)|cat|echo|printf|sed|awk|jq|tee|touch)(?: |$)"
)
_SCRATCH: Final = re.compile(r"/(?:private/)?tmp/|/var/folders/|(?:.*/)?\.git/|.*[*?$`{]")

_RUNNING: Final = re.compile(
    r"Process running with session ID (\d{1,12})|Command running in background with ID: ([\w-]{1,64})|"
    r"Command still running \(session ([\w-]{1,64})"
)
_STATUS: Final = re.compile(r"(?:Error: )?Exit code:? (\d{1,9})\b")
_TOLD_STATUS: Final = re.compile(r"<exit_code>(-?\d{1,9})</exit_code>|\bexit code:? (-?\d{1,9})\b", re.IGNORECASE)
_RED: Final = re.compile(
    r"(?:^|\s)(?:FAIL(?:ED|URES?)?|✗|✘|❌)(?:[\s:!]|$)|^--- FAIL|"
    r"(?<![\d.])[1-9]\d* (?:tests? |suites? )?(?:failed|failing|errors?)\b|"
    r"\b(?:failed|failures|errors)[:=]\s*[1-9]"
)
# A line that counts says more than one with a tick.
_COUNTED: Final = re.compile(
    r"\d+ (?:tests? )?(?:passed|passing)|test result: ok|^# pass \d|^(?:ok|OK)\b", re.IGNORECASE
)
_GREEN: Final = re.compile(
    r"\d+ (?:tests? )?(?:passed|passing)|test result: ok|^ok\s|^PASS\b|^OK\b|Tests?:? .*\d+ (?:passed|total)|"
    r"\ball (?:\w+ )?tests? pass|tests? (?:passed|complete)|^# pass \d|✓|✔",
    re.IGNORECASE,
)


class Went(NamedTuple):
    """How a command went. `running`: it has not ended, and this is its process as the host names it."""

    failed: bool | None
    exit_status: int | None = None
    running: str | None = None


def kind_of(command: str) -> Kind:
    """What a command is for, by its most telling piece."""
    kinds = [_kind_of_piece(part.text[:300]) for part in parts(command[:COMMAND_LENGTH])[:20] if part.text]
    return next((kind for kind in _TELLING if kind in kinds), "look")


def _kind_of_piece(piece: str) -> Kind:
    found = (kind for kind, pattern in _KINDS.items() if pattern.match(piece))
    return next(found, "other")


def without_cd(command: str) -> tuple[str, str | None]:
    """A command without the change of directory before it, and that directory."""
    found = _CD.match(command[:1000])
    return (command[found.end() :], found[1].strip("\"'")) if found else (command, None)


def files_in(command: str, directory: str | None) -> list[list[str]]:
    """Files a command reads as its whole purpose (`cat FILE`, `sed -n 1,9p FILE`), or leaves changed: `sed -i`, `mv`,
    `rm`, `cat > FILE <<EOF`."""
    rest, moved = without_cd(command)
    if found := _READ.fullmatch(rest[:1000]) if len(rest) <= 1000 else None:
        return [["read", _joined(found[1].strip("\"'"), moved or directory)]]
    return [[act, _joined(path, directory)] for part in parts(command) for act, path in _changed(part)]


def _changed(part: Part) -> Iterator[tuple[str, str]]:
    found = _CHANGES.match(part.text) if part.files else None
    if found is None:
        return
    what = found.lastgroup
    script = what == "edited" and WORDS not in part.text
    *others, last = [path for path in part.files[script:] if not _SCRATCH.match(path)] or [""]
    if what in ("deleted", "moved"):
        yield from (("deleted", path) for path in others)
    elif what != "copied":
        yield from ((what or "written", path) for path in others)
    if last:
        yield what if what in ("deleted", "edited") else "written", last


def _joined(path: str, directory: str | None) -> str:
    if not directory or path.startswith(("/", "~")) or not directory.startswith(("/", "~")):
        return path
    return posixpath.normpath(posixpath.join(directory, path))


def went(turn: Turn) -> Went:
    """How a command went, from its result."""
    if turn.exit_status is None and (process := running(turn.text)):
        return Went(None, None, process)
    status = turn.exit_status
    if status is None and turn.failed and (found := _STATUS.match(turn.text)):
        status = int(found[1])
    if status is None:
        return Went(turn.failed)
    return Went(status != 0 or bool(turn.failed), status)


def running(result: str) -> str | None:
    """The process that goes on, as its host names it, if a command was left running."""
    found = _RUNNING.search(result[:600])
    return next((name for name in found.groups() if name), None) if found else None


def ended(text: str) -> Went | None:
    """How a command that ran in the background went, from a later look at it. None: it is still running."""
    text = text[:2000]
    if found := _TOLD_STATUS.search(text):
        status = int(next(number for number in found.groups() if number))
        return Went(status != 0, status)
    if "<status>failed</status>" in text or "<status>killed</status>" in text:
        return Went(failed=True)
    return Went(failed=False) if "<status>completed</status>" in text else None


def verdict(text: str, failed: bool | None) -> tuple[bool | None, str]:
    """Whether a test run passed, and the line that says so. A pipe may hide the exit status, so red lines count."""
    lines = [line.strip() for line in text[-6000:].splitlines() if line.strip()][-80:]
    red = next((line for line in reversed(lines) if _RED.search(line[:500])), None)
    green = next((line for sign in (_COUNTED, _GREEN) for line in reversed(lines) if sign.search(line[:500])), None)
    passed = None if failed is None and not (red or green) else not (failed or red)
    said = (green if passed else red) or (lines[-1] if lines else "")
    return passed, said[:_LINE_LENGTH]
