"""Tool calls: what one is about to do, from its name and its input, whatever the host calls things."""

import re
from functools import lru_cache
from itertools import islice
from typing import Any, Final, Literal

from msgspec import DecodeError, Struct, convert, field
from msgspec.json import decode, encode

from steno.language.tool_call import BEGIN_PATCH, ToolCall, as_id, patched, read
from steno.scribe.work.forge import is_about_request
from steno.scribe.work.results import outward
from steno.scribe.work.shell import COMMAND_LENGTH, TOLD, files_in
from steno.vocabulary import JournalTurn

Purpose = Literal["", "todos", "task_create", "task_update", "task_list", "plan", "question", "poll", "outward", "run"]

# Linux allows 4096 bytes; what is longer is no path.
_PATH_LENGTH: Final = 4096
_FILES: Final = 1000
_TOLD: Final = 100
_TEXT, _TITLE = 2000, 80
_PURPOSES: Final[dict[str, Purpose]] = {
    tool: convert(purpose, Purpose) for purpose, tools in TOLD["purposes"].items() for tool in tools.split()
}
_WORDS: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_NO_FILE: Final = frozenset(TOLD["acts"]["none"].split())
# Which act a verb in a tool's name is. `written`: created or edited, the result or the past tells.
_VERBS: Final = {verb: act for act in ("read", "edited", "written", "deleted") for verb in TOLD["acts"][act].split()}
_EDITOR: Final = {"view": "read", "create": "written", "str_replace": "edited", "insert": "edited"}
_STATES: Final = {word: state for state, words in TOLD["states"].items() for word in words.split()}
_FAILED: Final = re.compile(
    r"\s*(?:apply_patch verification failed|Failed to |Invalid patch|error:|patch rejected)", re.I
)
# Codex's scripts: strings as JavaScript writes them.
_SCRIPT: Final = 100_000
_STRING: Final = r"""("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)"""
_CALLED: Final = re.compile(r"\btools\.(\w{1,120})\(\s{0,40}(?=\{)")
_PIECE: Final = re.compile(
    rf"(?P<text>{_STRING})|(?P<name>[A-Za-z_$][\w.$]{{0,80}})(?=\s{{0,9}}:)|(?P<word>[A-Za-z_$][\w.$]{{0,80}})"
    r"|(?P<begin>[{\[(])|(?P<end>[}\])])|(?P<broken>[\"'`])|.", re.DOTALL
)  # fmt: skip
_PATCH: Final = re.compile(r"[=(]\s{0,40}(?:String\.raw)?(?=.\s{0,40}\*\*\* Begin Patch)")
_QUOTED: Final = re.compile(_STRING, re.DOTALL)
# So many calls and patches of a script are read, and so many pieces of an object.
_MOST, _PIECES = 20, 5000
# Seconds Codex waits at least for what a process prints next; it ends earlier only with the process.
_WAITS: Final = 5
_ESCAPED: Final = re.compile(r"\\(u([0-9a-fA-F]{4})|.)", re.DOTALL)


class OpenCall(Struct, kw_only=True):
    """A call whose result has not come yet. Nothing but JSON values, for it is kept between readings."""

    tool: str
    turn: int
    line: int | None = None
    # Acts and paths: read, edited, written, created, deleted.
    files: list[list[str]] = field(default_factory=list)
    command: str | None = None
    # Where it runs, and what it is for, if the call says so.
    directory: str = ""
    what: str = ""
    purpose: Purpose = ""
    # What a tool of a server was given, of what is short.
    given: dict[str, Any] = field(default_factory=dict)
    # What the purpose needs: to-dos with state, a task's number and change, questions with id, a process.
    told: list[list[str]] = field(default_factory=list)


