"""What waits for a person's word, on a terminal, one key each."""

import os
import signal
import sys
import termios
import tty
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from steno.cli.answering import ask
from steno.cli.looks.reviews import DONE, NOTHING, in_a_line, review, way
from steno.cli.show import say
from steno.cli.words import many
from steno.verbs import VERBS
from steno.vocabulary import HeldPage
from steno.vocabulary.acts import Act
from steno.vocabulary.errors import StenoError

_HELP: Final = {
    "keep": "keep: it lasts, from now on",
    "drop": "drop: it holds no more; archive it",
    "reword": "reword: it lasts, in words I type",
    "work": "work: it ends with its piece of work; do not offer it again",
    "end": "end: it holds no more; archive it",
    "one": "the first holds; the other counts as superseded",
    "other": "the second holds; the first counts as superseded",
    "both": "both hold",
    "take": "take: I mean the page as it is",
    "back": "back: what stood there stands there again; what is there now is kept beside it",
    "yes": "yes: do it, as my act",
    "no": "no: it is not done",
    "s": "skip: it goes on waiting",
    "u": "undo the last answer",
    "q": "quit; every answer so far is kept",
}


def go_through(given: Mapping[str, Any]) -> None:
    """Ask for a key for each that waits. Every answer is kept at once; Ctrl-C ends it like `q`."""
    # What a script starts in its background inherits that this is ignored, and could not be left by it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sitting = _Sitting(_ask("review list", **given))
    if not sitting.waiting:
        say(NOTHING)
        return
    try:
        with keys() as typed:
            while sitting.place < len(sitting.waiting) and sitting.ask(typed):
                pass
    finally:
        say(f"{many(sitting.answered, 'answer')}, {len(sitting.waiting) - sitting.answered:,} left.")


def _ask(name: str, **given: Any) -> Any:
    """What a verb answers."""
    answers: list[Any] = []
    ask(VERBS[name], given, as_json=False, look=lambda answer, _: answers.append(answer))
    return answers[0]


class _Sitting:
    """One person's way through what waits."""

    def __init__(self, waiting: list[Any]) -> None:
        # Those before `place` were answered or skipped.
        self.waiting, self.place, self.answered = waiting, 0, 0
        # Whether the last answer was about a page or a request.
        self.of_page = False

    def ask(self, typed: "Keys") -> bool:
        """Show one and do what the keys say, until something is settled. False: that is enough."""
        try:
            found = _ask("review show", id=self.waiting[self.place].id)
        except StenoError as error:  # another answer settled it, too
            say((error.message, "yellow"))
            del self.waiting[self.place]
            return True
        keys = way(found).keys
        say()
        review(found, f"{self.place + 1} of {len(self.waiting)}  ")
        say((f"{way(found).prompt}  [s]kip  [u]ndo  [q]uit  [?]", "bold"))
        while key := typed.next().lower():
            match key:
                case "q":
                    return False
                case "s":
                    self.place += 1
                    return True
                case "u" if self._undo():
                    return True
                case "?":
                    for name in (*keys, "s", "u", "q"):
                        say((f"  {name}  ", "bold"), _HELP[keys.get(name, name)])
                case _ if key in keys and self._answer(found, keys[key], typed):
                    return True
        return False

    def _answer(self, found: Any, answer: str, typed: "Keys") -> bool:
        words = None
        if answer == "yes" and found.verb == "forget":
            say(("This cannot be undone. Press y again to erase it.", "red"))
            if typed.next().lower() != "y":
                return False
        if answer == "reword":
            say(("In your words (empty: leave it as it is):", "bold"))
            if not (words := typed.line()):
                return False
        settled = _ask("review answer", id=found.id, answer=answer, text=words)
        say((DONE[answer], "green"), (f"  {in_a_line(settled)}", "dim"))
        self.place += 1
        self.answered += 1
        self.of_page = isinstance(found, Act | HeldPage)
        return True

    def _undo(self) -> bool:
        """Take the last answer back; what it was about is asked again first."""
        if self.of_page:
            say(("An answer to a page or an agent is not undone here: change what it did.", "yellow"))
            return False
        try:
            again = _ask("review undo")
        except StenoError as error:
            say((error.message, "yellow"))
            return False
        say(("undone", "yellow"), (f"  {in_a_line(again)}", "dim"))
        before = [one.id for one in self.waiting[: self.place]]
        if again.id in before:
            del self.waiting[before.index(again.id)]
            self.place -= 1
            self.answered -= 1
        self.waiting.insert(self.place, again)
        return True


class Keys:
    """What is typed at standard input. Nobody has to press Enter, and Ctrl-C stays Ctrl-C."""

    def __init__(self, as_found: list[Any]) -> None:
        self._as_found = as_found

    def next(self) -> str:
        """The next key; empty when there will be none."""
        tty.setcbreak(sys.stdin, termios.TCSADRAIN)
        if (key := os.read(sys.stdin.fileno(), 1)) == b"\x1b":  # an arrow, or the like: the rest of it is no key
            termios.tcflush(sys.stdin, termios.TCIFLUSH)
        return "" if key == b"\x04" else key.decode("ascii", "replace")

    def line(self) -> str:
        """A line, which can be seen and corrected while it is typed."""
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, self._as_found)
        line = b""
        # Byte by byte, for what is typed behind it are keys.
        while (byte := os.read(sys.stdin.fileno(), 1)) not in (b"", b"\n"):
            line += byte
        return line.decode("utf-8", "replace").strip()


@contextmanager
def keys() -> Iterator[Keys]:
    """The keys of this terminal; whatever happens, it is as before afterwards."""
    as_found = termios.tcgetattr(sys.stdin)
    try:
        yield Keys(as_found)
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, as_found)
