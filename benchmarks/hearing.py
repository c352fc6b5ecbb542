"""How well the encoder hears what a person's sentences do: people it never met beside those it learnt from.

    python benchmarks/hearing.py --data DIR [--misses ACT]

DIR holds `gold`, `silver` and `transcripts`. A sentence is taken to do something from a probability on that was chosen
on people set aside (`levels` in weights.toml), never on the newcomers measured here.
"""

import argparse
import sys
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple, get_args

from labelled import Turn, count, gold, invented, language, newcomers, silver, split
from measured import measured

from steno.scribe.weigh import FOLDER, Weighed, weigh
from steno.vocabulary.details import Act

HERE = Path(__file__).parent
ACTS = get_args(Act)
LANGUAGES = ("English", "German", "Japanese", "Chinese", "other")
# Few labels make a figure of chance.
FEWEST = 5


class Heard(NamedTuple):
    """A labelled sentence and what the encoder made of it."""

    text: str
    language: str
    acts: set[str]
    lasting: bool
    weighed: Weighed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
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
    levels = tomllib.loads((FOLDER / "weights.toml").read_text("utf-8"))["levels"]
    heard: dict[str, list[Heard]] = {}
    for name, group in groups.items():
        heard[name] = list(hear(group))
        turned, sentences, people = count(group)
        print(f"\n{name}: {turned} turns, {sentences} sentences, {people} people")
        table(heard[name], levels)
    everybody = [one for found in list(heard.values())[:-1] for one in found]
    for spoken in LANGUAGES:
        found = [one for one in everybody if one.language == spoken]
        print(f"\npeople not learnt from, {spoken}: {len(found)} sentences")
        table(found, levels)
    if options.misses:
        misses(heard["newcomers, whole sessions"], options.misses, levels[options.misses])
    return 0


def hear(turns: Iterable[Turn]) -> Iterator[Heard]:
    """Every sentence that counts, weighed in its scene."""
    for turn in turns:
        spans = [(one.start, one.end) for one in turn.sentences]
        weighed = weigh(turn.text, spans, before=turn.before, stopped=turn.stopped)
        for one, found in zip(turn.sentences, weighed, strict=True):
            if one.counts:
                yield Heard(turn.text[one.start : one.end], language(turn.text), one.acts, one.lasting, found)


def table(heard: list[Heard], levels: dict[str, float]) -> None:
    """Precision, recall, F and average precision of each act; then how many of the sure ones are right."""
    print(f"  {'act':10} {'labels':>6} {'P':>6} {'R':>6} {'F':>6} {'AP':>6} {'at .9+':>7} {'right':>6}")
    for act in (*ACTS, "lasting"):
        pairs = [
            (one.lasting, one.weighed.lasting) if act == "lasting" else (act in one.acts, one.weighed.acts[act])
            for one in heard
        ]
        wanted = sum(does for does, _ in pairs)
        if wanted < FEWEST:
            continue
        taken = [does for does, chance in pairs if chance >= levels[act]]
        sure = [does for does, chance in pairs if chance >= 0.9]
        hits = sum(taken)
        figures = (hits / max(1, len(taken)), hits / wanted, 2 * hits / (len(taken) + wanted), average_precision(pairs))
        right = f"{sum(sure) / len(sure):6.2f}" if sure else "     –"
        print(f"  {act:10} {wanted:6}", *(f"{figure:6.3f}" for figure in figures), f"{len(sure):7} {right}")


def average_precision(pairs: list[tuple[bool, float]]) -> float:
    """The mean precision at every hit, most probable first."""
    hits, total = 0, 0.0
    for place, (does, _) in enumerate(sorted(pairs, key=lambda pair: -pair[1]), 1):
        if does:
            hits += 1
            total += hits / place
    return total / max(1, hits)


def misses(heard: list[Heard], act: Act, level: float) -> None:
    for one in sorted(heard, key=lambda one: -one.weighed.acts[act]):
        if (act in one.acts) != (one.weighed.acts[act] >= level):
            kind = "missed" if act in one.acts else "wrong "
            print(f"{kind} {one.weighed.acts[act]:.2f} {sorted(one.acts)} {one.text[:120]!r}")


if __name__ == "__main__":
    sys.exit(main())
