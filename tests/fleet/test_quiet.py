"""Whether an agent is woken: every rule for itself, and 60 days of a person who comes and goes."""

import random
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from benchmarks.pulse import active_wakes
from msgspec import structs

from steno.clock import as_text
from steno.fleet.clients import Process, is_among
from steno.fleet.quiet import Patience, why_not
from steno.vocabulary.pulse import Stand, Wake

NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)
PATIENCE = Patience(quiet=10, human=30)
QUIET = Stand(
    number=1, source="claude-code", session="s1", called="claude-code", project="/shop", directory="/shop", turn=40,
    kind="result", heard_at=as_text(NOW - timedelta(minutes=11)), human_at=as_text(NOW - timedelta(minutes=31)),
    goal="make the cart fast", said="I look at the cart next.", behind=False,
)  # fmt: skip
WOKEN = Wake(id=1, agent="ada", session="s1", turn=12, at=as_text(NOW - timedelta(hours=3)), passed=True)


def ago(minutes: float) -> str:
    return as_text(NOW - timedelta(minutes=minutes))


def why(*wakes: Wake, most: int = 8, **changed: Any) -> str:
    return why_not(structs.replace(QUIET, **changed), wakes, most, PATIENCE, as_text(NOW))


def test_an_agent_whose_open_work_stands_still_is_woken() -> None:
    assert why() == ""


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"goal": ""}, "no open piece of work"),
        ({"behind": True}, "its transcript holds what nobody has read yet"),
        ({"kind": "interrupted"}, "a person stopped it"),
        ({"kind": "denied"}, "a person stopped it"),
        ({"said": "Two ways out.\nShall I add **Redis?**\n"}, "it asked something and waits for an answer"),
        ({"heard_at": ago(9)}, "it is at work"),
        ({"heard_at": ago(-60)}, "it is at work"),
        ({"heard_at": ago(24 * 60 + 1)}, "quiet for more than a day: nobody waits for it"),
        ({"human_at": ago(29)}, "a person is there"),
        ({"human_at": ago(-600)}, "a person is there"),
    ],
)
def test_whatever_speaks_against_it_wins(changed: dict[str, Any], reason: str) -> None:
    assert why(**changed) == reason


def test_after_a_compaction_two_minutes_of_silence_are_enough() -> None:
    assert why(kind="boundary", heard_at=ago(3)) == ""
    assert why(kind="boundary", heard_at=ago(1)) == "it is at work"


@pytest.mark.parametrize("passed", [True, None])
def test_nobody_is_woken_twice_in_one_silence(passed: bool | None) -> None:
    woken = structs.replace(WOKEN, turn=QUIET.turn, passed=passed)
    assert why(woken) == "it was woken in this silence already"
    # Turns before it were forgotten meanwhile: it is the same silence.
    assert why(woken, turn=QUIET.turn - 5) == "it was woken in this silence already"
    assert why(woken, turn=QUIET.turn + 1) == ""


def test_nobody_is_woken_more_often_than_allowed() -> None:
    assert why(WOKEN, WOKEN, most=2) == "woken 2 of 2 times in 24 hours"
    ahead = structs.replace(WOKEN, at=ago(-5000))
    assert why(ahead, most=1) == "woken 1 of 1 times in 24 hours"
    assert why(structs.replace(WOKEN, at=ago(24 * 60)), most=1) == ""


def test_a_try_that_failed_is_made_again_later_and_later() -> None:
    def failed(minutes: float) -> Wake:
        return structs.replace(WOKEN, turn=QUIET.turn, passed=False, at=ago(minutes))

    waits = "the last try failed; the next one waits"
    assert [why(failed(29)), why(failed(31))] == [waits, ""]
    assert [why(failed(59), failed(99)), why(failed(61), failed(99))] == [waits, ""]


@pytest.mark.parametrize(
    ("words", "folder", "expected"),
    [
        (("/opt/bin/claude",), "/shop", True),
        (("/opt/bin/claude",), "/shop/cart", True),
        (("node", "/opt/claude.js"), "/shop", True),
        (("claude",), None, True),
        (("claude",), "/shopping", False),
        (("claude",), "/", False),
        (("vim", "claude"), "/shop", False),
        (("codex",), "/shop", False),
        (("less", "/home/ada/.claude/projects/s1.jsonl"), "/", True),
    ],
)
def test_a_program_at_the_session_or_its_host_in_the_project_counts_as_somebody_there(
    words: tuple[str, ...], folder: str | None, expected: bool
) -> None:
    assert is_among(QUIET, [Process(words, folder)]) is expected


def test_no_agent_whose_person_is_there_is_woken_in_sixty_days() -> None:
    looks, wakes, beside = active_wakes(60, random.Random(7))
    assert (looks, beside) == (60 * 24 * 12, 0)
    assert wakes > 60
