"""What was given to which session, and when."""

import json
from collections.abc import Sequence
from typing import Any

from steno.store.database import Database
from steno.vocabulary import Receipt, ReceiptKind


class Receipts:
    """Proofs of what agents were told. They hold names of things, never words."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def put(
        self, *, kind: ReceiptKind, at: str, agent: str | None, session: str | None, turn: int | None,
        tier: int | None, tokens: int, items: Sequence[str], verdict: str | None = None,
    ) -> int:  # fmt: skip
        """Keep one; its number."""
        values = {"kind": kind, "at": at, "agent": agent, "session": session, "turn": turn, "tier": tier}
        values |= {"tokens": tokens, "items": json.dumps(list(items)), "verdict": verdict}
        with self._database.write():
            return int(self._database.rows("put_receipt", values)[0][0])

    def take(self, **given: Any) -> bool:
        """One from an export; whether it is new."""
        values = {**given, "items": json.dumps(given["items"]), "turn": None}
        if self._database.rows("has_receipt", values):
            return False
        with self._database.write():
            return bool(self._database.rows("put_receipt", values))

    def of(self, session: str | None = None) -> list[Receipt]:
        """Those of a session, or all, the oldest first."""
        return [
            Receipt(
                id=id_,
                at=at,
                kind=kind,
                agent=agent,
                session=name,
                turn=turn,
                tier=tier,
                tokens=tokens,
                items=json.loads(items),
                verdict=verdict,
            )
            for id_, at, kind, agent, name, turn, tier, tokens, items, verdict in self._database.rows(
                "receipts", {"session": session}
            )
        ]
