"""Turns in their order: each by what speaks for it, then by what it stands beside. Pure."""

import itertools
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from steno.language.words import STOPWORDS
from steno.recall import weigh
from steno.recall.cues import asks_something, changes, only_asks
from steno.recall.question import Question
from steno.recall.where import minutes

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from steno.recall.vectors import Alike, Near
    from steno.store.recall import Resting

# The best turns, which are held against each other.
COMPARED: Final = 40
# As likely as this to say otherwise what an older one said, a turn shows that it is newer; and where turns are few, it
# takes the other's place.
_LIKELY: Final = 0.3
# As likely as this, the older is shown with the newer: who reads both sees more than a likelihood can say.
_PERHAPS: Final = 0.1
# How far above what was noted of another a turn stands that takes its place: the likelier, the farther.
_ABOVE: Final = 0.05
_FILLER: Final = 0.5
# Whoever gives words instead of asking means those that were said, all of them side by side.
_VERBATIM: Final = 1.0
_ALL: Final = 0.999
# So many turns later in a session, calls and results counted, something may be said anew: what is nearer belongs to the
# same exchange.
_FAR: Final = 20
# As near as another, give or take; no more than so many that came later still count, and that are nearer.
_AS_NEAR: Final = 0.02
_LATER, _RANKS = 3, 10
# What may be a name: a capital within a sentence.
_NAME: Final = re.compile(r"(?<=[a-zß,;] )[A-Z][^\W\d_A-Z]{2,}")
_WORD: Final = re.compile(r"\w{3,}")
_ID, _SESSION, _SCORE = attrgetter("id"), attrgetter("session"), attrgetter("score")
_NOTHING: Final = weigh.Beside()
_NONE: Final = weigh.Signals(0.0, 0.0)


class Scored:
    """A turn on its way to an answer."""

    __slots__ = (
        "at", "beginning", "id", "instead", "later", "near", "rests", "score", "session", "signals", "stretch", "words",
    )  # fmt: skip

    def __init__(self, id_: int) -> None:
        self.id = id_
        self.stretch = 0
        self.session = 0
        self.at: str | None = None
        self.beginning = ""
        self.words = 0.0
        self.near: Near | None = None
        # The entries that rest on it. None: nobody has looked.
        self.rests: Sequence[Resting] | None = None
        self.signals = _NONE
        self.score = 0.0
        # The older turn that it takes the place of.
        self.instead: int | None = None
        # The newer turn that may have changed it.
        self.later: int | None = None


class Among(NamedTuple):
    """Turns that may answer a question, and what they are to each other."""

    found: dict[int, Scored]
    # Turns that sound like the end of a discussion, and those that may have opened it.
    opened: Mapping[int, list[int]]
    # How near each two of the best are to each other. None: nobody knows.
    alike: "Alike | None"


def first(found: Iterable[Scored], most: int | None = None) -> list[Scored]:
    """The best; of equals the older."""
    return sorted(sorted(found, key=_ID), key=_SCORE, reverse=True)[:most]


def judge(found: Iterable[Scored]) -> None:
    """Add to what speaks for each of a question's turns what its signals tell together."""
    import numpy as np

    turns = list(found)
    signals = np.fromiter(itertools.chain.from_iterable(one.signals for one in turns), np.float64)
    for one, told in zip(turns, weigh.network()(signals.reshape(len(turns), -1)).tolist(), strict=True):
        one.score += told


def rank(question: Question, among: Among) -> list[Scored]:
    """All of them, the best first."""
    gains = {id_: weigh.beside(stands) for id_, stands in beside(question, among).items()}
    for id_, gain in gains.items():
        among.found[id_].score += gain
    if len(question.phrases) > 1 and not (question.asks or question.of_work):
        for one in among.found.values():
            one.score += _VERBATIM * (one.signals.phrases > _ALL and not one.signals.asks)
    return first(among.found.values())


def beside(question: Question, among: Among, weights: Sequence[float] | None = None) -> dict[int, weigh.Beside]:
    """What stands beside each of those that have something beside them."""
    some = pairs(question, among)
    found = {} if some is None else _by_age(question, some, weigh.weights("supersedes") if weights is None else weights)
    for id_, sources in among.opened.items():
        if id_ in among.found:
            behind = max(among.found[source].score for source in sources) - among.found[id_].score
            found[id_] = found.get(id_, _NOTHING)._replace(opened=max(0.0, behind))
    return found


