"""Makes turns of pi's events. OpenClaw writes the same, and more (openclaw_events.py)."""

import re
from collections.abc import Iterator
from typing import Any, ClassVar, Final

import msgspec
from msgspec import Struct, structs

from steno.sources.common import answered, project_of, text_of, text_or_none, time_of, total, whole_number, window_of
from steno.sources.lines import as_json
from steno.sources.wrappers import own_words
from steno.vocabulary import Kind, Read, Role, Session, Turn

_USAGE: Final = ("input", "output", "cacheRead", "cacheWrite")
_EXIT: Final = re.compile(r"Command exited with code (\d{1,9})\s*\Z")
# A skill the person called by its name; the host puts the skill itself into the prompt.
_SKILL: Final = re.compile(r'<skill name="([\w.-]{1,100})" location="')
# Number of the block for what a message says besides its content.
_BESIDE: Final = 1000
# Tools of extensions that put a question to the person; their result keeps question and answer as fields.
_QUESTION_TOOLS: Final = ("ask_user_question", "question", "questionnaire")


class Event(Struct, rename="camel"):
    """The wanted fields of an event. `Any`: a host that changes a type must not cost us the line."""

    type: Any = None
    id: Any = None
    timestamp: Any = None
    message: Any = None
    # Of the head of a session.
    cwd: Any = None
    model_id: Any = None
    branched_from: Any = None
    parent_session: Any = None
    # Of compactions, branches and plugins.
    summary: Any = None
    content: Any = None


