"""What a program may do over HTTP. Whoever holds the token speaks for the person it belongs to."""

import os
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from steno.briefing.page import page_text, verdict_name
from steno.doors.api_table import Table
from steno.memory import Memory
from steno.vocabulary import (
    Action,
    Answer,
    Captured,
    Category,
    Entry,
    EntryStatus,
    Flow,
    Forgotten,
    Graded,
    Learnt,
    Mode,
    Outcome,
    Reason,
    Review,
    Rule,
    Verdict,
)
from steno.vocabulary.errors import WrongUse
from steno.vocabulary.notebooks import Synced
from steno.vocabulary.shares import Shared
from steno.vocabulary.works import PieceOfWork

acting = Table()

Seconds = Annotated[float, Meta(gt=0, le=600)]


class Done(Struct, frozen=True):
    """It was done."""

    done: bool = True


class Count(Struct, frozen=True):
    """How many."""

    count: int


class Gated(Struct, frozen=True, kw_only=True):
    """What a gate says."""

    verdict: Literal["allow", "warn", "ask", "block"]
    reasons: list[Reason]
    # The procedure for it.
    flow: str | None
    # Everything that is known about the action, as a page to read.
    page: str


def gated(verdict: Verdict) -> Gated:
    """A verdict as programs read it."""
    flow = verdict.page.flow
    name: Any = verdict_name(verdict)
    reasons = list(getattr(verdict, "reasons", ()))
    return Gated(verdict=name, reasons=reasons, flow=flow.name if flow else None, page=page_text(verdict))


# -- capture and learning --------------------------------------------------------------------------------------------


@acting.post("/v1/capture", slow=True)
def capture(memory: Memory, paths: tuple[str, ...] = (), source: str | None = None) -> Captured:
    """Read what is new in transcripts; without paths, in the hosts' own places."""
    if strange := [path for path in paths if not os.path.isabs(path)]:
        raise WrongUse(f"{strange[0]!r} says nothing without the directory it is meant from", hint="give whole paths")
    return memory.capture(*paths, source=source)


@acting.post("/v1/scribe", slow=True)
def scribe(memory: Memory, session: str | None = None) -> Learnt:
    """Read what is new in the journal and write down what is worth keeping."""
    return memory.scribe(session)


@acting.post("/v1/rebuild", slow=True)
def rebuild(memory: Memory) -> Learnt:
    """Drop everything derived and learn it again from the journal."""
    return memory.rebuild()


@acting.post("/v1/embed", slow=True)
def embed(memory: Memory, seconds: Seconds = 60.0) -> Count:
    """Make vectors that are missing, for so long at most; how many turns and entries got theirs."""
    return Count(memory.embed(seconds=seconds))


@acting.post("/v1/pause")
def pause(memory: Memory) -> Done:
    """Go off the record."""
    memory.pause()
    return Done()


@acting.post("/v1/resume")
def resume(memory: Memory) -> Done:
    """Go on record again."""
    memory.resume()
    return Done()


@acting.post("/v1/exclude")
def exclude(memory: Memory, pattern: str) -> Done:
    """Leave out a project, a folder, or transcripts whose path matches a pattern."""
    memory.exclude(pattern)
    return Done()


@acting.post("/v1/include")
def include(memory: Memory, pattern: str) -> Done:
    """Take in again what was excluded."""
    memory.include(pattern)
    return Done()


# -- entries ---------------------------------------------------------------------------------------------------------


@acting.post("/v1/remember")
def remember(
    memory: Memory, summary: str, category: Category, project: str | None = None, agent: str | None = None,
    domain: str | None = None,
) -> Entry:  # fmt: skip
    """A person tells us something to remember."""
    return memory.remember(summary, category=category, project=project, agent=agent, domain=domain)


@acting.post("/v1/revise")
def revise(
    memory: Memory, id: str, summary: str | None = None, category: Category | None = None,
    status: EntryStatus | None = None,
) -> Entry:  # fmt: skip
    """A person corrects an entry."""
    return memory.revise(id, summary=summary, category=category, status=status)


@acting.post("/v1/archive")
def archive(memory: Memory, id: str) -> Entry:
    """A person lays an entry aside."""
    return memory.archive(id)


@acting.post("/v1/share")
def share(memory: Memory, what: str, project: str = "", agent: str = "") -> list[Shared]:
    """A person lets a project, an agent or, without them, everybody see an entry, a flow, or what stands on a page."""
    return memory.sharing.share(what, project=project, agent=agent)


@acting.post("/v1/share/take-back")
def take_back(memory: Memory, what: str, project: str | None = None, agent: str | None = None) -> list[Shared]:
    """They share it no more, with one of these or with anybody."""
    return memory.sharing.take_back(what, project=project, agent=agent)


@acting.post("/v1/reviews/{review}/resolve")
def resolve(memory: Memory, review: str, keep: Answer, words: str | None = None) -> Review:
    """A person's word on what waits: one, other, both; or keep, drop, reword (with words), work. What it was about."""
    return memory.resolve(review, keep, words)


@acting.post("/v1/reviews/undo")
def unresolve(memory: Memory) -> Review:
    """Take the last answer back: what it was about waits again."""
    return memory.unresolve()


