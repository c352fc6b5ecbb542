"""Whether what an agent was told turns up in what it did next: by id, by a name, or by most of its words."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from steno.language.names import names
from steno.language.words import stems, without_own_words
from steno.vocabulary import Entry, JournalTurn

# Most of the words of an entry, and not fewer than this.
_SHARE: Final = 0.6
_FEWEST: Final = 4
_SHORTEST_NAME: Final = 4
_MOST_STEMS: Final = 400
# So much later a person's no is about something else.
_SOON: Final = 6


class TurnedUp(Struct, frozen=True):
    """That it was used: in which turn, and whether that failed or a person stopped it."""

    turn: int
    at: str | None
    badly: bool


class After:
    """What followed in a session after something was told."""

    def __init__(self, turns: Sequence[JournalTurn]) -> None:
        self._turns = turns
        by_people = " ".join(one.turn.text for one in turns if one.by_human)
        # What a person says themselves an agent need not be told.
        self._said = stems(by_people, _MOST_STEMS)
        self._named = by_people
        self._acts = [
            (place, without_own_words(one.turn.text))
            for place, one in enumerate(turns)
            if one.turn.role == "assistant" and one.turn.kind in ("said", "call")
        ]

    def use_of(self, entry: Entry) -> TurnedUp | None:
        """The first time it turned up. None: it did not."""
        named = {*entry.detail.about, *names(entry.summary)}
        named = {name for name in named if len(name) >= _SHORTEST_NAME and name not in self._named}
        words = stems(_without(entry.summary, names(entry.summary))) - self._said
        for place, text in self._acts:
            if entry.id in text or any(name in text for name in named) or _holds(text, words):
                return TurnedUp(self._turns[place].id, self._turns[place].turn.at, self._went_badly(place))
        return None

    def _went_badly(self, place: int) -> bool:
        """Whether the call failed, or a person stopped it."""
        call = self._turns[place].turn.call
        for one in self._turns[place + 1 : place + 1 + _SOON]:
            if one.turn.kind in ("denied", "interrupted"):
                return True
            if call is not None and one.turn.kind == "result" and one.turn.call == call:
                return bool(one.turn.failed)
        return False


def _without(text: str, some: Sequence[str]) -> str:
    """A text without the names in it: each part of a path is a word, and none of them tells."""
    for name in some:
        text = text.replace(name, " ")
    return text


def _holds(text: str, words: frozenset[str]) -> bool:
    if len(words) < _FEWEST:
        return False
    return len(words & stems(text, _MOST_STEMS)) >= max(_FEWEST, _SHARE * len(words))
