"""What is believed on a topic: entries that fit it, each line of succession once, the last word first."""

from collections.abc import Iterable, Iterator, Mapping

from steno.recall.question import ask
from steno.recall.rank import holds
from steno.store import Store
from steno.vocabulary import PEOPLE, Entry, Hit, Scope
from steno.vocabulary.accesses import NEVER
from steno.vocabulary.beliefs import Against, Belief, Change, Ending, Held

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
    wanted = list(ids)
    known = {entry.id: entry for entry in store.beliefs.lines(wanted, scope)}
    held = {one.entry.id: one for one in _held(store, known)}
    against = _against(store, known, scope)
    lines: dict[str, list[str]] = {_last(id_, known): [] for id_ in wanted if id_ in known}
    for id_ in sorted(known, key=lambda one: (known[one].created_at or "", one), reverse=True):
        newest = _last(id_, known)
        if newest in lines and newest != id_:
            lines[newest].append(id_)
    found = []
    for id_, before in lines.items():
        last, stands = known[id_], known[id_].status in _HOLDS
        found.append(
            Belief(
                last=held[id_],
                # What an agent or a file says, it says; it does not hold.
                holds=stands and last.certainty == "confirmed" and last.origin in PEOPLE,
                guess=stands and last.certainty == "hypothesis",
                before=[held[one] for one in before],
                # What it took the place of is told as that.
                against=[one for one in against.get(id_, []) if one.id not in before],
            )
        )
    return sorted(found, key=lambda one: (not one.holds, one.last.entry.origin == "file", not one.guess))


def _held(store: Store, known: Mapping[str, Entry]) -> Iterator[Held]:
    """What is known of each entry: until when it held, what people did with it, and who was told."""
    changes, verified = store.beliefs.changes(known), store.beliefs.verified(known)
    given, accesses = store.beliefs.given(known), store.accesses.of(known)
    for id_, entry in known.items():
        successor = known.get(entry.superseded_by or "")
        until, ended = _end(entry, changes.get(id_, []), successor)
        times, latest = given.get(id_, (0, []))
        yield Held(
            entry=entry,
            since=entry.created_at,
            until=until,
            ended=ended,
            because=successor.detail.why if successor else "",
            verified=verified.get(id_, []),
            changes=changes.get(id_, []),
            given=latest,
            times_given=times,
            access=accesses.get(id_, NEVER),
        )


def _end(entry: Entry, changes: list[Change], successor: Entry | None) -> tuple[str | None, Ending | None]:
    """When it ceased to hold, and how: a person said so, or something newer was said."""
    if entry.status in _HOLDS:
        return None, None
    replaced = entry.status == "superseded"
    ending = ("review",) if replaced else ("archive", "revise", "review")
    if said := [change.at for change in changes if change.act in ending]:
        return said[-1], "settled" if replaced else "laid aside"
    return (successor.created_at, "replaced") if successor else (None, None)


def _against(store: Store, known: Mapping[str, Entry], scope: Scope) -> dict[str, list[Against]]:
    """What each entry cannot hold beside, as far as it is in scope."""
    pairs = store.beliefs.contradictions(known)
    others = {entry.id: entry for entry in store.beliefs.lines({id_ for pair in pairs for id_ in pair[:2]}, scope)}
    found: dict[str, list[Against]] = {}
    for one, other, reason, answer in pairs:
        for here, there in ((one, others.get(other)), (other, others.get(one))):
            if there is not None:
                told = Against(
                    id=there.id, category=there.category, summary=there.summary, reason=reason, answer=answer
                )
                found.setdefault(here, []).append(told)
    return found


def _last(id_: str, known: Mapping[str, Entry]) -> str:
    """The end of a line of succession."""
    for _ in range(_FURTHEST):
        successor = known[id_].superseded_by
        if successor is None or successor not in known:
            break
        id_ = successor
    return id_
