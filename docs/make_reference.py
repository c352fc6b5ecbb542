"""Writes docs/reference.md, and the list of verbs in README.md, from the program itself: `make docs`.

A test says they are current.
"""

import os
import sys
from pathlib import Path

import click

from steno.cli import tree
from steno.doors.openapi import method_of
from steno.settings import SETTINGS
from steno.verbs import VERBS
from steno.verbs.table import Verb

HEAD = """# Reference

Made from the program by `make docs`; do not edit.

Every command takes `--help`, `-h` and `--json`: one object, or one object per line for lists. Exit status: 0 ok, 1
failed, 2 wrong use. A command about a project means the one you stand in; `--project NAME` names another,
`--everywhere` all.

## Environment

`STENO_HOME` is the folder everything lives in (default `~/.steno`). `STENO_DEBUG=1` shows the traceback of a bug.

## Verbs

Each is one function in `src/steno/verbs/`; every door is made from this table. *Agents* may call those marked ✓ in
their own scope; those marked “person” are acts of authority, which belong to people.

| verb | HTTP | MCP | agents | |
|---|---|---|---|---|
"""
SETTINGS_HEAD = """
## Settings

From `settings.toml` in the home, or from the environment, which wins. `steno store settings` shows what is in force.

| setting | variable | default | |
|---|---|---|---|
"""
SHORT = ", ".join(f"`{word}` for `{name}`" for word, name in tree.ALIASES.items())
COMMANDS_HEAD = f"\n\n## Commands\n\nOther programs may go on saying {SHORT}.\n\n"
BEGIN, END = "<!-- verbs: made by `make docs` -->", "<!-- end of verbs -->"


def reference() -> str:
    """The whole page."""
    rows = [_row(verb) for verb in VERBS.values()]
    settings = [f"| `{s.name}` | `STENO_{s.name.upper()}` | `{_shown(s.default)}` | {s.help} |" for s in SETTINGS]
    context = click.Context(tree.program, info_name="steno", terminal_width=100, **tree.program.context_settings)
    pages = []
    for name in tree.every_name():
        command = tree.made(name)
        assert command is not None
        with click.Context(command, info_name=name, parent=context, terminal_width=100) as inner:
            pages.append(f"### steno {name}\n\n```\n{command.get_help(inner)}\n```\n")
    return HEAD + "\n".join(rows) + "\n" + SETTINGS_HEAD + "\n".join(settings) + COMMANDS_HEAD + "\n".join(pages)


def verbs() -> str:
    """The list in the README: the words at the top, and what each group has."""
    lines = [f"Every day: `{' · '.join(tree.EVERY_DAY)}`, and in groups:", ""]
    for word in (*tree.EVERY_DAY, *tree.GROUPS):
        below = [name.removeprefix(f"{word} ") for name in tree.every_name() if name.startswith(f"{word} ")]
        if below or word in tree.GROUPS:
            lines.append(f"- `{word}`" + (f": {', '.join(below)}" if below else ""))
    return "\n".join(lines)


def readme(text: str) -> str:
    """The README with the list as it is now."""
    before, _, rest = text.partition(BEGIN)
    return f"{before}{BEGIN}\n{verbs()}\n{END}{rest.partition(END)[2]}"


def _row(verb: Verb) -> str:
    http = f"`{method_of(verb)} {verb.path}`" if "http" in verb.doors else "–"
    agents = "person" if verb.authority else "✓" if verb.held or verb.tool or verb.does == "notes" else ""
    return f"| `{verb.name}` | {http} | {f'`{verb.tool}`' if verb.tool else '–'} | {agents} | {verb.summary} |"


def _shown(value: object) -> str:
    return ", ".join(value) or " " if isinstance(value, list) else str(value).lower()


if __name__ == "__main__":
    os.environ["NO_COLOR"] = "1"
    Path(sys.argv[1]).write_text(reference(), "utf-8")
    if len(sys.argv) > 2:
        page = Path(sys.argv[2])
        page.write_text(readme(page.read_text("utf-8")), "utf-8")
