"""Many agents: who they are, what they write to each other, what they can do, and what is looked at again and again."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated, Any, Final

from steno.verbs.table import Agent, Arg, Because, Words, verb

if TYPE_CHECKING:
    from steno.memory import Memory
    from steno.verbs import answers
    from steno.verbs.asking import Asker, Where

Name = Annotated[str, Arg(metavar="NAME")]
Path = Annotated[str, Arg(kind="path")]
_LOOK_SECONDS: Final = 0.2


# -- agents ----------------------------------------------------------------------------------------------------------


@verb("agents list")
def agents(memory: Memory) -> list[answers.Agent]:
    """List agents: those of captured sessions, and those you named.

    $ steno agents
    """
    return memory.fleet.agents.all()


@verb("agents show", held=True)
def show_agent(memory: Memory, asker: Asker, agent: Annotated[str, Arg(metavar="NAME")]) -> answers.AgentShown:
    """Show an agent: its place, its north star, and whether it may begin work by itself.

    $ steno agents show main
    """
    from steno.verbs.answers import AgentShown

    name = _name(memory, asker, agent)
    ready = memory.fleet.agents.ready(name)
    return AgentShown(agent=memory.fleet.agents.one(name), ready=ready.is_ready, conditions=ready.conditions)


@verb("agents set", "rules")
def set_agent(
    memory: Memory, name: Name, *,
    host: Annotated[str | None, Arg("Its host: sessions of this host in its projects are this agent's.")] = None,
    project: Annotated[list[str] | None, Arg("Where it works; once for each project.", "P", kind="path")] = None,
    domain: Annotated[list[str] | None, Arg("A field whose messages it gets; once for each.", "D")] = None,
    resume: Annotated[str | None, Arg("The command line that wakes it in its own session.", "COMMAND")] = None,
    webhook: Annotated[str | None, Arg("The address that wakes it.", "URL")] = None,
) -> answers.Agent:  # fmt: skip
    """Say where an agent, known or new, works and how it is woken. What is not given stays as it is.

    $ steno agents set blog --host codex --project ~/blog
    """
    places = None if project is None else tuple(map(memory.project_of, project))
    fields = None if domain is None else tuple(domain)
    return memory.fleet.agents.tell(name, host=host, projects=places, domains=fields, resume=resume, webhook=webhook)


@verb("agents north-star", "rules")
def north_star(
    memory: Memory, name: Name, mission: str, *,
    work: Annotated[tuple[str, ...], Arg("What it may begin by itself; once for each, in order.")] = (),
) -> answers.Agent:  # fmt: skip
    """Give an agent its permanent mission, shown whenever it boots. It replaces the last one.

    $ steno agents north-star blog "an article a week" --work "collect ideas"
    """
    return memory.fleet.agents.point(name, mission, work)


@verb("agents beat", "notes", held=True)
def beat(memory: Memory, asker: Asker, agent: Annotated[str, Arg(metavar="NAME")]) -> answers.Agent:
    """Note that an agent is alive.

    $ steno agents beat blog
    """
    name = _name(memory, asker, agent)
    memory.fleet.agents.beat(name)
    return memory.fleet.agents.one(name)


@verb("agents dispatch", held=True, tool=("dispatch", "request"))
def dispatch(
    memory: Memory, where: Where,
    request: Annotated[str, Arg("What is to be done, in a few words.", kind="words")], *, agent: Agent = None,
) -> answers.Dispatch:  # fmt: skip
    """Say who can do something: which command, agent and flow there are for it, and whether they work.

    $ steno agents dispatch "publish the article"
    """
    from steno.vocabulary import Scope

    return memory.fleet.dispatch(request, Scope(project=where.project, agent=agent))


@verb("agents fitness")
def fitness(memory: Memory, agent: Annotated[str | None, Arg(metavar="NAME")] = None) -> answers.FitnessShown:
    """Show how fit agents are, from 0 to 100; of one agent, every dimension and its history.

    Each dimension that is known and has a better and a worse side counts the same. A job measures every 30 minutes;
    looking saves nothing.

    $ steno agents fitness blog
    """
    from steno.verbs.answers import FitnessShown

    names = None if agent is None else [memory.fleet.agents.one(agent).name]
    measuring = memory.fleet.fitness
    return FitnessShown(now=measuring.measure(names), history=measuring.history(agent), agent=agent)


@verb("agents morning", fresh=True)
def morning(memory: Memory, *, agent: Annotated[str | None, Arg("Only this agent.", "A")] = None) -> answers.Morning:
    """Show one page for whoever coordinates: what each agent did since yesterday, what failed, what would help most.

    Every proposal has what was measured and the command that would do it. Nothing is done by itself.

    $ steno agents morning
    """
    return memory.fleet.morning(agent)


@verb("agents pulse list")
def pulse(memory: Memory) -> list[answers.Look]:
    """Show what would be done about each agent whose work stands still, and why. Off unless you switch it on.

    `steno up` looks by itself, without a model, and wakes the agent in its own session.

    $ steno agents pulse
    """
    return memory.fleet.pulse.looks()


@verb("agents pulse on", "rules")
def pulse_on(
    memory: Memory, name: Name, *, most: Annotated[int, Arg("How often in 24 hours, at most.", "N", least=1)] = 8
) -> answers.Agent:
    """Let an agent be woken when its open work stands still and nobody is there.

    $ steno agents pulse on blog --most 4
    """
    return memory.fleet.pulse.allow(name, most)


@verb("agents pulse off", "rules")
def pulse_off(memory: Memory, name: Name) -> answers.Agent:
    """Stop waking an agent. One that is already at work goes on.

    $ steno agents pulse off blog
    """
    return memory.fleet.pulse.allow(name, 0)


@verb("agents pulse run", "rules", slow=True)
def pulse_run(memory: Memory) -> answers.Woken:
    """Look now, wake whoever is to be woken, and wait until they are done.

    $ steno agents pulse run
    """
    from steno.verbs.answers import Woken

    pulse = memory.fleet.pulse
    looks = pulse.beat()
    ended = {look.last.id: look.last for look in looks if look.last is not None}
    while pulse.is_at_work:
        ended.update({wake.id: wake for wake in pulse.settle()})
        time.sleep(_LOOK_SECONDS)
    return Woken(looks=looks, ended=list(ended.values()))


# -- what agents write to each other ---------------------------------------------------------------------------------


@verb("relay send", "notes", held=True)
def send(
    memory: Memory, asker: Asker, text: Words, *,
    agent: Annotated[str, Arg("Who writes.", "AGENT", "--from")],
    to: Annotated[str | None, Arg("The agent it is for.", "AGENT")] = None,
    domain: Annotated[str | None, Arg("For every agent of this field of work.", "D")] = None,
    everybody: Annotated[bool, Arg("For every agent.", flag="--all")] = False,
    reply: Annotated[str | None, Arg("The message it answers; it goes to whoever wrote that.", "ID")] = None,
    because: Because = None,
    hours: Annotated[float | None, Arg("It expires after so many hours.", "N")] = None,
    key: Annotated[str | None, Arg("A second message with this key is not sent.", "K")] = None,
) -> answers.Sent:  # fmt: skip
    """Write to an agent, to a domain, or to all. The message is stored before this returns.

    $ steno relay send "the draft is ready" --from blog --to qa
    """
    from steno.verbs.answers import Sent

    sent = memory.fleet.relay.send(
        text, sender=_name(memory, asker, agent, because), to=to, domain=domain, everybody=everybody, reply=reply,
        because=because, hours=hours, key=key,
    )  # fmt: skip
    met = sent.kind != "agent" or any(one.name == sent.recipient for one in memory.fleet.agents.all())
    return Sent(message=sent, is_met=met)


@verb("relay read", "notes", held=True)
def read_relay(
    memory: Memory, asker: Asker, arrived: Any, agent: Annotated[str, Arg(metavar="AGENT")]
) -> list[answers.Message]:
    """Read what was written to an agent, to its domains or to all, and was not read by it yet; the oldest first.

    $ steno relay read qa
    """
    name = _name(memory, asker, agent)
    found = memory.fleet.relay.unread(name)
    # Whoever is gone before it arrived reads it the next time.
    arrived(lambda memory: memory.fleet.relay.mark((one.id for one in found), name))
    return found


@verb("relay threads", held=True)
def threads(memory: Memory, asker: Asker, *, agent: Agent = None) -> list[answers.Thread]:
    """List threads of messages, the one written to last first.

    $ steno relay threads --agent qa
    """
    return memory.fleet.relay.threads(_who(memory, asker, agent))


@verb("relay show", held=True)
def thread(
    memory: Memory, asker: Asker, message: Annotated[str, Arg(metavar="ID")], *, agent: Agent = None
) -> list[answers.Message]:
    """Show the whole thread a message stands in, and who read it.

    $ steno relay show 3f2a
    """
    return memory.fleet.relay.thread(message, _who(memory, asker, agent))


@verb("relay trace", held=True)
def trace(
    memory: Memory, asker: Asker, id: Annotated[str, Arg(metavar="ID")], *, agent: Agent = None
) -> list[answers.Hop]:
    """Follow a message, an entry or a flag both ways: what it came from, and everything that came of it.

    $ steno relay trace 3f2a
    """
    from steno.vocabulary import Scope

    scope = Scope(project=None if asker.sees_all else asker.project or "", agent=_who(memory, asker, agent))
    return memory.fleet.cascade(id, scope)


@verb("relay", "notes", held=True, tool=("relay", "agent text to reply because"), doors="")
def relay(
    memory: Memory, asker: Asker, arrived: Any, *,
    agent: Annotated[str, Arg("Your name.")],
    text: Annotated[str | None, Arg("What to write; without: read what waits for you.")] = None,
    to: Annotated[str | None, Arg("Its agent; `all`, or `domain:NAME`, for several.")] = None,
    reply: Annotated[str | None, Arg("The message it answers.")] = None,
    because: Because = None,
) -> list[answers.Message]:  # fmt: skip
    """Read what other agents wrote to you, or write to them. An agent's word, never the user's."""
    if text is None:
        return read_relay(memory, asker, arrived, agent)
    name, whom = (to or "").startswith("domain:"), None if to == "all" else to
    domain = to.removeprefix("domain:") if to and name else None
    sent = send(
        memory, asker, text, agent=agent, to=None if domain else whom, domain=domain, everybody=to == "all",
        reply=reply, because=because,
    )  # fmt: skip
    return [sent.message]


# -- flags -----------------------------------------------------------------------------------------------------------


@verb("flags list", held=True)
def flags(memory: Memory, asker: Asker, *, agent: Agent = None) -> list[answers.RaisedFlag]:
    """List warnings that were raised by hand and nobody settled. What Steno itself found stands in `steno status`.

    $ steno flags
    """
    return memory.fleet.flags(by=_who(memory, asker, agent))


@verb("flags raise", "notes", held=True)
def raise_flag(
    memory: Memory, asker: Asker, text: Words, *,
    agent: Annotated[str, Arg("Who warns.", "AGENT", "--by")],
    because: Because = None,
) -> answers.RaisedFlag:  # fmt: skip
    """Warn people: the flag stands until somebody settles it.

    $ steno flags raise "the export is empty" --by blog
    """
    return memory.fleet.raise_flag(text, by=_name(memory, asker, agent, because), because=because)


@verb("flags settle", "rules")
def settle_flag(memory: Memory, id: Annotated[str, Arg(metavar="ID")]) -> answers.RaisedFlag:
    """Settle a flag: it is kept, and warns nobody any more.

    $ steno flags settle 8c1d
    """
    return memory.fleet.settle(id)


# -- what can be done here -------------------------------------------------------------------------------------------


@verb("capabilities list", held=True)
def capabilities(memory: Memory, where: Where, *, agent: Agent = None) -> list[answers.Capability]:
    """List what can be done here, and how the last check went: ✓ works, ⚠ failed, – never checked.

    $ steno capabilities
    """
    return memory.fleet.capabilities.all(where.project, agent)


@verb("capabilities scan", "rules", slow=True)
def scan_capabilities(memory: Memory) -> list[answers.Capability]:
    """Look for scripts, targets, MCP servers and skills in the folders agents work in. Files are read, nothing is run.

    $ steno capabilities scan
    """
    return memory.fleet.capabilities.scan()


@verb("capabilities check", "rules", slow=True)
def check_capabilities(
    memory: Memory, name: Annotated[str | None, Arg(metavar="NAME")] = None, *,
    seconds: Annotated[float, Arg("How long it may take.")] = 10.0,
) -> list[answers.Capability]:  # fmt: skip
    """Check one capability, or all. Your own checks are run, without a shell; other things are only looked for.

    $ steno capabilities check deploy
    """
    return memory.fleet.capabilities.check(name, seconds=seconds)


@verb("capabilities add", "rules")
def add_capability(
    memory: Memory, name: Name, command: str, *,
    about: Annotated[str, Arg("What it does.")] = "",
    owner: Annotated[str | None, Arg("The agent whose it is.", "AGENT")] = None,
    check: Annotated[str | None, Arg("A command that exits with 0 where it works.", "COMMAND")] = None,
    project: Annotated[str | None, Arg("Where it is run.", "P", kind="path")] = None,
) -> answers.Capability:  # fmt: skip
    """Say that something can be done with a command.

    $ steno capabilities add deploy ./deploy.sh --check "./deploy.sh --dry-run"
    """
    place = None if project is None else memory.project_of(project)
    return memory.fleet.capabilities.tell(name, command, about=about, owner=owner, health=check, project=place)


@verb("capabilities remove", "rules")
def remove_capability(memory: Memory, name: Name) -> answers.Capability:
    """Remove a capability. One found in a folder comes back with the next scan.

    $ steno capabilities remove deploy
    """
    return memory.fleet.capabilities.drop(name)


# -- what is looked at again and again -------------------------------------------------------------------------------


@verb("watch list")
def watches(memory: Memory) -> list[answers.Watched]:
    """List the files and folders that are watched. A job looks every 15 minutes; a change raises a flag.

    $ steno watch
    """
    return memory.fleet.watches.all()


@verb("watch add", "rules")
def watch_path(memory: Memory, path: Path) -> answers.Watched:
    """Raise a flag when a file or folder changes. Only a hash of each file is kept.

    $ steno watch add ~/.claude/settings.json
    """
    return memory.fleet.watches.add(path)


@verb("watch remove", "rules")
def unwatch_path(memory: Memory, path: Path) -> answers.Watched:
    """Stop watching a path.

    $ steno watch remove ~/.claude/settings.json
    """
    return memory.fleet.watches.remove(path)


@verb("bridges list")
def bridges(memory: Memory) -> list[answers.BridgeShown]:
    """List bridges (one agent's output folder is another one's input), and how each is now.

    A bridge is in order when the link is there, the newest file is fresh, and the producer ran before the consumer. A
    job looks every 15 minutes and raises a flag for what is not.

    $ steno bridges
    """
    from steno.verbs.answers import BridgeShown

    known = memory.fleet.bridges
    return [BridgeShown(bridge=one, finding=how) for one, how in zip(known.all(), known.check(), strict=True)]


@verb("bridges add", "rules")
def add_bridge(
    memory: Memory, producer: str, output: Path, consumer: str, input: Path, *,
    hours: Annotated[float, Arg("How old its newest file may be.")] = 24.0,
    written: Annotated[str | None, Arg("When the producer is to run, by this machine's time.", "HH:MM")] = None,
    read: Annotated[str | None, Arg("When the consumer is to run.", "HH:MM")] = None,
) -> answers.Bridge:  # fmt: skip
    """Declare that what PRODUCER writes into OUTPUT is what CONSUMER reads at INPUT, its own name for that folder.

    Steno does not make the link; you do. `steno bridges` says how.

    $ steno bridges add writer ~/writer/out editor ~/editor/in
    """
    return memory.fleet.bridges.add(
        producer, output, consumer, input, hours=hours, produced_at=written, consumed_at=read
    )


@verb("bridges remove", "rules")
def remove_bridge(memory: Memory, input: Path) -> answers.Bridge:
    """Remove the bridge to an input. No file is touched.

    $ steno bridges remove ~/editor/in
    """
    return memory.fleet.bridges.remove(input)


@verb("infrastructure")
def infrastructure(memory: Memory) -> list[answers.Finding]:
    """Check disks, services and jobs of this machine now. Nothing is changed or kept.

    A job looks every 10 minutes, and raises a flag for what went wrong.

    $ steno infrastructure
    """
    return memory.fleet.infrastructure.look()


def _who(memory: Memory, asker: Asker, agent: str | None) -> str | None:
    """Under which name somebody acts here. None: a person."""
    return memory.fleet.who(asker.named(agent), None if asker.sees_all else asker.project or "")


def _name(memory: Memory, asker: Asker, agent: str, because: str | None = None) -> str:
    """The name an agent acts under; what it names as a cause it must be able to see."""
    from steno.vocabulary import Scope

    name = _who(memory, asker, agent) or agent
    if because is not None and not asker.sees_all:
        memory.fleet.known(because, Scope(project=asker.project or "", agent=name))
    return name
