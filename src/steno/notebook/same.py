"""Lines that say nothing another line does not: they are left off a page, and their entries stay."""

from collections.abc import Iterable

from steno.language.words import normal
from steno.notebook.pages import Item

# A word or two stand in everything.
_FEWEST = 3


def distinct(items: Iterable[Item]) -> list[Item]:
    """Items without those whose words, in a row, stand in an earlier one; those with something below them stay."""
    kept: list[Item] = []
    # Earlier texts by each of their words.
    texts: dict[str, list[str]] = {}
    for item in items:
        text = normal(item.text)
        words = text.split()
        if len(words) >= _FEWEST and not item.fields and item.box is None:
            rarest = min((texts.get(word, []) for word in words), key=len)
            if any(f" {text} " in other for other in rarest):
                continue
        kept.append(item)
        for word in set(words):
            texts.setdefault(word, []).append(f" {text} ")
    return kept
