"""What was given to which session, and when."""

import json
from itertools import islice
from typing import Any, Final

from steno.store.database import Tables, value_of
from steno.vocabulary import Briefing, Receipt
from steno.vocabulary.briefings import Why

_AS_IS = ("kind", "agent", "session", "turn", "tier", "tokens", "verdict", "tool", "call")
# So many things are told why, at most; what comes first was told, or decided.
_MOST: Final = 200
# A number of more digits is none of ours.
_DIGITS: Final = 19


class Receipts(Tables):
    """Proofs of what agents were told. They hold names of things, never words."""

    def put(self, given: Briefing, why: Why, at: str) -> int:
        """Keep one: this was handed over. Its number."""
        values = {name: getattr(given, name) for name in _AS_IS}
        because = dict(islice(given.because.items(), _MOST))
        values |= {"at": at, "why": why, "items": json.dumps(given.items), "because": json.dumps(because)}
        return int(self._change("put_receipt", values)[0][0])

    def take(self, **given: Any) -> bool:
        """One from an export; whether it is new."""
        because = None if given["because"] is None else json.dumps(given["because"])
        values = {**given, "items": json.dumps(given["items"]), "because": because, "turn": None}
        if self._database.rows("has_receipt", values):
            return False
        return bool(self._change("put_receipt", values))

    def of(self, session: str | None = None) -> list[Receipt]:
        """Those of a session, or all, the oldest first."""
        return self._found("receipts", session=session)

    def gate(self, id_: str) -> Receipt | None:
        """An answer of the gate: by its number, the host's id of the call, or `latest`."""
        number = int(id_) if id_.isascii() and id_.isdigit() and len(id_) < _DIGITS else None
        call = None if id_ == "latest" or number is not None else id_
        return next(iter(self._found("gate_receipt", number=number, call=call)), None)

    def naming(self, name: str, most: int) -> list[Receipt]:
        """The last that name something, the latest first; ":ID" stands for whatever is named by an id."""
        needle = json.dumps(name)
        return self._found("receipts_naming", name=needle[1:] if name.startswith(":") else needle, most=most)

    def _found(self, query: str, **values: Any) -> list[Receipt]:
        return [value_of(Receipt, row, items=json.loads, because=_said) for row in self._database.rows(query, values)]


def _said(because: str | None) -> dict[str, str] | None:
    return None if because is None else json.loads(because)
