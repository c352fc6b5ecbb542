"""Three agents from boot to waking: a mailbox, the real Claude Code, the real Codex. For a test and for docs/fleet.md.

    python -m tests.clients.fleet docs/fleet.md

The programs, their hooks, the daemon and the watchdog are the real ones. The model is the stand-in: its words are
written below.
"""

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from steno.fleet import watchdog

from .machine import ClaudeCode, Codex, Machine
from .model import Model, Run, Say
from .record import Recording

HEAD = """# Three agents: mail, task, flag; a killed daemon; a compacted agent woken

A recording of Claude Code {claude} (the agent `coder`) and Codex {codex} (`tester`) with Steno's hooks in them, the
daemon and its watchdog; the third, `mailbox`, is a script. The programs are the real ones, the model is a stand-in on
loopback with scripted words. What stands behind `▌` is what Steno told an agent, as it arrived there. Pulse waits ten
minutes, and thirty after a person's last word; here it was told not to wait.
Made anew by `.venv/bin/python -m tests.clients.fleet docs/fleet.md`.
"""
MAIL = "A customer writes: the cart page takes four seconds."
TASK = "Make the cart page fast: a customer waited four seconds"
FLAG = "cart.py has no test: nobody would notice if it were slow again"
FIRST = "Read your mail and see to the cart page."
CHECK = "Read your mail and check what was changed."
NEXT = "It asks the database once for every item. Next: I let it ask once."
WATCHES = "cart.py has no test, I raised a flag. Next: I write one."
MADE = "Done: cart.py asks once now."
NOTHING = "HEARTBEAT_OK"
# Codex asks the user's shell for its PATH, where ours may not be.
STENO = f"{sys.executable} -m steno"
_ID = """$(python3 -c "import json; print(json.load(open('{}'))['id'])")"""


