"""`steno redact`: take out secrets that were stored before there was a pattern for them."""

import click

import steno
from steno.cli.progress import bar
from steno.cli.show import json_option, print_json, say
from steno.cli.words import by_kind


@click.command(short_help="Take secrets out of everything already stored.")
@json_option
def redact(as_json: bool) -> None:
    """Apply today's patterns, and those in your settings, to everything already stored."""
    with steno.open() as memory, bar("Redacting", in_bytes=False) as progress:
        redacted = memory.redact(progress=progress)
    if as_json:
        print_json({"redacted": redacted})
    elif redacted:
        say(f"Redacted {by_kind(redacted)}.")
    else:
        say("Nothing to redact: no stored turn holds what the patterns find.")
