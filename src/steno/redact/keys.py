"""The end of a private key whose beginning is not there: `tail key.pem`, a terminal that was scrolled.

A rule of patterns.toml looks on from where it begins. Here only the end tells what stood before it, so the look goes
back: over the lines before each end, never over the end before it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from steno.redact.batch import Batch, Looks
from steno.redact.engine import compile_bytes
from steno.redact.rules import Finding
from steno.redact.sweep import CROWDED, LONGEST

_TELLS: Final = (b" PRIVATE KEY", b"Private-MAC:")
_END: Final = compile_bytes(r"-{4,5} ?END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4}|Private-MAC: ?[0-9a-f]{8}")
_RUN: Final = "[A-Za-z0-9+/=]"
# What stands between two lines of a key: a line's end, also written out, quotes, numbers, the front of a log's line.
_BETWEEN: Final = (
    r"(?:\s|\\+[nrt]?|[\"'+,;|>#*$-]|\xe2\x94\x82|[0-9]{1,6}(?:\xe2\x86\x92|[:|\t])|\n[^\n\x00]{0,60}[ \t:|])"
)
# Its lines are long, but for the last, and the first where the text begins in the middle of it.
_BODY: Final = compile_bytes(
    rf"(?:|(?s:.)*?[^A-Za-z0-9+/=])((?:^{_RUN}{{1,39}}{_BETWEEN}+)?{_RUN}{{40,}}(?:{_BETWEEN}+{_RUN}{{40,}})*"
    rf"(?:{_BETWEEN}+{_RUN}{{1,39}})?|{_RUN}{{16,39}}){_BETWEEN}*"
)


def key_ends(batch: Batch) -> Iterator[Finding]:
    """What stands before an end and is not taken yet."""
    text = batch.joined
    if not any(word in text for word in _TELLS):
        return
    looks, at = Looks(batch), 0
    while end := _END.search(text, at):
        last, after = end[0]
        begin, stop = batch.bounds_at(last)
        if not looks.take(last):
            yield Finding(CROWDED, last, stop)
            after = stop
        elif body := _BODY.fullmatch(text[max(begin, at, last - LONGEST) : last]):
            start = max(begin, at, last - LONGEST)
            yield Finding("private-key", start + body[1][0], start + body[1][1])
        at = after
