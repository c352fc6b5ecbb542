"""What agents write to each other: sent once, read at least once, in order."""

import json
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from steno.store.database import Database, Row
from steno.vocabulary.fleet import Message, Thread


class Messages:
    """Every message ever sent, and who was handed it."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def put(self, values: Mapping[str, Any], cause: str | None) -> Message:
        """Send a message; the one there is, if it was sent before."""
        with self._database.write():
            self._database.rows("put_message", values)
            if cause is not None:
                self._database.rows("put_cause", {"effect": values["id"], "cause": cause, "at": values["at"]})
        return self.like(values["id"])[0]

    def like(self, id_: str) -> list[Message]:
        """Messages whose id begins so."""
        return [_message(row) for row in self._database.rows("messages", {"id": id_, "thread": None})]

    def thread(self, id_: str) -> list[Message]:
        """Those of a thread, in the order they were sent."""
        return [_message(row) for row in self._database.rows("messages", {"id": None, "thread": id_})]

    def threads(self, agent: str | None = None) -> list[Thread]:
        """All threads, or those an agent writes in or is written to; the one written to last first."""
        return [
            Thread(
                id=id_,
                sender=sender,
                address=_address(kind, recipient),
                text=text,
                messages=number,
                last_at=last_at,
            )
            for id_, sender, kind, recipient, text, number, last_at in self._database.rows("threads", {"agent": agent})
        ]

    def unread(self, agent: str, domains: Collection[str], now: str) -> list[Message]:
        """What an agent of these domains was not handed yet, in the order it was sent."""
        values = {"agent": agent, "domains": json.dumps(sorted(domains)), "now": now}
        return [_message(row) for row in self._database.rows("unread_messages", values)]

    def mark(self, ids: Iterable[str], agent: str, now: str) -> None:
        """An agent has been handed these."""
        with self._database.write():
            self._database.many("put_read", [(id_, agent, now) for id_ in ids])

    def waiting(self, now: str) -> dict[str, int]:
        """How many messages wait for which agent."""
        return dict(self._database.rows("unread_by_agent", {"now": now}))


def _message(row: Row) -> Message:
    names = Message.__struct_fields__
    return Message(**dict(zip(names, (*row[:-1], tuple(json.loads(row[-1]))), strict=True)))


def _address(kind: str, recipient: str) -> str:
    return {"agent": recipient, "domain": f"domain {recipient}", "all": "all"}[kind]
