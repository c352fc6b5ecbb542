"""`steno recall`: what fits a question."""

import sys
from typing import TYPE_CHECKING, Final

import click

from steno.cli.progress import learnt
from steno.cli.show import Piece, cut, json_option, laid_out, one_line, paragraph, plain, print_json, say, width
from steno.cli.where import Moment, project_option
from steno.cli.words import many, when

if TYPE_CHECKING:
    from steno import Hit
    from steno.recall import How, Within

_STYLES: Final = {"user": "green", "edit": "green", "assistant": "cyan", "tool": "yellow"}
# Of what was said around a hit, and of a question nothing fits, a person wants the beginning; so much of it in a pipe.
_AROUND: Final = 120


@click.command(short_help="Find what fits a question best, by words and by meaning.")
@click.argument("query", nargs=-1, required=True)
@click.option("-k", "most", type=click.IntRange(min=1), default=10, show_default=True, help="How many answers at most.")
@click.option(
    "--within",
    type=click.Choice(["entries", "turns", "sessions", "all"]),
    default="all",
    show_default=True,
    help="What to search; all: entries and turns.",
)
@click.option("--budget", metavar="TOKENS", type=click.IntRange(min=1), help="How much the answer may cost a model.")
@click.option("--at", metavar="TIME", type=Moment(), help="Answer as of this time: only what was said before it.")
@click.option("--exact", is_flag=True, help="Only what holds QUERY word for word, the newest first.")
@click.option("--nearest", is_flag=True, help="The nearest, also where nothing likely fits.")
@click.option("--past", is_flag=True, help="Also what was superseded or laid aside.")
@project_option("What is seen from this project: its own, everybody's, what is shared.")
@click.option(
    "--agent", metavar="A", help="What this agent sees: what it heard, what is its own, everybody's or shared."
)
@json_option
def recall(
    *, query: tuple[str, ...], most: int, within: "Within", budget: int | None, at: str | None, past: bool,
    project: str | None, agent: str | None, as_json: bool, exact: bool, nearest: bool,
) -> None:  # fmt: skip
    """Find what fits QUERY best, the best first. QUERY may be a whole question, and may speak of a time ("last week").

    With vectors (`steno embed`) also what was said in other words is found. Each answer says why it was found and which
    older one it stands above; where nothing likely fits, nothing is shown.
    """
    from steno.briefing.answers import among
    from steno.vocabulary import Scope

    asked = " ".join(query)
    if not asked.strip():
        raise click.UsageError("the question is empty")
    if exact and nearest:
        raise click.UsageError("--exact finds only what was typed, --nearest also what is far from it; choose one")
    how: How = "exact" if exact else "nearest" if nearest else "likely"
    with learnt() as memory:
        hits = memory.recall(
            asked, k=most, within=within, project=project, agent=agent, at=at, past=past,
            budget_tokens=budget, how=how,
        )  # fmt: skip
        days = memory.pages.days_of(asked) if not (project or agent or as_json) else []
        lacks = memory.recallable().note
        empty = not hits and not memory.sessions()
        unsaid = [] if empty or as_json else memory.unsaid(asked, Scope(project=project, agent=agent, until=at))
    if as_json:
        print_json(*hits)
    else:
        for hit in hits:
            _print(hit)
        never = f" Nobody ever said {' or '.join(unsaid)} in what was searched." if unsaid else ""
        told = among(hits, most)
        if hits and (told or never):
            say(
                (f"{told[:1].upper()}{told[1:]}." if told else "", "dim"),
                (plain(never if told else never.strip()), "yellow"),
            )
        if laid_out() and (first := next((hit for hit in hits if hit.turn is not None), None)):
            say(("The first, whole, with what was said around it:", "dim"))
            say((f"  steno turns {one_line(str(first.session))} --around {first.turn}", "dim"))
        if not hits:
            room = "" if budget is None else f" within {many(budget, 'token')}"
            closest = how == "likely" and budget is None and not empty
            near = " `--nearest` shows what comes closest." if closest else ""
            print(plain(f"Nothing fits {_beginning(asked)!r}{room}.{never}{near}"), file=sys.stderr)
        if empty:
            print("Nothing is captured yet. `steno capture --all` reads the whole history.", file=sys.stderr)
        for day in days:
            say(("The whole day: ", "dim"), f"steno read {day}")
    if lacks:
        sys.stdout.flush()
        print(plain(f"steno: {lacks}"), file=sys.stderr)


def _print(hit: "Hit") -> None:
    from steno.briefing.answers import excerpt

    say(*_head(hit))
    if hit.kind == "entry" and hit.text and hit.text != hit.quote:
        paragraph(hit.text)
    if hit.kind != "entry" or hit.text == hit.quote or hit.quote not in hit.text:
        paragraph(excerpt(hit))
    say((f"  {_place(hit)}", "dim"))
    say((f"  {one_line(hit.reason)}  score {hit.score:g}", "dim"))
    for one in hit.context:
        if not one.text.strip():
            continue
        side = "before" if hit.turn is not None and one.turn < hit.turn else "after"
        say((f"  {_beginning(f'{side:<6} {one.role}: {one_line(one.text)}')}", "dim italic"))
    for how, style, aged in (("perhaps changes", "dim", hit.earlier), ("perhaps changed since,", "yellow", hit.later)):
        if aged is not None:
            say((f"  {_beginning(f'{how} #{aged.turn} {aged.role}: {one_line(aged.text)}')}", style))
    if hit.folded:
        say((f"  and {hit.folded:,} more like it", "dim"))
    say()


def _head(hit: "Hit") -> list[Piece]:
    """What it is, whose words, and when."""
    at = when(hit.at) if laid_out() else hit.at or ""
    name = one_line(f"#{hit.id}" if hit.kind == "turn" else str(hit.id))
    status = "" if hit.status in (None, "active") else f"  {hit.status}"
    return [
        (hit.category or hit.kind, "bold"),
        (status, "yellow"),
        "  ",
        (hit.origin, _STYLES.get(hit.origin, "")),
        (f"  {name}  {at}".rstrip(), "dim"),
    ]


def _place(hit: "Hit") -> str:
    """Where the quote stands."""
    if hit.turn is None:
        from steno.vocabulary import TELLERS

        return f"told by {TELLERS[hit.origin]}"
    line = f" line {hit.line}" if hit.line is not None else ""
    turn = f"  #{hit.turn}" if hit.kind != "turn" else ""
    return f"{one_line(f'{hit.source} {hit.session}')}{line}{turn}"


def _beginning(text: str) -> str:
    return cut(text, min(_AROUND, width() - 2) if laid_out() else _AROUND)
