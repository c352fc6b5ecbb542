"""Which names have an entry in this machine's keychain: only whether there is one; no value is ever read."""

import shutil
import subprocess
from collections.abc import Iterable, Mapping
from typing import Final

# A keychain that wants to be unlocked asks a person; nobody waits for that.
_SECONDS: Final = 3.0
_MOST: Final = 50


def kept(names: Iterable[str], environment: Mapping[str, str]) -> list[str]:
    """Those of these names that a keychain knows as a service."""
    path = environment.get("PATH")
    tools = {name: shutil.which(name, path=path) for name in ("secret-tool", "security")}
    # What looks like an option is none of ours.
    chosen = sorted({name for name in names if not name.startswith("-")})[:_MOST]
    if tools["secret-tool"]:
        return [name for name in chosen if _in_secret_service(tools["secret-tool"], name, environment)]
    return [name for name in chosen if tools["security"] and _in_macos(tools["security"], name, environment)]


def _in_secret_service(program: str, name: str, environment: Mapping[str, str]) -> bool:
    """It prints values to its output, which goes nowhere, and attributes beside it: those are looked at."""
    said = _asked([program, "search", "service", name], environment).stderr.decode("utf-8", "replace")
    return f"attribute.service = {name}" in said.splitlines()


def _in_macos(program: str, name: str, environment: Mapping[str, str]) -> bool:
    """Without -g and -w no value is printed; what is printed goes nowhere."""
    return _asked([program, "find-generic-password", "-s", name], environment).returncode == 0


def _asked(words: list[str], environment: Mapping[str, str]) -> "subprocess.CompletedProcess[bytes]":
    try:
        return subprocess.run(  # noqa: S603
            words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=_SECONDS,
            env=dict(environment), check=False,
        )  # fmt: skip
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return subprocess.CompletedProcess(words, 1, stderr=b"")
