"""Settings files of hosts that make our hooks run: what an agent may not take from them."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from steno.doors.install import files
from steno.doors.install.changes import HOSTS
from steno.doors.install.hookfile import UnsafeFile
from steno.verbs.attempts import HookFile

# Every path that is written is asked about, and next to none is such a file.
_NAMES: Final = frozenset(("settings.json", "settings.local.json", "hooks.json", "config.toml"))


def hook_file(path: str, environment: Mapping[str, str]) -> HookFile | None:
    """The settings file of a host at a path, or where links lead from there."""
    target = os.path.realpath(path) if os.path.basename(path) in _NAMES or os.path.islink(path) else ""
    for file in (Path(os.path.abspath(path)), Path(target)) if target else ():
        for host in HOSTS.values():
            if in_force := host.in_force(file, environment):
                try:
                    return HookFile(files.read(file) or "", in_force)
                except UnsafeFile:
                    return None
    return None
