"""Finding things again: from a question to hits. One door: `Recall`."""

from steno.recall.recall import Recall, Within

__all__ = ["Recall", "Within"]
