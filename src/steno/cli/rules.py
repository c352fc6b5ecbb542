"""`steno rules`: how to behave, and a person's say over it."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import click

from steno.cli.progress import learnt
from steno.cli.show import answer, json_option, laid_out, one_line, paragraph, print_json, say
from steno.cli.table import Cell, Column, listed, table
from steno.cli.trial import trial
from steno.cli.where import project_option
from steno.cli.words import many, when

if TYPE_CHECKING:
    from collections.abc import Sequence

    from steno import Memory
    from steno.vocabulary import Entry, Mode, Rule, RuleStatus

# Written out, because a help page must not wait for the vocabulary to be imported; a test says they agree.
STATUSES: "Final[Sequence[RuleStatus]]" = ("critical", "active", "dormant", "retired")
MODES: "Final[Sequence[Mode]]" = ("warn", "ask", "block")
_STYLES: Final = {"critical": "bold red", "active": "green", "dormant": "yellow", "retired": "dim"}
_COLUMNS: Final = (
    Column("id", "id"),
    Column("score", "right"),
    Column("status"),
    Column("mode", spare=2),
    Column("origin", spare=3),
    Column("domain", spare=4),
    Column("rule", telling=True),
)

_LESSONS: Final = (Column("id", "id"), Column("since", "time"), Column("lesson", telling=True))

_id = click.argument("id_", metavar="ID")


@click.group(short_help="How to behave: list, add, raise, lower, retire rules.", invoke_without_command=True)
@json_option
@click.pass_context
def rules(ctx: click.Context, as_json: bool) -> None:
    """Scored instructions on how to behave. Without a verb, those in force are listed.

    Critical rules (9 and more) always hold and only a person retires them. Active ones hold; from 7 on they are loaded
    at the start of a session. What nobody stands up for loses half a point a day after a while: it becomes dormant
    below 5, retired below 3, and is gone from the lists below 1.
    """
    if ctx.invoked_subcommand is None:
        ctx.invoke(list_, as_json=as_json)


@rules.command("list", short_help="List rules, the highest score first.")
@click.option("--status", type=click.Choice(STATUSES), help="Only these; without it, critical and active ones.")
@project_option("Only what holds in this project.")
@click.option("--agent", metavar="A", help="Only what holds for this agent.")
@json_option
def list_(
    status: "RuleStatus | None" = None, project: str | None = None, agent: str | None = None, as_json: bool = False
) -> None:
    """List rules, the highest score first: critical and active ones, or those of a status."""
    with learnt() as memory:
        found = memory.rules.all(status, project, agent)
        asleep = len(memory.rules.all("dormant", project, agent)) if status is None and not as_json else 0
        why_none = [] if found or as_json or status or project or agent else _why_none(memory)
    if as_json:
        print_json(*found)
        return
    if found:
        listing(found)
    elif why_none:
        say("No rule is in force.")
        for name, value in why_none:
            say((f"  {name:<9}", "dim"), value)
    else:
        say('No rule fits. `steno rules add "…"` gives one.')
    if asleep:
        say((f"{many(asleep, 'more rule')} dormant: `steno rules list --status dormant`", "dim"))


@rules.command(short_help="Show a rule, with the words it rests on.")
@_id
@json_option
def show(id_: str, as_json: bool) -> None:
    """Show the rule ID (or the only one whose id begins so) whole, with the quotes behind it."""
    with learnt() as memory:
        rule = memory.rules.one(id_)
        entry = memory.rules.entry(rule)
    if as_json:
        print_json(_whole(rule, entry))
        return
    say((f"{rule.score:g}", "bold"), "  ", (rule.status, _STYLES[rule.status]), (f"  {rule.id}", "dim"))
    paragraph(rule.rule)
    say()
    for name, value in _facts(rule):
        if value:
            say((f"{name:<12}", "dim"), one_line(value))
    for said in entry.evidence:
        say()
        say((said.role, "bold"), (f"  #{said.turn}  {said.session}", "dim"))
        paragraph(said.quote)


@rules.command(short_help="Give an instruction.")
@click.argument("text", nargs=-1, required=True)
@click.option("--preference", is_flag=True, help="What you prefer, not what must be: it enters at 7 and may fade.")
@click.option("--domain", metavar="D", default="GENERAL", show_default=True, help="The field of work it belongs to.")
@project_option("The project it holds in; else everywhere.")
@click.option("--agent", metavar="A", help="The agent it is for; else all.")
@json_option
def add(text: tuple[str, ...], as_json: bool, **where: Any) -> None:
    """Add the rule TEXT. An instruction is critical at once, and holds until a person retires it."""
    with learnt() as memory:
        _tell("In force", memory.rules.add(" ".join(text), **where), as_json=as_json)


@rules.command("raise", short_help="Stand up for a rule, or let its matcher ask or block.")
@_id
@click.option("--to", type=click.Choice(MODES[1:]), help="One step up: from warn to ask, from ask to block.")
@json_option
def raise_(id_: str, to: "Mode | None", as_json: bool) -> None:
    """Give the rule ID half a point more; a retired one comes back at 5. With --to, its matcher goes up a step.

    A matcher may ask or block only after a trial: `steno rules trial ID`.
    """
    with learnt() as memory:
        _tell("Raised", memory.rules.raise_(id_, to), as_json=as_json)


@rules.command(short_help="Take half a point from a rule, or lower its matcher.")
@_id
@click.option("--to", type=click.Choice(MODES[:-1]), help="Down to asking, or to warning.")
@json_option
def lower(id_: str, to: "Mode | None", as_json: bool) -> None:
    """Take half a point from the rule ID. With --to, its matcher goes down to that mode."""
    with learnt() as memory:
        _tell("Lowered", memory.rules.lower(id_, to), as_json=as_json)


@rules.command(short_help="Lay a rule aside.")
@_id
@json_option
def retire(id_: str, as_json: bool) -> None:
    """Lay the rule ID aside, also a critical one. Its entry stays; `steno rules raise ID` brings it back."""
    with learnt() as memory:
        _tell("Retired", memory.rules.retire(id_), as_json=as_json)


@rules.command(short_help="List lessons that are only words.")
@json_option
def lessons(as_json: bool) -> None:
    """List what agents learnt and nothing but words holds, with its age: no script, flow, matcher or schema changed.

    One leaves the list when `steno gate after` tells it again after something changed, when its rule is given a matcher
    (`steno rules trial ID`) or retired.
    """
    with learnt() as memory:
        found = memory.rules.lessons()
    listed(
        found, _LESSONS, lambda one: [one.id, one.since, one.lesson], none="No lesson is only words.", as_json=as_json,
        flat=lambda one: one._asdict(),
    )  # fmt: skip


rules.add_command(trial)


def _why_none(memory: "Memory") -> list[tuple[str, str]]:
    """What there is that could be a rule, and what to do: for who expected some. Nothing where nothing was heard."""
    heard = {name: memory.entries(category=name) for name in ("rule", "rejected")}
    waiting, faded = sum(entry.waits for entries in heard.values() for entry in entries), memory.rules.faded()
    if not (any(heard.values()) or faded):
        return []
    counted = f"{many(len(heard['rule']), 'instruction')} and {many(len(heard['rejected']), 'refusal')}"
    facts = [
        ("heard", f"{counted}, sure or not: `steno entries --category rule`, `--category rejected`"),
        ("waiting", f"{waiting:,} for your word, until then they bind nobody: `steno review`" if waiting else ""),
        ("no more", f"{faded:,}, faded since nobody spoke of them again, or retired" if faded else ""),
        ("to do", 'what must hold, say yourself: `steno rules add "…"`'),
    ]
    return [fact for fact in facts if fact[1]]


def _tell(done: str, rule: "Rule", *, as_json: bool) -> None:
    mode = f", mode {rule.mode}" if rule.mode else ""
    stands = f"  {rule.score:g} {rule.status}{mode}  {one_line(rule.rule)}"
    answer(rule, (done, "green"), " ", (rule.id, "bold"), stands, as_json=as_json)


def _whole(rule: "Rule", entry: "Entry") -> dict[str, Any]:
    """A rule as programs read it, with its entry's quotes."""
    import msgspec

    return {**msgspec.to_builtins(rule), "evidence": entry.evidence}


