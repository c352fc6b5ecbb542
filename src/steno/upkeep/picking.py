"""What a night may lay aside, and why. Backup and prune ask the same, so that nothing goes that was not copied."""

from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from typing import Final, NamedTuple

from steno.clock import before
from steno.home import Home
from steno.store.pruning import Prunable
from steno.upkeep.job import Moment

EXPIRED: Final = "it has expired"
TWIN: Final = "another entry says the same"
UNNEEDED: Final = "it has no tag, and nobody needed it"
TRIMMED: Final = "the observations are too many"
UNSPOKEN: Final = "it is open, and nobody spoke of it any more"
# What is only true for a while.
_EXPIRES: Final = "context"
_OBSERVED: Final = ("discovery", "context")


class Picked(NamedTuple):
    """What goes, each with its reason; and how many more there are than one night may lay aside."""

    found: list[tuple[str, str]]
    left: int


def pick(home: Home, moment: Moment) -> Picked:
    """The oldest first, at most the share of one night."""
    settings, pruning = home.settings, home.store.pruning
    fresh = before(moment.now, timedelta(hours=settings["fresh_hours"]))
    old = before(moment.now, timedelta(days=settings["prune_days"]))
    trim = Counter(
        {
            project: lines - settings["observations_kept"]
            for project, lines in pruning.observed().items()
            if lines > settings["observations_most"]
        }
    )
    open_ = pruning.unspoken(before(moment.now, timedelta(days=settings["open_days"])))
    found = [(id_, UNSPOKEN) for id_ in open_]
    found += _reasons(pruning.prunable(fresh, min(fresh, old)), old, trim)
    most = int(settings["prune_share"] * pruning.holding())
    return Picked(found[:most], max(0, len(found) - most))


def _reasons(prunable: list[Prunable], old: str, trim: Counter[str]) -> Iterator[tuple[str, str]]:
    """Why each may go; what has a tag, and what a person said, only where it expires or stands there twice."""
    for one in prunable:
        reason = _reason(one, old)
        if not reason and trim[one.project] > 0 and one.category in _OBSERVED and not (one.tagged or one.by_person):
            reason = TRIMMED
        if reason:
            trim[one.project] -= one.category in _OBSERVED
            yield one.id, reason


def _reason(one: Prunable, old: str) -> str:
    if one.twin > 1:
        return TWIN
    if one.at >= old:
        return ""
    if one.category == _EXPIRES:
        return EXPIRED
    return "" if one.tagged or one.by_person else UNNEEDED
