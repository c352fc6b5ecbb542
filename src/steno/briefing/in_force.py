"""Decisions in force: what people surely settled beyond the moment, each as their last words on it have it.

What was asked for once and done is none. Where later words come back to what was settled, those are told: they are what
holds, and nobody has to say what they do.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from steno.language.claims import claim
from steno.language.kinds import kin
from steno.language.lexicon import lexicon
from steno.language.words import content_words
from steno.vocabulary import PEOPLE, Entry

# From here on words surely choose something, and for longer than until it is done. Below it stood, in 16 sessions, what
# to do next ("let's fix it", "switch to that branch") and thoughts aloud.
_SURELY, _LASTING = 0.5, 0.25
# Fewer words do not say what was chosen, nor that the same thing is spoken of.
_TELLING: Final = 2
# Who settles or refuses something that has this share of the words of an older decision speaks of the same.
_SAME: Final = 0.6


def in_force(said: Sequence[Entry]) -> list[Entry]:
    """The decisions among what people said, the oldest first, each replaced by what came back to it last."""
    held: dict[str, Entry] = {}
    for place, entry in enumerate(said):
        if _settles(entry):
            last = _last_word(entry, said[place + 1 :])
            held[last.id] = last
    return list(held.values())


def _settles(entry: Entry) -> bool:
    weight, exchange = entry.detail.weight, entry.detail.exchange
    if entry.category != "decision" or entry.certainty != "confirmed" or entry.origin not in PEOPLE:
        return False
    if len(content_words(_chosen(entry))) < _TELLING:
        return False
    # What a person recorded, or answered to a question put through a tool, was not weighed.
    unweighed = entry.origin == "edit" or (exchange.kind == "question" and not weight.lasting)
    return unweighed or (weight.act == "choose" and weight.probability >= _SURELY and weight.lasting >= _LASTING)


def _last_word(entry: Entry, later: Sequence[Entry]) -> Entry:
    """What was said last about it. Words that come back to it may be come back to in turn."""
    for place, other in enumerate(later):
        if _turn(other) != _turn(entry) and _comes_back(other, _about(_chosen(entry))):
            return _last_word(other, later[place + 1 :])
    return entry


def _comes_back(other: Entry, about: frozenset[str]) -> bool:
    """Whether words settle something anew, or turn away from it; who turns may point at what was said of it."""
    words = _said(other)
    own = _about(words)
    if lexicon("turning").search(words):
        found = own | _about(other.detail.exchange.answered)
        shared = found & about
        is_value = any(word.isdecimal() for word in shared)
        return is_value or len(shared) >= _TELLING or (bool(shared) and any(_others_of_a_kind(found, about)))
    settles = other.category in ("decision", "rejected", "rule")
    return settles and len(own & about) >= max(_TELLING, _SAME * len(about))


def _others_of_a_kind(found: frozenset[str], about: frozenset[str]) -> Iterator[str]:
    """Things that could stand in the place of one that was named."""
    return (one for one in found - about if any(kin(one) & kin(old) for old in about))


def _turn(entry: Entry) -> int | str:
    return entry.evidence[0].turn if entry.evidence else entry.id


def _chosen(entry: Entry) -> str:
    """What it comes to: of an answer by a letter, the words of the option."""
    return entry.detail.what or _said(entry)


def _said(entry: Entry) -> str:
    return entry.detail.exchange.said or entry.summary


def _about(text: str) -> frozenset[str]:
    return claim(text).about