class Pairs(NamedTuple):
    """Each two of the best that may speak of the same thing, as places among these, which stand in order of time."""

    turns: list[Scored]
    older: "NDArray[np.intp]"
    newer: "NDArray[np.intp]"
    alike: "NDArray[np.float64]"
    # How much of the question's words each turn holds.
    held: "NDArray[np.float64]"
    # Whether they are of different sessions or far from each other in one, it is known when both were said, and the
    # newer does not only ask; and what tells, if so, whether the newer says otherwise what the older said: a row of
    # `Over` each.
    apart: "NDArray[np.bool_]"
    over: "NDArray[np.float64]"
    # Whether all that was found are few.
    few: bool


def pairs(question: Question, among: Among) -> Pairs | None:
    """Each two of the best that may speak of the same thing."""
    if among.alike is None or len(among.alike.turns) < 2:
        return None
    import numpy as np

    best = first(among.found.values(), COMPARED)
    places = {id_: place for place, id_ in enumerate(among.alike.turns)}
    turns = sorted((one for one in best if one.id in places), key=lambda one: (minutes(one.at), one.id))
    if not turns:
        return None
    rows = [places[one.id] for one in turns]
    near = among.alike.near[np.ix_(rows, rows)].astype(np.float64)
    few = len(among.found) < weigh.FIELD
    # Where turns are few, any two may.
    older, newer = np.nonzero(np.triu(few | (near > weigh.SAME_THING), 1))
    behind = np.array([one.score - best[0].score for one in turns])
    held = np.array([holds(question, one.beginning) for one in turns])
    over = _over(question, turns, near, behind, held, few=few)
    ids, sessions = (np.array([of(one) for one in turns]) for of in (_ID, _SESSION))
    dated = np.array([one.at is not None for one in turns])
    says = np.array([not only_asks(one.beginning) for one in turns])
    far = (sessions[older] != sessions[newer]) | (ids[newer] - ids[older] >= _FAR)
    apart = far & dated[older] & dated[newer] & says[newer]
    told = np.column_stack([np.broadcast_to(values, near.shape)[older, newer] for values in over])
    return Pairs(turns, older, newer, near[older, newer], held, apart, told, few)


def _over(
    question: Question,
    turns: list[Scored],
    near: "NDArray[np.float64]",
    behind: "NDArray[np.float64]",
    held: "NDArray[np.float64]",
    *,
    few: bool,
) -> weigh.Over:
    """What tells of each two turns whether the second says otherwise what the first said: a row for each first, a
    column for each second."""
    import numpy as np

    def each(values: Iterable[float]) -> "NDArray[np.float64]":
        return np.array(list(values), np.float64)

    # Each signal of all of them.
    of: Any = weigh.Signals(*np.array([one.signals for one in turns], np.float64).reshape(len(turns), -1).T)
    said = [one.beginning.lower() for one in turns]
    return weigh.Over(
        always=np.ones(1),
        alike=near,
        shared=_shared(turns),
        beside=_beside(turns, near),
        newer=behind,
        older=behind[:, None],
        now=np.array([float(not question.of_then)]),
        changes=each(map(changes, said)),
        asks=each(map(asks_something, said)),
        named=_named(turns) if question.of_whom else np.zeros(1),
        length=of.length,
        long=of.long + of.report,
        piece=of.piece,
        before=of.before,
        after=of.after,
        around=of.around,
        nearer=np.minimum(np.argsort(np.argsort(-of.piece)), _RANKS) / _RANKS,
        last=_last(turns, near, of.piece),
        words=of.words,
        same=(held >= held[:, None]).astype(np.float64),
        words_older=of.words[:, None],
        piece_older=of.piece[:, None],
        settled_older=of.settled[:, None],
        few=np.array([float(few)]),
        few_newer=few * behind,
        few_length=few * of.length,
        few_piece=few * of.piece,
    )


def _beside(turns: Sequence[Scored], near: "NDArray[np.float64]") -> "NDArray[np.float64]":
    """How alike each is to what was said just before or after each."""
    import numpy as np

    places = {(one.session, one.id): place for place, one in enumerate(turns)}
    padded = np.column_stack((near, np.zeros(len(turns))))
    before, after = ([places.get((one.session, one.id + step), -1) for one in turns] for step in (-1, 1))
    return np.maximum(padded[:, before], padded[:, after])


