"""What a look found, against the time before: a flag for what went wrong, none any more for what is well."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from steno.store.looks import Earlier
from steno.vocabulary.looks import Finding

if TYPE_CHECKING:
    from steno.fleet.fleet import Fleet


def keep(fleet: "Fleet", job: str, found: Iterable[Finding], run: int) -> int:
    """Raise a flag for what has gone wrong, settle that of what is well again; how many flags that is.

    A flag is raised once: who settles it is not told again until it was well in between. What follows from something
    else of the same look has that one's flag as its cause, all others the run that found it.
    """
    looks, now = fleet.home.store.looks, fleet.home.clock()
    earlier = looks.findings(job)
    kept: dict[str, Earlier] = {}
    changed = 0
    for one in _causes_first(found):
        was = earlier.get(one.what)
        since = was.since if was and was.ok == one.ok else now
        flag = was.flag if was else None
        if one.ok is True and flag is not None:
            fleet.settle_if_standing(flag)
            flag, changed = None, changed + 1
        elif one.ok is False and flag is None:
            cause = kept[one.because].flag if one.because in kept else None
            flag = fleet.raise_flag(f"{one.what}: {one.detail}", by=job, because=cause or f"run-{run}").id
            changed += 1
        kept[one.what] = Earlier(one.ok, since, flag, one.mend)
    gone = earlier.keys() - kept.keys()
    for what in gone:
        if (flag := earlier[what].flag) is not None:
            fleet.settle_if_standing(flag)
            changed += 1
    looks.put_findings(job, kept, gone)
    return changed


def told(found: Iterable[Finding]) -> tuple[str, ...]:
    """What is not well and what is not known, one line each; what is well, as a number."""
    found = list(found)
    lines = [
        f"{'not known' if one.ok is None else 'not well'}: {one.what}: {one.detail}" for one in found if not one.ok
    ]
    return (f"well: {sum(one.ok is True for one in found)} of {len(found)}", *lines)


def _causes_first(found: Iterable[Finding]) -> list[Finding]:
    """In the order they were found, but what something follows from before it; also where it goes round in a circle."""
    by_name = {one.what: one for one in found}
    order: dict[str, Finding] = {}

    def put(one: Finding, waiting: frozenset[str]) -> None:
        if one.what in order or one.what in waiting:
            return
        if one.because in by_name:
            put(by_name[one.because], waiting | {one.what})
        order[one.what] = one

    for one in by_name.values():
        put(one, frozenset())
    return list(order.values())
