"""The words of the command line: the table of verbs, and the few commands that are about this terminal or machine."""

import os
import sys
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from io import TextIOWrapper
from typing import Any, Final, NoReturn

import click

from steno import __version__
from steno.cli.commands import Page, command
from steno.verbs import VERBS
from steno.verbs.table import Verb
from steno.verbs.words import ALIASES, TYPED

# What a word was called before.
MOVED: Final = {
    "resume": "pause off",
    "show": "entries show",
    "remember": "entries remember",
    "revise": "entries revise",
    "archive": "entries archive",
    "share": "entries share",
    "backtest": "entries backtest",
    "exclude": "capture exclude",
    "loss": "sessions loss",
    "work": "sessions work",
    "receipts": "brief receipts",
    "handoff": "brief handoff",
    "capsule": "brief capsule",
    "dispatch": "agents dispatch",
    "fitness": "agents fitness",
    "morning": "agents morning",
    "pulse": "agents pulse",
    "cascade": "relay trace",
    "spend": "model spend",
    "logs": "daemon logs",
    "service": "daemon service",
    "rebuild": "store rebuild",
    "embed": "store embed",
    "redact": "store redact",
    "export": "store export",
    "import": "store import",
    "settings": "store settings",
}
# The help page: words for every day, and groups, each with what it is about.
EVERY_DAY: Final = "status recall rules review forget pause read install uninstall".split()
GROUPS: Final = {
    "capture": "Read transcripts; leave some out.",
    "sessions": "What was said, where the work stands, what was lost.",
    "entries": "What is remembered: list, show, remember, revise, share.",
    "brief": "What an agent is told, and the receipts.",
    "why": "Why a call was asked, a line told, something found.",
    "flows": "Procedures: list, find, add, edit, retire.",
    "gate": "Before and after an action.",
    "notebook": "The pages people read and edit.",
    "agents": "Who works here, what for, how well; wake and dispatch.",
    "relay": "Messages between agents.",
    "flags": "Warnings raised by hand.",
    "capabilities": "What can be done here, and whether it works.",
    "watch": "Files that raise a flag when they change.",
    "bridges": "Whose output is whose input.",
    "infrastructure": "Disks, services and jobs of this machine.",
    "model": "The model that reads along, and what it costs.",
    "upkeep": "What the memory does by itself at night.",
    "store": "Check, move, rebuild; settings.",
    "daemon": "The process that does all of it: `steno up`, `steno stop`.",
}
# What a group does when nothing else is said: its own verb, or the first of these.
_DEFAULTS: Final = ("", " list", " status", " threads")