@acting.post("/v1/forget", slow=True)
def forget(
    memory: Memory, session: str | None = None, turn: int | None = None, text: str | None = None,
    since: str | None = None, until: str | None = None, only_count: bool = False,
) -> Forgotten:  # fmt: skip
    """Erase a session, a turn, a text or a stretch of time; with `only_count`, only say how much that would be."""
    return memory.forget(session=session, turn=turn, text=text, since=since, until=until, only_count=only_count)


@acting.post("/v1/redact", slow=True)
def redact(memory: Memory) -> dict[str, int]:
    """Apply today's patterns to everything stored; what was taken out, by kind."""
    return memory.redact()


# -- gates -----------------------------------------------------------------------------------------------------------


@acting.post("/v1/gate/before", held=True)
def before(
    memory: Memory, agent: str, text: str, tool: str | None = None, input: dict[str, Any] | None = None,
    directory: str | None = None, session: str | None = None, project: str | None = None,
) -> Gated:  # fmt: skip
    """What stands in the way of an action, and what should be known before it; a project instead of a directory."""
    if project is not None:
        directory, session = project, None
    action = Action(agent=agent, text=text, tool=tool, input=input or {}, directory=directory, session=session)
    return gated(memory.before(action))


@acting.post("/v1/gate/after")
def after(
    memory: Memory, agent: str, passed: bool, summary: str, flow: str | None = None, learned: str | None = None,
    directory: str | None = None, session: str | None = None,
) -> Graded:  # fmt: skip
    """How an action went: rules and flows learn from it."""
    outcome = Outcome(
        agent=agent, passed=passed, summary=summary, flow=flow, learned=learned, directory=directory, session=session
    )
    return memory.after(outcome)


@acting.post("/v1/notebook/sync", slow=True)
def notebook_sync(memory: Memory) -> Synced:
    """Take in what people changed on the pages of the notebook, and write what changed elsewhere."""
    memory.follow_notes()
    memory.learn()
    return memory.notebook.sync()


@acting.post("/v1/works/{work}/end")
def end_work(memory: Memory, work: str, status: Literal["finished", "dropped"]) -> PieceOfWork:
    """A person says that a piece of work is over."""
    memory.learn()
    return memory.works.end(memory.works.one(work), status)


# -- rules and flows -------------------------------------------------------------------------------------------------


@acting.post("/v1/rules")
def add_rule(
    memory: Memory, text: str, preference: bool = False, domain: str = "GENERAL", project: str | None = None,
    agent: str | None = None,
) -> Rule:  # fmt: skip
    """A person gives an instruction, or says what they prefer."""
    memory.learn()
    return memory.rules.add(text, preference=preference, domain=domain, project=project, agent=agent)


@acting.post("/v1/rules/{id}/raise")
def raise_rule(memory: Memory, id: str, to: Mode | None = None) -> Rule:
    """A person stands up for a rule, or lets its matcher go up a step."""
    memory.learn()
    return memory.rules.raise_(id, to)


@acting.post("/v1/rules/{id}/lower")
def lower_rule(memory: Memory, id: str, to: Mode | None = None) -> Rule:
    """Half a point less, or its matcher down the ladder."""
    memory.learn()
    return memory.rules.lower(id, to)


@acting.post("/v1/rules/{id}/retire")
def retire_rule(memory: Memory, id: str) -> Rule:
    """A person lays a rule aside."""
    memory.learn()
    return memory.rules.retire(id)


@acting.post("/v1/flows")
def add_flow(
    memory: Memory, name: str, steps: list[str], triggers: tuple[str, ...] = (),
    domain: str = "GENERAL", agent: str | None = None, project: str | None = None, needs_approval: bool = False,
) -> Flow:  # fmt: skip
    """A person makes a procedure; it is in force at once."""
    memory.learn()
    return memory.flows.add(name, steps, triggers, domain, agent, project, needs_approval)


@acting.post("/v1/flows/{name}/edit")
def edit_flow(
    memory: Memory, name: str, steps: list[str] | None = None, triggers: list[str] | None = None,
    domain: str | None = None, agent: str | None = None, project: str | None = None,
    needs_approval: bool | None = None,
) -> Flow:  # fmt: skip
    """A person changes what is given; other steps make a new version."""
    memory.learn()
    return memory.flows.edit(
        name, steps=steps, triggers=triggers, domain=domain, agent=agent, project=project,
        needs_approval=needs_approval,
    )  # fmt: skip


@acting.post("/v1/flows/{name}/activate")
def activate_flow(memory: Memory, name: str) -> Flow:
    """A person puts a candidate, or a retired procedure, in force."""
    memory.learn()
    return memory.flows.activate(name)


@acting.post("/v1/flows/{name}/retire")
def retire_flow(memory: Memory, name: str) -> Flow:
    """A person takes a procedure out of force."""
    memory.learn()
    return memory.flows.retire(name)


@acting.post("/v1/flows/{name}/outcome")
def grade_flow(memory: Memory, name: str, passed: bool, summary: str = "") -> Flow:
    """A procedure was followed to its end, and went well or not."""
    memory.learn()
    return memory.flows.outcome(name, passed, summary)
