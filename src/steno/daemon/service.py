"""The daemon as a service of the user's own session: the text of a systemd unit or of a launchd property list."""

import os
import plistlib
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

from steno.client import LOG
from steno.daemon.control import command, environment

_UNIT: Final = "steno.service"
_LABEL: Final = "steno.daemon"


class Service(NamedTuple):
    """What is written where, and what the user runs to start it, or to stop it before the file goes."""

    path: Path
    text: str
    enable: str
    disable: str


def service(home: Path, platform: str, variables: Mapping[str, str]) -> Service:
    """The service of a home on a platform (`linux`, `darwin`)."""
    user = Path(variables.get("HOME") or os.path.expanduser("~"))
    return _launchd(home, user) if platform == "darwin" else _systemd(home, user, variables)


def _systemd(home: Path, user: Path, variables: Mapping[str, str]) -> Service:
    settings = "\n".join(f"Environment={_quoted(f'{name}={text}')}" for name, text in environment(home).items())
    text = f"""\
[Unit]
Description=Steno writes down what agents and people said

[Service]
ExecStart={" ".join(_quoted(word).replace("$", "$$") for word in command())}
{settings}
Restart=on-failure
# When a daemon started by hand runs already, this one waits until it is gone.
RestartSec=30
TimeoutStopSec=15
KillMode=mixed

[Install]
WantedBy=default.target
"""
    folder = Path(variables.get("XDG_CONFIG_HOME") or user / ".config")
    return Service(
        path=folder / "systemd" / "user" / _UNIT,
        text=text,
        enable=f"systemctl --user daemon-reload && systemctl --user enable --now {_UNIT}",
        disable=f"systemctl --user disable --now {_UNIT}",
    )


def _launchd(home: Path, user: Path) -> Service:
    log = os.path.join(os.path.abspath(home), LOG)
    text = plistlib.dumps(
        {
            "Label": _LABEL,
            "ProgramArguments": command(),
            "EnvironmentVariables": dict(environment(home)),
            "RunAtLoad": True,
            "KeepAlive": {"SuccessfulExit": False},
            "ThrottleInterval": 30,
            "ProcessType": "Background",
            "StandardOutPath": log,
            "StandardErrorPath": log,
            "WorkingDirectory": "/",
        },
        sort_keys=False,
    ).decode()
    path = user / "Library" / "LaunchAgents" / f"{_LABEL}.plist"
    return Service(
        path=path,
        text=text,
        enable=f"launchctl bootstrap gui/{os.getuid()} '{path}'",
        disable=f"launchctl bootout gui/{os.getuid()}/{_LABEL}",
    )


def _quoted(text: str) -> str:
    """A word as systemd reads it; percent signs are its own, and in commands dollar signs, too."""
    for sign, written in (("\\", "\\\\"), ('"', '\\"'), ("%", "%%"), ("\n", "\\n")):
        text = text.replace(sign, written)
    return f'"{text}"'
