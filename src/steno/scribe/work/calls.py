"""Tool calls: what one is about to do, from its name and its input, whatever the host calls things."""

import re
from functools import lru_cache
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct, field

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
    "todowrite": "todos",
    "writetodos": "todos",
    "updateplan": "todos",
    "taskcreate": "task_create",
    "taskupdate": "task_update",
    "tasklist": "task_list",
    "exitplanmode": "plan",
    "askuserquestion": "question",
    "requestuserinput": "question",
    "writestdin": "poll",
    "bashoutput": "poll",
    "taskoutput": "poll",
    "process": "poll",
}
_SHELLS: Final = frozenset(
    "bash shell localshell exec execcommand shellcommand runshellcommand runterminalcmd runcommand executecommand "
    "terminal powershell containerexec".split()
)
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
_STATES: Final = {"completed": "done", "complete": "done", "done": "done", "in_progress": "doing", "doing": "doing"}
# Codex's patches.
_BEGIN: Final = "*** Begin Patch"
_HEADER: Final = re.compile(r"^\*\*\* (Add File|Update File|Delete File|Move to): (.+?)\s*$", re.MULTILINE)
_ACTS: Final = {"Add File": "created", "Update File": "edited", "Delete File": "deleted"}
_FAILED: Final = re.compile(
    r"\s*(?:apply_patch verification failed|Failed to |Invalid patch|error:|patch rejected)", re.I
)
# Codex's scripts: strings as JavaScript writes them.
_SCRIPT: Final = 100_000
_STRING: Final = r"""("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)"""
_RUN: Final = re.compile(rf"\btools\.exec_command\(\{{[^{{}}]{{0,200}}?\bcmd\"?\s*:\s*{_STRING}", re.DOTALL)
_PATCH: Final = re.compile(rf"[=(]\s*(?:String\.raw)?(?=.\s*\*\*\* Begin Patch){_STRING}", re.DOTALL)
_ESCAPED: Final = re.compile(r"\\(.)", re.DOTALL)
_GONE: Final = ("deleted", "cancelled", "canceled", "removed")


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


class Input(Struct, rename={
    "file_path_2": "filePath", "task_id_2": "taskId", "session_2": "sessionId", "pull": "pull_number",
    "pull_2": "pullNumber", "issue": "issue_number",
}):  # fmt: skip
    """The wanted fields of all tools' inputs. `Any`: a model may write anything there."""

    file_path: Any = None
    file_path_2: Any = None
    path: Any = None
    notebook_path: Any = None
    relative_path: Any = None
    absolute_path: Any = None
    target_file: Any = None
    paths: Any = None
    command: Any = None
    cmd: Any = None
    workdir: Any = None
    patch: Any = None
    input: Any = None
    todos: Any = None
    plan: Any = None
    questions: Any = None
    subject: Any = None
    status: Any = None
    task_id: Any = None
    task_id_2: Any = None
    session_id: Any = None
    session_2: Any = None
    bash_id: Any = None
    pull: Any = None
    pull_2: Any = None
    issue: Any = None
    title: Any = None


_decode = msgspec.json.Decoder(Input).decode


def read_call(turn: JournalTurn) -> OpenCall | None:
    """What a call is about to do; None for a call of no interest to the trail."""
    tool, text = (turn.turn.tool or "")[:200], turn.turn.text
    call = OpenCall(tool=tool, turn=turn.id, line=turn.turn.line)
    name = _plain(tool)
    purpose, act = _PURPOSES.get(name, ""), _act_of(tool)
    if name == "applypatch":
        given = _input(text)
        call.files = _files(files_of(_text(given.patch) or _text(given.input) or text))
    elif name in _SHELLS:
        _shell(call, text)
    elif kind := outward(tool):
        call.purpose, call.told = "outward", [[kind, _about(tool, _input(text))]]
    elif purpose:
        call.purpose = purpose
        call.told = [[part[:_TEXT] for part in told] for told in _told(purpose, _input(text))[:_TOLD]]
    elif act:
        given = _input(text)
        if act == "by command":
            act = _EDITOR.get(_text(given.command), "")
        call.files = _files([act, path] for path in _paths(given) if act)
    return call if call.files or call.command or call.purpose else None


@lru_cache(maxsize=512)
def changed(turn: JournalTurn) -> list[str]:
    """The files a call writes, edits or deletes."""
    call = read_call(turn) if turn.turn.kind == "call" else None
    return [path for act, path in call.files if act != "read"] if call else []


def _plain(tool: str) -> str:
    return re.sub(r"[^a-z]", "", tool.rpartition("__")[2].lower())


