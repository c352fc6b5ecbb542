"""The notebook in the store: pages as they were last written, what is due to stand on them, and where people put it."""

import json
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from steno.store.database import Database, Tables, value_of
from steno.store.entries import Entries
from steno.store.remembered import digest
from steno.vocabulary import PEOPLE, Category, Entry
from steno.vocabulary.reviews import HeldPage, Writer

# Where days are kept among the pages: no project has a folder of that name.
OWN: Final = "."


class Folder(NamedTuple):
    """A folder of the notebook."""

    # Empty: of no project, for all agents.
    project: str
    agent: str
    folder: str

    @property
    def whose(self) -> tuple[str, str]:
        return self.project, self.agent


class Written(NamedTuple):
    """A page as it was last written, without its words."""

    folder: str
    name: str
    hash: bytes
    # How many entries stand on it.
    lines: int


class Placed(NamedTuple):
    """What tells the page of an entry."""

    project: str | None
    # Empty: it is no single agent's.
    agent: str
    category: Category
    topic: str | None

    @property
    def whose(self) -> tuple[str, str]:
        return self.project or "", self.agent


class Waiting(NamedTuple):
    """A page that waits for a person: what they are asked, the file as it was found, and both texts."""

    asked: HeldPage
    hash: bytes
    # Without secrets.
    found: str
    # What we wrote last. None: there was no such page.
    ours: str | None
    # As the agent left it, without secrets. None: no agent changed it.
    theirs: str | None

    @property
    def place(self) -> tuple[str, str]:
        return self.asked.folder, self.asked.name


class Pages(Tables):
    """What we wrote, and what we owe."""

    def __init__(self, database: Database, entries: Entries) -> None:
        super().__init__(database)
        self._entries = entries

    def folders(self) -> list[Folder]:
        return [Folder(*row) for row in self._database.rows("notebooks")]

    def put_folder(self, folder: Folder) -> None:
        """A project, or an agent in it, gets a folder."""
        self._database.rows("put_notebook", folder._asdict())

    def written(self) -> list[Written]:
        """Every page of a folder; days are not among them."""
        return [Written(*row) for row in self._database.rows("page_hashes", {"own": OWN})]

    def text(self, folder: str, name: str) -> str | None:
        """What we last wrote."""
        return self._first(str, "page_text", {"folder": folder, "name": name})

    def put(self, page: Written, text: str) -> None:
        """A page was written."""
        self._database.rows("put_page", {**page._asdict(), "text": text})

    def drop(self, folder: str, name: str) -> None:
        """A page is not there any more."""
        self._database.rows("drop_page", {"folder": folder, "name": name})

    def held(self) -> list[Waiting]:
        """Pages that wait for a person."""
        return [_waiting(*row) for row in self._database.rows("held_pages")]

    def hold(self, page: Waiting) -> None:
        """A page waits; it may have waited before, as it was then."""
        asked = page.asked
        values = {name: getattr(asked, name) for name in ("id", "folder", "name", "project", "reason", "at", "diff")}
        values |= {"hash": page.hash, "found": page.found, "ours": page.ours, "theirs": page.theirs}
        values |= {name: getattr(asked.who, name, None) for name in Writer.__struct_fields__}
        self._change("put_held_page", values)

    def let_go(self, page: Waiting) -> None:
        """It waits no more."""
        self._change("drop_held_page", {"id": page.asked.id})

    def laid_aside(self, whose: tuple[str | None, str | None], category: Category, words: str) -> list[Entry]:
        """What people said in these very words and was laid aside since, the latest first; without its evidence."""
        values = {"project": whose[0], "agent": whose[1] or "", "category": category, "words": words}
        return self._entries.bare(self._database.rows("laid_aside", {**values, "people": json.dumps(sorted(PEOPLE))}))

    def history(self) -> str | None:
        """The day of which the history of the notebook was last kept; empty: of none yet. None: it is not kept."""
        return self._first(str, "get_meta", {"name": "notebook_history"})

    def set_history(self, day: str | None) -> None:
        """Keep it, as of that day, or keep it no more."""
        if day is None:
            self._database.rows("drop_meta", {"name": "notebook_history"})
        else:
            self._database.rows("set_meta", {"name": "notebook_history", "value": day})

    def due(self) -> list[str]:
        """Entries that changed since pages were written; names of flows are among them."""
        return [row[0] for row in self._database.rows("pages_due")]

    def done(self, entries: Iterable[str]) -> None:
        """They are about to be written where they belong."""
        self._database.rows("pages_done", {"entries": json.dumps(list(entries))})

    def owe(self, entries: Iterable[str]) -> None:
        """They could not be."""
        self._database.rows("pages_owed", {"entries": json.dumps(list(entries))})

    def holding(self, entry: str) -> list[tuple[str, str]]:
        """Folder and name of every page an entry stands on."""
        return [(row[0], row[1]) for row in self._database.rows("pages_with", {"id": entry, "own": OWN})]

    def kin(self, ids: Iterable[str]) -> list[str]:
        """Rules that say the same as some others."""
        return [row[0] for row in self._database.rows("merged_into", {"ids": json.dumps(list(ids))})]

    def placed(self, ids: Iterable[str]) -> dict[str, Placed]:
        """What tells the pages of some entries."""
        rows = self._database.rows("places_due", {"ids": json.dumps(list(ids))})
        return {row[0]: Placed(*row[1:]) for row in rows}

    def places(self) -> list[Placed]:
        """What tells every page that has a line."""
        return [Placed(*row) for row in self._database.rows("topics_there")]

    def topics(self, ids: Iterable[str]) -> dict[str, str]:
        """Where people put some entries."""
        return dict(self._database.rows("topics_of", {"ids": json.dumps(list(ids))}))

    def entries(
        self, folder: Folder, categories: Sequence[Category], topic: str | None, most: int, *, is_own: bool
    ) -> list[Entry]:
        """What may stand on a page, the oldest first; without its evidence, which no page shows. Of each category, of
        people and of others, of what is sure and what is not, the latest. `is_own`: the topic is the project's own, on
        which everything stands that is on no other."""
        values: dict[str, Any] = {"project": folder.project or None, "agent": folder.agent, "most": most}
        values |= {"people": json.dumps(sorted(PEOPLE))}
        values |= {"categories": json.dumps(categories), "topic": topic}
        return self._entries.bare(self._database.rows("entries_of_page", {**values, "own": is_own}))


def held_id(folder: str, name: str, hash_: bytes) -> str:
    """What a page that waits is called by: saved again it is another question."""
    return digest("held", folder, name, hash_.hex())


def _waiting(
    id_: str, folder: str, name: str, project: str, reason: str, at: str, diff: str, hash_: bytes, found: str,
    ours: str | None, theirs: str | None, *who: str | None,
) -> Waiting:  # fmt: skip
    writer = None if who[0] is None else value_of(Writer, who)
    asked = HeldPage(id=id_, folder=folder, name=name, project=project, reason=reason, who=writer, at=at, diff=diff)
    return Waiting(asked, hash_, found, ours, theirs)
