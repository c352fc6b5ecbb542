"""`steno rules trial`: where a rule's matcher would have fired, and what the human did about it."""

from typing import TYPE_CHECKING

import click

from steno.cli.progress import learnt
from steno.cli.show import json_option, print_json, say
from steno.cli.table import Cell, Column, table

if TYPE_CHECKING:
    from steno.vocabulary import Firing, Rule, Trial

_COLUMNS = (
    Column("when", "time"),
    Column("session", "id", spare=1),
    Column("turn", "number", spare=2),
    Column("what", telling=True),
    Column("reaction"),
    Column("the human's words", telling=True),
)


@click.command(short_help="Try a rule's matcher on the journal.")
@click.argument("rule", metavar="ID")
@click.option("--matcher-command", metavar="RE", help="Set the matcher first: a pattern found in a shell command.")
@click.option("--matcher-path", metavar="RE", help="The same in a path the action touches.")
@click.option("--matcher-tool", metavar="RE", help="The same for the whole name of the tool.")
@click.option("--matcher-text", metavar="RE", help="The same anywhere in the action.")
@json_option
def trial(rule: str, as_json: bool, **patterns: str | None) -> None:
    """Try the matcher of the rule ID on every tool call in the journal.

    Prints each place where it would have fired, with the human's reaction after it: refused, corrected, accepted, or
    none that is known. Only after a trial may a matcher be raised to ask or to block. Patterns follow RE2 and ignore
    case; each that is given must be found.
    """
    from steno.cli.progress import counter
    from steno.pipeline.trial import Trials
    from steno.vocabulary import Matcher

    given = {name.removeprefix("matcher_"): pattern for name, pattern in patterns.items() if pattern is not None}
    with learnt() as memory, counter("Trying") as progress:
        tried, figures, firings = Trials(memory.home, memory.rules).trial(
            rule, Matcher(**given) if given else None, progress
        )
    if as_json:
        print_json(*firings, {"rule": tried.id, "mode": tried.mode, **_flat(figures)})
    else:
        _print(tried, figures, firings)


def _flat(figures: "Trial") -> dict[str, object]:
    import msgspec

    found: dict[str, object] = msgspec.to_builtins(figures)
    return found


def _print(tried: "Rule", figures: "Trial", firings: "list[Firing]") -> None:
    from steno.rules.trial import in_words

    say((tried.id, "bold"), f"  {tried.rule}")
    say("matcher  ", "   ".join(f"{name} {pattern}" for name, pattern in _patterns(tried).items()))
    if firings:
        say()
        table(_COLUMNS, [_row(one) for one in firings])
        say()
    say((f"{in_words(figures).capitalize()}.", "bold"))
    say((_next_step(tried, figures), "dim"))


def _patterns(tried: "Rule") -> dict[str, str]:
    import msgspec

    found: dict[str, str] = msgspec.to_builtins(tried.matcher)
    return found


def _row(firing: "Firing") -> list[Cell]:
    what = f"{firing.tool}: {firing.action}" if firing.tool not in (None, firing.action) else firing.action
    return [firing.at, firing.session, firing.turn, what, firing.reaction, firing.words]


def _next_step(tried: "Rule", figures: "Trial") -> str:
    if not figures.fired or figures.wrong > figures.right:
        return f'Another pattern may do better: `steno rules trial {tried.id} --matcher-command "…"`.'
    if tried.mode == "warn":
        return f"It warns from now on. `steno rules raise {tried.id} --to ask` makes it ask."
    if tried.mode == "ask":
        return f"It asks from now on. `steno rules raise {tried.id} --to block` makes it block."
    return "It blocks from now on."
