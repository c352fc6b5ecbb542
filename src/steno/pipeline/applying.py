"""What a reading comes to in the store: the same answer at the same place gives the same entries, also in a rebuild."""

import re
from collections.abc import Mapping
from typing import Final

import msgspec
from msgspec import structs

from steno.pipeline.keeping import Keeping
from steno.readings.answer import Proposal, parsed
from steno.readings.check import candidate, failed_fields, line_of
from steno.readings.support import Said
from steno.scribe.admit import Admitted, Refused, Repeated, judge, owned
from steno.store import Store
from steno.store.entries import Unread
from steno.vocabulary import Candidate, Entry, JournalTurn
from steno.vocabulary.details import Failed
from steno.vocabulary.entries import Compared
from steno.vocabulary.readings import Reading

_TURN: Final = re.compile(r"t(\d{1,12})")
_REPLACED: Final = "a model reads that the newer one takes its place"


class Applying:
    """Applies readings, each inside somebody's transaction."""

    def __init__(self, store: Store, keeping: Keeping) -> None:
        self._entries = store.entries
        self._exchanges = store.exchanges
        self._readings = store.readings
        self._keeping = keeping

    def apply(self, reading: Reading, session: Unread) -> None:
        """Do what the answer proposes, as far as code finds it said and a person has not spoken."""
        answer = parsed(reading.answer)
        if answer is None:
            return
        turns = {turn.id: turn for turn in self._readings.turns(session.id, reading.first, reading.last)}
        one = _One(reading, session, turns, Said(turns.values()))
        for proposal in answer.entries:
            self._do(proposal, one)

    def _do(self, proposal: Proposal, one: "_One") -> None:
        old = self._meant(proposal, one)
        match proposal.do:
            case "add":
                self._add(proposal, one)
            case "supersede":
                new = self._add(proposal, one)
                if new and old and new != old.id:
                    self._replace(old, new, one)
            case "correct" if old:
                self._correct(proposal, old, one)
            case "drop" if old and self._may_retire(old, one):
                self._entries.set_status(old.id, "archived")
            case "merge" if old and self._may_retire(old, one):
                into = self._entry(proposal.into)
                if into and into.id != old.id and into.status == "active" and into.session == old.session:
                    self._entries.supersede(old.id, into.id)

    def _add(self, proposal: Proposal, one: "_One") -> str | None:
        """The entry that now holds it: a new one, or the one that did."""
        found = candidate(proposal, one.turns, one.there)
        if found is None:
            self._refuse("a quote that was not said")
            return None
        found = owned(found, one.turns)
        if known := self._same_words(found):
            self._set_line(known, found.detail.line, one)
            return known
        return self._judged(found, one)

    def _judged(self, found: Candidate, one: "_One") -> str | None:
        of_session = self._entries.counts(one.session.id).get(found.category, 0)
        match judge(found, one.turns, lambda new: self._like(new, found, one), of_session=of_session):
            case Refused(reason=reason):
                self._refuse(reason)
            case Repeated(entry=entry):
                # A model that notes it again did not hear it said again.
                self._set_line(entry, found.detail.line, one)
                return entry
            case Admitted() as admitted:
                if self._entries.has(found, one.reading.work):
                    return None
                at = one.turns[found.evidence[0].turn].turn.at
                return self._keeping.keep(found, admitted, one.session, at, one.reading.work)
        return None

    def _same_words(self, found: Candidate) -> str | None:
        """The live entry of this category that rests on these words already."""
        first = found.evidence[0]
        for known in self._exchanges.entries_at([first.turn], None):
            same = known.quote in first.quote or first.quote in known.quote
            if known.category == found.category and known.status == "active" and same:
                return known.id
        return None

    def _like(self, new: Compared, found: Candidate, one: "_One") -> list[Compared]:
        """What it is compared with. One sentence does not contradict itself."""
        first = found.evidence[0].turn
        beside = {known.id for known in self._exchanges.entries_at([first], None)}
        like = self._entries.like(new, project=one.session.project, session_id=one.session.id)
        return [older for older in like if older.id not in beside]

    def _correct(self, proposal: Proposal, old: Entry, one: "_One") -> None:
        if self._is_touched(old, one):
            return
        if proposal.category in (None, old.category):
            self._set_line(old.id, line_of(proposal, one.there), one, failed_fields(proposal, one.there))
        elif self._may_retire(old, one):
            new = self._add(proposal, one)
            if new and new != old.id:
                self._entries.set_status(old.id, "archived")

    def _replace(self, old: Entry, new: str, one: "_One") -> None:
        if self._may_retire(old, one):
            self._entries.supersede(old.id, new)
        elif old.status == "active":
            self._keeping.ask(old.id, new, _REPLACED)

    def _set_line(self, id_: str, line: str, one: "_One", failed: Mapping[str, str] | None = None) -> None:
        """Give an entry the sentence of a model; and what it knows of a failure, where nothing was known."""
        entry = self._entries.one(id_)
        detail = entry.detail
        if self._is_touched(entry, one):
            return
        if isinstance(detail, Failed) and failed:
            more = {name: value for name, value in failed.items() if value and not getattr(detail, name)}
            detail = structs.replace(detail, **more)
        detail = structs.replace(detail, line=line or detail.line)
        if detail != entry.detail:
            self._entries.set_detail(id_, detail)

    def _meant(self, proposal: Proposal, one: "_One") -> Entry | None:
        """What a proposal is about: an id, or what was noted of a turn, of its category first."""
        if found := _TURN.fullmatch(proposal.id):
            noted = self._exchanges.entries_at([int(found[1])], None)
            live = [known for known in noted if known.status == "active"]
            same = [known for known in live if known.category == proposal.category]
            return self._entry((same or live)[0].id) if live else None
        return self._entry(proposal.id)

    def _entry(self, id_: str) -> Entry | None:
        found = self._entries.some([id_]) if id_ else []
        return found[0] if found else None

    def _may_retire(self, old: Entry, one: "_One") -> bool:
        """Only what was heard in this session up to here, no person spoke about, and binds nobody."""
        turn = old.evidence[0].turn if old.evidence else 0
        binds = old.category in ("rule", "rejected") and old.origin == "user"
        heard_here = old.session == one.session.session and 0 < turn <= one.reading.last
        return heard_here and old.status == "active" and not binds and not self._is_touched(old, one)

    def _is_touched(self, old: Entry, one: "_One") -> bool:
        """Whether a person told us of it before the model did."""
        told = self._entries.records([old.id])
        return old.origin == "edit" or any(at <= one.reading.at for at, _, _, _ in told)

    def _refuse(self, reason: str) -> None:
        refused = self._keeping.done.refused
        refused[reason] = refused.get(reason, 0) + 1


class _One(msgspec.Struct, frozen=True):
    """One reading while it is applied."""

    reading: Reading
    session: Unread
    turns: Mapping[int, JournalTurn]
    # All that was said in its portion.
    there: Said