def read_call(turn: JournalTurn) -> OpenCall | None:
    """What a call is about to do; None for a call of no interest to the trail."""
    tool, text = (turn.turn.tool or "")[:200], turn.turn.text
    call = OpenCall(tool=tool, turn=turn.id, line=turn.turn.line)
    made = read(tool, text)
    if made.name == "exec" and made.given.keys() == {"input"}:
        made = _scripted(text[:_SCRIPT])
        call.tool = tool = made.tool
    purpose = _PURPOSES.get(made.name, "")
    if made.name == "applypatch":
        call.files = _files(patched(made.text("patch") or made.text("input")))
    elif made.is_shell:
        _shell(call, made)
    elif (kind := outward(tool)) or is_about_request(tool):
        call.purpose, call.told = "outward", [[kind or "", _about(made)]]
        call.given = {
            name: value for name, value in made.given.items() if isinstance(value, str | int) and len(str(value)) < 200
        }
    elif purpose:
        call.purpose = purpose
        call.told = [[part[:_TEXT] for part in told] for told in _told(purpose, made)[:_TOLD]]
    elif act := act_of(made):
        call.files = _files([act, path] for path in made.paths)
    return call if call.files or call.command or call.purpose else None


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


def _shell(call: OpenCall, made: ToolCall) -> None:
    command = (made.command or made.text("input")).strip()
    call.command = command[: COMMAND_LENGTH * 4] or None
    call.what = made.text("description")[:_TITLE]
    call.directory = made.text("workdir") or made.text("cwd")
    if BEGIN_PATCH in command and "apply_patch" in command:
        call.files = _files(patched(command))
    elif command:
        call.files = _files(files_in(command, call.directory or None))


def _scripted(script: str) -> ToolCall:
    """What a script of Codex calls: its commands and patches as one command, else the first tool."""
    calls = [ToolCall(one[1], _object(script, one.end())) for one in islice(_CALLED.finditer(script), _MOST)]
    shells = [call for call in calls if call.is_shell]
    patches = [_QUOTED.match(script, one.end()) for one in islice(_PATCH.finditer(script), _MOST)]
    commands = [call.command for call in shells] + [f"apply_patch {_literal(one[0])}" for one in patches if one]
    if not commands:
        return calls[0] if calls else ToolCall("", {})
    where = {"workdir": shells[0].text("workdir")} if shells else {}
    return ToolCall("exec", {"command": " && ".join(commands), **where})


def _object(script: str, begin: int) -> dict[str, Any]:
    """An object of a script. What is computed there is null; one that cannot be read is empty."""
    made, depth = list[str](), 0
    for piece in islice(_PIECE.finditer(script, begin), _PIECES):
        match piece.lastgroup:
            case "text":
                made.append(encode(_literal(piece[0])).decode())
            case "name":
                made.append(f'"{piece[0]}"')
            case "word":
                made.append(piece[0] if piece[0] in ("true", "false", "null") else "null")
            case "broken":
                return {}
            case kind:
                made.append(piece[0])
                depth += (kind == "begin") - (kind == "end")
        if not depth:
            break
    try:
        return decode("".join(made), type=dict[str, Any])
    except (DecodeError, RecursionError):
        return {}


def _literal(text: str) -> str:
    """A string of a script without its marks."""
    return _ESCAPED.sub(
        lambda found: chr(int(found[2], 16)) if found[2] else {"n": "\n", "t": "\t", "\n": ""}.get(found[1], found[1]),
        text[1:-1],
    )


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
            return [[asked.id, asked.text, *asked.options] for asked in made.questions]
        case "poll":
            waited, typed = made.given.get("yield_time_ms"), made.given.get("chars")
            longest = max(_WAITS, waited / 1000) if isinstance(waited, int) and typed == "" else ""
            which = _number(made, "session_id", "sessionId", "bash_id", "shell_id", "task_id", "id", "agent_id")
            return [[which, "stops" if typed == "\x03" else str(longest)]]
        case "run":
            what = next(
                (
                    text
                    for name in ("description", "command", "label", "message", "task", "prompt")
                    if (text := made.text(name))
                ),
                "",
            )
            looks = made.text("subagent_type").lower() in ("explore", "plan")
            return [[made.name, what, "" if looks else "works"]]
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
