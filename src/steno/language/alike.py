"""Whether two texts say the same, or cannot both hold: told by their words alone.

A person's words are given up only for the very same words, so every condition counts. What is not seen plainly goes
together.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from steno.language.facts import stated
from steno.language.same_word import names_of, one_word
from steno.language.sentence import sentences
from steno.language.words import key, pairs, plain
from steno.vocabulary import PEOPLE
from steno.vocabulary.details import Decided
from steno.vocabulary.entries import Compared

BEHAVIOUR: Final = frozenset({"rule", "rejected"})
# Of these one may stand against another; all else only against its own category.
RULINGS: Final = BEHAVIOUR | {"decision"}
# Of lessons that come to the same, so long a beginning or such a share of the telling words is common to both.
_BEGINNING: Final = 40
_SHARED: Final = 0.8

_WORD: Final = re.compile(r"(?<!\w)--?(?=\w)|\d+(?:[.,:]\d+)*\w*|\w+(?:'\w+)*[+#]*|[<>=%$€]+")
# What is said for politeness, or that it was said before.
_POLITE: Final = re.compile(
    r"\b(?:please|pls|plz|kindly|ok|okay|btw|by the way|hey|hi|hello|thanks|thank you|thx|bitte|danke|hallo"
    r"|i (?:already )?(?:told you|said)(?: that| this| it)?(?=[,:])|(?:like|as) i said|wie gesagt)\b"
)
# What gives an order weight, and what is answered before it: "no, use tabs".
_AROUND: Final = re.compile(
    r"^\W*(?:no|nope|nah|nein|yes|yeah|yep|ja|doch)\s*[,.!:;–—]\s*(?=\w)|\b(?:from now on|at all|every time|any ?more"
    r"|make sure(?: that| to| you)*|(?:don't|dont|do not|never) forget(?: to)?|ab jetzt|ab sofort|in zukunft)\b"
)
# A number that says how much, and not which of many things is meant.
_SET: Final = re.compile(
    r"\b((?:is|are|to|at|of|most|least|within|every|by|than|over|under|use(?: [a-z]+)?|auf|höchstens|mindestens) )"
    r"(\d[\w.,:]*\b|two|three|four|five|six|eight|ten|zwei|drei|vier|fünf|zehn)"
)
# A choice for something, which leaves no room for a second one there.
_CHOICE: Final = re.compile(
    r"\b(?:go(?:ing)? with|pick|choose|settled? on|stick with|decided? (?:on|for)|nehmen wir) .{1,60}?"
    r" (?:for|as|für|als) ([^,;:(]{2,80}?)(?:,? (?:because|since|weil|da)\b.*)?$"
)
_NO: Final = frozenset(
    "no not never dont doesnt didnt cant cannot wont shouldnt mustnt isnt arent neither nor without stop avoid nie"
    " niemals nicht kein keine keinen keinem keiner ohne".split()
)
# Words that are neither ordered nor forbidden.
_BESIDE: Final = frozenset(
    "a an the this that these those it its ill im id ive we i you he they us me my our your their is are be do does did"
    " can could may might must shall should will would have has had to of so then and just really ever always again"
    " want wants need needs let lets use using used like der die das den dem des ein eine einen einem einer ist sind"
    " wir ich du ihr sie es mich uns muss müssen soll sollen darf dürfen kann können möchte will wollen mal immer stets"
    " und".split()
)


class _Ruling(NamedTuple):
    """A sentence as an order: by stems what it is about, how often it says no, and the numbers it sets."""

    about: tuple[str, ...]
    noes: int
    numbers: list[str]


def same(one: str, other: str) -> bool:
    """Whether two texts are the same words, but for case, punctuation, markup and politeness."""
    return one == other or spoken(one) == spoken(other) != ()


def repeats(new: str, older: str) -> bool:
    """Whether a text was said before, or stands in an older one as whole sentences: never without its condition."""
    return same(new, older) or (bool(_said(new)) and _said(new) <= _said(older))


def nearly_same(one: str, other: str) -> bool:
    """Whether two lessons come to the same: one beginning, or nearly all telling words, and the same numbers, names and
    noes. A person's words are never held so."""
    if same(one, other) or _fixed(one) != _fixed(other):
        return same(one, other)
    this, that = telling(one), telling(other)
    alike = _beginning(one) == _beginning(other) or len(this & that) >= _SHARED * len(this | that)
    return alike and bool(this)


