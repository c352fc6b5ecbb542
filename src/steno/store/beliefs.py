"""Which entry took the place of which, and what people did with them."""

import json
from collections.abc import Iterable
from typing import Any

from steno.store.database import Database
from steno.store.entries import Entries
from steno.vocabulary import Entry
from steno.vocabulary.beliefs import Change


class Beliefs:
    """Entries with their history."""

    def __init__(self, database: Database, entries: Entries) -> None:
        self._database = database
        self._entries = entries

    def lines(self, ids: Iterable[str]) -> list[Entry]:
        """These entries, what took their place, and everything those took the place of."""
        rows = self._database.rows("lines_of_succession", {"ids": json.dumps(list(ids))})
        return self._entries.some(row[0] for row in rows)

    def changes(self, ids: Iterable[str]) -> dict[str, list[Change]]:
        """What people did with each entry, the oldest first."""
        found: dict[str, list[Change]] = {}
        for at, act, entry, value in self._database.rows("changes_of", {"ids": json.dumps(list(ids))}):
            told = json.loads(value)
            change = Change(at=at, act=act, summary=told.get("summary"), was=_before(told), status=told.get("status"))
            for one in filter(None, (entry, told.get("other"))) if act == "review" else (entry,):
                found.setdefault(one, []).append(change)
        return found


def _before(told: dict[str, Any]) -> str | None:
    """The words before a correction; an answer to a review keeps more under that name."""
    was = told.get("was")
    return was if isinstance(was, str) else None
