"""Rules, flows, and the gate's page."""

import os
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from steno.cli.show import facts, laid_out, on_terminal, one_line, paragraph, say, width, wrapped
from steno.cli.table import Cell, Column, Rows, table
from steno.cli.words import many, when

_STATUSES: Final = {"critical": "bold red", "active": "green", "dormant": "yellow", "retired": "dim"}
TONES: Final = {"good": "green", "bad": "red", "allow": "green", "warn": "yellow", "ask": "magenta", "block": "red"}


# -- rules -----------------------------------------------------------------------------------------------------------


def _rules(found: Any, given: Mapping[str, Any]) -> None:
    heard = found.heard
    if found.rules:
        rules(found.rules, given)
    elif heard is None or not (heard.rules or heard.refusals or heard.faded):
        say('No rule fits. `steno rules add "…"` gives one.')
    else:
        say("No rule is in force.")
        counted = f"{many(heard.rules, 'instruction')} and {many(heard.refusals, 'refusal')}"
        known = {
            "  heard": f"{counted}: `steno entries --category rule`, `--category rejected`",
            "  no more": f"{heard.faded:,}, faded since nobody spoke of them again, or retired" if heard.faded else "",
            "  to do": 'what must hold, say yourself: `steno rules add "…"`',
        }
        facts(known, 11)
    if found.dormant:
        say((f"{many(found.dormant, 'more rule')} dormant: `steno rules list --status dormant`", "dim"))


def _rule(rule: Any, given: Mapping[str, Any]) -> None:
    say((f"{rule.score:g}", "bold"), "  ", (rule.status, _STATUSES[rule.status]), (f"  {rule.id}", "dim"))
    paragraph(rule.rule)
    say()
    tried, times = rule.trial, rule.reinforcements
    fired = tried and f"would have fired {many(tried.fired, 'time')}, {tried.right} rightly, {tried.wrong} wrongly"
    trial = f"{_time(tried.at)}: {fired}" if tried else f"none yet: `steno rules trial {rule.id}`"
    known = {
        "merged into": rule.merged_into,
        "origin": f"{rule.origin}, from a {rule.source} entry: `steno entries show {rule.id}`",
        "since": _time(rule.born_at),
        "reinforced": f"{_time(rule.reinforced_at)}, {many(times, 'time')}" if times else "",
        "broken": many(rule.violations, "time") if rule.violations else "",
        "domain": rule.domain, "project": rule.project, "agent": rule.agent,
    }  # fmt: skip
    if rule.matcher is not None:
        known |= {"matcher": "   ".join(_patterns(rule.matcher)), "mode": rule.mode, "trial": trial}
    facts(known, 12)
    for said in rule.evidence:
        say()
        say((said.role, "bold"), (f"  #{said.turn}  {said.session}", "dim"))
        paragraph(said.quote)


def _told(done: str, *, offers: bool = False) -> Callable[[Any, Mapping[str, Any]], None]:
    def look(rule: Any, given: Mapping[str, Any]) -> None:
        from steno.rules.stance import has_condition

        mode = f", mode {rule.mode}" if rule.mode else ""
        stands = f"  {rule.score:g} {rule.status}{mode}  {one_line(rule.rule)}"
        say((done.format(where=_in(rule)), "green"), " ", (rule.id, "bold"), stands)
        if offers and rule.matcher is not None:
            at = f"It reminds at: {'   '.join(_patterns(rule.matcher))}."
            try_it = f" To make it ask there, try it on what was done: `steno rules trial {rule.id}`"
            say((at if has_condition(rule.rule) else at + try_it, "dim"))

    return look


def _in(rule: Any) -> str:
    """Where a rule holds."""
    return f"in {os.path.basename(rule.project.rstrip('/')) or rule.project}" if rule.project else "everywhere"


def _tried(found: Any, given: Mapping[str, Any]) -> None:
    from steno.rules.stance import has_condition
    from steno.rules.trial import in_words

    rule, tried = found.rule, found.rule.trial
    say((rule.id, "bold"), f"  {rule.rule}")
    say("matcher  ", "   ".join(_patterns(rule.matcher)))
    if found.firings:
        say()
        table(_FIRINGS, [_firing(one) for one in found.firings])
        say()
    say((f"{in_words(tried).capitalize()}.", "bold"))
    warns = "It warns from now on"
    if has_condition(rule.rule):
        warns += ", each time: nothing but a reader sees whether its condition holds"
    next_step = {
        "warn": f"{warns}. `steno rules raise {rule.id} --to ask` makes it ask.",
        "ask": f"It asks from now on. `steno rules raise {rule.id} --to block` makes it block.",
        "block": "It blocks from now on.",
    }
    better = f'Another pattern may do better: `steno rules trial {rule.id} --matcher-command "…"`.'
    say((better if not tried.fired or tried.wrong > tried.right else next_step[rule.mode], "dim"))


def _patterns(matcher: Any) -> Iterator[str]:
    for name in matcher.__struct_fields__:
        if pattern := getattr(matcher, name):
            yield f"{name} {pattern}"


def _firing(one: Any) -> list[Cell]:
    what = f"{one.tool}: {one.action}" if one.tool not in (None, one.action) else one.action
    return [one.at, one.session, one.turn, what, one.reaction, one.words]


