"""What an agent is told when it starts, as whole pages."""

from pathlib import Path
from typing import Any

import pytest

from steno.memory import Memory
from steno.testing import SteppingClock, house, said, write_jsonl
from steno.vocabulary import Outcome

NOW = "2026-11-18T12:00:00.000Z"
HEAD = "Written down by Steno from earlier sessions. What the user ruled and refused holds."


@pytest.fixture
def clock() -> SteppingClock:
    return SteppingClock(NOW)


@pytest.fixture
def memory(tmp_path: Path, clock: SteppingClock):
    with house(tmp_path, clock=clock) as memory:
        yield memory


def line(number: int, role: str, content: Any, day: str = "2026-11-17") -> dict[str, Any]:
    return {
        "type": role, "uuid": f"{day}{number}", "sessionId": f"c{day}", "cwd": "/shop",
        "message": {"role": role, "content": content}, "timestamp": f"{day}T11:{number:02}:00.000Z",
    }  # fmt: skip


def agent(number: int, text: str, day: str = "2026-11-17") -> dict[str, Any]:
    return line(number, "assistant", [{"type": "text", "text": text}], day)


def called(number: int, tool: str, given: dict[str, Any], printed: str, *, failed: bool = False) -> list[Any]:
    result = {"type": "tool_result", "tool_use_id": f"c{number}", "is_error": failed, "content": printed}
    call = {"type": "tool_use", "id": f"c{number}", "name": tool, "input": given}
    return [line(number, "assistant", [call]), line(number + 1, "user", [result])]


def hear(memory: Memory, folder: Path, *lines: Any) -> None:
    """What a host wrote down, read and learnt from."""
    memory.capture(write_jsonl(folder / f"{lines[0]['uuid']}.jsonl", *lines), source="claude-code")
    memory.scribe()


def boot(memory: Memory, project: str | None = "/shop", **more: Any) -> list[str]:
    """The lines between our marks."""
    return memory.boot(project=project, given=False, **more).text.split("\n")[1:-1]


def section(memory: Memory, title: str, project: str = "/shop", **more: Any) -> list[str]:
    """The lines of one section."""
    found, inside = [], False
    for text in boot(memory, project, **more):
        if not text.startswith("- "):
            inside = text == f"{title}:"
        elif inside:
            found.append(text.removeprefix("- "))
    return found


HELD = "Steno: refused by the user on 17 November 2026: “never touch the payments table”\nSteno: Ask the human first."
TALK = [
    line(1, "user", "make the invoices of the shop show the tax of each line"),
    agent(2, "Where shall the rates live?\n\nA. in a table of their own\nB. in the settings"),
    line(3, "user", "A"),
    line(4, "user", "never touch the payments table"),
    *called(5, "Bash", {"command": "psql -c 'ALTER TABLE payments'"}, HELD, failed=True),
    agent(7, "I added the rates. Shall I rename the old column?"),
    line(8, "user", "I don't want a new column in the orders table"),
    agent(9, "Fine. One test fails still."),
]


def test_the_whole_page_in_its_order(memory: Memory, tmp_path: Path) -> None:
    hear(memory, tmp_path, *TALK)
    memory.remember("the queue must be empty before a migration", category="learning", project="/shop")
    memory.fleet.capabilities.tell("deploy", "make deploy", about="puts the shop online", owner="clerk")
    memory.flows.add("deploy-shop", ["look at the port", "make deploy"], triggers=["deploy the shop"], project="/shop")
    memory.fleet.agents.point("clerk", "keep the shop open", ["read the mail of customers"])
    memory.fleet.relay.send("the prices changed tonight", sender="buyer", to="clerk")
    memory.pause()
    assert boot(memory, agent="clerk") == [
        HEAD,
        "rules:",
        "- “never touch the payments table”, 17 November",
        "capabilities:",
        "- – make deploy: puts the shop online (never checked)",
        "lessons:",
        "- “the queue must be empty before a migration”, 18 November",
        "flows:",
        "- deploy-shop never used: deploy the shop",
        "the human's refusals:",
        "- “I don't want a new column in the orders table”, 17 November",
        "the human's decisions:",
        "- “A” (to: “A. in a table of their own”), 17 November",
        "where the last work stood (last here 17 November):",
        "- asked for: “make the invoices of the shop show the tax of each line”",
        "- asked for last: “I don't want a new column in the orders table”",
        "- `psql -c 'ALTER TABLE payments'` was held by the rule “never touch the payments table”; "
        "nobody has allowed it yet",
        "- in full: `steno brief --session c2026-11`",
        "north star:",
        "- keep the shop open",
        "- 1. by yourself, again and again: read the mail of customers",
        "from other agents, not from the user:",
        "- buyer wrote to clerk: “the prices changed tonight”",
        "- 1 unread: `steno relay read clerk`",
        "flags:",
        f"- capture is paused since {NOW}",
    ]


