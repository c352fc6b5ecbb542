"""Finding things again: from a question to hits. One door: `Recall`."""

from steno.choices import How, Within
from steno.recall.recall import Recall, check

__all__ = ["How", "Recall", "Within", "check"]
