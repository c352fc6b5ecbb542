"""Tool calls people refused, and questions they answered through a tool: what is learnt of them, at the front desk."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from steno.memory import Memory
from steno.testing import house, write_jsonl
from steno.vocabulary import Entry

SESSION = "11111111-0000-4000-8000-000000000000"
REFUSED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the "
    "new_string was NOT written to the file). To tell you how to proceed, the user said:\n"
)
Line = Callable[[int], dict[str, Any]]


def user(content: Any, **more: Any) -> Line:
    return lambda number: {"type": "user", "message": {"role": "user", "content": content}, **more}


def agent(text: str) -> Line:
    return lambda number: _agents({"type": "text", "text": text})


def call(name: str, **given: Any) -> Line:
    return lambda number: _agents({"type": "tool_use", "id": f"call{number}", "name": name, "input": given})


def result(text: str = "done", *, noted: Any = None, failed: bool = False) -> Line:
    """What came of the call in the line before."""

    def line(number: int) -> dict[str, Any]:
        block = {"tool_use_id": f"call{number - 1}", "type": "tool_result", "content": text, "is_error": failed}
        return user([block], toolUseResult=noted or text)(number)

    return line


def refused(words: str) -> Line:
    return result(REFUSED + words, noted=f"Error: {REFUSED}{words}", failed=True)


def answered(answers: dict[str, Any]) -> Line:
    return result("User has answered your questions", noted={"answers": answers})


def _agents(block: dict[str, Any]) -> dict[str, Any]:
    return {"type": "assistant", "message": {"role": "assistant", "model": "claude-sonnet-4-5", "content": [block]}}


def read(memory: Memory, folder: Path, *lines: Line, live: bool = False) -> list[Entry]:
    """What is learnt of a session, read at once or line by line."""
    path = folder / f"{SESSION}.jsonl"
    for number, line in enumerate(lines):
        facts = {"uuid": f"u{number}", "sessionId": SESSION, "timestamp": f"2026-01-01T10:{number:02}:00.000Z"}
        write_jsonl(path, {"isSidechain": False, "cwd": "/shop", **line(number), **facts})
        if live:
            memory.capture(path)
            memory.scribe()
    memory.capture(path)
    return memory.entries()


CLEAN = call("Bash", command="git clean -fdx")
TO_CLEAN = (user("Tidy up the repository"), agent("I will clean it."), CLEAN, refused("no, don't!"), agent("I won't."))


@pytest.mark.parametrize("live", [True, False])
@pytest.mark.parametrize(
    ("since", "came", "status"),
    [
        ((user("show me the log"), agent("Here it is, and I clean up.")), "ran anyway", "active"),
        ((), "ran anyway", "active"),
        ((agent("Shall I add tests instead?"), user("yes")), "ran anyway", "active"),
        ((agent("Everything in it is stale."), user("ok go ahead")), "ran later", "archived"),
        ((user("please run git clean now, I saved my files"),), "ran later", "archived"),
        ((user("ok go ahead"), user("no, stop, don't do that")), "ran anyway", "active"),
        # Politeness is no leave.
        ((agent("Then I leave it."), user("thanks")), "ran anyway", "active"),
        ((agent("Then I run the unit tests."), user("ok")), "ran anyway", "active"),
    ],
)
def test_a_refused_call_that_runs_was_allowed_only_by_a_persons_leave(
    tmp_path: Path, since: tuple[Line, ...], came: str, status: str, live: bool
) -> None:
    more = [agent("I am looking further.")] * 17
    with house(tmp_path) as memory:
        entries = read(memory, tmp_path, *TO_CLEAN, *since, *more, CLEAN, result(), live=live)
        no = next(entry for entry in entries if entry.detail.exchange.kind == "call")
        assert (no.detail.exchange.afterwards, no.status) == (came, status)
        memory.rebuild()
        assert memory.entry(no.id) == no


WROTE = (user("Add a cache"), agent("I added a `Cache` class in cache.py."))


@pytest.mark.parametrize("live", [True, False])
@pytest.mark.parametrize(
    ("since", "came"),
    [
        ((agent("Gone soon."), user("now show me the log")), ""),
        ((agent("I keep it."), user("I don't want a cache class")), "said again"),
    ],
)
def test_what_came_of_a_refusal_of_what_was_done_is_kept_with_it(
    tmp_path: Path, since: tuple[Line, ...], came: str, live: bool
) -> None:
    with house(tmp_path) as memory:
        entries = read(memory, tmp_path, *WROTE, user("I don't want a cache class"), *since, live=live)
        [no] = [entry for entry in entries if entry.category == "rejected"]
        assert no.detail.exchange.afterwards == came
        memory.rebuild()
        assert memory.entry(no.id) == no


@pytest.mark.parametrize("live", [True, False])
def test_a_call_that_is_refused_again_after_it_was_allowed_is_refused(tmp_path: Path, live: bool) -> None:
    again = (agent("Shall I run git clean -fdx now?"), user("yes"), CLEAN, result(), CLEAN, refused("no, don't!"))
    with house(tmp_path) as memory:
        entries = read(memory, tmp_path, *TO_CLEAN, *again, live=live)
        noes = [entry for entry in entries if entry.category == "rejected"]
        assert [(no.status, no.detail.exchange.afterwards) for no in noes] == [
            ("archived", "ran later"),
            ("active", ""),
        ]
        memory.rebuild()
        assert [entry for entry in memory.entries() if entry.category == "rejected"] == noes


BUCKET, TESTS = "Delete the production bucket?", "Write tests?"
ASKED = call("AskUserQuestion", questions=[{"question": one, "options": [{"label": "Yes"}]} for one in (BUCKET, TESTS)])


@pytest.mark.parametrize(
    ("answers", "settled"),
    [
        ({BUCKET: "", TESTS: "Yes"}, [(TESTS, "Yes")]),
        ({BUCKET: "neither.\nLook at the docs\nthen stop", TESTS: "No"},
         [(BUCKET, "neither.\nLook at the docs\nthen stop"), (TESTS, "No")]),
        ({TESTS: "No", BUCKET: "Yes"}, [(TESTS, "No"), (BUCKET, "Yes")]),
    ],
)  # fmt: skip
def test_an_answer_settles_the_question_it_was_given_to(
    tmp_path: Path, answers: dict[str, str], settled: list[tuple[str, str]]
) -> None:
    with house(tmp_path) as memory:
        entries = read(memory, tmp_path, user("Set up the storage"), ASKED, answered(answers), agent("ok"))
        found = [entry for entry in entries if entry.category == "decision"]
        assert [(entry.detail.exchange.answered, entry.evidence[0].quote) for entry in found] == settled
