"""Finding things again: from a question to hits. One door: `Recall`."""

from steno.recall.recall import How, Recall, Within

__all__ = ["How", "Recall", "Within"]
