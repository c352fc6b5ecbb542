"""What an agent is told that asks what is believed, or reads a page. Framed, escaped, not too long."""

from collections.abc import Iterator, Sequence
from typing import Final

from steno.briefing.answers import ANSWER_TOKENS, within
from steno.briefing.entries import said, whole
from steno.briefing.page import day
from steno.briefing.render import framed, quoted, safe
from steno.tokens import count
from steno.vocabulary.beliefs import Belief, Held
from steno.vocabulary.pages import Page, PageText

_TEXT, _QUOTE, _NAME = 300, 500, 80
# Quotes of one entry, and earlier beliefs of one line.
_QUOTES, _BEFORE = 4, 8
# Columns of a line of a page, and how far it may be indented; pages named in one answer.
_LINE, _INDENT, _PAGES = 2_000, 12, 200
_ENDS: Final = {"replaced": "newer words took its place", "settled": "a person chose the other"}


def believed(beliefs: Sequence[Belief]) -> str:
    """Each belief with its quotes, what it took the place of and why, and what it contradicts."""
    nothing = [] if beliefs else ["nothing is known about this"]
    return within(nothing, ("\n".join(_belief(one)) for one in beliefs), [], believes=len(beliefs))


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
    yield from _held(belief.last, belief.in_words, "")
    for held in belief.before[:_BEFORE]:
        yield from _held(held, "before", "  ")
    if (more := len(belief.before) - _BEFORE) > 0:
        yield f"  - and {more} more before"
    for one in belief.against[:_BEFORE]:
        settled = f"a person said: {safe(one.answer, _NAME)}" if one.answer else "not settled"
        what = f"{one.category}, entry {safe(one.id, _NAME)}, {settled}"
        yield f"  - against: {quoted(whole(one.summary))} ({what}): {safe(one.reason, _TEXT)}"


def _held(held: Held, how: str, indent: str) -> Iterator[str]:
    """What was said, until when it held and why it ended; and where each quote stands."""
    entry = held.entry
    until = f", until {day(held.until)}" if held.until else ""
    ended = f", {_ENDS[held.ended]}" if held.ended in _ENDS else ""
    because = f": {quoted(whole(held.because))}" if held.because else ""
    about = f"{entry.category}, since {day(held.since)}{until}, entry {safe(entry.id, _NAME)}"
    yield f"{indent}- {how}: {said(entry)} ({about}){ended}{because}"
    for quote, found in list(held.quotes)[:_QUOTES]:
        line = f", line {quote.line}" if quote.line is not None else ""
        proof = "found in the journal just now" if found else "NOT found in the journal"
        # What stands above is not printed twice.
        more = "" if quote.quote in entry.summary else f": {quoted(quote.quote, _QUOTE)}"
        yield f"{indent}  - {quote.role}, session {safe(quote.session, _NAME)}, turn {quote.turn}{line}, {proof}{more}"
