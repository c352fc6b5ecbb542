"""Who said it: tells a person's words in Claude Code's `user` lines from what the program put there."""

import re
from typing import Final

from steno.sources.wrappers import own_words
from steno.vocabulary import Kind, Role

Said = tuple[Role, Kind, str]

# Texts of one tag's content, by whose they are. The program writes nothing before the first tag or behind the last.
_MARKED: Final[dict[str, tuple[Role, Kind, tuple[str, ...]]]] = {
    "command-": ("user", "command", ("command-args",)),
    "bash-input>": ("user", "command", ("bash-input",)),
    "user-memory-input>": ("user", "command", ("user-memory-input",)),
    "bash-stdout>": ("tool", "result", ("bash-stdout", "bash-stderr")),
    "bash-stderr>": ("tool", "result", ("bash-stdout", "bash-stderr")),
}
# A command that asks the agent for something names itself in this order; one of the program's own (/clear) does not.
_ASKS: Final = re.compile(
    r"<command-message>[^<]{0,200}</command-message>\s*<command-name>(/[^<\s]{1,100})</command-name>"
)
# What the program tells of tasks, also where it queues it for itself.
_NOTICES: Final = (
    "<task-notification>", "<teammate-message", "<agent-message from=", '{"task_id":',
    "[SYSTEM NOTIFICATION - NOT USER INPUT]", "[Subagent hand-back]",
)  # fmt: skip
_INTERRUPTED: Final = "[Request interrupted by user"
_REJECTED: Final = "The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). "
_REFUSED: Final = f"The user doesn't want to proceed with this tool use. {_REJECTED}"
_REFUSED_A_SUBAGENT: Final = f"Permission for this tool use was denied. {_REJECTED}"
_WITHOUT_WORDS: Final = (
    _REFUSED, _REFUSED_A_SUBAGENT, "The user doesn't want to take this action right now. ",
    "The agent proposed a plan that was rejected by the user. ",
)  # fmt: skip
_THEIR_WORDS: Final = (
    f"{_REFUSED}To tell you how to proceed, the user said:\n", f"{_REFUSED_A_SUBAGENT}The user said:\n",
)  # fmt: skip
# Who leaves a dialog without a choice is told of like this; the questions follow, some with an answer.
_LEFT_DIALOG: Final = (
    "The user wants to clarify these questions.",
    "The user has indicated they have provided enough answers",
)
# One of them with what was answered. Where an answer stands twice, or there is none, the first is the agent's: it asked
# in several lines.
_AFTER_WORDS: Final = "\n\nNote: The user's next message may contain a correction"


def classify(text: str) -> Said | None:
    """Role, kind and words of a text in a `user` line. None: machine text."""
    if text.startswith(_INTERRUPTED):
        return ("system", "interrupted", text)
    if text.startswith(_NOTICES):
        return ("system", "notice", text)
    if asks := _ASKS.match(text):
        return ("user", "command", f"{asks[1]} {_inside(text, ('command-args',), last=True)}".strip())
    for tag, (role, kind, inner) in _MARKED.items():
        if text.startswith(f"<{tag}"):
            return (role, kind, words) if (words := _inside(text, inner, last=role == "user")) else None
    words = own_words(text)
    return ("user", "said", words) if words.strip() else None


def refusal(text: str) -> Said | None:
    """A tool result that is worded as a person's no: with their words, or without any. None: an ordinary result."""
    opening = next((one for one in _THEIR_WORDS if text.startswith(one)), "")
    words = text.removeprefix(opening).partition(_AFTER_WORDS)[0].strip() if opening else ""
    if words and not words.startswith(_LEFT_DIALOG):
        return ("user", "denied", words)
    return ("tool", "denied", text) if text.startswith(_WITHOUT_WORDS) else None


def _inside(text: str, tags: tuple[str, ...], *, last: bool) -> str:
    """What stands in some tags. A person's stand `last` in the text: what stands before them may hold the same tag."""
    found = []
    for tag in tags:
        if last and not text.rstrip().endswith(f"</{tag}>"):
            continue
        _, opened, rest = text.rpartition(f"<{tag}>") if last else text.partition(f"<{tag}>")
        if opened and (part := rest.rpartition(f"</{tag}>")[0].strip()):
            found.append(part)
    return "\n".join(found)
