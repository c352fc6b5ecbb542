"""Writes docs/fitness.md from the table of dimensions: `make docs`. A test says it is current."""

import sys
from pathlib import Path

from steno.fleet.fitness import DIMENSIONS

HEAD = """# Fitness

Made from the program by `make docs`; do not edit.

Every 30 minutes a job measures each agent that was heard of in the last month, in every dimension below. Each is a
number that comes from the store, over the last 7 days where it is about a stretch of time; the source is the named
query in `src/steno/store/queries/` (or the part of the program) that gives it. What there is no data for is *not
known*: it is shown so, and is no part of the score.

What is better with *more* or with *less* counts. A share is worth what it is (or what is left of 1); a number is
worth half at the value under *half*: `half / (half + value)` where less is better, `value / (half + value)` where
more is. The halves are our choice, not measured. The score is 100 times the mean of what is known and counts, each
as much as another. The rest says how much there was; more words are not better, so it does not count.

Looked at are the sessions of the last 30 days.

Kept are all measures of two days and one a day of 90 days: `steno agents fitness` draws them, `steno
agents fitness AGENT` shows every dimension, `steno agents morning` proposes what to do about those that are worth less
than half.

"""


def page() -> str:
    """The whole page."""
    counts = sum(bool(one.better) for one in DIMENSIONS.values())
    rows = [
        f"| `{one.name}` | {one.about}{', of the whole home' if one.shared else ''} | {one.better or '–'} |"
        f" {_half(one.better, one.half)} | `{one.source}` | {f'`{one.mend}`' if one.mend else '–'} |"
        for one in DIMENSIONS.values()
    ]
    told = f"{len(rows)} dimensions; {counts} of them count.\n\n"
    table = "| dimension | what it is | better | half | source | to look or mend |\n|---|---|---|---|---|---|\n"
    return HEAD + told + table + "\n".join(rows) + "\n"


def _half(better: str, half: float | None) -> str:
    return "–" if not better else "share" if half is None else f"{half:g}"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(page(), "utf-8")
