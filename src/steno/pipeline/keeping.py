"""Keeping an admitted candidate as an entry, with what follows for older ones. Inside somebody's transaction."""

from msgspec import structs

from steno.language.domains import domain
from steno.scribe.admit import Admitted
from steno.store import Store
from steno.store.entries import Unread
from steno.vocabulary import Candidate, Learnt
from steno.vocabulary.entries import waits


class Keeping:
    """Writes entries, and counts what it did."""

    def __init__(self, store: Store, done: Learnt) -> None:
        self._entries = store.entries
        self._reviews = store.reviews
        self.done = done

    def keep(
        self, candidate: Candidate, admitted: Admitted, session: Unread, at: str | None, work: str | None
    ) -> str | None:
        """The new entry's id; None: it is there already."""
        said = " ".join((candidate.summary, *(quote.quote for quote in candidate.evidence)))
        field = domain(said, candidate.detail.about, session.project)
        candidate = structs.replace(candidate, certainty=admitted.certainty, domain=field)
        entry = self._entries.put(candidate, admitted.origin, at, session=session, work=work)
        if entry is not None:
            self.done.entries += 1
            self.done.reviews += waits(candidate.category, candidate.certainty, candidate.confidence)
            self.settle(entry, admitted)
        return entry

    def settle(self, entry: str, held: Admitted) -> None:
        """What an entry takes the place of, and what a person must decide."""
        lost = [(older, entry) for older in held.supersedes] + [(entry, later) for later in held.superseded_by]
        for older, newer in lost:
            self._entries.supersede(older, newer)
            self.done.superseded += 1
        for older, reason in held.contradicts.items():
            self.done.reviews += self._reviews.put(older, entry, reason)
        for later, reason in held.contradicted_by.items():
            self.done.reviews += self._reviews.put(entry, later, reason)
