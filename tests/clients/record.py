"""Records a session of the real Claude Code before and after `/compact`, as plain text, for docs/session.md.

    python -m tests.clients.record docs/session.md

The program, its hooks and the daemon are the real ones. The model is the stand-in: its words are written below, and
what it was given is shown as it arrived.
"""

import re
import sys
import tempfile
from pathlib import Path

from .machine import ClaudeCode, Codex, Machine
from .model import Model, Run, Say

HEAD = """# A session before and after `/compact`

A recording of Claude Code {version} with Steno's hooks in it and the daemon up. The program, the hooks and the daemon
are the real ones; the model is a stand-in on loopback: its words are scripted, and its summary is poor on purpose.
What stands behind `▌` was not typed and not said by the model: it is what Steno told the agent, as it arrived there.
Made anew by `.venv/bin/python -m tests.clients.record docs/session.md`.
"""
RULE = "always run the tests before you say that something is done"
FIRST = "The cart page takes four seconds. Find out why and make it fast."
FOUND = """It asks the database once for every item. Two ways out: keep the carts in Redis, or ask once with a join.
Shall I add Redis?"""
NO = "No, not Redis: that is one more service to run. Ask once with a join instead."
MADE = "Done: cart.py asks once now, and test_cart.py passes. Next: the order page has the same loop."
EARLIER = "What does the order page do?"
ANSWER = "It lists what was ordered, with the price of every item."
AGAIN = "Now the order page."
IN_OTHER_WORDS = "echo 'orders = kept_in_redis(load_orders)' > order.py"
AS_CHOSEN = "echo 'orders = asked_once_with_a_join(load_orders)' > order.py"
NOT_AGAIN = "Redis was refused; I wrote order.py with a join, as in cart.py."
SUMMARY = "The user wanted the shop to be faster. A file was changed and a test was run."
LAST = "Go on."
GOES_ON = "I take the order page next, with a join as in cart.py."
TIDY = "Tidy up whatever is in your way."
ALSO = "Now you: tidy up."
HELD = "The rule stays: whether it ends is for you to say."
DROP = "Drop the rule about the tests."
DROPPED = "The rule is gone."
FRAME = re.compile(r"<steno .*?</steno>", re.DOTALL)


class Recording:
    """What a person would see, and what the agent was told beside it."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._told: set[str] = set()
        self._lines: list[str] = []

    @property
    def text(self) -> str:
        """All of it, without the names of this machine's folders."""
        text = "\n".join(self._lines)
        names = {str(self._machine.home): "~", str(self._machine.project.parent): "~", sys.executable: "python3"}
        for name, shown in names.items():
            text = text.replace(name, shown)
        return text

    def title(self, words: str) -> None:
        """A new part."""
        if self._lines:
            self._lines[-1] = "```\n"
        self._lines += [f"## {words}", "", "```"]

    def command(self, shown: str, output: str) -> None:
        """A command and what it printed."""
        self._lines += [f"$ {shown}", *output.rstrip().splitlines(), ""]

    def compaction(self) -> None:
        """What the host keeps of the session so far."""
        self._lines += ["> /compact", "Compacted. Claude Code keeps this of the session:", f"  {SUMMARY}", ""]

    def talk(self, prompt: str, show_results: bool = False, asked: str = "") -> None:
        """A prompt, what Steno told the agent about it, what was run, asked and answered, and the agent's words."""
        self._lines.append(f"> {prompt}")
        for request in (one for one in self._machine.model.work if one.prompt == prompt):
            for frame in FRAME.findall(request.text):
                if frame not in self._told:
                    self._told.add(frame)
                    self._lines += ["", *(f"▌ {line}" for line in frame.splitlines()), ""]
            if show_results:
                self._lines += [f"  ⎿  {line}" for result in request.results[-1:] for line in result.splitlines()]
            step = self._machine.model.reply(request)
            if isinstance(step, Run):
                self._lines.append(f"● Bash({step.command})")
                self._lines += [f"  {line.strip()}" for line in asked.splitlines() if line.strip(" ╌")]
            if isinstance(step, Say):
                self._lines += [f"● {step.text}".replace("\n", "\n  "), ""]

    def close(self) -> str:
        """The recording, whole."""
        return f"{self.text.rstrip()}\n```\n"


