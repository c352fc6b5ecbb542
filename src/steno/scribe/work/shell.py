"""Shell commands: what kind they are, which files they name outright, what they run and where, and how they went."""

import posixpath
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

from msgspec import DecodeError
from msgspec.json import decode

from steno.language.shell import WORDS, Part, parts, plain
from steno.language.tool_call import as_id
from steno.vocabulary import Turn

Kind = Literal["test", "check", "look", "other"]
_TELLING: Final[tuple[Kind, ...]] = ("test", "check", "other")

# Longer commands are programs in a heredoc: the beginning says what they are.
COMMAND_LENGTH: Final = 4000

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

# What PowerShell takes as one text, its paths, and its word for `cd`.
_HERE_STRING: Final = re.compile(r"@(['\"])[ \t]*\r?\n(.{0,20000}?)\n\1@", re.DOTALL)
_SIGN: Final = re.compile(r"([\\\"$`])")
_ESCAPED: Final = r"\\\1"
_DRIVE: Final = re.compile(r"\b[A-Za-z]:\\[^\s'\";|&<>*?]*")
_MOVES: Final = re.compile(r"\b(?:Set|Push)-Location(?: -(?:Literal)?Path)?\b", re.IGNORECASE)
# `WT=/srv/site; cd $WT`
_NAMED: Final = re.compile(
    r"(?:^|[;&\n])[ \t]{0,8}(?:export )?\$?(\w{1,40})[ \t]?=[ \t]?"
    r"(\"[^\"$\n]{1,300}\"|'[^'\n]{1,300}'|[^\s;&|\"'$()]{1,300})"
)
_NAME: Final = re.compile(r"\$(?:\{(\w{1,40})\}|(\w{1,40}))")
_PROXIES: Final = ("rtk", "command", "builtin", "winpty")
_TAKES_VALUE: Final = ("-C", "-c", "--git-dir", "--work-tree", "--namespace")
_MESSAGE: Final = re.compile(r"-\w{0,5}m|--message")
_SAYS: Final = ("echo", "printf", "write-host", "write-output")
_FORMAT: Final = re.compile(r"(?:%s|\\n|`n)+")

_RUNNING: Final = re.compile(
    r"Process running with session ID (\d{1,12})"
    r"|Command (?:running in|was manually moved to|did not complete[^\n]{0,80} moved to(?: the)?) background"
    r"(?: with)? ID: ([\w-]{1,64})"
    r"|Command was manually backgrounded by user with ID: ([\w-]{1,64})"
    r"|Command still running \(session ([\w-]{1,64})"
)
_SCRIPT: Final = "Script "
_SESSION: Final = re.compile(r"^(?:SESSION|session)_?(?:ID|id)[=:] ?(\d{1,12})\s*\Z", re.MULTILINE)
_STATUS: Final = re.compile(r"(?:Error: )?Exit code:? (\d{1,9})\b")
_TOLD_STATUS: Final = re.compile(
    r"<exit_code>(-?\d{1,9})</exit_code>|\b(?:exit code:?|exited with code) (-?\d{1,9})\b", re.IGNORECASE
)
# How hosts say that something in the background has ended.
_HOW: Final[Mapping[str, re.Pattern[str]]] = {
    "stopped": re.compile(
        r"<status>(?:killed|stopped)</status>|\"(?:shutdown|interrupted)\"\s?:"
        r"|\[(?:Monitor (?:timed out|stopped)|stream ended)|successfully (?:stopped|killed)"
        r"|^(?:Killed|Terminated) session|\bCancelled\b", re.IGNORECASE | re.MULTILINE
    ),
    "failed": re.compile(r"<status>(?:failed|error)</status>|\"(?:errored|failed)\"\s?:"),
    "completed": re.compile(r"<status>completed</status>|\"completed\"\s?:"),
}  # fmt: skip
_OUTPUT: Final = re.compile(r"\A[^\n]{0,300}\n?(?:[^\n]{0,120}\n){0,6}?Output:\n")
_EXIT_LINE: Final = re.compile(r"\A(?:Error: )?Exit code:? \d{1,9}\n")
_COLOUR: Final = re.compile(r"\x1b\[[\d;]{0,20}m")


