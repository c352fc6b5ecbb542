"""Which hosts are on this machine, and in which version."""

import re
import shutil
from collections.abc import Mapping
from typing import Final

from steno.processes import run

_NUMBERS: Final = re.compile(r"\d+(?:\.\d+)+")
_SECONDS: Final = 10.0
_BYTES: Final = 10_000


def program_of(name: str, environment: Mapping[str, str]) -> str | None:
    """The full path of a program on the PATH."""
    return shutil.which(name, path=environment.get("PATH"))


def version_of(program: str, environment: Mapping[str, str]) -> tuple[int, ...] | None:
    """What a program says its version is; None if it does not say so in time."""
    found = _NUMBERS.search(run((program, "--version"), _SECONDS, _BYTES, environment=environment).out)
    return tuple(int(number) for number in found[0].split(".")) if found else None
