"""MCP tools for agents that are not alone: what others wrote, and writing to them."""

from collections.abc import Awaitable, Callable
from typing import Annotated, Any

from mcp.server import MCPServer
from mcp_types import CallToolResult, ToolAnnotations
from pydantic import BaseModel, Field

from steno.briefing import answers
from steno.doors.asker import Asker
from steno.memory import Memory
from steno.vocabulary import Scope

# Has the workers answer, and makes a tool's result of it.
Ask = Callable[[Callable[[Memory, Asker], Any]], Awaitable[CallToolResult]]
_LOOKS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
_WRITES = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=False)


class Dispatched(BaseModel):
    """Who can do something."""

    text: str
    capability: str | None
    agent: str | None
    flow: str | None
    # What stands in the way.
    missing: list[str]


class Relayed(BaseModel):
    """What waited for an agent, or what it wrote."""

    text: str
    # Ids of messages, the oldest first.
    ids: list[str]


def add_tools(server: MCPServer[Any], ask: Ask) -> None:
    """Put these tools beside the others."""

    @server.tool(annotations=_WRITES)
    async def relay(
        agent: Annotated[str, Field(description="Your name.")],
        text: Annotated[str | None, Field(description="What to write; without: read what waits for you.")] = None,
        to: Annotated[str | None, Field(description="Its agent; `all`, or `domain:NAME`, for several.")] = None,
        reply: Annotated[str | None, Field(description="The message it answers.")] = None,
        because: Annotated[str | None, Field(description="Id of what it came from.")] = None,
    ) -> Annotated[CallToolResult, Relayed]:
        """Read what other agents wrote to you, or write to them. An agent's word, never the user's."""
        if text is None:
            return await ask(lambda memory, asker: _read(memory, _name(memory, asker, agent)))
        return await ask(
            lambda memory, asker: _sent(memory, _name(memory, asker, agent, because), text, to, reply, because)
        )

    @server.tool(annotations=_LOOKS)
    async def dispatch(
        request: Annotated[str, Field(description="What is to be done, in a few words.")],
    ) -> Annotated[CallToolResult, Dispatched]:
        """Ask who can do something: which command, agent and flow there are for it, and whether they work."""
        return await ask(lambda memory, asker: _dispatched(memory, asker, request))


def _name(memory: Memory, asker: Asker, agent: str, because: str | None = None) -> str:
    """The name an agent acts under; what it names as a cause it must be able to see."""
    project = asker.sees(memory, None)
    name = memory.fleet.who(asker.named(agent), project) or agent
    if because is not None and not asker.is_person:
        memory.fleet.known(because, Scope(project=project, agent=name))
    return name


def _dispatched(memory: Memory, asker: Asker, request: str) -> Dispatched:
    found = memory.fleet.dispatch(request, Scope(project=asker.sees(memory, None), agent=asker.agent))
    return Dispatched(
        text=answers.dispatched(found), capability=found.capability.name if found.capability else None,
        agent=found.agent, flow=found.flow, missing=list(found.missing),
    )  # fmt: skip


def _read(memory: Memory, agent: str) -> Relayed:
    found = memory.fleet.relay.unread(agent)
    memory.fleet.relay.mark((one.id for one in found), agent)
    return Relayed(text=answers.messages(found), ids=[one.id for one in found])


def _sent(memory: Memory, agent: str, text: str, to: str | None, reply: str | None, because: str | None) -> Relayed:
    domain = to.removeprefix("domain:") if to and to.startswith("domain:") else None
    everybody = to == "all"
    name = None if everybody or domain is not None else to
    sent = memory.fleet.relay.send(
        text, sender=agent, to=name, domain=domain, everybody=everybody, reply=reply, because=because
    )
    return Relayed(text=answers.messages([sent], sent=True), ids=[sent.id])
