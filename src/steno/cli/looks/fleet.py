"""Agents, their messages and flags, and what is looked at again and again."""

import shlex
from collections.abc import Mapping
from typing import Any, Final

from steno.cli.show import facts, one_line, say
from steno.cli.table import Cell, Column, Rows, table
from steno.cli.words import ago, many

_STATES: Final = {True: ("ok", "green"), False: ("not well", "red"), None: ("not known", "yellow")}
_STYLES: Final = {True: "green", False: "red", None: "dim"}
_NOBODY: Final = "No agents yet. `steno capture --all` meets those that worked here."
_NOTHING: Final = "Nothing is known yet. `steno capabilities scan` looks for what there is."


def _told(word: str, style: str, what: Any) -> Any:
    """A line: what was done, and to what."""
    return lambda found, given: say((word, style), f" {one_line(what(found))}")


def _agent(found: Any, given: Mapping[str, Any]) -> None:
    agent, own = found.agent, found.agent.facts
    heard = f"heard of {ago(agent.heard_at)}" if agent.heard_at else "never heard of"
    say((one_line(agent.name), "bold"), f"  {many(agent.sessions, 'session')}, {heard}")
    told = {
        "host": ", ".join(agent.hosts), "projects": ", ".join(agent.projects), "domains": ", ".join(own.domains),
        "resume": own.resume, "webhook": own.webhook, "mission": own.star.mission if own.star else "",
    }  # fmt: skip
    told |= {f"work {place}": text for place, text in enumerate(own.star.work if own.star else (), 1)}
    facts(told, 10)
    say(("ready for self-direction", "green") if found.ready else ("waits for instructions", "yellow"))
    for condition in found.conditions:
        sign = ("  ✓ ", "green") if condition.holds else ("  ✗ ", "red")
        say(sign, f"{condition.name}: {one_line(condition.detail)}")


def _dispatch(found: Any, given: Mapping[str, Any]) -> None:
    able = found.capability
    told = {"capability": f"{able.sign} {able.command}" if able else "", "agent": found.agent, "flow": found.flow}
    for name, text in told.items():
        say((f"{name:<11} ", "dim"), one_line(text) if text else ("none", "yellow"))
    for reason in found.reasons:
        say(("because     ", "dim"), one_line(reason))
    for one in found.missing:
        say(("missing     ", "yellow"), one_line(one))


def _fitness(found: Any, given: Mapping[str, Any]) -> None:
    if not found.now:
        say("No agent was heard of in the last month. `steno agents` lists those there are.")
    elif found.agent is None:
        table(_FITNESS, [_score(one, found.history) for one in found.now])
    else:
        [one, *_] = found.now
        say((one.agent, "bold"), "  not known" if one.score is None else f"  {one.score:.0f} of 100")
        table(_DIMENSIONS, _dimensions(one, found.history))


_FITNESS: Final = (Column("agent", telling=True), Column("score", "right"), Column("known", "right"), Column("history"))
_DIMENSIONS: Final = (
    Column("dimension"),
    Column("value", "right"),
    Column("worth", "right"),
    Column("history"),
    Column("about", telling=True, spare=1),
)


def _score(one: Any, history: Any) -> list[Cell]:
    from steno.fleet.fitness import DIMENSIONS, sparkline

    scores = [*(was.score for was in history if was.agent == one.agent), one.score]
    score = "not known" if one.score is None else f"{one.score:.0f}"
    return [one.agent, score, f"{len(one.values)} of {len(DIMENSIONS)}", sparkline(scores)]


def _dimensions(one: Any, history: Any) -> list[list[Cell]]:
    from steno.fleet.fitness import DIMENSIONS, sparkline
    from steno.fleet.morning import shown

    rows: list[list[Cell]] = []
    for name, dimension in DIMENSIONS.items():
        value = one.values.get(name)
        worth = dimension.worth(value)
        told = (f"{worth:.0%}", "red" if worth < 0.5 else "green") if worth is not None else None
        line = sparkline([*(was.values.get(name) for was in history), value])
        rows.append([name, shown(dimension, value), told, line, dimension.about])
    return rows


def _morning(found: Any, given: Mapping[str, Any]) -> None:
    from steno.fleet.morning import lines

    for line in lines(found):
        say((line, "bold")) if line.startswith("#") else say(line)


def _would_wake(looks: Any) -> None:
    for look in looks:
        if look.command:
            say((f"would wake {one_line(look.agent)} by ", "dim"), one_line(shlex.join(look.command)))


def _woken(found: Any, given: Mapping[str, Any]) -> None:
    for look in found.looks:
        say(("woke ", "green"), f"{one_line(look.agent)} in {look.session}: {look.why}")
    if not found.looks:
        say("Nobody is to be woken. `steno agents pulse` says why.")
    for wake in found.ended:
        if wake.passed is False:
            say(("could not wake ", "red"), f"{one_line(wake.agent)}: {one_line(wake.said)}")


def _sent(found: Any, given: Mapping[str, Any]) -> None:
    stranger = "" if found.is_met else ", whom nobody has met yet; `steno agents` lists the others"
    say(("Sent", "green"), f" {found.message.id} to {one_line(found.message.address)}{stranger}")


def _messages(found: Any, given: Mapping[str, Any]) -> None:
    for one in found:
        read = f", read by {', '.join(one.read_by)}" if one.read_by else ""
        say((one.id, "bold"), (f"  {one_line(one.sender)} → {one_line(one.address)}, {ago(one.at)}{read}", "dim"))
        say(f"  {one_line(one.text)}")
    if not found:
        say("Nothing to read.")


