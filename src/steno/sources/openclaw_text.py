"""Who said it: what OpenClaw puts into `user` messages that nobody typed, or that not only the owner can send."""

import re
from typing import Final

# Prompts the program gives itself: polls, wake-ups, the first prompt after a reset, the memory flush, what became of a
# command. The time may stand before them.
_SCHEDULED: Final = re.compile(
    r"(?:\[[^\]\n]{0,100}\]\s*)?(?:\[OpenClaw [a-z ]+\]|\[cron:|Read HEARTBEAT\.md|An async command |"
    r"A new session was started via /new or /reset|Pre-compaction memory flush)"
)
# Signs of a conversation with more than two in it: the envelope, the line below it, or the facts told before it.
_AMONG_MANY: Final = re.compile(
    r"^\[[^\]\n]*\b(?:group|channel|room|guild)\b[^\]\n]*\]|^\[from: |\"is_group_chat\"\s*:\s*true|"
    r"\"group_(?:subject|channel|space)\"\s*:",
    re.MULTILINE | re.IGNORECASE,
)


def is_scheduled(text: str) -> bool:
    """Whether nobody typed this prompt."""
    return _SCHEDULED.match(text) is not None or ("HEARTBEAT.md" in text and "HEARTBEAT_OK" in text)


def is_among_many(text: str) -> bool:
    """Whether a message was sent where others can speak, too."""
    return _AMONG_MANY.search(text) is not None
