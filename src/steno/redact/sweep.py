"""One walk over a batch, from left to right, that finds what the packaged rules know.

Why it is linear: the scan for candidates is one automaton that never runs on after a hit, the walk never goes back, the
closer look at a candidate sees a window of bounded length, and a text has only so many looks. What holds more
candidates than that is not read on but taken whole: nothing in it is kept, and nobody waits for it. Words that were
looked at in vain are not looked at again where they come again.
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter

from steno.redact.batch import Batch, Looks
from steno.redact.engine import NOWHERE, Span, compile_bytes
from steno.redact.judge import Value
from steno.redact.marker import without_words
from steno.redact.rules import Finding, Rule, Rulebook

# A key block of 16,384 bits is 13 kB; nothing longer is one secret.
LONGEST = 16 << 10
# What a judge sees of a value, and all that a rule sees of what leads up to it.
_GLANCE = 256
# All that a look sees, of rules that need not see far: the byte before, what the scan takes along, a glance, the byte
# behind.
_SEEN = _GLANCE + 32
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
    eye = _Eye(text, book)
    while candidate := book.scan.search(text, position):
        start = candidate[0][0]
        if looks.take(start):
            found = eye.look(start, min(start + LONGEST, looks.end))
        else:
            found = Finding(CROWDED, start, looks.end)
        if found is None:
            looks.found_nothing()
            position = start + 1
        else:
            yield found
            position = found.end


class _Eye:
    """The closer look at a candidate. The same words are not looked at again in vain."""

    def __init__(self, text: bytes, book: Rulebook) -> None:
        self._text = text
        self._book = book
        self._in_vain: set[tuple[int, bytes]] = set()

    def look(self, start: int, end: int) -> Finding | None:
        """The first rule that finds a secret here."""
        text, book = self._text, self._book
        seen = min(end - start, _SEEN), text[max(0, start - 1) : start + _SEEN]
        if seen in self._in_vain:
            return None
        if book.edge and (edge := book.edge.match(text, start, end)):
            start = edge[0][1]
        near = min(end, start + _GLANCE)
        rules = [book.rules[number] for number in book.which(text[start:near])]
        for rule in rules:
            if found := self._secret(rule, start, end if rule.far else near):
                first, last = found
                if last == near and (rest := _REST.match(text, last, end)):
                    last = rest[0][1]
                last = _whole_characters(text, last)
                return Finding(book.name_of(rule, text[first : min(last, first + _GLANCE)]), first, last)
        if not any(rule.far for rule in rules):
            self._in_vain.add(seen)
        return None

    def _secret(self, rule: Rule, start: int, end: int) -> Span | None:
        """Where a rule finds one."""
        text, match = self._text, compile_bytes(rule.pattern).match(self._text, start, end)
        # The group that reaches furthest, the outer one of two.
        first, last = max(match[1:], key=itemgetter(1)) if match else NOWHERE
        value = Value(text[first : min(last, first + _GLANCE)], text[last : last + 1])
        return (first, last) if last >= 0 and rule.judge(value) else None


def _whole_characters(text: bytes, end: int) -> int:
    """A window may end inside a character of several bytes: take all of it."""
    while end < len(text) and text[end] & 0xC0 == 0x80:
        end += 1
    return end
