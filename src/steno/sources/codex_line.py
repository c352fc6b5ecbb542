"""The shape of a Codex line: the fields that are wanted. Everything else is skipped undecoded."""

from typing import Any

import msgspec
from msgspec import Raw, Struct


class Payload(Struct):
    """The wanted fields of all kinds of payload. `Any`: a host that changes a type must not cost us the line."""

    type: Any = None
    id: Any = None
    timestamp: Any = None
    # Of items.
    role: Any = None
    content: Any = None
    summary: Any = None
    name: Any = None
    # The server whose tool is called, where it is not one of the host's own.
    namespace: Any = None
    arguments: Any = None
    input: Any = None
    action: Any = None
    revised_prompt: Any = None
    call_id: Any = None
    output: Any = None
    passthrough: Any = msgspec.field(default=None, name="internal_chat_message_metadata_passthrough")
    # Of events.
    message: Any = None
    item: Any = None
    info: Any = None
    reason: Any = None
    exit_code: Any = None
    success: Any = None
    status: Any = None
    # Large and seldom wanted: left undecoded.
    result: Raw = Raw()
    model_context_window: Any = None
    # Of the session and its turns.
    session_id: Any = None
    cwd: Any = None
    git: Any = None
    model: Any = None
    source: Any = None
    thread_source: Any = None
    parent_thread_id: Any = None
    forked_from_id: Any = None
    subagent_history_start_ordinal: Any = None
    agent_nickname: Any = None


class Line(Payload):
    """A line. The first versions (2025) wrote an item without envelope: there the line is its own payload."""

    ordinal: Any = None
    metadata: Any = None
    payload: Payload | None = None


def payload_of(line: Line) -> Payload:
    """A line's payload. A mended line holds it as a plain dictionary."""
    payload: Any = line.payload
    if isinstance(payload, dict):
        return msgspec.convert(payload, Payload)
    return payload if isinstance(payload, Payload) else line
