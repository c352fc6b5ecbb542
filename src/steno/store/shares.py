"""Whom people shared entries and flows with. What is not shared is seen where it belongs only."""

import json
from collections.abc import Iterable

from steno.store.database import Tables, value_of
from steno.vocabulary.shares import Shared


class Shares(Tables):
    """What is shared; records put it there (`Entries`)."""

    def all(self) -> list[Shared]:
        """Everything, the oldest first."""
        return [value_of(Shared, row) for row in self._database.rows("shares")]

    def with_(self, projects: Iterable[str], agent: str | None) -> frozenset[str]:
        """Ids of entries and names of flows that whoever works in a project as an agent may see, too."""
        values = {"projects": json.dumps(sorted(projects)), "agent": agent}
        return frozenset(row[0] for row in self._database.rows("shared_with", values))
