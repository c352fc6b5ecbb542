"""How much of what a question asks for recall finds, beside plain baselines over the same texts in the same run.

    python benchmarks/recall_quality.py questions benchmarks/questions [--show-misses N] [--json]
    python benchmarks/recall_quality.py longmemeval longmemeval_oracle.json --cache FOLDER

Each store is captured, scribed and embedded through Steno's own doors, then every question is asked once per unit.
Rows `tuned` and `aside` are the two halves of a set: what the weights were found on, and what was only measured.
R@k is the share of a question's evidence among the first k, any@k and all@k whether some or all of it is there; NDCG
and MRR look at the order (MRR among the first 20). Every figure is the mean over questions. In our own sets every piece
of evidence answers by itself, so that R@k, any@k and all@k are one figure.

With `--nights N` so many nights of upkeep pass after the last word of a store, and everything is asked again: the rows
of `after nights`, which a memory that takes care of itself keeps at those of `steno`.

With `--sketched` everything is asked before there are vectors, too, by words alone (`words`) and by sketches
(`sketched`). An eighth of the turns teaches how to sketch, and is sketched like the rest.
"""

import argparse
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
from steno.testing import SteppingClock, house
from steno.upkeep.run import Upkeep

DEEP = 20
NOW = "2026-11-01T00:00:00.000Z"
NO_PAUSES = {"curate_pause_minutes": "0", "prune_pause_minutes": "0"}


class Outcome(NamedTuple):
    """One question asked of one ranker in one unit, and what came back, the best first."""

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


class Run:
    """Asks all questions and keeps the outcomes and the times."""

    def __init__(self, units: Sequence[Unit], cache: VectorCache, nights: int = 0, *, sketched: bool = False) -> None:
        self._units, self._cache, self._nights, self._sketched = units, cache, nights, sketched
        self.outcomes: list[Outcome] = []
        self.seconds: dict[str, float] = defaultdict(float)
        self.recall_ms: dict[Unit, list[float]] = {unit: [] for unit in units}

    def measure(self, store: Store, folder: Path) -> None:
        """Everything about one store."""
        baselines = Baselines(store, self._cache)
        last = max((turn.at for turn in store.turns if turn.at), default=NOW)
        clock = SteppingClock(last)
        # Nothing is embedded behind: it is asked for below.
        with (
            house(folder, clock=clock, embedding="minilm", **NO_PAUSES) as memory,
            mock.patch.object(memory, "_follow"),
        ):
            self._fill(memory, store, folder / "talks.jsonl")
            self._ask(memory, store, "steno")
            for question in store.questions:
                for unit, name, keys in baselines.rankings(question):
                    self.outcomes.append(Outcome(unit, name, question, keys[:DEEP]))
            if self._nights:
                memory._store.runs.keep_from(last)
                for night in range(1, self._nights + 1):
                    tell(f"{store.name}: night {night}/{self._nights}")
                    clock.now = as_text(datetime.fromisoformat(last) + timedelta(days=night))
                    measured(jobs=len(Upkeep(memory, zone=UTC).look()))
                self._ask(memory, store, "after nights")

    def _ask(self, memory: steno.Memory, store: Store, ranker: str) -> None:
        for number, question in enumerate(store.questions, 1):
            tell(f"{store.name}: question {number}/{len(store.questions)}")
            for unit in self._units:
                self.outcomes.append(Outcome(unit, ranker, question, self._recalled(memory, store, question, unit)))

    def _fill(self, memory: steno.Memory, store: Store, path: Path) -> None:
        tell(f"{store.name}: reading {len(store.turns)} turns")
        self._timed("capture", lambda: store.captured(memory, path))
        self._timed("scribe", memory.scribe)
        if self._sketched:
            self._ask_before_vectors(memory, store)
        self._timed("embed", memory.embed)
        measured(turns=memory.status().turns, vectors=memory.recallable().vectors)

    def _ask_before_vectors(self, memory: steno.Memory, store: Store) -> None:
        memory._derived.index()
        self._ask(memory, store, "words")
        taught = len(store.turns) // 8
        with mock.patch.multiple(embed, MUCH=1, _TAUGHT=taught), mock.patch.object(memory._store.vectors, "put"):
            self._timed("sketch", lambda: memory.sketch(lambda _: None))
        measured(sketches=memory.recallable().sketched)
        self._ask(memory, store, "sketched")

    def _timed(self, name: str, verb: Callable[[], object]) -> None:
        start = time.perf_counter()
        verb()
        self.seconds[name] += time.perf_counter() - start

    def _recalled(self, memory: steno.Memory, store: Store, question: Question, unit: Unit) -> list[Any]:
        start = time.perf_counter()
        hits = memory.recall(question.text, k=DEEP, within=unit, now=question.asked_at, project=question.project)
        self.recall_ms[unit].append((time.perf_counter() - start) * 1000)
        keys = [store.key(hit.session, hit.native_id, hit.line) for hit in hits]
        return [session if unit == "sessions" else (session, id_) for session, id_ in keys]


