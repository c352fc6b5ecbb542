"""How much of what a question asks for recall finds, beside plain baselines over the same texts in the same run; and
whether it says that nothing fits where nothing does.

    python benchmarks/recall_quality.py questions benchmarks/questions [--show-misses N] [--json]
    python benchmarks/recall_quality.py longmemeval longmemeval_oracle.json --cache FOLDER

Each store is captured, scribed and embedded through Steno's own doors, then every question is asked once per unit, for
what is nearest, as the baselines answer; whether that would have been shown is asked apart.
Rows `tuned` and `aside` are the two halves of a set: what the weights were found on, and what was only measured.
R@k is the share of a question's evidence among the first k, any@k and all@k whether some or all of it is there. In our
own sets every piece of evidence answers by itself. Every figure is the mean over questions, and stands before the best
of the three baselines. `new first` counts the questions about something that was amended of which the new word stands
above the old one; `answered` those that are among the first ten and shown; `others` the questions of other stores, and
`near` those near to what was said but never answered, for which recall of everything says that nothing fits.

With `--json` every figure by set, unit, ranker and kind of question. With `--nights N` so many nights of upkeep pass
after the last word of a store, and everything is asked again: the ranker `after nights`, which a memory that takes care
of itself keeps at the figures of `steno`. With `--sketched` everything is asked before there are vectors, too, by words
alone (`words`) and by sketches (`sketched`). An eighth of the turns teaches how, and is sketched like the rest.
"""

import argparse
import itertools
import json
import math
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple
from unittest import mock

from measured import measured
from recall_baselines import Baselines, VectorCache, tell
from recall_data import HALVES, READERS, Key, Question, Store, Unit

import steno
from steno.clock import as_text
from steno.pipeline import embed
from steno.pipeline.behind import Behind
from steno.recall import How
from steno.testing import SteppingClock, house
from steno.upkeep.run import Upkeep

DEEP = 20
# So many of the best are shown; so many questions of other stores are asked of each.
SHOWN, OTHERS = 10, 14
# What is told of each unit.
COLUMNS: dict[Unit, tuple[str, ...]] = {
    "turns": ("R@1", "R@5", "R@10"),
    "sessions": ("any@5", "all@5", "R@10"),
    "all": ("R@1", "R@5", "R@10"),
}
BASELINES = ("fts5", "vectors", "fused")
# What is aimed at in the rows `aside`: figures by set and unit, and shares of what is counted.
AIMS = {
    ("locomo", "turns", "R@10"): 0.78,
    ("locomo", "sessions", "R@10"): 0.955,
    ("longmemeval", "sessions", "any@5"): 0.89,
    ("longmemeval", "sessions", "all@5"): 0.70,
    ("paraphrase", "turns", "R@5"): 0.70,
}
COUNTED_AIMS = {"new first": 0.90, "answered": 0.95, "others silent": 0.85, "near silent": 0.85}
NOW = "2026-11-01T00:00:00.000Z"
NO_PAUSES = {"curate_pause_minutes": "0", "prune_pause_minutes": "0"}


class Outcome(NamedTuple):
    """One question asked of one ranker in one unit, and what came back, the best first."""

    set: str
    unit: Unit
    ranker: str
    question: Question
    keys: Sequence[Any]

    @property
    def evidence(self) -> frozenset[Any]:
        return self.question.sessions if self.unit == "sessions" else self.question.turns

    @property
    def places(self) -> list[int]:
        """Where the evidence stands, from 1."""
        return places_of(self.evidence, self.keys)[: 1 if self.question.any_will_do else None]

    @property
    def stale_above(self) -> bool:
        """Whether something amended later stands above what holds now."""
        stale = places_of(self.question.stale, self.keys)
        return bool(stale) and (not self.places or stale[0] < self.places[0])

    def figures(self) -> dict[str, float]:
        places, wanted = self.places, 1 if self.question.any_will_do else len(self.evidence)
        found = {most: sum(place <= most for place in places) for most in (1, 5, 10, 20)}
        return {
            **{f"R@{most}": found[most] / wanted for most in (1, 5, 10, 20)},
            **{f"any@{most}": float(found[most] > 0) for most in (1, 5, 10)},
            **{f"all@{most}": float(found[most] == wanted) for most in (5, 10)},
            "NDCG@10": gain(places) / gain(range(1, wanted + 1)),
            "MRR": 1 / places[0] if places else 0.0,
        }


