"""Pulse at the front desk: an agent with open work that has gone quiet is woken in its own session, once."""

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from steno.fleet import clients
from steno.memory import Memory
from steno.testing import SteppingClock, house, said, write_jsonl
from steno.vocabulary.errors import UnknownAgent, WrongUse

from ..conftest import PATIENCE, Begin

SESSION = "0a1b-shop"
ASKED = "Make the cart page fast, it takes four seconds."
# Writes what it was woken with into a file beside it.
NOTES = "import sys; open('woken.txt', 'a', newline='').write(repr(sys.argv[1:]) + '\\n')"
NAME = "ada; $(touch x) `y`"


@pytest.fixture
def clock() -> SteppingClock:
    return SteppingClock("2026-01-01T09:00:00.000Z")


@pytest.fixture
def memory(tmp_path: Path, clock: SteppingClock, monkeypatch: pytest.MonkeyPatch) -> Iterator[Memory]:
    """An agent that was given work at nine and said at ten past that it goes on."""
    monkeypatch.setattr(clients, "processes", lambda: iter(()))
    (tmp_path / "shop").mkdir()
    with house(tmp_path, clock=clock) as memory:
        tell(memory, tmp_path, clock, "user", ASKED, "2026-01-01T09:00:00.000Z")
        tell(memory, tmp_path, clock, "tool", "cart.py: 80 lines", "2026-01-01T09:10:00.000Z")
        tell(memory, tmp_path, clock, "assistant", "I read cart.py next.", "2026-01-01T09:10:00.000Z")
        memory.fleet.agents.tell(
            NAME, host="jsonl", projects=[str(tmp_path / "shop")],
            resume=f"'{sys.executable}' -c \"{NOTES}\" --resume {{session}} {{prompt}}",
        )  # fmt: skip
        memory.fleet.pulse.allow(NAME, 3)
        yield memory


def tell(memory: Memory, folder: Path, clock: SteppingClock, role: str, text: str, at: str) -> None:
    """Something is said and captured at once."""
    clock.now = at
    line = said(text, session=SESSION, role=role, at=at, agent="coder", project=str(folder / "shop"))
    memory.capture(write_jsonl(folder / "t.jsonl", line), source="jsonl")
    memory.scribe()


def beat(memory: Memory) -> list[tuple[str, str]]:
    """Whom one beat wakes and why, when they are done."""
    pulse = memory.fleet.pulse
    found = [(look.agent, look.why) for look in pulse.beat()]
    while pulse.is_at_work:
        pulse.settle()
    return found


def why(memory: Memory) -> list[str]:
    return [look.why for look in memory.fleet.pulse.looks() if look.agent == NAME]


def woken(folder: Path) -> list[list[str]]:
    file = folder / "shop" / "woken.txt"
    return [eval(line) for line in file.read_text().splitlines()] if file.exists() else []


def test_a_quiet_agent_is_woken_in_its_own_session_with_words_that_no_shell_reads(
    memory: Memory, tmp_path: Path, clock: SteppingClock
) -> None:
    clock.now = "2026-01-01T09:31:00.000Z"
    assert beat(memory) == [(NAME, "its work stands still")]
    [[option, session, prompt]] = woken(tmp_path)
    assert (option, session) == ("--resume", SESSION)
    assert prompt.startswith('<steno pulse="1">\n')
    assert f"- open: “{ASKED}”" in prompt.splitlines()
    assert [*(tmp_path / "shop").glob("[xy]")] == []


def test_a_silence_wakes_once_and_what_the_agent_then_does_ends_it(
    memory: Memory, tmp_path: Path, clock: SteppingClock
) -> None:
    clock.now = "2026-01-01T09:31:00.000Z"
    assert len(beat(memory)) == 1
    tell(memory, tmp_path, clock, "assistant", "HEARTBEAT_OK", "2026-01-01T09:32:00.000Z")
    clock.now = "2026-01-01T10:00:00.000Z"
    assert (beat(memory), why(memory)) == ([], ["it was woken in this silence already"])
    tell(memory, tmp_path, clock, "tool", "cart.py was changed", "2026-01-01T10:01:00.000Z")
    clock.now = "2026-01-01T10:12:00.000Z"
    assert len(beat(memory)) == 1
    assert len(woken(tmp_path)) == 2


def test_nobody_is_woken_beside_a_person_who_spoke_in_the_project(
    memory: Memory, tmp_path: Path, clock: SteppingClock
) -> None:
    place = {"type": "user", "uuid": "u1", "parentUuid": None, "sessionId": "c", "cwd": str(tmp_path / "shop")}
    line = {**place, "timestamp": "2026-01-01T09:40:00.000Z", "message": {"role": "user", "content": "what about it"}}
    memory.capture(write_jsonl(tmp_path / "c.jsonl", line), source="claude-code")
    clock.now = "2026-01-01T10:09:00.000Z"
    assert (beat(memory), why(memory)) == ([], ["a person is there"])
    clock.now = "2026-01-01T10:11:00.000Z"
    assert len(beat(memory)) == 1


def test_nobody_is_woken_while_a_program_is_open_on_the_session(
    memory: Memory, clock: SteppingClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clients, "processes", lambda: iter([clients.Process(("x", "--resume", SESSION), "/")]))
    clock.now = "2026-01-01T09:31:00.000Z"
    assert (beat(memory), why(memory)) == ([], ["a program is open on it"])


