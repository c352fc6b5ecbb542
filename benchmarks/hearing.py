"""How well the encoder hears what a person's sentences do: people it never met beside those it learnt from.

    python benchmarks/hearing.py --data DIR [--aside NAME,NAME] [--misses ACT]

DIR holds `gold`, `silver` and `transcripts`. A sentence is taken to do something from the probability on that was best
for everybody else the encoder did not learn from: nobody chooses the level they are measured by.
"""

import argparse
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple, get_args

from labelled import Turn, gold, invented, language, newcomers, silver, split
from measured import measured

from steno.scribe.weigh import Weighed, weigh
from steno.vocabulary.details import Act

HERE = Path(__file__).parent
ACTS = get_args(Act)
COLUMNS = (*ACTS, "lasting")
LANGUAGES = ("English", "German", "Japanese", "Chinese", "other")
# Few labels make a figure of chance.
FEWEST = 5


class Heard(NamedTuple):
    """A labelled sentence and what the encoder made of it."""

    person: str
    text: str
    language: str
    acts: set[str]
    lasting: bool
    weighed: Weighed

    def pair(self, column: str) -> tuple[bool, float]:
        """Whether it does something, and how probable that was."""
        if column == "lasting":
            return self.lasting, self.weighed.lasting
        return column in self.acts, next((chance for act, chance in self.weighed.acts.items() if act == column), 0.0)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--aside", default="", help="newcomers whose figures are told apart, too")
    parser.add_argument("--misses", choices=ACTS, help="print the sentences of newcomers that were heard wrongly")
    options = parser.parse_args()
    strangers = newcomers(options.data)
    turns = silver(options.data)
    learnt, aside = split(turns, strangers)
    groups = {
        "newcomers, whole sessions": list(gold(options.data)),
        "newcomers, single turns": [turn for turn in turns if turn.person in strangers],
        "set aside to choose by": aside,
        "German, written for this": list(invented(HERE / "questions" / "german_turns.jsonl")),
        "learnt from": learnt,
    }
    measured(**{name.replace(" ", "_").replace(",", ""): len(group) for name, group in groups.items()})
    heard = {name: list(hear(group)) for name, group in groups.items()}
    unknown = [one for found in list(heard.values())[:-1] for one in found]
    apart = tuple(name for name in options.aside.split(",") if name)
    if apart:
        whole = heard["newcomers, whole sessions"]
        heard["newcomers kept aside, whole sessions"] = [one for one in whole if one.person.startswith(apart)]
    spoken = {f"people not learnt from, {name}": [one for one in unknown if one.language == name] for name in LANGUAGES}
    levels = {act: levels_of(unknown, act) for act in COLUMNS}
    for name, found in {
        **heard,
        **{f"people not learnt from, {name}": those for name, those in spoken.items()},
    }.items():
        print(f"\n{name}: {len(found)} sentences, {len({one.person for one in found})} people")
        table(found, levels)
    if options.misses:
        misses(heard["newcomers, whole sessions"], options.misses, levels[options.misses])
    return 0


def levels_of(heard: list[Heard], column: str) -> dict[str, float]:
    """For each person the level that is best for all others; under no name, for all."""
    people = {one.person for one in heard}
    return {name: best_level([one.pair(column) for one in heard if one.person != name]) for name in ("", *people)}


def best_level(pairs: list[tuple[bool, float]]) -> float:
    """The probability from which on most is right: the highest F."""
    wanted, hits, best = sum(does for does, _ in pairs), 0, (0.0, 1.0)
    for place, (does, chance) in enumerate(sorted(pairs, key=lambda pair: -pair[1]), 1):
        hits += does
        best = max(best, (2 * hits / (place + wanted), chance))
    return best[1]


def hear(turns: Iterable[Turn]) -> Iterator[Heard]:
    """Every sentence that counts, weighed in its scene."""
    for turn in turns:
        spans = [(one.start, one.end) for one in turn.sentences]
        weighed = weigh(turn.text, spans, before=turn.before, stopped=turn.stopped)
        for one, found in zip(turn.sentences, weighed, strict=True):
            if one.counts:
                words = turn.text[one.start : one.end]
                yield Heard(turn.person, words, language(turn.text), one.acts, one.lasting, found)


def table(heard: list[Heard], levels: dict[str, dict[str, float]]) -> None:
    """Precision, recall, F and average precision of each act; then how many of the sure ones are right."""
    print(f"  {'act':10} {'labels':>6} {'P':>6} {'R':>6} {'F':>6} {'AP':>6} {'at .9+':>7} {'right':>6}")
    for act in COLUMNS:
        pairs = [one.pair(act) for one in heard]
        wanted = sum(does for does, _ in pairs)
        if wanted < FEWEST:
            continue
        taken = [one.pair(act)[0] for one in heard if is_taken(one, act, levels[act])]
        sure = [does for does, chance in pairs if chance >= 0.9]
        hits = sum(taken)
        figures = (hits / max(1, len(taken)), hits / wanted, 2 * hits / (len(taken) + wanted), average_precision(pairs))
        right = f"{sum(sure) / len(sure):6.2f}" if sure else "     –"
        print(f"  {act:10} {wanted:6}", *(f"{figure:6.3f}" for figure in figures), f"{len(sure):7} {right}")


def is_taken(one: Heard, column: str, levels: dict[str, float]) -> bool:
    return one.pair(column)[1] >= levels.get(one.person, levels[""])


def average_precision(pairs: list[tuple[bool, float]]) -> float:
    """The mean precision at every hit, most probable first."""
    hits, total = 0, 0.0
    for place, (does, _) in enumerate(sorted(pairs, key=lambda pair: -pair[1]), 1):
        if does:
            hits += 1
            total += hits / place
    return total / max(1, hits)


def misses(heard: list[Heard], act: Act, levels: dict[str, float]) -> None:
    for one in sorted(heard, key=lambda one: -one.weighed.acts[act]):
        if (act in one.acts) != is_taken(one, act, levels):
            kind = "missed" if act in one.acts else "wrong "
            print(f"{kind} {one.weighed.acts[act]:.2f} {sorted(one.acts)} {one.text[:120]!r}")


if __name__ == "__main__":
    sys.exit(main())
