"""Pieces of work at the front desk: one goal, over as many sessions as it takes, until somebody ends it."""

import json
from pathlib import Path
from typing import Any

import pytest

from steno.memory import Memory
from steno.testing import SteppingClock, house, said, write_jsonl
from steno.vocabulary.errors import UnknownWork, WrongUse
from steno.vocabulary.works import PieceOfWork

from ..staged import staged

IMPORTER, NOTES = "rewrite the importer so that it streams", "write the release notes for March"
NOW = "2026-02-02T12:00:00.000Z"


class Talk:
    """Writes a transcript a line at a time, a minute apart."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lines = 0

    def add(self, *texts: str, session: str = "s1", **fields: Any) -> "Talk":
        """What a person says, or an agent where it begins with `> `."""
        for text in texts:
            self._lines += 1
            at = f"2026-02-01T10:{self._lines:02}:00.000Z"
            who = {"role": "assistant"} if text.startswith("> ") else {}
            facts = {"id": f"t{self._lines}", "at": at, "project": "/p", "agent": "ada", **who, **fields}
            write_jsonl(self.path, said(text.removeprefix("> "), session=session, **facts))
        return self


@pytest.fixture
def talk(tmp_path: Path) -> Talk:
    return Talk(tmp_path / "talk.jsonl")


def works(memory: Memory, talk: Talk) -> list[PieceOfWork]:
    memory.capture(talk.path, source="jsonl")
    memory.learn()
    return memory.works.all()


def facts(found: list[PieceOfWork]) -> list[tuple[str, str, int]]:
    return [(work.goal, work.status, work.sessions) for work in found]


def opened(folder: Path) -> Any:
    return house(folder, clock=SteppingClock(NOW))


def test_what_follows_a_programs_instruction_begins_a_piece_of_work(tmp_path: Path, talk: Talk) -> None:
    talk.add(f"<system_instruction>\nNever push to main.\n</system_instruction>\n\n{IMPORTER}", "> On it.")
    with opened(tmp_path) as memory:
        assert facts(works(memory, talk)) == [(IMPORTER, "active", 1)]
        assert [entry.evidence[0].quote for entry in memory.entries(category="rule")] == []


def test_a_goal_is_a_piece_of_work_and_survives_sessions(tmp_path: Path, talk: Talk) -> None:
    talk.add(IMPORTER, "> The reader streams now; all tests pass.").add("continue", "> Going on.", session="s2")
    with opened(tmp_path) as memory:
        (found,) = works(memory, talk)
        assert (found.goal, found.status, found.sessions, found.session) == (IMPORTER, "active", 2, "s1")
        assert (found.project, found.agent, found.checkpoint.phase) == ("/p", "ada", None)
        assert (found.begun_at, found.last_at) == ("2026-02-01T10:01:00.000Z", "2026-02-01T10:04:00.000Z")
        assert IMPORTER in memory.brief(session="s2").text


def test_another_agent_or_project_does_not_go_on_with_it(tmp_path: Path, talk: Talk) -> None:
    talk.add(IMPORTER, "> Looking.")
    talk.add("continue", session="s2", agent="bob").add("continue", session="s3", project="/q")
    with opened(tmp_path) as memory:
        assert facts(works(memory, talk)) == [(IMPORTER, "active", 1)]
        assert [memory.checkpoint(name).goal for name in ("s2", "s3")] == [None, None]


def test_a_new_goal_in_a_new_session_ends_nothing_though_an_agent_called_it_finished(
    tmp_path: Path, talk: Talk
) -> None:
    talk.add(IMPORTER, "> Looking.").add(NOTES, "> Done: the notes are written.", session="s2")
    with opened(tmp_path) as memory:
        assert facts(works(memory, talk)) == [(NOTES, "active", 1), (IMPORTER, "active", 1)]
        talk.add("mend the door of the shed", session="s3")
        found = works(memory, talk)
        assert facts(found) == [
            ("mend the door of the shed", "active", 1),
            (NOTES, "active", 1),
            (IMPORTER, "active", 1),
        ]


@pytest.mark.parametrize(
    ("last", "status", "task"),
    [("that's all, thanks", "finished", "done"), ("drop it", "dropped", "archived")],
)
def test_tasks_end_with_their_work(tmp_path: Path, talk: Talk, last: str, status: str, task: str) -> None:
    talk.add(IMPORTER, "> Looking.", "remind me to add a test for empty files", "> Done: it streams, tests pass.")
    with opened(tmp_path) as memory:
        works(memory, talk)
        before = {entry.id: entry.status for entry in memory.entries(category="task")}
        talk.add(last, "> Ok.")
        ended = next(work for work in works(memory, talk) if work.status != "active")
        after = {entry.id: entry.status for entry in memory.works.entries(ended) if entry.category == "task"}
    assert ended.status == status
    assert "active" in before.values()
    assert {after[name] for name, was in before.items() if was == "active"} == {task}


def test_reading_line_by_line_and_rebuilding_give_the_same_works(tmp_path: Path, talk: Talk) -> None:
    lines: list[tuple[str, str]] = [
        ("s1", IMPORTER), ("s1", "> Looking."), ("s1", "always run make lint before you commit"),
        ("s1", "> Finished: it streams now."), ("s1", "ok, now let's build the exporter for the reports"),
        ("s1", "> Looking."), ("s2", "continue"), ("s2", "> Done: all reports are exported."), ("s3", NOTES),
        ("s3", "no, never mention customers there"), ("s3", "never mind"),
    ]  # fmt: skip
    with opened(tmp_path / "slow") as memory:
        for session, text in lines:
            slow = works(memory, talk.add(text, session=session))
        slow_entries = [memory.works.entries(work) for work in slow]
    with opened(tmp_path / "once") as memory:
        once = works(memory, talk)
        once_entries = [memory.works.entries(work) for work in once]
        memory.rebuild()
        assert memory.works.all() == once
        assert [memory.works.entries(work) for work in once] == once_entries
    assert slow == once
    assert [[entry.id for entry in part] for part in slow_entries] == [[e.id for e in part] for part in once_entries]
    assert [(work.goal.splitlines()[0], work.status, work.sessions) for work in once] == [
        ("ok, now let's build the exporter for the reports", "active", 2),
        (IMPORTER, "active", 1),
        (NOTES, "dropped", 1),
    ]


def test_a_person_ends_a_piece_of_work_and_their_word_outlives_a_rebuild(tmp_path: Path, talk: Talk) -> None:
    clock = SteppingClock("2026-02-01T10:02:30.000Z")
    with house(tmp_path, clock=clock) as memory:
        (work,) = works(memory, talk.add(IMPORTER, "> Looking."))
        ended = memory.works.end(work, "dropped")
        assert (ended.status, ended.ended_at) == ("dropped", clock.now)
        with pytest.raises(WrongUse, match="dropped already"):
            memory.works.end(ended, "finished")
        found = works(memory, talk.add("> Still looking.", "the dates are wrong in March, please mend them", "> Ok."))
        expected = [("the dates are wrong in March, please mend them", "active", 1), (IMPORTER, "dropped", 1)]
        assert facts(found) == expected
        memory.rebuild()
        assert memory.works.all() == found
        assert all(check.ok for check in memory.doctor())


def test_what_people_ended_moves_with_an_export(tmp_path: Path, talk: Talk) -> None:
    with opened(tmp_path / "old") as memory:
        (work,) = works(memory, talk.add(IMPORTER, "> Looking."))
        ended, lines = memory.works.end(work, "dropped"), list(memory.export())
    with opened(tmp_path / "new") as memory:
        memory.import_(lines, trust=True)
        assert facts(memory.works.all()) == facts([ended]) == [(IMPORTER, "dropped", 1)]
        assert memory.works.one(work.id).ended_at == ended.ended_at


def test_an_ended_piece_of_work_is_not_told_at_the_start(tmp_path: Path, talk: Talk) -> None:
    with opened(tmp_path) as memory:
        (work,) = works(memory, talk.add(IMPORTER, "> Looking."))
        assert IMPORTER in memory.boot(project="/p").text
        assert IMPORTER in memory.handoff()
        memory.works.end(work, "finished")
        assert IMPORTER not in memory.boot(project="/p").text
        assert IMPORTER not in memory.handoff()


def test_the_work_at_hand_is_the_one_of_the_project_or_the_only_one(tmp_path: Path, talk: Talk) -> None:
    with opened(tmp_path) as memory:
        with pytest.raises(UnknownWork, match="no piece of work is at hand"):
            memory.works.at_hand("/p")
        works(memory, talk.add(IMPORTER))
        assert memory.works.at_hand("/elsewhere").goal == IMPORTER
        works(memory, talk.add(NOTES, session="s2", project="/q"))
        assert (memory.works.at_hand("/p").goal, memory.works.at_hand("/q").goal) == (IMPORTER, NOTES)
        with pytest.raises(UnknownWork, match="at hand here"):
            memory.works.at_hand("/elsewhere")


def test_its_files_follow_the_work(tmp_path: Path, talk: Talk) -> None:
    notebook = tmp_path / "steno" / "notebook"
    with opened(tmp_path) as memory:
        talk.add(
            IMPORTER,
            "> Use a pool or a queue?",
            "let's go with the queue, because pools leak",
            "> I am on the branch `ada/queue-it`.",
        )
        (work,) = works(memory, talk)
        assert (notebook / ".active-task").read_text() == f"{work.id} {IMPORTER}\n"
        stands = json.loads((notebook / f".task-{work.id}.json").read_text())
        assert (stands["goal"], stands["status"], stands["id"]) == (work.goal, "active", work.id)
        assert "let's go with the queue, because pools leak" in (notebook / f".decisions-{work.id}.md").read_text()
        assert "- branch: ada/queue-it" in (notebook / f".context-map-{work.id}.md").read_text()
        memory.works.end(work, "finished")
        assert (notebook / ".active-task").read_text() == ""
        assert json.loads((notebook / f".task-{work.id}.json").read_text())["status"] == "finished"
        memory.forget(text="streams")
        left = [file.read_text() for file in notebook.iterdir() if file.is_file()]
        assert not [text for text in left if "streams" in text]


def test_what_is_forgotten_leaves_the_works_of_every_session(tmp_path: Path, talk: Talk) -> None:
    talk.add("rewrite the importer for customer Quokka", "> Looking.").add("continue", "> Ok.", session="s2")
    with opened(tmp_path) as memory:
        assert len(works(memory, talk)) == 1
        memory.forget(text="Quokka")
        assert memory.works.all() == []
        assert memory.checkpoint("s2").goal is None
    assert not [file for file in (tmp_path / "steno").rglob("*") if file.is_file() and b"Quokka" in file.read_bytes()]


def test_a_long_session_in_which_nobody_was_heard_is_flagged(tmp_path: Path, talk: Talk) -> None:
    for number in range(10):
        talk.add(f'"somebody else wrote line {number} of this"', "> …", "> …", "> …", session="quiet")
    flag = "session quiet: 40 turns, and hardly a word of yours was heard"
    with opened(tmp_path) as memory:
        works(memory, talk)
        assert memory.status().silent == [flag]
        assert flag in memory.boot(project="/p").text
        talk.add("always run make lint before you commit", "never push to main by yourself", session="quiet")
        talk.add("and what about the docs?", "and the tests?", session="quiet")
        works(memory, talk)
        assert memory.status().silent == []


def test_noes_for_one_piece_of_work_end_with_it(tmp_path: Path, talk: Talk) -> None:
    with opened(tmp_path) as memory:
        talk.add(IMPORTER, "> I'll rename the table.", "no, don't rename the table in this change", "> Ok.")
        (work,) = works(memory, talk)
        [no] = [entry for entry in memory.works.entries(work) if entry.category == "rejected"]
        assert (no.status, no.detail.stance.reach) == ("active", "work")
        memory.works.end(work, "finished")
        assert memory.entry(no.id).status == "archived"


FOR_NOW, FOR_GOOD = "no, don't rename the table in this change", "never push to main by yourself"
FRIDAY = "2026-02-06T17:00:00.000Z"


def in_force(memory: Memory) -> list[str]:
    return [
        entry.summary
        for entry in memory.entries()
        if entry.category in ("rule", "rejected") and entry.status == "active"
    ]


@pytest.mark.parametrize(
    ("back", "left"),
    [
        ("2026-02-09T16:59:59.999Z", [FOR_NOW, FOR_GOOD]),
        ("2026-02-09T17:00:00.000Z", [FOR_GOOD]),
    ],
)
def test_what_held_for_a_piece_of_work_ends_after_three_days_without_a_turn_in_the_project(
    tmp_path: Path, talk: Talk, back: str, left: list[str]
) -> None:
    talk.add(IMPORTER, "> I'll rename the table.", FOR_NOW, "> Ok.", FOR_GOOD, "remind me to add a test", at=FRIDAY)
    clock = SteppingClock(FRIDAY)
    with house(tmp_path, clock=clock) as memory:
        works(memory, talk)
        assert in_force(memory) == [FOR_NOW, FOR_GOOD]
        clock.now = back
        works(memory, talk.add("> Going on.", at=back))
        assert in_force(memory) == left
        found = [(entry.id, entry.status) for entry in memory.entries()]
        memory.rebuild()
        assert [(entry.id, entry.status) for entry in memory.entries()] == found
        # Nobody said that the work itself is over, nor what is to be done.
        assert [work.status for work in memory.works.all()] == ["active"]
        assert [entry.status for entry in memory.entries(category="task")] == ["active"]
        assert all(check.ok for check in memory.doctor())


def test_three_days_count_from_the_last_turn_in_the_project_by_the_clock_and_in_every_session(
    tmp_path: Path, talk: Talk
) -> None:
    clock = SteppingClock(FRIDAY)
    with house(tmp_path, clock=clock) as memory:
        works(memory, talk.add(IMPORTER, "> Ok.", FOR_NOW, at=FRIDAY))
        talk.add("what is on the list?", session="s2", at="2026-02-08T10:00:00.000Z")
        talk.add("build the shed", session="s3", project="/q", at="2026-02-10T10:00:00.000Z")
        clock.now = "2026-02-10T11:00:00.000Z"
        works(memory, talk)
        assert in_force(memory) == [FOR_NOW]
        clock.now = "2026-02-11T10:00:00.000Z"
    with house(tmp_path, clock=clock) as memory:
        memory.learn()
        assert in_force(memory) == []
        memory.learn()
        assert in_force(memory) == []


def test_what_is_said_again_after_three_quiet_days_holds_and_a_rebuild_gives_the_same(
    tmp_path: Path, talk: Talk
) -> None:
    clock = SteppingClock(FRIDAY)
    back = "2026-02-12T09:00:00.000Z"
    with house(tmp_path / "slow", clock=clock) as memory:
        works(memory, talk.add(IMPORTER, "> Ok.", FOR_NOW, at=FRIDAY))
        clock.now = back
        works(memory, talk.add("> Going on.", FOR_NOW, "> Ok.", at=back))
        slow = [(entry.id, entry.status) for entry in memory.entries()]
        memory.rebuild()
        assert [(entry.id, entry.status) for entry in memory.entries()] == slow
        assert in_force(memory) == [FOR_NOW]
    with house(tmp_path / "once", clock=clock) as memory:
        works(memory, talk)
        assert [(entry.id, entry.status) for entry in memory.entries()] == slow


def test_a_rebuild_ends_it_in_a_session_that_began_later_and_was_not_gone_on_with(tmp_path: Path, talk: Talk) -> None:
    clock = SteppingClock(FRIDAY)
    other = "no, don't touch the tests for now"
    with house(tmp_path, clock=clock) as memory:
        talk.add(IMPORTER, "> Ok.", FOR_NOW, at=FRIDAY)
        works(memory, talk.add(NOTES, "> Ok.", other, session="s2", at="2026-02-06T18:00:00.000Z"))
        assert in_force(memory) == [FOR_NOW, other]
        clock.now = "2026-02-12T09:00:00.000Z"
        works(memory, talk.add("> Going on.", at=clock.now))
        assert in_force(memory) == []
        memory.rebuild()
        assert in_force(memory) == []


def test_a_finished_list_ends_what_held_for_it_and_what_is_said_then_holds(tmp_path: Path) -> None:
    other = "no, don't touch the tests for now"
    first = (IMPORTER, "> Ok.", FOR_NOW, "! TodoWrite completed pending")
    then = (*first, "! TodoWrite completed completed", "> All parts are done.")
    last = (*then, "and print the sums below each customer, please", "> On it.", other, "> Ok.")
    stood = [(first, "active", [FOR_NOW]), (then, "finished", []), (last, "active", [other])]
    with opened(tmp_path) as memory:
        for lines, status, left in stood:
            memory.capture(staged(tmp_path, "shop", *lines), source="claude-code")
            memory.learn()
            assert ([work.status for work in memory.works.all()], in_force(memory)) == ([status], left)
        memory.rebuild()
        assert ([work.status for work in memory.works.all()], in_force(memory)) == (["active"], [other])
        assert all(check.ok for check in memory.doctor())


@pytest.mark.parametrize("words", ["forget it", "Drop that.", "scrap that"])
def test_taking_back_what_was_never_begun_begins_nothing_and_stops_nobody(
    tmp_path: Path, talk: Talk, words: str
) -> None:
    with opened(tmp_path) as memory:
        talk.add(words, "> Ok.").add("always run make lint before you commit", session="s2")
        assert works(memory, talk) == []
        assert [entry.category for entry in memory.entries(category="rule")] == ["rule"]


def test_what_was_refused_for_now_is_critical_and_ends_with_its_work(tmp_path: Path, talk: Talk) -> None:
    talk.add("build the page", "> I will begin with the css.")
    for _ in range(12):
        talk.add("no, don't touch the css for now", "> Understood.")
    with opened(tmp_path) as memory:
        (work,) = works(memory, talk)
        (rule,) = memory.rules.all()
        assert (rule.source, rule.status) == ("rejected", "critical")
        memory.works.end(work, "finished")
        assert memory.rules.all() == []


def test_a_task_that_was_done_is_open_again_when_it_is_asked_for_again(tmp_path: Path, talk: Talk) -> None:
    asked = "remind me to update the changelog"
    with opened(tmp_path) as memory:
        for told, status in (
            (asked, "active"),
            ("> Updated the changelog.", "active"),
            ("done with the changelog", "done"),
            (asked, "active"),
        ):
            works(memory, talk.add(told))
            tasks = [entry for entry in memory.entries() if entry.category == "task"]
            assert [(entry.summary, entry.status) for entry in tasks] == [(asked, status)]


def test_what_a_turn_ends_is_the_same_however_the_session_was_read(tmp_path: Path, talk: Talk) -> None:
    talk.add("add a license file", "> I'll send you the license tomorrow.", "done with the license", "> Fine.")
    talk.add("remind me to add a dark mode", "fix the login bug", "no, don't rename the form in this change")
    talk.add("forget the dark mode", "that's all, thanks", "no, don't push yet", "> Ok.")
    with opened(tmp_path / "whole") as memory:
        works(memory, talk)
        at_once = [(entry.summary, entry.status) for entry in memory.entries()]
        memory.rebuild()
        assert [(entry.summary, entry.status) for entry in memory.entries()] == at_once
    lines = talk.path.read_text("utf-8").splitlines(keepends=True)
    with opened(tmp_path / "parts") as memory:
        for line in lines:
            with (tmp_path / "part.jsonl").open("a", encoding="utf-8") as part:
                part.write(line)
            memory.capture(tmp_path / "part.jsonl", source="jsonl")
            memory.scribe()
        assert [(entry.summary, entry.status) for entry in memory.entries()] == at_once
