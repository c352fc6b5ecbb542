"""Curate: a few lasting facts of each day, told as they stand; and the day's recap. Adds, never deletes."""

from collections.abc import Iterator
from datetime import date, timedelta

from steno.home import Home
from steno.pipeline.curating import chosen
from steno.pipeline.identity import Identity
from steno.pipeline.organise import Organiser
from steno.pipeline.rulebook import Rulebook
from steno.upkeep.job import Job, Moment, Report
from steno.vocabulary import Scope

# Days that are caught up, entries of a day, and facts known already that are looked at: the newest.
_DAYS, _ENTRIES, _KNOWN = 31, 2_000, 1_000


def _run(home: Home, moment: Moment) -> Report:
    """Each day since the last time, in order."""
    rules, lines = Rulebook(home), list[str]()
    identity = Identity(home, rules)
    for day in _days(moment):
        if moment.stop():
            break
        lines += [f"{day}: {line}" for line in _curate(home, day, dry=moment.dry)]
        if not moment.dry:
            identity.close_day(day)
    if lines and not moment.dry:
        Organiser(home, rules).follow()
    return Report(changed=len(lines), lines=tuple(lines))


def _days(moment: Moment) -> Iterator[str]:
    last = date.fromisoformat(moment.day)
    first = min(last, max(date.fromisoformat((moment.since or moment.day)[:10]), last - timedelta(days=_DAYS)))
    for number in range((last - first).days + 1):
        yield (first + timedelta(days=number)).isoformat()


def _curate(home: Home, day: str, *, dry: bool) -> list[str]:
    """What is new of a day that is worth knowing for good; not more than a day may bring in all."""
    store = home.store
    ids = store.searched.entries_made_in(f"{day}T00", f"{day}T99", Scope(), _ENTRIES)
    before = store.curated.among(ids)
    entries = store.entries.some(id_ for id_ in ids if id_ not in before)
    most = max(0, home.settings["curate_most"] - store.curated.count(day))
    found = chosen(entries, store.accesses.of(ids), store.curated.known(_KNOWN), most)
    for choice in found if not dry else ():
        store.curated.put(choice.entry, choice.line, day)
    return [choice.line for choice in found]


JOB = Job(
    name="curate",
    explain=(
        "Of what each day brought, at most `curate_most` things worth knowing for good that are not known yet: by how"
        " much they matter, their tags, how often they are used, and whether they say something new. Each is told as it"
        " stands, with its reason, without times and mechanics, as a fact on the topic that owns it; it rests on the"
        " same words and ends when they do. Writes the day's page with its recap where it is missing. Adds, never"
        " deletes."
    ),
    run=_run,
    after=("audit",),
    pause_minutes="curate_pause_minutes",
)
