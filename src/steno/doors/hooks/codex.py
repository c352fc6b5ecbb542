"""Codex's hooks: its JSON to our words and back. One key it does not know makes it drop the whole answer."""

from typing import Any, Final

import msgspec

from steno.doors.hooks.heard import (
    EVENTS,
    AskFirst,
    Deed,
    Heard,
    Reply,
    SayNo,
    Tell,
    has_passed,
    heard_by,
    object_of,
    output_of,
    text_of,
)
from steno.language.tool_call import as_edit

HOST: Final = "codex"
_TAKES_CONTEXT: Final = frozenset({"SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "SubagentStart"})


def hear(event: str, given: dict[str, Any]) -> Heard | None:
    """What the host told us; None: an event we know nothing of."""
    if event not in EVENTS:
        return None
    tool = text_of(given, "tool_name")
    output = output_of(given.get("tool_response"))
    deed = Deed(
        name=text_of(given, "tool_use_id"),
        tool=tool,
        input=as_edit(tool, object_of(given, "tool_input")),
        # It has no event for failures: what was printed must tell.
        passed=has_passed(output),
        output=output,
    )
    # It takes "ask" for a mistake of the hook, says so on the screen, and runs the command.
    told = {"prompt": text_of(given, "prompt"), "deeds": [deed] if tool else [], "can_ask": False}
    return heard_by(HOST, EVENTS[event], given, **told)


def say(event: str, reply: Reply) -> bytes:
    """What the host is told."""
    match reply:
        case Tell(text) if event in _TAKES_CONTEXT:
            answer = {"additionalContext": text}
        case AskFirst(text) | SayNo(text):
            answer = {"permissionDecision": "deny", "permissionDecisionReason": text}
        case _:
            return b""
    return msgspec.json.encode({"hookSpecificOutput": {"hookEventName": event} | answer})
