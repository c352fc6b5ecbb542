"""What an agent or a person needs to know first: work in hand, what is newest, what is unresolved."""

import json
from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec

from steno.store.database import Row, Tables
from steno.vocabulary import Category, Checkpoint
from steno.vocabulary.briefings import ENOUGH_KEPT

# Later than any time.
_NEVER: Final = "9999"


class Worked(NamedTuple):
    """A session, and where its work stands."""

    id: int
    source: str
    session: str
    project: str | None
    agent: str | None
    last_at: str | None
    checkpoint: Checkpoint


class Unresolved(NamedTuple):
    """Counts of what somebody should look at."""

    contradictions: int
    # What agents asked for.
    requests: int
    gaps: int
    # Transcripts that cannot be read.
    problems: int
    # Pages that wait for a person.
    pages: int


class Lost(NamedTuple):
    """A session of which a compaction took too much."""

    session: str
    project: str | None
    # Things work depended on, and how many of them are missing.
    critical: int
    missing: int


class Lately(Tables):
    """Small questions that must be answered in milliseconds, however large the store is."""

    def work_in_hand(self, since: str, most: int, project: str | None = None) -> list[Worked]:
        """The latest session of each project since a time, or of one project, the latest first."""
        values = {"since": since, "most": most, "project": project}
        return [_worked(row) for row in self._database.rows("work_in_hand", values)]

    def worked(self, session_id: int) -> Worked:
        """One session, and where its work stands."""
        return self.heard(_NEVER, "", session_id=session_id, most=1)[0]

    def unended(self, project: str | None = None) -> int:
        """How many pieces of work are not over, however old, in one project or anywhere."""
        return int(self._database.rows("count_unended", {"project": project})[0][0])

    def last_worked(self, agent: str | None, most: int) -> list[Worked]:
        """The last sessions, of one agent or of all, the latest first."""
        return [_worked(row) for row in self._database.rows("last_worked", {"agent": agent, "most": most})]

    def heard(self, since: str, until: str, *, session_id: int | None = None, most: int) -> list[Worked]:
        """Sessions somebody was at between two moments, and this one, the first one first."""
        values = {"since": since, "until": until, "session_id": session_id, "most": most}
        return [_worked(row) for row in self._database.rows("heard_between", values)]

    def learnt(self, since: str, until: str, session_id: int | None, most: int) -> list[str]:
        """Ids of what was learnt between two moments in a session, or told in none, the oldest first."""
        values = {"since": since, "until": until, "session_id": session_id, "most": most}
        return [row[0] for row in self._database.rows("entries_between", values)]

    def newest(
        self, categories: Sequence[Category], most: int, *, since: str = "", agent: str | None = None,
        project: str | None = None,
    ) -> list[str]:  # fmt: skip
        """Ids of the newest active entries of some categories, the newest first."""
        chosen = json.dumps(list(categories))
        values = {"categories": chosen, "since": since, "agent": agent, "project": project, "most": most}
        return [row[0] for row in self._database.rows("newest_entries", values)]

    def unresolved(self) -> Unresolved:
        """What somebody should look at."""
        return Unresolved(*self._database.rows("unresolved")[0])

    def losses(self, since: str) -> list[Lost]:
        """Compactions that took too much, of sessions heard of since a time."""
        return [Lost(*row) for row in self._database.rows("lost_much", {"since": since, "enough": ENOUGH_KEPT})]


def _worked(row: Row) -> Worked:
    *facts, value = row
    return Worked._make([*facts, msgspec.json.decode(value, type=Checkpoint)])
