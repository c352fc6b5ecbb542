"""`steno doctor`: the store proves itself."""

import click

import steno
from steno.cli.show import json_option, print_json, say


@click.command(short_help="Prove that the store is sound.")
@json_option
def doctor(as_json: bool) -> None:
    """Prove that the store is sound: exit 0 if it is, 1 if not."""
    with steno.open() as memory:
        checks = memory.doctor()
    if as_json:
        print_json(*checks)
    else:
        for check in checks:
            say(("ok  ", "green") if check.ok else ("BAD ", "bold red"), f"{check.name}: {check.detail}")
    if not all(check.ok for check in checks):
        raise click.exceptions.Exit(1)
