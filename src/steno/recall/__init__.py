"""Finding things again: from a question to hits. One door: `Recall`."""

from steno.recall.recall import How, Recall, Within, check

__all__ = ["How", "Recall", "Within", "check"]
