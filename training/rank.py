"""Teach recall what speaks for a turn, and when nothing fits: from questions of which the answer is known.

    python -m training.rank --cache DIR questions=DIR locomo=FILE longmemeval=FILE real=DIR [--out FILE]

Only the rows `tuned` of every set are learnt from. Turns are ranked by a linear model over what a turn is (`Signals`),
half of a small network over the same, and a linear model over what stands beside it (`Beside`), learnt so that the
evidence of a question stands above the rest; before the last a logistic model over pairs of turns (`Over`) tells what
was said anew. Whether anything fits is a logistic model over `Tells`, learnt from questions a store can answer and
those of other stores, which it cannot; how likely that is said to be is fitted to how often it was so. The figures are
of questions whose fold the weights had not seen, and of whole sets left out. `--cache` keeps the homes. No chance is
involved: the same data give the same file.
"""

import argparse
import itertools
import shutil
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple
from unittest import mock

import numpy as np
from numpy.typing import NDArray
from recall_data import READERS, Question, Store

import steno
from steno.recall import weigh
from steno.recall.fits import Never, Tells, tells
from steno.recall.question import Question as Asked
from steno.recall.question import ask
from steno.recall.rank import Among, beside, first, pairs
from steno.recall.recall import best_turns
from steno.recall.search import Search
from steno.recall.weigh import WEIGHTS, Beside, Network, Over, Signals, together
from steno.vocabulary import Scope

Rows = NDArray[np.float64]

FOLDS: Final = 4
# How far sets count the same however many questions they have: 0 not at all, 1 wholly.
EVEN: Final = 0.5
# No more questions of one store, unless it is large; and so many of other stores, which it cannot answer, or as
# many as its own.
MOST: Final = 100
LARGE, MOST_OF_LARGE = 1000, 400
OTHERS: Final = 36
# Half of what is asked there was changed.
CHANGED: Final = ("small", "pooled")
# Weights of nearness come to this, so that turns and entries stay comparable.
NEARNESS: Final = 1.5
NEAR: Final = ("piece", "whole", "before", "after", "around")
# Where nothing is learnt yet, words and meaning count the same.
PLAIN: Final = np.array([float(field in ("words", "piece")) for field in Signals._fields])
# Of the questions that were answered, so many still are, in the mean over the sets; and the levels that are tried.
KEPT: Final = 0.975
KEPT_BY_WORDS: Final = 0.9
LEVELS: Final = tuple(step / 200 for step in range(1, 200))
# Pairs of turns are learnt from if the older is among so many of the best; what was amended counts as so many others.
FIRST_OLDER: Final = 10
STALE: Final = 20.0
STEPS, RATE, RIDGE = 150, 0.2, 1e-3
# The network learns from so many of the best of each question; two of them from different starts, held tight, and half
# of what they say: by other folds and other sets more of it loses answers of sets it has not seen.
HARD: Final = 60
STARTS, WIDE, HALF = (0, 1), 8, 0.5
STEPS_BENT, RATE_BENT, RIDGE_BENT = 200, 0.02, 3e-3


class Case(NamedTuple):
    """A question with all that was found for it."""

    set: str
    fold: int
    asked: Asked
    among: Among
    never: Never
    # Which of what was found is evidence, in its order; and which was amended later.
    right: Rows
    stale: Rows
    # Whether the store holds the answer; and, if it does not, whether the question is about what was spoken of there.
    can: bool
    near: bool


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="+", metavar="SET=PATH")
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    options = parser.parse_args()
    data = {name: READERS[name](Path(path)).stores for name, _, path in (one.partition("=") for one in options.data)}
    for name, stores in data.items():
        for store in stores:
            if any(one.half == "tuned" for one in store.questions):
                filled(store, options.cache / name / store.name)
    # Which turns are the best, whose discussions are followed and which are held against each other, is a matter of
    # weights: twice, so that it does not depend on those that ship.
    cases = gathered(data, options.cache, PLAIN)
    cases = gathered(data, options.cache, by_themselves(of_turns(taught(cases)))[0])
    learnt = Learnt(cases)
    figures = {f"{name}, {row}": value for name, row, value in crossed(cases)}
    options.out.write_text(card(learnt, figures), "utf-8")
    print(options.out.read_text("utf-8"))
    return 0


