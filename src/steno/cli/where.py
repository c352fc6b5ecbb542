"""What somebody types: a project, by a folder or by the name it is kept under; a time."""

import os
from collections.abc import Callable
from typing import Any

import click


def project_option(help_: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """`--project P`, where P may be any folder of the project."""
    return click.option("--project", metavar="P", callback=_whole, help=help_)


def _whole(_context: click.Context, _option: click.Parameter, value: str | None) -> str | None:
    return value and whole(value)


def whole(value: str) -> str:
    """The repository around a folder that is there; else what was typed."""
    folder = os.path.expanduser(value)
    if not os.path.isdir(folder):
        return value
    from steno.sources.common import project_of

    return project_of(os.path.abspath(folder))


class Moment(click.ParamType[str]):
    """A date or a moment, as ISO 8601 writes it; given back as the journal writes it."""

    name = "time"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Without a zone it is the time of this machine."""
        from steno.clock import written

        try:
            return written(value)
        except ValueError:
            self.fail(f"{value!r} is no time; write 2026-03-31 or 2026-03-31T18:00", param, ctx)


class Number(click.ParamType[int]):
    """The number of a turn, as it is typed or as pages print it: `12`, `#12`."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Without its sign."""
        number = str(value).removeprefix("#")
        if not (number.isascii() and number.isdecimal()):
            self.fail(f"{value!r} is no number of a turn; write 12", param, ctx)
        return int(number)


class Object(click.ParamType[dict[str, Any]]):
    """A JSON object."""

    name = "json"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> dict[str, Any]:
        """What a tool is given, for one."""
        import json

        try:
            found = json.loads(value)
        except (ValueError, RecursionError) as error:
            self.fail(f"no JSON: {str(error)[:200]}", param, ctx)
        if not isinstance(found, dict):
            self.fail('a tool\'s input is an object, such as {"command": "…"}', param, ctx)
        return found
