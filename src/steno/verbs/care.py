"""What looks after the memory: the model that reads along, upkeep at night, and the pages people read and edit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from steno.verbs.table import Agent, Arg, verb

if TYPE_CHECKING:
    from steno.memory import Memory
    from steno.verbs import answers
    from steno.verbs.asking import Where


# -- the model -------------------------------------------------------------------------------------------------------


@verb("model status")
def model(memory: Memory) -> answers.ModelState:
    """Show the configured model, whether it may be asked, and its budget.

    None is asked unless the settings `model` and `model_tokens_a_day` or `model_money_a_day` say so.

    $ steno model
    """
    return memory.spending.state()


@verb("model run", "rules", slow=True)
def run_model(memory: Memory, session: Annotated[str | None, Arg(metavar="SESSION")] = None) -> answers.ReadByModel:
    """Let the model read now what no model has read yet.

    It reads SESSION, or the sessions of the last week. The daemon does this by itself, but waits until a portion
    is full or a session is quiet.

    $ steno model run latest
    """
    return memory.read_with_model(session, at_once=True)


@verb("model show")
def last_sent(memory: Memory) -> answers.Text:
    """Show what a model was sent last, word for word.

    $ steno model show
    """
    from steno.verbs.answers import Text

    return Text(memory.spending.last_sent())


@verb("model spend")
def spend(memory: Memory) -> answers.Spent:
    """Show what a model took: calls, tokens and money.

    Every call; totals by day, purpose and agent; what is left today; and what agents were given.

    $ steno model spend
    """
    return memory.spending.spent()


# -- upkeep ----------------------------------------------------------------------------------------------------------


@verb("upkeep status", fresh=True)
def upkeep(memory: Memory) -> list[answers.JobState]:
    """List every job: how it went last, and when it runs next.

    Jobs are listed in the order in which they run at night. `steno up` runs them by itself, every night and in idle
    time; what was missed is caught up once.

    $ steno upkeep
    """
    return memory.upkeep.state()


@verb("upkeep run", "rules", slow=True, fresh=True, when=lambda memory, given: not given["dry_run"])
def run_upkeep(
    memory: Memory, name: Annotated[str, Arg(metavar="NAME|all")], *,
    dry_run: Annotated[bool, Arg("Only tell what would change; nothing is written.")] = False,
) -> answers.Runs:  # fmt: skip
    """Run a job now, or `all` in the order of the night, without pauses.

    $ steno upkeep run all --dry-run
    """
    from steno.verbs.answers import Runs

    return Runs(runs=memory.upkeep.run(name, dry=dry_run))


@verb("upkeep report")
def report(memory: Memory, day: Annotated[str | None, Arg(metavar="DAY")] = None) -> list[answers.Run]:
    """Show what every job did in a night.

    The night is the one that ended DAY (such as 2026-03-31); without DAY, the last one.

    $ steno upkeep report
    """
    return memory.upkeep.night(day)


@verb("upkeep explain")
def explain(memory: Memory, name: Annotated[str, Arg(metavar="NAME")]) -> answers.JobExplained:
    """Explain a job: what it reads and writes, and when it runs.

    $ steno upkeep explain prune
    """
    from steno.verbs.answers import JobExplained

    job, state = memory.upkeep.job(name), memory.upkeep.one(name)
    return JobExplained(
        name=job.name, explain=job.explain, every=job.every, after=job.after, writes=job.writes, due=state.due,
        last=state.last,
    )  # fmt: skip


@verb("upkeep undo", "rules")
def undo(memory: Memory, run: Annotated[int, Arg(metavar="RUN")]) -> answers.Undone:
    """Bring back what a run of prune archived, exactly as it was.

    $ steno upkeep undo 12
    """
    from steno.verbs.answers import Undone

    done, back = memory.upkeep.undo(run)
    return Undone(run=done, back=back)


# -- the notebook ----------------------------------------------------------------------------------------------------


@verb("notebook status", fresh=True)
def notebook(memory: Memory) -> answers.NotebookState:
    """Show where the pages are, which wait to be taken in, and why.

    The notebook is what is known as Markdown pages: read them, edit them in any editor, and save. While `steno up`
    runs, what you save is in force within a second; without it, after `steno notebook sync`.

    $ steno notebook
    """
    return memory.notebook.state()


@verb("notebook sync", "rules", slow=True)
def sync(
    memory: Memory, *, deleted: Annotated[bool, Arg("Also where more than half of a page was deleted.")] = False
) -> answers.Synced:
    """Take in what you changed on the pages, then write what changed elsewhere.

    A changed line revises its entry, a deleted one archives it, a new one under a heading is remembered, a ticked box
    closes a task, a moved line changes its topic or category. What changed on both sides is kept twice and waits in
    `steno review`. Memory files that were captured (`--source notes`) are read again if they changed.

    $ steno notebook sync
    """
    memory.follow_notes()
    memory.learn()
    return memory.notebook.sync(deleted=deleted)


@verb("notebook propose", "rules", fresh=True, when=lambda memory, given: bool(given["apply"]))
def propose(memory: Memory, *, apply: Annotated[bool, Arg("Write it.")] = False) -> list[answers.Proposal]:
    """Propose what holds for USER.md, TOOLS.md and IDENTITY.md of OpenClaw.

    USER.md owns facts about people, TOOLS.md about infrastructure, IDENTITY.md about the agent. What people said and
    holds goes into a part of its own, as present state, with its reason; the rest of the file stays as it is. A fact
    belongs to people if it stands on a page of `topics/people`.

    $ steno notebook propose --apply
    """
    return memory.owning.proposals(apply=apply)


@verb("notebook limits")
def limits(memory: Memory) -> list[answers.Limit]:
    """Show what hosts would silently cut from files they load at a start.

    OpenClaw reads 20,000 characters of a file and 60,000 of a workspace, unless its configuration says otherwise, and
    drops the middle. Claude Code reads 200 lines of the memory it keeps, Hermes 2,200 and 1,375 characters. What is
    over 90 % of that also stands in `steno status` and in the handoff.

    $ steno notebook limits
    """
    return memory.limits()


@verb("notebook git", "rules")
def git(memory: Memory, switch: Annotated[Literal["on", "off"], Arg(metavar="on|off")]) -> answers.NotebookState:
    """Keep a history of the pages in git, or stop.

    Every night the pages are committed to a repository inside the notebook. It holds only pages, none with a secret,
    and is sent nowhere. `steno forget` starts it anew, since it would still hold what was forgotten.

    $ steno notebook git on
    """
    memory.notebook.history.turn(on=switch == "on")
    return memory.notebook.state()


@verb("notebook commit", "rules", slow=True, fresh=True)
def commit(memory: Memory) -> answers.Committed:
    """Write what is new, then keep the pages in their history.

    $ steno notebook commit
    """
    from steno.verbs.answers import Committed

    memory.notebook.sync()
    return memory.notebook.history.commit() or Committed(at="", pages=0, left_out=[])


@verb("read", held=True, tool=("read", "name project"))
def read(
    memory: Memory, where: Where,
    name: Annotated[str | None, Arg("A page's name or topic; else list the pages.", "NAME", kind="words")] = None,
    *, agent: Agent = None,
) -> answers.Opened:  # fmt: skip
    """Read a page of the notebook, by its name or by what it is about.

    Its name is its path, or the end or the beginning of that. Without a name, list the pages there are.

    $ steno read web servers
    """
    from steno.verbs.answers import Opened
    from steno.vocabulary.errors import UnknownPage

    if name is None:
        return Opened(pages=memory.pages.all(where.project, agent))
    try:
        return Opened(page=memory.pages.read(name, where.project, agent))
    except UnknownPage:
        if where.how != "here":
            raise
        # Pages of other projects and of none are not listed here, but who knows the name of one may read it.
        return Opened(page=memory.pages.read(name, None, agent))