def test_a_transcript_with_unread_lines_wakes_nobody(memory: Memory, tmp_path: Path, clock: SteppingClock) -> None:
    clock.now = "2026-01-01T09:31:00.000Z"
    write_jsonl(tmp_path / "t.jsonl", said("wait", session=SESSION))
    assert (beat(memory), why(memory)) == ([], ["its transcript holds what nobody has read yet"])


def test_pulse_is_off_until_a_person_switches_it_on_and_then_costs_one_question(
    memory: Memory, clock: SteppingClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock.now = "2026-01-01T09:31:00.000Z"
    memory.fleet.pulse.allow(NAME, 0)
    monkeypatch.setattr(memory.home.store.wakes, "sessions", None)
    monkeypatch.setattr(clients, "processes", None)
    assert (beat(memory), why(memory)) == ([], ["pulse is off"])
    with pytest.raises(UnknownAgent):
        memory.fleet.pulse.allow("nobody", 1)
    with pytest.raises(WrongUse):
        memory.fleet.pulse.allow(NAME, 101)


def test_a_dry_look_tells_the_command_and_wakes_nobody(memory: Memory, tmp_path: Path, clock: SteppingClock) -> None:
    clock.now = "2026-01-01T09:31:00.000Z"
    [look] = [look for look in memory.fleet.pulse.looks() if look.agent == NAME]
    assert (look.wakes, look.session, look.goal) == (True, SESSION, ASKED)
    assert look.command[-3:-1] == ("--resume", SESSION)
    assert woken(tmp_path) == []


@pytest.mark.parametrize(
    ("command", "told"),
    [("/nowhere/claude {session}", "cannot be run: "), (f"'{sys.executable}' -c 'exit(\"no such session\")'", "ended")],
)
def test_a_command_that_fails_is_a_flag_and_backs_off(
    memory: Memory, clock: SteppingClock, command: str, told: str
) -> None:
    memory.fleet.agents.tell(NAME, resume=command)
    clock.now = "2026-01-01T09:31:00.000Z"
    assert len(beat(memory)) == 1
    [flag] = [flag for flag in memory.status().flags if "pulse" in flag]
    assert flag.startswith(f"pulse could not wake {NAME} at 2026-01-01T09:31: {told}")
    clock.now = "2026-01-01T10:00:00.000Z"
    assert (beat(memory), why(memory)) == ([], ["the last try failed; the next one waits"])
    clock.now = "2026-01-01T10:02:00.000Z"
    assert len(beat(memory)) == 1


def test_a_session_whose_id_is_no_id_is_never_put_into_a_command(
    tmp_path: Path, clock: SteppingClock, memory: Memory
) -> None:
    line = said(ASKED, session="--dangerously", role="user", at="2026-01-01T09:11:00.000Z", agent="coder")
    memory.capture(write_jsonl(tmp_path / "u.jsonl", {**line, "project": str(tmp_path / "shop")}), source="jsonl")
    memory.scribe()
    clock.now = "2026-01-01T10:00:00.000Z"
    assert (beat(memory), why(memory)) == ([], ["what its host calls its session is no name to run a command with"])


def test_an_agent_may_be_woken_by_its_webhook(memory: Memory, clock: SteppingClock) -> None:
    asked: list[dict[str, Any]] = []

    class Hook(BaseHTTPRequestHandler):
        def log_message(self, *_: Any) -> None: ...

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            asked.append({"path": self.path, "key": self.headers["idempotency-key"], **body})
            self.send_response(200 if len(asked) > 1 else 503)
            self.end_headers()

    with HTTPServer(("127.0.0.1", 0), Hook) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_address[1]}/hooks/wake"
        memory.fleet.agents.tell(NAME, resume="", webhook=url)
        for now in ("2026-01-01T09:31:00.000Z", "2026-01-01T10:31:00.000Z"):
            clock.now = now
            assert len(beat(memory)) == 1
        server.shutdown()
    assert [(one["path"], one["key"], one["mode"]) for one in asked] == [
        ("/hooks/wake", "steno-pulse-1", "now"), ("/hooks/wake", "steno-pulse-2", "now"),
    ]  # fmt: skip
    assert [one.passed for one in memory.home.store.wakes.of(NAME)] == [True, False]


# Decides, writes it down, and dies before it wakes anybody.
KILLED = """
import os, signal, sys
from pathlib import Path
from steno.fleet import clients, pulse
from steno.memory import Memory
clients.processes = lambda: iter(())
pulse.Running = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
home = Path(sys.argv[1])
with Memory(home, environment={"STENO_EMBEDDING": "off", "HOME": str(home)}, clock=lambda: sys.argv[2]) as memory:
    memory.fleet.pulse.beat()
"""


def test_who_is_killed_between_deciding_and_waking_does_not_wake_twice(
    memory: Memory, tmp_path: Path, clock: SteppingClock, begin: Begin
) -> None:
    clock.now = "2026-01-01T09:31:00.000Z"
    process = begin([sys.executable, "-c", KILLED, str(tmp_path / "steno"), clock.now], stderr=subprocess.DEVNULL)
    assert process.wait(PATIENCE) == -9
    assert (beat(memory), why(memory)) == ([], ["it was woken in this silence already"])
    assert woken(tmp_path) == []


def test_two_who_decide_at_once_wake_once(memory: Memory, tmp_path: Path, clock: SteppingClock) -> None:
    clock.now = "2026-01-01T09:31:00.000Z"
    first, second = memory.fleet.pulse, memory.fleet.pulse
    [(look, ready)] = first._decided()
    assert ready is not None
    assert len(second.beat()) == 1
    assert first._wake(look, ready) is None
    while second.is_at_work:
        second.settle()
    assert len(woken(tmp_path)) == 1
