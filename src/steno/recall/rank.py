"""Turns in their order: each by what speaks for it, then by what it stands beside. Pure."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from steno.language.words import STOPWORDS
from steno.recall import weigh
from steno.recall.question import Question
from steno.recall.where import minutes

if TYPE_CHECKING:
    from steno.recall.vectors import Near

# The best turns, which are held against each other.
COMPARED: Final = 40
# So much more alike than two turns that may speak of the same thing, they plainly do: it is said that one is newer.
_PLAINLY: Final = 0.3
_FILLER: Final = 0.5
_NOTHING: Final = weigh.Beside()


class Scored:
    """A turn on its way to an answer."""

    __slots__ = ("at", "beginning", "id", "instead", "near", "score", "session", "signals", "stretch", "words")

    def __init__(self, id_: int) -> None:
        self.id = id_
        self.stretch = 0
        self.session = 0
        self.at: str | None = None
        self.beginning = ""
        self.words = 0.0
        self.near: Near | None = None
        self.signals = weigh.Signals(0.0, 0.0)
        self.score = 0.0
        # The older turn that it takes the place of.
        self.instead: int | None = None


class Among(NamedTuple):
    """Turns that may answer a question, and what they are to each other."""

    found: dict[int, Scored]
    # Turns that sound like the end of a discussion, and those that may have opened it.
    opened: Mapping[int, list[int]]
    # How near each two of the best are to each other.
    alike: Mapping[tuple[int, int], float]


def first(found: Iterable[Scored], most: int | None = None) -> list[Scored]:
    """The best; of equals the older."""
    return sorted(found, key=lambda one: (-one.score, one.id))[:most]


def rank(question: Question, among: Among) -> list[Scored]:
    """All of them, the best first."""
    gains = {id_: weigh.beside(stands) for id_, stands in beside(question, among).items()}
    for id_, gain in gains.items():
        among.found[id_].score += gain
    return first(among.found.values())


def beside(question: Question, among: Among) -> dict[int, weigh.Beside]:
    """What stands beside each of them."""
    by_age = _by_age(question, first(among.found.values(), COMPARED), among.alike)
    found = {}
    for id_, one in among.found.items():
        found[id_] = by_age.get(id_, _NOTHING)
        if opening := [among.found[source].score - one.score for source in among.opened.get(id_, ())]:
            found[id_] = found[id_]._replace(opened=max(0.0, *opening))
    return found


def _by_age(question: Question, best: list[Scored], alike: Mapping[tuple[int, int], float]) -> dict[int, weigh.Beside]:
    """Of turns on the same thing the newer takes the place of the older, if it says as much of what was asked."""
    held = {one.id: holds(question, one.beginning) for one in best}
    found = {one.id: weigh.Beside() for one in best}
    ordered = sorted(best, key=lambda one: (minutes(one.at), one.id))
    for place, newer in enumerate(ordered):
        for older in ordered[:place]:
            near = alike.get((older.id, newer.id), 0.0) - weigh.SAME_THING
            if near > 0:
                _put(found, older, newer, near, same_words=0 < held[older.id] <= held[newer.id])
    return found


def _put(found: dict[int, weigh.Beside], older: Scored, newer: Scored, near: float, *, same_words: bool) -> None:
    """Keep how alike two turns are, for both of them."""
    one, other = found[older.id], found[newer.id]
    if same_words:
        if near > max(other.newer, _PLAINLY):
            newer.instead = older.id
        one, other = one._replace(older=max(near, one.older)), other._replace(newer=max(near, other.newer))
    if older.session != newer.session:
        one = one._replace(older_session=max(near, one.older_session))
        other = other._replace(newer_session=max(near, other.newer_session))
    found[older.id], found[newer.id] = one, other


def holds(question: Question, text: str) -> float:
    """How much of a question's words a text holds, between 0 and 1; filler tells half."""
    said = text.casefold()
    tells = {word: weight * (_FILLER if word in STOPWORDS else 1.0) for word, weight in question.words.items()}
    return sum(weight for word, weight in tells.items() if word[:5] in said) / sum(tells.values())


def by_session(turns: Iterable[Scored]) -> list[Scored]:
    """The best turn of each session, in the order of what all turns of a session come to."""
    sessions: dict[int, list[Scored]] = {}
    for one in turns:
        sessions.setdefault(one.session, []).append(one)
    best = []
    for every in sessions.values():
        best.append(one := every[0])
        one.score = weigh.pooled(other.score for other in every)
    return first(best)