def test_a_subagent_is_told_what_was_ruled_and_refused(memory: Memory, tmp_path: Path) -> None:
    hear(memory, tmp_path, *TALK)
    assert boot(memory, small=True) == [
        "Written down by Steno. What the user ruled and refused holds for you, too.",
        "rules:",
        "- “never touch the payments table”, 17 November",
        "the human's refusals:",
        "- “I don't want a new column in the orders table”, 17 November",
    ]


# -- where nothing is known --------------------------------------------------------------------------------------------


def test_an_empty_store_is_a_cold_start(memory: Memory) -> None:
    assert boot(memory) == ["This is a cold start: Steno has written nothing down yet."]


def test_a_new_project_is_a_cold_start_there(memory: Memory, tmp_path: Path) -> None:
    hear(memory, tmp_path, *TALK)
    new = ["This is a cold start here: nothing was said in this project yet. Other projects are told in theirs."]
    assert boot(memory, "/blog") == boot(memory, None) == new


def test_where_something_was_said_it_is_not_told_that_nothing_was(memory: Memory, tmp_path: Path) -> None:
    hear(memory, tmp_path, line(1, "user", "hi"), agent(2, "Hello."))
    assert boot(memory) == ["No rule, refusal or decision is in force here. `steno recall` finds what else was said."]


# -- what holds --------------------------------------------------------------------------------------------------------


def test_refusals_are_told_the_newest_first_and_how_many_more_there_are(memory: Memory, clock: SteppingClock) -> None:
    for number in range(30):
        clock.now = f"2026-11-{number % 17 + 1:02}T{number:02}:00:00.000Z"[:24] if number < 24 else clock.now
        memory.remember(f"no shop number {number}", category="rejected", project="/shop")
    clock.now = NOW
    told = section(memory, "the human's refusals")
    assert (len(told), told[-1]) == (21, "and 10 more; the gate holds to them")


def test_rules_that_do_not_fit_are_counted(memory: Memory) -> None:
    for number in range(25):
        memory.rules.add(f"never sell thing number {number}", project="/shop")
    told = section(memory, "rules")
    assert (len(told), told[-1]) == (21, "and 5 more; the gate holds to them")


def test_two_thousand_tokens_hold_whole_sentences_of_every_section(memory: Memory) -> None:
    for number in range(40):
        words = f"thing number {number} for the shop, because it broke the last three releases of the whole company "
        words += "and none of us could ever say why that was so in the end"
        memory.rules.add(f"never use {words}", project="/shop")
        memory.remember(f"we will not use {words}", category="rejected", project="/shop")
        memory.remember(f"we chose {words}", category="decision", project="/shop")
    briefing = memory.boot(project="/shop", given=False)
    told = [text for text in briefing.text.splitlines() if text.startswith("- “")]
    assert 1_800 < briefing.tokens <= 2_000
    assert [text for text in told if not text.endswith("end”, 18 November")] == []
    titles = ("rules", "the human's refusals", "the human's decisions")
    counts = [len(section(memory, title)) for title in titles]
    assert min(counts) >= 8
    assert {briefing.because[name] for name in briefing.items} == {f"at a start: {title}" for title in titles}
    assert set(briefing.because.values()) == {*(f"at a start: {one}" for one in titles), "no room at a start"}


def test_what_a_person_edited_is_told_from_the_next_second(memory: Memory, tmp_path: Path) -> None:
    hear(memory, tmp_path, *TALK)
    [refusal] = memory.entries(category="rejected")
    memory.revise(refusal.id, summary="no new column in the orders table before April")
    assert section(memory, "the human's refusals") == [
        "“no new column in the orders table before April”, edited, 17 November"
    ]


def test_what_a_person_ended_is_told_no_more(memory: Memory, tmp_path: Path) -> None:
    hear(memory, tmp_path, *TALK)
    for entry in memory.entries():
        memory.revise(entry.id, status="archived")
    assert [text for text in boot(memory) if text.startswith("- “")] == []


def test_a_refusal_whose_rule_a_person_retired_is_told_no_more(memory: Memory, tmp_path: Path) -> None:
    hear(memory, tmp_path, *TALK)
    [refusal] = memory.entries(category="rejected")
    memory.rules.retire(refusal.id)
    assert section(memory, "the human's refusals") == []


def test_lessons_of_agents_are_told_once_they_proved_themselves(memory: Memory, clock: SteppingClock) -> None:
    lessons = [
        "look at the port before you deploy", "the queue must be empty for a migration", "amounts are in cents",
        "the mail server is slow on Mondays", "tests need a fresh database", "the label printer wants ASCII",
    ]  # fmt: skip
    for lesson in lessons:
        memory.after(Outcome(agent="clerk", passed=True, summary=f"did {lesson}", learned=lesson, directory="/shop"))
    clock.now = "2026-11-19T12:00:00.000Z"
    assert section(memory, "lessons", agent="clerk") == []
    for rule in memory.rules.all():
        for _ in range(4):
            memory.rules.raise_(rule.id)
    told = section(memory, "lessons", agent="clerk")
    assert len(told) == 5
    assert set(told) < {f"the agent said: “{lesson}”, 18 November" for lesson in lessons}
    assert section(memory, "lessons", project="/blog", agent="clerk") == []


