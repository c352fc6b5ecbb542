"""The screen the interactive clients are read from."""

import sys
from pathlib import Path

from .terminal import in_front_of

ECHO = """
import sys
sys.stdout.write("three\\r\\nof some\\x1b[1mwords\\x1b[22m\\n\\x1b]0;a title\\x07\\x1b[Gthe last\\x1b[2C\\u2014one")
sys.stdout.write("\\x1b[2;4Hold \\x1b[K\\x1b[3;1H")
sys.stdout.flush()
print(f"{input()} was typed, {open('/dev/tty').isatty()}")
"""


def test_a_screen_shows_what_a_program_draws_and_takes_what_is_typed(tmp_path: Path) -> None:
    with in_front_of([sys.executable, "-c", ECHO], tmp_path, {}) as screen:
        # What is drawn last.
        assert screen.until("of old the last") == "three\nof old\nthe last  —one"
        screen.type("yes")
        screen.press("enter")
        assert screen.until("yes was typed, True").splitlines()[:2] == ["three", "of old"]


def test_words_are_found_however_they_are_wrapped_and_framed(tmp_path: Path) -> None:
    with in_front_of([sys.executable, "-c", "print('│ never touch\\n│ payments')\ninput()"], tmp_path, {}) as screen:
        screen.until("never touch payments")
        assert not screen.shows("always touch payments")
