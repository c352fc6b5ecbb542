"""Words that are one word: by their stem, by another name of the same thing, by a part of a longer name."""

import re
from functools import cache, lru_cache
from typing import Final

from steno.language import words

# So much of a text is read: it is past any sentence, and what a whole file holds says little about its subject.
MOST: Final = 4_000
_WORDS: Final = 96

# Where a command is run, and folders far up a path, say where the project lies.
GOES_TO: Final = re.compile(r"(?:^|(?<=[\n\"';&]))\s*cd [^\s&;]+\s*(?:&&|;)")
_FAR_UP: Final = re.compile(r"(?<![\w.@-])~?/(?:[\w.@+-]+/)+(?=(?:[\w.@+*-]+/){2}[\w.@+*-])")
# formatIban and format_iban are two words more; MongoDB is one.
_CAMEL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z][a-z])|_")
# 02:00 is one word.
_CLOCK: Final = re.compile(r"(?<=\d):(?=\d)")
_QUOTED: Final = re.compile(r"`([^`\n]{1,80})`")
_TOKEN: Final = re.compile(r"[\w@][\w.@#+/-]*[\w/]|\w")
_SIGN_OF_NAME: Final = re.compile(r"[A-Z\d_/]|[a-z]\.[a-z]")
_GERMAN: Final = re.compile(r"\b(?:der|die|das|den|dem|und|ich|nicht|für|eine?[nmr]?|ist|auf|mit)\b", re.IGNORECASE)
_SENTENCE_BEGINS: Final = re.compile(r"(?:^|[.!?:;\"“„(\n])\s*$")
# Writing without spaces is read by pairs of signs.
_SIGNS: Final = re.compile(r"[\u3400-\u9fff]{2,}")
# Words of refusing, not of what is refused.
_REFUSING: Final = (
    "never avoid stop please nope nah nee nö hate dislike wait absolutely another keinen keinem they're dann"
)


def words_of(text: str) -> frozenset[str]:
    """The stems of a text, with names that mean the same made one, also those within longer names."""
    return _stems(text[:MOST])


def one_word(text: str) -> str:
    """The stem of one word, as `words_of` has it."""
    return _one_name(max(words.stems(text), key=len, default=text))


def names_of(text: str) -> frozenset[str]:
    """Words that are written as names: `quoted`, with a capital inside a sentence, with a digit or a joint."""
    text = text[:MOST]
    quoted = _QUOTED.findall(text)
    # German writes every noun with a capital.
    capitals = not _GERMAN.search(text)
    looks = [
        found.group()
        for found in _TOKEN.finditer(text)
        if _is_name(found.group()) or (capitals and _has_capital(found.group(), text[: found.start()][-4:]))
    ]
    return words_of(" ".join(quoted)) | words_of(" ".join(looks))


def _is_name(token: str) -> bool:
    return token[0].isdigit() or bool(_SIGN_OF_NAME.search(token[1:]))


def _has_capital(token: str, before: str) -> bool:
    return token[0].isupper() and len(token) > 1 and not _SENTENCE_BEGINS.search(before)


@lru_cache(maxsize=8192)
def _stems(text: str) -> frozenset[str]:
    text = _FAR_UP.sub(" ", GOES_TO.sub(" ", text))
    text = _CLOCK.sub(".", text)
    parted = _CAMEL.sub(" ", text) if _CAMEL.search(text) else ""
    signs = " ".join(run[at : at + 2] for run in _SIGNS.findall(text) for at in range(len(run) - 1))
    return frozenset(map(_one_name, words.stems(f"{parted} {text} {signs}", _WORDS) - words.stems(_REFUSING)))


def _one_name(stem: str) -> str:
    return _names().get(stem, stem)


@cache
def _names() -> dict[str, str]:
    """The one name of a thing for each of the others, by stem."""
    lines = [[words.stems(word) for word in line.split()] for line in words.table("same")]
    return {stem: next(iter(first)) for first, *others in lines for other in others for stem in other}
