"""What agents asked for is kept until a person answers."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from steno.memory import Memory
from steno.testing import SteppingClock, house, write_jsonl
from steno.vocabulary.acts import Who
from steno.vocabulary.errors import WaitsForPerson

ASKED = Who(by="agent", evidence="the environment", door="cli", seen="CLAUDECODE", session="s1")


def test_what_an_agent_asks_for_waits_once_however_often_it_asks(tmp_path: Path) -> None:
    with house(tmp_path) as memory:
        for _ in range(3):
            memory.authority.ask("pause", "steno pause", {}, ASKED)
        memory.authority.ask("pause", "steno pause off", {"switch": "off"}, ASKED)
        assert [(act.words, act.times) for act in memory.authority.waiting()] == [
            ("steno pause", 3),
            ("steno pause off", 1),
        ]


def test_a_session_whose_name_is_no_text_asks_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDECODE", "1")
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "s\udcff" + "x" * 1000)
    with house(tmp_path) as memory:
        memory.authority.ask("pause", "steno pause", {}, memory.authority.judge("cli", verb="pause"))
        [act] = memory.authority.waiting()
        assert (act.who.seen, act.who.session) == ("CLAUDECODE", "s?" + "x" * 198)


def test_what_would_end_is_quoted_however_short_its_id_is_and_whatever_begins_alike(tmp_path: Path) -> None:
    with house(tmp_path, clock=SteppingClock("2026-03-03T09:00:00.000Z")) as memory:
        rule, ends = memory.rules.add("never push to main", project=None), memory.authority.ends
        said = "rule: “never push to main” (edit, 2026-03-03)"
        assert ends("rules retire", {"id": rule.id[:2]}) == said
        noted = (memory.remember(f"noted {n}", category="learning", by_agent=True) for n in range(500))
        alike = next(entry for entry in noted if entry.id[0] == rule.id[0])
        assert ends("rules retire", {"id": rule.id[0]}).splitlines()[0] == said
        assert alike.summary in ends("rules retire", {"id": rule.id[0]})
        asked = {"id": rule.id}
        memory.authority.ask("rules retire", f"steno rules retire {rule.id}", asked, ASKED)
        [act] = memory.authority.waiting()
        assert ends("review answer", {"id": act.id, "answer": "yes"}).splitlines()[-2:] == [
            f"what waits: steno rules retire {rule.id}", said,
        ]  # fmt: skip


@pytest.fixture
def at_work(tmp_path: Path) -> Iterator[Callable[..., Memory]]:
    """A memory that knows of a shell's call that is under way."""
    with ExitStack() as opened:

        def with_call(command: str) -> Memory:
            memory = opened.enter_context(house(tmp_path))
            call = {"type": "tool_use", "id": "c1", "name": "Bash", "input": {"command": command}}
            line = {
                "type": "assistant",
                "uuid": "1",
                "sessionId": "s1",
                "cwd": "/shop",
                "timestamp": memory.home.clock(),
            }
            folder = tmp_path / ".claude" / "projects" / "-shop"
            write_jsonl(folder / "s1.jsonl", line | {"message": {"id": "m1", "content": [call]}})
            memory.capture(folder)
            return memory

        yield with_call


@pytest.mark.parametrize(
    ("command", "evidence"),
    [
        ("cd ~/src/steno && make test && cat answer.txt", "a terminal"),
        ("sleep 3600 # steno review answer", "a terminal"),
        ("sh x.sh # \nsteno review answer 3f2a yes", "an open call"),
        ("tmux send-keys 'steno review answer 3f2a yes' Enter", "an open call"),
    ],
)
def test_a_call_that_only_holds_a_word_of_ours_holds_nobody(command: str, evidence: str, at_work: Any) -> None:
    assert at_work(command).authority.judge("cli", verb="review answer").evidence == evidence


def test_nobody_types_into_a_session_while_its_shell_runs(at_work: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    memory = at_work("sh forges_the_history.sh")
    now = datetime.fromisoformat(memory.home.clock()).timestamp() * 1000
    user = Path(memory.home.environment["HOME"])
    write_jsonl(user / ".claude" / "history.jsonl", {"display": "! steno pause", "timestamp": now, "sessionId": "s1"})
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "s1")
    who = memory.authority.judge("cli", verb="pause")
    assert (who.by, who.seen) == ("agent", "sh forges_the_history.sh")


def test_a_session_that_asks_without_end_leaves_a_hundred_requests(tmp_path: Path) -> None:
    with house(tmp_path) as memory:
        acts, at = memory.home.store.acts, memory.home.clock()
        who = Who(by="agent", evidence="the door", door="http", session="s1")
        left = [acts.ask("rules add", f"steno rules add {n}", {"text": str(n)}, "", who, at) for n in range(103)]
        assert (left.count(""), len(acts.waiting())) == (3, 100)
        assert acts.ask("rules add", "x", {"text": "102"}, "", structs.replace(who, session="s2"), at)


def test_what_nobody_would_read_is_held_and_asked_of_nobody(tmp_path: Path) -> None:
    with house(tmp_path) as memory:
        words = "steno rules add " + "x" * 10_000
        with pytest.raises(WaitsForPerson):
            memory.authority.person("rules add", words, {"text": words}, ASKED)
        assert memory.authority.waiting() == []


def test_of_very_much_that_would_end_the_number_of_the_rest_is_told(tmp_path: Path) -> None:
    with house(tmp_path) as memory:
        rules = tuple(memory.rules.add(f"never touch table {n}").id for n in range(23))
        *quoted, last = memory.authority.ends("edit", None, rules).splitlines()
        assert (len(quoted), last) == (20, "and 3 more")
