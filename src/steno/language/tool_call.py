"""A tool call, read in one place for everybody: which tool it is, the command line, the files and the words it was
given, whatever a host calls things. Pure."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple

import msgspec

_SHELLS: Final = frozenset(
    "bash shell localshell exec execcommand shellcommand runshellcommand runterminalcmd runcommand executecommand "
    "terminal powershell containerexec".split()
)
_COMMANDS: Final = ("command", "cmd")
_PATHS: Final = (
    "file_path", "filePath", "notebook_path", "path", "absolute_path", "target_file", "relative_path", "filename",
    "paths",
)  # fmt: skip
# What says in one line what a call is for, the most telling first.
_LINE: Final = (*_COMMANDS, "file_path", "path", "notebook_path", "url", "pattern", "query", "skill", "description")
_MOST_VALUES: Final = 1000
_NOT_A_LETTER: Final = re.compile(r"[^a-z]")
# Codex's patches.
_PATCHES: Final = "apply_patch"
BEGIN_PATCH: Final = "*** Begin Patch"
END_PATCH: Final = "*** End Patch"
_HEADER: Final = re.compile(r"^\*\*\* (Add File|Update File|Delete File|Move to): (.+?)\s*$", re.MULTILINE)
# What a tool that writes or edits is given.
_WHOLE: Final = ("content", "file_text", "contents")
_OLD: Final = ("old_string", "old_str", "oldText", "old_text", "search")
_NEW: Final = ("new_string", "new_str", "newText", "new_text", "replace")
_EVERYWHERE: Final = ("replace_all", "replaceAll")
_ACTS: Final = {"Add File": "created", "Update File": "edited", "Delete File": "deleted"}


class Question(NamedTuple):
    """What is put to a person through a tool."""

    id: str
    text: str
    options: tuple[str, ...]


class ToolCall(NamedTuple):
    """What a tool is called with."""

    tool: str
    # Where it is no object (some tools take a patch as it is), the whole text as `input`.
    given: Mapping[str, Any]

    @property
    def name(self) -> str:
        """The tool without its server, in small letters and nothing else: `mcp__files__Read_File` is `readfile`."""
        return plain_name(self.tool)

    @property
    def is_shell(self) -> bool:
        return self.name in _SHELLS

    @property
    def command(self) -> str:
        """The command line; empty where there is none."""
        for name in _COMMANDS:
            command = self.given.get(name)
            if isinstance(command, list):
                words = [word for word in command if isinstance(word, str)]
                # ["bash", "-lc", "npm ci && npm test"]: the last one is the command line.
                command = words[-1] if len(words) == 3 and words[1] in ("-lc", "-c") else " ".join(words)
            if isinstance(command, str) and command.strip():
                return command
        return ""

    @property
    def paths(self) -> list[str]:
        """The files it names, the one it is about first."""
        named = (value if isinstance(value, list) else [value] for value in map(self.given.get, _PATHS))
        return list(dict.fromkeys(path for several in named for path in several if isinstance(path, str) and path))

    @property
    def line(self) -> str:
        """The command, the path, or whatever else says what is done."""
        found = next((self.given[name] for name in _LINE if self.given.get(name)), None)
        if found is None:
            found = next((value for value in self.given.values() if isinstance(value, str) and value), "")
        return " ".join(map(str, found)) if isinstance(found, list) else str(found)

    @property
    def questions(self) -> list[Question]:
        """What it asks a person: several questions, or one that stands by itself."""
        many = self.given.get("questions")
        asked = [one for one in (many if isinstance(many, list) else [self.given]) if isinstance(one, dict)]
        return [
            Question(as_id(one.get("id")), text, tuple(_labels(one.get("options"))))
            for one in asked
            if isinstance(text := one.get("question"), str) and text
        ]

    def text(self, name: str) -> str:
        """A field that should be a text; empty where it is none."""
        value = self.given.get(name)
        return value if isinstance(value, str) else ""


@lru_cache(maxsize=16)
def read(tool: str | None, text: str) -> ToolCall:
    """A call as a transcript has it: its input as JSON, or any other text."""
    try:
        found = msgspec.json.decode(text)
    except (msgspec.DecodeError, ValueError, RecursionError):
        found = None
    return ToolCall(tool or "", found if isinstance(found, dict) else {"input": text})


@lru_cache(maxsize=512)
def plain_name(tool: str) -> str:
    return _NOT_A_LETTER.sub("", tool.rpartition("__")[2].lower())


def as_id(value: Any) -> str:
    """A number or a name, as a text; empty where it is neither."""
    return str(value)[:64] if isinstance(value, str | int) else ""


def _labels(options: Any) -> Iterator[str]:
    for one in options if isinstance(options, list) else ():
        if isinstance(one, dict) and isinstance(label := one.get("label"), str):
            yield label


def texts(value: Any) -> list[str]:
    """Every text anywhere in an input, in order."""
    found: list[str] = []
    waiting = [value]
    while waiting and len(found) < _MOST_VALUES:
        one = waiting.pop()
        if isinstance(one, str):
            found.append(one)
        elif isinstance(one, dict):
            waiting += reversed(list(one.values())[:_MOST_VALUES])
        elif isinstance(one, list):
            waiting += reversed(one[:_MOST_VALUES])
    return found


def patched(patch: str) -> list[list[str]]:
    """Acts and paths of a patch, in its order. A file that moves is deleted here and created there."""
    _, found, body = patch.partition(BEGIN_PATCH)
    if found and "\n" not in body[:200]:
        # The patch stands inside a program's text, with its line ends written as two characters.
        body = body.replace("\\n", "\n")
    acts: list[list[str]] = []
    for header in _HEADER.finditer(body if found else patch):
        what, path = header[1], header[2].strip("\"'")
        if what == "Move to":
            if acts and acts[-1][0] == "edited":
                acts[-1][0] = "deleted"
            acts.append(["created", path])
        else:
            acts.append([_ACTS[what], path])
    return acts


def text_after(made: ToolCall, path: str, before: str) -> str | None:
    """The text of a file after a call wrote or edited it; None where that cannot be told."""
    patch = next((text for text in texts(made.given) if BEGIN_PATCH in text), "")
    if patch:
        return _patched_text(patch, path, before)
    for name in _WHOLE:
        if isinstance(text := made.given.get(name), str):
            return text
    edits = made.given.get("edits", [made.given])
    for edit in edits if isinstance(edits, list) else [None]:
        if not isinstance(edit, dict):
            return None
        old, new = (next((edit[name] for name in names if name in edit), None) for names in (_OLD, _NEW))
        if not (isinstance(old, str) and isinstance(new, str) and old and old in before):
            return None
        before = before.replace(old, new, -1 if any(map(edit.get, _EVERYWHERE)) else 1)
    return before


def _patched_text(patch: str, path: str, before: str) -> str | None:
    body = patch.partition(BEGIN_PATCH)[2]
    headers = list(_HEADER.finditer(body))
    number = next((n for n, one in enumerate(headers) if one[2].strip("\"'") == path), None)
    if number is None or _ACTS.get(headers[number][1]) == "created":
        return None
    after = headers[number + 1] if number + 1 < len(headers) else None
    if headers[number][1] == "Delete File" or (after is not None and after[1] == "Move to"):
        return ""
    section = body[headers[number].end() : after.start() if after else None].partition(END_PATCH)[0]
    for hunk in re.split(r"^@@.*$", section, flags=re.MULTILINE):
        lines = [line for line in hunk.splitlines() if line[:1] in (" ", "-", "+") and line]
        old, new = ("\n".join(line[1:] for line in lines if line[0] != sign) for sign in "+-")
        if old not in before:
            return None
        before = before.replace(old, new, 1)
    return before


def as_edit(tool: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """What a tool is given, a patch as an edit: where, what goes, what comes. A hook has it where a shell's command
    stands, a transcript by itself."""
    patch = given.get("command", given.get("input"))
    if tool != _PATCHES or not isinstance(patch, str):
        return dict(given)
    lines, paths = patch.splitlines(), [path for _, path in patched(patch)]
    gone, new = ("\n".join(line[1:] for line in lines if line.startswith(sign)) for sign in "-+")
    return {"file_path": paths[0] if paths else "", "paths": paths, "old_string": gone, "new_string": new}
