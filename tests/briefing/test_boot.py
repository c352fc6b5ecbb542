"""What an agent is told when it starts."""

from pathlib import Path
from typing import Any

import pytest

from steno.memory import Memory
from steno.testing import SteppingClock, house, said, write_jsonl
from steno.vocabulary import Outcome

NOW = "2026-03-02T12:00:00.000Z"


@pytest.fixture
def clock() -> SteppingClock:
    return SteppingClock(NOW)


@pytest.fixture
def memory(tmp_path: Path, clock: SteppingClock):
    with house(tmp_path, clock=clock) as memory:
        yield memory


def hear(memory: Memory, folder: Path, *words: str, project: str = "/shop") -> None:
    """A talk; what an agent says begins with a dash."""
    lines = [
        said(
            text.removeprefix("- "), role="assistant" if text.startswith("- ") else "user", id=str(place), session="s1",
            project=project, at=f"2026-03-02T09:{place:02}:00Z",
        )
        for place, text in enumerate(words)
    ]  # fmt: skip
    memory.capture(write_jsonl(folder / "s1.jsonl", *lines), source="jsonl")
    memory.scribe()


def section(memory: Memory, title: str, project: str = "/shop") -> list[str]:
    """The lines of one section of boot."""
    found, inside = [], False
    for line in memory.boot(project=project, given=False).text.splitlines():
        if not line.startswith("- "):
            inside = line == f"{title}:"
        elif inside:
            found.append(line.removeprefix("- "))
    return found


# -- decisions in force ------------------------------------------------------------------------------------------------

DECISIONS = "the human's decisions"


def test_what_was_settled_for_longer_is_told_the_newest_first(memory: Memory, tmp_path: Path) -> None:
    hear(
        memory, tmp_path, "we'll go with a monorepo, so that changes land together", "- Fine.",
        "let's use integers of cents for amounts", "- Done.", "fix the typo in README", "- Fixed.",
    )  # fmt: skip
    assert section(memory, DECISIONS) == [
        "“let's use integers of cents for amounts”",
        "“we'll go with a monorepo, so that changes land together”",
    ]


@pytest.mark.parametrize(
    "words",
    [
        ["switch to the second checkout branch", "- Switched.", "ok can we create a pr for this", "- Created PR 12."],
        ["- Shall I commit and push?", "yes - commit, push, and answer the review of the invoice page", "- Pushed."],
        ["- I suggest to send the mail inside the checkout transaction. OK?",
         "no, that's horrible. a slow mail server would hold the transaction open"],
    ],
)  # fmt: skip
def test_what_was_asked_for_once_and_a_reason_are_no_decisions(memory: Memory, tmp_path: Path, words) -> None:
    hear(memory, tmp_path, "make the checkout of the shop quick", *words)
    assert section(memory, DECISIONS) == []


def test_a_choice_by_letter_is_told_with_the_words_of_its_option(memory: Memory, tmp_path: Path) -> None:
    hear(
        memory, tmp_path, "design the landing page", "- Which style?\nA. Modern and plain\nB. With drawings", "A",
        "- How shall it be divided?\nA. One long page\nB. Three tabs", "B", "- Done.",
    )  # fmt: skip
    assert section(memory, DECISIONS) == ["“B” [to “B. Three tabs”]", "“A” [to “A. Modern and plain”]"]


@pytest.mark.parametrize(
    ("settled", "last"),
    [
        ("decision: the event log goes to Postgres",
         "I changed my mind about the event log, it goes to SQLite"),
        ("decision: session tokens go to Redis",
         "we decided to move the session tokens to Postgres, Redis lost them twice now."),
        ("let's use yarn for the web app", "let's use npm after all, yarn breaks the CI"),
        ("let's go with 90 days for the old invoices",
         "let's go with 30 days for the old invoices, the disk is full"),
    ],
)  # fmt: skip
def test_the_last_word_on_what_was_decided_is_told_and_not_what_it_was_before(
    memory: Memory, tmp_path: Path, settled: str, last: str
) -> None:
    hear(memory, tmp_path, "look after the shop", settled, "- Done.", "count the carts", "- Seven.", last, "- Changed.")
    [told] = section(memory, DECISIONS)
    assert told.startswith(f"“{last}”")


def test_words_about_the_same_thing_leave_a_decision_alone(memory: Memory, tmp_path: Path) -> None:
    settled = "let's use integers of cents for amounts"
    hear(memory, tmp_path, settled, "- Done.", "now add a test for amounts of less than 5 cents", "- Added.")
    assert section(memory, DECISIONS) == [f"“{settled}”"]


