"""What was found worth keeping for good: which entry, of which day, and the entry that tells it as it stands."""

import json
from collections.abc import Iterable

import msgspec

from steno.store.database import Database, Tables
from steno.store.entries import Entries
from steno.store.remembered import digest
from steno.vocabulary import Entry
from steno.vocabulary.details import Known, Stance


class Curated(Tables):
    """Names, no words: those are made from the entries."""

    def __init__(self, database: Database, entries: Entries) -> None:
        super().__init__(database)
        self._entries = entries

    def missing(self) -> list[str]:
        """Entries something was made from that is not there."""
        return [row[0] for row in self._database.rows("curated_missing")]

    def among(self, ids: Iterable[str]) -> set[str]:
        """Those of some entries that were chosen before, or made so themselves."""
        return {row[0] for row in self._database.rows("curated_sources", {"ids": json.dumps(list(ids))})}

    def pairs(self, ids: Iterable[str]) -> list[tuple[str, str]]:
        """What was made of which entry, where one of both is among these."""
        return [(row[0], row[1]) for row in self._database.rows("curated_pairs", {"ids": json.dumps(list(ids))})]

    def count(self, day: str) -> int:
        """How much a day brought."""
        return int(self._database.rows("count_curated", {"day": day})[0][0])

    def known(self, most: int) -> list[str]:
        """What is known as a fact, a lesson or a rule, the newest first."""
        return [row[0] for row in self._database.rows("known_facts", {"most": most})]

    def put(self, source: Entry, line: str, day: str | None = None) -> str:
        """Tell an entry as it stands; its id. Without a day it was chosen before."""
        id_ = digest("curated", source.id)
        detail = Known(
            stance=Stance(why=source.detail.why), weight=source.detail.weight, about=source.detail.about
        )  # fmt: skip
        values = {"source": source.id, "entry": id_}
        with self._database.write():
            if day is not None:
                self._database.rows("note_curated", {**values, "day": day})
            told = {"summary": line, "detail": msgspec.json.encode(detail).decode()}
            if self._database.rows("put_curated", {**values, **told}):
                self._database.rows("put_curated_evidence", values)
                self._entries.make_keys_of(id_)
        return id_
