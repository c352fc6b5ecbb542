"""`steno checkpoint`: where the work of a session stands, and the trail of what was done."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import click

import steno
from steno.cli.show import Piece, json_option, laid_out, one_line, paragraph, print_json, say
from steno.cli.words import many

if TYPE_CHECKING:
    from steno.vocabulary import Checkpoint, Trail, TrailCommand, TrailItem

_FIELDS: Final = ("goal", "phase", "done", "next", "blockers", "variables", "trail")
# More of a list than this helps nobody on a terminal; the latest are shown.
_ROWS: Final = 20
# Of commands that went well, only the last ones tell where the work stands.
_LAST: Final = 5


@click.command(short_help="Show where the work of a session stands.")
@click.option("--session", metavar="S", default="latest", show_default=True, help="Its id, or the beginning of it.")
@json_option
def checkpoint(session: str, as_json: bool) -> None:
    """Show where the work of a session stands: goal, phase, done, next, blockers, variables.

    And the trail, from what the tools really did: files, commands, tests, to-dos, plans and questions.
    """
    with steno.open() as memory:
        found = memory.checkpoint(session)
    if as_json:
        print_json({name: getattr(found, name) for name in _FIELDS})
    elif found.turn:
        print_checkpoint(found)
    else:
        say("Nothing is known of this session yet. `steno scribe` reads it.")


def print_checkpoint(found: "Checkpoint") -> None:
    """Where work stands, for a person, and the trail."""
    goal, _, more = (found.goal or "No goal was named.").partition("\n")
    say((one_line(goal), "bold"))
    if more:
        paragraph(more)
    say(("phase  ", "dim"), found.phase)
    for title in ("done", "next", "blockers"):
        _section(title, [["- ", one_line(text)] for text in getattr(found, title)])
    width = max(map(len, found.variables), default=0)
    kinds = found.variables.items()
    _section("variables", [[(f"{kind:<{width}}  ", "dim"), one_line(", ".join(values))] for kind, values in kinds])
    _trail(found.trail)


def _trail(trail: "Trail") -> None:
    _section("files", [[(f"{', '.join(file.acts):<16} ", "dim"), one_line(file.path)] for file in trail.files])
    failed = sum(1 for command in trail.commands if command.failed)
    told = [c for place, c in enumerate(trail.commands) if c.failed or place >= len(trail.commands) - _LAST]
    count = f": {len(trail.commands):,} run, {failed:,} failed" if trail.commands else ""
    _section(f"commands{count}", [_command(command) for command in told])
    if test := trail.last_test:
        style = {True: ("passed   ", "green"), False: ("failed   ", "red"), None: ("unknown  ", "dim")}[test.passed]
        _section("last test", [[style, one_line(test.command)], ["         ", (one_line(test.result), "dim")]])
    _section("to do", [_item(item) for item in trail.todos if item.state != "done"])
    _section("plans", [_item(item) for item in trail.plans])
    _section("questions", [_question(item) for item in trail.questions])


def _section(title: str, rows: Sequence[Sequence[Piece]]) -> None:
    if not rows:
        return
    say()
    say((title, "bold"))
    shown = rows[-_ROWS:] if laid_out() else rows
    if len(shown) < len(rows):
        say((f"  … {many(len(rows) - len(shown), 'earlier one')}: in a pipe or with --json", "dim"))
    for row in shown:
        say("  ", *row)


def _command(command: "TrailCommand") -> list[Piece]:
    if command.refused:
        mark = ("refused  ", "yellow")
    elif command.failed:
        mark = (f"{'failed' if command.exit_status is None else f'exit {command.exit_status}':<8} ", "red")
    else:
        mark = ("unknown  ", "dim") if command.failed is None else ("ok       ", "green")
    return [mark, one_line(command.command)]


def _item(item: "TrailItem") -> list[Piece]:
    return [(f"{one_line(item.state):<8} ", "dim"), one_line(item.text)]


def _question(item: "TrailItem") -> list[Any]:
    return [one_line(item.text), ("  → ", "dim"), one_line(item.state)]