def test_what_a_person_recorded_is_told_until_they_record_something_else(memory: Memory, clock: SteppingClock) -> None:
    memory.remember("the shop runs on port 8081", category="decision", project="/shop")
    clock.now = "2026-03-02T13:00:00.000Z"
    memory.remember("the shop runs on port 9090 instead", category="decision", project="/shop")
    assert section(memory, DECISIONS) == ["the shop runs on port 9090 instead"]


# -- where the last session stood --------------------------------------------------------------------------------------


def line(number: int, role: str, content: Any) -> dict[str, Any]:
    return {
        "type": role, "uuid": f"u{number}", "sessionId": "c", "cwd": "/shop",
        "message": {"role": role, "content": content}, "timestamp": f"2026-03-02T11:{number:02}:00.000Z",
    }  # fmt: skip


def called(
    number: int, tool: str, given: dict[str, str], printed: str, *, failed: bool = False
) -> list[dict[str, Any]]:
    result = {"type": "tool_result", "tool_use_id": f"c{number}", "is_error": failed, "content": printed}
    call = {"type": "tool_use", "id": f"c{number}", "name": tool, "input": given}
    return [line(number, "assistant", [call]), line(number + 1, "user", [result])]


LEFT_OPEN = [
    line(1, "user", "make the invoices of the shop show the tax of each line"),
    *called(2, "Edit", {"file_path": "/shop/invoice.py", "old_string": "a", "new_string": "tax"}, "updated"),
    *called(4, "Bash", {"command": "pytest tests/test_invoice.py"}, "Exit code 1\n1 failed, 3 passed", failed=True),
    line(
        6,
        "assistant",
        [{"type": "text", "text": "One test fails: the old total is without tax. Shall I change the total?"}],
    ),
]


def test_a_cold_start_is_told_where_the_last_session_was_left(memory: Memory, tmp_path: Path) -> None:
    memory.capture(write_jsonl(tmp_path / "c.jsonl", *LEFT_OPEN), source="claude-code")
    assert section(memory, "the work at hand") == [
        "asked for: “make the invoices of the shop show the tax of each line”",
        "an agent asked, and nobody answered yet: “Shall I change the total?”",
        "edited, no commit seen: invoice.py",
        "the last test failed: `pytest tests/test_invoice.py`",
        "where it stood, in full: `steno brief --session c`",
    ]


def test_a_question_that_was_answered_is_not_told(memory: Memory, tmp_path: Path) -> None:
    answered = [line(7, "user", "no, leave the total alone"), line(8, "assistant", [{"type": "text", "text": "Fine."}])]
    memory.capture(write_jsonl(tmp_path / "c.jsonl", *LEFT_OPEN, *answered), source="claude-code")
    assert [told for told in section(memory, "the work at hand") if "asked, and" in told] == []


def test_lessons_of_agents_are_told_where_they_were_learnt_as_their_words(memory: Memory, clock: SteppingClock) -> None:
    lessons = "look at the port before you deploy", "the queue must be empty before a migration"
    for clock.now, lesson in zip(("2026-03-02T12:00:00.000Z", "2026-03-02T13:00:00.000Z"), lessons, strict=True):
        memory.after(Outcome(agent="clerk", passed=True, summary=f"did {lesson}", learned=lesson, directory="/shop"))
    assert section(memory, "lessons") == [
        "an agent noted: “the queue must be empty before a migration”",
        "an agent noted: “look at the port before you deploy”",
    ]
    assert section(memory, "flags") == []
    assert section(memory, "lessons", project="/blog") == []


def test_each_tier_holds_what_the_smaller_one_does_and_the_last_also_what_was_called(
    memory: Memory, tmp_path: Path
) -> None:
    memory.remember("the shop opens at nine", category="decision", project="/shop")
    memory.capture(write_jsonl(tmp_path / "c.jsonl", *LEFT_OPEN), source="claude-code")
    told = [memory.brief(tier, "c", given=False) for tier in range(4)]
    assert sorted(one.tokens for one in told) == [one.tokens for one in told]
    assert ["the shop opens at nine" in one.text for one in told] == [False, False, True, True]
    calls = ["- agent called Edit", "- agent called Bash"]
    assert [line[: len(calls[0])] for line in told[3].text.splitlines() if "called" in line] == calls
