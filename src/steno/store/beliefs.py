"""Which entry took the place of which, what people did with them, who was told, and what they contradict."""

import json
from collections.abc import Iterable
from typing import Any, Final

from steno.store.database import Database, Row, Tables, value_of
from steno.store.entries import Entries
from steno.vocabulary import Entry, Scope
from steno.vocabulary.beliefs import Change, Given

# So many receipts of an entry are shown; the others are counted.
_MOST_GIVEN: Final = 20


class Beliefs(Tables):
    """Entries with their history."""

    def __init__(self, database: Database, entries: Entries) -> None:
        super().__init__(database)
        self._entries = entries

    def lines(self, ids: Iterable[str], scope: Scope) -> list[Entry]:
        """These entries, what took their place, and everything those took the place of, as far as it is in scope."""
        values = {"ids": json.dumps(list(ids)), "project": scope.project, "agent": scope.agent}
        return self._entries.some(row[0] for row in self._database.rows("lines_of_succession", values))

    def changes(self, ids: Iterable[str]) -> dict[str, list[Change]]:
        """What people did with each entry, the oldest first."""
        found: dict[str, list[Change]] = {}
        for at, act, entry, value in self._about("changes_of", ids):
            told = json.loads(value)
            change = Change(at=at, act=act, summary=told.get("summary"), was=_before(told), status=told.get("status"))
            for one in filter(None, (entry, told.get("other"))) if act == "review" else (entry,):
                found.setdefault(one, []).append(change)
        return found

    def verified(self, ids: Iterable[str]) -> dict[str, list[bool]]:
        """For each quote of an entry, in order: whether it stands in its turn now."""
        found: dict[str, list[bool]] = {}
        for entry, stands in self._about("quotes_found", ids):
            found.setdefault(entry, []).append(bool(stands))
        return found

    def given(self, ids: Iterable[str]) -> dict[str, tuple[int, list[Given]]]:
        """How often each entry was given out, and to whom it was last, the latest first."""
        found: dict[str, tuple[int, list[Given]]] = {}
        for entry, times, *given in self._about("given_out", ids, most=_MOST_GIVEN):
            found.setdefault(entry, (times, []))[1].append(value_of(Given, given))
        return found

    def contradictions(self, ids: Iterable[str]) -> list[tuple[str, str, str, str | None]]:
        """Pairs that cannot both hold: one, other, the reason, and what a person said to it."""
        return [(row[0], row[1], row[2], row[3]) for row in self._about("contradictions_of", ids)]

    def _about(self, query: str, ids: Iterable[str], **more: Any) -> list[Row]:
        return self._database.rows(query, {"ids": json.dumps(list(ids)), **more})


def _before(told: dict[str, Any]) -> str | None:
    """The words before a correction; an answer to a review keeps more under that name."""
    was = told.get("was")
    return was if isinstance(was, str) else None
