"""`steno loss`: what a compaction took, and what the agent still has of it."""

from typing import TYPE_CHECKING, Final

import click

import steno
from steno.cli.show import json_option, laid_out, one_line, print_json, say
from steno.cli.table import Cell, Column, table
from steno.cli.words import share, when

if TYPE_CHECKING:
    from steno.vocabulary import Loss, LossItem

_FATES: Final = ("present", "restored", "missing")
_COLUMNS: Final = (
    Column("", telling=True),
    Column("live", "number"),
    *(Column(fate, "number") for fate in _FATES),
    Column("kept", "right"),
)
# More of what is missing than this helps nobody on a terminal.
_ROWS: Final = 20


@click.command(short_help="Show what a compaction took.")
@click.option("--session", metavar="S", default="latest", show_default=True, help="Its id, or the beginning of it.")
@json_option
def loss(session: str, as_json: bool) -> None:
    """Show what was live before a session's last compaction, and what became of it.

    Present: the host's own summary still tells it. Restored: the session was given it since, by its receipts. Missing:
    neither. Compared by code, word by word; no model judges.
    """
    from steno.briefing.loss import is_flagged

    with steno.open() as memory:
        found = memory.loss(session)
    if as_json:
        kinds = {item.kind: found.share(item.kind) for item in found.items}
        rest = {
            name: getattr(found, name) for name in ("session", "turn", "at", "summary_characters", "given", "items")
        }
        print_json(rest | {"kept": kinds, "kept_critical": found.share(critical=True), "flag": is_flagged(found)})
    else:
        _print(found)
        _verdict(found, flagged=is_flagged(found))


def _print(found: "Loss") -> None:
    at = when(found.at) if laid_out() else found.at or ""
    size = found.summary_characters
    summary = f"a summary of {size:,} characters" if size else "no summary that can be read"
    say(f"Session {found.session} was compacted{f' at {at}' if at else ''}. Its host left {summary}.")
    say("A briefing was given since." if found.given else "No briefing was given since: nothing is restored.")
    say()
    kinds = list(dict.fromkeys(item.kind for item in found.items))
    table(_COLUMNS, [_row(found, kind) for kind in kinds])
    missing = [item for item in found.items if item.fate == "missing"]
    if not missing:
        return
    say()
    say(("missing", "bold"))
    shown = sorted(missing, key=lambda item: not item.critical)[: _ROWS if laid_out() else None]
    for item in shown:
        say("  ", (f"{item.kind:<9} ", "red" if item.critical else "dim"), _text(item))
    if len(shown) < len(missing):
        say((f"  … {len(missing) - len(shown)} more: in a pipe or with --json", "dim"))


def _row(found: "Loss", kind: str) -> list[Cell]:
    fates = [item.fate for item in found.items if item.kind == kind]
    counts = [fates.count(fate) or None for fate in _FATES]
    return [kind, len(fates), *counts, share(found.share(kind))]


def _text(item: "LossItem") -> str:
    text = one_line(item.text)
    return text if len(text) <= 200 or not laid_out() else f"{text[:199]}…"


def _verdict(found: "Loss", *, flagged: bool) -> None:
    critical = found.share(critical=True)
    what = f"what work depends on ({', '.join(dict.fromkeys(item.kind for item in found.items if item.critical))})"
    say()
    if critical is None:
        say("Nothing that work depends on was live.")
    elif flagged:
        say(("Flag: ", "red"), f"only {critical:.0%} of {what} is still there.")
        say((f"`steno brief --session {found.session} --given` prints what to hand to the agent", "dim"))
    else:
        say((f"{critical:.0%}", "green"), f" of {what} is still there.")
