"""Trace: which entries were recalled, given and really used, what that cost, and what nobody uses."""

from collections.abc import Iterator
from datetime import timedelta
from itertools import combinations

from steno.clock import before
from steno.home import Home
from steno.pipeline.uses import unused
from steno.store.accesses import ToTrace, Used
from steno.upkeep.job import Job, Moment, Report
from steno.upkeep.turned_up import After

# What was told so lately may still be used.
_TOO_SOON = timedelta(hours=1)
# Receipts and recalls at once; turns that follow one; of those used together, so many pairs are told.
_PORTION, _FOLLOWING, _TOGETHER = 200, 60, 5
_SHOWN = 5


def _run(home: Home, moment: Moment) -> Report:
    accesses, until = home.store.accesses, before(moment.now, _TOO_SOON)
    traced, found = 0, list[Used]()
    while not moment.stop() and (told := accesses.to_trace(until, _PORTION)):
        used = [use for one in told for use in _used(home, one)]
        traced, found = traced + len(told), [*found, *used]
        if moment.dry:
            break
        accesses.put_traced(told, used, _pairs(used))
    idle, days = unused(home), home.settings["unused_days"]
    lines = [f"told {traced:,} times since it was looked at last; used: {len(found):,}"] if traced else []
    lines += [f"used: {line}" for line in _named(home, [use.entry for use in found])]
    lines += [f"told most and never used: {line}" for line in _named(home, accesses.costly(_SHOWN))]
    flag = f"entries that nobody used for {days:,} days: {len(idle):,} (`steno entries --unused --everywhere`)"
    flags = [flag] if idle else []
    return Report(changed=len(found), lines=tuple(lines), flags=tuple(flags))


def _used(home: Home, told: ToTrace) -> Iterator[Used]:
    """What of it turned up in what the session did next."""
    turns = home.store.accesses.following(told, _FOLLOWING)
    if not turns:
        return
    after = After(turns)
    for entry in home.store.entries.some(told.entries):
        if use := after.use_of(entry):
            yield Used(entry.id, use.at or told.at, use.badly, told.session)


def _pairs(used: list[Used]) -> list[tuple[str, str, str]]:
    """Entries that were used together in a session."""
    by_session: dict[str, dict[str, str]] = {}
    for use in used:
        by_session.setdefault(use.session, {})[use.entry] = use.at
    return [
        (one, other, max(at[one], at[other]))
        for at in by_session.values()
        for one, other in combinations(sorted(list(at)[:_TOGETHER]), 2)
    ]


def _named(home: Home, ids: list[str]) -> list[str]:
    shown = list(dict.fromkeys(ids))[:_SHOWN]
    accesses = home.store.accesses.of(shown)
    return [
        f"{entry.id} (given {accesses[entry.id].given} times, {accesses[entry.id].tokens:,} tokens) {entry.summary}"
        for entry in home.store.entries.some(shown)
        if entry.id in accesses
    ]


JOB = Job(
    name="trace",
    explain=(
        "Looks at what agents did after they were told something: an entry was used where its id, a file or name in it,"
        " or most of its words turn up in what the agent said or did next, and no person said them. Counts that per"
        " entry, with what telling it cost and whether it went wrong; two that are used together hold together more."
        " What nobody recalled or used for `unused_days` is flagged, not deleted; rules and refusals are not: they work"
        " by what is not done. What was told within the last hour waits."
    ),
    run=_run,
)
