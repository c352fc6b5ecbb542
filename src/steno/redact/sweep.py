"""One walk over a batch, from left to right, that finds what the packaged rules know.

Why it is linear: the scan for candidates is one automaton that never runs on after a hit, the walk never goes back, the
closer look at a candidate sees a window of bounded length, and a text has only so many looks. What holds more
candidates than that is not read on but taken whole: nothing in it is kept, and nobody waits for it.
"""

from __future__ import annotations

from collections.abc import Iterator

from steno.redact.batch import Batch, Looks
from steno.redact.engine import compile_bytes
from steno.redact.judge import Value
from steno.redact.marker import without_words
from steno.redact.rules import Finding, Rulebook

# A key block of 16,384 bits is 13 kB; nothing longer is one secret.
_LONGEST = 16 << 10
# What a judge sees of a value, and all that a rule sees of what leads up to it.
_GLANCE = 256
CROWDED = "crowded"
# The rest of a value that is longer than a glance.
_REST = compile_bytes(r"""[^\s"'`\\<>\x00]*""")


def sweep(batch: Batch, book: Rulebook) -> Iterator[Finding]:
    """Secrets in order, without overlap.

    A token in what leads up to a value (https://TOKEN:x-oauth-basic@host) is passed
    over here and found in the next round, when the value is a marker.
    """
    text, position, looks = batch.joined, 0, Looks(batch)
    if book.edge is None:
        text = without_words(text)
    while candidate := book.scan.search(text, position):
        start, _ = candidate.span()
        if looks.take(start):
            found = _look(text, start, min(start + _LONGEST, looks.end), book)
        else:
            found = Finding(CROWDED, start, looks.end)
        if found is None:
            looks.found_nothing()
            position = start + 1
        else:
            yield found
            position = found.end


def _look(text: bytes, start: int, end: int, book: Rulebook) -> Finding | None:
    """The first rule that finds a secret here."""
    if book.edge and (edge := book.edge.match(text, start, end)):
        start = edge.span()[1]
    near = min(end, start + _GLANCE)
    for number in book.which(text[start:near]):
        rule = book.rules[number]
        match = compile_bytes(rule.pattern).match(text, start, end if rule.far else near)
        if match is None or match.lastindex is None:
            continue
        first, last = match.span(match.lastindex)
        if not rule.judge(Value(text[first : min(last, first + _GLANCE)], text[last : last + 1])):
            continue
        if last == near and (rest := _REST.match(text, last, end)):
            last = rest.span()[1]
        last = _whole_characters(text, last)
        return Finding(book.name_of(rule, text[first : min(last, first + _GLANCE)]), first, last)
    return None


def _whole_characters(text: bytes, end: int) -> int:
    """A window may end inside a character of several bytes: take all of it."""
    while end < len(text) and text[end] & 0xC0 == 0x80:
        end += 1
    return end
