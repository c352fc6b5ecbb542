"""Words of work itself, which say little about what the work is on. By stem, as `words_of` gives them."""

from typing import Final

from steno.language.same_word import words_of
from steno.language.words import table

COMMON_WORDS: Final = frozenset(word for line in table("common") for word in words_of(line))


def telling(words: frozenset[str]) -> frozenset[str]:
    """Without the words of work itself."""
    return words - COMMON_WORDS