def places_of(wanted: Iterable[Any], keys: Sequence[Any]) -> list[int]:
    """Where each wanted key stands first, from 1, in order."""
    return sorted(keys.index(key) + 1 for key in wanted if key in keys)


def gain(places: Iterable[int], most: int = 10) -> float:
    return sum(1 / math.log2(place + 1) for place in places if place <= most)


def summary(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """The mean of every figure over questions, by unit, ranker and type; both halves and `all` stand last."""
    groups: dict[tuple[str, str, str], list[dict[str, float]]] = defaultdict(list)
    for one in sorted(outcomes, key=lambda one: one.question.type):
        groups[one.unit, one.ranker, one.question.type].append(one.figures())
    for name in (*HALVES, "all"):
        for one in outcomes:
            if name in (one.question.half, "all"):
                groups[one.unit, one.ranker, name].append(one.figures())
    tree: dict[str, Any] = {one.unit: defaultdict(dict) for one in outcomes}
    for (unit, ranker, type_), rows in groups.items():
        tree[unit][ranker][type_] = {"n": len(rows), **{name: fmean(row[name] for row in rows) for name in rows[0]}}
    return tree


def stale_counts(outcomes: Sequence[Outcome]) -> list[str]:
    """How often something amended later stands above what holds now."""
    amended: dict[str, list[bool]] = defaultdict(list)
    for one in outcomes:
        if one.question.stale and one.unit != "sessions":
            amended[f"{one.ranker}, {one.unit}"].append(one.stale_above)
    return [f"{name}: stale above the evidence in {sum(above)} of {len(above)}" for name, above in amended.items()]


def misses(outcomes: Sequence[Outcome], texts: Mapping[Key, str]) -> Iterator[str]:
    """Questions of which Steno finds no evidence turn among the first ten; evidence (+), first two found (-)."""
    for one in outcomes:
        if (one.unit, one.ranker) == ("turns", "steno") and not one.figures()["any@10"]:
            keys = (*sorted(one.evidence), *one.keys[:2])
            lines = (f"\n  {'-+'[key in one.evidence]} {' '.join(key)}: {texts[key][:160]!r}" for key in keys)
            yield f"missed, {one.question.type}: {one.question.text}{''.join(lines)}"


def quantiles(values: Sequence[float]) -> dict[str, float]:
    ordered = sorted(values)
    return {f"p{share}": ordered[min(len(ordered) * share // 100, len(ordered) - 1)] for share in (50, 95, 99)}


def show(report: Mapping[str, Any]) -> None:
    """The report as plain text."""
    for reason, number in report["left_out"].items():
        print(f"left out: {number} questions with {reason}")
    for unit, rankers in report["figures"].items():
        names = list(rankers["steno"]["all"])[1:]
        print(f"\n{unit:9} {'type':25} {'n':>5}", *(f"{name:>7}" for name in names))
        for ranker, types in rankers.items():
            for type_, row in types.items():
                print(f"{ranker:9} {type_:25} {row['n']:5}", *(f"{row[name]:7.3f}" for name in names))
    print("", *report["stale"], *report["misses"], sep="\n")
    parts = [f"{name} {seconds:.1f} s" for name, seconds in report["seconds"].items()]
    for unit, times in report["ms"].items():
        parts.append(f"recall of {unit} " + " ".join(f"{name} {ms:.1f}" for name, ms in times.items()) + " ms")
    print(", ".join(parts))


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
    units: list[Unit] = ["turns", "sessions", "entries"] if options.dataset == "questions" else ["turns", "sessions"]
    with tempfile.TemporaryDirectory(prefix="steno-recall-") as work:
        run = Run(units, VectorCache(options.cache or Path(work)), options.nights, sketched=options.sketched)
        for store in data.stores:
            with tempfile.TemporaryDirectory(dir=work) as folder:
                run.measure(store, Path(folder))
    tell("")
    outcomes = [one for one in run.outcomes if one.evidence]
    hits = Counter(dict.fromkeys(("steno", "fts5", "vectors", "fused"), 0))
    for one in outcomes:
        hits[one.ranker] += len(one.keys)
    measured(questions=len(outcomes), **{f"hits of {ranker}": count for ranker, count in hits.items()})
    texts = {turn.key: turn.text for store in data.stores for turn in store.turns}
    report = {
        "dataset": options.dataset, "left_out": data.left_out, "figures": summary(outcomes),
        "stale": stale_counts(outcomes), "seconds": run.seconds,
        "misses": list(islice(misses(outcomes, texts), options.show_misses)),
        "ms": {unit: quantiles(times) for unit, times in run.recall_ms.items()},
    }  # fmt: skip
    print(json.dumps(report, indent=1)) if options.json else show(report)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
