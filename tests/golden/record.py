"""Writes `expected/` anew, to be reviewed as a diff: `python -m tests.golden.record`."""

import sys

from ..person import as_person, is_person
from .machine import EXPECTED, everything

if __name__ == "__main__":
    if not is_person():
        sys.exit(as_person(sys.orig_argv))
    for old in EXPECTED.glob("*.txt"):
        old.unlink()
    for name, text in everything().items():
        (EXPECTED / f"{name}.txt").write_text(text, "utf-8")
