"""What a program may look at and do over HTTP where several agents work. An agent does it under its own name."""

from typing import Annotated

from msgspec import Meta

from steno.doors.api_act import Done
from steno.doors.api_table import Table
from steno.memory import Memory
from steno.vocabulary import Scope
from steno.vocabulary.fleet import Agent, Capability, Dispatch, Hop, Message, RaisedFlag, Readiness, Thread

fleet = Table()

Hours = Annotated[float, Meta(gt=0)]


@fleet.get("/v1/relay/unread", held=True)
def unread_messages(memory: Memory, agent: str, project: str | None = None) -> list[Message]:
    """What waits for an agent, in the order it was sent; mark it as read when it was handed over."""
    return memory.fleet.relay.unread(memory.fleet.who(agent, project) or agent)


@fleet.get("/v1/relay/threads", held=True)
def threads(memory: Memory, agent: str | None = None, project: str | None = None) -> list[Thread]:
    """Threads of messages, the one written to last first; all, or those with something an agent wrote or may read."""
    return memory.fleet.relay.threads(memory.fleet.who(agent, project))


@fleet.get("/v1/relay/threads/{message}", held=True)
def thread(memory: Memory, message: str, agent: str | None = None, project: str | None = None) -> list[Message]:
    """The thread a message stands in, in the order it was written, with who read it."""
    return memory.fleet.relay.thread(message, memory.fleet.who(agent, project))


@fleet.post("/v1/relay", held=True)
def send_message(
    memory: Memory, text: str, agent: str, to: str | None = None, domain: str | None = None, everybody: bool = False,
    reply: str | None = None, because: str | None = None, hours: Hours | None = None, key: str | None = None,
    project: str | None = None,
) -> Message:  # fmt: skip
    """An agent writes to another, to a domain or to all; again under the same key, it is sent once."""
    return memory.fleet.relay.send(
        text, sender=_held(memory, agent, project, because), to=to, domain=domain, everybody=everybody, reply=reply,
        because=because, hours=hours, key=key,
    )  # fmt: skip


@fleet.post("/v1/relay/read", held=True)
def mark_messages(memory: Memory, agent: str, messages: list[str], project: str | None = None) -> Done:
    """An agent was handed these messages."""
    memory.fleet.relay.mark(messages, memory.fleet.who(agent, project) or agent)
    return Done()


@fleet.get("/v1/cascade/{id}", held=True)
def cascade(memory: Memory, id: str, agent: str | None = None, project: str | None = None) -> list[Hop]:
    """How a message, an entry or a flag came about, and what came of it; causes before their effects."""
    return memory.fleet.cascade(id, Scope(project=project, agent=memory.fleet.who(agent, project)))


@fleet.post("/v1/because", held=True)
def because(memory: Memory, effect: str, cause: str, agent: str | None = None, project: str | None = None) -> Done:
    """One thing came from another: messages, entries or flags, by their ids."""
    memory.fleet.because(effect, cause, Scope(project=project, agent=memory.fleet.who(agent, project)))
    return Done()


@fleet.get("/v1/flags", held=True)
def raised_flags(memory: Memory, agent: str | None = None, project: str | None = None) -> list[RaisedFlag]:
    """Warnings that were raised by hand and nobody settled; all, or an agent's own."""
    return memory.fleet.flags(by=memory.fleet.who(agent, project))


@fleet.post("/v1/flags", held=True)
def raise_flag(
    memory: Memory, text: str, agent: str, because: str | None = None, project: str | None = None
) -> RaisedFlag:
    """An agent warns: people see it until it is settled."""
    return memory.fleet.raise_flag(text, by=_held(memory, agent, project, because), because=because)


@fleet.post("/v1/flags/{flag}/settle")
def settle_flag(memory: Memory, flag: str) -> RaisedFlag:
    """A person looked at a flag."""
    return memory.fleet.settle(flag)


@fleet.get("/v1/agents")
def agents(memory: Memory) -> list[Agent]:
    """Who works here: agents of captured sessions, and those people named."""
    return memory.fleet.agents.all()


@fleet.get("/v1/agents/{agent}", held=True)
def agent(memory: Memory, agent: str, project: str | None = None) -> Agent:
    """One agent, by its name."""
    return memory.fleet.agents.one(memory.fleet.who(agent, project) or agent)


@fleet.get("/v1/agents/{agent}/ready", held=True)
def ready(memory: Memory, agent: str, project: str | None = None) -> Readiness:
    """Whether an agent may begin work by itself: the three things that needs, and what is missing."""
    return memory.fleet.agents.ready(memory.fleet.who(agent, project) or agent)


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


@fleet.post("/v1/agents/{agent}/beat", held=True)
def beat(memory: Memory, agent: str, project: str | None = None) -> Done:
    """An agent says that it is alive."""
    memory.fleet.agents.beat(memory.fleet.who(agent, project) or agent)
    return Done()


@fleet.get("/v1/capabilities", held=True)
def capabilities(memory: Memory, project: str | None = None, agent: str | None = None) -> list[Capability]:
    """What can be done here, and how the last checks went; all, or what is seen from a project."""
    return memory.fleet.capabilities.all(project, agent)


@fleet.post("/v1/capabilities/scan", slow=True)
def scan_capabilities(memory: Memory) -> list[Capability]:
    """Look for what can be done in the folders agents work in; what was found."""
    return memory.fleet.capabilities.scan()


@fleet.post("/v1/capabilities/check", slow=True)
def check_capabilities(memory: Memory, name: str | None = None) -> list[Capability]:
    """Check one capability, or all of them; how they are now."""
    return memory.fleet.capabilities.check(name)


@fleet.get("/v1/dispatch", held=True)
def dispatch(memory: Memory, text: str, project: str | None = None, agent: str | None = None) -> Dispatch:
    """Who can do this: capability, agent and flow, with reasons, and what stands in the way."""
    return memory.fleet.dispatch(text, Scope(project=project, agent=agent))


def _held(memory: Memory, agent: str, project: str | None, because: str | None) -> str:
    """The name an agent acts under; what it names as a cause it must be able to see."""
    name = memory.fleet.who(agent, project) or agent
    if because is not None and project is not None:
        memory.fleet.known(because, Scope(project=project, agent=name))
    return name
