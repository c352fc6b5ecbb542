"""Claude Code's hooks: its JSON to our words and back."""

import re
from typing import Any, Final

import msgspec

from steno.doors.hooks import heard
from steno.doors.hooks.heard import (
    AskFirst,
    Deed,
    Event,
    Heard,
    Reply,
    SayNo,
    ShowLine,
    Tell,
    has_passed,
    heard_by,
    object_of,
    output_of,
    text_of,
)

HOST: Final = "claude-code"
EVENTS: Final[dict[str, Event]] = {
    **heard.EVENTS,
    "PostToolUseFailure": "after_tool",
    "PostToolBatch": "after_tool",
    "StatusLine": "status_line",
}
# Elsewhere a context would be dropped, or would make the agent go on when it should stop.
_TAKES_CONTEXT: Final = frozenset(
    {"SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "PostToolBatch",
     "SubagentStart"}
)  # fmt: skip
# In any other mode the host may answer for the person.
_ASKING_MODES: Final = frozenset({"default", "acceptEdits", "plan"})
_PEOPLE: Final = frozenset({"", "user", "sdk"})
# A machine's words in the place of a prompt.
_BY_MACHINE: Final = re.compile(r"\s*<(?:task-notification|local-command|command-|system-reminder|bash-)")


def hear(event: str, given: dict[str, Any]) -> Heard | None:
    """What the host told us; None: an event we know nothing of."""
    if event not in EVENTS:
        return None
    by_person = text_of(given, "source") in _PEOPLE and not _BY_MACHINE.match(text_of(given, "prompt"))
    prompt = text_of(given, "prompt") if by_person else ""
    answers = text_of(given, "permission_mode") in _ASKING_MODES
    return heard_by(HOST, EVENTS[event], given, prompt=prompt, deeds=_deeds(event, given), person_answers=answers)


def say(event: str, reply: Reply) -> bytes:
    """What the host is told."""
    if isinstance(reply, ShowLine):
        return reply.text.encode()
    if isinstance(reply, Tell) and event not in _TAKES_CONTEXT:
        return b""
    answer: dict[str, str] = {"hookEventName": event}
    match reply:
        case Tell(text):
            answer |= {"additionalContext": text}
        case AskFirst(text):
            answer |= {"permissionDecision": "ask", "permissionDecisionReason": text}
        case SayNo(text):
            answer |= {"permissionDecision": "deny", "permissionDecisionReason": text}
    return msgspec.json.encode({"hookSpecificOutput": answer})


def _deeds(event: str, given: dict[str, Any]) -> list[Deed]:
    if event == "PostToolBatch":
        calls = given.get("tool_calls")
        return [_deed(call, event) for call in calls if isinstance(call, dict)] if isinstance(calls, list) else []
    return [_deed(given, event)] if text_of(given, "tool_name") else []


def _deed(call: dict[str, Any], event: str) -> Deed:
    output = text_of(call, "error") or output_of(call.get("tool_response"))
    return Deed(
        name=text_of(call, "tool_use_id"),
        tool=text_of(call, "tool_name"),
        input=object_of(call, "tool_input"),
        passed=_passed(call, event, output),
        output=output,
    )


def _passed(call: dict[str, Any], event: str, output: str) -> bool | None:
    """A failure has an event of its own. What was interrupted says nothing."""
    if call.get("is_interrupt") is True or object_of(call, "tool_response").get("interrupted") is True:
        return None
    if event == "PostToolUseFailure":
        return False
    told = has_passed(output)
    return True if told is None and event == "PostToolUse" else told