def gathered(data: Mapping[str, Sequence[Store]], cache: Path, turns: Rows) -> list[Case]:
    """What is found for all questions where turns have these weights."""
    cases: list[Case] = []
    table = {"turns": turns.tolist()}
    with mock.patch.object(weigh, "weights", table.__getitem__), mock.patch("steno.recall.search.judge"):
        for name, stores in data.items():
            folds: dict[Any, int] = {}
            for store in stores:
                cases += collected(name, store, cache / name / store.name, strangers(store, stores), folds)
    return cases


def strangers(store: Store, stores: Sequence[Store]) -> list[Question]:
    """Questions of other stores, which this one cannot answer. What is asked of all small ones together is asked of
    each of them, too."""
    together = store.name.startswith("pooled")
    others = [one for one in stores if one is not store and not one.name.startswith("pooled")]
    others = [one for one in others if not (together and one.name.startswith("small"))]
    return [one for other in others for one in other.questions if one.turns and one.half == "tuned"]


def some(questions: Sequence[Question], most: int) -> Sequence[Question]:
    """No more than so many, from all over."""
    return questions[:: max(1, -(-len(questions) // most))]


def collected(name: str, store: Store, home: Path, others: Sequence[Question], folds: dict[Any, int]) -> list[Case]:
    """What is found in a store for its own questions, and for some of others. `folds` holds what was left out whole so
    far."""
    tuned = [one for one in store.questions if one.half == "tuned"]
    own = some(tuned, MOST_OF_LARGE if len(store.turns) > LARGE else MOST)
    if not own:
        return []
    # Talk of several people that was asked about in the same ways is one set.
    called = name if name != "questions" else store.name.partition("_")[0]
    others = others[:: max(1, len(others) // min(OTHERS, len(own)))]
    cases: list[Case] = []
    # Who asks without a time asks when all was said: nothing depends on the day of the teaching.
    last = max(turn.at for turn in store.turns)
    # What a store cannot answer is asked from where its own questions are: within one project fewer turns can be near.
    places = itertools.cycle([one.project for one in own])
    strange = (one._replace(project=next(places), turns=frozenset(), stale=frozenset()) for one in others)
    with steno.open(home / "home") as memory:
        derived = memory.derived
        words, meaning = derived.ready_words(), derived.meaning()
        for question in (*own, *strange):
            now = question.asked_at or last
            asked = ask(question.text, now)
            search = Search(memory.home.store, words, meaning, scope=Scope(project=question.project), now=now)
            among = search.gather(asked)
            turns = memory.home.store.searched.turns(among.found)
            keys = {id_: store.key(one.session, one.turn.native_id, one.turn.line) for id_, one in turns.items()}
            right, stale = (
                np.array([float(keys[id_] in some) for id_ in among.found]) for some in (question.turns, question.stale)
            )
            fold = folds.setdefault(part_of(name, called, store, question), len(folds)) % FOLDS
            can = bool(question.turns)
            near = not can and question in own
            cases.append(Case(called, fold, asked, among, search.never(asked), right, stale, can, near))
    return cases


def part_of(name: str, called: str, store: Store, question: Question) -> Any:
    """What is left out whole: a conversation, a small store wherever it is asked; else questions with one answer."""
    if name in ("locomo", "real") or called == "small":
        return store.name
    answer = min(question.turns | question.stale, default=question.text)
    return answer[0].partition(".")[0] if called == "pooled" and question.turns else (store.name, answer)


def filled(store: Store, home: Path) -> None:
    """A home with everything of a store in it. Its turns and vectors are kept for the next time; what the scribe makes
    of them is made anew, for it is the scribe of today that recall will stand beside."""
    talks, done = home / "talks.jsonl", home / "done"
    if not (done.exists() and talks.read_text("utf-8") == store.talk):
        shutil.rmtree(home, ignore_errors=True)
        home.mkdir(parents=True)
    with steno.open(home / "home") as memory:
        store.captured(memory, talks)
        memory.rebuild()
        memory.embed()
    done.touch()


def taught(cases: Iterable[Case]) -> list[Case]:
    """Those that teach what stands above what."""
    return [case for case in cases if case.right.any() and not case.right.all()]


def by_themselves(teach: Sequence[Case]) -> tuple[Rows, float]:
    """The weights of turns by themselves; and how much larger they were as learnt."""
    weights = listwise([signals(case) for case in teach], [case.right for case in teach], shared(teach))
    scale = sum(weights[Signals._fields.index(field)] for field in NEAR) / NEARNESS
    return weights / scale, float(scale)


def shared(teach: Sequence[Case]) -> Rows:
    """How much each case counts."""
    counts = Counter(case.set for case in teach)
    return np.array([counts[case.set] ** -EVEN for case in teach])


def of_turns(teach: Iterable[Case]) -> list[Case]:
    """Those that teach what a turn is worth by itself. Where half of all was changed, what looks like an answer seldom
    is one: that teaches what stands beside what."""
    return [case for case in teach if case.set not in CHANGED]


class Learnt:
    """The weights some cases teach."""

    def __init__(self, cases: Iterable[Case]) -> None:
        known = list(cases)
        self._scores: dict[int, Rows] = {}
        teach = taught(known)
        alone = of_turns(teach)
        self.turns, scale = by_themselves(alone)
        by_words = np.array([float(field not in NEAR) for field in Signals._fields])
        rows, rights = [signals(case) * by_words for case in alone], [case.right for case in alone]
        self.by_words = by_words * listwise(rows, rights, shared(alone))
        self.by_words *= NEARNESS / self.by_words[:2].sum()
        self.network = bent(alone, self.turns, scale, shared(alone))
        own = [self.own(case) for case in teach]
        self.over = self.supersedes(teach, own)
        stands = [self.standing(case, scores) for case, scores in zip(teach, own, strict=True)]
        given = [scores * scale + np.log(STALE) * case.stale for case, scores in zip(teach, own, strict=True)]
        self.beside = listwise(stands, [case.right for case in teach], shared(teach), given) / scale
        every = [(self.tells(case), case) for case in known]
        # A near miss looks like an answer, so it teaches nothing but to mistrust what looks like one.
        told = [(row, case) for row, case in every if not case.near and (not case.can or self.answers(case))]
        rows, can = np.array([row for row, _ in told]), np.array([float(case.can) for _, case in told])
        counts = evened([case.set for _, case in told], can)
        self.fits = logistic(rows, can, counts)
        columns = np.array([field not in ("nearest", "whole", "fifth", "field") for field in Tells._fields])
        self.fits_by_words = logistic(rows * columns, can, counts) * columns
        held = rows[:, Tells._fields.index("held")] > 0
        self.least = level(told, chance(rows, self.fits), can > 0, KEPT)
        least_by_words = level(told, chance(rows * columns, self.fits_by_words), (can > 0) & held, KEPT_BY_WORDS)
        # As it is told: by how often the answer was among the first ten, near misses and all.
        odds = np.array([weigh.odds(float(chance(row, self.fits))) for row, _ in every])
        self.told = logistic(odds, np.array([float(self.answers(case)) for _, case in every]))
        # One level for both: what is judged by its words is made as likely as that takes.
        self.fits_by_words[0] += np.log(self.least / (1 - self.least)) - np.log(least_by_words / (1 - least_by_words))

    def own(self, case: Case) -> Rows:
        """What speaks for each turn by itself."""
        rows = signals(case)
        return np.asarray(rows @ self.turns + self.network(rows))

    def scores(self, case: Case) -> Rows:
        if id(case) not in self._scores:
            own = self.own(case)
            self._scores[id(case)] = np.asarray(own + self.standing(case, own) @ self.beside)
        return self._scores[id(case)]

    def supersedes(self, taught: Sequence[Case], own: Sequence[Rows]) -> Rows:
        """What tells that a newer turn says otherwise what an older one said."""
        rows, right = [], []
        for case, scores in zip(taught, own, strict=True):
            scored(case, scores)
            stale = {id_ for id_, is_stale in zip(case.among.found, case.stale, strict=True) if is_stale}
            new = {id_ for id_, is_right in zip(case.among.found, case.right, strict=True) if is_right}
            best = {one.id for one in first(case.among.found.values(), FIRST_OLDER)}
            some = pairs(case.asked, case.among)
            if some is not None:
                older, newer = ([some.turns[place].id for place in places] for places in (some.older, some.newer))
                over = [one in stale and other in new for one, other in zip(older, newer, strict=True)]
                # Of two that both answer nobody says whether the newer changed anything.
                told = [not (one in new and other in new) for one, other in zip(older, newer, strict=True)]
                counts = some.apart & np.array([id_ in best for id_ in older], bool) & np.array(told, bool)
                rows.append(some.over[counts])
                right.append(np.array(over, float)[counts])
        return logistic(np.concatenate(rows), np.concatenate(right))

    def standing(self, case: Case, scores: Rows) -> Rows:
        """What stands beside each turn where turns have these scores."""
        scored(case, scores)
        found = beside(case.asked, case.among, self.over.tolist())
        return np.array([found.get(id_, Beside()) for id_ in case.among.found])

    def answers(self, case: Case, most: int = 10) -> bool:
        return bool(case.right[np.argsort(-self.scores(case), kind="stable")[:most]].any())

    def tells(self, case: Case) -> Rows:
        scored(case, self.scores(case))
        every = first(case.among.found.values())
        return np.array(tells(case.asked, best_turns(every), case.never, [one.score for one in every]))


def level(told: Sequence[tuple[Rows, Case]], chances: Rows, counts: NDArray[np.bool_], kept: float) -> float:
    """The highest that keeps enough of what counts, in the mean over the sets."""
    names = np.array([case.set for _, case in told])
    by_set = [chances[counts & (names == name)] for name in sorted(set(names[counts]))]
    return max(least for least in LEVELS if np.mean([(some >= least).mean() for some in by_set]) >= kept)


def signals(case: Case) -> Rows:
    return np.array([one.signals for one in case.among.found.values()])


def scored(case: Case, scores: Rows) -> None:
    for one, score in zip(case.among.found.values(), scores, strict=True):
        one.score = float(score)


def listwise(rows: Sequence[Rows], rights: Sequence[Rows], shares: Rows, own: Sequence[Rows] | None = None) -> Rows:
    """Weights by which each piece of evidence stands above all that is none, as likely as can be."""
    most = max(map(len, rows))
    table, right = np.zeros((len(rows), most, rows[0].shape[1])), np.zeros((len(rows), most))
    given = np.full((len(rows), most), -1e9)
    for place, (row, is_right) in enumerate(zip(rows, rights, strict=True)):
        table[place, : len(row)], right[place, : len(row)] = row, is_right
        given[place, : len(row)] = 0.0 if own is None else own[place]
    shares = (shares / shares.sum())[:, None] / right.sum(axis=1, keepdims=True)
    weights, mean, square = (np.zeros(table.shape[2]) for _ in range(3))
    for step in range(1, STEPS + 1):
        scores = table @ weights + given
        raised = np.exp(scores - scores.max(axis=1, keepdims=True))
        others = (raised * (1 - right)).sum(axis=1, keepdims=True) + 1e-30
        pull = right * others / (raised + others)
        push = (1 - right) * raised / others * pull.sum(axis=1, keepdims=True)
        slope = RIDGE * weights - np.einsum("qn,qnd->d", shares * (pull - push), table)
        mean, square = 0.9 * mean + 0.1 * slope, 0.99 * square + 0.01 * slope**2
        weights = weights - RATE * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.99**step)) + 1e-9)
    return weights


def bent(teach: Sequence[Case], turns: Rows, scale: float, shares: Rows) -> Network:
    """The network that adds to the linear score what puts the evidence above what it still stands below."""
    rows, right, given = [], [], []
    for case in teach:
        every = signals(case)
        own = every @ turns
        hard = case.right > 0
        hard[np.argsort(-own, kind="stable")[:HARD]] = True
        rows.append(together(every)[hard])
        right.append(case.right[hard])
        given.append((own * scale + np.log(STALE) * case.stale)[hard])
    counts = np.array(list(map(len, rows)))
    starts, table = np.cumsum(counts) - counts, np.concatenate(rows)
    mean, spread = table.mean(axis=0), np.maximum(table.std(axis=0), 0.02)
    flat = (((table - mean) / spread).astype(np.float32), np.concatenate(right), np.concatenate(given))
    learnt = [_bent(*flat, starts, counts, shares / shares.sum(), np.random.default_rng(seed)) for seed in STARTS]
    # One network of them all, for rows as they are, on the scale of the linear score.
    line = np.mean([one.line for one in learnt], axis=0) / spread
    inner = np.concatenate([one.inner for one in learnt], axis=1) / spread[:, None]
    bias = np.concatenate([one.bias for one in learnt]) - mean @ inner
    outer = np.concatenate([one.outer for one in learnt]) / len(learnt)
    return Network(line * HALF / scale, inner, bias, outer * HALF / scale)


def _bent(
    table: Any, right: Rows, given: Rows, starts: Any, counts: Any, shares: Rows, chance: np.random.Generator
) -> Network:
    """One network, from one start: Adam, with a rate that falls."""
    size = table.shape[1]
    inner = chance.normal(size=(size, WIDE)) * (0.5 / np.sqrt(size))
    held = [np.zeros(size), inner, np.zeros(WIDE), chance.normal(size=WIDE) * 0.1]
    weights = [one.astype(np.float32) for one in held]
    means, squares = ([np.zeros_like(one) for one in weights] for _ in range(2))
    each = np.repeat(shares / np.add.reduceat(right, starts), counts)
    for step in range(1, STEPS_BENT + 1):
        line, inner, bias, outer = weights
        seen = np.tanh(table @ inner + bias)
        scores = table @ line + given + seen @ outer
        raised = np.exp(scores - np.repeat(np.maximum.reduceat(scores, starts), counts))
        others = np.repeat(np.add.reduceat(raised * (1 - right), starts) + 1e-30, counts)
        pull = right * others / (raised + others)
        push = (1 - right) * raised / others * np.repeat(np.add.reduceat(pull, starts), counts)
        slope = -(each * (pull - push)).astype(np.float32)
        behind = slope[:, None] * outer * (1 - seen * seen)
        slopes = (table.T @ slope, table.T @ behind, behind.sum(axis=0), seen.T @ slope)
        rate = RATE_BENT * 0.5 * (1 + np.cos(np.pi * step / (STEPS_BENT + 1)))
        for place, found in enumerate(slopes):
            # What shifts a whole inner sum is not held.
            toward = found if place == 2 else found + RIDGE_BENT * weights[place]
            means[place] = 0.9 * means[place] + 0.1 * toward
            squares[place] = 0.99 * squares[place] + 0.01 * toward**2
            pace = (means[place] / (1 - 0.9**step)) / (np.sqrt(squares[place] / (1 - 0.99**step)) + 1e-6)
            weights[place] = (weights[place] - rate * pace).astype(np.float32)
    return Network(*(one.astype(np.float64) for one in weights))


def logistic(rows: Rows, right: Rows, counts: Rows | float = 1.0) -> Rows:
    """Weights that tell two kinds apart, each row counting as much as said: Newton's method."""
    weights, ridge = np.zeros(rows.shape[1]), np.eye(rows.shape[1]) * 0.5
    for _ in range(30):
        likely = chance(rows, weights)
        slope = rows.T @ (counts * (right - likely)) - ridge @ weights
        curve = (rows * (counts * likely * (1 - likely))[:, None]).T @ rows + ridge
        weights = weights + np.linalg.solve(curve, slope)
    return weights


def evened(sets: Sequence[str], right: Rows) -> Rows:
    """How much each row counts where both kinds count the same, and sets do as far as `EVEN` says."""
    kinds = Counter(zip(sets, right.tolist(), strict=True))
    counts = np.array([kinds[kind] ** -EVEN for kind in zip(sets, right.tolist(), strict=True)])
    whole = np.where(right > 0, counts[right > 0].sum(), counts[right == 0].sum())
    return np.asarray(counts * len(right) / 2 / whole)


def chance(rows: Rows, weights: Rows) -> Rows:
    return np.asarray(1 / (1 + np.exp(-rows @ weights)))


def crossed(cases: Sequence[Case]) -> Iterable[tuple[str, str, float]]:
    """Figures of each set by weights that did not see the fold, and by weights that did not see the set."""
    folds = {fold: Learnt(case for case in cases if case.fold != fold) for fold in range(FOLDS)}
    for name in sorted({case.set for case in cases}):
        learnt = {"other folds": folds, "other sets": dict.fromkeys(folds, Learnt(c for c in cases if c.set != name))}
        own = [case for case in cases if case.set == name]
        for row, of in learnt.items():
            yield from ((name, f"{what}, {row}", value) for what, value in measured(own, of))


def measured(cases: Sequence[Case], by_fold: dict[int, Learnt]) -> Iterable[tuple[str, float]]:
    def of(case: Case) -> Learnt:
        return by_fold[case.fold]

    can = [case for case in cases if case.can]
    for most in (1, 5, 10):
        yield f"any@{most}", float(np.mean([of(case).answers(case, most) for case in can]))
    if amended := [case for case in can if case.stale.any() and case.right.any()]:
        scores = [of(case).scores(case) for case in amended]
        above = [s[c.right > 0].max() > s[c.stale > 0].max() for s, c in zip(scores, amended, strict=True)]
        yield "new above stale", float(np.mean(above))
    answered = [case for case in can if of(case).answers(case)]
    strange, near = ([case for case in cases if not case.can and case.near is so] for so in (False, True))
    for what, chosen in (("answered", answered), ("silent", strange), ("silent, near", near)):
        speaks = [chance(of(case).tells(case), of(case).fits) >= of(case).least for case in chosen]
        if speaks:
            yield what, float(np.mean(speaks)) if what == "answered" else 1 - float(np.mean(speaks))


def card(learnt: Learnt, figures: dict[str, float]) -> str:
    """The file that ships."""
    tables: dict[str, dict[str, Any]] = {
        "turns": dict(zip(Signals._fields, learnt.turns, strict=True)),
        "network": learnt.network._asdict(),
        "turns_by_words": dict(zip(Signals._fields, learnt.by_words, strict=True)),
        "supersedes": dict(zip(Over._fields, learnt.over, strict=True)),
        "beside": dict(zip(Beside._fields, learnt.beside, strict=True)),
        "fits": dict(zip(Tells._fields, learnt.fits, strict=True)),
        "fits_by_words": dict(zip(Tells._fields, learnt.fits_by_words, strict=True)),
        "told": dict(zip(("always", "odds"), learnt.told, strict=True)),
        "levels": {"fits": learnt.least},
        "figures": {f'"{name}"': value for name, value in figures.items()},
    }
    lines = ["# Written by `make train-recall`: what speaks for a turn. Figures by weights learnt from others."]
    for name, values in tables.items():
        lines += ["", f"[{name}]", *(f"{key} = {written(value)}" for key, value in values.items())]
    return "\n".join(lines) + "\n"


def written(value: Any) -> str:
    """A number, or numbers in brackets: a row each."""
    if np.ndim(value) == 0:
        return f"{float(value):.4f}"
    if np.ndim(value) == 1:
        return f"[{', '.join(map(written, value))}]"
    return "[\n" + "".join(f"  {written(row)},\n" for row in value) + "]"


if __name__ == "__main__":
    raise SystemExit(main())
