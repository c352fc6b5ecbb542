"""Whether two rules say the same. Being wrong here loses an instruction, so words must agree nearly whole.

A sentence is taken apart at the words that turn its meaning ("not", "before", "only", …): what stands behind each must
be about the same things. "Use tabs, not spaces" and "use spaces, not tabs" hold the same words and differ in it.
Numbers must be the same in both, always, and a name in one must be in the other.
"""

import re
from functools import lru_cache
from typing import Final

from msgspec import Struct

from steno.language.common import COMMON_WORDS
from steno.language.same_word import one_word
from steno.language.words import stems

# Fewer words than this say too little to be compared by the words they share.
_TELLING: Final = 3
# Of so many words the longer one may have one more.
_ONE_MORE_IN: Final = 4
# Of so many words one may be another.
_WITH_ONE_OTHER: Final = 4
# Longer rules are compared by their beginning.
_LONGEST: Final = 1000

_REASON: Final = re.compile(
    r"\b(?:because|since|otherwise|so that|due to|as it|weil|sonst|denn|damit)\b[^.!?;]*", re.IGNORECASE
)
# A number, an option, something marked as code: the words they are made of are too short to be compared as words.
_EXACT: Final = re.compile(r"\d[\d.,:]*|(?<!\w)--?\w[\w-]*|`[^`]+`")
# A path, a file, a name in code; a word with a capital inside a sentence.
_NAME: Final = re.compile(r"\w+(?:[./:@#\\]\w+)+|\w*_\w+|\b[a-z]+[A-Z]\w*|\b[A-Z]{2,}\b|(?<=[a-z,] )[A-Z]\w+")
_PIECE: Final = re.compile(r"[\w'./@#+-]+|[,;:.!?()–—]")
_TURNS: Final = {
    **dict.fromkeys(
        "no not never don't dont doesn't doesnt cannot can't cant won't wont shouldn't mustn't isn't aren't nor avoid "
        "stop without neither instead rather than over against refused nicht kein keine keinen nie ohne statt".split(),
        "not",
    ),
    **{
        word: word
        for word in "before after until unless if when while during once except only first then from into to vor nach "
        "bis nur wenn bevor".split()
    },
}
# Words that give weight, not meaning.
_WEIGHT: Final = stems(
    "always ever every each please ensure remember important time all any both everything everywhere really immer bitte"
    " jedes stets must should again user rule everybody anyone whole entire future going forward"
)

_OPPOSITES: Final = frozenset(
    frozenset(map(one_word, pair.split("/")))
    for pair in "start/stop run/stop open/close add/remove put/take give/take push/pull send/return read/write "
    "load/save old/new old/current first/last first/next last/next good/bad better/wrong right/wrong small/large "
    "small/big input/output before/after show/leave keep/change keep/move keep/leave keep/replace allow/require "
    "always/only simple/full quick/full same/other same/another ask/tell ask/say".split()
)


class Gist(Struct, frozen=True, kw_only=True):
    """What a sentence says, taken apart."""

    # Behind which turning word what is spoken of; "" is what stands before the first one.
    about: dict[str, frozenset[str]]
    # How often each turning word stands there.
    turned: dict[str, int]
    # Numbers, options, code.
    exact: frozenset[str]
    names: frozenset[str]
    # Everything it is about, by stems; every word in it.
    words: frozenset[str]
    every: frozenset[str]


def same(one: str, other: str, *, word_by_word: bool = False) -> bool:
    """Whether two rules say the same: the same beginning with different reasons behind it, or the same meaning.

    `word_by_word` is for what must not be lost: neither may have a word the other has not.
    """
    if word_by_word and max(len(one), len(other)) > _LONGEST:
        return one == other
    this, that = gist(one), gist(other)
    if this.exact != that.exact or this.turned != that.turned:
        return False
    if this.about == that.about:
        return bool(this.words) or one == other or _bare(one) == _bare(other) != ""
    if word_by_word or this.names - that.every or that.names - this.every:
        return False
    return _one_says_more(this, that) or _one_word_differs(this, that)


@lru_cache(maxsize=8192)
def gist(text: str) -> Gist:
    """A sentence without its reason and the scribe's opening, taken apart. Numbers count also in the reason."""
    whole = _said(text)
    said = _REASON.sub("", whole) or whole
    about: dict[str, list[str]] = {"": []}
    turned: dict[str, int] = {}
    place = ""
    for piece in _PIECE.findall(said):
        word = piece.lower().strip("'.")
        if word in _TURNS:
            place = _TURNS[word]
            turned[place] = turned.get(place, 0) + 1
            about.setdefault(place, [])
        elif not word[:1].isalnum():
            place = ""
        else:
            about[place].append(word)
    stemmed = {place: stems(" ".join(words), _LONGEST) - _WEIGHT for place, words in about.items()}
    return Gist(
        about=stemmed,
        turned=turned,
        exact=frozenset(found.strip("`.,:").lower() for found in _EXACT.findall(whole)),
        names=frozenset(found.lower() for found in _NAME.findall(said)),
        words=frozenset().union(*stemmed.values()),
        every=frozenset(word for words in about.values() for word in words),
    )


def _one_says_more(this: Gist, that: Gist) -> bool:
    """Whether one of the two has a word more, and all else is the same."""
    if this.about.keys() != that.about.keys() or min(len(this.words), len(that.words)) < _TELLING:
        return False
    small, large = sorted((this, that), key=lambda gist: len(gist.words))
    if any(not small.about[place] <= large.about[place] for place in small.about):
        return False
    more = sum(len(large.about[place] - small.about[place]) for place in large.about)
    return more <= len(small.words) // _ONE_MORE_IN


def _one_word_differs(this: Gist, that: Gist) -> bool:
    """Whether one word of four or more stands in the other's place: another name of the same thing, or a word of work
    itself ("check" for "verify"), unless it turns the meaning round."""
    if this.about.keys() != that.about.keys() or min(len(this.words), len(that.words)) < _WITH_ONE_OTHER:
        return False
    ours, theirs = _own(this, that), _own(that, this)
    if len(this.words - that.words) != 1 or len(that.words - this.words) != 1 or not (ours and theirs):
        return False
    one, other = one_word(ours), one_word(theirs)
    return one == other or ({one, other} <= COMMON_WORDS and frozenset({one, other}) not in _OPPOSITES)


def _own(this: Gist, that: Gist) -> str:
    """A word, as it was said, that only one of two sentences is about."""
    alone = this.words - that.words
    return next((word for word in this.every - that.every if stems(word) & alone), "")


def _said(text: str) -> str:
    return text[:_LONGEST].replace("’", "'")


def _bare(text: str) -> str:
    return " ".join(re.findall(r"\w+", _said(text).casefold()))
