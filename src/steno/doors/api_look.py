"""What a program may look at over HTTP."""

import os
from itertools import islice
from typing import Annotated

from msgspec import Meta, Struct

from steno.doors.api_table import Table
from steno.memory import Memory
from steno.recall import How, Within
from steno.vocabulary import (
    Briefing,
    Category,
    Check,
    Checkpoint,
    Entry,
    EntryStatus,
    Flow,
    FlowStatus,
    Found,
    Hit,
    JournalTurn,
    Loss,
    Receipt,
    Review,
    Rule,
    RuleStatus,
    Status,
)
from steno.vocabulary.accesses import NEVER, Access, Link
from steno.vocabulary.beliefs import Belief
from steno.vocabulary.calls import Spent
from steno.vocabulary.notebooks import Limit, NotebookState
from steno.vocabulary.pages import Page, PageText
from steno.vocabulary.shares import Shared
from steno.vocabulary.upkeep import JobState, Run
from steno.vocabulary.works import PieceOfWork

looking = Table()

Many = Annotated[int, Meta(ge=1, le=1_000)]


class Text(Struct, frozen=True):
    """A text, as it is."""

    text: str


class Fitting(Struct, frozen=True):
    """A flow, and how well it fits."""

    flow: Flow
    score: float


class Uses(Struct, frozen=True, kw_only=True):
    """How much an entry is used."""

    access: Access
    # What it has left of its weight in recall, from 1 to 0.
    freshness: float
    links: list[Link]


@looking.get("/v1/status")
def status(memory: Memory) -> Status:
    """What the store holds, and how much of each session."""
    return memory.status()


@looking.get("/v1/spending")
def spending(memory: Memory) -> Spent:
    """Whether a model may be asked, and what it took in the last month; what agents were given beside it."""
    return memory.spending.spent()


@looking.get("/v1/doctor")
def doctor(memory: Memory) -> list[Check]:
    """Proofs that the store is sound."""
    return memory.doctor()


@looking.get("/v1/excluded")
def excluded(memory: Memory) -> list[str]:
    """What is left out of capture."""
    return memory.excluded()


@looking.get("/v1/sessions")
def sessions(memory: Memory) -> list[Found]:
    """All sessions, the latest first."""
    return memory.sessions()


@looking.get("/v1/sessions/{session}/turns")
def turns(memory: Memory, session: str, after: int = 0, most: Many = 500) -> list[JournalTurn]:
    """Turns of a session in order, those after a turn's number; the last number given asks for the next ones."""
    return list(islice((turn for turn in memory.turns(session) if turn.id > after), most))


@looking.get("/v1/entries")
def entries(
    memory: Memory, category: Category | None = None, status: EntryStatus | None = None, session: str | None = None,
    project: str | None = None, domain: str | None = None,
) -> list[Entry]:  # fmt: skip
    """What is remembered, the oldest first, each with its quotes."""
    return memory.entries(category=category, status=status, session=session, project=project, domain=domain)


@looking.get("/v1/entries/{id}")
def entry(memory: Memory, id: str) -> Entry:
    """One entry, by its id or the beginning of it."""
    return memory.entry(id)


@looking.get("/v1/entries/{id}/uses")
def uses(memory: Memory, id: str) -> Uses:
    """How often an entry was recalled, given and used, what it weighs, and what it has to do with others."""
    found = memory.entry(id).id
    access = memory.accesses.of([found]).get(found, NEVER)
    return Uses(access=access, freshness=memory.freshness(found), links=memory.accesses.links(found))


@looking.get("/v1/upkeep")
def upkeep(memory: Memory) -> list[JobState]:
    """Every job of upkeep in the order of the night: its last run, and when it is due."""
    return memory.upkeep.state()


@looking.get("/v1/upkeep/night")
def night(memory: Memory, day: str | None = None) -> list[Run]:
    """What was run in the night that closed a day, in order; without one, in the last night."""
    return memory.upkeep.night(day)


@looking.get("/v1/recall", held=True)
def recall(
    memory: Memory, query: str, k: Annotated[int, Meta(ge=0, le=1_000)] = 10, within: Within = "all",
    project: str | None = None, agent: str | None = None, at: str | None = None, now: str | None = None,
    past: bool = False, budget_tokens: Annotated[int, Meta(ge=1)] | None = None, session: str | None = None,
    how: How = "likely",
) -> list[Hit]:  # fmt: skip
    """What fits a question best: entries, turns or sessions, the best first; none where nothing likely fits.

    `how` asks for the `nearest` all the same, or only for what holds the question word for word (`exact`)."""
    return memory.recall(
        query, k=k, within=within, project=project, agent=agent, at=at, now=now, past=past,
        budget_tokens=budget_tokens, session=session, how=how,
    )  # fmt: skip


@looking.get("/v1/believes", held=True)
def believes(
    memory: Memory, topic: str, k: Many = 10, project: str | None = None, agent: str | None = None
) -> list[Belief]:
    """What is believed on a topic, since when, what it took the place of, and the exact words."""
    return memory.believes(topic, k=k, project=project, agent=agent)


