"""The daemon and its watchdog as services of the user's own session: systemd units or launchd property lists."""

import os
import plistlib
import shlex
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from steno.client import LOG
from steno.daemon.control import command, environment
from steno.files import write_whole
from steno.fleet import watchdog as program
from steno.processes import run
from steno.vocabulary.errors import StenoError

_UNIT: Final = "steno.service"
_LABEL: Final = "steno.daemon"
_WATCHDOG_UNIT: Final = "steno-watchdog.service"
_WATCHDOG_LABEL: Final = "steno.watchdog"


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
    with write_whole(one.path) as file:
        file.write(one.text.encode())
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
        ran = run(words, _PATIENCE_S, 0)
        if ran.problem:
            why = ran.problem.removeprefix(f"ended with {ran.code}: ")
            raise StenoError(f"{trouble}: {why}", hint=f"by hand: {' && '.join(map(shlex.join, commands))}")


def service(home: Path, platform: str, variables: Mapping[str, str]) -> Service:
    """The daemon's service of a home on a platform (`linux`, `darwin`)."""
    user = _user(variables)
    return _launchd(home, user) if platform == "darwin" else _systemd(home, user, variables)


def watchdog(
    home: Path, platform: str, variables: Mapping[str, str], *, alarm: str = "", restart: bool = True
) -> Service:
    """The service of the watchdog beside it: `alarm` is the user's command, `restart` whether it starts the daemon."""
    on_mac = platform == "darwin"
    again = f"launchctl kickstart -k gui/{os.getuid()}/{_LABEL}" if on_mac else f"systemctl --user restart {_UNIT}"
    words = [sys.executable, "-I", "-S", program.__file__, os.path.abspath(home)]
    words += ["--restart", again] if restart else []
    words += ["--alarm", alarm] if alarm else []
    return _watched_by_launchd(words, _user(variables)) if on_mac else _watched_by_systemd(words, variables)


def _user(variables: Mapping[str, str]) -> Path:
    return Path(variables.get("HOME") or os.path.expanduser("~"))


def _watched_by_systemd(words: list[str], variables: Mapping[str, str]) -> Service:
    text = f"""\
[Unit]
Description=Steno's watchdog looks whether Steno is alive

[Service]
ExecStart={" ".join(_quoted(word).replace("$", "$$") for word in words)}
Restart=always
RestartSec=30
# What it started lives on without it.
KillMode=process

[Install]
WantedBy=default.target
"""
    return _unit(_WATCHDOG_UNIT, text, _user(variables), variables)


def _watched_by_launchd(words: list[str], user: Path) -> Service:
    traits = {"Label": _WATCHDOG_LABEL, "ProgramArguments": words, "RunAtLoad": True, "KeepAlive": True}
    return _agent(_WATCHDOG_LABEL, {**traits, "ProcessType": "Background", "WorkingDirectory": "/"}, user)


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
    return _unit(_UNIT, text, user, variables)


def _unit(name: str, text: str, user: Path, variables: Mapping[str, str]) -> Service:
    folder = Path(variables.get("XDG_CONFIG_HOME") or user / ".config")
    manager = ("systemctl", "--user")
    return Service(
        manager="systemd",
        path=folder / "systemd" / "user" / name,
        text=text,
        enable=((*manager, "daemon-reload"), (*manager, "enable", "--now", name)),
        disable=((*manager, "disable", "--now", name),),
    )


def _launchd(home: Path, user: Path) -> Service:
    log = os.path.join(os.path.abspath(home), LOG)
    traits = {
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
    }
    return _agent(_LABEL, traits, user)


def _agent(label: str, traits: dict[str, Any], user: Path) -> Service:
    path = user / "Library" / "LaunchAgents" / f"{label}.plist"
    return Service(
        manager="launchd",
        path=path,
        text=plistlib.dumps(traits, sort_keys=False).decode(),
        enable=(("launchctl", "bootstrap", f"gui/{os.getuid()}", str(path)),),
        disable=(("launchctl", "bootout", f"gui/{os.getuid()}/{label}"),),
    )


def _quoted(text: str) -> str:
    """A word as systemd reads it; percent signs are its own, and in commands dollar signs, too."""
    for sign, written in (("\\", "\\\\"), ('"', '\\"'), ("%", "%%"), ("\n", "\\n")):
        text = text.replace(sign, written)
    return f'"{text}"'
