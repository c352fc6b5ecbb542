"""How often entries are used, what they have to do with each other, and what upkeep has not looked at yet."""

import json
from collections.abc import Iterable, Sequence
from typing import Final, Literal

from steno.store.database import Database
from steno.vocabulary import Entry
from steno.vocabulary.accesses import Access, Link

Job = Literal["links", "consistency"]
# So many links of an entry are shown.
_SHOWN: Final = 40
# A link of less weight than this is none any more.
_LEAST: Final = 0.05


class Accesses:
    """Counts that follow what is recalled and given, and links that grow and fade."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, ids: Iterable[str]) -> dict[str, Access]:
        """What is known of some entries; those nobody looked at are not among them."""
        rows = self._database.rows("accesses_of", {"ids": json.dumps(list(ids))})
        return {
            entry: Access(
                recalled=recalled, given=given, used=used, badly=badly, tokens=round(tokens), last_at=last_at,
                used_at=used_at,
            )
            for entry, recalled, given, used, badly, tokens, last_at, used_at in rows
        }  # fmt: skip

    def links(self, id_: str) -> list[Link]:
        """Every relation of an entry to others."""
        return [
            Link(id=other, kind=kind, weight=weight, category=category, summary=summary)
            for other, kind, weight, category, summary in self._database.rows(
                "links_seen_from", {"id": id_, "most": _SHOWN}
            )
        ]

    # -- for upkeep --------------------------------------------------------------------------------------------------

    def faded_at(self) -> str | None:
        """When links faded last."""
        rows = self._database.rows("get_meta", {"name": "links_faded"})
        return rows[0][0] if rows else None

    def fading(self, since: str) -> int:
        """How many links did not gain since a time."""
        return int(self._database.rows("count_fading", {"since": since})[0][0])

    def fade(self, since: str, left: float, now: str) -> int:
        """What did not gain since a time keeps only a share of its weight; how many are gone for good."""
        with self._database.write():
            self._database.rows("fade_links", {"since": since, "left": left})
            self._database.rows("set_meta", {"name": "links_faded", "value": now})
            return len(self._database.rows("drop_faded", {"least": _LEAST}))

    def due(self, job: Job, most: int) -> list[str]:
        """Entries a job has not looked at."""
        return [row[0] for row in self._database.rows("entries_due", {"job": job, "most": most})]

    def looked_at(self, job: Job, ids: Sequence[str]) -> None:
        """It has now."""
        self._database.rows("entries_looked_at", {"job": job, "ids": json.dumps(ids)})

    def sharing(self, entry: Entry, words: Sequence[str], most: int) -> list[tuple[str, str]]:
        """Entries of the same project that share some of these words with one: id and summary, the likest first."""
        expression = " OR ".join(f'"{word}"' for word in (word.replace('"', "") for word in words) if word)
        if not expression:
            return []
        values = {"words": expression, "id": entry.id, "project": entry.project, "most": most}
        return [(row[0], row[1]) for row in self._database.rows("entries_sharing", values)]

    def put_subjects(self, found: dict[str, dict[str, float]], now: str) -> None:
        """For each of some entries, those about the same and how much so, in place of what was known of it."""
        pairs = [
            (*sorted((id_, other)), weight, now) for id_, others in found.items() for other, weight in others.items()
        ]
        with self._database.write():
            for id_ in found:
                self._database.rows("drop_subject_links", {"id": id_})
            self._database.many("put_subject_link", pairs)
            self.looked_at("links", list(found))
