"""A question, taken apart: the words to look for, how much each of them tells, and the time it speaks of."""

import re
from collections.abc import Collection, Iterator
from itertools import islice, pairwise
from typing import Final

from msgspec import Struct

from steno.language.words import COMMON, STOPWORDS
from steno.recall.time import When, may_speak_of_time

# Too common to tell one turn from another; the index keeps them, the question does not need them. With what is left of
# "it's" and "we'll".
_COMMON: Final = COMMON | frozenset("s t d m re ve ll".split())
# Words that ask rather than tell: they stand in questions about anything. They count half.
_ASKING: Final = frozenset(
    "advice again ago anything call called chat conversation current currently decide decided decision different "
    "discuss discussed earlier ever exactly first happen happened kind last long looking many mention mentioned most "
    "much name new number often one past please previous previously recently recommend recommendation "
    "recommendations recommended remind said say someone something specific still suggest suggestion suggestions talk "
    "talked tell thing things think time times tips told total two type types way wondering".split()
)
_HALF: Final = 0.5
# Words that ask what there was, whatever it was: beside a time they leave nothing else to look for.
_HAPPENING: Final = frozenset(
    "achieve achieved anything day did discuss discussed do done everything go going happen happened happening news "
    "progress said say talk talked tell told went work worked working "
    "besprochen gab geschah geschehen gearbeitet gemacht gesagt getan haben los passiert tag tat wurde".split()
)
# How a question begins that asks how things are, not how they were.
_PRESENT: Final = re.compile(
    r"(?:and |so |und )?(?:how (?:do|does|should|must|can|is|are)|what(?:'s| is| are| do| does| should| must)|"
    r"wh(?:ere|o|en)(?:'s| is| are| do| does| should| must)|"
    r"which\b(?!.*\b(?:did|was|were|had)\b).*\b(?:is|are|do|does|should|must)|"
    r"wie\b(?!.*\b(?:war|hat|haben|wurde)\b)|was (?:ist|sind|gilt)|wo (?:ist|sind|liegt)|wer (?:ist|sind))\b"
)
# Words of a question about how things were.
_PAST: Final = re.compile(
    r"\b(?:did|was|were|had|been|happened|went|said|ago|last|first|war|waren|hat|haben|hatte|wurde|wurden)\b"
)
# How a question asks for a time.
_WHEN: Final = re.compile(
    r"\b(?:when|how long|what (?:year|month|day|date|time)|which (?:year|month|day)|wann|wie lange)\b"
)
# How a question asks for somebody.
_WHO: Final = re.compile(r"\b(?:who|whom|whose|wer|wem|wen|wessen)\b")
# How somebody speaks who gives work rather than asks: what rules the work applies.
_WORK: Final = re.compile(
    r"\W*(?:please |pls |now |then |ok |and |also |just )*(?:add|allow|append|attach|bring|build|bump|call|change|"
    r"check|clean|commit|compare|convert|copy|create|cut|delete|deploy|disable|draw|drop|enable|exclude|export|extend|"
    r"fetch|find|fix|generate|get|give|hide|hook|implement|import|include|increase|install|introduce|keep|let|link|list|load|log|make|"
    r"mark|merge|migrate|move|open|optimi[sz]e|pick|plot|port|post|prepare|print|pull|push|put|read|refactor|release|"
    r"remove|rename|render|repair|replace|report|rewrite|run|save|schedule|send|set|ship|show|sort|split|start|stop|"
    r"store|swap|switch|tag|take|tell|test|train|translate|try|tune|turn|update|upgrade|upload|use|wire|write)\b|"
    r".*\b(?:can you|could you|i'd like|i want|i need|we need|please|kannst du|bitte)\b"
)
_WORD: Final = re.compile(r"\w+")
# What may be a name, and how one looks that is an identifier: with an underscore, a dot, a hump or a number in it.
_TOKEN: Final = re.compile(r"[^\W\d_](?:[\w.@#/-]*\w)?")
_IDENTIFIER: Final = re.compile(r"(?=.*[^\W\d_]{2}).*(?:_|\w\.\w|[a-z][A-Z]|\d)")
_BEGINS: Final = re.compile(r"(?:^|[.!?:\n\"'(])\s*$")
# How a question begins that lacks its mark. Work to do and reports of trouble name new things, too.
_ASKS: Final = re.compile(
    r"\W*(?:and |so |but )?(?:what|which|who|whose|when|where|why|how|did|do|does|is|are|was|were|has|have|had)\b"
)
# A language that writes every noun with a capital.
_GERMAN: Final = re.compile(
    r"\b(?:ab|am|auf|das|dem|den|der|die|ein|eine|für|im|ist|mit|nicht|sich|und|vom|von|wer|wie|wir|zu)\b",
    re.IGNORECASE,
)
_DAYS: Final = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday january february march april june july august september "
    "october november december".split()
)
# Scripts written without spaces between words: every character counts as a word.
_UNSPACED: Final = re.compile(r"([\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7af\u0e00-\u0eff])")
# A question is read so far, and so many of its words are weighed against each other.
_MOST_CHARACTERS: Final = 4000
_MOST_WORDS: Final = 200
_MOST_NAMES: Final = 8
# No more words than this are looked for by themselves, as one asks a search engine.
_FEW_WORDS: Final = 8
_MOST_PHRASES: Final = 24


