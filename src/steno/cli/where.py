"""Which project is meant: by a folder as one types it, or by the name it is kept under."""

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
