"""`steno notebook`: what is known as pages that people read and edit."""

from typing import TYPE_CHECKING, Final

import click

import steno
from steno.cli.notebook_limits import limits
from steno.cli.notebook_propose import propose
from steno.cli.progress import learnt
from steno.cli.show import answer, json_option, one_line, print_json, say
from steno.cli.table import Column, table
from steno.cli.words import many

if TYPE_CHECKING:
    from steno.vocabulary.notebooks import Held, Synced

_COLUMNS: Final = (
    Column("project", "path", telling=True),
    Column("pages", "number"),
    Column("lines", "number"),
    Column("path", "path", telling=True),
)


@click.group(short_help="What is known as pages to read and edit.", invoke_without_command=True)
@json_option
@click.pass_context
def notebook(ctx: click.Context, as_json: bool) -> None:
    """What is known as Markdown pages: read them, edit them in any editor, and save.

    Without a verb: where they are, which were changed and not taken in yet, and what is in the way. While `steno up`
    runs, what you save is in force within a second; without it, after `steno notebook sync`.
    """
    if ctx.invoked_subcommand is not None:
        return
    with learnt() as memory:
        state = memory.notebook.state()
    if as_json:
        print_json(state)
        return
    if not state.folders:
        say("No notebook yet. `steno notebook sync` writes it; `steno up` keeps it.")
        return
    table(_COLUMNS, [[one.project or "(no project)", one.pages, one.lines, one.path] for one in state.folders])
    for page in state.changed:
        say(("changed: ", "yellow"), page)
    _say_held(state.held)
    if state.due:
        say((f"{many(state.due, 'entry')} changed since the pages were written", "dim"))
    say((f"git history: {'on' if state.git else 'off'}", "dim"))


for command in (limits, propose):
    notebook.add_command(command)


@notebook.command(short_help="Take in what was edited, write what is new.")
@click.option("--deleted", is_flag=True, help="Also where more than half of a page was deleted.")
@json_option
def sync(deleted: bool, as_json: bool) -> None:
    """Take in what you changed on the pages, then write what changed elsewhere.

    A changed line revises its entry, a deleted one archives it, a new one under a heading is remembered, a ticked box
    closes a task, a moved line changes its topic or category. What changed on both sides is kept twice and waits in
    `steno review`. Memory files that were captured (`--source notes`) are read again if they changed.
    """
    with steno.open() as memory:
        memory.follow_notes()
        memory.learn()
        synced = memory.notebook.sync(deleted=deleted)
    _told(synced, as_json=as_json)


@notebook.command(short_help="Keep a history of the pages, or no more.")
@click.argument("switch", metavar="on|off", type=click.Choice(["on", "off"]))
@json_option
def git(switch: str, as_json: bool) -> None:
    """Keep the notebook's pages of every night in a git repository inside it, or no more.

    Only pages are in it, none in which a secret stands, and it goes nowhere. `steno forget` begins it anew: what was
    forgotten would stand in it.
    """
    with steno.open() as memory:
        memory.notebook.history.turn(on=switch == "on")
        path = memory.home.notebook
    kept = "kept every night" if switch == "on" else "kept no more; what there is stays"
    answer({"git": switch == "on", "path": str(path)}, f"The history of {path} is {kept}.", as_json=as_json)


@notebook.command(short_help="Keep the pages as they are now.")
@json_option
def commit(as_json: bool) -> None:
    """Write what is new, then keep the pages as they are now in the notebook's history."""
    with learnt() as memory:
        memory.notebook.sync()
        kept = memory.notebook.history.commit()
    if as_json:
        print_json(kept if kept else {"pages": 0})
    elif kept is None:
        say("Nothing changed since the last time.")
    else:
        for name in kept.left_out:
            say(("left out: ", "yellow"), f"{name} holds what looks like a secret")
        say(f"Kept {many(kept.pages, 'page')}.")


def _told(synced: "Synced", *, as_json: bool) -> None:
    if as_json:
        print_json(synced)
        return
    for one in synced.edits:
        say((f"{one.act} ", "green"), (f"{one.id} ", "dim"), one_line(one.text))
    for one in synced.conflicts:
        say(("changed on both sides ", "yellow"), (f"{one.id} ", "dim"), one_line(one.text), "; see `steno review`")
    _say_held(synced.held)
    say(f"{many(len(synced.edits), 'edit')} taken in, {many(len(synced.written), 'page')} written.")


def _say_held(held: "list[Held]") -> None:
    for one in held:
        say(("left alone: ", "yellow"), f"{one.page} {one.reason}", (f" ({one.hint})" if one.hint else "", "dim"))
