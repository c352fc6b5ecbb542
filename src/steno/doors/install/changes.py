"""Getting our hooks into a host and out again: plan a change, show it, make it. `HOSTS` names the hosts we know."""

import difflib
import os
import shlex
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Literal

from msgspec import Struct

from steno.doors.install import files, machine, splice
from steno.doors.install.claude_code import ClaudeCode
from steno.doors.install.codex import Codex
from steno.doors.install.hookfile import UnsafeFile
from steno.doors.install.host import Host
from steno.settings import home_of
from steno.vocabulary.errors import StenoError, WrongUse

HOSTS: Final[dict[str, Host]] = {host.name: host for host in (ClaudeCode(), Codex())}
_NOTHING: Final = "{}\n"

Verb = Literal["install", "uninstall"]


class Change(Struct, frozen=True):
    """What would be done to a host's file. None stands for no file at all."""

    host: str
    verb: Verb
    file: Path
    before: str | None
    after: str | None
    # Whether the file as it is now is kept beside it.
    keeps: bool
    # What the user should know, each a sentence.
    notes: list[str]

    @property
    def changes(self) -> bool:
        """Whether there is anything to do."""
        return self.before != self.after

    @property
    def short(self) -> list[str]:
        """What it does, where, and how it is undone, a sentence each."""
        host, count = HOSTS[self.host], len(HOSTS[self.host].events)
        if self.verb == "uninstall":
            return [f"Our hooks are taken out of {self.file}; everything else in it stays as it is."]
        kept = f", and as it is now beside it as {files.backup_of(self.file).name}" if self.keeps else ""
        rest = f"Everything else in it stays as it is{kept}." if self.before is not None else "The file is new."
        return [
            f"{host.title} is to run our client at {count} events: {', '.join(host.events)}.",
            f"They stand in {self.file}. {rest}",
            f"`steno uninstall {self.host}` takes them out again; --diff shows the whole change.",
        ]

    @property
    def diff(self) -> list[str]:
        """The lines that go and come, with a few around them. Of a file on one line they are laid out to be read."""
        texts = (self.before, self.after)
        was, is_ = [os.devnull if text is None else str(self.file) for text in texts]
        if all(text is None or splice.is_one_line(text) for text in texts):
            old, new = [splice.laid_out(text).splitlines() if text else [] for text in texts]
            said = "(one line, laid out here)"
            return list(difflib.unified_diff(old, new, was, is_, said, said, lineterm=""))
        old, new = [(text or "").splitlines() for text in texts]
        return list(difflib.unified_diff(old, new, was, is_, lineterm=""))


class Found(Struct, frozen=True):
    """A host we know, what of it is on this machine, and how it stands with our hooks."""

    host: str
    title: str
    # Where its program is; None: not on the PATH.
    program: str | None
    file: str
    # `installed`, `outdated`, `absent`, or `unreadable`.
    hooks: str
    notes: list[str]


def plan(name: str, verb: Verb, environment: Mapping[str, str], *, status_line: bool = False) -> Change:
    """What installing or uninstalling would do. Nothing is written."""
    host = _host(name)
    file = host.file(environment)
    before = files.read(file)
    try:
        if verb == "uninstall":
            return Change(name, verb, file, before, _taken_out(host, file, before, environment), False, [])
        notes = _ready(host, environment)
        text = _NOTHING if before is None or not before.strip() else before
        after = host.installed(text, home_of(environment), status_line=status_line)
        keeps = before is not None and (host.state(text, home_of(environment)) == "absent" or not _kept(file))
        if status_line and not host.has_status_line(after):
            notes.append(f"no status line was added: you have one of your own, or {host.title} knows none")
        return Change(name, verb, file, before, after, keeps, notes + host.remarks(after, environment))
    except UnsafeFile as error:
        raise UnsafeFile(f"{file} is left as it is: {error.message}", hint=error.hint) from error


def apply(change: Change) -> Path | None:
    """Do it. Gives the copy that was kept of the file as it was."""
    kept = files.keep(change.file, change.before) if change.keeps and change.before is not None else None
    files.write(change.file, change.before, change.after)
    backup = files.backup_of(change.file)
    if change.verb == "uninstall" and change.after is not None and _kept(change.file) == change.after:
        backup.unlink()
    return kept


def survey(environment: Mapping[str, str]) -> list[Found]:
    """Every host we know, and how it stands with it on this machine."""
    return [_look(host, environment) for host in HOSTS.values()]


def mcp_line(name: str, environment: Mapping[str, str]) -> str:
    """The command with which the user gives this host our MCP server."""
    home = home_of(environment)
    usual = home_of({key: value for key, value in environment.items() if key != "STENO_HOME"})
    server = [sys.executable, "-m", "steno", "mcp"]
    return shlex.join(_host(name).mcp_command(server, None if home == usual else home))


def _host(name: str) -> Host:
    if name not in HOSTS:
        raise WrongUse(f"there is no host {name!r}", hint=f"the hosts are {', '.join(HOSTS)}")
    return HOSTS[name]


def _ready(host: Host, environment: Mapping[str, str]) -> list[str]:
    """Whether the host is here and new enough; what could not be found out is said."""
    program = machine.program_of(host.program, environment)
    if program is None:
        if host.file(environment).parent.is_dir():
            return [f"`{host.program}` is not on the PATH, so its version was not checked"] if host.oldest else []
        raise WrongUse(
            f"{host.title} is not on this machine: no program `{host.program}`, no {host.file(environment).parent}",
            hint=f"install {host.title} first",
        )
    version = machine.version_of(program, environment) if host.oldest else None
    oldest = ".".join(map(str, host.oldest))
    if version is not None and version < host.oldest:
        found = ".".join(map(str, version))
        raise WrongUse(
            f"{host.title} {found} cannot run our hooks; {oldest} is the oldest that can", hint=f"update {program}"
        )
    return [f"{program} did not say its version; {oldest} is needed"] if host.oldest and version is None else []


def _taken_out(host: Host, file: Path, before: str | None, environment: Mapping[str, str]) -> str | None:
    """The file as it was before us where nothing else has changed since; else without ours."""
    if before is None or not before.strip():
        return before
    after = host.removed(before)
    if after == before:
        return before
    kept = _kept(file)
    if kept is None:
        return None if after.strip() == _NOTHING.strip() else after
    return kept if _differ_by_ours(host, kept, before, home_of(environment)) else after


def _differ_by_ours(host: Host, kept: str, now: str, home: Path) -> bool:
    """Whether installing into what was kept gives what is there now, so that nothing is lost by putting it back."""
    text = kept if kept.strip() else _NOTHING
    try:
        return now in [host.installed(text, home, status_line=line) for line in (False, True)]
    except StenoError:  # what was kept is damaged, or a setting is: that must not keep ours from being taken out
        return False


def _kept(file: Path) -> str | None:
    """What was kept of the file as it was before us."""
    return files.read(files.backup_of(file))


def _look(host: Host, environment: Mapping[str, str]) -> Found:
    file = host.file(environment)
    hooks, notes = "absent", list[str]()
    try:
        text = files.read(file)
        if text and text.strip():
            hooks = host.state(text, home_of(environment))
            notes = host.remarks(text, environment) if hooks != "absent" else []
    except UnsafeFile as error:
        hooks, notes = "unreadable", [error.message]
    return Found(host.name, host.title, machine.program_of(host.program, environment), str(file), hooks, notes)
