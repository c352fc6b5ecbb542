"""What a program may look at and do over HTTP where several agents work."""

from typing import Annotated

from msgspec import Meta

from steno.doors.api_act import Done
from steno.doors.api_table import Table
from steno.memory import Memory
from steno.vocabulary.fleet import Hop, Message, RaisedFlag, Thread

fleet = Table()

Hours = Annotated[float, Meta(gt=0)]


@fleet.get("/v1/relay/unread")
def unread_messages(memory: Memory, agent: str) -> list[Message]:
    """What waits for an agent, in the order it was sent; mark it as read when it was handed over."""
    return memory.fleet.relay.unread(agent)


@fleet.get("/v1/relay/threads")
def threads(memory: Memory, agent: str | None = None) -> list[Thread]:
    """Threads of messages, the one written to last first."""
    return memory.fleet.relay.threads(agent)


@fleet.get("/v1/relay/threads/{message}")
def thread(memory: Memory, message: str) -> list[Message]:
    """The thread a message stands in, in the order it was written, with who read it."""
    return memory.fleet.relay.thread(message)


@fleet.post("/v1/relay")
def send_message(
    memory: Memory, text: str, sender: str, to: str | None = None, domain: str | None = None, everybody: bool = False,
    reply: str | None = None, because: str | None = None, hours: Hours | None = None, key: str | None = None,
) -> Message:  # fmt: skip
    """An agent writes to another, to a domain or to all; again under the same key, it is sent once."""
    return memory.fleet.relay.send(
        text, sender=sender, to=to, domain=domain, everybody=everybody, reply=reply, because=because, hours=hours,
        key=key,
    )  # fmt: skip


@fleet.post("/v1/relay/read")
def mark_messages(memory: Memory, agent: str, messages: list[str]) -> Done:
    """An agent was handed these messages."""
    memory.fleet.relay.mark(messages, agent)
    return Done()


@fleet.get("/v1/cascade/{id}")
def cascade(memory: Memory, id: str) -> list[Hop]:
    """How a message, an entry or a flag came about, and what came of it; causes before their effects."""
    return memory.fleet.cascade(id)


@fleet.post("/v1/because")
def because(memory: Memory, effect: str, cause: str) -> Done:
    """One thing came from another: messages, entries or flags, by their ids."""
    memory.fleet.because(effect, cause)
    return Done()


@fleet.get("/v1/flags")
def raised_flags(memory: Memory) -> list[RaisedFlag]:
    """Warnings that were raised by hand and nobody settled."""
    return memory.fleet.flags()


@fleet.post("/v1/flags")
def raise_flag(memory: Memory, text: str, by: str, because: str | None = None) -> RaisedFlag:
    """Somebody warns: people see it until it is settled."""
    return memory.fleet.raise_flag(text, by=by, because=because)


@fleet.post("/v1/flags/{flag}/settle")
def settle_flag(memory: Memory, flag: str) -> RaisedFlag:
    """A person looked at a flag."""
    return memory.fleet.settle(flag)
