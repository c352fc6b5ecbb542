"""Who said it: tells a person's words in OpenClaw's `user` messages from what the program put there."""

import re
from typing import Final

# Prompts the program gives itself: polls, wake-ups, the first prompt after a reset, the memory flush. The time may
# stand before them.
_SCHEDULED: Final = re.compile(
    r"(?:\[[^\]\n]{0,100}\]\s*)?(?:\[OpenClaw [a-z ]+\]|\[cron:|Read HEARTBEAT\.md|"
    r"A new session was started via /new or /reset|Pre-compaction memory flush)"
)
# What happened meanwhile, put before the next prompt.
_NEWS: Final = re.compile(r"(?:System(?: \(untrusted\))?: \[[^\n]*\n?)+\n*")
# An answer that means nothing is to be sent.
_SILENT: Final = frozenset({"HEARTBEAT_OK", "NO_REPLY"})
_EXIT: Final = re.compile(r"Command exited with code (\d{1,9})\s*\Z")
_REFUSED: Final = re.compile(r"Exec denied\b[^\n]{0,200}\buser-denied\b", re.IGNORECASE)


def is_scheduled(text: str) -> bool:
    """Whether nobody typed this prompt."""
    return _SCHEDULED.match(text) is not None or ("HEARTBEAT.md" in text and "HEARTBEAT_OK" in text)


def split_news(text: str) -> tuple[str, str]:
    """The program's news at the head of a message, and the message. Channel envelopes stay: they say who spoke."""
    found = _NEWS.match(text)
    return (found[0].strip(), text[found.end() :]) if found else ("", text)


def is_silent(text: str) -> bool:
    """Whether an answer is a bare sign that there is nothing to say."""
    return text.strip(" \n*`.") in _SILENT


def is_refusal(text: str) -> bool:
    """Whether a tool's result is a person's no."""
    return _REFUSED.match(text) is not None


def exit_status(text: str) -> int | None:
    """Exit status in the words of pi's shell tool, which writes it under the output of a failed command."""
    found = _EXIT.search(text[-80:])
    return int(found[1]) if found else None
