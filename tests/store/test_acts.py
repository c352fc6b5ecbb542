"""What agents asked for is kept until a person answers."""

from pathlib import Path

from steno.testing import house
from steno.vocabulary.acts import Who

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
