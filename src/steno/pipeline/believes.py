"""What is believed on a topic: entries that fit it, each line of succession once, the last word first."""

from collections.abc import Iterable
from functools import cached_property

from steno.recall.question import ask
from steno.recall.rank import holds
from steno.store import Store
from steno.vocabulary import Entry, Hit, Scope
from steno.vocabulary.accesses import NEVER
from steno.vocabulary.beliefs import Against, Belief, Ending, Held

_HOLDS = ("active", "done")
# A line of succession is followed so far: two entries that name each other must not keep us for ever.
_FURTHEST = 1_000
# Less likely than this, what was found is more likely about something else, unless it holds so much of the topic.
_EVEN, _HALF = 0.5, 0.5


def about(topic: str, hits: Iterable[Hit], now: str) -> list[str]:
    """Which of the entries that are nearest to a topic are on it: what is only near must not be said to hold on it."""
    asked = ask(topic, now)
    likely = [hit for hit in hits if hit.likely is None or hit.likely >= _EVEN or holds(asked, hit.text) >= _HALF]
    return [str(hit.id) for hit in likely]


def beliefs(store: Store, ids: Iterable[str], scope: Scope) -> list[Belief]:
    """The beliefs these entries are part of, in their order: what holds, guesses, what was laid aside."""
    found = _Lines(store, list(ids), scope).beliefs()
    return sorted(found, key=lambda one: (not one.holds, one.last.entry.origin == "file", not one.guess))


class _Lines:
    """Entries with all that took the place of each other, and what is known of each."""

    def __init__(self, store: Store, ids: list[str], scope: Scope) -> None:
        self._store = store
        self._ids = ids
        self._scope = scope
        self._entries = {entry.id: entry for entry in store.beliefs.lines(ids, scope)}
        self._changes = store.beliefs.changes(self._entries)
        self._verified = store.beliefs.verified(self._entries)
        self._given = store.beliefs.given(self._entries)
        self._accesses = store.accesses.of(self._entries)

    def beliefs(self) -> list[Belief]:
        lines: dict[str, list[Entry]] = {self._last(id_): [] for id_ in self._ids if id_ in self._entries}
        for id_, entry in self._entries.items():
            last = self._last(id_)
            if id_ != last and last in lines:
                lines[last].append(entry)
        return [self._belief(self._entries[last], before) for last, before in lines.items()]

    def _belief(self, last: Entry, before: list[Entry]) -> Belief:
        before = sorted(before, key=lambda entry: (entry.created_at or "", entry.id), reverse=True)
        stands = last.status in _HOLDS
        return Belief(
            last=self._held(last),
            holds=stands and last.certainty == "confirmed",
            guess=stands and last.certainty == "hypothesis",
            before=[self._held(entry) for entry in before],
            against=self._against(last, {entry.id for entry in before}),
        )

    def _held(self, entry: Entry) -> Held:
        until, ended = self._end(entry)
        successor = self._entries.get(entry.superseded_by or "")
        times, given = self._given.get(entry.id, (0, []))
        return Held(
            entry=entry,
            since=entry.created_at,
            until=until,
            ended=ended,
            because=successor.detail.why if successor else "",
            verified=self._verified.get(entry.id, []),
            changes=self._changes.get(entry.id, []),
            given=given,
            times_given=times,
            access=self._accesses.get(entry.id, NEVER),
        )

    def _end(self, entry: Entry) -> tuple[str | None, Ending | None]:
        """When it ceased to hold, and how: a person said so, or something newer was said."""
        if entry.status in _HOLDS:
            return None, None
        replaced = entry.status == "superseded"
        ending = ("review",) if replaced else ("archive", "revise", "review")
        if said := [change.at for change in self._changes.get(entry.id, []) if change.act in ending]:
            return said[-1], "settled" if replaced else "laid aside"
        successor = self._entries.get(entry.superseded_by or "")
        return (successor.created_at, "replaced") if successor else (None, None)

    def _against(self, last: Entry, before: set[str]) -> list[Against]:
        """What it cannot hold beside; what it took the place of is told as that."""
        found = []
        for one, other, reason, answer in self._pairs:
            against = other if one == last.id else one
            if last.id in (one, other) and against in self._others and against not in before:
                entry = self._others[against]
                told = Against(
                    id=entry.id, category=entry.category, summary=entry.summary, reason=reason, answer=answer
                )
                found.append(told)
        return found

    @cached_property
    def _pairs(self) -> list[tuple[str, str, str, str | None]]:
        return self._store.beliefs.contradictions(self._entries)

    @cached_property
    def _others(self) -> dict[str, Entry]:
        """Whatever is part of a pair, as far as it is in scope."""
        ids = {id_ for one, other, *_ in self._pairs for id_ in (one, other)}
        return {entry.id: entry for entry in self._store.beliefs.lines(ids, self._scope) if entry.id in ids}

    def _last(self, id_: str) -> str:
        """The end of a line of succession."""
        for _ in range(_FURTHEST):
            successor = self._entries[id_].superseded_by
            if successor is None or successor not in self._entries:
                break
            id_ = successor
        return id_
