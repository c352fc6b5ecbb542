"""Who can do this: the capability, the agent that has it, the flow that says how; and what stands in the way. Pure."""

from collections.abc import Iterable, Sequence

from steno.flows.find import find
from steno.gates.tools import fitting
from steno.language.same_word import words_of
from steno.vocabulary import Flow, Tool
from steno.vocabulary.fleet import Agent, Capability, Dispatch


def dispatch(
    request: str, capabilities: Sequence[Capability], agents: Sequence[Agent], flows: Iterable[Flow]
) -> Dispatch:
    """The best capability for a request, whose it is, and the flow for it; each with its reason."""
    reasons: list[str] = []
    missing: list[str] = []
    able = _fits(request, capabilities)
    if able is None:
        missing.append("no capability fits; `steno capabilities scan` looks for what there is")
    else:
        reasons.append(f"{able.name} fits these words: {able.command}")
        if able.passed is not True:
            missing.append(_unwell(able))
    agent = None if able is None else _whose(able, agents, reasons)
    found = [flow for flow, _ in find(flows, request) if agent is None or flow.agent in (None, agent)]
    flow = found[0] if found else None
    if flow is not None:
        reasons.append(f"the flow {flow.name} is for this")
        agent = agent or flow.agent
    else:
        missing.append("no flow says how; `steno flows add` writes one down")
    if agent is None:
        missing.append("no agent is known that has it; `steno capabilities add --owner` names one")
    return Dispatch(
        request=request, capability=able, agent=agent, flow=flow.name if flow else None, reasons=tuple(reasons),
        missing=tuple(missing),
    )  # fmt: skip


def _fits(request: str, capabilities: Sequence[Capability]) -> Capability | None:
    """The one whose words fit best; of those that fit as well, one that works."""
    order = {True: 0, None: 1, False: 2}
    by_tool = {Tool(command=one.command, kind=one.name, about=one.about): one for one in capabilities}
    fits = [(score, by_tool[tool]) for score, tool in fitting(words_of(request), by_tool)]
    ranked = sorted(fits, key=lambda pair: (-pair[0], order[pair[1].passed], pair[1].kind != "told", pair[1].name))
    return ranked[0][1] if ranked else None


def _unwell(able: Capability) -> str:
    if able.passed is None:
        return f"{able.name} was never checked"
    return f"the last check of {able.name} failed at {able.checked_at}: {able.said}"


def _whose(able: Capability, agents: Sequence[Agent], reasons: list[str]) -> str | None:
    if able.owner is not None:
        reasons.append(f"{able.owner} is its owner")
        return able.owner
    there = [one for one in agents if able.project is not None and able.project in one.projects]
    latest = max(there, key=lambda one: (bool(one.facts.projects), one.heard_at or ""), default=None)
    if latest is not None:
        reasons.append(f"{latest.name} works in {able.project}")
    return latest.name if latest else None
