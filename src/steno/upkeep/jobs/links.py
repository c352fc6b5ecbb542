"""Links: what is used together holds together, what is not used comes apart, what is about the same is found."""

from collections import Counter
from collections.abc import Iterable
from heapq import nlargest

from steno.clock import seconds_between
from steno.home import Home
from steno.language.words import stems
from steno.store.accesses import Latest
from steno.upkeep.job import Job, Moment, Report
from steno.vocabulary import Entry

_DAY = 86_400
# Entries looked at in one run and at once; how many each is about the same as at most, and among how many.
_MOST, _PORTION, _LIKEST, _LATEST = 2_000, 100, 12, 2_000
# Two entries are about the same if so much of their words is common.
_SAME = 0.4


def _run(home: Home, moment: Moment) -> Report:
    """Let links fade, then look at entries that are new or say something else."""
    faded, gone = _fade(home, moment)
    looked = found = 0
    latest: _Latest | None = None
    while looked < _MOST and not moment.stop() and (ids := home.store.accesses.due("links", _PORTION)):
        latest = latest or _Latest(home.store.accesses.latest(_LATEST))
        alike = _alike(home, ids, latest)
        looked += len(ids)
        found += sum(map(len, alike.values()))
        if moment.dry:
            break
        home.store.accesses.put_subjects(alike, moment.now)
    told = {
        f"links that nobody used faded: {faded:,}": faded,
        f"links that are gone: {gone:,}": gone,
        f"pairs about the same found among {looked:,} entries: {found:,}": found,
    }
    return Report(changed=faded + found, lines=tuple(line for line, number in told.items() if number))


def _fade(home: Home, moment: Moment) -> tuple[int, int]:
    """How many links lost weight, and how many all of it. The first time nothing does: nobody knows since when."""
    accesses, half = home.store.accesses, home.settings["link_half_days"]
    last = accesses.faded_at()
    days = max(0.0, seconds_between(last, moment.now) / _DAY) if last and half else 0.0
    fading = accesses.fading(last) if last and days else 0
    if moment.dry:
        return fading, 0
    return fading, accesses.fade(last or "", 0.5 ** (days / half) if half else 1.0, moment.now)


class _Latest:
    """The latest entries that hold, by their words."""

    def __init__(self, entries: Iterable[Latest]) -> None:
        self._words: dict[str, frozenset[str]] = {}
        self._holding: dict[tuple[str | None, str], list[str]] = {}
        for id_, project, summary in entries:
            self._words[id_] = frozenset(stems(summary))
            for word in self._words[id_]:
                self._holding.setdefault((project, word), []).append(id_)

    def like(self, entry: Entry) -> dict[str, float]:
        """Those of the same project about the same as an entry, the likest, and how much of their words is common."""
        own = stems(entry.summary)
        common = Counter(id_ for word in own for id_ in self._holding.get((entry.project, word), ()))
        shares = {id_: both / (len(own) + len(self._words[id_]) - both) for id_, both in common.items()}
        same = (id_ for id_, share in shares.items() if share >= _SAME and id_ != entry.id)
        return {id_: shares[id_] for id_ in nlargest(_LIKEST, same, key=lambda id_: (shares[id_], id_))}


def _alike(home: Home, ids: list[str], latest: _Latest) -> dict[str, dict[str, float]]:
    """For each entry those about the same; none for what holds no more, and not what was made of it."""
    found: dict[str, dict[str, float]] = {id_: {} for id_ in ids}
    for entry in home.store.entries.some(ids):
        if entry.status in ("active", "done"):
            found[entry.id] = latest.like(entry)
    for one, other in home.store.curated.pairs(ids):
        found.get(one, {}).pop(other, None)
        found.get(other, {}).pop(one, None)
    return found


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
