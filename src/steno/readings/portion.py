"""A portion of a session as a model is shown it: people's words whole, an agent's nearly, of tools what tells."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct

from steno.language.tool_call import read, texts
from steno.language.words import is_held, squeeze, without_own_words
from steno.tokens import count
from steno.vocabulary import HUMAN_KINDS, JournalTurn

# Tokens of turns that are shown at once.
PORTION: Final = 12_000
# Characters kept of the head and of the tail of a text: what people, the agent and tools said.
_PERSON, _AGENT, _ASKED, _CALL = (5_000, 2_000), (2_400, 1_200), (1_500, 500), (240, 60)
_FAILED, _PRINTED, _REPORTED = (160, 340), (80, 240), (600, 500)
# A text longer than this is not shown twice.
_LONG: Final = 300
# Calls that put something to a person, or hand work to another agent: what they say is read, not only named.
_TELLING: Final = re.compile(r"ask|question|input|plan|task|agent|todo|delegate", re.I)
# Tools of which a result says nothing where it went well.
_SILENT: Final = re.compile(r"read|view|grep|glob|search|find|list|^ls$|edit|write|patch|todo|plan", re.I)
# How a line that tells why something failed looks.
_ERROR: Final = re.compile(
    r"\b(?:error|fail(?:ed|ure|s)?|fatal|panic|exception|denied|refused|cannot|not found)\b", re.I
)
# A line that poses as one of ours.
_FORGED: Final = re.compile(r"^\[(?=t\d)", re.M)
_SPEAKERS: Final = {
    "said": "user", "queued": "user", "denied": "user refused the call", "command": "user command",
    "answer": "user answer",
}  # fmt: skip


class Portion(Struct, frozen=True):
    """Turns that are read at once, as they are shown."""

    turns: tuple[JournalTurn, ...]
    text: str
    # Whether more would not have fitted.
    is_full: bool

    @property
    def first(self) -> int:
        return self.turns[0].id

    @property
    def last(self) -> int:
        return self.turns[-1].id


def portion(turns: Iterable[JournalTurn], most: int = PORTION) -> Portion | None:
    """The first turns of these that fit. None: there are none, or none that says anything."""
    taken: list[JournalTurn] = []
    lines: list[str] = []
    left, is_full = most, False
    before: dict[str, int] = {}
    for turn in turns:
        line = shown(turn, before)
        left -= count(line) + 1 if line else 0
        if left < 0 and lines:
            is_full = True
            break
        taken.append(turn)
        lines += [line] if line else []
    return Portion(tuple(taken), "\n".join(lines), is_full) if lines else None


def shown(turn: JournalTurn, before: dict[str, int]) -> str:
    """One turn on the page; empty where it tells nothing. A long text that stood there `before` is only named."""
    said = _said(turn)
    if said is None:
        return ""
    speaker, text = said
    if len(text) > _LONG and before.setdefault(text, turn.id) != turn.id:
        text = f"(the same text as t{before[text]})"
    return f"[t{turn.id} {speaker}] {_FORGED.sub('(', text)}".rstrip()


def _said(turn: JournalTurn) -> tuple[str, str] | None:
    kind, text = turn.turn.kind, without_own_words(turn.turn.text).replace("\0", "").strip()
    match turn.turn.role, kind:
        case "user", _ if turn.by_human and kind in HUMAN_KINDS:
            return _SPEAKERS[kind], _ends(text, _PERSON)
        case "user", "delegated" | "scheduled":
            return "prompt nobody typed", _ends(text, _REPORTED)
        case _, "interrupted":
            return "user stopped the agent", ""
        case _, "boundary":
            return "context compacted", ""
        case "assistant", "said":
            return ("agent", _ends(text, _AGENT)) if text else None
        case "assistant", "call":
            return f"call {turn.turn.tool or 'tool'}", _call(turn.turn.tool or "", text)
        case "tool", "result":
            return _result(turn, text)
    return None


def _call(tool: str, text: str) -> str:
    """What a call was given, on one line."""
    made = read(tool, text)
    if _TELLING.search(tool):
        return squeeze(_ends(" | ".join(texts(made.given)), _ASKED))
    return squeeze(_ends(made.line, _CALL))


def _result(turn: JournalTurn, text: str) -> tuple[str, str] | None:
    tool = turn.turn.tool or ""
    if is_held(turn.turn.text):
        return "result held", "Steno held this call: it goes against what the user said"
    if turn.turn.failed or turn.turn.exit_status:
        return "result failed", squeeze(_ends(_why(text), _FAILED))
    if not text or _SILENT.search(tool):
        return None
    return "result", squeeze(_ends(text, _REPORTED if _TELLING.search(tool) else _PRINTED))


def _why(text: str) -> str:
    """The lines that say what went wrong, else all of them."""
    telling = [line.strip() for line in text.splitlines() if _ERROR.search(line[:400])]
    return "\n".join(telling) or text


def _ends(text: str, most: Sequence[int]) -> str:
    """A text without its middle, if it is long."""
    head, tail = most
    return text if len(text) <= head + tail + 20 else f"{text[:head].rstrip()} […] {text[-tail:].lstrip()}"
