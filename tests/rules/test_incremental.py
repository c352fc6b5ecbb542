"""Folding what changed gives what folding everything gives, whatever people and agents do in between."""

from collections.abc import Callable
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from steno.memory import Memory
from steno.rules.fold import fold
from steno.testing import SteppingClock, house, said, write_jsonl
from steno.vocabulary.errors import StenoError

SAID = [
    "Never push to main.",
    "never, please, push to main",
    "Always run the tests before you commit the parser.",
    "No, don't use redis for the session cache, it lost rows.",
    "No redis for the session cache please.",
    "Let's use redis for the session cache.",
    "From now on keep lines under 80.",
]
LESSONS = [
    "Retry the upload queue worker when the network fails badly.",
    "Retry the upload queue worker when the slow network fails badly.",
    "Retry the large upload queue worker when the slow network fails badly.",
    "The parser needs a newline.",
]
WHICH = st.integers(0, 30)
ACTS: st.SearchStrategy[tuple[str, Any]] = st.one_of(
    st.tuples(st.just("say"), st.lists(st.sampled_from(SAID), min_size=1, max_size=3)),
    # Of another time: nobody knows which, long ago, or one that is yet to come.
    st.tuples(st.just("say"), st.tuples(st.sampled_from(SAID), st.sampled_from(["", "2025-12-01", "2026-05-20"]))),
    st.tuples(st.just("lesson"), st.sampled_from(LESSONS)),
    st.tuples(st.just("add"), st.sampled_from(SAID)),
    st.tuples(st.sampled_from(["raise", "lower", "retire", "reinforce", "violate", "archive", "outcome"]), WHICH),
    st.tuples(st.just("revise"), st.tuples(WHICH, st.sampled_from(SAID))),
    st.tuples(st.just("recategorise"), st.tuples(WHICH, st.sampled_from(["rule", "decision", "learning"]))),
    st.tuples(st.just("resolve"), st.sampled_from(["one", "other", "both"])),
    st.tuples(st.just("sleep"), st.integers(1, 40)),
)


def do(memory: Memory, folder: Path, numbers: Callable[[], int], clock: SteppingClock, act: str, given_: Any) -> None:
    """One thing that may happen; what makes no sense at the moment is refused."""
    number = numbers()
    match act:
        case "say":
            texts, at = (given_[:1], _at(given_[1])) if isinstance(given_, tuple) else (given_, clock.now)
            lines = [said(text, session=f"s{number}", project="shop", at=at) for text in texts]
            memory.capture(write_jsonl(folder / f"{number}.jsonl", *lines), source="jsonl")
            memory.scribe()
        case "lesson":
            memory.remember(given_, category="learning", project="shop", by_agent=True)
        case "add":
            memory.rules.add(given_, project="shop")
        case "resolve":
            for review in memory.reviews()[:1]:
                memory.resolve(review.id, given_)
        case "sleep":
            month, day = divmod(number * given_, 28)
            clock.now = max(clock.now, f"2026-{month % 12 + 1:02}-{day + 1:02}T12:00:00.000Z")
            memory.rules.settle()
        case _:
            which, *more = given_ if isinstance(given_, tuple) else (given_,)
            entries = memory.entries()
            on_entry(memory, entries[which % len(entries)].id if entries else "none", act, *more)


def _at(day: str) -> str | None:
    return f"{day}T12:00:00.000Z" if day else None


def on_entry(memory: Memory, id_: str, act: str, words: str = "") -> None:
    rules = memory.rules
    match act:
        case "archive":
            memory.archive(id_)
        case "revise":
            memory.revise(id_, summary=words)
        case "recategorise":
            memory.revise(id_, category=words)
        case "outcome":
            told = {"passed": False, "summary": "it went badly", "violated": [id_], "reinforced": [], "repeats": id_}
            memory.home.store.entries.tell("outcome", "", told, "2026-01-01T13:00:00.000Z")
            rules.settle()
        case "reinforce" | "violate":
            rules.tell(rules.living(id_).id, {"do": act})
        case _:
            {"raise": rules.raise_, "lower": rules.lower, "retire": rules.retire}[act](id_)


@settings(max_examples=40, deadline=None)
@given(st.lists(ACTS, min_size=1, max_size=14))
def test_folding_what_changed_gives_what_folding_everything_gives(acts: list[tuple[str, Any]]) -> None:
    clock, numbers = SteppingClock(), count(1)
    with TemporaryDirectory() as folder, house(Path(folder), clock=clock) as memory:
        for act, given_ in acts:
            try:
                do(memory, Path(folder), lambda: next(numbers), clock, act, given_)
            except StenoError:
                memory.rules.settle()
            store, now = memory.home.store, clock.now
            entries = [e for name in ("rule", "rejected", "learning") for e in memory.entries(category=name)]
            # What took the place of a rule may be none itself; it says when that ended.
            entries += store.entries.some({e.superseded_by or "" for e in entries} - {e.id for e in entries})
            table = {rule.id: rule for rule in store.rules.all()}
            assert table == fold(entries, store.entries.records(), now), act
