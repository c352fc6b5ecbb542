"""`<private>` blocks: what a person asked us not to keep."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from steno.redact.batch import Batch, Edit, Looks
from steno.redact.engine import compile_bytes
from steno.redact.marker import PRIVATE

# Written by hand, so spaces, line breaks and attributes may stand anywhere; \xc2\xa0 is a space that does not break.
_SPACE = r"(?:\s|\xc2\xa0){0,20}"
_TAG = compile_bytes(
    rf"(?i:<{_SPACE}private(?:(?:\s|\xc2\xa0)[^<>\x00]{{0,200}}|/)?>|<{_SPACE}/{_SPACE}private(?:\s[^<>\x00]{{0,200}})?>)"
)
# Nobody writes a hundred tags, and in a long text one more for each of so many bytes.
_BYTES_PER_TAG = 1024


def hide_private(texts: Sequence[str]) -> tuple[list[str], int]:
    """The texts of one message without its private blocks, and how many there were; one that is not closed reaches to
    the end of the message."""
    batch = Batch([text.encode("utf-8", "surrogatepass") for text in texts])
    edits = private_edits(batch, one_message=True)
    changed = batch.apply([part for edit in edits for part in batch.by_text(edit)])
    hidden = [changed[n].decode("utf-8", "surrogatepass") if n in changed else text for n, text in enumerate(texts)]
    return hidden, len(edits)


def private_edits(batch: Batch, *, one_message: bool = False) -> list[Edit]:
    """Each block of each text; an unclosed one reaches to the end of its text, or of all texts if they are one message.

    Blocks nest: the block ends with the tag that closes its first one. A stray second
    opening tag therefore hides too much rather than too little. So does a text with more
    tags than anybody writes: it is hidden from there to its end.
    """
    edits: list[Edit] = []
    opened: int | None = None
    depth = end = 0
    for start, stop, closing in _tags(batch):
        if opened is not None and start > end:
            edits.append(Edit(opened, end, PRIVATE))
            opened = None
        if opened is None:
            if not closing:
                opened, depth, end = start, 1, len(batch.joined) if one_message else batch.end_at(start)
            continue
        depth += -1 if closing else 1
        if depth == 0:
            edits.append(Edit(opened, stop, PRIVATE))
            opened = None
    if opened is not None:
        edits.append(Edit(opened, end, PRIVATE))
    return edits


def _tags(batch: Batch) -> Iterator[tuple[int, int, bool]]:
    joined, looks = batch.joined, Looks(batch, _BYTES_PER_TAG)
    found = _TAG.search(joined)
    while found:
        start, stop = found[0]
        if looks.take(start):
            yield start, stop, b"/" in joined[start : start + joined[start:stop].lower().index(b"private")]
        else:
            stop = looks.end
            yield start, stop, False
        found = _TAG.search(joined, stop)
