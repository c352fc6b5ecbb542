"""Things of one kind in software work: a refused member is found by its kind, and a refused kind by its members.

"No cache layer" is about redis, too, though nobody said so. A word found this way counts less than the word itself.
"""

from collections import defaultdict
from collections.abc import Iterator
from functools import cache

from steno.language.same_word import one_word
from steno.language.words import table


def kin(word: str) -> frozenset[str]:
    """The kinds a word belongs to, or what belongs to it, by stem."""
    return _kin().get(word, frozenset())


def _kinds() -> Iterator[tuple[frozenset[str], frozenset[str]]]:
    for line in table("kinds"):
        heads, _, members = line.partition(": ")
        yield frozenset(map(one_word, heads.split())), frozenset(map(one_word, members.split()))


@cache
def _kin() -> dict[str, frozenset[str]]:
    kin: dict[str, set[str]] = defaultdict(set)
    for heads, members in _kinds():
        for head in heads:
            kin[head] |= members - {head}
        for member in members:
            kin[member] |= heads - {member}
    return {word: frozenset(others) for word, others in kin.items()}
