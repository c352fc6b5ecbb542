"""Keeping an admitted candidate as an entry, with what follows for older ones. Inside somebody's transaction."""

from msgspec import structs

from steno.notebook.pages import topic_of_fact
from steno.scribe.admit import Admitted
from steno.store import Store
from steno.store.entries import Unread
from steno.vocabulary import Candidate, Learnt


class Keeping:
    """Writes entries, and counts what it did."""

    def __init__(self, store: Store, done: Learnt) -> None:
        self._entries = store.entries
        self._reviews = store.reviews
        self._agents = store.agents
        self.done = done
        # Ids of new reviews of two that cannot both hold.
        self._new: set[str] = set()

    def keep(
        self, candidate: Candidate, admitted: Admitted, session: Unread, at: str | None, work: str | None
    ) -> str | None:
        """The new entry's id; None: it is there already."""
        fields = self._agents.called(session.agent, session.project)[1].domains if session.agent else ()
        if len(fields) == 1:
            candidate = structs.replace(candidate, domain=fields[0])
        entry = self._entries.put(candidate, admitted.origin, at, session=session, work=work)
        if entry is not None:
            self._entries.move(entry, topic_of_fact(candidate.category, candidate.evidence[0].quote))
            self.done.entries += 1
            self.settle(entry, admitted)
        return entry

    def settle(self, entry: str, held: Admitted) -> None:
        """What an entry takes the place of, and what a person must decide."""
        lost = [(older, entry) for older in held.supersedes] + [(entry, later) for later in held.superseded_by]
        for older, newer in lost:
            self._entries.supersede(older, newer)
            self.done.superseded += 1
        for older, reason in held.contradicts.items():
            self.ask(older, entry, reason)
        for later, reason in held.contradicted_by.items():
            self.ask(entry, later, reason)

    def ask(self, older: str, newer: str, reason: str) -> None:
        """Let a person decide which of two holds."""
        self._new.update(self._reviews.put(older, newer, reason))

    def count_reviews(self) -> None:
        """What is new to review; not what was laid aside since. What is offered waits for nobody."""
        if self._new:
            self.done.reviews = sum(review.id in self._new for review in self._reviews.open())
