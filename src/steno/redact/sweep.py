"""One walk over a batch, from left to right, that finds what the packaged rules know.

Why it is linear: the scan for candidates knows only short starts, the closer look at
each sees a window of bounded length, and the walk never goes back.
"""

from __future__ import annotations

from collections.abc import Iterator

from steno.redact.batch import Batch
from steno.redact.judge import Value
from steno.redact.rules import Finding, Rulebook

# A key block of 16,384 bits is 13 kB; nothing longer is one secret.
_LONGEST = 16 << 10
# What a judge sees of a value. Small, because a hostile text can put a candidate every
# few bytes ("password=" repeated) and have each looked at.
_GLANCE = 256
_MARKER_START = b"[redacted:"


def sweep(batch: Batch, book: Rulebook) -> Iterator[Finding]:
    """Secrets in order, without overlap.

    A token in what leads up to a value (https://TOKEN:x-oauth-basic@host) is passed
    over here and found in the next round, when the value is a marker.
    """
    text, position = batch.joined, 0
    while candidate := book.scan.search(text, position):
        start, stop = candidate.span()
        if text.startswith(_MARKER_START, start):
            position = stop
            continue
        end = min(start + _LONGEST, batch.end_at(start))
        found = book.tokens.at(text, start, end) or _value(text, start, end, book)
        if found is None:
            position = start + 1
        else:
            yield found
            position = found.end


def _value(text: bytes, start: int, end: int, book: Rulebook) -> Finding | None:
    """The value a rule points at, if its judge takes it for a secret."""
    found = book.values.at(text, start, min(end, start + _GLANCE))
    if found is None or found.rule.judge is None:
        return None
    if not found.rule.judge(Value(text[found.start : found.end], text[found.end : found.end + 1])):
        return None
    if found.end == start + _GLANCE:
        found = book.values.at(text, start, end) or found
    return _named_by_content(text, _whole_characters(text, found), book)


def _named_by_content(text: bytes, found: Finding, book: Rulebook) -> Finding:
    """`token = ghp_...` is a GitHub token, though `token =` is what was noticed."""
    token = book.tokens.within(text, found.start, found.end)
    return found._replace(rule=token.rule) if token else found


def _whole_characters(text: bytes, found: Finding) -> Finding:
    """A window may end inside a character of several bytes: take all of it."""
    end = found.end
    while end < len(text) and text[end] & 0xC0 == 0x80:
        end += 1
    return found._replace(end=end)
