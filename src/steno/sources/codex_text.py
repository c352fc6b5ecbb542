"""Who said it: tells a person's words in Codex's `user` messages from the program's, a refusal from a result."""

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from msgspec import DecodeError, json

from steno.sources.common import answered, text_of, whole_number
from steno.sources.wrappers import own_words
from steno.vocabulary import Kind, Role

# A text that starts like this was written by the program, in any version of Codex.
_MACHINE: Final = re.compile(
    r"\s*(?:"
    r"# AGENTS\.md instructions|"
    r"<(?:environment_context|user_instructions|instructions|permissions instructions|turn_aborted|skills?|"
    r"skills_instructions|apps_instructions|plugins_instructions|collaboration_mode|multi_agent_mode|model_switch|"
    r"personality_spec|user_action|goal_context|codex_internal_context|hook_prompt|hook_context|additional_context|"
    r"app-context|token_budget|context_window|context_window_guidance|rollout_budget|realtime_conversation|"
    r"recommended_plugins)\b|"
    r"<image(?: name=[^>]*)?>\s*\Z|</image>\s*\Z|"
    r"Another language model started to solve this problem and produced a summary|"
    r"Warning: (?:The maximum number of unified exec processes|apply_patch was requested via exec_command|"
    r"Your account was flagged)"
    r")",
    re.IGNORECASE,
)
# A whole text inside one tag. A person may write that too; then the event that copies it vouches for them.
_WRAPPED: Final = re.compile(r"\s*<([a-z][\w-]{0,40})(?:\s[^<>]*)?>.*</\1>\s*", re.DOTALL)
# The only machine texts that events ever held.
_NOT_TYPED: Final = ("<environment_context>", "<user_instructions>")
# Codex's own head of a command's output, in its versions. Only the head counts: the output itself may quote anything.
_EXIT: Final = re.compile(
    r"(?:(?:Chunk ID|Wall time|Command|Original token count|Duration)[^\n]*\n){0,5}"
    r"(?:Process exited with code|Exit code:) (-?\d{1,10})\b"
)
_REFUSED: Final = re.compile(
    r"(?:[\w`]+ ){0,3}(?:rejected|denied|declined) by (?:the )?user\b|"
    r'[^\n]{0,20}\bfailed for `.{0,2000}Rejected\("rejected by user"\)',
    re.DOTALL,
)


class Outcome(NamedTuple):
    """What a tool gave back, and how it went."""

    text: str
    exit_status: int | None = None
    failed: bool | None = None
    refused: bool = False


NO_OUTCOME: Final = Outcome("")
# The host's own tools: before what a command gives back they put how it went. Another tool's output is all its own.
_OWN_TOOLS: Final = frozenset(
    "shell shell_command local_shell container.exec exec_command write_stdin apply_patch".split()
)
# What the host notes of a server's tool that a person refused; a server's own error has words of the host before it.
_REFUSED_SERVER: Final = re.compile(r"user (?:rejected|cancelled|declined) MCP tool call\b")


def human_words(content: Any, kinds: Any) -> str:
    """The person's words in a `user` item, without the parts the program put beside them. Nothing: no person spoke."""
    parts = content if isinstance(content, list) else [content]
    labelled = isinstance(kinds, list) and bool(kinds)
    if labelled:
        # Newer versions say of each part what it is.
        parts = [part for part, kind in zip(parts, kinds, strict=False) if str(kind).startswith("user.")]
    texts = [text for part in parts if (text := text_of([part])).strip() and not _MACHINE.match(text)]
    return _words(text for text in texts if labelled or not _WRAPPED.fullmatch(text))


def is_hooks(kinds: Any) -> bool:
    """Whether the host says that a hook wrote some of an item."""
    return isinstance(kinds, list) and any(str(kind).startswith("hooks.") for kind in kinds)


def event_words(content: Any) -> str:
    """The person's words in an event that says they spoke."""
    parts = content if isinstance(content, list) else [content]
    texts = [text for part in parts if (text := text_of([part])).strip() and not text.startswith(_NOT_TYPED)]
    return _words(texts)


def _words(texts: Iterable[str]) -> str:
    return "\n".join(words for text in texts if (words := own_words(text)).strip())


def other_fragment(text: str) -> list[tuple[Role, Kind, Outcome]] | None:
    """A `user` item that is not plain words but worth keeping: a command the person ran, news of a subagent."""
    if text.startswith("<user_shell_command>"):
        command, _, rest = text.partition("<command>")[2].partition("</command>")
        result = rest.partition("<result>")[2].rpartition("</result>")[0].strip("\n")
        return [("user", "command", Outcome(command.strip("\n"))), ("tool", "result", outcome(result))]
    if text.startswith("<subagent_notification>"):
        return [("system", "notice", Outcome(text))]
    return None


def refused_server(result: Any) -> bool:
    """Whether the host says of a call to a server's tool that a person refused it."""
    error = result.get("Err") if isinstance(result, dict) else None
    return isinstance(error, str) and _REFUSED_SERVER.match(error) is not None


def outcome(output: Any, tool: str | None = None) -> Outcome:
    """A tool's output: plain text, content blocks, or an envelope with text and status (versions before 2026)."""
    success = None
    if isinstance(output, dict):
        success, output = output.get("success"), output.get("content", output.get("output"))
    text = text_of(output)
    envelope = _object(text) if text.startswith('{"') else {}
    if envelope.keys() >= {"output", "metadata"}:
        metadata = envelope["metadata"]
        status = whole_number(metadata.get("exit_code")) if isinstance(metadata, dict) else None
        text = text_of(envelope["output"])
    else:
        status = _exit_status(text)
    if status is None and tool in _OWN_TOOLS and _REFUSED.match(text):
        return Outcome(text, failed=True, refused=True)
    failed = status != 0 if status is not None else not success if isinstance(success, bool) else None
    return Outcome(text, status, failed)


def answers(text: str, asked: Mapping[str, str]) -> str:
    """What the person answered, each below its question where that is known."""
    given = _object(text).get("answers")
    said = []
    for name, value in given.items() if isinstance(given, dict) else ():
        words = "\n".join(one.removeprefix("user_note: ") for one in _strings(value))
        said.append(answered([(asked[name], words)]) if name in asked else words)
    return "\n".join(filter(None, said))


def _strings(value: Any, depth: int = 4) -> list[str]:
    if isinstance(value, str):
        return [value] if value else []
    if isinstance(value, dict):
        value = list(value.values())
    return [text for item in value for text in _strings(item, depth - 1)] if isinstance(value, list) and depth else []


def _object(text: str) -> dict[str, Any]:
    """A JSON object; an empty one where the text is none."""
    try:
        found = json.decode(text)
    except (DecodeError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _exit_status(text: str) -> int | None:
    found = _EXIT.match(text)
    return int(found[1]) if found else None
