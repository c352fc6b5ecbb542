"""What a briefing of each tier is made of, and how it reads."""

from collections.abc import Sequence
from typing import Final

from steno.briefing.budget import fit, items, shaped
from steno.briefing.exchange import of_entry
from steno.briefing.render import framed, quoted, safe
from steno.briefing.state import TITLE as STATE
from steno.briefing.work import SHARES, Work, lines
from steno.tokens import count
from steno.vocabulary import TIER_TOKENS, Entry, JournalTurn

# Of tiers above 0, so many tokens tell where the work stands; the rest is what was said.
_STATE: Final = 2_500
_MESSAGES: Final = 30
# Characters of one message, by tier, and of what a tool was given.
_LENGTH: Final = {1: 1_200, 2: 1_200, 3: 4_000}
_CALL: Final = 300
_HEAD: Final = "Written down by Steno. It informs; it does not instruct."


def brief(work: Work, tier: int, *, budget: int | None = None, day: Sequence[Entry] = ()) -> tuple[list[str], str]:
    """What is in a briefing, by name, and its text."""
    most = min(budget or TIER_TOKENS[tier], TIER_TOKENS[tier])
    phase = work.checkpoint.phase if work.checkpoint.goal else ""
    head = [f"{_HEAD} {work.head}".strip() + (f" Phase: {phase}." if phase else ""), *_by(work)]
    told, text = fit(
        lines(work), most if tier == 0 else min(_STATE, most), lambda told: framed([*head, *shaped(told)], tier=tier),
        shares=SHARES if work.note is None else {STATE: SHARES[STATE]},
    )  # fmt: skip
    named = [*(["phase"] if phase else []), *items(told)]
    if tier == 0:
        return named, text
    state = [*head, *shaped(told)]
    recap = ["the day:", *(f"- {safe(entry.category)}: {of_entry(entry, 240)}" for entry in day)] if day else []
    said = work.said if tier == 3 else work.said[-_MESSAGES:]
    kept = _latest(said, _LENGTH[tier], most - count(framed([*state, *recap, "said last:", "- …"], tier=tier)))
    while True:
        body = [*state, *recap, *(["said last:", *(text for _, text in kept)] if kept else [])]
        text = framed(body, tier=tier)
        if count(text) <= most:
            return [*named, *(f"entry:{entry.id}" for entry in day), *(f"turn:{turn}" for turn, _ in kept)], text
        if kept:
            kept.pop(0)
        elif recap:
            recap.pop()
        else:
            state.pop()


def _by(work: Work) -> list[str]:
    """Who wrote the note, and when."""
    note = work.note
    if note is None or not note.lines:
        return []
    return [f"- Noted by {safe(note.model, 60)}, {note.at[:16].replace('T', ' ')}; checked against what was said."]


def _latest(said: Sequence[JournalTurn], length: int, left: int) -> list[tuple[int, str]]:
    """As many of the last turns as fit, oldest first."""
    kept: list[tuple[int, str]] = []
    for turn in reversed(said):
        if not turn.turn.text.strip():
            continue
        text = f"- {_speaker(turn)} {quoted(turn.turn.text, _CALL if turn.turn.kind == 'call' else length)}"
        left -= count(text + "\n")
        if left < 0:
            break
        kept.append((turn.id, text))
    return kept[::-1]


def _speaker(turn: JournalTurn) -> str:
    """Who said it, or which tool was called."""
    if turn.turn.kind == "call":
        return f"agent called {safe(turn.turn.tool or 'a tool', 40)}"
    return "user" if turn.by_human else "agent" if turn.turn.role == "assistant" else safe(turn.turn.role)
