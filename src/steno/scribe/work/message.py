"""What an agent's message says of the work at hand: that something is finished, or that it waits for an answer."""

import re
from typing import Final

from steno.language.lexicon import lexicon
from steno.language.sentence import sentences
from steno.language.words import squeeze

# A message is read in full up to this length; of a longer one, the beginning and the end, where agents sum up.
_READ: Final = 6000
_SENTENCE: Final = 240
_SHORTEST: Final = 4
_MARKS: Final = re.compile(r"^(?:[-*+•]\s+|\d{1,3}[.)]\s+|#{1,6}\s+|>\s?)+")


def heard(text: str) -> tuple[bool, bool]:
    """Whether a message says that something was finished, and whether it asks for an answer."""
    finished = asks = False
    for span in sentences(text if len(text) <= _READ else f"{text[: _READ // 2]}\n\n{text[-_READ // 2 :]}"):
        said = short(_MARKS.sub("", span.text))
        if span.kind in ("code", "table") or len(said) < _SHORTEST:
            continue
        if said.endswith("?"):
            asks = asks or lexicon("asks_back").search(said) is not None
        elif not any(lexicon(name).search(said) for name in ("held_up", "intent", "to_do", "not_yet")):
            finished = finished or lexicon("finished").search(said) is not None
    return finished, asks


def short(text: str, limit: int = _SENTENCE) -> str:
    """A text on one line, cut at a word where it is too long."""
    text = squeeze(text[: limit * 4])
    return text if len(text) <= limit else f"{text[:limit].rsplit(' ', 1)[0]} …"
