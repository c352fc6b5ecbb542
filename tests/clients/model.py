"""A stand-in model on loopback. It speaks the protocols of the real clients, answers as a test told it to, and keeps
all it was asked: what stands there is what an agent knew."""

import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, NamedTuple
from uuid import uuid4

import zstandard

# How the clients ask for a summary of their own context.
_WANTS_SUMMARY = ("your task is to create a detailed summary", "context checkpoint compaction")
# More than the context of any model the clients know holds.
FULL = 985_000
# A client tells these in the user's name; nobody typed them.
_NOT_TYPED = ("<system-reminder>", "<environment_context>", "<user_instructions>", "# AGENTS.md")
# The clients' shells, and what each calls the command; Claude Code's tool for delegating.
_SHELLS = {"Bash": "command", "exec_command": "cmd"}
_AGENT = "Agent"


class Say(NamedTuple):
    """The model answers in words."""

    text: str


class Run(NamedTuple):
    """The model calls the client's shell."""

    command: str


class Delegate(NamedTuple):
    """The model hands work to an agent of its own, where the client has a tool for that."""

    prompt: str


Step = Say | Run | Delegate


class Part(NamedTuple):
    """One thing in the context: who it is from, what it is (`text`, `call` or `result`), and its words."""

    role: str
    kind: str
    text: str


@dataclass(frozen=True)
class Asked:
    """One request of a client: everything its model was given."""

    parts: list[Part]
    tools: list[str]
    # The client wants a JSON object of this shape instead of words (a title for the session, for one).
    wants_json: bool = False

    @property
    def text(self) -> str:
        """The whole context."""
        return "\n".join(part.text for part in self.parts)

    @property
    def prompt_place(self) -> int:
        """Where the last words somebody typed stand; -1 if there are none."""
        typed = [
            place
            for place, part in enumerate(self.parts)
            if (part.role, part.kind) == ("user", "text") and not part.text.lstrip().startswith(_NOT_TYPED)
        ]
        return typed[-1] if typed else -1

    @property
    def prompt(self) -> str:
        """The last words somebody typed."""
        return self.parts[self.prompt_place].text if self.prompt_place >= 0 else ""

    @property
    def results(self) -> list[str]:
        """What tools answered since then."""
        return [part.text for part in self.parts[self.prompt_place + 1 :] if part.kind == "result"]

    @property
    def wants_summary(self) -> bool:
        """Whether the client compacts its context."""
        return any(words in self.prompt.casefold() for words in _WANTS_SUMMARY)


@dataclass
class Model:
    """The stand-in. Use it in a `with` statement."""

    summary: str = "The work went on."
    # What it says its context holds, so that a client finds it full.
    used_tokens: int = 1_000
    asked: list[Asked] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    _script: list[tuple[str, tuple[Step, ...]]] = field(default_factory=list)

    def when(self, words: str, *steps: Step) -> None:
        """On a prompt that holds these words do this, a step for each answer of a tool. The latest telling counts."""
        self._script.insert(0, (words.casefold(), steps))

    def reply(self, asked: Asked) -> Step:
        """What it does when it is asked."""
        if asked.wants_json:
            return Say('{"title": "A session", "isNewTopic": false}')
        if asked.wants_summary:
            return Say(self.summary)
        prompt = asked.prompt.casefold()
        steps = next((steps for words, steps in self._script if words in prompt), ())
        done = len(asked.results)
        return steps[done] if done < len(steps) else Say("Done.")

    @property
    def work(self) -> list[Asked]:
        """The requests that were about the work: no titles, no summaries."""
        return [asked for asked in self.asked if not asked.wants_json and not asked.wants_summary]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> "Model":
        self._server = _Server(self)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05})
        self._thread.start()
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, model: Model) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.model = model


class _Handler(BaseHTTPRequestHandler):
    """One request: read it, keep it, answer in the same protocol."""

    protocol_version = "HTTP/1.1"
    server: _Server

    def log_message(self, *_: Any) -> None:
        """The tests' output is not ours to write to."""

    def do_HEAD(self) -> None:
        self._send(b"")

    def do_GET(self) -> None:
        self._send(b'{"object": "list", "data": [], "models": []}')

    def do_CONNECT(self) -> None:
        self.server.model.problems.append(f"a way to {self.path}")
        self.send_error(403)

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        if self.headers.get("content-encoding") == "zstd":
            raw = zstandard.ZstdDecompressor().decompressobj().decompress(raw)
        path = self.path.partition("?")[0]
        body = json.loads(raw or b"{}")
        if path.endswith("/count_tokens"):
            self._send(json.dumps({"input_tokens": self.server.model.used_tokens}).encode())
        elif path.endswith("/messages"):
            self._answer(read_messages(body), body, messages_whole, messages_stream)
        elif path.endswith("/responses"):
            self._answer(read_responses(body), body, responses_whole, responses_stream)
        else:
            self.server.model.problems.append(f"POST {self.path}")
            self._send(b"{}")

    def _answer(self, asked: Asked, body: dict[str, Any], whole: Any, stream: Any) -> None:
        model = self.server.model
        model.asked.append(asked)
        answer = whole(model.reply(asked), asked, body.get("model"), model.used_tokens)
        if not body.get("stream"):
            return self._send(json.dumps(answer).encode())
        events = "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in stream(answer))
        return self._send(events.encode(), "text/event-stream")

    def _send(self, content: bytes, kind: str = "application/json") -> None:
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


