"""Decisions in force: what people settled, each as their last words on it have it.

Where later words come back to what was settled, those are told: they are what holds, and nobody has to say what they
do.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from steno.language.kinds import kin
from steno.language.lexicon import lexicon
from steno.language.same_word import words_of
from steno.vocabulary import Entry

# Fewer words do not say what was chosen, nor that the same thing is spoken of.
_TELLING: Final = 2
# Who settles or refuses something that has this share of the words of an older decision speaks of the same.
_SAME: Final = 0.6


class _Words(NamedTuple):
    """An entry as it is compared: what it is about by its own words, and with what they answered."""

    entry: Entry
    turn: int | str
    # Of what was chosen: of a yes or an answer by a letter, the words of what was put to them.
    chosen: frozenset[str]
    own: frozenset[str]
    around: frozenset[str]
    # Of what kinds the things around are that are of any.
    kinds: dict[str, frozenset[str]]
    turns: bool


def in_force(said: Sequence[Entry]) -> list[Entry]:
    """The decisions among what people said, the oldest first, each replaced by what came back to it last."""
    words = list(map(_words, said))
    held = (_last_word(one, words[place + 1 :]) for place, one in enumerate(words) if _settles(one))
    return list({one.entry.id: one.entry for one in held}.values())


def _settles(one: _Words) -> bool:
    entry = one.entry
    return entry.category == "decision" and entry.certainty == "confirmed" and len(one.chosen) >= _TELLING


def _last_word(one: _Words, later: Sequence[_Words]) -> _Words:
    """What was said last about it. Words that come back to it may be come back to in turn."""
    for other in later:
        if other.turn != one.turn and _comes_back(other, one):
            one = other
    return one


def _comes_back(other: _Words, one: _Words) -> bool:
    """Whether words settle something anew, or turn away from it; who turns may point at what was said of it."""
    if not other.turns:
        settles = other.entry.category in ("decision", "rejected", "rule")
        return settles and len(other.own & one.chosen) >= max(_TELLING, _SAME * len(one.chosen))
    shared = other.around & one.chosen
    if not shared or len(shared) >= _TELLING:
        return bool(shared)
    return any(word.isdecimal() for word in shared) or _names_another(other, one)


def _names_another(other: _Words, one: _Words) -> bool:
    """Whether it names something that could stand in the place of what was chosen."""
    chosen = frozenset[str]().union(*(kinds for word, kinds in one.kinds.items() if word in one.chosen))
    return any(kinds & chosen for word, kinds in other.kinds.items() if word not in one.chosen)


def _words(entry: Entry) -> _Words:
    exchange = entry.detail.exchange
    said = exchange.said or entry.summary
    own = words_of(said)
    turn = entry.evidence[0].turn if entry.evidence else entry.id
    turns = lexicon("turning").search(said) is not None
    around = own | words_of(exchange.answered)
    chosen = words_of(entry.detail.what) or (own if len(own) >= _TELLING else around)
    kinds = {word: found for word in around | chosen if (found := kin(word))}
    return _Words(entry, turn, chosen, own, around, kinds, turns)
