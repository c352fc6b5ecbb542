"""What is remembered, who else may see it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated, Literal

from steno.choices import Category, EntryStatus
from steno.verbs.table import Agent, Arg, Because, verb

if TYPE_CHECKING:
    from steno.memory import Memory
    from steno.verbs import answers
    from steno.verbs.asking import Asker, Where

Id = Annotated[str, Arg("Its id, or the beginning of it.", "ID")]
What = Annotated[str, Arg("An entry's id, a flow's name, or a page of the notebook.", "WHAT")]
_WITH = "A project's folder, an agent's name, or all."


# -- entries ---------------------------------------------------------------------------------------------------------


@verb("entries list", fresh=True)
def entries(
    memory: Memory, where: Where, *,
    category: Annotated[Category | None, Arg("Only entries of this category.", "CATEGORY")] = None,
    status: Annotated[EntryStatus | None, Arg("Only entries of this status.")] = None,
    session: Annotated[str | None, Arg("Only of this session: its id, the beginning of it, or `latest`.", "S")] = None,
    domain: Annotated[str | None, Arg("Only of this field of work, such as `WEB`.", "D")] = None,
    unused: Annotated[bool, Arg("Only what nobody recalled or used for `unused_days`.")] = False,
    resolved: Annotated[
        bool | None, Arg("Only tasks and promises that are done, or are not.", flag="--resolved/--unresolved")
    ] = None,
) -> list[answers.EntryUsed]:  # fmt: skip
    """List what is remembered.

    You see the last twenty things that people said and that hold, the newest first, each whole with what it answered;
    `--all` shows the rest, too, and any choice shows what fits it, whoever said it. As JSON it is all of them, the
    oldest first. `steno entries show ID` shows one with everything that is known of it.

    $ steno entries --category decision
    """
    from steno.verbs.answers import EntryUsed
    from steno.vocabulary.accesses import NEVER

    project = where.project if session is None else where.of(session)
    found = memory.entries(category=category, status=status, session=session, project=project, domain=domain)
    if unused:
        ids = set(memory.unused())
        found = [entry for entry in found if entry.id in ids]
    if resolved is not None:
        found = [entry for entry in found if entry.is_resolved is resolved]
    accesses = memory.accesses.of(entry.id for entry in found)
    return [EntryUsed.of(entry, accesses.get(entry.id, NEVER)) for entry in found]


@verb("entries show", fresh=True)
def show(memory: Memory, id: Id) -> answers.EntryShown:
    """Show one entry whole.

    What it says, how sure that is, the words it rests on, how much it is used, and what made the scribe propose it.

    $ steno entries show 6dfdfaf9
    """
    from steno.verbs.answers import EntryShown
    from steno.vocabulary.accesses import NEVER

    entry = memory.entry(id)
    access = memory.accesses.of([entry.id]).get(entry.id, NEVER)
    freshness = round(memory.freshness(entry.id), 3)
    return EntryShown.of(entry, access, access=access, freshness=freshness, links=memory.accesses.links(entry.id))


@verb("entries remember", "notes", tool=("remember", "summary category project"))
def remember(
    memory: Memory, where: Where, asker: Asker,
    summary: Annotated[str, Arg("One sentence that can be understood alone.", kind="words")], *,
    category: Annotated[Category | None, Arg("What kind of thing it is: decision, task, fact, …", "CATEGORY")] = None,
    agent: Annotated[str | None, Arg("The agent it is for.", "A")] = None,
    domain: Annotated[str | None, Arg("The field of work it belongs to, such as `WEB`.", "D")] = None,
    because: Because = None,
) -> answers.Entry:  # fmt: skip
    """Remember something for later sessions, as your word.

    It belongs to this project; `--everywhere` makes it hold in all. What an agent says is never taken for the user's. A
    rebuild keeps it.

    $ steno entries remember "prices are in cents" --category fact
    """
    from steno.vocabulary import Scope
    from steno.vocabulary.errors import WrongUse

    by_agent = asker.who is None or asker.who.is_agent
    if category is None and not by_agent:
        raise WrongUse("say what kind of thing it is", hint="--category fact, for one; `--help` lists them")
    seen = Scope() if asker.sees_all else Scope(project=where.project, agent=agent)
    cause = None if because is None else memory.fleet.known(because, seen)
    entry = memory.remember(
        summary, category=category or "learning", project=where.project or None, agent=agent, by_agent=by_agent,
        domain=domain,
    )  # fmt: skip
    if cause is not None:
        memory.fleet.because(entry.id, cause)
    return entry


@verb("entries revise", "rules")
def revise(
    memory: Memory, id: Id, *,
    summary: Annotated[str | None, Arg("What it says from now on.", "TEXT")] = None,
    category: Annotated[Category | None, Arg("What kind of thing it is: decision, task, fact, …", "CATEGORY")] = None,
    status: Annotated[Literal["active", "done", "archived"] | None, Arg("Where it stands.")] = None,
) -> answers.Entry:  # fmt: skip
    """Correct an entry.

    What you reword is yours from then on: its origin is `edit`, and a rebuild keeps it.

    $ steno entries revise 6dfdfaf9 --status done
    """
    from steno.vocabulary.errors import WrongUse

    if summary is None and category is None and status is None:
        raise WrongUse("say what to change", hint="--summary, --category or --status")
    return memory.revise(id, summary=summary, category=category, status=status)


@verb("entries archive", "rules")
def archive(memory: Memory, id: Id) -> answers.Entry:
    """Archive an entry: it holds no more, and stays in the history.

    `steno entries revise ID --status active` brings it back.

    $ steno entries archive 6dfdfaf9
    """
    return memory.archive(id)


@verb("entries believes", fresh=True, held=True, tool=("believes", "topic project"))
def believes(
    memory: Memory, where: Where, topic: Annotated[str, Arg("What it is about, in a few words.", kind="words")], *,
    k: Annotated[int, Arg("How many entries to find.", flag="-k", least=1, most=1_000)] = 10,
    agent: Agent = None,
) -> list[answers.Belief]:  # fmt: skip
    """Say what holds on a topic, since when, and in whose words.

    What holds comes first, with what it replaced, then what files say, then guesses with how sure they are, then what
    was archived. ✓ marks a quote that was found in the journal just now, word for word.

    $ steno entries believes "the orders database"
    """
    return memory.believes(topic, k=k, project=where.project, agent=agent)


# -- sharing ---------------------------------------------------------------------------------------------------------


@verb("entries shared")
def shared(memory: Memory) -> list[answers.Shared]:
    """List what is shared, and with whom.

    $ steno entries shared
    """
    return memory.sharing.all()


@verb("entries share", "rules")
def share(
    memory: Memory, what: What, *, whom: Annotated[str, Arg(_WITH, "WHOM", "--with", kind="place")]
) -> list[answers.Shared]:
    """Let another project or agent see something.

    An entry (and the rule it made), a flow, or what stands on a page now. What is said in a project is seen there, what
    was recorded for one agent by that agent, and nothing anywhere else unless it is shared.

    $ steno entries share 6dfdfaf9 --with ~/blog
    """
    project, agent = _audience(whom)
    return memory.sharing.share(what, project=project, agent=agent)


@verb("entries unshare", "rules")
def unshare(
    memory: Memory, what: What, *,
    whom: Annotated[str | None, Arg(f"{_WITH} Without it, all.", "WHOM", "--with", kind="place")] = None,
) -> list[answers.Shared]:  # fmt: skip
    """Stop sharing something.

    $ steno entries unshare 6dfdfaf9 --with ~/blog
    """
    project, agent = _audience(whom or "all")
    return memory.sharing.take_back(what, project=project or None, agent=agent or None)


def _audience(whom: str) -> tuple[str, str]:
    """The project or the agent that is meant; neither: everybody."""
    if whom == "all":
        return "", ""
    return (whom, "") if os.path.isabs(whom) else ("", whom)
