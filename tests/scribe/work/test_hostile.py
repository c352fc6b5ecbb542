"""Commands and outputs made to be slow, or to break something."""

import json
import time

import pytest

from steno.scribe.work.trail import TrailKeeper
from steno.vocabulary import JournalTurn, Turn

_MANY = 1_000_000


@pytest.mark.parametrize(
    ("command", "text"),
    [
        ("git status && git diff", "+ x = 1\n" * (_MANY // 8)), ("git log", " " * _MANY), ("git status", "\t" * _MANY),
        ("git status", ("\tmodified: " + " " * 200 + "->" * 100 + "\n") * 2000), ("git push", "1a2b3c4.." * 100_000),
        ("git push", " " * 400 + "1a2b3c4..5d6e7f8 " + "a" * 200 + " " * _MANY),
        ("git log --oneline", ("1a2b3c4 (" + "a" * 390 + "\n") * 3000), ("pytest", "1 passed, " * 100_000),
        ("npx vitest", " Tests " * 100_000), ("npx mocha", "\n" * _MANY),
        ("npx playwright test", "1 failed\n" + "  [a\n" * 100_000),
        ("gh pr create", "https://" + "a/" * 100_000), ("gh pr view 1", '{"state":' * 100_000),
        ("tools.exec_command({" * 20_000, "x"), ("tools.a({b:" + "\"\\" * 40_000, "x"),
        ("(\"*** Begin Patch\\" * 5_000, "x"),
        ("tools.a(" + "{" * 90_000, "Script x\nOutput:\n" + "{" * 100_000),
        ("git commit -m " + "@'\n" * 1300, "x"), ("cd a && " * 2000 + "git status", "M a\n" * 1000),
        ("echo a; " * 1000 + "git status", "a\n" * 20_000), ("git text && git _did && git __init__", "x"),
        ("git -C", ""), ("git", ""), ("cd", ""), ("git commit -m", ""), ("gh pr", ""), ("git switch -c", "x"),
    ],
)  # fmt: skip
def test_no_output_holds_the_scribe_up(command: str, text: str) -> None:
    keeper = TrailKeeper()
    keeper.about(directory="/p", branch="main")
    given, tool = (
        (command, "exec") if "tools." in command or "***" in command else (json.dumps({"command": command}), "Bash")
    )
    call = Turn(role="assistant", kind="call", text=given, tool=tool, call="c")
    result = Turn(role="tool", kind="result", text=text, tool=tool, call="c", failed=False)
    begun = time.process_time()
    for number, turn in enumerate((call, result), 1):
        keeper.take(JournalTurn(id=number, source="claude-code", session="s", turn=turn))
    keeper.trail()
    assert time.process_time() - begun < 0.5
