"""What words ask for, promise or tell of as done: a verb, and what it is done to.

Two are held against each other only to close what is open. Being wrong there loses a task, so words must agree.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from steno.language.lexicon import lexicon
from steno.language.same_word import one_word, words_of
from steno.language.sentence import sentences
from steno.language.words import content_words
from steno.scribe.work.clauses import clauses

# So much of a text is read: it is past any single request.
_MOST: Final = 1_000
# Behind these stands where, for whom and how, not what.
_BEHIND: Final = re.compile(
    r"\b(?:to|in|into|for|on|onto|with|from|by|at|via|so|that|which|where|as|per|under|between|before|after|für|mit|auf)\b"
)
# Where another thing begins, and not another verb.
_AND: Final = re.compile(r"\b(?:and|und|plus)\s+(?=(?:an?|the|another|our|my|eine?n?|die|der|das)\b)", re.IGNORECASE)
_WORD: Final = re.compile(r"[\w-]+")
# Words that give weight, not meaning.
_WEIGHT: Final = words_of("anymore longer now then either please after all")
# Of what was to be done, a no must name this share.
_NAMED: Final = 0.5


class Deed(NamedTuple):
    """One thing to do, by stems."""

    verb: str
    # What it is done to; everything else that is said with it.
    object: frozenset[str]
    beside: frozenset[str]


@lru_cache(maxsize=1024)
def deeds(text: str) -> tuple[Deed, ...]:
    """What a text asks for or promises, in order. When, how and why are left out."""
    return tuple(deed for one in sentences(text[:_MOST]) for part in clauses(one.text) for deed in _deeds(part))


def _tells_of(report: str, deed: Deed) -> bool:
    """Whether a sentence says that this was done: its verb as of something past, or that the thing is finished."""
    if not deed.object or not deed.object <= words_of(report):
        return False
    return _past(report, deed.verb) or (lexicon("finished").search(report) is not None and len(deed.object) > 1)


def tell_of_all(told: Sequence[str], asked: tuple[Deed, ...]) -> bool:
    """Whether sentences say that everything was done that was asked for."""
    return bool(asked) and all(any(_tells_of(one, deed) for one in told) for deed in asked)


def is_dropped(refused: str, asked: tuple[Deed, ...]) -> bool:
    """Whether what somebody does not want is all of what was asked for, and nothing beside it."""
    named = _named(refused)
    return bool(asked) and all(_covers(named, one) for one in asked)


def is_named(refused: str, plan: str) -> bool:
    """Whether a short note of what is to be done holds everything that somebody does not want, and little else."""
    named, noted = _named(refused), words_of(plan)
    return bool(named) and named <= noted and len(named) >= _NAMED * len(noted)


def dropped(text: str) -> list[str]:
    """The clauses of a text that say that something is not wanted any more."""
    return [part for one in sentences(text[:_MOST]) for part in clauses(one.text) if _drops(part)]


def without_dropped(text: str) -> str:
    """A text without the clauses that only drop something."""
    if not dropped(text):
        return text
    return ", ".join(part for one in sentences(text) for part in clauses(one.text) if not _drops(part))


def _named(refused: str) -> frozenset[str]:
    bare = lexicon("dropping").without(refused)
    return words_of(lexicon("removed").without(lexicon("removal").without(bare))) - _WEIGHT


def _drops(part: str) -> bool:
    return lexicon("dropping").search(part) is not None


def _covers(named: frozenset[str], deed: Deed) -> bool:
    whole = deed.object | ({deed.verb} & named)
    shared = named & whole
    return bool(shared & deed.object) and named <= whole | deed.beside and len(shared) >= _NAMED * len(whole)


def _deeds(part: str) -> Iterator[Deed]:
    """What a clause asks for, one deed for each thing: "add a and b". "Alright, add it" asks for the same as "add it",
    and "I'll add it" promises that."""
    promise = lexicon("promise").search(part)
    beside = any(lexicon(name).opens(part) for name in ("condition", "reason", "statement"))
    if promise is None and (beside or _BEHIND.match(part.lower())):
        return
    said = lexicon("yes").without(part[promise.end :] if promise else part)
    if found := lexicon("condition").search(said):
        said = said[: found.start]
    order = content_words(said)
    if not order:
        return
    verb = order[0]
    at = said.lower().find(verb) + len(verb)
    behind = _BEHIND.search(said.lower(), at)
    things = [words_of(thing) for thing in _AND.split(said[at : behind.start()] if behind else said[at:])]
    near, all_, one = frozenset[str]().union(*things), words_of(said[at:]), one_word(verb)
    for thing in list(filter(None, things)) or [all_]:
        yield Deed(one, thing - {one}, all_ - near)


def _past(report: str, verb: str) -> bool:
    """Whether a verb stands in a sentence as of something past."""
    told = (word for word in _WORD.findall(report.lower()) if one_word(word) == verb)
    return any(word.endswith("ed") or lexicon("past").covers(word) for word in told)
