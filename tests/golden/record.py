"""Writes `expected/` anew, to be reviewed as a diff: `python -m tests.golden.record`."""

from .machine import EXPECTED, everything

if __name__ == "__main__":
    for old in EXPECTED.glob("*.txt"):
        old.unlink()
    for name, text in everything().items():
        (EXPECTED / f"{name}.txt").write_text(text, "utf-8")
