"""Teach the gate what makes an action the refused one: re-proposals against near misses and calls that were let pass.

    python -m training.pair --data DIR [--out FILE | --check]

A logistic model over `steno.gates.pair.FEATURES`. Everybody is judged by weights that were learnt from the others; the
level from which the gate reminds comes from those judgements: so that as often as possible the right refusal is shown
when it comes again in a new context, and, with the patience that ships, is in the context of one that goes on, shown
beside that call or beside an earlier one. A lower level would spend the reminders before they are needed. The weights
that ship are learnt from everybody but the people kept aside. No chance is involved: the same data give the same file,
and `--check` says whether that is the one that ships.
"""

import argparse
from collections import Counter
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from refused import Session, accepted, read, sessions

from steno.gates.against import Against
from steno.gates.asked import Asked, asked
from steno.gates.match import found_by
from steno.gates.pair import FEATURES, WEIGHTS, Tells, features, rarity, weighed
from steno.gates.patience import Patience
from steno.gates.uttered import as_entry, candidates
from steno.gates.verdict import MOST_REMINDED
from steno.language.same_word import words_of
from steno.vocabulary import AT_WORK, Entry

Rows = NDArray[np.float64]

# Levels that are tried, and at which shares of a session's calls every re-proposal comes. Below the first, a single
# everyday word in common reminds.
LEVELS: Final = tuple(step / 400 for step in range(5, 49))
COMES: Final = (0.25, 0.5, 0.75)
# What was said so many turns ago needs no reminder.
LATELY: Final = 20
# What one pair weighs: there are seventy accepted calls for each re-proposal.
PASSED, OTHER = 0.3, 0.5
RIDGE: Final = 1.0


class Judged(NamedTuple):
    """An action with every refusal it may go against: the features of each pair, and which are the right ones."""

    session: str
    kind: str
    place: int
    ids: list[str]
    rows: Rows
    right: Rows


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    parser.add_argument("--check", action="store_true", help="write nothing; fail if it is not what ships")
    options = parser.parse_args()
    known = [session for session in sessions(options.data) if not session.aside]
    judged = {session.name: pairs(session) for session in known}
    people = {session.name: session.person for session in known}
    out_of_fold: list[tuple[Judged, Rows]] = []
    for person in sorted(set(people.values())):
        weights = taught([one for name, found in judged.items() if people[name] != person for one in found])
        theirs = [one for name, found in judged.items() if people[name] == person for one in found]
        out_of_fold += [(one, 1 / (1 + np.exp(-one.rows @ weights))) for one in theirs]
    remind = max(LEVELS, key=lambda least: sum(map(measured(out_of_fold, least).__getitem__, ("shown", "in_context"))))
    weights = taught([one for found in judged.values() for one in found])
    told = card(weights, remind, measured(out_of_fold, remind))
    ships = told == WEIGHTS.read_text("utf-8")
    print(f"{told}\n{'This is' if ships else 'This is not'} what ships.")
    if not options.check:
        options.out.write_text(told, "utf-8")
    return int(options.check and not ships)


def pairs(session: Session) -> list[Judged]:
    """Every action of a session that is learnt from, with the refusals known at the time."""
    with read(session.transcript) as (memory, turns):
        known = [entry for entry in memory.entries() if entry.status == "active" and entry.origin in AT_WORK]
        # As the gate does: what may be somebody else's words reminds nobody.
        entries = [entry for entry in known if not entry.detail.weight.doubtful]
        said = [as_entry(*one) for one in memory.home.store.gates.uttered(1)]
        refusing = list(candidates(entries, memory.home.store.gates.refused_calls(), said))
    seen = Counter(word for entry in entries for word in words_of(f"{entry.summary} {' '.join(entry.subject)}"))
    habits: Counter[str] = Counter()
    rare = rarity(seen, len(entries))
    places = {turn.id: place for place, turn in enumerate(turns)}
    judged = []
    first = min(
        (places.get(_turn(entry), 0) for entry, _ in refusing if entry.category == "rejected"), default=len(turns)
    )
    for place, _, action in accepted(turns):
        words = asked(action)
        before = [pair for pair in refusing if place - places.get(_turn(pair[0]), place) > LATELY]
        if place > first:
            judged.append(_judged(session.name, "passed", place, words, before, Tells(rare, habits), None))
        habits.update(words.brings)
    for case in session.cases:
        for kind, actions in (("again", case.again), ("fine", case.fine)):
            right = {turn.id for turn in turns if turn.turn.line == case.line} if kind == "again" else None
            judged += [
                _judged(session.name, kind, 0, asked(one), refusing, Tells(rare, habits), right) for one in actions
            ]
    return judged


