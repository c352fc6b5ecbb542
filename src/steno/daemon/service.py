"""The daemon as a service of the user's own session: a systemd unit or a launchd property list, in and out."""

import os
import plistlib
import shlex
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

from steno.client import LOG
from steno.daemon.control import command, environment
from steno.vocabulary.errors import StenoError

_UNIT: Final = "steno.service"
_LABEL: Final = "steno.daemon"


# Longer than the machine's own manager takes to start or to stop us.
_PATIENCE_S: Final = 60

Command = tuple[str, ...]


class Service(NamedTuple):
    """What is written where, and what switches it on, and off before the file goes."""

    # Who starts services on this platform.
    manager: str
    path: Path
    text: str
    enable: tuple[Command, ...]
    disable: tuple[Command, ...]

    @property
    def is_possible(self) -> bool:
        """Whether this machine has such a manager."""
        return shutil.which(self.enable[0][0]) is not None

    @property
    def is_there(self) -> bool:
        """Whether it is installed as it should be."""
        return self.path.exists() and self.path.read_text("utf-8", "replace") == self.text


def install(one: Service) -> None:
    """Write the file and switch the service on: from now on, and at every login."""
    if not one.is_possible:
        raise StenoError(
            f"there is no {one.manager} on this machine", hint="`steno up` starts the daemon, also after a restart"
        )
    one.path.parent.mkdir(parents=True, exist_ok=True)
    beside = one.path.with_name(f"{one.path.name}.new")
    beside.write_text(one.text, "utf-8")
    os.replace(beside, one.path)
    _run(one.enable, f"{one.path} is written, but {one.manager} does not switch it on")


def uninstall(one: Service) -> None:
    """Switch the service off and remove its file."""
    try:
        if one.is_possible:
            _run(one.disable, f"{one.path} is removed, but {one.manager} does not switch it off")
    finally:
        one.path.unlink()


def _run(commands: tuple[Command, ...], trouble: str) -> None:
    for words in commands:
        try:
            said = subprocess.run(  # noqa: S603
                words, capture_output=True, encoding="utf-8", errors="replace", timeout=_PATIENCE_S
            )
            why = said.stderr.strip() if said.returncode else None
        except (OSError, subprocess.TimeoutExpired) as error:
            why = str(error)
        if why is not None:
            by_hand = " && ".join(map(shlex.join, commands))
            raise StenoError(f"{trouble}: {why or 'it does not say why'}", hint=f"by hand: {by_hand}")


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
    manager = ("systemctl", "--user")
    return Service(
        manager="systemd",
        path=folder / "systemd" / "user" / _UNIT,
        text=text,
        enable=((*manager, "daemon-reload"), (*manager, "enable", "--now", _UNIT)),
        disable=((*manager, "disable", "--now", _UNIT),),
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
        manager="launchd",
        path=path,
        text=text,
        enable=(("launchctl", "bootstrap", f"gui/{os.getuid()}", str(path)),),
        disable=(("launchctl", "bootout", f"gui/{os.getuid()}/{_LABEL}"),),
    )


def _quoted(text: str) -> str:
    """A word as systemd reads it; percent signs are its own, and in commands dollar signs, too."""
    for sign, written in (("\\", "\\\\"), ('"', '\\"'), ("%", "%%"), ("\n", "\\n")):
        text = text.replace(sign, written)
    return f'"{text}"'
