"""Whether recall says that nothing fits where nothing does, and still answers where something does.

    python benchmarks/recall_floor.py questions benchmarks/questions
    python benchmarks/recall_floor.py locomo locomo10.json [--stores 2]

Each store is asked its own questions, and questions of which it does not hold the answer: those that are marked so,
those of the other stores of the set, and nonsense. Kept is the share of its own questions with evidence among the first
ten that are still answered so when recall may say that nothing fits; refused the share of the others for which it does,
of all and of those that are marked. Both are measured with vectors and by words alone. The level was chosen on the rows
`tuned`.
"""

import argparse
import tempfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from recall_baselines import tell
from recall_data import HALVES, READERS, Question, Store

import steno
from steno.recall import How
from steno.testing import house

NONSENSE = (
    "qwerty zxcvb asdfgh",
    "how many moons does the third planet of Tau Ceti have?",
    "which opera did the emperor's gardener hum while pruning roses?",
    "blorf the snarkle until the wibbet glows",
    "what is the boiling point of tungsten hexafluoride?",
    "who won the chess olympiad of 1976?",
)
MOST_OTHERS = 150


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dataset", choices=READERS)
    parser.add_argument("path", type=Path)
    parser.add_argument("--stores", type=int, help="so many of the stores")
    options = parser.parse_args()
    data = READERS[options.dataset](options.path).stores
    print(
        f"{'':28}{'own':>6}{'any@5':>8}{'any@10':>8}{'with the level':>16}{'kept':>7}{'others':>8}{'refused':>9}"
        f"{'marked':>8}{'refused':>9}"
    )
    for embedding in ("minilm", "off"):
        rows = [row for place in range(len(data))[: options.stores] for row in measure(data, place, embedding)]
        for half in HALVES:
            show(
                f"{'with vectors' if embedding != 'off' else 'by words'}, {half}",
                [row for row in rows if row.half == half],
            )
    return 0


class Row(NamedTuple):
    """A question: whether the store holds the answer, or is marked not to, and where it stands without and with the
    level (0: nothing fits)."""

    half: str
    own: bool
    marked: bool
    before: int | None
    now: int | None


def measure(data: list[Store], place: int, embedding: str) -> Iterator[Row]:
    """Every question asked of one store."""
    store = data[place]
    others = [one for other in data if other is not store for one in other.questions if one.turns]
    others = others[:: max(1, len(others) // MOST_OTHERS)]
    with (
        tempfile.TemporaryDirectory(prefix="steno-floor-") as folder,
        house(Path(folder), embedding=embedding) as memory,
    ):
        tell(f"{store.name}: reading {len(store.turns)} turns")
        store.captured(memory, Path(folder) / "talks.jsonl")
        memory.scribe()
        memory.embed()
        for number, question in enumerate((*store.questions, *others, *map(nonsense, range(len(NONSENSE))))):
            tell(f"{store.name}: question {number}")
            half = question.half if number < len(store.questions) else HALVES[number % 2]
            mine = number < len(store.questions)
            places = [stands(memory, store, question, how) for how in ("nearest", "likely")]
            yield Row(half, mine and bool(question.turns), mine and not question.turns, *places)
    tell("")


def nonsense(number: int) -> Question:
    return Question(NONSENSE[number], "nonsense", frozenset(), frozenset(), "")


def stands(memory: steno.Memory, store: Store, question: Question, how: How) -> int | None:
    """The place of the first evidence, from 1; 0: nothing fits; None: something else was found."""
    hits = memory.recall(question.text, k=10, within="turns", now=question.asked_at, project=question.project, how=how)
    places = (n for n, hit in enumerate(hits, 1) if store.key(hit.session, hit.native_id, hit.line) in question.turns)
    return next(islice(places, 1), None) if hits else 0


def show(name: str, rows: list[Row]) -> None:
    own, others = [row for row in rows if row.own], [row for row in rows if not row.own]
    if not own:
        return
    five, ten = (sum(0 < (row.before or 0) <= most for row in own) / len(own) for most in (5, 10))
    five_now, ten_now = (sum(0 < (row.now or 0) <= most for row in own) / len(own) for most in (5, 10))
    marked = [row for row in others if row.marked]
    refused = [sum(row.now == 0 for row in some) / max(1, len(some)) for some in (others, marked)]
    print(
        f"{name:28}{len(own):>6}{five:>8.3f}{ten:>8.3f}{five_now:>8.3f}{ten_now:>8.3f}{ten_now / ten:>7.3f}"
        f"{len(others):>8}{refused[0]:>9.3f}{len(marked):>8}{refused[1]:>9.3f}"
    )


if __name__ == "__main__":
    raise SystemExit(main())
