"""Finding again what was said or decided."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from steno.choices import How, Within
from steno.verbs.table import Agent, Arg, At, verb

if TYPE_CHECKING:
    from steno.memory import Memory
    from steno.verbs import answers
    from steno.verbs.asking import Asker, Where


@verb("recall", fresh=True, held=True, tool=("recall", "query k within project how"))
def recall(
    memory: Memory, where: Where, asker: Asker,
    query: Annotated[str, Arg("A question or a few words; it may name a time (last week).", kind="words")], *,
    k: Annotated[int, Arg("How many answers at most.", flag="-k", least=1, most=1_000)] = 10,
    within: Annotated[Within, Arg("What to search; all: entries and turns.")] = "all",
    budget: Annotated[int | None, Arg("How much the answer may cost a model.", "TOKENS", least=1)] = None,
    at: At = None,
    past: Annotated[bool, Arg("Also what was superseded or archived.")] = False,
    how: Annotated[How, Arg("nearest: also if nothing likely fits; exact: word for word.")] = "likely",
    agent: Agent = None,
) -> answers.Recalled:  # fmt: skip
    """Find what was said or decided in earlier sessions, word for word.

    The best comes first, with its date, who said it, and why it was found. Where nothing likely fits, nothing is shown.
    In a project, this searches what belongs to it, to everybody, or is shared with it. With vectors (`steno store
    embed`) it also finds what was said in other words.

    $ steno recall "which database did we take for the orders" -k 3
    """
    from steno.briefing.answers import among
    from steno.clock import moment
    from steno.verbs.answers import Recalled
    from steno.vocabulary import Scope
    from steno.vocabulary.errors import WrongUse

    if not query.strip():
        raise WrongUse("the question is empty", hint="ask in a few words, or in a whole question")
    at, project = moment(at), where.project
    hits = memory.recall(
        query, k=k, within=within, project=project, agent=agent, at=at, past=past, budget_tokens=budget, how=how
    )
    is_empty = not hits and not memory.sessions()
    # Pages of days tell of every project: a person's to read.
    anywhere = asker.sees_all and project is None and agent is None
    return Recalled(
        hits=hits,
        among=among(hits, k),
        unsaid=[] if is_empty else memory.unsaid(query, Scope(project=project, agent=agent, until=at)),
        days=memory.pages.days_of(query) if anywhere else [],
        lacks=memory.recallable().note,
        is_empty=is_empty,
    )
