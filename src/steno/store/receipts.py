"""What was given to which session, and when."""

import json
from typing import Any

from steno.store.database import Tables, value_of
from steno.vocabulary import Briefing, Receipt
from steno.vocabulary.briefings import Why

_AS_IS = ("kind", "agent", "session", "turn", "tier", "tokens", "verdict")


class Receipts(Tables):
    """Proofs of what agents were told. They hold names of things, never words."""

    def put(self, given: Briefing, why: Why, at: str) -> int:
        """Keep one: this was handed over. Its number."""
        values = {name: getattr(given, name) for name in _AS_IS}
        values |= {"at": at, "why": why, "items": json.dumps(given.items)}
        return int(self._change("put_receipt", values)[0][0])

    def take(self, **given: Any) -> bool:
        """One from an export; whether it is new."""
        values = {"why": None, **given, "items": json.dumps(given["items"]), "turn": None}
        if self._database.rows("has_receipt", values):
            return False
        return bool(self._change("put_receipt", values))

    def of(self, session: str | None = None) -> list[Receipt]:
        """Those of a session, or all, the oldest first."""
        rows = self._database.rows("receipts", {"session": session})
        return [value_of(Receipt, row, items=json.loads) for row in rows]
