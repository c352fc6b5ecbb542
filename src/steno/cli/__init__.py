"""The command line: parse, call the front desk, print. One file per noun, imported when its command is called."""

import os
import sys
from importlib import import_module
from io import TextIOWrapper
from typing import Any, Final, NoReturn

import click

from steno import __version__

# Commands by what they are for, in the order of the help page; a command that is not called like its module stands
# behind its name. The modules import nothing heavy by themselves.
_COMMANDS: Final = {
    "Write down": "capture control.pause control.resume control.exclude",
    "Remember": "scribe entries entry.show checkpoint work review entry.remember entry.revise entry.archive share"
    " backtest scribe.rebuild",
    "Look": "status sessions turns recall believes read embed",
    "Better notes": "model model.spend",
    "Brief": "brief.boot brief brief.receipts loss handoff handoff.capsule",
    "Act": "rules flows gate notebook",
    "Fleet": "agents capabilities capabilities.dispatch relay relay.cascade flags pulse bridges watched.watch"
    " infrastructure fitness morning",
    "Run": "daemon.up daemon.down daemon.logs daemon.service upkeep install install.uninstall hook mcp",
    "Erase": "forget redact",
    "Move and care": "moving.export moving.import doctor settings",
}


def _name(place: str) -> str:
    return place.rpartition(".")[2]


_MODULES: Final = {_name(one): one.partition(".")[0] for places in _COMMANDS.values() for one in places.split()}


class Steno(click.Group):
    """The group of all commands, which also turns whatever goes wrong into words and an exit code."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All commands, in the order of the help page."""
        return list(_MODULES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command's module."""
        if cmd_name not in _MODULES:
            return None
        module = import_module(f"steno.cli.{_MODULES[cmd_name]}")
        command: click.Command = getattr(module, "import_" if cmd_name == "import" else cmd_name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command a line names; where there is none, the one that was probably meant."""
        if args[0] not in _MODULES and not args[0].startswith("-"):
            from difflib import get_close_matches

            near = get_close_matches(args[0], _MODULES, n=1)
            ctx.fail(f"there is no command {args[0]!r}" + (f"; did you mean `steno {near[0]}`?" if near else ""))
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands, by what they are for."""
        for title, places in _COMMANDS.items():
            commands = [(name, self.get_command(ctx, name)) for name in map(_name, places.split())]
            with formatter.section(title):
                formatter.write_dl([(name, command.get_short_help_str(80)) for name, command in commands if command])

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


@click.group(cls=Steno, context_settings={"max_content_width": 100, "help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="steno %(version)s")
def program() -> None:
    """The court stenographer for AI agents: writes down what was really said, and finds it again.

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
