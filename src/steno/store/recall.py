"""What recall asks of the store: words and traits of turns and entries, and what was recalled before."""

import json
from collections.abc import Iterable
from typing import NamedTuple

from steno.clock import seconds_between
from steno.store.database import Database, Row, Tables
from steno.store.journal import journal_turn
from steno.vocabulary import HUMAN_KINDS, JournalTurn, Scope
from steno.vocabulary.accesses import Fading


class ToIndex(NamedTuple):
    """A turn as the index of words wants it."""

    id: int
    session_id: int
    # Whether somebody spoke in it; tools and notices do not.
    said: bool
    text: str
    at: str | None


class State(NamedTuple):
    """How far the store has got."""

    erasures: int
    # The newest turn.
    turn: int
    # What the vectors were made by, and the newest row of them: of turns, and of entries.
    model: str | None
    vectors: int
    entry_vectors: int


class TurnTraits(NamedTuple):
    """What weighs a turn up or down."""

    id: int
    session_id: int
    role: str
    kind: str
    at: str | None
    # How many characters it has, and the first of them.
    length: int
    beginning: str
    # Whether it was said where somebody works in a folder.
    works: bool


class SaidThen(NamedTuple):
    """A turn of a stretch of time."""

    id: int
    session_id: int
    at: str
    # How much it would be missed.
    worth: float


class Resting(NamedTuple):
    """An entry that rests on a turn."""

    entry: str
    turn: int
    place: int
    category: str
    status: str
    origin: str
    superseded_by: str | None


class EntryTraits(NamedTuple):
    """What weighs an entry up or down."""

    id: str
    session_id: int | None
    category: str
    status: str
    origin: str
    created_at: str | None
    repeated: int
    superseded_by: str | None
    confidence: float
    # When what a session taught was said or used last: from then on it fades. None: it does not.
    fades_from: str | None
    # How often it was recalled.
    recalled: int