def opposed(one: str, other: str) -> bool:
    """Whether a sentence of one text forbids what one of the other orders, or they set another number for the same."""
    return any(_opposed(this, that) for this in _rulings(one) for that in _rulings(other) if this.about == that.about)


def says_no(text: str) -> bool:
    """Whether there is a no in a text."""
    return not _NO.isdisjoint(spoken(text))


def keys(entry: Compared) -> list[int]:
    """Numbers of which two entries have one in common if they may be the same or stand against each other. What says
    nothing by itself has none."""
    found: list[tuple[object, ...]] = []
    if telling(entry.said):
        found += [("said", entry.category, words) for words in _said(entry.said)]
    if entry.category in RULINGS:
        found += [("about", ruling.about) for ruling in _rulings(entry.words)]
    found += settled(entry)
    if entry.category == "learning" and entry.origin not in PEOPLE:
        found += near(entry.words)
    return [key(*parts) for parts in found]


def settled(entry: Compared) -> set[tuple[object, ...]]:
    """What a fact or a decision settles: of two that settle the same only one can hold."""
    if entry.category not in ("decision", "fact"):
        return set()
    found: set[tuple[object, ...]] = {fact[:2]} if (fact := stated(entry.words)) else set()
    if isinstance(entry.detail, Decided):
        choice = _CHOICE.search(plain(entry.words).rstrip(" .!"))
        found |= {("choice", spoken(choice[1]))} if choice else set()
        found |= {("question", spoken(entry.detail.question))} if entry.detail.question else set()
    return found


def near(text: str) -> Iterator[tuple[object, ...]]:
    """Two lessons that come to the same have one of these in common."""
    yield "begins", _beginning(text)
    yield "tells", *sorted(telling(text))
    yield from pairs(telling(text), _SHARED)


@lru_cache(maxsize=4096)
def spoken(text: str) -> tuple[str, ...]:
    """The words of a text as they are compared; all of them where it is only polite."""
    found = _WORD.findall(_POLITE.sub(" ", plain(text))) or _WORD.findall(plain(text))
    return tuple(word.replace("'", "").strip("_") for word in found)


def telling(text: str) -> frozenset[str]:
    """The stems of a text that say what it is about."""
    return frozenset(stem for ruling in _rulings(text) for stem in ruling.about)


def _said(text: str) -> set[tuple[str, ...]]:
    return {words for sentence in sentences(text) if (words := spoken(sentence.text))}


@lru_cache(maxsize=1024)
def _rulings(text: str) -> list[_Ruling]:
    found = []
    for sentence in sentences(plain(text)):
        heard = _AROUND.sub(" ", sentence.text)
        words = [word for word in spoken(_SET.sub(r"\1 0", heard)) if word not in _BESIDE]
        noes = [at for at, word in enumerate(words) if word in _NO]
        if about := tuple(one_word(word) for word in words if word not in _NO):
            # A no behind the first word is said to a part: "use tabs, not spaces".
            found.append(_Ruling(about, len(noes) + sum(noes), [number for _, number in _SET.findall(heard)]))
    return found


def _opposed(one: _Ruling, other: _Ruling) -> bool:
    differ = sum(this != that for this, that in zip(one.numbers, other.numbers, strict=False))
    return differ == (one.noes == other.noes) and max(one.noes, other.noes) <= 1


def _beginning(text: str) -> str:
    return " ".join(spoken(text))[:_BEGINNING]


def _fixed(text: str) -> tuple[object, ...]:
    words = spoken(text)
    return sorted(word for word in words if word[0].isdigit()), sum(word in _NO for word in words), names_of(text)
