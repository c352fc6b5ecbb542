"""What agents are told, and what was said and done in sessions."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Annotated, Any, Final

from steno.verbs.table import Arg, At, Session, verb

if TYPE_CHECKING:
    from collections.abc import Iterable

    from steno.memory import Memory
    from steno.verbs import answers
    from steno.verbs.asking import Asker, Where
    from steno.vocabulary import JournalTurn

Given = Annotated[bool, Arg("An agent gets this: keep a receipt.")]
# So many turns before and after the one that is asked for.
_BESIDE: Final = 3


# -- what an agent is told -------------------------------------------------------------------------------------------


@verb("brief", fresh=True, held=True, tool=("brief", "tier session directory"))
def brief(
    memory: Memory, where: Where, asker: Asker, arrived: Any, *,
    tier: Annotated[int, Arg("How much: 0 (1,000 tokens) to 3 (70,000).", "N", least=0, most=3)] = 0,
    session: Annotated[str | None, Arg("Its id, the beginning of it, or `latest` (the default).", "S")] = None,
    at: At = None, given: Given = False,
    inline: Annotated[bool, Arg("One line, for agents without files.")] = False,
) -> answers.Briefing:  # fmt: skip
    """Say where the work stands, for an agent that lost its context.

    Goal, next steps, decisions, what the user refused, rules that hold. Tier 0 holds the state of the work; tier 1 adds
    the last 30 messages (10,000 tokens), tier 2 the day (15,000), and tier 3 as much of the session as fits. Printing
    it leaves no receipt, unless you say with --given that an agent gets it. An agent that names its directory but no
    session gets what it must know at a start.

    $ steno brief --tier 1
    """
    if asker.door == "mcp" and session is None and where.directory is not None:
        return boot(memory, where, asker, arrived, agent=asker.agent, at=at)
    name = session or "latest"
    project = where.of(name)
    if inline:
        told = memory.state_line(name, at=at, given=False, project=project)
    else:
        told = memory.brief(tier, name, at=at, given=False, project=project)
    return _handed(told, asker, arrived, given=given, at=at)


@verb("brief boot", fresh=True, held=True)
def boot(
    memory: Memory, where: Where, asker: Asker, arrived: Any, *,
    agent: Annotated[str | None, Arg("Who starts.", "A")] = None,
    session: Annotated[str | None, Arg("The session that starts, for the receipt.", "S")] = None,
    at: At = None, given: Given = False,
) -> answers.Briefing:  # fmt: skip
    """Say what an agent must know when it starts.

    Rules, refusals, where the work stands, flows, lessons and flags. Printing it leaves no receipt, unless you say with
    --given that an agent gets it.

    $ steno brief boot --agent blog
    """
    told = memory.boot(project=where.project, agent=agent, session=session, at=at, given=False)
    return _handed(told, asker, arrived, given=given, at=at)


def _handed(told: answers.Briefing, asker: Asker, arrived: Any, *, given: bool, at: str | None) -> answers.Briefing:
    """The briefing; a receipt is kept once an agent has it. A tool's answer is an agent's."""
    from steno.vocabulary.errors import WrongUse

    if given and at is not None:
        raise WrongUse("a briefing of an earlier time cannot be given to an agent", hint="leave out --given or --at")
    if given or (at is None and (asker.door == "mcp" or not asker.sees_all)):
        arrived(lambda memory: memory.given(told))
    return told


@verb("brief handoff", fresh=True)
def handoff(memory: Memory, where: Where) -> answers.Text:
    """Show active work, what is open, what is new, and flags.

    $ steno brief handoff
    """
    from steno.verbs.answers import Text

    return Text(memory.handoff(where.project))


@verb("brief capsule", fresh=True)
def capsule(
    memory: Memory, *, agent: Annotated[str | None, Arg("The agent; else what holds for all.", "A")] = None
) -> answers.Text:
    """Show who an agent is and what it must not forget.

    Priorities, critical facts and the last three sessions, in at most 100 lines.

    $ steno brief capsule --agent blog
    """
    from steno.verbs.answers import Text

    return Text(memory.capsule(agent))


@verb("brief receipts")
def receipts(
    memory: Memory, *, session: Annotated[str | None, Arg("Only what this session was given.", "S")] = None
) -> list[answers.Receipt]:
    """List what was given to whom: briefings and answers of the gate.

    $ steno brief receipts
    """
    return memory.receipts(session)


# -- sessions --------------------------------------------------------------------------------------------------------


@verb("sessions list")
def sessions(memory: Memory, where: Where) -> list[answers.SessionShown]:
    """List the sessions, the latest first.

    $ steno sessions --everywhere
    """
    from msgspec import structs

    from steno.verbs.answers import SessionShown

    found = (one for one in memory.sessions() if where.project in (None, one.session.project))
    more = ("turns", "context_tokens", "started_at", "last_at")
    return [SessionShown(**structs.asdict(one.session), **{name: getattr(one, name) for name in more}) for one in found]


@verb("sessions show", slow=True)
def turns(
    memory: Memory, where: Where, session: Annotated[str, Arg(metavar="SESSION")], *,
    around: Annotated[int | None, Arg("Only the turn of this number, with those beside it.", "N", kind="turn")] = None,
    after: Annotated[int, Arg("Only turns after this number.", "N", kind="turn")] = 0,
    most: Annotated[int | None, Arg("No more than this.", "N", least=1)] = None,
) -> answers.Iterator[answers.TurnShown]:  # fmt: skip
    """Show the turns of a session.

    SESSION is its id, the beginning of its id, or `latest`. Recall names the turns it finds by their numbers (`#12`);
    `--around 12` shows that one and where it stands.

    $ steno sessions show latest --around 12
    """
    from itertools import islice

    from msgspec import structs

    from steno.verbs.answers import TurnShown

    found: Iterable[JournalTurn] = memory.turns(session, where.of(session))
    chosen = (one for one in found if one.id > after) if around is None else iter(_around(found, around))
    told = (TurnShown(id=one.id, source=one.source, session=one.session, **structs.asdict(one.turn)) for one in chosen)
    return islice(told, most)


def _around(turns: Iterable[JournalTurn], number: int) -> list[JournalTurn]:
    """A turn with those just before and after it."""
    from itertools import islice

    from steno.vocabulary.errors import UnknownTurn

    every = iter(turns)
    before: deque[JournalTurn] = deque(maxlen=_BESIDE)
    for turn in every:
        if turn.id == number:
            return [*before, turn, *islice(every, _BESIDE)]
        before.append(turn)
    hint = "`steno sessions show SESSION` shows their numbers"
    raise UnknownTurn(f"there is no turn {number} in this session", hint=hint)


@verb("sessions checkpoint", fresh=True)
def checkpoint(memory: Memory, where: Where, *, session: Session = "latest") -> answers.Checkpoint:
    """Show where the work of a session stands.

    Goal, phase, done, next, blockers and variables; and the trail, from what the tools really did: files, commands,
    tests, to-dos, plans and questions.

    $ steno sessions checkpoint
    """
    return _without_state(memory.checkpoint(session, where.of(session)))


@verb("sessions loss", fresh=True)
def loss(memory: Memory, where: Where, *, session: Session = "latest") -> answers.LossShown:
    """Show what a session's last compaction took, and what is left.

    Present: the host's own summary still tells it. Restored: the session was given it since, by its receipts. Missing:
    neither. Compared by code, word by word; no model judges.

    $ steno sessions loss
    """
    from msgspec import structs

    from steno.briefing.loss import is_flagged
    from steno.verbs.answers import LossShown

    found = memory.loss(session, where.of(session))
    kept = {item.kind: found.share(item.kind) for item in found.items}
    return LossShown(
        **structs.asdict(found), kept=kept, kept_critical=found.share(critical=True), flag=is_flagged(found)
    )


@verb("sessions work list", fresh=True)
def works(memory: Memory, where: Where) -> list[answers.PieceOfWork]:
    """List pieces of work: those at hand first, then the latest.

    A new goal begins one; it survives sessions.

    $ steno sessions work
    """
    return [_shown(one) for one in memory.works.all(project=where.project)]


@verb("sessions work show", fresh=True)
def show_work(memory: Memory, where: Where, id: Annotated[str | None, Arg(metavar="ID")] = None) -> answers.WorkShown:
    """Show a piece of work; without an id, the one at hand here.

    $ steno sessions work show
    """
    from msgspec import structs

    from steno.verbs.answers import WorkShown

    one = memory.works.at_hand(where.project) if id is None else memory.works.one(id)
    return WorkShown(**structs.asdict(_shown(one)), entries=memory.works.entries(one))


@verb("sessions work end", "rules", fresh=True)
def end_work(
    memory: Memory, id: Annotated[str | None, Arg(metavar="ID")] = None, *,
    dropped: Annotated[bool, Arg("It was given up, not finished.")] = False,
    directory: Annotated[str | None, Arg("Where it is at hand; else the current directory.", kind="path")] = None,
) -> answers.PieceOfWork:  # fmt: skip
    """End a piece of work; without an id, the one at hand here.

    Its open tasks end with it.

    $ steno sessions work end --dropped
    """
    here = None if directory is None else memory.project_of(directory)
    one = memory.works.at_hand(here) if id is None else memory.works.one(id)
    return _shown(memory.works.end(one, "dropped" if dropped else "finished"))


def _shown(work: answers.PieceOfWork) -> answers.PieceOfWork:
    from msgspec import structs

    return structs.replace(work, checkpoint=_without_state(work.checkpoint))


def _without_state(checkpoint: answers.Checkpoint) -> answers.Checkpoint:
    """A checkpoint without what only the scribe needs to go on."""
    from msgspec import structs

    return structs.replace(checkpoint, state={})
