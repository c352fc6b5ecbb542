"""Where a person stands, as rules and gates read it: their words, what these refuse, and whether it lasts."""

from typing import Final

from steno.language.clauses import sentence_clauses
from steno.language.lexicon import lexicon
from steno.language.polarity import Polarity, polarity
from steno.vocabulary import PEOPLE, Entry

_NO: Final[frozenset[Polarity]] = frozenset({"refuses", "keeps", "spares"})


def own_words(entry: Entry) -> str:
    """The sentence a person said; after they wrote or corrected it by hand, what they wrote."""
    return entry.evidence[0].quote if entry.evidence and entry.origin != "edit" else entry.summary


def refused(entry: Entry) -> list[str]:
    """What an entry says no to, in words that were said: one text for each no; none where it says no to nothing.

    A refused call is none of them: what it is can be compared as it is.
    """
    detail = entry.detail
    # What a person wrote by hand takes the place of what was heard.
    text = own_words(entry) if entry.origin == "edit" else detail.stance.refused
    if not text and entry.category == "rejected" and detail.exchange.call is None:
        text = detail.exchange.answered or own_words(entry)
    return says_no(text or own_words(entry)) or ([text] if text else [])


def says_no(text: str) -> list[str]:
    """The clauses of a text that say no to something; a bare no says none."""
    bare = lexicon("no")
    return [
        clause.text
        for place, clause in enumerate(sentence_clauses(text))
        if not clause.asks and polarity(clause.text, first=not place) in _NO and not bare.covers(clause.text)
    ]


def lasts(entry: Entry) -> bool:
    """Whether a person's words hold until a person says otherwise: they were meant to, or written down by hand."""
    return entry.origin == "edit" or (entry.origin in PEOPLE and entry.detail.stance.reach == "standing")


def binds(entry: Entry) -> bool:
    """Whether an entry may stand in the way: a person's refusal or instruction, sure and for good."""
    return entry.category in ("rejected", "rule") and entry.is_sure and lasts(entry)