class Scenario:
    """The three, step by step."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.coder, self.tester = ClaudeCode(machine), Codex(machine)
        machine.environment |= {
            **self.coder._model, "STAND_IN_KEY": "fake", "STENO_PULSE_QUIET_MINUTES": "0.05",
            "STENO_PULSE_HUMAN_MINUTES": "0", "STENO_PULSE_MINUTES": "0.02",
        }  # fmt: skip
        (machine.project / "cart.py").write_text("total = sum(price(item) for item in cart)\n", "utf-8")
        self._script(machine.model)

    def _script(self, model: Model) -> None:
        model.summary = "The user wanted the shop to be faster."
        mail, task = _ID.format("mail.json"), _ID.format("task.json")
        model.when(
            FIRST, Run("steno relay read coder --json > mail.json"),
            Run(f"steno entries remember --category task --agent coder '{TASK}' --because {mail} --json > task.json"),
            Run(f"steno relay send --from coder --to tester 'I look at cart.py.' --because {task}"),
            Run("cat cart.py"), Say(NEXT),
        )  # fmt: skip
        model.when(
            CHECK, Run(f"{STENO} relay read tester --json > work.json"),
            Run(f"{STENO} flags raise '{FLAG}' --by tester --because {_ID.format('work.json')}"), Say(WATCHES),
        )  # fmt: skip
        model.when(f"- open: “{FIRST}", Run("sed -i 's/sum(.*)/price_of_all(cart)/' cart.py"), Say(MADE))
        model.when(f"- open: “{CHECK}", Say(NOTHING))

    def register(self) -> list[tuple[str, str]]:
        """Who works here, and how the coder is woken: with leave to use its shell."""
        place = ["--project", str(self.machine.project)]
        resume = "claude --resume {session} --allowedTools=Bash --print {prompt}"
        return [
            self._ran("agents", "set", "coder", "--host", "claude-code", *place, "--resume", resume),
            self._ran("agents", "set", "tester", "--host", "codex", *place),
            self._ran("agents", "north-star", "coder", "Keep the shop fast."),
        ]

    def work(self) -> tuple[str, str, list[tuple[str, str]]]:
        """A mail becomes a task becomes a flag: the sessions of both, and what was seen of it."""
        sent = self._ran("relay", "send", "--from", "mailbox", "--to", "coder", MAIL)
        coder = self.coder.talk(FIRST, "/compact")
        tester = self.tester.start(CHECK)
        [flag] = self.machine.rows("flags")
        return coder, tester, [sent, self._ran("relay", "trace", flag["id"])]

    def learnt(self, *goals: str) -> None:
        """Wait until the daemon knows what everybody is at."""
        works = ("sessions", "work", "--everywhere")
        self.machine.until(lambda: {one["goal"].splitlines()[0] for one in self.machine.rows(*works)}, set(goals))

    def kill_the_daemon(self) -> tuple[int, int, str]:
        """The watchdog finds it dead and starts another: both processes, and what its log says."""
        home = self.machine.home / ".steno"
        before = beating(home)
        program = [sys.executable, "-I", "-S", watchdog.__file__, str(home), "--every", "5"]
        again = ["--restart", f"{sys.executable} -m steno up"]
        dog = subprocess.Popen([*program, *again], env=self.machine.environment, cwd=self.machine.project)
        try:
            self.machine.until(lambda: (home / watchdog.OWN_BEAT).exists(), wanted=True)
            os.kill(before, signal.SIGKILL)
            self.machine.until(lambda: beating(home) not in (0, before), wanted=True)
            self.machine.until(lambda: "works again" in (home / watchdog.LOG).read_text("utf-8"), wanted=True)
        finally:
            dog.kill()
            dog.wait()
        return before, beating(home), (home / watchdog.LOG).read_text("utf-8")

    def wake(self, agent: str, ended: Callable[[], bool]) -> list[tuple[str, str]]:
        """Pulse is on for an agent; the daemon does the rest."""
        on = self._ran("agents", "pulse", "on", agent, "--most", "1")
        self.machine.until(ended, wanted=True)
        return [on, self._ran("agents", "pulse")]

    def woken(self, agent: str) -> list[bool | None]:
        """How the wake-ups of an agent went."""
        [look] = [one for one in self.machine.rows("agents", "pulse") if one["agent"] == agent]
        return [look["last"]["passed"]] if look["last"] else []

    def transcript(self, session: str) -> Path:
        """The only file of a session."""
        [path] = [*self.machine.home.glob(f".c*/**/*{session}.jsonl")]
        return path

    def _ran(self, *args: str) -> tuple[str, str]:
        shown = " ".join(f'"{word}"' if " " in word else word for word in args)
        return f"steno {shown}", self.machine.steno(*args)


def beating(home: Path) -> int:
    """The process of the heartbeat; 0: none."""
    found = watchdog.heartbeat(str(home))
    return int(found["pid"]) if found else 0


def record(machine: Machine) -> str:
    """All of it, as a person would see it."""
    scenario, tape = Scenario(machine), Recording(machine)
    for host in ("claude-code", "codex"):
        machine.steno("install", host, "--yes")
    with machine.daemon():
        tape.title("Who works here")
        for shown, output in scenario.register():
            tape.command(shown, output)
        coder, _, seen = scenario.work()
        tape.title("A mail becomes a task becomes a flag")
        tape.command(*seen[0])
        for prompt in (FIRST, CHECK):
            tape.talk(prompt)
        tape.command(*seen[1])
        scenario.learnt(FIRST, CHECK)
        tape.title("The daemon is killed")
        before, _, log = scenario.kill_the_daemon()
        tape.command(f"kill -9 {before}", "")
        tape.command("cat ~/.steno/watchdog.log", log)
        tape.title("The coder's context was compacted in the middle of its work: pulse wakes it in its own session")
        lines = len(scenario.transcript(coder).read_text("utf-8").splitlines())
        on, look = scenario.wake("coder", lambda: scenario.woken("coder") == [True])
        tape.command(*on)
        [prompt] = {one.prompt for one in machine.model.work if "- open:" in one.prompt}
        tape.talk(prompt)
        tape.command(*look)
        after = len(scenario.transcript(coder).read_text("utf-8").splitlines())
        tape.command(f"wc -l ~/.claude/projects/*/{coder}.jsonl", f"{after} (before it was woken: {lines})")
    versions = {"claude": scenario.coder.plain("--version").split()[0], "codex": scenario.tester.version}
    # Nobody typed it: it stands there as what Steno told.
    text = tape.close().replace("python3 -m steno", "steno").replace(f"> {prompt}\n\n", "")
    return f"{HEAD.format(**versions)}\n{text}"


def main() -> None:
    """Writes the recording to the file named."""
    with tempfile.TemporaryDirectory() as folder, Model() as model:
        Path(sys.argv[1]).write_text(record(Machine(Path(folder), model)), "utf-8")


if __name__ == "__main__":
    main()
