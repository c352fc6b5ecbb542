"""The morning audit: each agent, what it did, what failed; and what would help, with its evidence and the command."""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from steno.briefing.render import safe
from steno.clock import before
from steno.fleet.at_work import owned
from steno.fleet.fitness import DIMENSIONS
from steno.store.fitness import Held
from steno.vocabulary import Entry
from steno.vocabulary.fitness import AgentDay, Dimension, Fitness, Morning, Proposal
from steno.vocabulary.fleet import Capability
from steno.vocabulary.works import PieceOfWork

if TYPE_CHECKING:
    from steno.fleet.fleet import Fleet

_DAY: Final = timedelta(days=1)
# What is worth less than this is worth a proposal; and so many of them fit on a page.
_LOW: Final = 0.5
_PROPOSALS: Final = 15
# Lines of each kind for one agent, and characters of a line; sessions that are looked through.
_LINES, _LINE, _SESSIONS = 5, 120, 20


def morning(fleet: "Fleet", agent: str | None = None) -> Morning:
    """The page of now. Of one agent, it tells nothing of any other."""
    now = fleet.home.clock()
    since = before(now, _DAY)
    measured = fleet.fitness.measure(None if agent is None else [fleet.agents.one(agent).name])
    earlier = {one.agent: one for one in fleet.fitness.history(agent) if one.at < since}
    works, sessions = fleet.home.store.works.since(since), owned(fleet.home.store, since)
    days = []
    for one in measured:
        mine = sessions.get(one.agent, [])[-_SESSIONS:]
        before_ = earlier.get(one.agent)
        days.append(_day(fleet, one, mine, works, since, before_.score if before_ else None))
    proposals = [*(_flags(fleet) if agent is None else ()), *_proposals(measured, earlier, alone=agent is not None)]
    ranked = sorted(proposals, key=lambda one: -one.weight)[:_PROPOSALS]
    return Morning(day=now[:10], since=since, agents=tuple(days), proposals=tuple(ranked))


def lines(page: Morning) -> Iterator[str]:
    """The page in words."""
    yield f"# Morning of {page.day}"
    for one in page.agents:
        score = "fitness not known" if one.score is None else f"fitness {one.score:.0f} of 100"
        moved = one.score_before is not None and one.score is not None
        yield from ("", f"## {safe(one.name, _LINE)}: {score}{f' (a day ago {one.score_before:.0f})' if moved else ''}")
        yield from (f"- {line}" for line in one.did or ("nothing since yesterday",))
        yield from (f"- failed: {line}" for line in one.failed)
    if not page.agents:
        yield from ("", "No agent was heard of in the last month.")
    yield from ("", "## Proposals, what costs most first")
    for number, proposal in enumerate(page.proposals, 1):
        whose = f"{safe(proposal.agent, _LINE)}: " if proposal.agent else ""
        yield from (f"{number}. {whose}{proposal.what}", f"   - {proposal.evidence}", f"   - `{proposal.command}`")
    if not page.proposals:
        yield "None: nothing that is measured is low, and no flag stands."


def _day(
    fleet: "Fleet", fit: Fitness, sessions: Sequence[Held], works: Sequence[PieceOfWork], since: str,
    score_before: float | None,
) -> AgentDay:  # fmt: skip
    names = {held.session for held in sessions}
    mine = [work for work in works if work.session in names]
    learnt = [entry for held in sessions for entry in _learnt(fleet, held, since)]
    said = [entry for entry in learnt if entry.category in ("decision", "rejected")]
    failed = [f"dropped: {_goal(work)}" for work in mine if work.status == "dropped"]
    failed += [safe(entry.summary, _LINE) for entry in learnt if entry.category == "exclusion"][:_LINES]
    failed += [
        f"a compaction of {one.session[:8]} took {one.missing} of {one.critical} things its work depends on"
        for one in fleet.home.store.lately.losses(since)
        if one.session in names
    ]
    failed += [f"{one.name}: {safe(one.said, _LINE) or 'its check failed'}" for one in _unwell(fleet, fit.agent)]
    did = [f"sessions: {len(sessions)}"] if sessions else []
    did += [
        f"{'at' if work.status == 'active' else 'finished'}: {_goal(work)}" for work in mine if work.status != "dropped"
    ]
    did += [f"{entry.category}: {safe(entry.summary, _LINE)}" for entry in said]
    return AgentDay(
        name=fit.agent, score=fit.score, score_before=score_before, did=tuple(did[: 2 * _LINES]),
        failed=tuple(failed[: 2 * _LINES]),
    )  # fmt: skip


def _learnt(fleet: "Fleet", held: Held, since: str) -> list[Entry]:
    ids = fleet.home.store.lately.learnt(since, "9999", held.id, 4 * _LINES)
    return fleet.home.store.entries.some(ids)


def _goal(work: PieceOfWork) -> str:
    return safe(work.goal, _LINE) or "work without a goal"


def _unwell(fleet: "Fleet", agent: str) -> list[Capability]:
    projects = fleet.agents.one(agent).projects
    return [one for one in fleet.home.store.capabilities.of(agent, projects) if one.passed is False][:_LINES]


def _flags(fleet: "Fleet") -> Iterator[Proposal]:
    mends = fleet.home.store.looks.mends()
    for flag in fleet.flags():
        yield Proposal(
            weight=1.0, agent=None, what=safe(flag.text, 2 * _LINE),
            command=mends.get(flag.id) or f"steno relay trace {flag.id}",
            evidence=f"flag {flag.id[:8]}, raised by {safe(flag.raised_by, _LINE)} {flag.at[:16]}",
        )  # fmt: skip


def _proposals(measured: Sequence[Fitness], earlier: dict[str, Fitness], *, alone: bool) -> Iterator[Proposal]:
    """One for everything that is low; what all agents share, once, and not on the page of one."""
    told: set[str] = set()
    for fit in measured:
        for name, value in fit.values.items():
            dimension = DIMENSIONS[name]
            worth = dimension.worth(value)
            if worth is None or worth >= _LOW or name in told or (alone and dimension.shared):
                continue
            told |= {name} if dimension.shared else set()
            was = earlier[fit.agent].values.get(name) if fit.agent in earlier else None
            yield Proposal(
                weight=round(1 - worth, 3), agent=None if dimension.shared else fit.agent, what=dimension.about,
                evidence=_evidence(dimension, value, was), command=dimension.mend,
            )  # fmt: skip


def _evidence(dimension: Dimension, value: float, was: float | None) -> str:
    before_ = "" if was is None else f", a day ago {shown(dimension, was)}"
    return f"{dimension.name} is {shown(dimension, value)}{before_} ({dimension.source})"


def shown(dimension: Dimension, value: float | None) -> str:
    """A value as people read it: a share as a share, all else as a number."""
    if value is None:
        return "not known"
    share = dimension.half is None and dimension.better
    return f"{value:.0%}" if share else f"{value:,.0f}" if value >= 10 or value == int(value) else f"{value:.1f}"
