"""A host's own program as the model that makes better notes, if its user agrees."""

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from steno.doors.install import machine
from steno.doors.install.changes import HOSTS
from steno.settings import Settings

# More than most days of work have; past it notes are made without a model.
TOKENS_A_DAY: Final = 500_000


def command_of(name: str, environment: Mapping[str, str]) -> str | None:
    """The command line that asks a host's program one question; None: the program is not here."""
    host = HOSTS[name]
    program = machine.program_of(host.program, environment)
    return None if program is None else shlex.join([program, *host.answers_with])


def is_open(home: Path, environment: Mapping[str, str]) -> bool:
    """Whether nobody said yet which model to use, or that none is."""
    return all(one.origin == "default" for one in Settings(home, environment).all() if one.setting.name == "model")


def chosen(command: str | None) -> dict[str, str | int]:
    """What the user's answer means as settings; None is a no."""
    if command is None:
        return {"model": ""}
    return {"model": f"command:{command}", "model_tokens_a_day": TOKENS_A_DAY}