class PiEvents:
    """Makes turns of the events of one session."""

    source: ClassVar = "pi"
    shape = Event
    bookkeeping = frozenset(
        "session session_info model_change thinking_level_change custom custom_message label branch_summary".split()
    )
    gaps = 0

    def __init__(self, name: str, agent: str, state: dict[str, Any]) -> None:
        known = state.get("session")
        self._session = (
            msgspec.convert(known, Session) if known else Session(source=self.source, session=name, agent=agent)
        )

    @property
    def sessions(self) -> list[Session]:
        return [self._session]

    @property
    def state(self) -> dict[str, Any]:
        return {"session": {name: value for name, value in structs.asdict(self._session).items() if value is not None}}

    def turns(self, event: Event, number: int) -> list[Read] | None:
        match event.type:
            case "message" if isinstance(event.message, dict):
                return self._message(event, event.message, number)
            case "session":
                self._head(event)
                return []
            case "model_change":
                self._model(text_or_none(event.model_id))
                return []
            case "compaction":
                found = [self._read(event, number, 0, "system", "boundary", "")]
                if text := text_or_none(event.summary):
                    found.append(self._read(event, number, 1, "system", "summary", text))
                return found
            case "reset":
                return [self._read(event, number, 0, "system", "boundary", "")]
            case "branch_summary" if text := text_or_none(event.summary):
                return [self._read(event, number, 0, "system", "summary", text)]
            case "custom_message" if text := text_of(event.content):
                return [self._read(event, number, 0, "system", "notice", text)]
        return None

    def _head(self, event: Event) -> None:
        session, name, directory = self._session, text_or_none(event.id), text_or_none(event.cwd)
        if name and name != session.session:
            session = self._named(name)
        branched = text_or_none(event.branched_from) or text_or_none(event.parent_session)
        if branched and session.parent is None:
            session = structs.replace(session, parent=_session_in(branched))
        if directory:
            session = structs.replace(session, directory=directory, project=project_of(directory))
        self._session = session
        self._model(text_or_none(event.model_id))

    def _named(self, name: str) -> Session:
        """The session, now that its head tells its id."""
        return structs.replace(self._session, session=name)

    def _model(self, model: str | None, used: int | None = None) -> None:
        if model is not None and model != self._session.model:
            self._session = structs.replace(self._session, model=model, context_window=window_of(model, used))

    def _message(self, event: Event, message: dict[str, Any], number: int) -> list[Read] | None:
        match message.get("role"):
            case "user":
                return self._user(event, message, number)
            case "assistant":
                return self._assistant(event, message, number)
            case "toolResult":
                return [self._result(event, message, number), *self._answer(event, message, number)]
            case "bashExecution":
                return self._shell(event, message, number)
        return None

    def _user(self, event: Event, message: dict[str, Any], number: int) -> list[Read] | None:
        text = text_of(message.get("content"))
        if (words := own_words(text)).strip():
            return [self._read(event, number, 0, "user", "said", words)]
        skill = _SKILL.match(text)
        return [self._read(event, number, 0, "user", "command", f"/skill:{skill[1]}")] if skill else None

    def _assistant(self, event: Event, message: dict[str, Any], number: int) -> list[Read] | None:
        content = message.get("content")
        blocks = content if isinstance(content, list) else [{"type": "text", "text": content}]
        usage = message.get("usage")
        used = total(usage, ["totalTokens"]) or total(usage, _USAGE)
        self._model(text_or_none(message.get("model")), used)
        found = []
        for index, block in enumerate(blocks):
            if isinstance(block, dict) and (read := self._said(event, number, index, block, used or None)):
                found.append(read)
        if message.get("stopReason") in ("aborted", "error"):
            kind: Kind = "interrupted" if message["stopReason"] == "aborted" else "notice"
            text = text_or_none(message.get("errorMessage")) or str(message["stopReason"])
            found.append(self._read(event, number, _BESIDE, "system", kind, text))
        return found or None

    def _said(self, event: Event, number: int, index: int, block: dict[str, Any], used: int | None) -> Read | None:
        """One block of an assistant's message."""
        match block.get("type"):
            case "text" if text := text_or_none(block.get("text")):
                return self._read(event, number, index, "assistant", "said", text, context_tokens=used)
            case "thinking" if text := text_or_none(block.get("thinking")):
                return self._read(event, number, index, "assistant", "thinking", text, context_tokens=used)
            case "toolCall":
                return self._read(
                    event, number, index, "assistant", "call", as_json(block.get("arguments")), context_tokens=used,
                    tool=text_or_none(block.get("name")), call=text_or_none(block.get("id")),
                )  # fmt: skip
        return None

    def _result(self, event: Event, message: dict[str, Any], number: int) -> Read:
        text, details = text_of(message.get("content")), message.get("details")
        status = whole_number(details.get("exitCode")) if isinstance(details, dict) else None
        failed = message.get("isError")
        return self._read(
            event, number, 0, "tool", self._ended(message), text,
            tool=text_or_none(message.get("toolName")),
            call=text_or_none(message.get("toolCallId")),
            failed=failed if isinstance(failed, bool) else None,
            exit_status=_exit_status(text) if status is None and failed else status,
        )  # fmt: skip

    def _answer(self, event: Event, message: dict[str, Any], number: int) -> list[Read]:
        """What the person answered, below the question, which stands there as a quotation: a turn of its own."""
        details, tool = message.get("details"), text_or_none(message.get("toolName"))
        if tool not in _QUESTION_TOOLS or not isinstance(details, dict) or details.get("cancelled") is True:
            return []
        text, call = answered(_answered(details)), text_or_none(message.get("toolCallId"))
        return [self._read(event, number, _BESIDE, "user", "answer", text, tool=tool, call=call)] if text else []

    def _ended(self, message: dict[str, Any]) -> Kind:
        """What a tool's result is. Pi asks nobody before it runs a tool."""
        return "result"

    def _shell(self, event: Event, message: dict[str, Any], number: int) -> list[Read]:
        """A command the person ran themselves."""
        status = whole_number(message.get("exitCode"))
        command, output = text_of(message.get("command")), text_of(message.get("output"))
        return [
            self._read(event, number, 0, "user", "command", command),
            self._read(
                event, number, 1, "tool", "result", output, tool="bash", exit_status=status,
                failed=None if status is None else status != 0,
            ),
        ]  # fmt: skip

    def _read(
        self, event: Event, number: int, block: int, role: Role, kind: Kind, text: str, **facts: Any
    ) -> Read:  # fmt: skip
        session, native_id = self._session.session, text_or_none(event.id)
        at = time_of(event.timestamp)
        turn = Turn(role=role, kind=kind, text=text, at=at, line=number, native_id=native_id, **facts)
        return Read(session, turn, f"{session}\0{native_id}" if native_id else None, block)


def _exit_status(text: str) -> int | None:
    """Exit status in the words of pi's shell tool, which writes it under the output of a failed command."""
    found = _EXIT.search(text[-80:])
    return int(found[1]) if found else None


def _session_in(path: str) -> str:
    """The id in the name of a session's file: `<time>_<id>.jsonl` or `<id>.jsonl`."""
    return path.replace("\\", "/").rpartition("/")[2].partition(".jsonl")[0].rpartition("_")[2]


def _answered(details: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Questions with what was answered: one by itself, several each with its question, or joined by their names."""
    yield text_of(details.get("question")), text_of(details.get("answer")).strip()
    asked = {text_of(one.get("id")): text_of(one.get("prompt")) for one in _records(details.get("questions"))}
    for one in _records(details.get("answers")):
        question = text_of(one.get("question")) or asked.get(text_of(one.get("id")), "")
        yield question, (text_of(one.get("answer")) or text_of(one.get("label"))).strip()


def _records(value: Any) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