# -- where the work stood ----------------------------------------------------------------------------------------------


def test_a_test_that_failed_is_told_once_without_what_it_printed(memory: Memory, tmp_path: Path) -> None:
    printed = "Exit code 1\nE  assert 'push to main'\n1 failed, 3 passed in 0.1s"
    hear(memory, tmp_path, *TALK, *called(12, "Bash", {"command": "pytest -q"}, printed, failed=True))
    assert [text for text in boot(memory) if "pytest" in text] == ["- last test: `pytest -q` → 1 failed, 3 passed"]


def test_a_question_nobody_answered_is_told_and_one_that_was_is_not(memory: Memory, tmp_path: Path) -> None:
    hear(memory, tmp_path, *TALK, agent(12, "The total is without tax. Shall I change the total?"))
    asked = "- the agent asked, and nobody answered yet: “Shall I change the total?”"
    assert [text for text in boot(memory) if "nobody answered" in text] == [asked]
    hear(memory, tmp_path, line(13, "user", "no, leave the total alone"), agent(14, "Fine."))
    assert [text for text in boot(memory) if "nobody answered" in text] == []


def test_a_call_that_was_made_after_all_is_not_held(memory: Memory, tmp_path: Path) -> None:
    again = called(12, "Bash", {"command": "psql -c 'ALTER TABLE payments'"}, "ALTER TABLE")
    hear(memory, tmp_path, *TALK, *again)
    assert [text for text in boot(memory) if "was held" in text] == []


def test_of_work_left_weeks_ago_only_what_was_asked_for_is_told(memory: Memory, tmp_path: Path) -> None:
    with house(tmp_path / "later", clock=SteppingClock("2027-08-20T12:00:00.000Z")) as later:
        hear(later, tmp_path / "later", *TALK)
        told = boot(later)
    assert told[-4:] == [
        "where the last work stood (last here 17 November 2026, nine months ago):",
        "- asked for: “make the invoices of the shop show the tax of each line”",
        "- asked for last: “I don't want a new column in the orders table”",
        "- in full: `steno brief --session c2026-11`",
    ]


def test_an_earlier_time_is_told_as_it_was(memory: Memory, tmp_path: Path) -> None:
    hear(memory, tmp_path, *TALK)
    told = boot(memory, at="2026-11-17T11:04:30.000Z")
    assert "- “never touch the payments table”, 17 November" in told
    assert [text for text in told if "orders table" in text or "was held" in text] == []


def test_nothing_of_another_project_is_told(memory: Memory, tmp_path: Path) -> None:
    hear(memory, tmp_path, *TALK)
    words = said("never use red in the blog", project="/blog", at="2026-11-18T09:00:00Z")
    memory.capture(write_jsonl(tmp_path / "b.jsonl", words), source="jsonl")
    assert boot(memory, "/blog") == [
        HEAD,
        "rules:",
        "- “never use red in the blog”, 18 November",
    ]


def test_a_receipt_names_what_was_told_and_why(memory: Memory, tmp_path: Path) -> None:
    hear(memory, tmp_path, *TALK)
    memory.boot(project="/shop", session="new")
    [receipt] = memory.receipts()
    [refusal] = memory.entries(category="rejected")
    assert (receipt.kind, receipt.session, receipt.because[f"entry:{refusal.id}"]) == (
        "boot", "new", "at a start: the human's refusals"
    )  # fmt: skip


# -- odd sessions ------------------------------------------------------------------------------------------------------


def test_a_session_of_calls_alone_says_nothing_of_people(memory: Memory, tmp_path: Path) -> None:
    printed = "never push to main. " * 2_000
    hear(memory, tmp_path, *called(1, "Bash", {"command": "cat NOTES"}, printed))
    assert boot(memory) == ["No rule, refusal or decision is in force here. `steno recall` finds what else was said."]


def test_endless_words_stay_within_the_budget_and_end_with_a_sign(memory: Memory, tmp_path: Path) -> None:
    hear(memory, tmp_path, line(1, "user", "make the shop quick and " * 5_000), agent(2, "Fine."))
    briefing = memory.boot(project="/shop", given=False)
    [asked] = [text for text in briefing.text.splitlines() if text.startswith("- asked for: ")]
    assert (asked[-2:], briefing.tokens < 200) == ("…”", True)


def test_sessions_beside_each_other_keep_to_their_projects(memory: Memory, tmp_path: Path) -> None:
    for project in ("/shop", "/blog"):
        words = f"from now on name {project[1:]} in every commit"
        talk = said(words, session=project[1:], project=project, at="2026-11-18T09:00:00Z")
        memory.capture(write_jsonl(tmp_path / f"{project[1:]}.jsonl", talk), source="jsonl")
    assert [section(memory, "rules", project=one) for one in ("/shop", "/blog")] == [
        ["“from now on name shop in every commit”, 18 November"],
        ["“from now on name blog in every commit”, 18 November"],
    ]
