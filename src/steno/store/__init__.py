"""Where everything is kept. Nothing outside this room knows SQL or a database driver."""

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

from steno.store.accesses import Accesses
from steno.store.acts import Acts
from steno.store.agents import Agents
from steno.store.answered import Answered
from steno.store.beliefs import Beliefs
from steno.store.briefed import Briefed
from steno.store.calls import Calls
from steno.store.capabilities import Capabilities
from steno.store.causes import Causes
from steno.store.control import SECRET_BYTES, Control
from steno.store.curated import Curated
from steno.store.database import Database
from steno.store.entries import Entries
from steno.store.exchanges import Exchanges
from steno.store.fills import Fills
from steno.store.fitness import Measures
from steno.store.flows import Flows
from steno.store.forget import Eraser
from steno.store.gates import Gates
from steno.store.integrations import Integrations
from steno.store.journal import UNKNOWN, Journal, Known, TranscriptRow, key_of
from steno.store.lately import Lately
from steno.store.looks import Looks
from steno.store.pages import Pages
from steno.store.proofs import Proofs
from steno.store.pruning import Pruning
from steno.store.readings import Readings
from steno.store.recall import Searched
from steno.store.receipts import Receipts
from steno.store.relay import Messages
from steno.store.reviews import Reviews
from steno.store.rules import Rules
from steno.store.runs import Runs
from steno.store.shares import Shares
from steno.store.vectors import Vectors
from steno.store.wakes import Wakes
from steno.store.works import Works

__all__ = ["SECRET_BYTES", "UNKNOWN", "Journal", "Known", "Store", "TranscriptRow", "key_of", "open_store"]


class Store:
    """One opened store: a database and the table families on it."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.control = Control(database)
        self.secret = self.control.secret()
        self.journal = Journal(database, self.secret)
        self.eraser = Eraser(database)
        self.acts = Acts(database)
        self.entries = Entries(database)
        self.answered = Answered(database)
        self.exchanges = Exchanges(database)
        self.curated = Curated(database, self.entries)
        self.integrations = Integrations(database)
        self.readings = Readings(database)
        self.proofs = Proofs(database)
        self.searched = Searched(database)
        self.receipts = Receipts(database)
        self.accesses = Accesses(database)
        self.calls = Calls(database)
        self.gates = Gates(database)
        self.briefed = Briefed(database, self.entries)
        self.beliefs = Beliefs(database, self.entries)
        self.pages = Pages(database, self.entries)
        self.reviews = Reviews(database, self.entries, self.pages)
        self.fills = Fills(database)
        self.lately = Lately(database)
        self.vectors = Vectors(database)
        self.rules = Rules(database)
        self.flows = Flows(database)
        self.works = Works(database, self.entries)
        self.runs = Runs(database)
        self.looks = Looks(database)
        self.measures = Measures(database)
        self.pruning = Pruning(database)
        self.shares = Shares(database)
        self.agents = Agents(database)
        self.messages = Messages(database)
        self.causes = Causes(database)
        self.capabilities = Capabilities(database)
        self.wakes = Wakes(database)

    def adopt_secret(self, secret: bytes) -> None:
        """Take over the key of the store whose turns are imported, so that reading their transcripts finds them."""
        self.control.set_secret(secret)
        self.secret = self.journal.secret = secret

    def is_new(self) -> bool:
        """Whether nothing was ever hashed with the store's key: no turn, no tombstone, no transcript."""
        return not (self.journal.count() or self.eraser.tombstones() or self.journal.transcripts())

    def copy_to(self, path: Path) -> None:
        """A whole copy of the store, proven to be sound before it gets its name."""
        self._database.copy_to(path)

    def size(self) -> int:
        """Bytes on disk."""
        return self._database.size()

    def close(self) -> None:
        """Let go of the database."""
        self._database.close()


# Written once a store is made, and what is only ever made from one: where these are and no store, it was lost.
_MADE: Final = "steno.made"
_TRACES: Final = (_MADE, "derived/words", "derived/vectors", "notebook")


def open_store(home: Path, *, busy_seconds: float) -> Store:
    """Open the store of a home, making it if the home is new. StoreLost: there was one, and it is gone or emptied."""
    from steno.store.sqlite import SqliteDatabase

    # Before the store is looked at: who makes one leaves traces only afterwards.
    lived = any(os.path.exists(home / trace) for trace in _TRACES)
    store = Store(SqliteDatabase(home / "steno.db", busy_seconds=busy_seconds, may_be_new=not lived))
    with suppress(OSError):  # a home that may only be read
        if not os.path.exists(home / _MADE):
            os.close(os.open(home / _MADE, os.O_WRONLY | os.O_CREAT, 0o600))
    return store