def _last(turns: Sequence[Scored], near: "NDArray[np.float64]", piece: "NDArray[np.float64]") -> "NDArray[np.float64]":
    """How many came later than the second, of other sessions, that are as near to the question and may speak of the
    same as the first."""
    import numpy as np

    sessions = np.array([one.session for one in turns])
    later = np.triu(np.ones_like(near), 1) * (piece >= piece[:, None] - _AS_NEAR) * (sessions != sessions[:, None])
    count: NDArray[np.float64] = np.triu(near > weigh.SAME_THING, 1).astype(np.float64) @ later.T
    return np.minimum(count, _LATER) / _LATER


def _named(turns: Sequence[Scored]) -> "NDArray[np.float64]":
    """Whether the second of each two names somebody the first does not."""
    import numpy as np

    named = [set(_NAME.findall(one.beginning)) for one in turns]
    return np.array([[float(not other <= one) for other in named] for one in named])


def _shared(turns: Sequence[Scored]) -> "NDArray[np.float64]":
    """How much of the words of one the other has, for each two of them; the fewer have a word, the more it tells."""
    import numpy as np

    places: dict[str, int] = defaultdict(itertools.count().__next__)
    words = (_WORD.findall(one.beginning.casefold()) for one in turns)
    said = [[places[word[:6]] for word in some if word not in STOPWORDS] for some in words]
    has = np.zeros((len(turns), len(places)))
    has[np.repeat(np.arange(len(said)), list(map(len, said))), list(itertools.chain.from_iterable(said))] = 1.0
    both: NDArray[np.float64] = (has * np.log((len(turns) + 1) / has.sum(axis=0))) @ has.T
    whole = both.diagonal()
    return both / np.maximum(np.minimum(whole[:, None], whole), 1e-6)


def _by_age(question: Question, some: Pairs, weights: Sequence[float]) -> dict[int, weigh.Beside]:
    """Of turns on the same thing the newer takes the place of the older, as likely as that is."""
    import numpy as np

    turns, older, newer = some.turns, some.older, some.newer
    held, near = some.held, some.alike - weigh.SAME_THING
    same_words = (held[older] > 0) & (held[older] <= held[newer])
    likely = np.where(some.apart, 1 / (1 + np.exp(-(some.over @ np.array(weights)))), 0.0)
    stands = np.zeros((len(weigh.Beside._fields), len(turns)))
    _, by_older, by_newer, takes, leaves, place = stands
    np.maximum.at(by_older, older, near * same_words)
    if not (question.of_then or question.of_work):
        np.maximum.at(by_newer, newer, near * same_words * some.apart)
    if not some.few:
        np.maximum.at(takes, newer, likely)
        np.maximum.at(leaves, older, likely)
    elif question.asks and not question.of_then:
        scores = np.array([one.score for one in turns])
        ahead = np.maximum(0.0, scores[older] - scores[newer]) + weigh.NOW + _ABOVE * likely
        np.maximum.at(place, newer, ahead * (likely > _LIKELY))
    # Nothing stands for a question.
    says = np.array([not one.signals.asks for one in turns], bool)
    perhaps = says[older] & (likely > _PERHAPS)
    _say_ages(turns, *(values[perhaps].tolist() for values in (older, newer, likely)))
    touched = np.union1d(older, newer).tolist()
    return {turns[place].id: weigh.Beside(*stands[:, place].tolist()) for place in touched}


def _say_ages(turns: list[Scored], older: list[int], newer: list[int], likely: list[float]) -> None:
    """Each that may have been changed names what is likeliest to have done it, and each that likely says an older one
    anew the likeliest; not what says the very same."""
    for value, one, other in sorted(zip(likely, older, newer, strict=True)):
        if turns[one].beginning != turns[other].beginning:
            turns[one].later = turns[other].id
            if value > _LIKELY:
                turns[other].instead = turns[one].id


def holds(question: Question, text: str) -> float:
    """How much of a question's words a text holds, between 0 and 1; filler tells half."""
    said, (tells, whole) = text.casefold(), _telling(tuple(question.words.items()))
    return sum([weight for beginning, weight in tells if beginning in said]) / whole


@lru_cache(16)
def _telling(words: tuple[tuple[str, float], ...]) -> tuple[list[tuple[str, float]], float]:
    """The beginnings of the words, with what each of them tells; and what all of them tell."""
    tells = [(word[:5], weight * (_FILLER if word in STOPWORDS else 1.0)) for word, weight in words]
    return tells, sum(weight for _, weight in tells)


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
