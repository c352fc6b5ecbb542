"""A shop in which a few things were refused, decided and tried, by a scribe that hears what it is told to hear."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from steno.memory import Memory
from steno.testing import SteppingClock, house, said, write_jsonl
from steno.vocabulary import Action, Candidate, JournalTurn, Quote, Window
from steno.vocabulary.details import AnyDetail, Exchange, Instructed, Rejected, Stance

PROJECT = "/shop"
# Who speaks, what they say, and what a human's words come to.
Line = tuple[str, str] | tuple[str, str, AnyDetail]
TALK: tuple[Line, ...] = (
    ("user", "Build the order service."),
    ("assistant", "I suggest MongoDB for the orders. Shall I set it up?"),
    (
        "user", "no, never use MongoDB here, it lost our data",
        Rejected(
            stance=Stance(
                refused="no, never use MongoDB here, it lost our data", why="it lost our data", reach="standing",
            ),
            exchange=Exchange(kind="proposal", answered="I suggest MongoDB for the orders."),
        ),
    ),
    ("assistant", "Understood. For the search box I'll add lodash and wrap the handler in `_.debounce`."),
    (
        "user", "not pulling in lodash until we have a second use for it. write a small debounce yourself",
        Rejected(
            stance=Stance(
                refused="not pulling in lodash until we have a second use for it.",
                wanted="write a small debounce yourself",
                until="until we have a second use for it", reach="standing",
            ),
        ),
    ),
    ("assistant", "Done. I'll delete the old uploads in /srv/uploads to free some space."),
    (
        "user", "no! never delete anything under uploads",
        Instructed(stance=Stance(wanted="no! never delete anything under uploads", reach="standing")),
    ),
)  # fmt: skip
CATEGORIES = {Rejected: "rejected", Instructed: "rule"}


@pytest.fixture
def clock() -> SteppingClock:
    return SteppingClock("2026-03-10T12:00:00.000Z")


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> dict[str, AnyDetail]:
    """What words come to, for a scribe that only knows these."""
    script: dict[str, AnyDetail] = {}

    def propose(turn: JournalTurn, _: Window) -> list[Candidate]:
        detail = script.get(turn.turn.text)
        if detail is None:
            return []
        words = turn.turn.text
        return [
            Candidate(
                category=CATEGORIES[type(detail)], summary=words, evidence=[Quote(turn.id, words)], detail=detail,
                confidence=0.95, tags=["human"], cue="told in a test",
            )
        ]  # fmt: skip

    monkeypatch.setattr("steno.pipeline.learn.propose", propose)
    return script


@pytest.fixture
def memory(tmp_path: Path, clock: SteppingClock, heard: dict[str, AnyDetail]) -> Iterator[Memory]:
    """A memory of the talk."""
    with house(tmp_path, clock=clock) as memory:
        _listen(memory, heard, tmp_path / "talk.jsonl", TALK, session="s1", project=PROJECT)
        yield memory


@pytest.fixture
def listen(memory: Memory, heard: dict[str, AnyDetail], tmp_path: Path) -> Callable[..., None]:
    """The memory hears another talk."""

    def hear(*talk: Line, session: str = "s2", project: str = PROJECT) -> None:
        _listen(memory, heard, tmp_path / f"{session}.jsonl", talk, session=session, project=project)

    return hear


@pytest.fixture
def before(memory: Memory) -> Callable[..., tuple[str, list[str]]]:
    """What the gate says to an action in the shop: the verdict, and the quotes behind it."""

    def ask(text: str, **more: Any) -> tuple[str, list[str]]:
        verdict = memory.before(Action(text=text, **{"agent": "bot", "directory": PROJECT, **more}))
        return type(verdict).__name__.lower(), [reason.quote for reason in getattr(verdict, "reasons", ())]

    return ask


def _listen(memory: Memory, heard: dict[str, AnyDetail], path: Path, talk: tuple[Line, ...], **facts: str) -> None:
    heard.update((line[1], line[2]) for line in talk if len(line) == 3)
    lines = [
        said(line[1], role=line[0], at=f"2026-03-01T10:{place:02d}:00Z", id=str(place), **facts)
        for place, line in enumerate(talk)
    ]
    memory.capture(write_jsonl(path, *lines), source="jsonl")
    memory.scribe()
    memory.rules.settle()
