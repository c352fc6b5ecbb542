"""What an agent is told that asks: what was found, what is believed, a gate's page. Framed, escaped, not too long."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from steno.briefing.page import day, page_text, verdict_name
from steno.briefing.render import framed, quoted, safe
from steno.tokens import count
from steno.vocabulary import TELLERS, Entry, Evidence, Hit, Verdict
from steno.vocabulary.beliefs import Belief, Held

# Hosts cut what a tool says at 25,000 tokens; nobody reads so much of a list.
ANSWER_TOKENS: Final = 8_000
_TEXT, _QUOTE, _NAME = 300, 500, 80
# Quotes of one entry, and earlier beliefs of one line.
_QUOTES, _BEFORE = 4, 8


def recalled(hits: Sequence[Hit], lacks: str = "") -> str:
    """Hits, the best first; what the answer lacks stands behind them."""
    notes = [f"note: {safe(lacks, _TEXT)}"] if lacks else []
    return _within(["nothing was found"] if not hits else [], map(_hit, hits), notes, recall=len(hits))


def believed(beliefs: Sequence[Belief]) -> str:
    """Each belief with its quotes and what it took the place of."""
    blocks = ("\n".join(_belief(belief)) for belief in beliefs)
    return _within(["nothing is known about this"] if not beliefs else [], blocks, [], believes=len(beliefs))


def remembered(entry: Entry) -> str:
    """What was kept, and under which name."""
    name = f"entry {safe(entry.id, _NAME)}, from {entry.origin}"
    return framed([f"- kept as {entry.category}, {name}: {safe(entry.summary, _TEXT)}"], remember=entry.id)


def gate_page(verdict: Verdict) -> str:
    """Everything the gate knows about an action."""
    return framed(page_text(verdict).split("\n"), gate=verdict_name(verdict))


def _within(head: list[str], blocks: Iterable[str], foot: list[str], **traits: object) -> str:
    """As many blocks as the budget holds; how many more there are is said."""
    lines, spent, left = list(head), 0, 0
    for block in blocks:
        spent += count(block)
        if spent > ANSWER_TOKENS:
            left += 1
        else:
            lines.append(block)
    if left:
        lines.append(f"and {left} more that did not fit")
    return framed([*lines, *foot], **traits)


def _hit(hit: Hit) -> str:
    kind = hit.category or {"turn": "said", "session": "session"}.get(hit.kind, hit.kind)
    status = f", {hit.status}" if hit.status not in (None, "active") else ""
    head = f"- {kind}{status}, from {safe(hit.origin, 20)}, {day(hit.at)} ({hit.kind} {safe(str(hit.id), _NAME)}):"
    return f"{head} {_words(hit)} {_place(hit.session, hit.turn, hit.line)}"


def _words(hit: Hit) -> str:
    """What an entry says, and the quote unless it stands in it anyway."""
    if hit.kind != "entry" or hit.text == hit.quote:
        return quoted(hit.quote, _QUOTE)
    holds_it = hit.quote in hit.text[: _TEXT - 20]
    return safe(hit.text, _TEXT) if holds_it else f"{safe(hit.text, _TEXT)} {quoted(hit.quote, _QUOTE)}"


def _belief(belief: Belief) -> Iterator[str]:
    yield from _held(belief.last, belief.in_words, "- ")
    for held in belief.before[:_BEFORE]:
        yield from _held(held, "before", "  - ")
    if more := len(belief.before) - _BEFORE:
        yield from [f"  - and {more} more before"] if more > 0 else []


def _held(held: Held, how: str, sign: str) -> Iterator[str]:
    entry = held.entry
    until = f" until {day(held.until)}" if held.until else ""
    certainty = "" if entry.certainty == "confirmed" else f", {entry.certainty}"
    yield (
        f"{sign}{how}: {safe(entry.summary, _TEXT)} ({entry.category}{certainty}, from {entry.origin}, "
        f"since {day(held.since)}{until}, entry {safe(entry.id, _NAME)})"
    )
    indent = " " * (len(sign) - 2)
    for change in held.changes:
        words = f": {quoted(change.summary, _TEXT)}" if change.summary else ""
        yield f"{indent}  - {_ACTS[change.act]} by a person on {day(change.at)}{words}"
    for said in entry.evidence[:_QUOTES]:
        yield f"{indent}  - {said.role} said {quoted(said.quote, _QUOTE)} {_stands(said)}"
    if not entry.evidence:
        yield f"{indent}  - told by {TELLERS[entry.origin]}, in these words"


_ACTS: Final = {"revise": "corrected", "archive": "laid aside", "review": "settled"}


def _stands(said: Evidence) -> str:
    return _place(said.session, said.turn, said.line)


def _place(session: str, turn: int | None, line: int | None) -> str:
    """Where a quote stands."""
    if turn is None:
        return "(told, not said in a session)"
    return f"(session {safe(session, _NAME)}, turn {turn}{f', line {line}' if line is not None else ''})"