class Silence(NamedTuple):
    """Whether recall of everything said that nothing fits: to what it had among the ten best, to a question of another
    store, or to one near to what was said."""

    set: str
    half: str
    kind: str
    silent: bool


class Run:
    """Asks all questions and keeps the outcomes and the times."""

    def __init__(self, dataset: str, cache: VectorCache, nights: int = 0, *, sketched: bool = False) -> None:
        self._dataset, self._cache, self._nights, self._sketched = dataset, cache, nights, sketched
        self.outcomes: list[Outcome] = []
        self.silences: list[Silence] = []
        self.seconds: dict[str, float] = defaultdict(float)
        self.recall_ms: dict[Unit, list[float]] = {unit: [] for unit in COLUMNS}

    def measure(self, store: Store, others: Sequence[Question], folder: Path) -> None:
        """Everything about one store, and what it says to questions of others."""
        baselines = Baselines(store, self._cache)
        last = max((turn.at for turn in store.turns if turn.at), default=NOW)
        clock = SteppingClock(last)
        # Nothing is embedded behind: it is asked for below.
        with (
            house(folder, clock=clock, embedding="minilm", **NO_PAUSES) as memory,
            mock.patch.object(Behind, "follow"),
        ):
            self._fill(memory, store, folder / "talks.jsonl")
            self._ask(memory, store, "steno")
            self._ask_in_vain(memory, store, others)
            for question in store.questions:
                for unit, name, keys in baselines.rankings(question):
                    self.outcomes.append(Outcome(self._set(store), unit, name, question, keys[:DEEP]))
            if self._nights:
                memory.home.store.runs.keep_from(last)
                for night in range(1, self._nights + 1):
                    tell(f"{store.name}: night {night}/{self._nights}")
                    clock.now = as_text(datetime.fromisoformat(last) + timedelta(days=night))
                    measured(jobs=len(Upkeep(memory.home, zone=UTC).look()))
                self._ask(memory, store, "after nights")

    def _set(self, store: Store) -> str:
        """Our own stores of one kind are a set."""
        return store.name.partition("_")[0] if self._dataset == "questions" else self._dataset

    def _ask(self, memory: steno.Memory, store: Store, ranker: str) -> None:
        for number, question in enumerate(store.questions, 1):
            tell(f"{store.name}: question {number}/{len(store.questions)}")
            for unit in COLUMNS:
                keys = self._recalled(memory, store, question, unit)
                self.outcomes.append(Outcome(self._set(store), unit, ranker, question, keys))

    def _ask_in_vain(self, memory: steno.Memory, store: Store, others: Sequence[Question]) -> None:
        """What is shown of what it answers, and to whom it says that nothing fits: who asks what a store does not hold
        asks from where its own questions are asked. None of it counts as use."""
        own = [(one, "answered" if one.turns else "near") for one in store.questions]
        places = itertools.cycle([one.project for one in store.questions])
        strange = [(one._replace(project=place), "others") for one, place in zip(others, places, strict=False)]
        with mock.patch.object(memory.uses, "note"):
            for question, kind in (*own, *strange):
                if kind == "answered" and not question.turns & {*self._keys(memory, store, question, "nearest")}:
                    continue
                silent = not self._keys(memory, store, question, "likely")
                self.silences.append(Silence(self._set(store), question.half, kind, silent))

    def _fill(self, memory: steno.Memory, store: Store, path: Path) -> None:
        tell(f"{store.name}: reading {len(store.turns)} turns")
        self._timed("capture", lambda: store.captured(memory, path))
        self._timed("scribe", memory.scribe)
        if self._sketched:
            self._ask_before_vectors(memory, store)
        self._timed("embed", memory.embed)
        measured(turns=memory.status().turns, vectors=memory.recallable().vectors)

    def _ask_before_vectors(self, memory: steno.Memory, store: Store) -> None:
        memory.derived.index()
        self._ask(memory, store, "words")
        taught = len(store.turns) // 8
        with mock.patch.multiple(embed, MUCH=1, _TAUGHT=taught), mock.patch.object(memory.home.store.vectors, "put"):
            self._timed("sketch", lambda: memory.sketch(lambda _: None))
        measured(sketches=memory.recallable().sketched)
        self._ask(memory, store, "sketched")

    def _timed(self, name: str, verb: Callable[[], object]) -> None:
        start = time.perf_counter()
        verb()
        self.seconds[name] += time.perf_counter() - start

    def _recalled(self, memory: steno.Memory, store: Store, question: Question, unit: Unit) -> list[Any]:
        start = time.perf_counter()
        keys = self._keys(memory, store, question, "nearest", unit, DEEP)
        self.recall_ms[unit].append((time.perf_counter() - start) * 1000)
        return [session if unit == "sessions" else (session, id_) for session, id_ in keys]

    def _keys(
        self, memory: steno.Memory, store: Store, question: Question, how: How, unit: Unit = "all", most: int = SHOWN
    ) -> list[Key]:
        project, now = question.project, question.asked_at
        hits = memory.recall(question.text, k=most, within=unit, now=now, project=project, how=how)
        return [store.key(hit.session, hit.native_id, hit.line) for hit in hits]


