"""The words of a text that say what it is about: without filler, on one line, by their stems."""

import re
from collections.abc import Collection, Iterator
from functools import cache, lru_cache
from hashlib import blake2b
from itertools import combinations
from math import ceil
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from Stemmer import Stemmer

_WORD = re.compile(r"[A-Za-z_À-ÿ][\w./:@#+'-]*[\w+]|[A-Za-zÀ-ÿ]|#\d+|[\u3400-\u9fff]{2,8}|\d[\w.]*")
_SPACE = re.compile(r"\s+")
_WORDS = re.compile(r"\w+")

# What Steno itself wrote into a context stands between these, or runs to the end. Never learnt from. Where it spoke
# plainly, every line begins with its name, so that each is known by itself. Transcripts keep the older wording: of that
# the first line does, and the last one is known by its words.
_HOW = (
    r"(?:refused|instructed|passed over|tried and failed|decided|said|changed)(?: by [^\n:]{1,60})? on [^\n:]{1,20}: "
)
_MORE = r"It was said to: |Why: |Instead: |It may be reopened: |It would end |and \d+ more like it"
_LAST = r"Yes allows it once\.|It is held: nobody |Ask the human first: a yes |Do not do this\."
# What waits for a person says so by every door.
_OURS = rf"(?:Steno: (?:{_HOW}|{_MORE}|{_LAST})|[Ss]teno: This waits for a person[.:])"
_OLDER = r"(?:allows it for good|says whether it needs approval)\."
_OLDER_LAST = (
    r"(?:Yes allows it once|Do not do this|Ask the human first: a yes allows it once)\. `?steno [^\n]{1,100}? " + _OLDER
)
_OWN_WORDS = re.compile(
    r"<steno\b.*?(?:</steno[\w-]*>|\Z)|\[state\] task:[^\n]*|╭ (?:BEFORE|AFTER) ─.*?(?:╰[^\n]*|\Z)"
    rf"|\bsteno: (?:(?!steno: ).){{1,3000}}? {_OLDER}|{_OLDER_LAST}[^\n]*"
    rf"|\b(?-i:{_OURS}[^\n]*(?:\nSteno: [^\n]*)*)",
    re.DOTALL | re.IGNORECASE,
)
_OWN_MARK = re.compile(r"<steno|\[state\] task:|╭ |steno: |\. `?steno ", re.IGNORECASE)
# How the result of a call begins that was held: with the host's own words before ours, or without.
_HELD = re.compile(
    r"\s*(?:<[\w-]{1,40}>|Error: |Exit code \d+\n|[^\n]{0,200}?\bhook\b[^\n]{0,200}?: )*"
    rf"(?:{_OURS}|{_OLDER_LAST})"
)

# Words that stand in any English sentence.
COMMON = frozenset(
    """a about after all also am an and any are as at be because been before being but by can could did do does doing
    for from get got had has have he her here him his how i if in into is it its just know let like me more my no
    not now of off on once only or other our out over own same she should so some such than that the their them
    then there these they this those to too up us was we were what when where which while who why will with would
    you your""".split()
)
# These, and words that fill a chat rather than say what it is about.
STOPWORDS = COMMON | frozenset(
    """above actually again already below bit btw came cannot can't couldn't didn't doesn't don't done down each
    either else even ever every few first further gets getting give go goes going gonna haven't having hello help
    hers hey hi hmm i'd i'll i'm i've im instead isn't it's keep kind last let's lets look looks lot made make
    makes many may maybe mean might mine most much must need needs next nope nor nothing ok okay one ours perhaps
    please put rather really right said say see seems shall shouldn't since something sort still stuff sure take
    thanks that's thing things think though through try two under until use using very want wants wasn't way we'd
    we'll we're well what's without won't wouldn't yeah yep yes yet you'd you'll you're yours
    aber als auch auf aus bei bin bitte da das dass dem den der des die doch du ein eine einem einen einer er es
    für hat ich ihr ist ja jetzt kann kein keine man mal mich mir mit muss nein nicht noch nur oder schon sein
    sich sie sind über um und uns vom von vor war warum wenn wie wir wird zu zum zur""".split()
)


def data(name: str) -> dict[str, Any]:
    """A file of data of this room, as it is written."""
    import tomllib
    from importlib.resources import files

    return tomllib.loads(files("steno.language").joinpath(f"{name}.toml").read_text("utf-8"))


def table(name: str) -> list[str]:
    """The lines of one table of `words.toml`."""
    lines: str = data("words")[name]
    return lines.strip().split("\n")


def squeeze(text: str) -> str:
    """The text on one line: every run of white space is one space."""
    return _SPACE.sub(" ", text).strip()


def plain(text: str) -> str:
    """A text in small letters, with plain apostrophes. Every character stays in its place."""
    return text.replace("’", "'").replace("İ", "I").lower()


def normal(text: str) -> str:
    """A text without what does not change its meaning: case, punctuation, white space."""
    return " ".join(_WORDS.findall(text.casefold()))


def content_words(text: str, limit: int = 12) -> list[str]:
    """Words that say what a text is about, lower case, in order, each once."""
    return list(_content_words(text, limit))


@lru_cache(maxsize=512)
def _content_words(text: str, limit: int) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for match in _WORD.finditer(text.replace("’", "'")):
        word = match.group().lower().strip("./:@-_'").removesuffix("'s")
        if len(word) > 1 and word not in STOPWORDS:
            found[word] = None
            if len(found) >= limit:
                break
    return tuple(found)


@lru_cache(maxsize=4096)
def stems(text: str, limit: int = 64) -> frozenset[str]:
    """What a text is about, so that "deploying" and "deployment" are one word."""
    words = content_words(text, limit)
    parts = {part for word in words for part in re.split(r"[^\w]+|_", word) if len(part) > 1}
    return frozenset(_stemmer().stemWords(sorted({*words, *parts} - STOPWORDS)))


def pairs(words: Collection[str], share: float) -> Iterator[tuple[str, str]]:
    """Pairs of words. Two sets that have two words and this share of their words in common have a pair in common.

    So those like a set are found by looking up its pairs, however many sets there are. Each has its words in the same
    order, whichever that is: of the words in common the first two stand at its beginning, behind no more words than it
    may have for itself. Long words come first, because they are rare, and few sets share a pair of them.
    """
    beginning = len(words) - ceil(share * len(words) - 1e-9) + 2
    yield from combinations(sorted(words, key=lambda word: (-len(word), word))[:beginning], 2)


def key(*parts: object) -> int:
    """A number for some values, by which to look them up."""
    return int.from_bytes(blake2b(repr(parts).encode(), digest_size=8).digest(), signed=True)


@cache
def _stemmer() -> "Stemmer":
    from Stemmer import Stemmer

    return Stemmer("english")


def without_own_words(text: str) -> str:
    """A text without what Steno itself wrote into it: each such piece is a NUL, which nobody says."""
    return _OWN_WORDS.sub("\0", text) if _OWN_MARK.search(text) else text


def is_held(result: str) -> bool:
    """Whether a tool's result is what Steno said instead: the call was never made."""
    return _HELD.match(result) is not None
