"""Integration notes: which entries belong together. Names only."""

import json
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from steno.store.database import Tables
from steno.store.remembered import digest
from steno.vocabulary import Category


class Integration(NamedTuple):
    """A note, and the ids of the entries it cites."""

    id: str
    at: str
    project: str | None
    members: list[str]


class Integrations(Tables):
    """All of them, the latest first."""

    def since(self, time: str = "", most: int = -1) -> list[Integration]:
        """Notes that were made or grew since a time, the latest first."""
        return [
            Integration(id_, at, project, json.loads(members))
            for id_, at, project, members in self._database.rows("integrations", {"since": time, "most": most})
        ]

    def recent(self, since: str, categories: Sequence[Category], most: int) -> list[str]:
        """The newest entries since a time that a note may cite: none that was curated."""
        values = {"since": since, "categories": json.dumps(categories), "most": most}
        return [row[0] for row in self._database.rows("entries_to_join", values)]

    def put(self, members: Iterable[str], project: str | None, now: str, *, id_: str | None = None) -> str:
        """A new note, or one that cites more than before; its id."""
        cited = sorted(members)
        id_ = id_ or digest("integration", *cited)
        self._database.rows("put_integration", {"id": id_, "at": now, "project": project, "members": json.dumps(cited)})
        return id_
