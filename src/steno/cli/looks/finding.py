"""What was found, with where it stands and why."""

import sys
from collections.abc import Mapping
from typing import Any, Final

import click

from steno.cli.show import Piece, cut, laid_out, one_line, paragraph, plain, say, width
from steno.cli.words import many, when

_STYLES: Final = {"user": "green", "edit": "green", "assistant": "cyan", "tool": "yellow"}
# Of what was said around a hit, and of a question nothing fits, a person wants the beginning; so much of it in a pipe.
_AROUND: Final = 120


def _how(given: dict[str, Any], *, as_json: bool) -> None:
    given["how"] = given["how"] or "likely"


def _recalled(found: Any, given: Mapping[str, Any]) -> None:
    for hit in found.hits:
        _hit(hit)
    never = f"Nobody ever said {' or '.join(found.unsaid)} in what was searched." if found.unsaid else ""
    told = f"{found.among[:1].upper()}{found.among[1:]}. " if found.among else ""
    if found.hits and (told or never):
        say((told if never else told.rstrip(), "dim"), (never, "yellow"))
    if laid_out() and (first := next((hit for hit in found.hits if hit.turn is not None), None)):
        say(("The first, whole, with what was said around it:", "dim"))
        say((f"  steno sessions show {one_line(str(first.session))} --around {first.turn}", "dim"))
    if not found.hits:
        room = "" if given["budget"] is None else f" within {many(given['budget'], 'token')}"
        closest = given["how"] == "likely" and not room and not found.is_empty
        near = "`--nearest` shows what comes closest." if closest else ""
        missed = f"Nothing fits {_beginning(given['query'])!r}{room}."
        print(plain(" ".join(filter(None, (missed, never, near)))), file=sys.stderr)
    if found.is_empty:
        print("Nothing is captured yet. `steno capture --all` reads the whole history.", file=sys.stderr)
    for day in found.days:
        say(("The whole day: ", "dim"), f"steno read {day}")


def _hit(hit: Any) -> None:
    from steno.briefing.answers import excerpt

    say(*_head(hit))
    if hit.kind == "entry" and hit.text and hit.text != hit.quote:
        paragraph(hit.text)
    if hit.kind != "entry" or hit.text == hit.quote or hit.quote not in hit.text:
        paragraph(excerpt(hit))
    say((f"  {_place(hit)}", "dim"))
    say((f"  {one_line(hit.reason)}  score {hit.score:g}", "dim"))
    for one in hit.context:
        if one.text.strip():
            side = "before" if hit.turn is not None and one.turn < hit.turn else "after"
            say((f"  {_beginning(f'{side:<6} {one.role}: {one_line(one.text)}')}", "dim italic"))
    for how, style, aged in (("perhaps changes", "dim", hit.earlier), ("perhaps changed since,", "yellow", hit.later)):
        if aged is not None:
            say((f"  {_beginning(f'{how} #{aged.turn} {aged.role}: {one_line(aged.text)}')}", style))
    if hit.folded:
        say((f"  and {hit.folded:,} more like it", "dim"))
    say()


def _head(hit: Any) -> list[Piece]:
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


def _place(hit: Any) -> str:
    """Where the quote stands."""
    if hit.turn is None:
        from steno.vocabulary import TELLERS

        return f"told by {TELLERS[hit.origin]}"
    line = f" line {hit.line}" if hit.line is not None else ""
    turn = f"  #{hit.turn}" if hit.kind != "turn" else ""
    return f"{one_line(f'{hit.source} {hit.session}')}{line}{turn}"


def _beginning(text: str) -> str:
    return cut(text, min(_AROUND, width() - 2) if laid_out() else _AROUND)


OPTIONS: Final = {
    "recall": [
        click.Option(["--exact", "how"], flag_value="exact", help="Only what holds QUERY word for word."),
        click.Option(["--nearest", "how"], flag_value="nearest", help="Also where nothing likely fits."),
    ]
}
BEFORE: Final = {"recall": _how}
LOOKS: Final = {"recall": _recalled}
