"""Claude Code: JSON lines under ~/.claude/projects. The format's facts and traps are in docs/sources.md."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Raw, Struct, structs

from steno.sources.base import FileSource
from steno.sources.claude_code_queue import PromptQueue
from steno.sources.claude_code_text import classify, refusal
from steno.sources.common import answered, project_of, text_of, text_or_none, time_of, total, window_of
from steno.sources.jsonlines import read_lines
from steno.sources.lines import as_json, value_of
from steno.vocabulary import Batch, Kind, Read, Role, Session, Transcript, Turn, Watermark

_USAGE: Final = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens")
# A prompt of one of these origins was typed by nobody.
_UNTYPED: Final = frozenset({"system", "loop_wakeup", "schedule_wakeup", "poll_event", "cron", "schedule"})
# Lines that give no turn on purpose. One of any other kind that gives none is strange.
_BOOKKEEPING: Final = frozenset(
    "user system attachment queue-operation summary progress file-history-snapshot last-prompt mode permission-mode"
    " api-request api-request-shape api-request-blob cost-state tools-used atis-latch custom-title ai-title"
    " agent-name agent-setting pr-link tag worktree-state".split()
)
_MARKS: Final = re.compile(rb'"(?:sessionId|leafUuid|parentUuid|isSidechain)"\s*:')
_QUESTION_TOOL: Final = "AskUserQuestion"
# Added to a block's number for the answer inside it: more than a message has blocks.
_ANSWER: Final = 1000


class ClaudeCode(FileSource):
    """The source `claude-code`."""

    name = "claude-code"

    def places(self, environment: Mapping[str, str]) -> list[Path]:
        home = environment.get("CLAUDE_CONFIG_DIR") or f"{environment.get('HOME', '~')}/.claude"
        return [Path(home).expanduser() / "projects"]

    def recognises(self, path: str, head: bytes) -> bool:
        if not path.endswith(".jsonl") or not _MARKS.search(head):
            return False
        *lines, rest = head.split(b"\n")
        # A first line longer than what we see of it is taken by its marks, which stand early.
        return any(map(_is_line, lines)) if lines else _is_line(rest) or not rest.rstrip().endswith(b"}")

    def read(self, transcript: Transcript, watermark: Watermark) -> Iterator[Batch]:
        stem = Path(transcript.path).stem
        return read_lines(transcript.path, watermark, lambda state: ClaudeCodeLines(stem, state))


class Marks(Struct, rename="camel"):
    """What a line of ours is known by: its type, and one of the others."""

    type: str = ""
    session_id: Any = None
    leaf_uuid: Any = None
    parent_uuid: Any = None
    is_sidechain: Any = None


def _is_line(line: bytes) -> bool:
    """Whether a line is one of Claude Code's, and not another host's that holds the same names somewhere inside."""
    try:
        marks = msgspec.json.decode(line, type=Marks)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return False
    known = marks.type == "assistant" or marks.type in _BOOKKEEPING
    return known and any(value is not None for value in structs.astuple(marks)[1:])


class Line(Struct, rename="camel"):
    """The wanted fields of a line. `Any`: a host that changes a type must not cost us the line."""

    type: Any = None
    uuid: Any = None
    session_id: Any = None
    timestamp: Any = None
    cwd: Any = None
    git_branch: Any = None
    agent_id: Any = None
    is_sidechain: Any = None
    is_meta: Any = None
    is_compact_summary: Any = None
    is_api_error_message: Any = None
    message: Any = None
    subtype: Any = None
    compact_metadata: Any = None
    operation: Any = None
    content: Any = None
    prompt_source: Any = None
    turn_origin: Any = None
    origin: Any = None
    # Large and seldom wanted: left undecoded.
    attachment: Raw = Raw()
    tool_use_result: Raw = Raw()
    permission_decision: Any = None


# What the host itself notes about a call a person refused, beside the words meant for the model. Of a call that
# failed it notes `Error: ` and what the tool gave back.
_REJECTED: Final = "User rejected tool use"
# The host's own tools. Before their errors the host puts words of its own, so no error of theirs can start like a
# refusal; any other tool's can.
_OWN_TOOLS: Final = frozenset(
    "Agent AskUserQuestion Bash BashOutput Edit EnterPlanMode ExitPlanMode Glob Grep KillShell LS MultiEdit"
    " NotebookEdit NotebookRead PowerShell Read Skill SlashCommand Task TodoWrite WebFetch WebSearch Write".split()
)


def _refused_by_a_person(line: "Line", block: dict[str, Any], text: str, tool: str | None) -> bool:
    """Whether the host says that a call was refused: a tool that fails can give back the same words.

    A refusal with a person's words is noted as a failure is. There only the host's own tools are believed, unless it
    notes who decided.
    """
    decision = line.permission_decision if isinstance(line.permission_decision, dict) else {}
    # `config`: a hook wanted a person to be asked, and there was nobody.
    nobody = decision.get("decision") == "accept" or decision.get("source") in ("config", "hook")
    if block.get("is_error") is not True or nobody:
        return False
    noted, believed = value_of(line.tool_use_result), tool in _OWN_TOOLS or decision.get("source") == "user_reject"
    return noted == _REJECTED or (believed and noted == f"Error: {text}")


class ClaudeCodeLines:
    """Makes turns of the lines of one file."""

    shape = Line
    bookkeeping = _BOOKKEEPING
    gaps = 0

    def __init__(self, stem: str, state: dict[str, Any]) -> None:
        self._stem = stem
        self._queue = PromptQueue(state.get("queue"))
        # Whether a prompt was seen: the first one says whether anybody sat there.
        self._prompted: bool = state.get("prompted", False)
        # Names of tools whose result has not come yet, by call.
        self._open_calls: dict[str, str] = state.get("open_calls", {})
        # Where the session stands; some lines do not say.
        self._directory: str | None = state.get("directory")
        self._sessions: dict[str, Session] = {}

    @property
    def sessions(self) -> list[Session]:
        return list(self._sessions.values())

    @property
    def state(self) -> dict[str, Any]:
        state = {"queue": self._queue.state, "open_calls": self._open_calls, "prompted": self._prompted}
        return {**state, "directory": self._directory}

    def turns(self, line: Line, number: int) -> list[Read] | None:
        self._directory = text_or_none(line.cwd) or self._directory
        if branch := text_or_none(line.git_branch):
            # The last one counts: it is switched while the session goes on.
            session = self._session(line)
            self._sessions[session.session] = structs.replace(session, branch=branch)
        match line.type:
            case "assistant":
                return self._assistant(line, number)
            case "user":
                return self._user(line, number)
            case "system":
                return self._system(line, number)
            case "queue-operation":
                return self._queue_operation(line, number)
            case "attachment":
                return self._attachment(line, number)
        return None

    def _user(self, line: Line, number: int) -> list[Read] | None:
        content = line.message.get("content") if isinstance(line.message, dict) else None
        if line.is_compact_summary:
            return [self._read(line, number, 0, "system", "summary", text_of(content))]
        if line.is_meta or content is None:
            return None
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        blocks = blocks if isinstance(blocks, list) else []
        results = sum(isinstance(block, dict) and block.get("type") == "tool_result" for block in blocks)
        found = []
        for index, block in enumerate(blocks):
            if isinstance(block, dict) and block.get("type") == "tool_result":
                found += self._result(line, number, index, block, alone=results == 1)
            elif text := text_of([block] if not isinstance(block, dict) or block.get("type") == "text" else ""):
                found += self._words(line, number, index, text, typed=not results)
        return found or None

    def _words(self, line: Line, number: int, index: int, text: str, *, typed: bool) -> list[Read]:
        """A text in a user line: a person's, another agent's, or the program's. Nobody types beside a tool's result."""
        said = classify(text)
        if said is None or (said[0] == "user" and not typed):
            return []
        role, kind, words = said
        if role != "user":
            return [self._read(line, number, index, role, kind, words, tool="bash" if role == "tool" else None)]
        if line.is_sidechain:
            kind = "delegated"
        elif self._untyped(line):
            kind = "scheduled"
            self._nobody_there(line)
        self._prompted = True
        earlier = self._queue.delivered(words) if kind == "said" else []
        return [*earlier, self._read(line, number, index, role, kind, words)]

    def _nobody_there(self, line: Line) -> None:
        """A session whose first prompt nobody typed is a scheduled one."""
        session = self._session(line)
        if not self._prompted:
            self._sessions[session.session] = structs.replace(session, kind="scheduled")

    def _result(self, line: Line, number: int, index: int, block: dict[str, Any], *, alone: bool) -> list[Read]:
        call = text_or_none(block.get("tool_use_id"))
        tool = self._open_calls.pop(call, None) if call else None
        text = text_of(block.get("content"))
        # What the host notes is about the line: with several results in it, about none of them surely.
        refused = refusal(text) if alone and _refused_by_a_person(line, block, text, tool) else None
        role, kind, words = refused or ("tool", "result", text)
        failed = bool(block.get("is_error"))
        found = [self._read(line, number, index, role, kind, words, tool=tool, call=call, failed=failed)]
        # The result is the block's turn; the person's answer inside it is a turn of its own. What a dialog somebody
        # left prints of it is not taken: an agent's question could pose as an answer there.
        is_answered = alone and tool == _QUESTION_TOOL and role == "tool" and kind != "denied"
        if is_answered and (answers := answered(_answers(value_of(line.tool_use_result)))):
            found.append(self._read(line, number, index + _ANSWER, "user", "answer", answers, tool=tool, call=call))
        return found

    def _assistant(self, line: Line, number: int) -> list[Read] | None:
        message = line.message if isinstance(line.message, dict) else {}
        blocks = message.get("content")
        if isinstance(blocks, str):
            blocks = [{"type": "text", "text": blocks}]
        if not isinstance(blocks, list):
            return None
        model = text_or_none(message.get("model"))
        if line.is_api_error_message or model == "<synthetic>":
            text = text_of(blocks)
            return [self._read(line, number, 0, "system", "notice", text)] if text else None
        used = total(message.get("usage"), _USAGE)
        session = self._session(line)
        if model is not None and session.model != model:
            self._sessions[session.session] = structs.replace(
                session, model=model, context_window=window_of(model, used)
            )
        found = []
        for index, block in enumerate(blocks):
            if isinstance(block, dict) and (read := self._said(line, number, index, block, used)):
                found.append(read)
        return found or None

    def _said(self, line: Line, number: int, index: int, block: dict[str, Any], used: int | None) -> Read | None:
        """One block of an assistant's message."""
        match block.get("type"):
            case "text" if text := text_or_none(block.get("text")):
                return self._read(line, number, index, "assistant", "said", text, context_tokens=used)
            case "thinking" if text := text_or_none(block.get("thinking")):
                return self._read(line, number, index, "assistant", "thinking", text, context_tokens=used)
            case "tool_use" | "server_tool_use":
                call, tool = text_or_none(block.get("id")), text_or_none(block.get("name"))
                if call and tool:
                    self._open_calls[call] = tool
                text = as_json(block.get("input"))
                return self._read(
                    line, number, index, "assistant", "call", text, tool=tool, call=call, context_tokens=used
                )
        return None

    def _system(self, line: Line, number: int) -> list[Read] | None:
        text = line.content if isinstance(line.content, str) else ""
        if line.subtype == "compact_boundary":
            metadata = line.compact_metadata if isinstance(line.compact_metadata, dict) else {}
            used = total(metadata, ["postTokens"])
            return [self._read(line, number, 0, "system", "boundary", text, context_tokens=used)]
        if line.subtype == "local_command" and (said := classify(text)) and said[:2] == ("user", "command"):
            return [self._read(line, number, 0, *said)]
        return None

    def _queue_operation(self, line: Line, number: int) -> list[Read] | None:
        """Prompts typed while the agent works: sometimes the only place where a person's words stand."""
        text = line.content if isinstance(line.content, str) else ""
        session = self._session(line).session
        if line.operation == "enqueue":
            said = classify(text)
            stamp = line.timestamp if isinstance(line.timestamp, str) else number
            if said and said[1] == "notice" and text.startswith("<task-notification>"):
                # That something ended may stand here only; what came of it the agent tells.
                ended = text.partition("<result>")[0]
                turn = Turn(role=said[0], kind=said[1], text=ended, at=time_of(line.timestamp), line=number)
                # Several may end at once.
                task = ended.partition("<task-id>")[2].partition("<")[0][:100]
                return [Read(session, turn, f"{session}/ended/{stamp}/{task}", directory=self._directory)]
            if said is None or said[0] != "user" or text.startswith("/"):
                return None
            turn = Turn(role="user", kind="queued", text=said[2], at=time_of(line.timestamp), line=number)
            self._queue.typed(Read(session, turn, f"{session}/queued/{stamp}", directory=self._directory))
            return []
        return self._queue.operation(str(line.operation), text)

    def _attachment(self, line: Line, number: int) -> list[Read] | None:
        """Attachments are the program's own context (ours too, by hook) but for one: a queued prompt on its way in."""
        if isinstance(line.attachment, Raw) and b'"queued_command"' not in bytes(line.attachment)[:4096]:
            return None
        attachment = value_of(line.attachment)
        if not isinstance(attachment, dict) or attachment.get("type") != "queued_command":
            return None
        text = text_of(attachment.get("prompt"))
        origin = attachment.get("origin")
        by_program = isinstance(origin, dict) and origin.get("kind") not in (None, "human")
        said = classify(text)
        if attachment.get("commandMode") == "task-notification" or not said or said[0] != "user":
            return None
        # What the program queued itself leaves the queue, too, and was said by nobody.
        queued = self._queue.attached(said[2], self._read(line, number, 0, "user", "queued", said[2]))
        return None if by_program else queued

    def _untyped(self, line: Line) -> bool:
        origin = line.origin.get("kind") if isinstance(line.origin, dict) else line.origin
        if isinstance(origin, str) and origin not in ("human", "user", "sdk"):
            return True
        return line.turn_origin in _UNTYPED or line.prompt_source in _UNTYPED

    def _session(self, line: Line) -> Session:
        """The session a line belongs to. A subagent's lines carry its parent's id and its own."""
        main = text_or_none(line.session_id) or self._stem
        name = main
        if line.is_sidechain:
            agent = text_or_none(line.agent_id)
            name = f"agent-{agent}" if agent else f"{main}/sidechain"
        session = self._sessions.get(name)
        if session is None:
            session = self._sessions[name] = _new_session(name, main, line)
        elif session.directory is None and line.cwd:
            # A session without a screen begins with lines that name no directory.
            new = _new_session(name, main, line)
            where = {"directory": new.directory, "project": new.project, "branch": new.branch}
            session = self._sessions[name] = structs.replace(session, **where)
        return session

    def _read(self, line: Line, number: int, block: int, role: Role, kind: Kind, text: str, **facts: Any) -> Read:
        uuid, at = text_or_none(line.uuid), time_of(line.timestamp)
        turn = Turn(role=role, kind=kind, text=text, at=at, line=number, native_id=uuid, **facts)
        return Read(self._session(line).session, turn, uuid, block, self._directory)


def _new_session(name: str, main: str, line: Line) -> Session:
    directory = text_or_none(line.cwd)
    return Session(
        source=ClaudeCode.name,
        session=name,
        kind="subagent" if line.is_sidechain else "main",
        parent=main if line.is_sidechain else None,
        agent="claude-code",
        directory=directory,
        project=project_of(directory) if directory else None,
        branch=text_or_none(line.git_branch),
    )


def _answers(result: Any) -> Iterator[tuple[str, str]]:
    """Questions of a dialog, each with what the person chose or typed, and what they noted beside it."""
    told = result if isinstance(result, dict) else {}
    answers, notes = told.get("answers"), told.get("annotations")
    for question, answer in answers.items() if isinstance(answers, dict) else ():
        beside = notes.get(question) if isinstance(notes, dict) else None
        words = [text_of(answer), text_of(beside.get("notes")) if isinstance(beside, dict) else ""]
        yield question, "\n".join(words).strip()