class Question(Struct, frozen=True):
    """What is asked."""

    text: str
    # Each word once, in order, with its weight.
    words: dict[str, float]
    when: When | None
    # The same if it asks what there was then, and for nothing else.
    of_time: When | None = None
    # Whether it asks how things are now.
    of_now: bool = False
    # Whether it asks how things were.
    of_then: bool = False
    # Whether it is work to do rather than a question.
    of_work: bool = False
    # Whether it asks when something is or was.
    of_when: bool = False
    # What it asks about by its name: Kafka, orders_v2.
    names: tuple[str, ...] = ()
    # Its words beside each other, two at a time.
    phrases: tuple[str, ...] = ()
    # Whether it asks for somebody; and whether it asks at all, and is neither work to do nor a report.
    of_whom: bool = False
    asks: bool = False


def ask(text: str, now: str) -> Question:
    """Take a question apart. Any text is one; without any word, nothing is asked."""
    short = text[:_MOST_CHARACTERS]
    time = _when(short, now) if may_speak_of_time(short) else None
    named = set(time.words) if time is not None and time.sure else set()
    every = list(dict.fromkeys(words_of(short)))[:_MOST_WORDS]
    telling = [word for word in every if word not in _COMMON and word not in named]
    words = {word: _HALF if word in _ASKING else 1.0 for word in telling or every}
    of_time = time if named and not {*telling} - _HAPPENING - STOPWORDS else None
    said = short.strip().casefold()
    of_now = time is None and _PRESENT.match(said) is not None
    of_then, of_work = _PAST.search(said) is not None, _WORK.match(said) is not None
    asks = not of_work and ("?" in said or _ASKS.match(said) is not None)
    spoken = time.words if time is not None else ()
    named_things = (name for name in _names(short) if name.casefold() not in spoken)
    tells = asks or (not of_work and len(every) <= _FEW_WORDS)
    names = tuple(islice(dict.fromkeys(named_things), _MOST_NAMES)) if tells else ()
    of_when, phrases = _WHEN.search(said) is not None, tuple(islice(_phrases(words_of(said)), _MOST_PHRASES))
    of_whom = _WHO.search(said) is not None
    return Question(short, words, time, of_time, of_now, of_then, of_work, of_when, names, phrases, of_whom, asks)


def _phrases(words: list[str]) -> Iterator[str]:
    """Each two words beside each other of which one tells something."""
    return (f"{one} {other}" for one, other in pairwise(words) if not {one, other} <= STOPWORDS)


def _names(text: str) -> Iterator[str]:
    """What looks like a name. The first word of a sentence has its capital from there; short ones are seldom names."""
    capitals = len(_GERMAN.findall(text)) < 2
    for found in _TOKEN.finditer(text):
        word = found.group()
        named = capitals and len(word) > 3 and word[0].isupper() and word[1:].islower()
        named = named and not _BEGINS.search(text, max(0, found.start() - 8), found.start())
        if (named and word.casefold().rstrip("s") not in _DAYS) or _IDENTIFIER.match(word):
            yield word


def _when(text: str, now: str) -> When | None:
    from steno.recall.when import when

    return when(text, now)


def spaced(text: str) -> str:
    """Text in which characters of scripts without spaces stand apart, so that a word of them can be found."""
    return text if text.isascii() else _UNSPACED.sub(r" \1 ", text)


def words_of(text: str) -> list[str]:
    """The words of a text, in small letters."""
    return _WORD.findall(spaced(text).casefold())


def expression(words: Collection[str], most: int | None = None) -> str:
    """Any of the words, for the store's full-text index. Each is quoted: nothing in a question is ever syntax."""
    longest = sorted(words, key=len, reverse=True)[:most]
    return " OR ".join(f'"{word}"' for word in longest)
