"""What a program may look at and do over HTTP where several agents work."""

from typing import Annotated

from msgspec import Meta

from steno.doors.api_act import Done
from steno.doors.api_table import Table
from steno.memory import Memory
from steno.vocabulary.fleet import Agent, Capability, Dispatch, Hop, Message, RaisedFlag, Readiness, Thread

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


@fleet.get("/v1/agents")
def agents(memory: Memory) -> list[Agent]:
    """Who works here: agents of captured sessions, and those people named."""
    return memory.fleet.agents.all()


@fleet.get("/v1/agents/{agent}")
def agent(memory: Memory, agent: str) -> Agent:
    """One agent, by its name."""
    return memory.fleet.agents.one(agent)


@fleet.get("/v1/agents/{agent}/ready")
def ready(memory: Memory, agent: str) -> Readiness:
    """Whether an agent may begin work by itself: the three things that needs, and what is missing."""
    return memory.fleet.agents.ready(agent)


@fleet.post("/v1/agents/{agent}")
def tell_agent(
    memory: Memory, agent: str, host: str | None = None, projects: list[str] | None = None,
    domains: list[str] | None = None, resume: str | None = None, webhook: str | None = None,
) -> Agent:  # fmt: skip
    """A person says something about an agent, known or new; what is not given stays as it is."""
    return memory.fleet.agents.tell(
        agent, host=host, projects=projects, domains=domains, resume=resume, webhook=webhook
    )


@fleet.post("/v1/agents/{agent}/north-star")
def point_agent(memory: Memory, agent: str, mission: str, work: tuple[str, ...] = ()) -> Agent:
    """A person gives an agent its permanent mission, and the work it may begin by itself."""
    return memory.fleet.agents.point(agent, mission, work)


@fleet.post("/v1/agents/{agent}/beat")
def beat(memory: Memory, agent: str) -> Done:
    """An agent says that it is alive."""
    memory.fleet.agents.beat(agent)
    return Done()


@fleet.get("/v1/capabilities")
def capabilities(memory: Memory) -> list[Capability]:
    """What can be done here, and how the last checks went."""
    return memory.fleet.capabilities.all()


@fleet.post("/v1/capabilities/scan", slow=True)
def scan_capabilities(memory: Memory) -> list[Capability]:
    """Look for what can be done in the folders agents work in; what was found."""
    return memory.fleet.capabilities.scan()


@fleet.post("/v1/capabilities/check", slow=True)
def check_capabilities(memory: Memory, name: str | None = None) -> list[Capability]:
    """Check one capability, or all of them; how they are now."""
    return memory.fleet.capabilities.check(name)


@fleet.get("/v1/dispatch")
def dispatch(memory: Memory, text: str) -> Dispatch:
    """Who can do this: capability, agent and flow, with reasons, and what stands in the way."""
    return memory.fleet.dispatch(text)
