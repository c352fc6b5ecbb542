"""What a host told us, and what it is told, in our own words. Each host's module translates to and from these."""

import re
from typing import Any, Final, Literal

from msgspec import Struct, field

from steno.language.tool_call import ToolCall
from steno.vocabulary import Briefing

Event = Literal[
    "start", "prompt", "before_tool", "after_tool", "before_compact", "after_compact", "subagent_start", "stop", "end",
    "status_line",
]  # fmt: skip

# As all hosts call them.
EVENTS: Final[dict[str, Event]] = {
    "SessionStart": "start",
    "UserPromptSubmit": "prompt",
    "PreToolUse": "before_tool",
    "PostToolUse": "after_tool",
    "PreCompact": "before_compact",
    "PostCompact": "after_compact",
    "SubagentStart": "subagent_start",
    "SubagentStop": "stop",
    "Stop": "stop",
    "SessionEnd": "end",
}
# What was printed last says how it went; so much of it is looked at.
_END: Final = 4_000
_EXIT_CODE: Final = re.compile(
    r"(?:exit(?:ed)?(?: with)?(?: code| status)?|exit_code)\"?:? ?(\d{1,3})\b", re.IGNORECASE
)
_FAILED: Final = re.compile(r"\b[1-9]\d* (?:tests? )?(?:failed|failures?|errors?)\b|^FAILED\b|^FAIL\b", re.MULTILINE)
_PASSED: Final = re.compile(r"\b[1-9]\d* (?:tests? )?(?:passed|passing)\b|^PASS\b|test result: ok\b", re.MULTILINE)


class Deed(Struct, frozen=True, kw_only=True):
    """A call of a tool, about to be made or made."""

    # The host's name for this call.
    name: str
    tool: str
    input: dict[str, Any] = field(default_factory=dict)
    # None: not done yet, or nobody can tell.
    passed: bool | None = None
    # What came of it, shortened.
    output: str = ""

    @property
    def command(self) -> str:
        """What a shell is to run; empty where it is no shell."""
        return ToolCall(self.tool, self.input).command

    @property
    def text(self) -> str:
        """The command itself, or the tool and what it is used on."""
        names = ("description", "prompt", "file_path", "path", "notebook_path", "url", "query", "pattern")
        used_on = [value for name in names if isinstance(value := self.input.get(name), str)]
        return self.command or " ".join([self.tool, *used_on])


class Heard(Struct, frozen=True, kw_only=True):
    """Something that happens in an agent's session."""

    event: Event
    # The agent's name, or that of its host.
    agent: str
    session: str | None = None
    # Of an agent within the session; it has a context of its own.
    agent_id: str = ""
    transcript: str | None = None
    directory: str | None = None
    # Why a session starts: startup, resume, clear, compact, fork.
    why: str = ""
    # What a person asked; empty if it was no person.
    prompt: str = ""
    deeds: list[Deed] = field(default_factory=list)
    # Whether the host can ask a person before it goes on; and whether its mode leaves the answer to them.
    can_ask: bool = True
    person_answers: bool = False


class _Words(Struct, frozen=True):
    text: str
    # What the receipt says, once the host has it.
    given: Briefing | None = None


class Tell(_Words, frozen=True):
    """The agent is told something."""


class AskFirst(_Words, frozen=True):
    """The person is asked before it is done."""


class SayNo(_Words, frozen=True):
    """It is not done."""


class ShowLine(Struct, frozen=True):
    """The person sees a line."""

    text: str


class Silence(Struct, frozen=True):
    """Nobody is told anything; the log says why."""

    why: str
    # What the receipt says, where something was known and kept back.
    given: Briefing | None = None


Reply = Tell | AskFirst | SayNo | ShowLine


def heard_by(host: str, event: Event, given: dict[str, Any], **more: Any) -> Heard:
    """What both hosts tell of an event by the same names, and what only one of them does."""
    return Heard(
        event=event,
        agent=text_of(given, "agent_type") or host,
        session=text_of(given, "session_id") or None,
        agent_id=text_of(given, "agent_id"),
        transcript=text_of(given, "agent_transcript_path") or text_of(given, "transcript_path") or None,
        directory=text_of(given, "cwd") or None,
        why=text_of(given, "source"),
        **more,
    )


def text_of(given: dict[str, Any], name: str) -> str:
    """A field that should be a text; empty where it is none."""
    value = given.get(name)
    return value if isinstance(value, str) else ""


def object_of(given: dict[str, Any], name: str) -> dict[str, Any]:
    """A field that should be an object; empty where it is none."""
    value = given.get(name)
    return value if isinstance(value, dict) else {}


def output_of(response: object) -> str:
    """The end of what a tool printed, whatever shape the host gives it."""
    if isinstance(response, str):
        return response[-_END:]
    if isinstance(response, dict):
        parts = [output_of(response[name]) for name in ("content", "output", "stdout", "stderr", "error", "text")
                 if response.get(name)]  # fmt: skip
        if isinstance(code := response.get("exit_code", response.get("exitCode")), int):
            parts.append(f"exit code {code}")
        return "\n".join(parts)[-_END:]
    if isinstance(response, list):
        return "\n".join(map(output_of, response[-20:]))[-_END:]
    return ""


def has_passed(output: str) -> bool | None:
    """What a tool's output says about how it went: by its exit code, else by its tests. None: nothing."""
    if codes := _EXIT_CODE.findall(output):
        return int(codes[-1]) == 0
    if _FAILED.search(output):
        return False
    return True if _PASSED.search(output) else None
