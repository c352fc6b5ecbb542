"""`steno notebook propose`: what holds, for the files of a host that own it."""

import click

from steno.cli.progress import learnt
from steno.cli.show import json_option, print_json, say, verbatim
from steno.cli.words import many


@click.command(short_help="Propose what holds for USER.md, TOOLS.md, IDENTITY.md.")
@click.option("--apply", is_flag=True, help="Write it.")
@json_option
def propose(apply: bool, as_json: bool) -> None:
    """Show what would change in USER.md (people), TOOLS.md (infrastructure) and IDENTITY.md (the agent) of OpenClaw.

    What people said and holds is put there as present state, with its reason, in a part of its own; the rest of the
    file stays as it is. A fact belongs to people if it stands on a page of `topics/people`.
    """
    with learnt() as memory:
        found = memory.owning.proposals(apply=apply)
    if as_json:
        print_json(*found)
        return
    for one in found:
        if one.diff:
            verbatim(one.diff.rstrip("\n"))
        if one.held:
            say(("held back ", "yellow"), f"{one.path}: {one.held}")
    written = [one for one in found if one.written]
    if written:
        say(("Wrote ", "green"), many(len(written), "file"), ".")
    elif not found:
        say("Nothing to propose: no such file, or it says all of it.")
    elif not apply:
        say("Nothing was written; --apply writes it.")
