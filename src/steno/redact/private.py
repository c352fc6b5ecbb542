"""`<private>` blocks: what a person asked us not to keep."""

from __future__ import annotations

from collections.abc import Iterator

from steno.redact.batch import Batch, Edit
from steno.redact.engine import compile_bytes
from steno.redact.marker import PRIVATE

_TAG = compile_bytes(r"(?i:<private(?:\s[^<>\x00]{0,100})?>|</private\s{0,10}>)")


def private_edits(batch: Batch) -> list[Edit]:
    """Each block of each text; an unclosed one reaches to the end of its text.

    Blocks nest: the block ends with the tag that closes its first one. A stray second
    opening tag therefore hides too much rather than too little.
    """
    edits: list[Edit] = []
    opened: int | None = None
    depth = end = 0
    for start, stop, closing in _tags(batch.joined):
        if opened is not None and start > end:
            edits.append(Edit(opened, end, PRIVATE))
            opened = None
        if opened is None:
            if not closing:
                opened, depth, end = start, 1, batch.end_at(start)
            continue
        depth += -1 if closing else 1
        if depth == 0:
            edits.append(Edit(opened, stop, PRIVATE))
            opened = None
    if opened is not None:
        edits.append(Edit(opened, end, PRIVATE))
    return edits


def _tags(joined: bytes) -> Iterator[tuple[int, int, bool]]:
    found = _TAG.search(joined)
    while found:
        start, stop = found.span()
        yield start, stop, joined[start + 1] == ord("/")
        found = _TAG.search(joined, stop)