def _time(at: str) -> str:
    return when(at) if laid_out() else at


# -- flows -----------------------------------------------------------------------------------------------------------


def _record(flow: Any) -> str:
    from steno.flows.record import shown

    return shown(flow)


def _flow(flow: Any, given: Mapping[str, Any]) -> None:
    approval = "needs approval" if flow.needs_approval else "no approval needed"
    say((flow.name, "bold"), f"   {_record(flow)}   {flow.health}   {flow.status}   {approval}")
    for number, step in enumerate(flow.steps, 1):
        say(f"  {number}  {one_line(step)}")
    for label, value in (("called by", "; ".join(flow.triggers)), ("project", flow.project), ("agent", flow.agent)):
        if value:
            say((f"{label}: {one_line(value)}", "dim"))
    for before in flow.history:
        say((f"version {before.version}: {before.succeeded} of {before.succeeded + before.failed} went well", "dim"))


def _flows_found(found: Any, given: Mapping[str, Any]) -> None:
    if not found:
        say("No flow fits.")
        return
    _flow(found[0], given)
    if others := [flow.name for flow in found[1:]]:
        say((f"also: {', '.join(others)}", "dim"))


def _flow_told(done: str) -> Callable[[Any, Mapping[str, Any]], None]:
    return lambda flow, given: say((done, "green"), f" {flow.name}, version {flow.version}, {_record(flow)}.")


# -- the gate --------------------------------------------------------------------------------------------------------


def _page(found: Any, given: Mapping[str, Any]) -> None:
    from steno.briefing.page import WIDTH, Row, drawn, to_allow

    most, rows = min(width(), WIDTH) if laid_out() else WIDTH, [Row(*row) for row in found.rows]
    if on_terminal() and found.gate.verdict in ("ask", "block"):
        # Only to whoever sits there: an agent that asks is never told how to lift what was said.
        why = found.gate.reasons[0]
        rows.insert(-1, Row("to allow", to_allow(why.kind, why.rule or why.entry or why.flow)))
    for before, row in drawn(rows, most):
        style = TONES.get(row.tone, "bold" if not row.label else "")
        for number, line in enumerate(wrapped(row.text, most - len(before)) if laid_out() else [row.text]):
            more = before[0].replace("╰", " ").ljust(len(before))
            say((more if number else before, "dim"), (line, style))


def _graded(found: Any, given: Mapping[str, Any]) -> None:
    say(("passed", "green") if found.passed else ("failed", "red"))
    if found.flow is not None:
        say(f"flow       {found.flow.name}: {found.flow.succeeded} of {found.flow.used} went well")
    if found.entry is not None:
        how = "brought up to date" if found.updated else "new"
        say(f"logged     {found.entry.summary} ({found.entry.id}, {how})")
    if found.lesson is not None:
        how = "said before, counted once more" if found.repeated else "kept"
        say(f"learnt     {found.lesson.summary} ({found.lesson.id}, {how})")
    for name, ids in (("stood up", found.reinforced), ("broken", found.violated)):
        if ids:
            say(f"{name:<10} {', '.join(ids)}")
    if found.permanent is not None:
        changed = ", ".join(found.changed)
        say(("lasts", "green") if found.permanent else ("not permanent", "yellow"), f"  {changed or found.proposal}")


_FIRINGS: Final = (
    Column("when", "time"),
    Column("session", "id", spare=1),
    Column("turn", "number", spare=2),
    Column("what", telling=True),
    Column("reaction"),
    Column("the human's words", telling=True),
)
# Lists of what a backtest would have learnt look like these.
rules: Final = Rows(
    (
        Column("id", "id"),
        Column("score", "right", of=lambda one: f"{one.score:.1f}"),
        Column("status", of=lambda one: (one.status, _STATUSES[one.status])),
        Column("mode", spare=2),
        Column("origin", spare=3),
        Column("domain", spare=4),
        Column("project", "path", spare=1),
        Column("rule", telling=True, lines=20),
    ),
    "No rules.",
)
flows: Final = Rows(
    (
        Column("name", telling=True),
        Column("record", of=_record),
        Column("health", spare=1),
        Column("status"),
        Column("domain", spare=2),
        Column("triggers", telling=True, of=lambda one: "; ".join(one.triggers)),
    ),
    "No flows.",
)

LOOKS: Final = {
    "rules list": _rules,
    "rules show": _rule,
    "rules add": _told("In force {where}:", offers=True),
    "rules raise": _told("Raised"),
    "rules lower": _told("Lowered"),
    "rules retire": _told("Retired"),
    "rules lessons": Rows(
        (Column("id", "id"), Column("since", "time"), Column("lesson", telling=True)), "No lesson is only words."
    ),
    "rules trial": _tried,
    "flows list": flows,
    "flows find": _flows_found,
    "flows show": _flow,
    "flows add": _flow_told("Added"),
    "flows edit": _flow_told("Changed"),
    "flows activate": _flow_told("In force:"),
    "flows retire": _flow_told("Retired"),
    "flows outcome": _flow_told("Noted"),
    "gate before": _page,
    "gate after": _graded,
}