# -- Anthropic Messages ------------------------------------------------------------------------------------------------


def read_messages(body: dict[str, Any]) -> Asked:
    """A request of the Messages protocol."""
    parts = [Part("system", "text", _text(body.get("system")))]
    for message in body["messages"]:
        content = message["content"]
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        for block in blocks:
            match block["type"]:
                case "text":
                    parts.append(Part(message["role"], "text", block["text"]))
                case "tool_use":
                    parts.append(Part(message["role"], "call", json.dumps(block["input"])))
                case "tool_result":
                    parts.append(Part("tool", "result", _text(block.get("content"))))
    tools = [tool["name"] for tool in body.get("tools", ()) if "name" in tool]
    return Asked(parts, tools, wants_json="format" in (body.get("output_config") or {}))


def messages_whole(step: Step, asked: Asked, model: str, used: int) -> dict[str, Any]:
    """The answer as one object."""
    if isinstance(step, Say):
        block: dict[str, Any] = {"type": "text", "text": step.text}
    else:
        name, given = _call(step, asked)
        block = {"type": "tool_use", "id": _id("toolu"), "name": name, "input": given}
    usage = {"input_tokens": used, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0, "output_tokens": 9}
    return {
        "id": _id("msg"), "type": "message", "role": "assistant", "model": model, "content": [block],
        "stop_reason": "end_turn" if isinstance(step, Say) else "tool_use", "stop_sequence": None,
        "usage": usage,
    }  # fmt: skip


def messages_stream(answer: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The same as events."""
    [block] = answer["content"]
    if block["type"] == "text":
        empty, delta = {**block, "text": ""}, {"type": "text_delta", "text": block["text"]}
    else:
        empty, delta = {**block, "input": {}}, {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
    yield {"type": "message_start", "message": {**answer, "content": [], "stop_reason": None}}
    yield {"type": "content_block_start", "index": 0, "content_block": empty}
    yield {"type": "content_block_delta", "index": 0, "delta": delta}
    yield {"type": "content_block_stop", "index": 0}
    stop = {"stop_reason": answer["stop_reason"], "stop_sequence": None}
    yield {"type": "message_delta", "delta": stop, "usage": answer["usage"]}
    yield {"type": "message_stop"}


# -- OpenAI Responses --------------------------------------------------------------------------------------------------


def read_responses(body: dict[str, Any]) -> Asked:
    """A request of the Responses protocol."""
    parts = [Part("system", "text", body.get("instructions") or "")]
    items = body["input"] if isinstance(body["input"], list) else [{"role": "user", "content": body["input"]}]
    for item in items:
        match item.get("type", "message"):
            case "message":
                parts.append(Part(item["role"], "text", _text(item["content"])))
            case "function_call" | "custom_tool_call":
                parts.append(Part("assistant", "call", item.get("arguments") or item.get("input") or ""))
            case "function_call_output" | "custom_tool_call_output":
                parts.append(Part("tool", "result", _text(item["output"])))
    tools = [tool["name"] for tool in body.get("tools", ()) if "name" in tool]
    wants_json = (body.get("text") or {}).get("format", {}).get("type") == "json_schema"
    return Asked(parts, tools, wants_json=wants_json)


def responses_whole(step: Step, asked: Asked, model: str, used: int) -> dict[str, Any]:
    """The answer as one object."""
    item: dict[str, Any] = {"id": _id("item"), "status": "completed"}
    if isinstance(step, Say):
        content = [{"type": "output_text", "text": step.text, "annotations": []}]
        item |= {"type": "message", "role": "assistant", "content": content}
    else:
        name, given = _call(step, asked)
        item |= {"type": "function_call", "call_id": _id("call"), "name": name, "arguments": json.dumps(given)}
    usage = {
        "input_tokens": used, "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": 9, "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": used + 9,
    }  # fmt: skip
    return {
        "id": _id("resp"), "object": "response", "created_at": 0, "model": model,
        "status": "completed", "output": [item], "usage": usage,
    }  # fmt: skip


def responses_stream(answer: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The same as events."""
    [item] = answer["output"]
    yield {"type": "response.created", "response": {**answer, "status": "in_progress", "output": [], "usage": None}}
    yield {"type": "response.output_item.added", "output_index": 0, "item": {**item, "status": "in_progress"}}
    yield {"type": "response.output_item.done", "output_index": 0, "item": item}
    yield {"type": "response.completed", "response": answer}


# ----------------------------------------------------------------------------------------------------------------------


def _text(content: Any) -> str:
    """The words of a content that is a text or a list of blocks."""
    if isinstance(content, list):
        return "\n".join(_text(block.get("text")) for block in content if isinstance(block, dict))
    return content if isinstance(content, str) else ""


def _call(step: Run | Delegate, asked: Asked) -> tuple[str, dict[str, str]]:
    """A tool the client offers, and its input."""
    if isinstance(step, Delegate):
        about = {"description": "a task", "subagent_type": "general-purpose"}
        return _AGENT, {"prompt": step.prompt, **about}
    name = next(name for name in _SHELLS if name in asked.tools)
    return name, {_SHELLS[name]: step.command}


def _id(kind: str) -> str:
    return f"{kind}_{uuid4().hex[:20]}"
