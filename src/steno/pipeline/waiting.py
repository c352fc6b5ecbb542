"""What waits for a person's word, what holds in a project, and which rules may end."""

from collections import Counter
from collections.abc import Set

from steno.authority import Authority
from steno.home import Home
from steno.language.words import stems
from steno.pipeline.rulebook import Rulebook
from steno.rules.stance import own_words
from steno.scribe.close import lifted
from steno.vocabulary import PEOPLE, Contradiction, Entry, HeldPage
from steno.vocabulary.acts import Act
from steno.vocabulary.reports import Here
from steno.vocabulary.reviews import MOST_OFFERS, Ending, Offer, Review

# After so many yeses a rule may be meant no more.
_YESES = 3
# So much of what people said last may take a rule back.
_SAID = 200
# Rules and refusals that are shown at a glance.
_NEWEST = 5


class Waiting:
    """What a person may decide."""

    def __init__(self, home: Home, rules: Rulebook, authority: Authority) -> None:
        self._store, self._rules, self._authority = home.store, rules, authority

    def all(self, project: str | None = None) -> list[Review]:
        """Of a project or of all: what agents asked for, pages and contradictions, which wait until they are answered;
        rules that may end; and every offer. Nothing is asked about twice."""
        lasting: list[Act | HeldPage | Contradiction] = [*self._authority.waiting(), *self._store.reviews.open()]
        asked = {entry.id for one in lasting if isinstance(one, Contradiction) for entry in one.entries}
        found: list[Review] = [one for one in lasting if _concerns(one, project)]
        may: list[Ending | Offer] = [*self.endings(project), *self._store.reviews.offers(project)]
        for other in may:
            if other.id not in asked:
                found.append(other)
                asked.add(other.id)
        return found

    def now(self, project: str | None = None) -> list[Review]:
        """What a person is asked at a time: nobody is offered more than five."""
        every = self.all(project)
        offers = [one for one in every if isinstance(one, Offer)]
        return every[: len(every) - max(0, len(offers) - MOST_OFFERS)]

    def endings(self, project: str | None = None) -> list[Ending]:
        """Rules and refusals that people allow again and again, or took back in their own words."""
        held = {rule.id for rule in self._rules.all(project=project) if rule.origin in PEOPLE}
        entries = {entry.id: entry for entry in self._store.entries.some(held)}
        same = {rule.id: rule.merged_into or rule.id for rule in self._store.rules.all()}
        yeses = [(same.get(id_), times, at) for id_, times, at in self._store.reviews.yeses() if times >= _YESES]
        allowed = {id_: (times, at) for id_, times, at in yeses if id_ in held}
        taken = self._taken_back(list(entries.values()))
        found = []
        for id_ in sorted(allowed.keys() | taken.keys()):
            times, at = allowed.get(id_, (0, ""))
            words, said_at = taken.get(id_, ("", ""))
            also = [other for other, into in same.items() if into == id_ != other]
            found.append(
                Ending(
                    id=id_, entry=entries[id_], also=also, yeses=times, allowed_at=at or None, taken_back=words,
                    taken_back_at=said_at or None,
                )
            )  # fmt: skip
        return sorted(found, key=lambda one: one.taken_back_at or one.allowed_at or "", reverse=True)

    def _taken_back(self, entries: list[Entry]) -> dict[str, tuple[str, str]]:
        """The sentence that takes each back, the last one, where a person said nothing of it since."""
        last = self._store.reviews.answered_at(entry.id for entry in entries)
        found: dict[str, tuple[str, str]] = {}
        for said, project in self._store.reviews.said_last(_SAID):
            for sentence, what in [(one.text, lifted(one.text)) for one in said.sentences]:
                for entry in entries if what else ():
                    since = max(entry.created_at or "", entry.repeated_at or "", last.get(entry.id, ""))
                    is_here = entry.project in (None, project) and (said.at or "") > since
                    if is_here and _is_about(what, entry):
                        found.setdefault(entry.id, (sentence, said.at or ""))
        return found

    def here(self, project: str | None = None) -> Here:
        """What is known of a project, or of all, at a glance."""
        rules = [rule for rule in self._rules.all(project=project) if rule.origin in PEOPLE]
        entries = self._store.entries.some(rule.id for rule in rules)
        newest = sorted(entries, key=lambda one: one.repeated_at or one.created_at or "")
        refusals = sum(rule.source == "rejected" for rule in rules)
        waits = self.now(project)
        return Here(
            project=project, rules=len(rules) - refusals, refusals=refusals, newest=newest[: -_NEWEST - 1 : -1],
            waits=Counter(str(one.__struct_config__.tag) for one in waits),
            may_end=[one for one in waits if isinstance(one, Ending)],
        )  # fmt: skip


def _is_about(what: Set[str], entry: Entry) -> bool:
    """Whether somebody names nothing but what an entry names, or what that answered."""
    exchange = entry.detail.exchange
    about = stems(" ".join([own_words(entry), exchange.answered, exchange.call.given if exchange.call else ""]))
    return len(what) >= min(2, len(about)) and what <= about


def _concerns(one: Act | HeldPage | Contradiction, project: str | None) -> bool:
    """Whether it is seen in a project: it belongs to that, or to none."""
    projects = [entry.project for entry in one.entries] if isinstance(one, Contradiction) else [one.project or None]
    return project is None or any(where in (None, project) for where in projects)
