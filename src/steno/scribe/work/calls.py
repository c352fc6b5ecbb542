"""Tool calls: what one is about to do, from its name and its input, whatever the host calls things."""

import re
from functools import lru_cache
from typing import Any, Final, Literal

from msgspec import Struct, field

from steno.language.tool_call import BEGIN_PATCH, ToolCall, as_id, patched, read
from steno.scribe.work.results import outward
from steno.scribe.work.shell import COMMAND_LENGTH, files_in
from steno.vocabulary import JournalTurn

Purpose = Literal["", "todos", "task_create", "task_update", "task_list", "plan", "question", "poll", "outward"]

# Linux allows 4096 bytes; what is longer is no path.
_PATH_LENGTH: Final = 4096
_FILES: Final = 1000
_TOLD: Final = 100
_TEXT, _TITLE = 2000, 80
_PURPOSES: Final[dict[str, Purpose]] = {
    "todowrite": "todos", "writetodos": "todos", "updateplan": "todos", "taskcreate": "task_create",
    "taskupdate": "task_update", "tasklist": "task_list", "exitplanmode": "plan", "askuserquestion": "question",
    "requestuserinput": "question", "writestdin": "poll", "bashoutput": "poll", "taskoutput": "poll", "process": "poll",
}  # fmt: skip
_WORDS: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_NO_FILE: Final = frozenset(
    "list search grep glob find ls tree directory directories folder dir info exists symbol symbols memory".split()
)
# Which act a verb in a tool's name is. `written`: created or edited, the result or the past tells.
_VERBS: Final = {
    "read": "read", "view": "read", "open": "read", "get": "read",
    "edit": "edited", "replace": "edited", "update": "edited", "insert": "edited", "append": "edited",
    "modify": "edited", "patch": "edited",
    "write": "written", "create": "written", "save": "written",
    "delete": "deleted", "remove": "deleted",
}  # fmt: skip
_EDITOR: Final = {"view": "read", "create": "written", "str_replace": "edited", "insert": "edited"}
_STATES: Final = {
    "completed": "done", "complete": "done", "done": "done", "in_progress": "doing", "doing": "doing",
    "deleted": "gone", "cancelled": "gone", "canceled": "gone", "removed": "gone",
}  # fmt: skip
_FAILED: Final = re.compile(
    r"\s*(?:apply_patch verification failed|Failed to |Invalid patch|error:|patch rejected)", re.I
)
# Codex's scripts: strings as JavaScript writes them.
_SCRIPT: Final = 100_000
_STRING: Final = r"""("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)"""
_RUN: Final = re.compile(rf"\btools\.exec_command\(\{{[^{{}}]{{0,200}}?\bcmd\"?\s*:\s*{_STRING}", re.DOTALL)
_PATCH: Final = re.compile(rf"[=(]\s*(?:String\.raw)?(?=.\s*\*\*\* Begin Patch){_STRING}", re.DOTALL)
_ESCAPED: Final = re.compile(r"\\(.)", re.DOTALL)


class OpenCall(Struct, kw_only=True):
    """A call whose result has not come yet. Nothing but JSON values, for it is kept between readings."""

    tool: str
    turn: int
    line: int | None = None
    # Acts and paths: read, edited, written, created, deleted.
    files: list[list[str]] = field(default_factory=list)
    command: str | None = None
    purpose: Purpose = ""
    # What the purpose needs: to-dos with state, a task's number and change, questions with id, a process.
    told: list[list[str]] = field(default_factory=list)


def read_call(turn: JournalTurn) -> OpenCall | None:
    """What a call is about to do; None for a call of no interest to the trail."""
    tool, text = (turn.turn.tool or "")[:200], turn.turn.text
    call = OpenCall(tool=tool, turn=turn.id, line=turn.turn.line)
    made = read(tool, text)
    purpose = _PURPOSES.get(made.name, "")
    if made.name == "applypatch":
        call.files = _files(patched(made.text("patch") or made.text("input")))
    elif made.is_shell:
        _shell(call, made, text)
    elif kind := outward(tool):
        call.purpose, call.told = "outward", [[kind, _about(made)]]
    elif purpose:
        call.purpose = purpose
        call.told = [[part[:_TEXT] for part in told] for told in _told(purpose, made)[:_TOLD]]
    elif act := act_of(made):
        call.files = _files([act, path] for path in made.paths)
    return call if call.files or call.command or call.purpose else None


