"""Writes docs/reference.md from the program itself: `make docs`. A test says it is current."""

import os
import sys
from pathlib import Path

import click

from steno.cli import program
from steno.settings import SETTINGS

HEAD = """# Reference

Made from the program by `make docs`; do not edit.

Every command takes `--help` and `-h`. `--json` prints data for programs: one object, or one object per line for lists.
Exit status: 0 ok, 1 failed, 2 wrong use. Errors say what happened, and what to do next.

## Environment

`STENO_HOME` is the folder everything lives in (default `~/.steno`). `STENO_DEBUG=1` shows the traceback of a bug.

## Settings

From `settings.toml` in the home, or from the environment, which wins. `steno settings` shows what is in force and why.

| setting | variable | default | |
|---|---|---|---|
"""


def reference() -> str:
    """The whole page."""
    rows = [f"| `{s.name}` | `STENO_{s.name.upper()}` | `{_shown(s.default)}` | {s.help} |" for s in SETTINGS]
    context = click.Context(program, info_name="steno", terminal_width=100, **program.context_settings)
    pages = []
    for name in program.list_commands(context):
        command = program.get_command(context, name)
        assert command is not None
        with click.Context(command, info_name=name, parent=context, terminal_width=100) as inner:
            pages.append(f"### steno {name}\n\n```\n{command.get_help(inner)}\n```\n")
            if isinstance(command, click.Group):
                pages += [_verb(name, verb, command.commands[verb], inner) for verb in command.list_commands(inner)]
    return HEAD + "\n".join(rows) + "\n\n## Commands\n\n" + "\n".join(pages)


def _verb(noun: str, verb: str, command: click.Command, parent: click.Context) -> str:
    with click.Context(command, info_name=verb, parent=parent, terminal_width=100) as inner:
        return f"#### steno {noun} {verb}\n\n```\n{command.get_help(inner)}\n```\n"


def _shown(value: object) -> str:
    return ", ".join(value) or " " if isinstance(value, list) else str(value).lower()


if __name__ == "__main__":
    os.environ["NO_COLOR"] = "1"
    Path(sys.argv[1]).write_text(reference(), "utf-8")
