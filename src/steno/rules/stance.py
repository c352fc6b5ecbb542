"""How far a person's words go: whether they last, whether they bind, and under what condition. Read from the whole
words, never from a part of them."""

import re
from collections.abc import Iterator
from typing import Final

from steno.language.words import plain
from steno.vocabulary import PEOPLE, Entry

_NO: Final = re.compile(
    r"\b(?:no|not|never|nothing|none|nor|don'?t|cannot|can'?t|mustn'?t|shouldn'?t|won'?t|instead of|rather than"
    r"|off limits|nie|niemals|nicht|nichts|kein\w*|statt|tabu)\b|^\W*(?:please )?(?:stop|avoid|hands off|finger weg)\b"
)
# What sounds like a no, and refuses nothing.
_NO_REFUSAL: Final = re.compile(
    r"^\W*(?:if|when|whether|why|wenn|falls|warum)\b|\bno (?:problem|worries|idea|rush|doubt|need|matter|longer)\b"
    r"|\b(?:don'?t|do not|not|can'?t|cannot) "
    r"(?:know|think|see|care|mind|remember|understand|worry|forget|have|need|sure)\b"
)
# Words that forbid or order for good.
_BINDING: Final = re.compile(
    r"\b(?:never|always|nothing|no|not|don'?t|cannot|can'?t|must|mustn'?t|hands off"
    r"|nie|niemals|immer|nicht|nichts|kein\w*|finger weg)\b"
)
# Where one of these stands, the words do not hold everywhere.
_CONDITION: Final = re.compile(
    r"\b(?:without|unless|until|till|before|after|if|when|whenever|while|where|as long as|once|except|exclud\w*"
    r"|apart from|but|only|just|outside|other than|more than|over \d|yet|first|directly|direkt|by hand|by yourself"
    r"|yourself|your own|alone|manually|blindly|silently|unasked|again and again|in case|too (?:many|much|long)"
    r"|ohne|außer|bis|bevor|vor|nach|nachdem|wenn|falls|sobald|solange|während|nur|erst|sondern|aber)\b"
)
# How a plain prohibition begins; "the build does not like it" is none.
_FORBIDS: Final = re.compile(
    r"\W*(?:(?:no|and|or|so|ok|please|you|we|i|bitte|du|wir|ich)\W+)*"
    r"(?:never|no|not|nothing|don'?t|do not|must(?:n'?t| not| never)|cannot|can'?t|stop|avoid|hands off"
    r"|nie|niemals|nicht|nichts|kein\w*|finger weg)\b"
)
# "Always" asks for something; whoever does it breaks nothing.
_ORDERS: Final = re.compile(r"\b(?:always|immer|stets)\b")
# Words behind which it says where or when: "in tests", "on Fridays", but not "in this repo".
_SOMEWHERE: Final = re.compile(
    r"\b(?:in|on|at|during|within|inside|im|am|auf|bei)\b"
    r"(?! (?:this|these|here|our|my|any|all|every|me|it|us|that|the (?:repo\w*|project|code\w*))\b)"
)
# A part of a sentence that says where, when or how.
_NARROWS: Final = re.compile(
    r"\W*(?:in|on|at|for|with|from|of|by|under|into|to|within|inside|during|against|about|auf|bei|für|mit|von|unter)\b"
)
# A longer prohibition says more than what is forbidden; so much may stand around it, as its reason does.
_SHORT, _SAID = 12, 24
# Signs and words between which one thing is said.
_PIECE: Final = re.compile(
    r"[.;!:](?=\s|$)|[,\n()]|(?<=\?)\s|\s[–—-]\s|\s(?=and (?:then|always|never)\s)|\s(?=(?:but|because|since|instead|so"
    r"|unless|until|without|before|after|when|while|if|sondern|weil|aber|ohne|wenn|bevor)\s)"
)


def own_words(entry: Entry) -> str:
    """What a person said, whole; after they wrote or corrected it by hand, what they wrote."""
    return entry.evidence[0].quote if entry.evidence and entry.origin != "edit" else entry.summary


def says_no(text: str) -> Iterator[str]:
    """The pieces of a text that say no to something, questions aside."""
    for piece in _PIECE.split(text):
        low = plain(piece)
        if _NO.search(low) and not _NO_REFUSAL.search(low) and not piece.rstrip(" \"'”’)").endswith(("?", "？")):
            yield piece.strip()


def has_condition(text: str) -> bool:
    """Whether a text may hold in some cases only: it says when, where or for what, or orders something. Where in doubt,
    it does. Such a rule reminds: no matcher sees whether its condition holds."""
    low = plain(text)
    if _CONDITION.search(low) or _ORDERS.search(low) or _SOMEWHERE.search(low):
        return True
    return any(_NARROWS.match(plain(piece)) for piece in _PIECE.split(text) if piece)


def prohibitions(text: str) -> list[str]:
    """What a text plainly forbids, without the words that forbid: one for each no. None where it has a condition."""
    if has_condition(text) or len(text.split()) > _SAID:
        return []
    found = [plain(piece) for piece in says_no(text) if len(piece.split()) <= _SHORT]
    return [_BINDING.sub(" ", piece) for piece in found if _FORBIDS.match(piece)]


def lasts(entry: Entry) -> bool:
    """Whether a person's words hold until a person says otherwise: they were meant to, or written down by hand."""
    return entry.origin == "edit" or (entry.origin in PEOPLE and entry.detail.stance.reach == "standing")


def binds(entry: Entry) -> bool:
    """Whether a person forbids or orders something for good, in so many words."""
    if entry.category not in ("rejected", "rule") or not lasts(entry):
        return False
    return bool(_BINDING.search(plain(entry.summary))) if entry.origin == "edit" else entry.detail.stance.binds