@looking.get("/v1/pages", held=True)
def pages(memory: Memory, project: str | None = None, agent: str | None = None) -> list[Page]:
    """Files of the notebook that can be read."""
    return memory.pages.all(project, agent)


@looking.get("/v1/read", held=True)
def read(memory: Memory, name: str, project: str | None = None, agent: str | None = None) -> PageText:
    """One file of the notebook, by its name or by what it is about."""
    return memory.pages.read(name, project, agent)


@looking.get("/v1/checkpoint")
def checkpoint(memory: Memory, session: str = "latest") -> Checkpoint:
    """Where the work of a session stands, and the trail of what was done."""
    return memory.checkpoint(session)


@looking.get("/v1/brief", held=True)
def brief(
    memory: Memory, tier: Annotated[int, Meta(ge=0, le=3)] = 0, session: str = "latest", at: str | None = None,
    project: str | None = None,
) -> Briefing:  # fmt: skip
    """What an agent must know after its context was lost; of a project, one of its sessions."""
    return memory.brief(tier, session, at=at, project=project)


@looking.get("/v1/boot", held=True)
def boot(
    memory: Memory, project: str | None = None, agent: str | None = None, session: str | None = None,
    at: str | None = None,
) -> Briefing:  # fmt: skip
    """What an agent must know when it starts; the project is a name, or a directory in it."""
    where = memory.project_of(project) if project and os.path.isabs(project) else project
    return memory.boot(project=where, agent=agent, session=session, at=at)


@looking.get("/v1/state")
def state(memory: Memory, session: str = "latest", at: str | None = None) -> Text:
    """Where a session's work stands, on one line."""
    return Text(memory.state_line(session, at=at))


@looking.get("/v1/loss")
def loss(memory: Memory, session: str = "latest") -> Loss:
    """What a session's last compaction took, and what is left of it."""
    return memory.loss(session)


@looking.get("/v1/handoff")
def handoff(memory: Memory) -> Text:
    """Work in hand, open commitments, what is new, flags."""
    return Text(memory.handoff())


@looking.get("/v1/capsule")
def capsule(memory: Memory, agent: str | None = None) -> Text:
    """Who, priorities, critical facts, the last three sessions."""
    return Text(memory.capsule(agent))


@looking.get("/v1/receipts")
def receipts(memory: Memory, session: str | None = None) -> list[Receipt]:
    """What was given to whom, the oldest first."""
    return memory.receipts(session)


@looking.get("/v1/reviews")
def reviews(memory: Memory) -> list[Review]:
    """What waits for a person's word: contradictions, and rules and refusals Steno is not sure of."""
    return memory.reviews()


@looking.get("/v1/rules", held=True)
def rules(
    memory: Memory, status: RuleStatus | None = None, project: str | None = None, agent: str | None = None,
    at: str | None = None,
) -> list[Rule]:  # fmt: skip
    """Rules, the highest score first; without a status those in force."""
    memory.learn()
    return memory.rules.all(status, project, agent, at)


@looking.get("/v1/rules/{id}")
def rule(memory: Memory, id: str) -> Rule:
    """One rule, by its id or the beginning of it; the entry of the same id holds the words behind it."""
    memory.learn()
    return memory.rules.one(id)


@looking.get("/v1/notebook")
def notebook(memory: Memory) -> NotebookState:
    """Where the pages of the notebook are, which were changed, and what is in the way."""
    memory.learn()
    return memory.notebook.state()


@looking.get("/v1/notebook/limits")
def limits(memory: Memory) -> list[Limit]:
    """Files that hosts load when a session starts: how full they are, and what would be cut from them."""
    return memory.limits()


@looking.get("/v1/shares")
def shares(memory: Memory) -> list[Shared]:
    """What people let others see, and whom; the oldest first."""
    return memory.sharing.all()


@looking.get("/v1/works")
def works(memory: Memory, project: str | None = None) -> list[PieceOfWork]:
    """Pieces of work: those at hand first, then the latest first."""
    memory.learn()
    return memory.works.all(project=project)


@looking.get("/v1/works/{work}")
def piece_of_work(memory: Memory, work: str) -> PieceOfWork:
    """One piece of work, by its id or the beginning of it."""
    memory.learn()
    return memory.works.one(work)


@looking.get("/v1/flows", held=True)
def flows(
    memory: Memory, status: FlowStatus | None = None, project: str | None = None, at: str | None = None,
    agent: str | None = None,
) -> list[Flow]:  # fmt: skip
    """Procedures with their record: those in force, then candidates, then retired ones."""
    memory.learn()
    return memory.flows.all(status, project, at, agent=agent)


@looking.get("/v1/flows/find", held=True)
def find_flows(memory: Memory, text: str, project: str | None = None, agent: str | None = None) -> list[Fitting]:
    """The procedures in force that a text calls for, the best first."""
    memory.learn()
    return [Fitting(flow, round(score, 3)) for flow, score in memory.flows.find(text, project, agent=agent)]


@looking.get("/v1/flows/{name}")
def flow(memory: Memory, name: str) -> Flow:
    """One procedure."""
    memory.learn()
    return memory.flows.one(name)
