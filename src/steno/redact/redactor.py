"""The front of this room: texts in, texts without secrets out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from steno.redact.batch import Batch, Edit, portions
from steno.redact.extra import KIND, Extra
from steno.redact.keys import key_ends
from steno.redact.marker import Markers
from steno.redact.private import private_edits
from steno.redact.rules import Finding, load_rulebooks
from steno.redact.sweep import sweep
from steno.redact.unseen import Seen, hides_any

# What is found is replaced, and a replacement can lay bare a neighbour: the token in
# https://TOKEN:password@host, or with a user's pattern `foo\b` the first of "foofoo".
# Repeating until nothing changes makes cleaning cleaned text a no-op; the bound keeps
# a hostile pattern from making it quadratic.
_MOST_ROUNDS = 8

Finder = Callable[[Batch], Iterator[Finding]]


class Cleaned(NamedTuple):
    # Same length and order as the input; an unchanged text is the very same object.
    texts: list[str]
    # How many pieces of which kind were removed.
    counts: dict[str, int]


class Redactor:
    """Removes secrets with the packaged patterns and the user's own.

    Guarantees time linear in the text and markers that are stable within one store.
    Does not guarantee to know every secret: a password in plain prose, without a name
    beside it, looks like any other word.
    """

    def __init__(self, *, secret: bytes, extra: Sequence[str] = ()) -> None:
        self._markers = Markers(secret)
        self._extra = Extra(extra)
        broken, values, tokens = (partial(sweep, book=book) for book in load_rulebooks())
        self._finders: tuple[Finder, ...] = (broken, values, key_ends, tokens)

    def clean(self, texts: Sequence[str]) -> Cleaned:
        """The texts without their secrets, and what was taken."""
        cleaned = list(texts)
        counts: Counter[str] = Counter()
        for portion in portions(texts):
            changed = [(n, texts[n].encode("utf-8", "surrogatepass")) for n in portion]
            for _ in range(_MOST_ROUNDS):
                changed = self._round(changed, counts)
                if not changed:
                    break
                for number, data in changed:
                    cleaned[number] = data.decode("utf-8", "surrogatepass")
        return Cleaned(cleaned, dict(counts))

    def _round(self, items: list[tuple[int, bytes]], counts: Counter[str]) -> list[tuple[int, bytes]]:
        """The items that changed, after each step has seen all of them once."""
        numbers = [number for number, _ in items]
        data = [text for _, text in items]
        changed: set[int] = set()
        steps: list[Callable[[list[bytes], Counter[str]], dict[int, bytes]]] = [
            self._hide_private,
            self._take_broken_up,
            *(partial(self._take_secrets, find) for find in self._finders),
            self._take_extra,
        ]
        for step in steps:
            for place, text in step(data, counts).items():
                data[place] = text
                changed.add(place)
        return [(numbers[place], data[place]) for place in sorted(changed)]

    def _hide_private(self, data: list[bytes], counts: Counter[str]) -> dict[int, bytes]:
        batch = Batch(data)
        edits = private_edits(batch)
        if edits:
            counts["private"] += len(edits)
        return batch.apply(edits)

    def _take_broken_up(self, data: list[bytes], counts: Counter[str]) -> dict[int, bytes]:
        """Secrets with something unseen in them or before them."""
        if not hides_any(b"\0".join(data)):
            return {}
        seen = {place: Seen(text) for place, text in enumerate(data) if hides_any(text)}
        changed: dict[int, bytes] = {}
        for find in self._finders:
            places, batch = list(seen), Batch([one.text for one in seen.values()])
            edits: dict[int, list[Edit]] = {}
            for name, start, end in find(batch):
                place, begin = places[batch.number_at(start)], batch.bounds_at(start)[0]
                marker = self._markers.mark(name, batch.joined[start:end])
                edits.setdefault(place, []).append(seen[place].edit(start - begin, end - begin, marker))
                counts[name] += 1
            for place, of_text in edits.items():
                changed[place] = Batch([changed.get(place, data[place])]).apply(of_text)[0]
                seen[place] = Seen(changed[place])
        return changed

    def _take_secrets(self, find: Finder, data: list[bytes], counts: Counter[str]) -> dict[int, bytes]:
        batch = Batch(data)
        edits: list[Edit] = []
        for name, start, end in find(batch):
            edits.append(Edit(start, end, self._markers.mark(name, batch.joined[start:end])))
            counts[name] += 1
        return batch.apply(edits)

    def _take_extra(self, data: list[bytes], counts: Counter[str]) -> dict[int, bytes]:
        changed: dict[int, bytes] = {}
        if self._extra:
            for place, text in enumerate(data):
                new, count = self._extra.clean(text, self._markers)
                if count:
                    changed[place] = new
                    counts[KIND] += count
        return changed
