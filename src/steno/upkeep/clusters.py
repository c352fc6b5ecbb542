"""Entries that belong together: near each other in meaning where they have vectors, else by the words they share."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from steno.language.words import content_words, stems
from steno.vocabulary import Entry

# How near two vectors, or how many common words, speak of one thing.
_NEAR: Final = 0.55
_COMMON: Final = 0.3
FEWEST: Final = 3
MOST: Final = 12
_TITLE: Final = 4


def clusters(entries: Sequence[Entry], vectors: Mapping[str, bytes]) -> list[list[Entry]]:
    """Groups of entries of one project, none in two of them; the largest first."""
    found: list[list[Entry]] = []
    for project in sorted({entry.project or "" for entry in entries}):
        here = [entry for entry in entries if (entry.project or "") == project]
        found += _grouped(here, _neighbours(here, vectors))
    return sorted(found, key=lambda group: (-len(group), group[0].id))


def title(members: Sequence[Entry]) -> str:
    """Words most of them share: no claim, only what it is about."""
    counts = Counter(word for entry in members for word in set(content_words(_said(entry), 40)))
    shared = [word for word, number in counts.most_common(3 * _TITLE) if number > 1 and not word.isdigit()]
    return ", ".join(sorted(shared, key=lambda word: (-counts[word], word))[:_TITLE]) or "what belongs together"


def _said(entry: Entry) -> str:
    """The words somebody said, without ours around them."""
    return entry.evidence[0].quote if entry.evidence else entry.summary


def _grouped(entries: Sequence[Entry], near: Mapping[str, set[str]]) -> list[list[Entry]]:
    """Around those with most neighbours first."""
    by_id = {entry.id: entry for entry in entries}
    left, groups = set(by_id), []
    for id_ in sorted(by_id, key=lambda one: (-len(near[one]), one)):
        around = sorted(near[id_] & left)[: MOST - 1]
        if id_ in left and len(around) + 1 >= FEWEST:
            left -= {id_, *around}
            groups.append(
                sorted((by_id[one] for one in (id_, *around)), key=lambda one: (one.created_at or "", one.id))
            )
    return groups


def _neighbours(entries: Sequence[Entry], vectors: Mapping[str, bytes]) -> dict[str, set[str]]:
    near: dict[str, set[str]] = {entry.id: set() for entry in entries}
    sizes = Counter(len(vectors[entry.id]) for entry in entries if entry.id in vectors)
    # One row of numbers each: what is longer or of another model is compared by its words.
    size = sizes.most_common(1)[0][0] if sizes else 0
    with_meaning = [entry for entry in entries if size and len(vectors.get(entry.id, b"")) == size]
    _by_meaning(with_meaning, vectors, near)
    known = {entry.id for entry in with_meaning}
    words = {entry.id: stems(_said(entry)) for entry in entries}
    for place, one in enumerate(entries):
        for other in entries[place + 1 :]:
            if one.id in known and other.id in known:
                continue
            both = words[one.id] | words[other.id]
            if both and len(words[one.id] & words[other.id]) >= _COMMON * len(both):
                near[one.id].add(other.id)
                near[other.id].add(one.id)
    return near


def _by_meaning(entries: Sequence[Entry], vectors: Mapping[str, bytes], near: dict[str, set[str]]) -> None:
    if not entries:
        return
    import numpy as np

    numbers = np.frombuffer(b"".join(vectors[entry.id] for entry in entries), np.int8).reshape(len(entries), -1)
    units = numbers.astype(np.float32)
    units /= np.maximum(np.linalg.norm(units, axis=1, keepdims=True), 1e-9)
    for one, other in np.argwhere(np.triu(units @ units.T, 1) >= _NEAR):
        near[entries[one].id].add(entries[other].id)
        near[entries[other].id].add(entries[one].id)
