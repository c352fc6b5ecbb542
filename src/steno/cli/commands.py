"""The command line of a verb: what is typed becomes what is given, and what is answered is shown."""

import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from types import ModuleType
from typing import Any, Final, Literal, get_args, get_origin

import click

from steno.cli.where import Moment, Number, Object
from steno.verbs.table import Param, Verb
from steno.verbs.words import meant

_JSON: Final = click.Option(["--json", "as_json"], is_flag=True, help="Print JSON.")
_HERE: Final = "A project, by its name or folder; else the one you stand in."


def command(verb: Verb, below: Sequence[tuple[str, str]] = ()) -> click.Command:
    """The Click command of a verb; the commands below it are named on its page."""
    params = [_param(one) for one in verb.params()]
    if "where" in verb.handed:
        params.append(click.Option(["--project"], metavar="NAME", help=_HERE, callback=partial(_meant, "place")))
        params.append(click.Option(["--everywhere"], is_flag=True, help="All projects."))
    looks = look_module(verb)
    # An option of the command line's own may stand for one of the verb's.
    own = getattr(looks, "OPTIONS", {}).get(verb.name, [])
    params = [one for one in params if one.name not in {other.name for other in own}]
    return Page(
        verb.name, callback=_runs(verb, looks), params=[*params, *own, _JSON], help=_help(verb),
        short_help=verb.summary, below=below,
    )  # fmt: skip


class Page(click.Command):
    """A command whose help page also names the commands below it."""

    def __init__(self, name: str, *, below: Sequence[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(name, **kwargs)
        self._below = below

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """What stands under the options."""
        if self._below:
            with formatter.section("Commands"):
                formatter.write_dl(self._below)


def look_module(verb: Verb) -> ModuleType:
    """How answers of a subject look: the module named like the verbs'."""
    return import_module(f"steno.cli.looks.{verb.call.__module__.rpartition('.')[2]}")


def _help(verb: Verb) -> str:
    """Click fills paragraphs; an example stands on a line of its own."""
    return "\n\n".join(f"\b\n{part}" if part.startswith("$") else part for part in verb.help.split("\n\n"))


def _runs(verb: Verb, looks: ModuleType) -> Callable[..., None]:
    def run(as_json: bool, **given: Any) -> None:
        from steno.cli.answering import ask

        if "where" in verb.handed or "directory" in given:
            given["directory"] = given.get("directory") or _here()
        begin = getattr(looks, "BEFORE", {}).get(verb.name)
        if begin is not None and begin(given, as_json=as_json) is False:
            return
        code = ask(verb, given, as_json=as_json, look=getattr(looks, "LOOKS", {}).get(verb.name))
        if code:
            sys.exit(code)

    return run


def _param(one: Param) -> click.Parameter:
    kind, several, may_lack = one.typed
    arg, default = one.arg, None if one.is_required else one.default
    shared: dict[str, Any] = {"type": _click_type(one, kind), "metavar": arg.metavar or None}
    if arg.kind in ("path", "pattern", "place"):
        shared["callback"] = partial(_meant, arg.kind)
    if not one.is_required:  # no default at all is another one than None
        shared["default"] = None if several and not one.is_argument else default
    if one.is_argument:
        name = f"{arg.metavar or one.name.upper()}{'...' if several or arg.kind == 'words' else ''}"
        shared["metavar"] = name if one.is_required else f"[{name}]"
        if arg.kind == "words":
            shared = {"metavar": shared["metavar"], "callback": _joined}
        many = -1 if several or arg.kind == "words" else 1
        return click.Argument([one.name], nargs=many, required=one.is_required, **shared)
    if kind is bool:
        return click.Option([one.flag, one.name], is_flag=True, default=default, help=arg.help)
    # What may lack has no default to speak of, and an empty list is one.
    shows = not may_lack and not several and default not in (None, "")
    return click.Option(
        [one.flag, one.name], required=one.is_required, multiple=several, help=arg.help, show_default=shows, **shared
    )


def _click_type(one: Param, kind: Any) -> Any:
    special = {"time": Moment, "turn": Number, "json": Object}
    if one.arg.kind in special:
        return special[one.arg.kind]()
    if get_origin(kind) is Literal:
        return click.Choice(get_args(kind))
    if kind is int and (one.arg.least, one.arg.most) != (None, None):
        return click.IntRange(one.arg.least, one.arg.most)
    return {int: click.INT, float: click.FLOAT}.get(kind, click.STRING)


def _joined(_context: click.Context, _param: click.Parameter, value: Sequence[str]) -> str | None:
    return " ".join(value) if value else None


def _meant(kind: str, _context: click.Context, _param: click.Parameter, value: Any) -> Any:
    """Paths, patterns and places as they are meant from here."""
    if isinstance(value, tuple | list):
        return [_from_here(kind, one) for one in value] or None
    return None if value is None else _from_here(kind, value)


def _from_here(kind: str, text: str) -> str:
    if not text and kind == "path":
        raise click.UsageError("a path is empty")
    return meant(kind, text)


def _here() -> str | None:
    """The current directory, unless it was removed under us."""
    try:
        return os.getcwd()
    except OSError:
        return None
