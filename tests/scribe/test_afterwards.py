"""What came of a refused call."""

import json

import pytest

from steno.scribe.afterwards import came_of
from steno.vocabulary import JournalTurn, Turn
from steno.vocabulary.details import Call


def call(tool: str, **given: str) -> JournalTurn:
    turn = Turn(role="assistant", kind="call", text=json.dumps(given), tool=tool)
    return JournalTurn(id=9, source="claude-code", session="s", turn=turn)


@pytest.mark.parametrize(
    ("refused", "done", "came"),
    [
        (Call("Bash", "npm publish"), call("Bash", command="npm publish"), "ran later"),
        (Call("Bash", "npm publish"), call("Bash", command="npm publish --dry-run"), ""),
        (Call("Edit", "src/api.py"), call("Edit", file_path="src/api.py", new_string="x"), "redone"),
        (Call("Edit", "src/api.py"), call("Edit", file_path="src/db.py"), ""),
        (Call("Edit", "src/api.py"), call("Read", file_path="src/api.py"), ""),
        (Call("ExitPlanMode", "1. rewrite it all"), call("ExitPlanMode", plan="1. patch the lexer"), "redone"),
        (Call("Bash"), call("Bash"), ""),
    ],
)
def test_a_call_that_succeeds_says_what_came_of_its_refusal(refused: Call, done: JournalTurn, came: str) -> None:
    assert came_of(refused, done) == came