@lru_cache(maxsize=512)
def changed(turn: JournalTurn) -> list[str]:
    """The files a call writes, edits or deletes."""
    call = read_call(turn) if turn.turn.kind == "call" else None
    return [path for act, path in call.files if act != "read"] if call else []


def act_of(made: ToolCall) -> str | None:
    """What a call does with the files it names, if it works on files: read, edited, written, deleted."""
    act = _act_in(made.tool)
    return _EDITOR.get(made.command) if act == "by command" else act


@lru_cache(maxsize=512)
def _act_in(tool: str) -> str | None:
    """The act in a tool's name."""
    words = [word.lower() for word in _WORDS.findall(tool.rpartition("__")[2])]
    if words == ["search", "replace"]:
        return "edited"
    if words[:2] == ["str", "replace"]:
        return "by command"
    if not words or not _NO_FILE.isdisjoint(words) or (words[0] == "get" and not {"file", "files"} & {*words}):
        return None
    return next((_VERBS[word] for word in words if word in _VERBS), None)


def _files(found: Any) -> list[list[str]]:
    return [[act, path] for act, path in found if 0 < len(path) <= _PATH_LENGTH][:_FILES]


def _shell(call: OpenCall, made: ToolCall, text: str) -> None:
    command = made.command or ("" if text.lstrip().startswith("{") else _scripted(text))
    call.command = command.strip()[:COMMAND_LENGTH] or None
    if BEGIN_PATCH in command and "apply_patch" in command:
        call.files = _files(patched(command))
    elif call.command:
        call.files = _files(files_in(command.strip(), made.text("workdir") or None))


def _scripted(text: str) -> str:
    """The commands and patches of a script in which Codex calls its tools; any other text is a command itself."""
    if "tools." not in text[:_SCRIPT]:
        return text
    run = [_literal(found) for found in _RUN.findall(text[:_SCRIPT])]
    patches = [f"apply_patch {_literal(found)}" for found in _PATCH.findall(text[:_SCRIPT])]
    return " && ".join([*run, *patches])


def _literal(text: str) -> str:
    """A string of a script without its marks."""
    return _ESCAPED.sub(lambda found: {"n": "\n", "t": "\t", "\n": ""}.get(found[1], found[1]), text[1:-1])


def _about(made: ToolCall) -> str:
    """A tool by its own name, with the number of what it was called for, else its title."""
    number = _number(made, "pull_number", "pullNumber", "issue_number")
    return f"{made.tool.rpartition('__')[2]} {f'#{number}' if number else made.text('title')[:_TITLE]}".strip()


def _told(purpose: Purpose, made: ToolCall) -> list[list[str]]:
    match purpose:
        case "todos":
            todos = made.given.get("todos")
            return _todos(todos if todos is not None else made.given.get("plan"))
        case "task_create":
            return [[made.text("subject")]]
        case "task_update":
            status = made.text("status")
            return [[_number(made, "taskId", "task_id"), state_of(status) if status else "", made.text("subject")]]
        case "plan":
            return [[made.text("plan")]]
        case "question":
            return [[asked.id, asked.text] for asked in made.questions]
        case "poll":
            return [[_number(made, "session_id", "sessionId", "bash_id", "task_id")]]
        case _:
            return []


def _number(made: ToolCall, *names: str) -> str:
    """The first of these that is there, as a text."""
    return next((number for name in names if (number := as_id(made.given.get(name)))), "")


def _todos(items: Any) -> list[list[str]]:
    found = []
    for item in items if isinstance(items, list) else []:
        if isinstance(item, dict):
            texts = (item.get("content"), item.get("step"), item.get("description"), item.get("text"))
            text = next((text for text in texts if isinstance(text, str) and text), None)
            state = state_of(item.get("status"))
            if text and state != "gone":
                found.append([text, state])
    return found


def state_of(status: Any) -> str:
    """A host's word for a to-do's state, in ours: open, doing, done, gone."""
    return _STATES.get(status, "open") if isinstance(status, str) else "open"


def patch_failed(text: str) -> bool:
    """Whether a patch's result says that it was not applied, where the host gives no status."""
    return _FAILED.match(text[:200]) is not None