class Steno(click.Group):
    """All commands. Also turns whatever goes wrong into words and an exit code."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The words at the top."""
        return [*EVERY_DAY, *GROUPS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name, which may be several words."""
        return made(ALIASES.get(cmd_name, cmd_name))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command whose name is the longest that the line begins with."""
        words = args[: next((n for n, word in enumerate(args) if word.startswith("-")), len(args))]
        for count in range(min(len(words), 3), 0, -1):
            name = " ".join(words[:count])
            if found := self.get_command(ctx, name):
                self._refuse_stranger(ctx, ALIASES.get(name, name), words[count:], found)
                return name, found, args[count:]
        if not words:
            ctx.fail(f"there is no option {args[0]!r}")
        return _refuse(ctx, words[0], [*self.list_commands(ctx), *ALIASES, *TYPED])

    def _refuse_stranger(self, ctx: click.Context, name: str, rest: Sequence[str], found: click.Command) -> None:
        """A word behind a group that is neither a command of it nor anything the group itself takes."""
        below = _below(name)
        if below and rest and not any(isinstance(one, click.Argument) for one in found.params):
            _refuse(ctx, f"{name} {rest[0]}", [f"{name} {one}" for one in below])

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Nothing but the commands: the page is to fit a screen."""
        self.format_commands(ctx, formatter)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands."""
        for title, names in (("Every day", EVERY_DAY), ("And more", list(GROUPS))):
            with formatter.section(title):
                formatter.write_dl([(name, GROUPS.get(name) or _short(name)) for name in names])

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run a command line and leave with its exit code."""
        if os.environ.get("_STENO_COMPLETE"):
            return super().main(*args, **extra)
        given = extra.get("args", args[0] if args else None)
        sys.exit(self._run(sys.argv[1:] if given is None else list(given)))

    def _run(self, args: list[str]) -> int:
        from steno.cli.trouble import tell

        try:
            try:
                with self.make_context("steno", args) as ctx:
                    self.invoke(ctx)
                code = 0
            except click.exceptions.Exit as left:
                code = left.exit_code
            sys.stdout.flush()
        except BaseException as error:
            return tell(error)
        return code


def _refuse(ctx: click.Context, word: str, known: Sequence[str]) -> NoReturn:
    """There is no such command: say its new name, or the one that was probably meant."""
    from difflib import get_close_matches

    last = word.rpartition(" ")[2]
    if word in MOVED:
        ctx.fail(f"`steno {word}` is `steno {MOVED[word]}` now")
    if not word.isprintable() or len(word) > 80:
        ctx.fail("there is no such command")
    every = [*known, *every_name()]
    near = get_close_matches(word, known, n=1) or [one for one in every if one.rpartition(" ")[2] == last]
    near = near or get_close_matches(word, every, n=1)
    ctx.fail(f"there is no command {word!r}" + (f"; did you mean `steno {near[0]}`?" if near else ""))


@cache
def made(name: str) -> click.Command | None:
    """The command of a verb, of a group (which does what it does when nothing else is said), or of this machine."""
    if name in TYPED:
        module, _, called = TYPED[name].partition(".")
        found: click.Command = getattr(import_module(f"steno.cli.{module}"), called)
        return found
    below, typed = _below(name), _typed()
    own = next((typed[name + end] for end in _DEFAULTS if name + end in typed), None)
    if own is not None and (own.name == name or below):
        return command(own, _rows(name, below, own.name))
    return Group(name, help=GROUPS.get(name), params=[], below=_rows(name, below)) if below else None


class Group(Page):
    """A group that does nothing by itself: its help page."""

    def invoke(self, ctx: click.Context) -> None:
        """Show it."""
        click.echo(ctx.get_help())


def every_name() -> list[str]:
    """All commands."""
    return [*_typed(), *TYPED]


@cache
def _typed() -> dict[str, Verb]:
    """The verbs of the command line."""
    return {name: one for name, one in VERBS.items() if "cli" in one.doors}


def _below(name: str) -> list[str]:
    """Names of the commands of a group, without its own."""
    return [one[len(name) + 1 :] for one in every_name() if one.startswith(f"{name} ")]


def _rows(name: str, below: Sequence[str], own: str = "") -> list[tuple[str, str]]:
    """The commands of a group, each with what it does."""
    return [(one, _short(f"{name} {one}")) for one in below if f"{name} {one}" != own]


def _short(name: str) -> str:
    found = made(name)
    return found.get_short_help_str(90) if found else ""


@click.group(
    cls=Steno,
    options_metavar="[--help | --version]",
    context_settings={"max_content_width": 80, "help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, message="steno %(version)s")
def program() -> None:
    """The court stenographer for AI agents: what was really said, with the quote.

    \b
    To begin:
      steno capture --all            read what your agents left on this machine
      steno recall "your question"   find it again, with the words it rests on
      steno install                  let it all happen by itself
    """


def main() -> NoReturn:
    """The program `steno`."""
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by the shell: `steno status >&-`
            setattr(sys, name, open(os.devnull, "r" if name == "stdin" else "w"))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a terminal that cannot show a character shows another, and goes on
            stream.reconfigure(errors="replace")
    # One question is too little for several threads, and to start them takes longer than to answer it.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    program.main()
    raise AssertionError("Steno.main always leaves")
