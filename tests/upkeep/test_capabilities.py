"""What can be done is looked for and checked by upkeep, never by an agent."""

import json
import os
import sys
from pathlib import Path

import pytest

from steno.memory import Memory
from steno.testing import SteppingClock, house, made_up
from steno.upkeep.jobs.audit import JOB as AUDIT
from steno.upkeep.jobs.capabilities import JOB

from .conftest import run

NOW = "2026-02-02T10:00:00.000Z"


def ran(memory: Memory) -> tuple[int, tuple[str, ...]]:
    report = run(memory, JOB, NOW)
    return report.changed, report.lines


def test_what_can_be_done_is_found_checked_and_told_at_boot(tmp_path: Path) -> None:
    shop, sign = tmp_path / "shop", tmp_path / "sign"
    shop.mkdir()
    (shop / "Makefile").write_text("ship: ## put the shop online\n\ttrue\n")
    with house(tmp_path, clock=SteppingClock(NOW)) as memory:
        memory.home.environment = {**memory.home.environment, "PATH": os.environ["PATH"]}
        memory.fleet.agents.tell("clerk", projects=[str(shop)])
        memory.fleet.capabilities.tell("mail", "bin/mail", health=f"test -e {sign}")
        assert run(memory, JOB, NOW, dry=True).changed == 0
        assert memory.fleet.capabilities.one("mail").checked_at is None
        assert ran(memory) == (2, ("found: shop: make ship", "⚠ mail: ended with 1"))
        assert "- ⚠ bin/mail (the last check failed)" in memory.boot(project=str(shop), agent="clerk").text
        sign.touch()
        assert ran(memory) == (1, ("✓ mail",))
        (shop / "Makefile").unlink()
        assert ran(memory) == (1, ("not there any more: shop: make ship",))
        assert ran(memory) == (0, ())


def test_it_runs_by_itself_between_nights(tmp_path: Path) -> None:
    with house(tmp_path) as memory:
        [made] = memory.upkeep.run("capabilities")
        assert (made.job, made.state) == ("capabilities", "ok")
        assert memory.upkeep.job("capabilities").every == "hour"


def test_audit_tells_whose_messages_wait(tmp_path: Path) -> None:
    with house(tmp_path) as memory:
        memory.fleet.relay.send("the invoice is wrong", sender="mail", to="the clerk; rm -rf /")
        [line] = [line for line in run(memory, AUDIT, NOW).lines if line.startswith("messages")]
        assert line == (
            "messages the clerk; rm -rf / has not read: 1 (`steno relay threads --agent 'the clerk; rm -rf /'`)"
        )


SECRET_TOOL = """#!{python}
import sys
if sys.argv[1:] == ["search", "service", "tracker"]:
    print("[/org/freedesktop/secrets/collection/login/1]\\nlabel = tracker\\nsecret = {value}", flush=True)
    print("attribute.service = tracker", file=sys.stderr)
"""
SECURITY = """#!{python}
import sys
print("password: {value}", flush=True)
sys.exit(sys.argv[1:] != ["find-generic-password", "-s", "tracker"])
"""


@pytest.mark.parametrize(("program", "text"), [("secret-tool", SECRET_TOOL), ("security", SECURITY)])
def test_a_keychain_is_asked_for_names_only_if_the_user_says_so_and_never_tells_a_value(
    tmp_path: Path, program: str, text: str
) -> None:
    value, _ = made_up("{base62:24}")
    (tmp_path / "programs").mkdir()
    (tmp_path / "programs" / program).write_text(text.format(python=sys.executable, value=value))
    (tmp_path / "programs" / program).chmod(0o755)
    servers = {"tracker": {"url": "https://x"}, "other": {"url": "https://y"}, "--unlock": {"url": "https://z"}}
    (tmp_path / ".claude.json").write_text(json.dumps({"mcpServers": servers}))
    for on in (False, True):
        with house(tmp_path, keychain=str(on).lower()) as memory:
            memory.home.environment = {"HOME": str(tmp_path), "PATH": str(tmp_path / "programs")}
            ran(memory)
            found = [one.name for one in memory.fleet.capabilities.all() if one.kind == "keychain"]
            assert found == (["keychain: tracker"] if on else [])
            assert not on or "- ✓ keychain tracker" in memory.boot(agent="bot").text
    assert value.encode() not in b"".join(path.read_bytes() for path in (tmp_path / "steno").rglob("*.db*"))