def shop(machine: Machine) -> None:
    """The project the session is about, and a rule from earlier days."""
    (machine.project / "cart.py").write_text("total = sum(price(item) for item in cart)\n", "utf-8")
    (machine.project / "test_cart.py").write_text("print('4 passed')\n", "utf-8")
    machine.steno("rules", "add", RULE)


def script(model: Model) -> None:
    """The stand-in's words."""
    model.summary = SUMMARY
    model.when(EARLIER, Say(ANSWER))
    model.when("takes four seconds", Run("cat cart.py"), Say(FOUND))
    model.when(
        "not redis", Run("sed -i 's/sum(.*)/price_of_all(cart)/' cart.py"), Run("python3 test_cart.py"), Say(MADE)
    )
    model.when(AGAIN, Run(IN_OTHER_WORDS), Run(AS_CHOSEN), Say(NOT_AGAIN))
    model.when(LAST, Say(GOES_ON))


def record(machine: Machine) -> str:
    """A session from its start to what comes after its compaction, and one begun before that tries what was refused."""
    claude, tape = ClaudeCode(machine), Recording(machine)
    shop(machine)
    script(machine.model)
    *_, installed = machine.steno("install", "claude-code", "--yes").partition("Claude Code has our hooks")
    with machine.daemon() as started:
        other = claude.talk(EARLIER)
        session = claude.talk(FIRST, NO, "/compact", LAST)
        machine.until(lambda: machine.turns(session)[-1:], [("assistant", "said", GOES_ON)])
        tape.title("Once")
        tape.command("steno install claude-code --yes", f"Claude Code has our hooks{installed}")
        tape.command("steno up", started)
        tape.title("Before")
        tape.talk(FIRST)
        tape.talk(NO)
        tape.title("After")
        tape.compaction()
        tape.talk(LAST)
        tape.title("What was lost, and what came back")
        tape.command("steno sessions loss", machine.steno("sessions", "loss", "--session", session))
        claude.talk(AGAIN, session=other)
        tape.title("A session begun before: what was refused, in other words; then what was chosen")
        tape.talk(EARLIER)
        tape.talk(AGAIN)
        tape.command("steno brief receipts", machine.steno("brief", "receipts"))
        authority(tape, claude, machine)
    version = claude.plain("--version").split()[0]
    return f"{HEAD.format(version=version)}\n{tape.close()}"


def authority(tape: Recording, claude: ClaudeCode, machine: Machine) -> None:
    """An agent tries to end a rule: nobody can be asked, then a person is."""
    [rule] = [rule for rule in machine.rows("rules") if RULE in str(rule)]
    retire = f"steno rules retire {rule['id']}"
    tried = [
        retire, f"steno entries revise {rule['id']} --status archived", "steno pause", "steno pause off",
        "steno capture exclude ~/Code/shop", "steno capture include ~/Code/shop", "steno forget --text Redis --yes",
    ]  # fmt: skip
    machine.model.when(TIDY, *map(Run, tried), Run("steno uninstall claude-code --yes"), Say(HELD))
    machine.model.when(ALSO, *map(Run, tried), Run("steno uninstall codex --yes"), Say(HELD))
    machine.model.when(DROP, Run(retire), Say(DROPPED))
    claude.start(TIDY)
    tape.title("An agent tries whatever frees its hands, where nobody can be asked")
    tape.talk(TIDY, show_results=True)
    codex = Codex(machine)
    machine.steno("install", codex.name, "--yes")
    codex.start(ALSO)
    tape.title("The same in Codex, and what the person sees")
    tape.talk(ALSO, show_results=True)
    tape.command("steno review list", machine.steno("review", "list"))
    tape.command("steno rules", machine.steno("rules"))
    tape.title("The same in front of a person, who says yes")
    with claude.in_front() as screen:
        screen.type(DROP)
        screen.press("enter")
        _, _, asked = screen.until("Tab to amend").rpartition("Bash command")
        screen.answer("1", until=DROPPED)
    tape.talk(DROP, asked=asked)
    tape.command("steno rules", machine.steno("rules"))


def main() -> None:
    """Writes the recording to the file named."""
    with tempfile.TemporaryDirectory() as folder, Model() as model:
        Path(sys.argv[1]).write_text(record(Machine(Path(folder), model)), "utf-8")


if __name__ == "__main__":
    main()