def _judged(
    session: str, kind: str, place: int, words: Asked, known: list[tuple[Entry, Against]], tells: Tells,
    turns: set[int] | None,
) -> Judged:  # fmt: skip
    sees = found_by(words)
    touched = ((entry, one) for entry, one in known if one.words & sees)
    pairs = [] if words.harmless else [(entry, one) for entry, one in touched if not one.lets_pass(words)]
    with_ = weighed(words, tells)
    rows = np.array([features(entry, one, with_) for entry, one in pairs]).reshape(-1, len(FEATURES))
    right = np.array([float(_turn(entry) in (turns or ())) for entry, _ in pairs])
    return Judged(session, kind, place, [entry.id for entry, _ in pairs], rows, right)


def taught(judged: list[Judged]) -> Rows:
    """The weights that tell them apart best: Newton's method, a ridge on all but the bias."""
    rows, right = np.concatenate([one.rows for one in judged]), np.concatenate([one.right for one in judged])
    share = {"passed": PASSED, "again": OTHER, "fine": 1.0}
    counts = np.concatenate([np.where(one.right > 0, 1.0, share[one.kind]) for one in judged])
    ridge = RIDGE * np.r_[1e-6, np.ones(rows.shape[1] - 1)]
    weights = np.zeros(rows.shape[1])
    for _ in range(50):
        likely = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (counts * (right - likely)) - ridge * weights
        curve = (rows * (counts * likely * (1 - likely) + 1e-9)[:, None]).T @ rows + np.diag(ridge)
        step = np.linalg.solve(curve, slope)
        weights = weights + step
        if np.abs(step).max() < 1e-8:
            break
    return weights


class Course(NamedTuple):
    """How sessions went at a level: shares of accepted calls reminded of something, and of re-proposals in context."""

    reminded: float
    in_context: float


def course(found: list[tuple[Judged, Rows]], least: float) -> Course:
    """Go through the accepted calls of every session, with each re-proposal asked about here and there."""
    reminded, held = [], []
    for session in sorted({one.session for one, _ in found}):
        theirs = [pair for pair in found if pair[0].session == session]
        passed, again = ([pair for pair in theirs if pair[0].kind == kind] for kind in ("passed", "again"))
        comes = {int(len(passed) * share) for share in COMES}
        patience = Patience()
        for number, (one, likely) in enumerate(passed):
            if number in comes:
                held += [bool(_right(two) & {*patience.at, *_shown(two, more, least, patience)}) for two, more in again]
            patience.called()
            fresh = _shown(one, likely, least, patience)
            reminded.append(bool(fresh))
            if fresh:
                patience.reminded(fresh)
    return Course(float(np.mean(reminded)), float(np.mean(held)))


def _shown(one: Judged, likely: Rows, least: float, patience: Patience) -> list[str]:
    ordered = sorted(zip(likely, one.ids, strict=True), reverse=True)
    return [id_ for value, id_ in ordered if value >= least and patience.allows(id_, float(value))][:MOST_REMINDED]


def _right(one: Judged) -> set[str]:
    return {id_ for id_, right in zip(one.ids, one.right, strict=True) if right}


def measured(found: list[tuple[Judged, Rows]], least: float) -> dict[str, float]:
    """Shares of re-proposals of which the right refusal is among the first few, and of which it is shown, too."""
    first, shown = [], []
    for one, likely in found:
        if one.kind == "again":
            best = np.argsort(-likely, kind="stable")[:MOST_REMINDED]
            first.append(bool(one.right[best].any()))
            shown.append(bool((one.right[best] * (likely[best] >= least)).any()))
    figures = {"re-proposals": len(first), "among_first": float(np.mean(first)), "shown": float(np.mean(shown))}
    return figures | course(found, least)._asdict()


def card(weights: Rows, remind: float, figures: dict[str, float]) -> str:
    """The file that ships."""
    learnt = dict(zip(FEATURES, weights, strict=True))
    parts = {"levels": {"remind": remind}, "weights": learnt, "figures": figures}
    lines = [
        "# Written by `make train-gate`: what makes an action the refused one. Figures by weights learnt from others."
    ]
    for name, values in parts.items():
        lines += ["", f"[{name}]", *(f"{key} = {float(value):.4f}" for key, value in values.items())]
    return "\n".join(lines) + "\n"


def _turn(entry: Entry) -> int:
    return entry.evidence[0].turn if entry.evidence else 0


if __name__ == "__main__":
    raise SystemExit(main())
