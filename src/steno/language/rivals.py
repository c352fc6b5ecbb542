"""Things of which only one can stand in one place, as data: `rivals.toml`, with sentences that show what is meant."""

from functools import cache

from steno.language.same_word import one_word
from steno.language.words import data


def rivals_of(word: str) -> str:
    """What a word is one of several for, by its stem; empty where nothing stands against it."""
    return _groups().get(word, "")


def has_versions(word: str) -> bool:
    """Whether a number behind this word, as it is written, is a version."""
    return one_word(word.lower()) in _versions()


@cache
def _groups() -> dict[str, str]:
    return {one_word(word): group["of"] for group in data("rivals")["rivals"] for word in group["words"]}


@cache
def _versions() -> frozenset[str]:
    return frozenset(map(one_word, data("rivals")["versions"]["words"]))