class Searched(Tables):
    """The journal and the entries as recall sees them. Scope is part of every query."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        # How what sessions taught fades, as the user chose.
        self.fading = Fading()

    # -- for the index of words --------------------------------------------------------------------------------------

    def erasures(self) -> int:
        """Goes up whenever words leave the journal."""
        return int(self._database.rows("erasures")[0][0])

    def state(self) -> State:
        """How far the store has got, in one look."""
        return State._make(self._database.rows("state_of_store")[0])

    def last_turn(self) -> int:
        """Number of the newest turn."""
        return int(self._database.rows("last_turn")[0][0])

    def to_index(self, after: int, most: int) -> list[ToIndex]:
        """Turns after a number, in order."""
        rows = self._database.rows("turns_to_index", {"after": after, "most": most})
        return [ToIndex(row[0], row[1], bool(row[2]), row[3], row[4]) for row in rows]

    def said_until(self, session_id: int, mark: int, most: int) -> list[Row]:
        """The last turns in which somebody spoke, up to a number, oldest first: number, text, time."""
        values = {"session_id": session_id, "mark": mark, "most": most}
        return self._database.rows("said_until", values)[::-1]

    def count_said_until(self, session_id: int, mark: int) -> int:
        """How many there are."""
        return int(self._database.rows("count_said_until", {"session_id": session_id, "mark": mark})[0][0])

    # -- for a question ----------------------------------------------------------------------------------------------

    def sessions_in(self, scope: Scope) -> list[int] | None:
        """Sessions of the scope; None: all."""
        if scope.project is None and scope.agent is None:
            return None
        values = {"project": scope.project, "agent": scope.agent}
        return [row[0] for row in self._database.rows("sessions_in_scope", values)]

    def words(self, expression: str, scope: Scope, *, after: int, most: int) -> list[tuple[int, float]]:
        """Turns after a number that hold some words, by the full-text index: number and score, best first."""
        values = {"words": expression, "after": after, "most": most, **_scope(scope)}
        # An index that is damaged may have no rank.
        return [(row[0], -(row[1] or 0.0)) for row in self._database.rows("find_words", values)]

    def newest_with(self, expression: str, scope: Scope, most: int) -> list[int]:
        """The newest turns that hold some words."""
        rows = self._database.rows("newest_with_words", {"words": expression, "most": most, **_scope(scope)})
        return [row[0] for row in rows]

    def entry_words(self, expression: str, most: int) -> list[tuple[str, float]]:
        """Entries that hold some words: id and score, best first."""
        rows = self._database.rows("find_entries", {"words": expression, "most": most})
        return [(row[0], -row[1]) for row in rows]

    def said_in(self, since: str, before: str, scope: Scope, most: int) -> list[SaidThen]:
        """The turns of a stretch of time that would be missed most."""
        values = {"since": since, "before": before, "human": json.dumps(sorted(HUMAN_KINDS)), "most": most}
        return [SaidThen._make(row) for row in self._database.rows("said_in", {**values, **_scope(scope)})]

    def entries_made_in(self, since: str, before: str, scope: Scope, most: int) -> list[str]:
        """Entries of a stretch of time, in its order, whatever became of them."""
        values = {"since": since, "before": before, "most": most, **_scope(scope)}
        return [row[0] for row in self._database.rows("entries_made_in", values)]

    def traits(self, turns: Iterable[int], scope: Scope) -> dict[int, TurnTraits]:
        """Of those turns that are in scope."""
        rows = self._database.rows("traits_of_turns", {"ids": json.dumps(list(turns)), **_scope(scope)})
        return {row[0]: TurnTraits._make(row) for row in rows}

    def entry_traits(self, entries: Iterable[str], scope: Scope) -> dict[str, EntryTraits]:
        """Of those entries that are in scope."""
        rows = self._database.rows("traits_of_entries", {"ids": json.dumps(list(entries)), **_scope(scope)})
        return {row[0]: EntryTraits._make(row) for row in rows}

    def freshness(self, entry: str, now: str) -> float:
        """What an entry has left of its weight, from 1 to 0."""
        of = self.entry_traits([entry], Scope()).get(entry)
        if of is None or not of.fades_from:
            return 1.0
        return self.fading.weight(max(0.0, seconds_between(of.fades_from, now) / 86_400))

    def resting_on(self, turns: Iterable[int]) -> dict[int, list[Resting]]:
        """Entries whose evidence stands in some turns, by turn."""
        found: dict[int, list[Resting]] = {}
        for row in self._database.rows("entries_resting_on", {"ids": json.dumps(list(turns))}):
            found.setdefault(row[1], []).append(Resting._make(row))
        return found

    def turns_that_rule(self, scope: Scope, most: int) -> list[int]:
        """Turns in which people said what holds for all work in scope, the newest first."""
        return [row[0] for row in self._database.rows("turns_that_rule", {"most": most, **_scope(scope)})]

    def turns(self, ids: Iterable[int]) -> dict[int, JournalTurn]:
        """Turns by their numbers."""
        rows = self._database.rows("turns_by_number", {"ids": json.dumps(list(ids))})
        return {row[0]: journal_turn(row) for row in rows}

    def after(self, turns: Iterable[int], scope: Scope, most: int) -> list[Row]:
        """What was said after each of some turns, as far as it is in scope: that turn, number, role, beginning."""
        values = {"ids": json.dumps(list(turns)), "until": scope.until, "most": most}
        return self._database.rows("said_after", values)

    def beside(self, turns: Iterable[int], scope: Scope) -> dict[int, list[Row]]:
        """What was said just before and after each of some turns: number, role, beginning."""
        found: dict[int, list[Row]] = {}
        for turn, *row in self._database.rows("said_beside", {"ids": json.dumps(list(turns)), "until": scope.until}):
            found.setdefault(turn, []).append(tuple(row))
        return found

    # -- what was recalled -------------------------------------------------------------------------------------------

    def put_uses(self, uses: list[Row], pairs: list[Row]) -> None:
        """What was recalled (at, session, kind, target, place, reason), and which entries together (one, other, at)."""
        with self._database.write():
            self._database.many("put_use", uses)
            self._database.many("strengthen_link", pairs)

    def links(self, entries: Iterable[str]) -> list[tuple[str, str, float]]:
        """Links between some entries: one, other, weight."""
        return [(row[0], row[1], row[2]) for row in self._database.rows("links_of", {"ids": json.dumps(list(entries))})]


def _scope(scope: Scope) -> dict[str, str | None]:
    return {"project": scope.project, "agent": scope.agent, "until": scope.until}
