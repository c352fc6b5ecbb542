"""From ranked candidates to an answer: nothing twice, what was said around it, within a budget of tokens."""

import re
from collections.abc import Iterable
from typing import Final

from msgspec import structs

from steno.tokens import count, cut
from steno.vocabulary import Hit, Neighbour

_WORD: Final = re.compile(r"\w+")
# What is no longer than this is quoted whole. Of a longer text the words that are looked for stand within so much; to
# begin and end with a sentence, a quote reaches further on either side.
_WHOLE, _HELD = 360, 200
_BACK, _ON = 80, 120
_ENDS: Final = re.compile(r"(?<=[.!?。！？])\s+|\s*\n\s*|(?<=[。！？])")
_NEIGHBOUR: Final = 280
# Two texts that share so much of their words say the same.
_SAME: Final = 0.9
# Fewer tokens than this say nothing.
_LEAST: Final = 24


def passage(text: str, words: Iterable[str]) -> str:
    """The verbatim piece of a text that holds most of the words; all of it if it is short."""
    if len(text) <= _WHOLE:
        return text
    lowered = text.casefold()
    stems = [word[:5] if len(word) > 5 else word for word in words]
    begins = len(text) - len(text.lstrip())
    if len(lowered) != len(text) or not stems:
        return _around(text, begins)
    places = sorted(place for stem in stems for place in _places(lowered, stem))
    return _around(text, max(places, key=lambda start: _held(lowered, places, start), default=begins))


def around(text: str, quote: str) -> str:
    """A quote with the sentences it stands in; all of a text that is short."""
    return text if len(text) <= _WHOLE else _around(text, max(0, text.find(quote)))


def holding(hit: Hit, phrase: str) -> Hit:
    """A hit that quotes where a phrase stands in it, if that is one place and not spread over the text."""
    words = r"\W+".join(map(re.escape, _WORD.findall(phrase)))
    found = re.search(rf"(?<!\w){words}(?!\w)", hit.text, re.IGNORECASE)
    if hit.kind == "entry" or len(hit.text) <= _WHOLE or found is None:
        return hit
    return structs.replace(hit, quote=_around(hit.text, found.start()))


def _around(text: str, place: int) -> str:
    """The sentences around a place; where they are long, words of them."""
    back, most = max(0, place - _BACK), place + _HELD
    begins = [0] * (back == 0) + [one.end() for one in _ENDS.finditer(text, back, place)]
    # At the end of a text what stands before tells more than nothing.
    nearest = 0 if len(text) - place < _HELD // 2 else -1
    start = begins[nearest] if begins else _word_start(text, max(0, place - _BACK // 2))
    if len(text) - start <= _WHOLE:
        return text[start:].rstrip()
    ends = _ENDS.search(text, most, most + _ON)
    return text[start : ends.start() if ends else _word_start(text, most)].strip()


def neighbour(turn: int, role: str, text: str) -> Neighbour:
    """What was said beside a hit, in short."""
    return Neighbour(turn, role, text if len(text) <= _NEIGHBOUR else f"{text[:_NEIGHBOUR]}…")


def fold(hits: Iterable[Hit], most: int) -> list[Hit]:
    """The first hits, each of those that say nearly the same counted under the first of them.

    What was said in two sessions stands twice: it was said by two people, or still held later.
    """
    kept: list[tuple[Hit, frozenset[str]]] = []
    for hit in hits:
        words = frozenset(_WORD.findall(hit.text[:2000].casefold()))
        like = [place for place, (other, said) in enumerate(kept) if other.kind == hit.kind and _same(words, said)]
        if hit.kind != "session" and like and (len(like) > 1 or kept[like[0]][0].session == hit.session):
            first, said = kept[like[0]]
            kept[like[0]] = (structs.replace(first, folded=first.folded + 1), said)
        elif len(kept) == most:
            break
        else:
            kept.append((hit, words))
    return [hit for hit, _ in kept]


def fit(hits: Iterable[Hit], budget: int) -> list[Hit]:
    """Hits whose words cost no more than the budget: what was said around goes first, then what was said earlier, then
    what was said later, then the text."""
    kept: list[Hit] = []
    for hit in hits:
        smaller = _smaller(hit, budget)
        if smaller is None:
            break
        kept.append(smaller)
        budget -= cost(smaller)
    return kept


def cost(hit: Hit) -> int:
    """Tokens of everything a hit hands out."""
    beside = [one.text for one in (*hit.context, hit.earlier, hit.later) if one is not None]
    return sum(map(count, (hit.text, hit.quote, hit.reason, *beside)))


def _smaller(hit: Hit, budget: int) -> Hit | None:
    if cost(hit) <= budget:
        return hit
    bare = hit
    for less in ({"context": ()}, {"earlier": None}, {"later": None}):
        bare = structs.replace(bare, **less)
        if cost(bare) <= budget:
            return bare
    fixed = count(bare.quote) + count(bare.reason)
    if budget - fixed >= _LEAST:
        return structs.replace(bare, text=cut(bare.text, budget - fixed))
    room = budget - count(bare.reason)
    if room < _LEAST:
        return None
    quote = cut(bare.quote, room)
    return structs.replace(bare, text="", quote=quote)


def _same(one: frozenset[str], other: frozenset[str]) -> bool:
    if not one or not other or min(len(one), len(other)) < 3:
        return one == other
    return len(one & other) >= _SAME * len(one | other)


def _held(text: str, places: list[int], start: int) -> int:
    """How many of the words stand within a quote that begins here."""
    return len({text[place : place + 3] for place in places if 0 <= place - start < _HELD})


def _places(text: str, word: str) -> list[int]:
    found: list[int] = []
    place = text.find(word)
    while place >= 0 and len(found) < 20:
        found.append(place)
        place = text.find(word, place + 1)
    return found


def _word_start(text: str, place: int) -> int:
    """The beginning of the word at a place, if it is near; of what has no spaces, of a part of it."""
    before = text[max(0, place - 24) : place]
    for ends in (str.isspace, _is_no_letter):
        for back, sign in enumerate(reversed(before)):
            if ends(sign):
                return place - back
    return place - len(before) if place <= len(before) else place


def _is_no_letter(sign: str) -> bool:
    return not (sign.isalnum() or sign == "_")
