"""`steno relay`, `cascade`: what agents write to each other, and how one thing led to another."""

import sys
from typing import TYPE_CHECKING, Final

import click

import steno
from steno.cli.show import answer, json_option, one_line, print_json, say
from steno.cli.table import Cell, Column, listed
from steno.cli.words import ago

if TYPE_CHECKING:
    from steno.vocabulary.fleet import Message, Thread

_COLUMNS: Final = (
    Column("id", "id"),
    Column("sender", heading="from"),
    Column("to"),
    Column("messages", "number"),
    Column("last_at", "time", "last"),
    Column("text", telling=True),
)
because_option = click.option("--because", metavar="ID", help="What it came from: a message, an entry or a flag.")


@click.group(short_help="Messages between agents: send, read, threads.")
def relay() -> None:
    """What agents write to each other: kept, in order, until it is read. It is an agent's word, whatever it says."""


@relay.command(short_help="Write to an agent, a domain, or all.")
@click.argument("text", nargs=-1, required=True)
@click.option("--from", "sender", metavar="AGENT", required=True, help="Who writes.")
@click.option("--to", metavar="AGENT", help="The agent it is for.")
@click.option("--domain", metavar="D", help="For every agent of this field of work.")
@click.option("--all", "everybody", is_flag=True, help="For every agent.")
@click.option("--reply", metavar="ID", help="The message it answers; it goes to whoever wrote that.")
@because_option
@click.option("--hours", type=click.FloatRange(0, min_open=True), help="It expires after so many hours.")
@click.option("--key", metavar="K", help="Sent again under the same key, it is sent once.")
@json_option
def send(
    text: tuple[str, ...], sender: str, to: str | None, domain: str | None, everybody: bool, reply: str | None,
    because: str | None, hours: float | None, key: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Send TEXT. It is in the store before this command says so."""
    with steno.open() as memory:
        sent = memory.fleet.relay.send(
            " ".join(text), sender=sender, to=to, domain=domain, everybody=everybody, reply=reply, because=because,
            hours=hours, key=key,
        )  # fmt: skip
        met = sent.kind != "agent" or any(one.name == sent.recipient for one in memory.fleet.agents.all())
    stranger = "" if met else ", whom nobody has met yet; `steno agents` lists the others"
    answer(sent, ("Sent", "green"), f" {sent.id} to {one_line(sent.address)}{stranger}", as_json=as_json)


@relay.command(short_help="Read what waits for an agent.")
@click.argument("agent")
@json_option
def read(agent: str, as_json: bool) -> None:
    """Read what was written to AGENT, to its domains or to all, and was not read by it yet; the oldest first.

    What was printed is marked as read.
    """
    with steno.open() as memory:
        found = memory.fleet.relay.unread(agent)
        if as_json:
            print_json(*found)
        else:
            _show(found)
        # Whoever is gone before it was printed reads it the next time.
        sys.stdout.flush()
        if found:
            memory.fleet.relay.mark((one.id for one in found), agent)
    if not found and not as_json:
        say("Nothing to read.")


@relay.command(short_help="List threads, or show one.")
@click.argument("id_", metavar="[ID]", required=False)
@click.option("--agent", metavar="A", help="Only what it wrote or may read.")
@json_option
def threads(id_: str | None, agent: str | None, as_json: bool) -> None:
    """List threads, the one written to last first; or show the whole one the message ID stands in, and who read it."""
    with steno.open() as memory:
        if id_ is not None:
            found = memory.fleet.relay.thread(id_, agent)
            if as_json:
                print_json(*found)
            else:
                _show(found)
            return
        known = memory.fleet.relay.threads(agent)
    none = "No messages. `steno relay send TEXT --from AGENT --to AGENT` writes one."
    listed(known, _COLUMNS, _row, none=none, as_json=as_json)


@click.command(short_help="How one thing led to another.")
@click.argument("id_", metavar="ID")
@json_option
def cascade(id_: str, as_json: bool) -> None:
    """Follow a message, an entry or a flag both ways: what it came from, and everything that came of it."""
    with steno.open() as memory:
        found = memory.fleet.cascade(id_)
    if as_json:
        print_json(*found)
        return
    for hop in found:
        head = f"{'   ' * hop.depth}{'└─ ' if hop.depth else ''}{hop.kind} {hop.id}"
        say((head, "bold"), (f"  {one_line(hop.sender)} → {one_line(hop.to)}, {ago(hop.at)}", "dim"))
        say(f"{'   ' * (hop.depth + 1)}{one_line(hop.what)}")


def _row(one: "Thread") -> list[Cell]:
    return [one.id, one.sender, one.address, one.messages, one.last_at, one.text]


def _show(found: "list[Message]") -> None:
    for one in found:
        read = f", read by {', '.join(one.read_by)}" if one.read_by else ""
        say((one.id, "bold"), (f"  {one_line(one.sender)} → {one_line(one.address)}, {ago(one.at)}{read}", "dim"))
        say(f"  {one_line(one.text)}")
