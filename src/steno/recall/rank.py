"""Turns in their order: each by what speaks for it, then by what it stands beside. Pure."""

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from steno.language.words import STOPWORDS
from steno.recall import weigh
from steno.recall.cues import changes, has_figure
from steno.recall.question import Question
from steno.recall.where import minutes

if TYPE_CHECKING:
    from steno.recall.vectors import Near

# The best turns, which are held against each other.
COMPARED: Final = 40
# So much more alike than two turns that may speak of the same thing, with as many of the question's words; or as likely
# as this to say otherwise what the older said: it is said that a turn is newer than the other.
_PLAINLY: Final = 0.3
_LIKELY: Final = 0.2
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


def beside(
    question: Question, among: Among, supersedes: Callable[[weigh.Over], float] = weigh.supersedes
) -> dict[int, weigh.Beside]:
    """What stands beside each of them."""
    by_age = _by_age(question, pairs(question, among), supersedes)
    found = {}
    for id_, one in among.found.items():
        found[id_] = by_age.get(id_, _NOTHING)
        if opening := [among.found[source].score - one.score for source in among.opened.get(id_, ())]:
            found[id_] = found[id_]._replace(opened=max(0.0, *opening))
    return found


class Pair(NamedTuple):
    """Two of the best that may speak of the same thing, and how alike they are."""

    older: Scored
    newer: Scored
    alike: float
    # What tells whether the newer says otherwise what the older said. None: both are of one session.
    over: weigh.Over | None


def pairs(question: Question, among: Among) -> list[Pair]:
    """Each two of the best that may speak of the same thing."""
    best = first(among.found.values(), COMPARED)
    ordered = sorted(best, key=lambda one: (minutes(one.at), one.id))
    figures = {one.id: has_figure(one.beginning) for one in best}
    changing = {one.id: changes(one.beginning) for one in best}
    found = []
    for place, newer in enumerate(ordered):
        of_newer = newer.signals.settled, float(changing[newer.id]), float("?" in newer.beginning)
        for older in ordered[:place]:
            alike = among.alike.get((older.id, newer.id), 0.0)
            if alike <= weigh.SAME_THING:
                continue
            over = None
            if older.session != newer.session:
                behind = newer.score - best[0].score, older.score - best[0].score
                both = float(figures[older.id] and figures[newer.id])
                over = weigh.Over(1.0, alike, *behind, float(not question.of_then), *of_newer, both)
            found.append(Pair(older, newer, alike, over))
    return found


def _by_age(
    question: Question, some: Iterable[Pair], supersedes: Callable[[weigh.Over], float]
) -> dict[int, weigh.Beside]:
    """Of turns on the same thing the newer takes the place of the older, as likely as that is."""
    held: dict[int, float] = {}
    instead: dict[int, float] = {}
    found: dict[int, weigh.Beside] = {}
    for older, newer, alike, over in some:
        for turn in (older, newer):
            if turn.id not in held:
                held[turn.id] = holds(question, turn.beginning)
        one, other = (found.get(turn.id, weigh.Beside()) for turn in (older, newer))
        near, same_words = alike - weigh.SAME_THING, 0 < held[older.id] <= held[newer.id]
        likely = 0.0 if over is None else supersedes(over)
        if same_words:
            one = one._replace(older=max(near, one.older))
        if over is not None:
            one = one._replace(leaves=max(likely, one.leaves))
            other = other._replace(takes=max(likely, other.takes), newer_session=max(near, other.newer_session))
        if ((same_words and near > _PLAINLY) or likely > _LIKELY) and near > instead.get(newer.id, 0.0):
            newer.instead, instead[newer.id] = older.id, near
        found[older.id], found[newer.id] = one, other
    return found


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