def places_of(wanted: Iterable[Any], keys: Sequence[Any]) -> list[int]:
    """Where each wanted key stands first, from 1, in order."""
    return sorted(keys.index(key) + 1 for key in wanted if key in keys)


def gain(places: Iterable[int], most: int = 10) -> float:
    return sum(1 / math.log2(place + 1) for place in places if place <= most)


def summary(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """The mean of every figure over questions, by set, unit, ranker and kind of question; both halves stand last."""
    groups: dict[tuple[str, Unit, str, str], list[dict[str, float]]] = defaultdict(list)
    for one in sorted(outcomes, key=lambda one: one.question.type):
        groups[one.set, one.unit, one.ranker, one.question.type].append(one.figures())
    for half in HALVES:
        for one in outcomes:
            if one.question.half == half:
                groups[one.set, one.unit, one.ranker, half].append(one.figures())
    tree: dict[str, Any] = {}
    for (set_, unit, ranker, type_), rows in groups.items():
        figures = {"n": len(rows), **{name: fmean(row[name] for row in rows) for name in rows[0]}}
        tree.setdefault(set_, {}).setdefault(unit, {}).setdefault(ranker, {})[type_] = figures
    return tree


def counts(run: Run) -> dict[str, dict[str, dict[str, tuple[int, int]]]]:
    """By set and half: so many of so many."""
    tree: dict[str, dict[str, dict[str, list[bool]]]] = defaultdict(lambda: defaultdict(lambda: defaultdict(list)))
    for one in run.outcomes:
        if one.question.stale and (one.unit, one.ranker) == ("all", "steno"):
            tree[one.set][one.question.half]["new first"].append(bool(one.places) and not one.stale_above)
    for silence in run.silences:
        name = silence.kind if silence.kind == "answered" else f"{silence.kind} silent"
        tree[silence.set][silence.half][name].append(silence.silent != (silence.kind == "answered"))
    return {
        set_: {half: {name: (sum(some), len(some)) for name, some in of.items()} for half, of in halves.items()}
        for set_, halves in tree.items()
    }


def misses(outcomes: Sequence[Outcome], texts: Mapping[Key, str]) -> Iterator[str]:
    """Questions of which Steno finds no evidence turn among the first ten; evidence (+), first two found (-)."""
    for one in outcomes:
        if (one.unit, one.ranker) == ("turns", "steno") and not one.figures()["any@10"]:
            keys = (*sorted(one.evidence), *one.keys[:2])
            lines = (
                f"\n  {'-+'[key in one.evidence]} {' '.join(key)}: {texts.get(key, '(a call)')[:160]!r}" for key in keys
            )
            yield f"missed, {one.question.type}: {one.question.text}{''.join(lines)}"


def others(store: Store, stores: Sequence[Store]) -> Sequence[Question]:
    """Some questions of other stores of its half, which it cannot answer; of all in one store others may be."""
    if store.name.startswith("pooled"):
        return ()
    half = {one.half for one in store.questions}
    strange = [
        one
        for other in stores
        if other is not store and not other.name.startswith("pooled")
        for one in other.questions
        if one.turns and one.half in half
    ]
    most = min(OTHERS * len(half), len(strange))
    return [strange[place * len(strange) // most] for place in range(most)]


def quantiles(values: Sequence[float]) -> dict[str, float]:
    ordered = sorted(values)
    return {f"p{share}": ordered[min(len(ordered) * share // 100, len(ordered) - 1)] for share in (50, 95, 99)}


def show(report: Mapping[str, Any]) -> None:
    """The report as a table, and what is aimed at."""
    for reason, number in report["left_out"].items():
        print(f"left out: {number} questions with {reason}")
    names = [f"{unit} {figure}" for unit, figures in COLUMNS.items() for figure in figures]
    print("", "| " + " | ".join(["set, half", "n", *names, *COUNTED_AIMS]) + " |", sep="\n")
    print("|---" * (2 + len(names) + len(COUNTED_AIMS)) + "|")
    for set_, units in report["figures"].items():
        for half in HALVES:
            if half in units["turns"]["steno"]:
                print("| " + " | ".join(row(set_, half, units, report["counts"])) + " |")
    print("", *report["misses"], sep="\n")
    print(f"aims missed, aside: {', '.join(missed(report)) or 'none'}")
    print(f"below a baseline, aside: {', '.join(beaten(report['figures'])) or 'nothing'}")
    parts = [f"{name} {seconds:.1f} s" for name, seconds in report["seconds"].items()]
    for unit, times in report["ms"].items():
        parts.append(f"recall of {unit} " + " ".join(f"{name} {ms:.1f}" for name, ms in times.items()) + " ms")
    print(", ".join(parts))


def row(set_: str, half: str, units: Mapping[str, Any], counted: Mapping[str, Any]) -> Iterator[str]:
    """A line of the table: each figure, and the best a baseline has."""
    yield f"{set_}, {half}"
    yield str(units["turns"]["steno"][half]["n"])
    for unit, figures in COLUMNS.items():
        for figure in figures:
            best = max((units[unit][name][half][figure] for name in BASELINES if name in units[unit]), default=None)
            yield f"{units[unit]['steno'][half][figure]:.3f}" + ("" if best is None else f" / {best:.3f}")
    for name in COUNTED_AIMS:
        some = counted.get(set_, {}).get(half, {}).get(name)
        yield "" if some is None else f"{some[0]} of {some[1]}"


def missed(report: Mapping[str, Any]) -> Iterator[str]:
    """What is less than aimed at in the rows aside."""
    for (set_, unit, figure), aim in AIMS.items():
        if set_ in report["figures"] and (found := report["figures"][set_][unit]["steno"]["aside"][figure]) < aim:
            yield f"{set_} {unit} {figure} ({found:.3f}, aim {aim})"
    for set_, halves in report["counts"].items():
        for name, (some, of) in halves.get("aside", {}).items():
            if some < COUNTED_AIMS[name] * of:
                yield f"{set_} {name} ({some} of {of}, aim {COUNTED_AIMS[name]})"


def beaten(figures: Mapping[str, Any]) -> Iterator[str]:
    """Where a baseline is better in the rows aside."""
    for set_, units in figures.items():
        for unit, names in COLUMNS.items():
            for figure in names:
                own = units[unit].get("steno", {}).get("aside")
                for name in BASELINES:
                    other = units[unit].get(name, {}).get("aside")
                    if own and other and other[figure] > own[figure]:
                        yield f"{set_} {unit} {figure} ({name} {other[figure]:.3f}, {own[figure]:.3f})"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dataset", choices=READERS)
    parser.add_argument("path", type=Path)
    parser.add_argument("--show-misses", type=int, default=0, metavar="N")
    parser.add_argument("--nights", type=int, default=0, metavar="N", help="ask again after so many nights of upkeep")
    parser.add_argument("--sketched", action="store_true", help="ask before there are vectors, too")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--cache", type=Path, help="keep the baselines' vectors here for the next run")
    options = parser.parse_args()
    data = READERS[options.dataset](options.path)
    with tempfile.TemporaryDirectory(prefix="steno-recall-") as work:
        cache = VectorCache(options.cache or Path(work))
        run = Run(options.dataset, cache, options.nights, sketched=options.sketched)
        for store in data.stores:
            with tempfile.TemporaryDirectory(dir=work) as folder:
                run.measure(store, list(others(store, data.stores)), Path(folder))
    tell("")
    outcomes = [one for one in run.outcomes if one.evidence]
    hits = Counter(dict.fromkeys(("steno", "fts5", "vectors", "fused"), 0))
    for one in outcomes:
        hits[one.ranker] += len(one.keys)
    measured(questions=len(outcomes), **{f"hits of {ranker}": count for ranker, count in hits.items()})
    texts = {turn.key: turn.text for store in data.stores for turn in store.turns}
    report = {
        "dataset": options.dataset, "left_out": data.left_out, "figures": summary(outcomes),
        "counts": counts(run), "seconds": run.seconds,
        "misses": list(islice(misses(outcomes, texts), options.show_misses)),
        "ms": {unit: quantiles(times) for unit, times in run.recall_ms.items()},
    }  # fmt: skip
    print(json.dumps(report, indent=1)) if options.json else show(report)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
