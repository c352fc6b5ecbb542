"""What agents write to each other: sent once, read at least once, in order."""

import json
from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final, NamedTuple

from steno.store.database import Row, Tables, value_of
from steno.vocabulary.fleet import Message, Thread


class Reader(NamedTuple):
    """Who looks at messages: an agent sees what it wrote and what is for it. None: a person, who sees all."""

    agent: str | None
    domains: Collection[str] = ()

    def values(self) -> dict[str, Any]:
        """As a query takes it."""
        return {"agent": self.agent, "domains": json.dumps(sorted(self.domains))}


ANYBODY: Final = Reader(None)


class Messages(Tables):
    """Every message ever sent, and who was handed it."""

    def put(self, values: Mapping[str, Any], cause: str | None) -> Message:
        """Send a message; the one there is, if it was sent before."""
        with self._database.write():
            self._database.rows("put_message", values)
            if cause is not None:
                self._database.rows("put_cause", {"effect": values["id"], "cause": cause, "at": values["at"]})
        return self.like(values["id"], ANYBODY)[0]

    def like(self, id_: str, reader: Reader) -> list[Message]:
        """Messages whose id begins so."""
        return self._found(reader, id_, None)

    def thread(self, id_: str, reader: Reader) -> list[Message]:
        """Those of a thread, in the order they were sent."""
        return self._found(reader, None, id_)

    def _found(self, reader: Reader, id_: str | None, thread: str | None) -> list[Message]:
        rows = self._database.rows("messages", {"id": id_, "thread": thread, **reader.values()})
        return [_message(row) for row in rows]

    def threads(self, reader: Reader) -> list[Thread]:
        """Threads that hold something for a reader, the one written to last first."""
        return [
            Thread(id=id_, sender=sender, address=_address(kind, to), text=text, messages=number, last_at=last_at)
            for id_, sender, kind, to, text, number, last_at in self._database.rows("threads", reader.values())
        ]

    def unread(self, agent: str, domains: Collection[str], now: str) -> list[Message]:
        """What an agent of these domains was not handed yet, in the order it was sent."""
        rows = self._database.rows("unread_messages", {**Reader(agent, domains).values(), "now": now})
        return [_message(row) for row in rows]

    def mark(self, ids: Iterable[str], agent: str, now: str) -> None:
        """An agent has been handed these."""
        with self._database.write():
            self._database.many("put_read", [(id_, agent, now) for id_ in ids])

    def waiting(self, now: str) -> dict[str, int]:
        """How many messages wait for which agent."""
        return dict(self._database.rows("unread_by_agent", {"now": now}))


def _message(row: Row) -> Message:
    return value_of(Message, row, read_by=lambda names: tuple(json.loads(names)))


def _address(kind: str, recipient: str) -> str:
    return {"agent": recipient, "domain": f"domain {recipient}", "all": "all"}[kind]
