"""How often entries are used, what they have to do with each other, and what upkeep has not looked at yet."""

import json
from collections.abc import Iterable, Sequence
from typing import Final, Literal, NamedTuple

from steno.store.database import Row, Tables, value_of
from steno.store.journal import journal_turn
from steno.vocabulary import JournalTurn
from steno.vocabulary.accesses import Access, Link
from steno.vocabulary.why import Placed

Job = Literal["links", "consistency"]
# So many links of an entry are shown.
_SHOWN: Final = 40
# A link of less weight than this is none any more.
_LEAST: Final = 0.05
# Up to which receipt, and up to which use, everything was traced.
_TRACED: Final = {True: "traced_receipts", False: "traced_uses"}


class ToTrace(NamedTuple):
    """That a session was told some entries: by a receipt, or by a recall it asked for."""

    # Its number among receipts or uses.
    id: int
    is_receipt: bool
    at: str
    session: str
    # The session's last turn then. None: nobody noted it.
    turn: int | None
    entries: list[str]


class Latest(NamedTuple):
    """An entry that holds, as far as its words matter."""

    id: str
    project: str | None
    summary: str


class Note(NamedTuple):
    """What stands in a memory file now."""

    id: int
    # The file.
    name: str
    project: str | None
    text: str
    at: str | None


class Used(NamedTuple):
    """That an entry turned up in what a session did, and whether that went badly."""

    entry: str
    at: str
    badly: bool
    session: str


class Accesses(Tables):
    """Counts that follow what is recalled and given, and links that grow and fade."""

    def of(self, ids: Iterable[str]) -> dict[str, Access]:
        """What is known of some entries; those nobody looked at are not among them."""
        rows = self._database.rows("accesses_of", {"ids": json.dumps(list(ids))})
        return {entry: value_of(Access, counts, tokens=round) for entry, *counts in rows}

    def links(self, id_: str) -> list[Link]:
        """Every relation of an entry to others."""
        return [value_of(Link, row) for row in self._database.rows("links_seen_from", {"id": id_, "most": _SHOWN})]

    def recalls(self, kind: str, target: str, most: int) -> list[Placed]:
        """The last recalls that found something, the latest first."""
        rows = self._database.rows("recalls_of", {"kind": kind, "target": target, "most": most})
        return [value_of(Placed, row) for row in rows]

    # -- for upkeep --------------------------------------------------------------------------------------------------

    def faded_at(self) -> str | None:
        """When links faded last."""
        return self._first(str, "get_meta", {"name": "links_faded"})

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

    def latest(self, most: int) -> list[Latest]:
        return [Latest(*row) for row in self._database.rows("latest_entries", {"most": most})]

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

    def observations(self) -> int:
        """How many entries stand on the pages of observations."""
        return int(self._database.rows("count_observations")[0][0])

    def notes_to_compare(self) -> list[Note]:
        """Parts of memory files that stand there and nobody compared with what people said yet."""
        after = self._first(int, "get_meta", {"name": "compared_notes"}) or 0
        return [Note(*row) for row in self._database.rows("notes_standing", {"after": after})]

    def compared_notes(self, last: int) -> None:
        """They were compared now, up to this one."""
        self._database.rows("set_meta", {"name": "compared_notes", "value": last})

    # -- what became of what was told --------------------------------------------------------------------------------

    def to_trace(self, until: str, most: int) -> list[ToTrace]:
        """What sessions were told before a time and nobody traced yet, in order."""
        found = []
        for is_receipt, query in ((True, "receipts_to_trace"), (False, "recalls_to_trace")):
            values = {"after": self._mark(is_receipt=is_receipt), "until": until, "most": most}
            for id_, at, session, turn, entries in self._database.rows(query, values):
                found.append(ToTrace(id_, is_receipt, at, session or "", turn, json.loads(entries)))
        return found

    def following(self, told: ToTrace, most: int) -> list[JournalTurn]:
        """What was said and done in the session afterwards."""
        values = {"session": told.session, "turn": told.turn, "at": told.at, "most": most}
        return [journal_turn(row) for row in self._database.rows("turns_following", values)]

    def put_traced(self, told: Sequence[ToTrace], used: Iterable[Used], pairs: list[Row]) -> None:
        """These were traced, and this of it was used; each counts once, whatever cuts us short."""
        with self._database.write():
            self._database.many("put_used", [(use.entry, int(use.badly), use.at) for use in used])
            self._database.many("strengthen_link", pairs)
            for is_receipt in (True, False):
                if ids := [one.id for one in told if one.is_receipt == is_receipt]:
                    name = _TRACED[is_receipt]
                    self._database.rows("set_meta", {"name": name, "value": max(ids)})

    def unused(self, before: str) -> list[str]:
        """What holds for longer than that and was neither recalled nor used nor said again since, the oldest first."""
        return [row[0] for row in self._database.rows("unused_entries", {"before": before})]

    def costly(self, most: int) -> list[str]:
        """What cost most to tell and was never used."""
        return [row[0] for row in self._database.rows("costly_entries", {"most": most})]

    def _mark(self, *, is_receipt: bool) -> int:
        return self._first(int, "get_meta", {"name": _TRACED[is_receipt]}) or 0
