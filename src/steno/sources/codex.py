"""Codex: JSON lines under ~/.codex/sessions, packed with zstd when cold. Facts and traps are in docs/sources.md.

What is said stands in a file twice: as the model's item and as the interface's event. Items are read, events are
their copies; only a person's words are taken from whichever comes first (see `_words`). A file may begin with a copy
of its parent's history; it is passed over, the parent's own file has it.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from msgspec import structs

from steno.language.tool_call import read
from steno.sources.base import FileSource
from steno.sources.codex_calls import OpenCalls
from steno.sources.codex_line import Line, Payload, payload_of
from steno.sources.codex_session import ThreadFacts
from steno.sources.codex_text import (
    NO_OUTCOME,
    Outcome,
    answers,
    event_words,
    human_words,
    is_hooks,
    other_fragment,
    refused_server,
)
from steno.sources.common import WORDS_IN, text_of, text_or_none, time_of, whole_number
from steno.sources.jsonlines import read_lines
from steno.sources.lines import as_json, value_of
from steno.vocabulary import Batch, Kind, Read, Role, Session, Transcript, Turn, Watermark

_MARK: Final = re.compile(rb'"type"\s*:\s*"(?:session_meta|turn_context|response_item|event_msg)"')
_NOT_OURS: Final = frozenset({"history.jsonl", "session_index.jsonl"})
_CALLS: Final = {
    "function_call": "arguments",
    "custom_tool_call": "input",
    "local_shell_call": "action",
    "web_search_call": "action",
    "tool_search_call": "arguments",
    "image_generation_call": "revised_prompt",
}
_RESULTS: Final = frozenset({"function_call_output", "custom_tool_call_output", "tool_search_output"})
_QUESTION_TOOL: Final = "request_user_input"
# Numbers of the blocks that share a call's id; the call itself is 0.
_RESULT, _ANSWER = 1, 2


class Codex(FileSource):
    """The source `codex`."""

    name = "codex"

    def places(self, environment: Mapping[str, str]) -> list[Path]:
        home = Path(environment.get("CODEX_HOME") or f"{environment.get('HOME', '~')}/.codex").expanduser()
        return [home / "sessions", home / "archived_sessions"]

    def recognises(self, path: str, head: bytes) -> bool:
        name = Path(path).name
        if name in _NOT_OURS or not name.endswith((".jsonl", ".jsonl.zst")):
            return False
        return name.startswith("rollout-") or (name.endswith(".jsonl") and _MARK.search(head) is not None)

    def read(self, transcript: Transcript, watermark: Watermark) -> Iterator[Batch]:
        name = Path(transcript.path).name
        return read_lines(transcript.path, watermark, lambda state: CodexLines(name, state))


class Here(NamedTuple):
    """The line being read."""

    line: Line
    payload: Payload
    number: int


class CodexLines:
    """Makes turns of the lines of one file."""

    shape = Line
    bookkeeping = frozenset({"session_meta", "turn_context", "event_msg", "response_item", "compacted", "world_state"})

    def __init__(self, name: str, state: dict[str, Any]) -> None:
        self._facts = ThreadFacts(name, state.get("thread"))
        self._calls = OpenCalls(state.get("calls"))
        # Questions that wait for a person, by call and by their names.
        self._asked: dict[str, dict[str, str]] = state.get("asked", {})
        # A person's messages told from items minus those told from events, since the assistant last did something.
        self._ahead: int = state.get("ahead", 0)
        # Tokens in the context, to be put on the next turn.
        self._used: int | None = state.get("used")
        self._ordinal: int | None = state.get("ordinal")
        self.gaps = 0

    @property
    def sessions(self) -> list[Session]:
        return [self._facts.session] if self._facts.session else []

    @property
    def state(self) -> dict[str, Any]:
        return {
            "thread": self._facts.state,
            "calls": self._calls.state,
            "asked": self._asked,
            "ahead": self._ahead,
            "used": self._used,
            "ordinal": self._ordinal,
        }

    def turns(self, line: Line, number: int) -> list[Read] | None:
        here = Here(line, payload_of(line), number)
        self._count(line.ordinal)
        kind = line.type if here.payload is not line else _bare_kind(line)
        if kind == "session_meta":
            return [] if self._facts.meta(here.payload) else None
        if self._facts.is_copied(line.ordinal, line.timestamp):
            return None
        match kind:
            case "response_item":
                return self._item(here)
            case "event_msg":
                return self._event(here)
            case "compacted":
                return self._compacted(here)
            case "turn_context":
                self._facts.context(here.payload)
                return []
        return None

    def _count(self, ordinal: Any) -> None:
        """Lines are numbered in newer files: a jump is a stretch that was lost."""
        if (number := whole_number(ordinal)) is None:
            return
        self.gaps += self._ordinal is not None and number > self._ordinal + 1
        self._ordinal = number

    def _item(self, here: Here) -> list[Read] | None:
        payload = here.payload
        match payload.type:
            case "message" | None:
                return self._message(here)
            case "reasoning":
                self._ahead = 0
                text = text_of(payload.summary) or text_of(payload.content)
                return [self._read(here, "assistant", "thinking", text)] if text else None
            case str(name) if name in _CALLS:
                self._ahead = 0
                return self._call(here, as_json(getattr(payload, _CALLS[name])))
            case str(name) if name in _RESULTS:
                return self._result(here)
            case "agent_message":
                return self._from_agent(here)
        return None

    def _message(self, here: Here) -> list[Read] | None:
        match here.payload.role:
            case "user":
                return self._user_item(here)
            case "assistant":
                self._ahead = 0
                return self._assistant(here)
        # `developer` and `system` are the program's, and hooks' (ours too).
        return None

    def _user_item(self, here: Here) -> list[Read] | None:
        content, passthrough = here.payload.content, here.payload.passthrough
        kinds = passthrough.get("content_item_kinds") if isinstance(passthrough, dict) else None
        if not is_hooks(kinds) and (special := other_fragment(text_of(content))):
            return [
                self._read(
                    here, role, kind, ran.text, block=block, tool="shell" if role == "tool" else None, outcome=ran
                )
                for block, (role, kind, ran) in enumerate(special)
            ]
        words = human_words(content, kinds)
        return self._words(here, words, step=1) if words else None

    def _words(self, here: Here, words: str, *, step: int) -> list[Read] | None:
        """A person's words, told by an item (+1) or an event (-1). Each pairs with one of the other, in either order.

        Counting instead of comparing: an event may lack what the item has (pictures, the editor's context), old files
        have items only, and what is kept between readings must not hold anybody's words.
        """
        told_already = self._ahead * step < 0
        self._ahead += step
        if told_already:
            return None
        return [self._read(here, "user", WORDS_IN[self._facts.here.kind], words)]

    def _from_agent(self, here: Here) -> list[Read] | None:
        """Words of another agent: a subagent's task, or a subagent's report to us."""
        if not (text := text_of(here.payload.content)):
            return None
        if self._facts.here.kind == "subagent":
            return [self._read(here, "user", "delegated", text)]
        return [self._read(here, "system", "notice", text)]

    def _assistant(self, here: Here) -> list[Read] | None:
        metadata, content = here.line.metadata, here.payload.content
        if isinstance(metadata, dict) and metadata.get("compaction_output"):
            # Nobody is spoken to: the same text follows as the summary.
            return None
        parts = content if isinstance(content, list) else [content]
        return [
            self._read(here, "assistant", "said", text, block=block)
            for block, part in enumerate(parts)
            if (text := text_of([part]))
        ] or None

    def _call(self, here: Here, text: str) -> list[Read]:
        payload = here.payload
        tool = text_or_none(payload.name) or payload.type.removesuffix("_call")
        if server := text_or_none(payload.namespace):
            # Not one of the host's own tools, whatever it is called.
            tool = f"{server}__{tool}"
        call = text_or_none(payload.call_id)
        self._calls.opened(call, tool)
        if call and tool == _QUESTION_TOOL:
            self._asked[call] = {one.id: one.text for one in read(tool, text).questions}
        return [self._read(here, "assistant", "call", text, tool=tool)]

    def _result(self, here: Here) -> list[Read]:
        call = text_or_none(here.payload.call_id)
        tool, result = self._calls.closed(call, here.payload.output)
        asked = self._asked.pop(call or "", {})
        kind: Kind = "denied" if result.refused else "result"
        found = [self._read(here, "tool", kind, result.text, block=_RESULT, tool=tool, outcome=result)]
        if tool == _QUESTION_TOOL and (words := answers(result.text, asked)):
            # The result is the tool's turn; the person's answer inside it is a turn of its own.
            found.append(self._read(here, "user", "answer", words, block=_ANSWER, tool=tool))
        return found

    def _event(self, here: Here) -> list[Read] | None:
        payload = here.payload
        match payload.type:
            case "user_message" if words := event_words(payload.message):
                return self._words(here, words, step=-1)
            case "item_completed" if isinstance(payload.item, dict):
                return self._completed(here, payload.item)
            case "turn_aborted" if payload.reason in (None, "interrupted"):
                return [self._read(here, "system", "interrupted", "interrupted")]
            case "exec_command_end" | "patch_apply_end" | "mcp_tool_call_end":
                refused = payload.type == "mcp_tool_call_end" and refused_server(value_of(payload.result))
                self._calls.ended(payload.call_id, payload.exit_code, payload.status, payload.success, refused=refused)
            case "task_started":
                self._facts.window(payload.model_context_window)
                return []
            case "token_count" if isinstance(payload.info, dict):
                usage = payload.info.get("last_token_usage")
                self._used = whole_number(usage.get("total_tokens")) if isinstance(usage, dict) else self._used
                self._facts.window(payload.info.get("model_context_window"))
                return []
        return None

    def _completed(self, here: Here, item: dict[str, Any]) -> list[Read] | None:
        """The newer form of events. A person's words count; what a tool did is a hint for its result."""
        if item.get("type") != "UserMessage":
            self._calls.ended(item.get("id"), item.get("exit_code"), item.get("status"), None)
            return None
        here = here._replace(payload=structs.replace(here.payload, id=item.get("id")))
        words = event_words(item.get("content"))
        return self._words(here, words, step=-1) if words else None

    def _compacted(self, here: Here) -> list[Read]:
        # What was counted before is void now.
        self._used = None
        self._ahead = 0
        found = [self._read(here, "system", "boundary", "")]
        if text := text_or_none(here.payload.message):
            found.append(self._read(here, "system", "summary", text, block=1))
        return found

    def _read(
        self, here: Here, role: Role, kind: Kind, text: str, *,
        block: int = 0, tool: str | None = None, outcome: Outcome = NO_OUTCOME,
    ) -> Read:  # fmt: skip
        session, line = self._facts.here.session, here.line
        call = text_or_none(here.payload.call_id)
        ordinal = whole_number(line.ordinal)
        place = None if ordinal is None else f"{session}:{ordinal}"
        native_id = text_or_none(here.payload.id) or call or place
        # A call and its result share an id that is in all forms of a file. The time tells them apart where a model
        # hands out `call_0` again and again.
        unique = f"{session}\0{call or native_id}\0{line.timestamp}" if native_id else None
        used, self._used = self._used, None
        turn = Turn(
            role=role,
            kind=kind,
            text=text,
            at=time_of(line.timestamp),
            line=here.number,
            native_id=native_id,
            tool=tool,
            call=call,
            failed=outcome.failed,
            exit_status=outcome.exit_status,
            context_tokens=used,
        )
        return Read(session, turn, unique, block, self._facts.directory)


def _bare_kind(line: Line) -> str | None:
    """What a line without envelope is, in files of the first versions."""
    if line.type is None:
        return "session_meta" if text_or_none(line.id) and line.role is None else None
    return "response_item"
