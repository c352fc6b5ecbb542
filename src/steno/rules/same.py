"""Whether two rules say the same. Being wrong here loses an instruction, so their claims must agree nearly whole."""

import re
from typing import Final

from steno.language.claims import Claim, claim
from steno.language.common import COMMON_WORDS
from steno.language.same_word import one_word
from steno.language.words import normal

# Of so many words the longer one may have one more, or one may be another.
_WITH_ONE_OTHER: Final = 4
# Longer rules are compared by their beginning.
_LONGEST: Final = 1000
# Words that turn a meaning round and that no claim holds.
_TURNS: Final = re.compile(r"\b(?:only|first|then|nur)\b|\brefused:", re.IGNORECASE)
_OPPOSITES: Final = frozenset(
    frozenset(map(one_word, pair.split("/")))
    for pair in "start/stop run/stop open/close add/remove put/take give/take push/pull send/return read/write "
    "load/save old/new first/last good/bad right/wrong small/large keep/change keep/move ask/tell".split()
)


def same(one: str, other: str, *, word_by_word: bool = False) -> bool:
    """Whether two rules say the same: the same beginning with different reasons behind it, or the same meaning.

    `word_by_word` is for what must not be lost: neither may have a word the other has not.
    """
    if word_by_word and max(len(one), len(other)) > _LONGEST:
        return one == other
    if normal(one[:_LONGEST]) == normal(other[:_LONGEST]) != "":
        return True
    this, that = claim(one), claim(other)
    if _fixed(one, this) != _fixed(other, that):
        return False
    if (this.wants, this.refuses) == (that.wants, that.refuses):
        return bool(this.about) and _in_order(this) == _in_order(that)
    return not word_by_word and _nearly(this, that)


def _fixed(text: str, said: Claim) -> tuple[object, ...]:
    """What must be the same in both, always: numbers, options, code, names, when it holds, and what turns it round."""
    turns = sorted(turn.lower() for turn in _TURNS.findall(text[:_LONGEST]))
    return said.values, said.names, said.limits, said.negated, turns


def _in_order(said: Claim) -> tuple[str, ...]:
    return tuple(word for word in said.order if word in said.about)


def _nearly(this: Claim, that: Claim) -> bool:
    """Whether one has a word more, or one word of work itself ("check" for "verify") stands in the other's place."""
    more, other = this.about - that.about, that.about - this.about
    if min(len(this.about | this.limits), len(that.about | that.limits)) < _WITH_ONE_OTHER or len(more | other) > 2:
        return False
    if not more or not other:
        return len(more | other) == 1
    return more | other <= COMMON_WORDS and more | other not in _OPPOSITES
