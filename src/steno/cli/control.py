"""`steno pause`, `resume`, `exclude`: the user's say over what is captured."""

import click

import steno
from steno.cli.show import answer, json_option, print_json, say


@click.command(short_help="Go off the record.")
@json_option
def pause(as_json: bool) -> None:
    """Go off the record: what is said from now on is not captured, not even later."""
    with steno.open() as memory:
        memory.pause()
    more = " What is said until `steno resume` is not captured, not even later."
    answer({"paused": True}, ("Off the record.", "yellow"), more, as_json=as_json)


@click.command(short_help="Go on record again.")
@json_option
def resume(as_json: bool) -> None:
    """Go on record again. What was said during the pause stays left out."""
    with steno.open() as memory:
        memory.resume()
    answer({"paused": False}, ("On record again.", "green"), as_json=as_json)


@click.command(short_help="Leave out projects, folders or transcripts.")
@click.argument("patterns", nargs=-1, metavar="[PATTERN]...")
@click.option("--remove", is_flag=True, help="Take these patterns in again.")
@json_option
def exclude(patterns: tuple[str, ...], remove: bool, as_json: bool) -> None:
    """Leave out what a PATTERN names: a project's folder, a folder of transcripts, or a path with * and ?.

    Without a PATTERN, list what is left out.
    """
    if (remove and not patterns) or not all(patterns):
        raise click.UsageError("name at least one PATTERN" if remove and not patterns else "a PATTERN is empty")
    with steno.open() as memory:
        before = memory.excluded()
        for pattern in patterns:
            (memory.include if remove else memory.exclude)(pattern)
        after = memory.excluded()
    if as_json:
        print_json(*({"pattern": pattern} for pattern in after))
    elif patterns:
        _tell(before, after)
    else:
        for pattern in after:
            say(pattern)
        if not after:
            say("Nothing is left out.")


def _tell(before: list[str], after: list[str]) -> None:
    for pattern in after:
        if pattern not in before:
            say(("Left out: ", "yellow"), pattern)
    for pattern in before:
        if pattern not in after:
            say(("Taken in again: ", "green"), pattern)
    if before == after:
        say("Nothing has changed. `steno exclude` lists what is left out.")
    elif len(after) > len(before):
        say(("What is captured already stays; `steno forget` erases it.", "dim"))
