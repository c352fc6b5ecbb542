"""Ten agents write and one reads, and all of them are killed again and again: nothing is lost, nothing is doubled."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

from steno.testing import house

from ..conftest import PATIENCE, Begin

WRITERS, EACH, ROUNDS = 10, 8, 3
# For each line it is given: sends the next of its words, and then says which it was.
WRITER = """
import sys
from pathlib import Path
from steno.memory import Memory
home, name, first = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
with Memory(home, environment={"STENO_EMBEDDING": "off", "STENO_BUSY_SECONDS": "100", "HOME": str(home)}) as memory:
    for number, _ in enumerate(sys.stdin, first):
        memory.fleet.relay.send(f"{name} {number}", sender=name, to="reader", key=str(number))
        print(number, flush=True)
"""
# For each line it is given: reads what there is, prints it, then marks it.
READER = """
import sys
from pathlib import Path
from steno.memory import Memory
home = Path(sys.argv[1])
with Memory(home, environment={"STENO_EMBEDDING": "off", "STENO_BUSY_SECONDS": "100", "HOME": str(home)}) as memory:
    for _ in sys.stdin:
        for message in memory.fleet.relay.unread("reader"):
            print(message.text, flush=True)
            memory.fleet.relay.mark([message.id], "reader")
        print("", flush=True)
"""


class Crew:
    """Everybody, for as long as they live."""

    def __init__(self, home: Path, begin: Begin, sent: dict[str, int]) -> None:
        def started(code: str, *given: str) -> "subprocess.Popen[str]":
            command = [sys.executable, "-c", code, str(home), *given]
            return begin(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

        self.sent = sent
        self.writers = {name: started(WRITER, name, str(number)) for name, number in sent.items()}
        self.reader = started(READER)
        self.read: list[str] = []

    def round(self) -> None:
        """All at once; everybody says that it is done."""
        self._go()
        for name, writer in self.writers.items():
            if self.sent[name] < EACH:
                assert writer.stdout.readline() == f"{self.sent[name]}\n"
                self.sent[name] += 1
        self.read += iter(lambda: self.reader.stdout.readline().rstrip("\n"), "")

    def die(self, dice: random.Random) -> None:
        """All at once; and each is killed at some moment of it. Who is not heard is taken not to have sent."""
        self._go()
        for process in (*self.writers.values(), self.reader):
            end = time.monotonic() + dice.random() * 0.004
            while time.monotonic() < end:
                pass
            os.kill(process.pid, signal.SIGKILL)
            assert process.wait(PATIENCE) == -signal.SIGKILL
        self.read += self.reader.stdout.read().splitlines()

    def _go(self) -> None:
        for name, writer in self.writers.items():
            if self.sent[name] < EACH:
                writer.stdin.write("\n")
        self.reader.stdin.write("\n")


def test_nothing_is_lost_or_doubled_between_ten_writers_that_are_killed(tmp_path: Path, begin: Begin) -> None:
    dice = random.Random(7)
    sent = dict.fromkeys((f"writer-{number}" for number in range(WRITERS)), 0)
    read: list[str] = []
    with house(tmp_path) as memory:
        while min(sent.values()) < EACH:
            crew = Crew(tmp_path / "steno", begin, sent)
            for _ in range(ROUNDS):
                crew.round()
            crew.die(dice)
            read += crew.read
        assert [check for check in memory.doctor() if not check.ok] == []
        read += [message.text for message in memory.fleet.relay.unread("reader")]
        # Each stands in a thread of its own; the one written to last comes first.
        kept = [thread.text for thread in reversed(memory.fleet.relay.threads())]
    expected = [f"{name} {number}" for name in sent for number in range(EACH)]
    assert sorted(kept) == sorted(expected)
    assert [[text for text in kept if text.startswith(f"{name} ")] for name in sent] == [
        [f"{name} {number}" for number in range(EACH)] for name in sent
    ]
    # Who was killed between printing and marking reads one message again; none is read by nobody.
    assert sorted(set(filter(None, read))) == sorted(expected)
