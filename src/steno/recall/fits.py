"""How likely it is that what was found answers a question, and is not only the nearest noise.

Something is always nearest. The weights are learnt from questions that a store can answer and such that it cannot."""

from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from steno.recall import weigh
from steno.recall.question import Question
from steno.recall.rank import holds

# So many of the best are looked at.
FIRST: Final = 5


class Best(NamedTuple):
    """One of the best that was found: its words, and how near it is to the question."""

    text: str
    # Its nearest piece, and all of it. None: it has no vectors.
    near: float | None
    whole: float | None
    # Whether it will have some.
    waits: bool = False
    # How much of the question its words explain, also behind what is looked at.
    words: float = 0.0


class Tells(NamedTuple):
    """What tells an answer from noise: shares between 0 and 1."""

    always: float
    # How near the nearest piece is, and the nearest as a whole.
    nearest: float
    whole: float
    # How much of the question one of them holds, and all of them together.
    held: float
    covered: float
    # How much of the question nobody ever said; and whether it names something that stands nowhere.
    unheard: float
    unsaid: float
    # How far the best stands above the fifth, and above the last of a field; whether turns are too few to be one.
    fifth: float
    field: float
    few: float


class Never(NamedTuple):
    """Of a question what the store does not hold."""

    # Words that nobody ever said, and names that stand nowhere.
    words: Collection[str] = ()
    names: Collection[str] = ()


def likely(question: Question, best: Sequence[Best], never: Never, scores: Sequence[float]) -> float:
    """Between 0 and 1, by the best and the scores of all. What waits for its vectors is judged by its words."""
    if not best:
        return 0.0
    found = tells(question, best, never, scores)
    near = any(one.near is not None for one in best)
    # Words tell nothing where none is shared; and of what never has vectors, a part of them does not.
    wordy = any(one.waits or (one.near is None and holds(question, one.text) == 1.0) for one in best)
    by_words = found.held > 0 and (not near or wordy)
    chances = [weigh.chance(found, table) for table, counts in (("fits", near), ("fits_by_words", by_words)) if counts]
    return max(chances, default=0.0)


def tells(question: Question, best: Sequence[Best], never: Never, scores: Sequence[float]) -> Tells:
    """What the best that was found tells, and how far it stands above the rest."""
    texts = [one.text for one in best]
    every = "\n".join(texts)
    said = every.casefold()
    missing = sum(weight for word, weight in question.words.items() if word in never.words and word not in said)
    held = max(max(holds(question, one.text), one.words) for one in best)
    return Tells(
        1.0,
        max(one.near or 0.0 for one in best),
        max(one.whole or 0.0 for one in best),
        held,
        max(held, holds(question, every)),
        missing / sum(question.words.values()),
        float(question.asks and bool(never.names)),
        *weigh.leads(scores),
    )
