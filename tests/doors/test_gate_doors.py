"""The same call gets the same answer whichever door it comes to: the command line, a host's hook, and MCP."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from mcp import Client

from steno.cli.tree import program as command_line
from steno.doors.hooks import answer

from .conftest import Desk
from .test_mcp import over_stdio

RULES = (
    "never touch the payments table", "no new dependencies without asking me", "don't push to main",
    "never run black, it reformats the vendored files", "no mocks in integration tests",
)  # fmt: skip


def bash(command: str) -> tuple[str, dict[str, Any]]:
    return "Bash", {"command": command}


def edit(path: str, new: str) -> tuple[str, dict[str, Any]]:
    return "Edit", {"file_path": path, "old_string": "", "new_string": new}


CALLS = (
    bash("psql shop -c 'ALTER TABLE payments ADD COLUMN token text'"),
    bash("psql shop -c 'SELECT * FROM payments'"),
    bash("git commit -m 'never touch the payments table'"),
    bash("pip install leftpad"),
    bash("npm ci"),
    bash("git push origin HEAD:main"),
    bash("black src"),
    bash("ls -la"),
    edit("tests/integration/test_cart.py", "from unittest.mock import patch"),
    edit("requirements.txt", "leftpad==1.3"),
    edit("README.md", "We open at nine."),
)


@pytest.fixture
def shop(tmp_path: Path, opened: Any, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "shop"
    (folder / ".git").mkdir(parents=True)
    for name, value in (("HOME", tmp_path), ("STENO_HOME", tmp_path / "steno"), ("STENO_EMBEDDING", "off")):
        monkeypatch.setenv(name, str(value))
    with opened() as memory:
        for words in RULES:
            memory.rules.add(words, project=str(folder))
    return folder


def test_the_same_call_gets_the_same_answer_at_every_door(tmp_path: Path, opened: Any, shop: Path) -> None:
    by_hook, by_hand = [], []
    with opened() as memory:
        for number, (tool, given) in enumerate(CALLS):
            payload = {"session_id": f"s{number}", "cwd": str(shop), "tool_name": tool, "tool_input": given}
            told = answer(Desk(memory), "claude-code", "PreToolUse", json.dumps(payload).encode())
            inside = json.loads(told.text)["hookSpecificOutput"] if told.text else {}
            voice = "warn" if "additionalContext" in inside else inside.get("permissionDecision", "allow")
            words = inside.get("additionalContext") or inside.get("permissionDecisionReason") or ""
            by_hook.append((voice, sorted(rule for rule in RULES if rule in words)))
    for tool, given in CALLS:
        line = ["gate", "before", "claude-code", "--tool", tool, "--input", json.dumps(given), "--json"]
        found = CliRunner().invoke(command_line, [*line, "--directory", str(shop)])
        by_hand.append(told_of(json.loads(found.stdout)))

    async def conversation() -> list[Any]:
        async with over_stdio(None, tmp_path)() as client:  # type: ignore[arg-type]
            return [await one(client, tool, given) for tool, given in CALLS]

    async def one(client: Client, tool: str, given: dict[str, Any]) -> Any:
        asked = {"agent": "claude-code", "tool": tool, "input": given, "directory": str(shop)}
        found = (await client.call_tool("gate", asked)).meta
        assert found is not None
        return told_of(found["steno/answer"])

    assert by_hand == by_hook
    assert asyncio.run(conversation()) == by_hook
    assert [voice for voice, _ in by_hook] == [
        "ask", "allow", "allow", "warn", "allow", "ask", "ask", "allow", "warn", "warn", "allow",
    ]  # fmt: skip


def told_of(found: dict[str, Any]) -> tuple[str, list[str]]:
    return found["verdict"], sorted(reason["text"] for reason in found["reasons"])


def test_a_command_line_told_in_words_is_a_call(opened: Any, shop: Path) -> None:
    line = ["gate", "before", "claude-code", "git commit -m 'never touch the payments table'", "--json"]
    found = CliRunner().invoke(command_line, [*line, "--directory", str(shop)])
    assert told_of(json.loads(found.stdout)) == ("allow", [])
