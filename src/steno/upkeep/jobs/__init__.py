"""The jobs of upkeep, in the fixed order of the night. Another one is a file here and its name in the list."""

from importlib import import_module
from typing import Final

from steno.upkeep.job import Job

ORDER: Final = (
    "audit", "curate", "promote", "links", "reflect", "consistency", "trace", "drift", "replay", "backup", "prune",
    "commit", "buffer", "capabilities", "watch", "bridges", "infrastructure", "fitness", "morning",
)  # fmt: skip


def all_jobs() -> tuple[Job, ...]:
    return tuple(import_module(f"{__name__}.{name}").JOB for name in ORDER)
