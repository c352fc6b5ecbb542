"""Links: what is used together holds together, what is not used comes apart, what is about the same is found."""

from steno.clock import seconds_between
from steno.language.words import content_words, stems
from steno.pipeline.rooms import Rooms
from steno.upkeep.job import Job, Moment, Report
from steno.vocabulary import Entry

_DAY = 86_400
# Entries looked at in one run, at once, how many that share words each is compared with, and among how many.
_MOST, _PORTION, _COMPARED, _LATEST = 2_000, 100, 12, 2_000
# Two entries are about the same if so much of their words is common.
_SAME = 0.4


def _run(rooms: Rooms, moment: Moment) -> Report:
    """Let links fade, then look at entries that are new or say something else."""
    faded, gone = _fade(rooms, moment)
    looked = found = 0
    while looked < _MOST and not moment.stop() and (ids := rooms._store.accesses.due("links", _PORTION)):
        alike = _alike(rooms, ids)
        looked += len(ids)
        found += sum(map(len, alike.values()))
        if moment.dry:
            break
        rooms._store.accesses.put_subjects(alike, moment.now)
    told = {
        f"links that nobody used faded: {faded:,}": faded,
        f"links that are gone: {gone:,}": gone,
        f"pairs about the same found among {looked:,} entries: {found:,}": found,
    }
    return Report(changed=faded + found, lines=tuple(line for line, number in told.items() if number))


def _fade(rooms: Rooms, moment: Moment) -> tuple[int, int]:
    """How many links lost weight, and how many all of it. The first time nothing does: nobody knows since when."""
    accesses, half = rooms._store.accesses, rooms.settings["link_half_days"]
    last = accesses.faded_at()
    days = max(0.0, seconds_between(last, moment.now) / _DAY) if last and half else 0.0
    fading = accesses.fading(last) if last and days else 0
    if moment.dry:
        return fading, 0
    return fading, accesses.fade(last or "", 0.5 ** (days / half) if half else 1.0, moment.now)


def _alike(rooms: Rooms, ids: list[str]) -> dict[str, dict[str, float]]:
    """For each entry those about the same, and how much of their words is common; none for what holds no more."""
    found: dict[str, dict[str, float]] = {id_: {} for id_ in ids}
    for entry in rooms._store.entries.some(ids):
        if entry.status in ("active", "done"):
            found[entry.id] = _about_the_same(rooms, entry)
    return found


def _about_the_same(rooms: Rooms, entry: Entry) -> dict[str, float]:
    words, own = content_words(entry.summary), stems(entry.summary)
    shares = {
        id_: len(own & theirs) / len(own | theirs)
        for id_, summary in rooms._store.accesses.sharing(entry, words, _COMPARED, _LATEST)
        if (theirs := stems(summary))
    }
    return {id_: share for id_, share in shares.items() if share >= _SAME}


JOB = Job(
    name="links",
    explain=(
        "Links between entries: two that are recalled or used together hold together more; a link nobody uses loses"
        " half of its weight in `link_half_days` and goes when nothing is left. Of the latest entries those of one"
        " project that share most of their words are about the same subject. Reads what changed since it looked last;"
        " writes links only."
    ),
    run=_run,
    every="hour",
)
