"""What is believed on a topic: entries that fit it, each line of succession once, the last word first."""

from collections.abc import Iterable

from steno.store import Store
from steno.vocabulary import Entry
from steno.vocabulary.beliefs import Belief, Change, Held

_HOLDS = ("active", "done")
# A line of succession is followed so far: two entries that name each other must not keep us for ever.
_FURTHEST = 1_000


def beliefs(store: Store, ids: Iterable[str]) -> list[Belief]:
    """The beliefs these entries are part of, in their order: what holds, guesses, what was laid aside."""
    wanted = list(ids)
    entries = {entry.id: entry for entry in store.beliefs.lines(wanted)}
    changes = store.beliefs.changes(entries)
    lines: dict[str, list[Entry]] = {_last(entries, id_): [] for id_ in wanted if id_ in entries}
    for id_, entry in entries.items():
        last = _last(entries, id_)
        if id_ != last and last in lines:
            lines[last].append(entry)
    found = [_belief(entries, last, before, changes) for last, before in lines.items()]
    return sorted(found, key=lambda belief: (not belief.holds, not belief.guess))


def _belief(entries: dict[str, Entry], last: str, before: list[Entry], changes: dict[str, list[Change]]) -> Belief:
    before = sorted(before, key=lambda entry: (entry.created_at or "", entry.id), reverse=True)
    stands, certainty = entries[last].status in _HOLDS, entries[last].certainty
    return Belief(
        last=_held(entries, entries[last], changes),
        holds=stands and certainty == "confirmed",
        guess=stands and certainty == "hypothesis",
        before=[_held(entries, entry, changes) for entry in before],
    )


def _held(entries: dict[str, Entry], entry: Entry, changes: dict[str, list[Change]]) -> Held:
    told = changes.get(entry.id, [])
    return Held(entry=entry, since=entry.created_at, until=_until(entries, entry, told), changes=told)


def _until(entries: dict[str, Entry], entry: Entry, told: list[Change]) -> str | None:
    """When it ceased to hold: a person said so, or something newer was said."""
    if entry.status in _HOLDS:
        return None
    ending = ("review",) if entry.status == "superseded" else ("archive", "revise")
    if said := [change.at for change in told if change.act in ending]:
        return said[-1]
    successor = entries.get(entry.superseded_by or "")
    return successor.created_at if successor else None


def _last(entries: dict[str, Entry], id_: str) -> str:
    """The end of a line of succession."""
    for _ in range(_FURTHEST):
        successor = entries[id_].superseded_by
        if successor is None or successor not in entries:
            break
        id_ = successor
    return id_
