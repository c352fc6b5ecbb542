"""The relay: what agents write to each other. Sent once, read at least once, in order; always an agent's word."""

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final
from uuid import uuid4

from steno.clock import as_text
from steno.store.relay import ANYBODY, Reader
from steno.store.remembered import digest
from steno.vocabulary.errors import UnknownMessage, WrongUse
from steno.vocabulary.fleet import Message, Recipient, Thread

if TYPE_CHECKING:
    from steno.fleet.fleet import Fleet

# A longer text is a file: say where it lies.
LONGEST: Final = 20_000


class Relay:
    """Send, read, follow."""

    def __init__(self, fleet: "Fleet") -> None:
        self._store, self._clock, self._clean = fleet.home.store, fleet.home.clock, fleet.home.clean
        self._known = fleet.known

    def send(
        self, text: str, *, sender: str, to: str | None = None, domain: str | None = None, everybody: bool = False,
        reply: str | None = None, because: str | None = None, hours: float | None = None, key: str | None = None,
    ) -> Message:  # fmt: skip
        """Write to an agent, to a domain or to all; a `reply` goes to whoever wrote, unless it is addressed.

        `because`: what it came from. After `hours` nobody has to read it. A second message of the same `key` is the
        first one: who cannot know whether it was sent sends it again.
        """
        answered = None if reply is None else self.one(reply, sender)
        kind, recipient = self._address(to, domain, everybody=everybody, answered=answered)
        name, words, now = self.name(sender), self._clean(text.strip()), self._clock()
        if not words or len(words) > LONGEST:
            raise WrongUse(f"a message has 1 to {LONGEST:,} characters", hint="say where a longer text lies")
        id_ = digest("message", name, uuid4().hex if key is None else f"key {key}")
        values = {
            "id": id_, "at": now, "sender": name, "kind": kind, "recipient": recipient, "text": words,
            "thread": id_ if answered is None else answered.thread,
            "expires_at": None if hours is None else _later(now, hours),
        }  # fmt: skip
        cause = answered.id if answered else None if because is None else self._known(because)
        sent = self._store.messages.put(values, cause)
        if (sent.text, sent.kind, sent.recipient) != (words, kind, recipient):
            raise WrongUse(f"another message was sent under the key {key!r}", hint="give each message its own key")
        if answered is not None:
            self.mark([answered.id], name)
        return sent

    def unread(self, agent: str) -> list[Message]:
        """What an agent has not been handed yet, in the order it was sent. Mark it when it was."""
        name, domains = self._reader(self.name(agent))
        return self._store.messages.unread(name or "", domains, self._clock())

    def mark(self, messages: Iterable[str], agent: str) -> None:
        """An agent was handed these messages."""
        self._store.messages.mark(messages, self.name(agent), self._clock())

    def threads(self, agent: str | None = None) -> list[Thread]:
        """Threads, the one written to last first; all, or those with something an agent wrote or may read."""
        return self._store.messages.threads(self._reader(agent))

    def thread(self, id_: str, agent: str | None = None) -> list[Message]:
        """The thread a message stands in, in the order it was written; all, or what an agent wrote or may read."""
        return self._store.messages.thread(self.one(id_, agent).thread, self._reader(agent))

    def one(self, id_: str, agent: str | None = None) -> Message:
        """A message, by its id or the beginning of it; any, or one that an agent wrote or may read."""
        found = self._store.messages.like(id_, self._reader(agent)) if id_ else []
        if len(found) != 1:
            problem = f"several messages begin with {id_!r}" if found else f"no message {id_!r}"
            raise UnknownMessage(problem, hint="`steno relay threads` lists them")
        return found[0]

    def name(self, given: str) -> str:
        """An agent's name as it is kept: on one line, without secrets."""
        return name_of(given, self._clean)

    def _reader(self, agent: str | None) -> Reader:
        if agent is None:
            return ANYBODY
        name = self.name(agent)
        return Reader(name, self._store.agents.called(name, None)[1].domains)

    def _address(
        self, to: str | None, domain: str | None, *, everybody: bool, answered: Message | None
    ) -> tuple[Recipient, str]:
        given = (to is not None) + (domain is not None) + everybody
        if given > 1 or not (given or answered):
            raise WrongUse("a message goes to one agent, one domain, or all", hint="give --to, --domain or --all")
        if everybody:
            return "all", ""
        if domain is not None:
            return "domain", self.name(domain).upper()
        return "agent", self.name(to) if to is not None else answered.sender if answered else ""


def name_of(given: str, clean: Callable[[str], str]) -> str:
    """A name as it is kept: on one line, not too long, without secrets."""
    name = clean(" ".join(given[:200].encode("utf-8", "replace").decode().split()))
    if not name:
        raise WrongUse("an agent needs a name", hint="`steno agents` lists those there are")
    return name


def _later(now: str, hours: float) -> str:
    try:
        if hours > 0:
            return as_text(datetime.fromisoformat(now) + timedelta(hours=hours))
    except (OverflowError, ValueError):
        pass
    raise WrongUse(f"no message expires in {hours:g} hours", hint="give a number of hours")
