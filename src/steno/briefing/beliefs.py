"""What an agent is told that asks what is believed, or reads a page. Framed, escaped, not too long."""

from collections.abc import Iterator, Sequence
from typing import Final

from steno.briefing.answers import ANSWER_TOKENS
from steno.briefing.page import day
from steno.briefing.render import framed, quoted, safe
from steno.tokens import count
from steno.vocabulary import TELLERS
from steno.vocabulary.beliefs import Against, Belief, Change, Held
from steno.vocabulary.pages import Page, PageText

_TEXT, _QUOTE, _NAME = 300, 500, 80
# Quotes of one entry, and earlier beliefs of one line.
_QUOTES, _BEFORE = 4, 8
# Columns of a line of a page, and how far it may be indented; pages named in one answer.
_LINE, _INDENT, _PAGES = 2_000, 12, 200
_ACTS: Final = {"revise": "corrected", "archive": "laid aside", "review": "settled"}
_ENDS: Final = {"replaced": "newer words took its place", "settled": "a person chose the other"}


def believed(beliefs: Sequence[Belief]) -> str:
    """Each belief with its quotes, what it took the place of and why, what it contradicts, and who was told."""
    lines, spent, left = [] if beliefs else ["nothing is known about this"], 0, 0
    for belief in beliefs:
        block = "\n".join(_belief(belief))
        spent += count(block)
        if spent > ANSWER_TOKENS:
            left += 1
        else:
            lines.append(block)
    more = [f"and {left} more that did not fit"] if left else []
    return framed([*lines, *more], believes=len(beliefs))


def page(page: PageText) -> str:
    """A page line by line, each behind a sign of ours; how much is missing is said."""
    lines, spent = [], 0
    every = page.text.rstrip("\n").split("\n")
    for raw in every:
        indent = min(len(raw) - len(raw.lstrip(" ")), _INDENT)
        line = f"| {' ' * indent}{safe(raw, _LINE)}".rstrip()
        spent += count(line) + 1
        if spent > ANSWER_TOKENS:
            break
        lines.append(line)
    more = [f"and {len(every) - len(lines)} more lines"] if len(lines) < len(every) else []
    return framed([*lines, *more], page=page.name)


def contents(pages: Sequence[Page]) -> str:
    """Names of pages."""
    lines = [f"- {safe(page.name, _TEXT)} ({page.bytes:,} bytes, changed {day(page.changed_at)})" for page in pages]
    more = [f"and {len(lines) - _PAGES} more"] if len(lines) > _PAGES else []
    return framed([*lines[:_PAGES], *more] or ["there are no pages yet"], pages=len(pages))


def _belief(belief: Belief) -> Iterator[str]:
    yield from _held(belief.last, belief.in_words, "- ")
    for held in belief.before[:_BEFORE]:
        yield from _held(held, "before", "  - ")
    if (more := len(belief.before) - _BEFORE) > 0:
        yield f"  - and {more} more before"
    yield from map(_against, belief.against[:_BEFORE])


def _held(held: Held, how: str, sign: str) -> Iterator[str]:
    entry = held.entry
    until = f" until {day(held.until)}" if held.until else ""
    certainty = "" if entry.certainty == "confirmed" else f", {entry.certainty}"
    yield (
        f"{sign}{how}: {safe(entry.summary, _TEXT)} ({entry.category}{certainty}, from {entry.origin}, "
        f"since {day(held.since)}{until}, entry {safe(entry.id, _NAME)})"
    )
    indent = " " * (len(sign) - 2)
    yield from (f"{indent}  - {line}" for line in _about(held))


def _about(held: Held) -> Iterator[str]:
    """What people did with it, its words, how it ended, and who was told."""
    yield from map(_change, held.changes)
    for said, found in list(held.quotes)[:_QUOTES]:
        line = f", line {said.line}" if said.line is not None else ""
        proof = "found in the journal just now" if found else "NOT found in the journal"
        place = f"session {safe(said.session, _NAME)}, turn {said.turn}{line}; {proof}"
        yield f"{said.role} said {quoted(said.quote, _QUOTE)} ({place})"
    if not held.entry.evidence:
        yield f"told by {TELLERS[held.entry.origin]}, in these words"
    if held.ended in _ENDS:
        yield _ENDS[held.ended] + (f": {quoted(held.because, _TEXT)}" if held.because else "")
    if held.given:
        last = held.given[0]
        whom = safe(last.agent, _NAME) if last.agent else "an agent"
        times = "once" if held.times_given == 1 else f"{held.times_given} times"
        yield f"given out {times}, last on {day(last.at)} to {whom} ({last.kind})"


def _change(change: Change) -> str:
    now = f": {quoted(change.summary, _TEXT)}" if change.summary else ""
    was = f", before: {quoted(change.was, _TEXT)}" if change.was else ""
    return f"{_ACTS[change.act]} by a person on {day(change.at)}{now}{was}"


def _against(against: Against) -> str:
    settled = f"a person said: {safe(against.answer, _NAME)}" if against.answer else "not settled"
    what = f"{against.category}, entry {safe(against.id, _NAME)}, {settled}"
    return f"  - against: {safe(against.summary, _TEXT)} ({what}): {safe(against.reason, _TEXT)}"