def _hops(found: Any, given: Mapping[str, Any]) -> None:
    for hop in found:
        head = f"{'   ' * hop.depth}{'└─ ' if hop.depth else ''}{hop.kind} {hop.id}"
        say((head, "bold"), (f"  {one_line(hop.sender)} → {one_line(hop.to)}, {ago(hop.at)}", "dim"))
        say(f"{'   ' * (hop.depth + 1)}{one_line(hop.what)}")


def _mending(found: Any) -> None:
    for one in found:
        if mend := getattr(one, "finding", one).mend:
            say(("mend  ", "dim"), mend)


_CAPABILITIES: Final = (
    Column("how", of=lambda one: (one.sign, _STYLES[one.passed])),
    Column("name", telling=True),
    Column("command", spare=1),
    Column("kind", spare=3),
    Column("owner", spare=2),
    Column("checked_at", "time", "checked", spare=4),
    Column("about", telling=True, of=lambda one: one.said if one.passed is False else one.about),
)

LOOKS: Final = {
    "agents list": Rows(
        (
            Column("name"),
            Column("hosts", spare=1, of=lambda one: ", ".join(one.hosts)),
            Column("projects", telling=True, of=lambda one: ", ".join(one.projects)),
            Column("sessions", "number", spare=2),
            Column("unread", "number", spare=3),
            Column("heard_at", "time", "heard"),
            Column("mission", telling=True, of=lambda one: one.facts.star.mission if one.facts.star else None),
        ),
        _NOBODY,
    ),
    "agents show": _agent,
    "agents set": _told("Noted", "green", lambda one: one.name),
    "agents north-star": _told("Noted", "green", lambda one: one.name),
    "agents beat": _told("Noted", "green", lambda one: one.name),
    "agents dispatch": _dispatch,
    "agents fitness": _fitness,
    "agents morning": _morning,
    "agents pulse list": Rows(
        (
            Column("agent"),
            Column("most", "number", "a day"),
            Column("wakes", of=lambda one: "yes" if one.wakes else "no"),
            Column("why", telling=True),
            Column("quiet_since", "time", "quiet"),
            Column("woken", "time", "woken last", of=lambda one: one.last.at if one.last else None),
            Column("goal", telling=True),
        ),
        _NOBODY,
        _would_wake,
    ),
    "agents pulse on": lambda one, given: say(
        ("Pulse is on", "green"), f" for {one_line(one.name)}, at most {many(one.facts.wakes_a_day, 'time')} a day."
    ),
    "agents pulse off": lambda one, given: say(("Pulse is off", "yellow"), f" for {one_line(one.name)}."),
    "agents pulse run": _woken,
    "relay send": _sent,
    "relay read": _messages,
    "relay threads": Rows(
        (
            Column("id", "id"),
            Column("sender", heading="from"),
            Column("to", of=lambda one: one.address),
            Column("messages", "number"),
            Column("last_at", "time", "last"),
            Column("text", telling=True),
        ),
        "No messages. `steno relay send TEXT --from AGENT --to AGENT` writes one.",
    ),
    "relay show": _messages,
    "relay trace": _hops,
    "flags list": Rows(
        (
            Column("id", "id"),
            Column("raised_by", heading="by"),
            Column("at", "time", "since"),
            Column("text", telling=True),
        ),
        "No flags were raised. `steno status` says what Steno found.",
    ),
    "flags raise": _told("Raised", "yellow", lambda one: one.id),
    "flags settle": _told("Settled", "green", lambda one: one.id),
    "capabilities list": Rows(_CAPABILITIES, _NOTHING),
    "capabilities scan": Rows(
        _CAPABILITIES, "Nothing was found. `steno agents set NAME --project P` names a folder to look in."
    ),
    "capabilities check": Rows(_CAPABILITIES, _NOTHING),
    "capabilities add": _told("Noted", "green", lambda one: one.name),
    "capabilities remove": _told("Removed", "green", lambda one: one.name),
    "watch list": Rows(
        (
            Column("path", telling=True),
            Column("files", "number", of=lambda one: len(one.files or ())),
            Column("since", "time", spare=1),
            Column("looked_at", "time", "looked"),
            Column("changed_at", "time", "changed"),
        ),
        "Nothing is watched. `steno watch add PATH` begins.",
    ),
    "watch add": _told("Watched", "green", lambda one: one.path),
    "watch remove": _told("No longer watched:", "green", lambda one: one.path),
    "bridges list": Rows(
        (
            Column("state", of=lambda one: ("broken", "red") if one.finding.ok is False else _STATES[one.finding.ok]),
            Column("producer", of=lambda one: one.bridge.producer),
            Column("output", "path", spare=1, of=lambda one: one.bridge.output),
            Column("consumer", of=lambda one: one.bridge.consumer),
            Column("input", "path", of=lambda one: one.bridge.input),
            Column("told", telling=True, of=lambda one: one.finding.detail),
        ),
        "No bridges. `steno bridges add PRODUCER OUTPUT CONSUMER INPUT` declares one.",
        _mending,
    ),
    "bridges add": _told("Declared", "green", lambda one: one.name),
    "bridges remove": _told("Removed", "green", lambda one: one.name),
    "infrastructure": Rows(
        (
            Column("state", of=lambda one: _STATES[one.ok]),
            Column("what", telling=True),
            Column("told", telling=True, of=lambda one: one.detail),
        ),
        "Nothing was looked at.",
        _mending,
    ),
}
