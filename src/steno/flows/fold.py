"""Folding: what people told us about flows, how they went, and what was learnt, in order of time, gives the flows.

A record of the act `flow` holds the whole flow as it stood after the act. So one that is forgotten leaves no half of a
flow behind, and a candidate that a person took up stays when the journal no longer suggests it.
"""

from collections.abc import Iterable
from typing import Final, Literal, NamedTuple, TypeVar

import msgspec
from msgspec import Struct, field, structs

from steno.vocabulary import Flow, FlowRecord, FlowStatus

# Of the smaller of two flows' steps, so many in common make them the same procedure.
ALIKE: Final = 0.6


class Record(NamedTuple):
    """Something we were told: when, what was done, to which flow, and the words as JSON."""

    at: str
    act: str
    name: str
    value: str


class Told(Struct, kw_only=True):
    """A flow as a record of the act `flow` holds it."""

    do: Literal["add", "edit", "activate", "retire"]
    # Also in the words, so that forgetting a text finds it here.
    name: str
    steps: list[str]
    triggers: list[str] = field(default_factory=list)
    domain: str = "GENERAL"
    agent: str | None = None
    project: str | None = None
    needs_approval: bool = False
    # When it was made, if that was before this record.
    created_at: str | None = None


class Went(Struct, kw_only=True):
    """What a record of the act `outcome` says about a flow."""

    passed: bool
    flow: str | None = None


_Said = TypeVar("_Said", Told, Went)


def fold(records: Iterable[Record], learnt: Iterable[Flow] = ()) -> dict[str, Flow]:
    """All flows by name. A candidate that somebody decided on, or that is like such a one, gives way to it."""
    told: dict[str, Flow] = {}
    early: dict[str, list[tuple[str, bool]]] = {}
    for record in sorted(records, key=lambda record: record.at):
        if record.act == "flow" and (said := _decoded(record.value, Told)):
            known = told.get(said.name)
            told[said.name] = _changed(known, said, record.at) if known else _made(said, record.at, early)
        elif record.act == "outcome" and (went := _decoded(record.value, Went)) and (name := went.flow):
            if name in told:
                told[name] = _used(told[name], record.at, passed=went.passed)
            else:
                early.setdefault(name, []).append((record.at, went.passed))
    flows = dict(told)
    for flow in learnt:
        if flow.name not in flows and not any(
            alike(flow.steps, other) for known in told.values() for other in _steps(known)
        ):
            flows[flow.name] = _with_early(flow, early)
    return flows


def as_learnt(flow: Flow) -> Flow:
    """A candidate as it was learnt, without what happened to it since."""
    return structs.replace(flow, used_at=None, succeeded=0, failed=0)


def alike(one: list[str], other: list[str]) -> bool:
    """Whether two lists of steps are the same procedure."""
    steps, others = set(one), set(other)
    return len(steps & others) >= ALIKE * min(len(steps), len(others))


def _decoded(value: str, kind: type[_Said]) -> _Said | None:
    """The record's words; nothing if another program wrote them and we cannot read them."""
    try:
        return msgspec.json.decode(value, type=kind)
    except (msgspec.MsgspecError, RecursionError):
        return None


def _made(said: Told, at: str, early: dict[str, list[tuple[str, bool]]]) -> Flow:
    return _with_early(
        Flow(
            name=said.name,
            domain=said.domain,
            agent=said.agent,
            project=said.project,
            triggers=said.triggers,
            steps=said.steps,
            needs_approval=said.needs_approval,
            status="retired" if said.do == "retire" else "active",
            created_at=said.created_at or at,
            changed_at=at,
        ),
        early,
    )


def _changed(flow: Flow, said: Told, at: str) -> Flow:
    """The flow after an act. Other steps make a new version, which starts its own count."""
    facts = {name: getattr(said, name) for name in ("domain", "agent", "project", "triggers", "needs_approval")}
    changed = structs.replace(flow, **facts, status=_status(flow, said), changed_at=at)
    if said.steps == flow.steps:
        return changed
    before = FlowRecord(version=flow.version, steps=flow.steps, succeeded=flow.succeeded, failed=flow.failed)
    return structs.replace(
        changed, steps=said.steps, version=flow.version + 1, succeeded=0, failed=0, history=[*flow.history, before]
    )


def _status(flow: Flow, said: Told) -> FlowStatus:
    match said.do:
        case "retire":
            return "retired"
        case "edit":
            return flow.status
        case _:
            return "active"


def _used(flow: Flow, at: str, *, passed: bool) -> Flow:
    return structs.replace(flow, used_at=at, succeeded=flow.succeeded + passed, failed=flow.failed + (not passed))


def _with_early(flow: Flow, early: dict[str, list[tuple[str, bool]]]) -> Flow:
    """Outcomes of a candidate come before the record in which a person takes it up."""
    for at, passed in early.pop(flow.name, ()):
        flow = _used(flow, at, passed=passed)
    return flow


def _steps(flow: Flow) -> list[list[str]]:
    """The steps of every version: a person may have put the learnt ones into words of their own."""
    return [flow.steps, *(record.steps for record in flow.history)]
