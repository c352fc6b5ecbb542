"""The jobs of upkeep, in the fixed order of the night. Another one is a file here and its name in the list."""

from importlib import import_module
from importlib.util import find_spec
from typing import Final

from steno.upkeep.job import Job

ORDER: Final = (
    "audit", "curate", "promote", "links", "reflect", "consistency", "trace", "drift", "replay", "backup", "prune",
    "commit", "buffer",
)  # fmt: skip


def all_jobs() -> tuple[Job, ...]:
    """Every job, in order."""
    names = (f"{__name__}.{name}" for name in ORDER)
    return tuple(import_module(name).JOB for name in names if find_spec(name))