class Went(NamedTuple):
    """How a command went. `running`: it has not ended, and this is its process as the host names it."""

    failed: bool | None
    exit_status: int | None = None
    running: str | None = None
    stopped: bool = False


class Step(NamedTuple):
    """One program that a command runs."""

    words: tuple[str, ...]
    text: str
    # As seen from where the command was given. None: it cannot be told.
    directory: str | None
    # What stands behind it.
    sign: str
    fed: str

    @property
    def program(self) -> str:
        return posixpath.basename(self.words[0]).removesuffix(".exe")

    @property
    def verb(self) -> str:
        """What git, gh and the like are to do, after their own options."""
        return self._behind[0] if self._behind else ""

    @property
    def arguments(self) -> list[str]:
        return self._behind[1:]

    @property
    def _behind(self) -> list[str]:
        words = list(self.words[1:])
        while words and words[0].startswith("-"):
            del words[: 2 if words[0] in _TAKES_VALUE else 1]
        return words

    @property
    def at(self) -> str | None:
        """Where git is to work."""
        where = [new for old, new in pairwise(self.words) if old in ("-C", "--work-tree")]
        if self.program != "git" or not where or self.verb in where:
            return self.directory
        return None if self.directory is None else placed(where[0], self.directory)

    @property
    def subject(self) -> str:
        """The first line of the message of a commit; of one that was amended without any, nothing."""
        given = self.arguments if self.verb in ("commit", "create", "modify", "merge") else []
        message = next((new for old, new in pairwise(given) if _MESSAGE.fullmatch(old)), "")
        written = next((word.partition("=")[2] for word in given if word.startswith("--message=")), message)
        return (self.fed if written.startswith("$(") else written).strip().split("\n")[0]

    @property
    def said(self) -> str:
        """A line that it prints, if that is all it does."""
        if self.program.lower() not in _SAYS or self.sign.startswith((">", "|")):
            return ""
        words = [word for word in self.words[1:] if not word.startswith("-") or len(word) > 2]
        return _FORMAT.sub(" ", " ".join(words)).strip()


def kind_of(command: str) -> Kind:
    """What a command is for, by its most telling piece."""
    kinds = [kind_of_piece(part.text) for part in run_by(command)[:20] if part.text]
    return next((kind for kind in _TELLING if kind in kinds), "look")


def kind_of_piece(piece: str) -> Kind:
    found = (kind for kind, pattern in _KINDS.items() if pattern.match(piece[:300]))
    return next(found, "other")


@lru_cache(maxsize=64)
def run_by(command: str) -> Sequence[Part]:
    """What a command runs, also one written for PowerShell."""
    command = command[: COMMAND_LENGTH * 4]
    if "@'" in command or '@"' in command:
        command = _HERE_STRING.sub(lambda found: f'"{_SIGN.sub(_ESCAPED, found[2].strip())}"', command)
    if ":\\" in command:
        command = _DRIVE.sub(lambda found: found[0].replace("\\", "/"), command)
    command = _MOVES.sub("cd", command)
    if "$" in command and (named := dict(_NAMED.findall(command))):
        values = {name: plain(value) for name, value in named.items()}
        command = _NAME.sub(lambda found: values.get(found[1] or found[2], found[0]), command)
    return tuple(parts(command))


@lru_cache(maxsize=64)
def steps(command: str) -> Sequence[Step]:
    """The same, word by word, each with where it runs."""
    run = [part for part in run_by(command)[:60] if part.words]
    return tuple(
        _step(part, behind.fed if "$(cat" in part.whole else part.fed) for part, behind in pairwise([*run, Part("")])
    )


def _step(part: Part, fed: str) -> Step:
    words = [plain(word) for word in part.words]
    while len(words) > 1 and words[0] in _PROXIES:
        del words[0]
    return Step(tuple(words), part.text, placed(part.directory, ""), part.sign, fed)


