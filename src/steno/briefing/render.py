"""The one place that makes text for an agent: on one line, escaped, between our own marks.

What a memory holds may be hostile. Nothing in it can end our frame, open another one, pose as somebody's turn or as a
heading of ours, or drive a terminal: it is data between quotation marks, on lines that begin with our own sign.
"""

import re
from collections.abc import Iterable
from typing import Final

# What is handed to an agent stands between these; what stands between these is never learnt from.
_OPEN: Final = "<steno"
_CLOSE: Final = "</steno>"
# What is said to a person has no marks; it begins so.
OWN_VOICE: Final = "Steno: "

# Anything that moves the cursor, runs backwards, joins or hides: C0, DEL, C1, surrogates, marks of direction, zero
# width, variation selectors, tags, private use as terminal glyphs.
_HIDDEN: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ud800-\udfff\U000e0000-\U000e0fff]+"
)
_ESCAPE: Final = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]{0,200}(?:\x07|\x1b\\)?|[@-Z\\-_])")
# The beginning of a tag, of a model's own marks (<|…|>, <<…>>), and their doubles in other widths.
_TAG: Final = re.compile(r"[<\uff1c](?=[A-Za-z/!?|<\uff1c])")
# Marks by which models are told who speaks.
_ROLE: Final = re.compile(r"\[(?=/?(?:INST|SYS|SYSTEM|USER|ASSISTANT|HUMAN|STATE)\b)", re.IGNORECASE)
_SAYS: Final = re.compile(r"(?:^|(?<=\s))(system|user|assistant|human|tool|developer)\s*:", re.IGNORECASE)
_PLAIN: Final = {"╭": "+", "╰": "+", "│": "|", "╮": "+", "╯": "+", "“": '"', "”": '"'}
_FRAME: Final = re.compile(f"[{''.join(_PLAIN)}]")
_FENCE: Final = re.compile("`{3,}|~{3,}")
# Text is looked at so far: whatever is shown of it is far shorter.
_MOST: Final = 20_000


def safe(text: str, most: int | None = None) -> str:
    """A text on one line that cannot pose as anything but a text, cut to a number of characters."""
    short = text[: _MOST if most is None else min(_MOST, 4 * most + 200)]
    line = _harmless(" ".join(_visible(short).split()))
    if most is not None and len(line) > most:
        line = shortened(line, most)
    elif len(short) < len(text):
        line += "…"
    return line


def _visible(text: str) -> str:
    if text.isascii() and text.replace("\n", "").replace("\t", "").isprintable():
        return text
    return _HIDDEN.sub("", _ESCAPE.sub("", text))


def _harmless(line: str) -> str:
    """A line without the marks of frames, fences, tags and speakers. Most lines have no sign of any, and are left."""
    if not line.isascii():
        line = _FRAME.sub(lambda found: _PLAIN[found[0]], line)
    if "```" in line or "~~~" in line:
        line = _FENCE.sub("'''", line)
    if "<" in line or "\uff1c" in line:
        line = _TAG.sub("‹", line)
    if "[" in line:
        line = _ROLE.sub("(", line)
    return _SAYS.sub(r"\1 -", line) if ":" in line else line


def shortened(line: str, most: int) -> str:
    """The beginning of a line, to the end of a word where one is near."""
    head = line[: most - 1]
    end = head.rfind(" ")
    return (head[:end] if end > most * 0.7 else head).rstrip(" ,;:(") + "…"


def quoted(text: str, most: int | None = None) -> str:
    """Somebody's words between quotation marks, which do not occur within."""
    return f"“{safe(text, most)}”"


def framed(lines: Iterable[str], **traits: object) -> str:
    """Lines between our own marks. The lines are ours: what is not, went through `safe` before."""
    told = "".join(f' {name}="{_trait(value)}"' for name, value in traits.items() if value is not None)
    return "\n".join([f"{_OPEN}{told}>", *lines, _CLOSE])


def stopped(since: str) -> str:
    """What an agent is told where nobody has captured since: it alone may notice."""
    told = f"Steno has not been running since {since}: nothing was written down since then."
    return framed([f"{told} Tell the human; `steno up` starts it."], stopped=1)


def _trait(value: object) -> str:
    return re.sub(r"[^\w.:+/@#-]+", "_", safe(str(value), 120))