@lru_cache(maxsize=512)
def _act_of(tool: str) -> str | None:
    """The act in a tool's name, if it works on a file."""
    words = [word.lower() for word in _WORDS.findall(tool.rpartition("__")[2])]
    if words[:2] == ["str", "replace"]:
        return "by command"
    if not words or not _NO_FILE.isdisjoint(words) or (words[0] == "get" and not {"file", "files"} & {*words}):
        return None
    return next((_VERBS[word] for word in words if word in _VERBS), None)


def _input(text: str) -> Input:
    try:
        return _decode(text)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return Input()


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _paths(given: Input) -> list[str]:
    single = (
        given.file_path, given.file_path_2, given.notebook_path, given.path, given.absolute_path, given.target_file,
        given.relative_path,
    )  # fmt: skip
    if found := next((path for path in single if isinstance(path, str) and path), None):
        return [found]
    return [path for path in given.paths if isinstance(path, str) and path] if isinstance(given.paths, list) else []


def _files(found: Any) -> list[list[str]]:
    return [[act, path] for act, path in found if 0 < len(path) <= _PATH_LENGTH][:_FILES]


def _shell(call: OpenCall, text: str) -> None:
    given = _input(text)
    command = given.command if given.command is not None else given.cmd
    if isinstance(command, list):
        parts = [part for part in command if isinstance(part, str)]
        command = parts[-1] if len(parts) == 3 and parts[1] in ("-lc", "-c") else " ".join(parts)
    if not isinstance(command, str) or not command.strip():
        command = "" if text.lstrip().startswith("{") else _scripted(text)
    call.command = command.strip()[:COMMAND_LENGTH] or None
    if _BEGIN in command and "apply_patch" in command:
        call.files = _files(files_of(command))
    elif call.command:
        call.files = _files(files_in(command.strip(), _text(given.workdir) or None))


def _scripted(text: str) -> str:
    """The commands and patches of a script in which Codex calls its tools; any other text is a command itself."""
    if "tools." not in text[:_SCRIPT]:
        return text
    run = [_literal(found) for found in _RUN.findall(text[:_SCRIPT])]
    patched = [f"apply_patch {_literal(found)}" for found in _PATCH.findall(text[:_SCRIPT])]
    return " && ".join([*run, *patched])


def _literal(text: str) -> str:
    """A string of a script without its marks."""
    return _ESCAPED.sub(lambda found: {"n": "\n", "t": "\t", "\n": ""}.get(found[1], found[1]), text[1:-1])


def _about(tool: str, given: Input) -> str:
    """A tool by its own name, with the number of what it was called for, else its title."""
    number = next((found for found in map(_number, (given.pull, given.pull_2, given.issue)) if found), "")
    return f"{tool.rpartition('__')[2]} {f'#{number}' if number else _text(given.title)[:_TITLE]}".strip()


def _told(purpose: Purpose, given: Input) -> list[list[str]]:
    match purpose:
        case "todos":
            return _todos(given.todos if given.todos is not None else given.plan)
        case "task_create":
            return [[_text(given.subject)]]
        case "task_update":
            status = _text(given.status)
            return [[_number(given.task_id_2) or _number(given.task_id), state_of(status) if status else "",
                     _text(given.subject)]]  # fmt: skip
        case "plan":
            return [[_text(given.plan)]]
        case "question":
            return _questions(given.questions)
        case "poll":
            found = (given.session_id, given.session_2, given.bash_id, given.task_id)
            return [[next((name for name in map(_number, found) if name), "")]]
        case _:
            return []


def _number(value: Any) -> str:
    return str(value)[:64] if isinstance(value, str | int) else ""


def _todos(items: Any) -> list[list[str]]:
    found = []
    for item in items if isinstance(items, list) else []:
        if isinstance(item, dict):
            texts = (item.get("content"), item.get("step"), item.get("description"), item.get("text"))
            text = next((text for text in texts if isinstance(text, str) and text), None)
            state = state_of(_text(item.get("status")))
            if text and state != "gone":
                found.append([text, state])
    return found


def state_of(status: str) -> str:
    """A host's word for a to-do's state, in ours: open, doing, done, gone."""
    return "gone" if status in _GONE else _STATES.get(status, "open")


def _questions(items: Any) -> list[list[str]]:
    return [
        [_number(item.get("id")), item["question"]]
        for item in (items if isinstance(items, list) else [])
        if isinstance(item, dict) and isinstance(item.get("question"), str) and item["question"]
    ]


def files_of(patch: str) -> list[list[str]]:
    """Acts and paths of a patch, in its order. A file that moves is deleted here and created there."""
    _, found, body = patch.partition(_BEGIN)
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


def patch_failed(text: str) -> bool:
    """Whether a patch's result says that it was not applied, where the host gives no status."""
    return _FAILED.match(text[:200]) is not None