def placed(path: str, directory: str) -> str | None:
    """A path as seen from a folder; None where a name in it is not known."""
    path = path.replace("\\", "/")
    if any(sign in path for sign in "$`*?") or path == "-":
        return None
    last = max(path.rfind(":/") - 1, path.rfind("/~/") + 1)
    whole = path[last:] if last > 0 else path
    if whole[1:3] != ":/" and whole[:1] not in ("/", "~"):
        whole = posixpath.join(directory, whole)
    return posixpath.normpath(whole) if whole else ""


def ends_in(command: str) -> str | None:
    """Where a shell stands after a command, as seen from where it stood before."""
    run = steps(command)
    if not run or run[-1].sign == ")":
        return ""
    last = run[-1]
    if last.program not in ("cd", "pushd"):
        return last.directory
    return None if last.directory is None else placed(last.words[-1] if len(last.words) > 1 else "~", last.directory)


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


# -- how a command went ----------------------------------------------------------------------------------------------


def went(turn: Turn) -> Went:
    """How a command went, from its result."""
    told = scripted(turn.text)
    status = turn.exit_status
    if status is None and isinstance(code := told.get("exit_code"), int):
        status = code
    if status is None and (process := as_id(told.get("session_id")) or running(turn.text)):
        return Went(None, None, process)
    if status is None and turn.failed and (found := _STATUS.match(turn.text)):
        status = int(found[1])
    if status is None:
        return Went(turn.failed)
    return Went(status != 0 or bool(turn.failed), status)


def running(result: str) -> str | None:
    """The process that goes on, as its host names it, if a command was left running."""
    found = _RUNNING.search(result[:600]) or (_SESSION.search(result[-80:]) if result.startswith(_SCRIPT) else None)
    return next((name for name in found.groups() if name), None) if found else None


def scripted(result: str) -> dict[str, Any]:
    """What a script of Codex printed, where it is an object."""
    body = result.partition("\nOutput:\n")[2].strip() if result.startswith(_SCRIPT) else ""
    try:
        return decode(body, type=dict[str, Any]) if body.startswith("{") else {}
    except (DecodeError, RecursionError):
        return {}


def ended(text: str) -> Went | None:
    """How something that ran in the background went, from a notice or a later look at it. None: it is still running."""
    # In a notice the agent's own words about the command say nothing of how it went.
    text = re.sub(r'^<summary>[^\n]{0,40}"[^\n]*"', "<summary>", text[:2000], flags=re.MULTILINE)
    how = next((how for how, shape in _HOW.items() if shape.search(text)), None)
    found = _TOLD_STATUS.search(text)
    status = int(found[1] or found[2]) if found else None
    if how is None and status is None:
        return None
    return Went(how in ("stopped", "failed") or status not in (None, 0), status, stopped=how == "stopped")


def printed(text: str) -> str:
    """What a command printed, without what its host wrote around it."""
    told = scripted(text)
    # One result, or several under names of their own.
    shown = [told["output"]] if "output" in told else list(told.values())
    if texts := [one for one in shown if isinstance(one, str)]:
        text = "\n".join(texts)
    elif text.startswith(("Chunk ID:", "Command:", "Wall time:", "Exit code:", _SCRIPT)):
        text = _OUTPUT.sub("", text, count=1)
    return _COLOUR.sub("", _EXIT_LINE.sub("", text)).replace("\r\n", "\n")


def sections(run: Sequence[Step], text: str) -> Iterator[tuple[list[Step], list[str]]]:
    """The steps of a command with what they printed: a line that a step says parts the output."""
    lines, begun, those = text.split("\n"), 0, list[Step]()
    for step in run:
        said = step.said
        end = next((at for at in range(begun, len(lines)) if said and lines[at].strip() == said), None)
        if end is None:
            those.append(step)
            continue
        yield those, lines[begun:end]
        those, begun = [], end + 1
    yield those, lines[begun:]
