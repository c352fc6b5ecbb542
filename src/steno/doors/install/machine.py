"""Which hosts are on this machine, and in which version."""

import re
import shutil
import subprocess
from collections.abc import Mapping
from typing import Final

_NUMBERS: Final = re.compile(r"\d+(?:\.\d+)+")
_SECONDS: Final = 10


def program_of(name: str, environment: Mapping[str, str]) -> str | None:
    """The full path of a program on the PATH."""
    return shutil.which(name, path=environment.get("PATH"))


def version_of(program: str, environment: Mapping[str, str]) -> tuple[int, ...] | None:
    """What a program says its version is; None if it does not say so in time."""
    try:
        answer = subprocess.run(  # noqa: S603  the user's own agent program, asked for its version
            [program, "--version"],
            capture_output=True,
            stdin=subprocess.DEVNULL,
            env={**environment, "STENO_INSIDE": "1"},
            timeout=_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = _NUMBERS.search(answer.stdout.decode("utf-8", "replace"))
    return tuple(int(number) for number in found[0].split(".")) if found else None