def listing(found: "list[Rule]") -> None:
    """A line for each rule."""
    table(_COLUMNS, [_row(rule) for rule in found])


def _row(rule: "Rule") -> list[Cell]:
    status = (rule.status, _STYLES[rule.status])
    return [rule.id, f"{rule.score:.1f}", status, rule.mode, rule.origin, rule.domain, rule.rule]


def _facts(rule: "Rule") -> Iterator[tuple[str, str]]:
    yield "merged into", rule.merged_into or ""
    yield "origin", f"{rule.origin}, from a {rule.source} entry: `steno show {rule.id}`"
    yield "since", _time(rule.born_at)
    yield (
        "reinforced",
        f"{_time(rule.reinforced_at)}, {many(rule.reinforcements, 'time')}" if rule.reinforcements else "",
    )
    yield "broken", many(rule.violations, "time") if rule.violations else ""
    yield "domain", rule.domain
    yield "project", rule.project or ""
    yield "agent", rule.agent or ""
    if rule.matcher is not None:
        patterns = ((name, getattr(rule.matcher, name)) for name in rule.matcher.__struct_fields__)
        yield "matcher", "   ".join(f"{name} {pattern}" for name, pattern in patterns if pattern)
        yield "mode", rule.mode or ""
        yield "trial", _trial_in_words(rule)


def _trial_in_words(rule: "Rule") -> str:
    if rule.trial is None:
        return f"none yet: `steno rules trial {rule.id}`"
    tried = rule.trial
    return (
        f"{_time(tried.at)}: would have fired {many(tried.fired, 'time')}, {tried.right} rightly, {tried.wrong} wrongly"
    )


def _time(at: str) -> str:
    return when(at) if laid_out() else at
