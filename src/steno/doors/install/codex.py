"""Codex: our hooks in the user's own hooks.json, and whether Codex trusts them.

Codex hands `command` to a shell and knows no `args`, so the words are quoted. It runs no hook before its user has
reviewed it; we say so and never write trust ourselves.
"""

import hashlib
import json
import re
import shlex
import tomllib
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Final, Literal

from steno.doors.install.command import command, is_our_line, timeout_seconds
from steno.doors.install.hookfile import HOOKS, Group, Handler, UnsafeFile, installed, parsed, places, removed, state_of
from steno.doors.install.host import State
from steno.verbs.attempts import SWITCHED_ON

_EVENTS: Final[tuple[str, ...]] = (
    *("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PreCompact"),
    *("SubagentStart", "SubagentStop", "Stop", "SessionEnd"),
)
_STARTS: Final = "startup|resume|clear|compact"
# Codex cuts a longer one down, and complains about it to its user.
_LONGEST_END: Final = 3
# All that Codex reads at the top of the file; anything else makes it refuse the whole.
_KNOWN: Final = frozenset({"description", HOOKS})

Trust = Literal["trusted", "untrusted", "changed", "off"]
# What gives its model tools, or others a say: switched off where it only answers a question.
_TOOLS: Final = ("shell_tool", "view_image", "multi_agent", "goals", "hooks", "plugins", "apps")


class Codex:
    """The host `codex`."""

    name = "codex"
    title = "Codex"
    program = "codex"
    oldest: tuple[int, ...] = ()
    events = _EVENTS
    # One tool is left, which asks the person in front of it; there is none.
    answers_with: tuple[str, ...] = (
        "exec", "--ephemeral", "--skip-git-repo-check", "--sandbox", "read-only", "--ignore-rules",
        *(f"--disable={feature}" for feature in _TOOLS), "--color", "never", "-",
    )  # fmt: skip

    def file(self, environment: Mapping[str, str]) -> Path:
        home = environment.get("CODEX_HOME") or f"{environment.get('HOME', '~')}/.codex"
        return Path(home).expanduser() / "hooks.json"

    def installed(self, text: str, home: Path, *, status_line: bool) -> str:
        return installed(text, _wanted(home), _is_ours)

    def removed(self, text: str) -> str:
        return removed(text, _is_ours)

    def has_status_line(self, text: str) -> bool:
        return False

    def state(self, text: str, home: Path) -> State:
        return state_of(parsed(text), _wanted(home), _is_ours)

    def remarks(self, text: str, environment: Mapping[str, str]) -> list[str]:
        file = self.file(environment)
        config = _config(file.parent / "config.toml")
        told = []
        if strangers := sorted(parsed(text).keys() - _KNOWN):
            told.append(f"Codex refuses the whole file, because {strangers[0]!r} stands in it; take that out")
        if _table(config, "features").get(HOOKS) is False:
            told.append("hooks are switched off in config.toml (`hooks = false` under `[features]`)")
        plugins = _table(config, "plugins")
        if twice := [name for name in plugins if name.split("@")[0] == "steno" and _is_on(plugins, name)]:
            told.append(f"the plugin {twice[0]} is on as well, so everything is said twice; keep one of the two")
        trust = trust_of(text, file, config)
        for state, advice in _ADVICE.items():
            if events := [event for event, found in trust.items() if found == state]:
                number = "all of them" if len(events) == len(trust) else ", ".join(events)
                told.append(f"{advice} ({number})")
        return told

    def mcp_command(self, server: list[str], home: Path | None) -> list[str]:
        """Its list of servers stands in config.toml, with comments of the user's; Codex has a command for it."""
        variables = ["--env", f"STENO_HOME={home}"] if home else []
        return ["codex", "mcp", "add", "steno", *variables, "--", *server]

    def in_force(self, file: Path, environment: Mapping[str, str]) -> Callable[[str], list[str]] | None:
        """Our hooks stand in one of its files, whether they are trusted in the other; a project may bring both."""
        user = self.file(environment)
        if file.parent.name != ".codex" and file.parent != user.parent:
            return None
        if file.name == user.name:
            return _in_force
        return partial(_run_by, file=user) if file.name == "config.toml" else None


def _in_force(text: str) -> list[str]:
    """Our hooks as they stand in a file that Codex takes; which of them it trusts hangs on their places."""
    try:
        value = parsed(text)
    except UnsafeFile:
        return []
    found = places(value, _is_ours) if value.keys() <= _KNOWN else ()
    return [json.dumps([*one, value[HOOKS][one.event][one.group].get("matcher")], sort_keys=True) for one in found]


def _run_by(text: str, file: Path) -> list[str]:
    """Our plugins, and those of our hooks in a file that Codex runs, by a configuration it takes."""
    try:
        config = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return []
    if _table(config, "features").get(HOOKS) is False:
        return []
    plugins = _table(config, "plugins")
    found = [name for name in plugins if name.split("@")[0] == "steno" and _is_on(plugins, name)]
    with suppress(OSError, ValueError, UnsafeFile):
        trust = trust_of(file.read_text("utf-8"), file, config)
        found += [event for event, state in trust.items() if state == "trusted"]
    return [SWITCHED_ON, *found]


_REVIEW: Final = "start `codex`, type /hooks, look at the hooks of Steno and trust them"
_ADVICE: Final[dict[Trust, str]] = {
    "untrusted": f"Codex does not run these hooks yet, and does not say so: {_REVIEW}",
    "changed": f"Codex no longer runs these hooks, because they changed since you trusted them: {_REVIEW}",
    "off": "these hooks are switched off in Codex: type /hooks there to switch them on",
}


def trust_of(text: str, file: Path, config: Mapping[str, Any]) -> dict[str, Trust]:
    """For each event with a hook of ours, what Codex will do with it."""
    known = _table(_table(config, HOOKS), "state")
    value = parsed(text)
    found: dict[str, Trust] = {}
    for place in places(value, _is_ours):
        event = re.sub(r"(?<!^)(?=[A-Z])", "_", place.event).lower()
        key = f"{file}:{event}:{place.group}:{place.handler}"
        matcher = value[HOOKS][place.event][place.group].get("matcher")
        found[place.event] = _judged(_table(known, key), _fingerprint(event, matcher, place.value))
    return found


def _judged(known: Mapping[str, Any], fingerprint: str) -> Trust:
    if known.get("enabled") is False:
        return "off"
    if "trusted_hash" not in known:
        return "untrusted"
    return "trusted" if known["trusted_hash"] == fingerprint else "changed"


def _fingerprint(event: str, matcher: str | None, handler: Handler) -> str:
    """What Codex writes down of a hook that was trusted: a hash over all of it that matters, keys in order."""
    hook = {"type": "command", "command": handler["command"], "timeout": handler.get("timeout", 600), "async": False}
    whole = {"event_name": event, "hooks": [hook], **({"matcher": matcher} if matcher is not None else {})}
    packed = json.dumps(whole, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return f"sha256:{hashlib.sha256(packed.encode()).hexdigest()}"


def _wanted(home: Path) -> dict[str, Group]:
    return {event: _group(home, event) for event in _EVENTS}


def _group(home: Path, event: str) -> Group:
    words = command(home, Codex.name, event)
    timeout = timeout_seconds(words)
    if event == "SessionEnd":
        timeout = min(timeout, _LONGEST_END)
    handler = {"type": "command", "command": shlex.join(words), "timeout": timeout}
    return {**({"matcher": _STARTS} if event == "SessionStart" else {}), HOOKS: [handler]}


def _is_ours(handler: Handler) -> bool:
    return is_our_line(handler.get("command"), Codex.name)


def _config(file: Path) -> Mapping[str, Any]:
    """What stands in Codex's own configuration; nothing, where it cannot be read: Codex will say so itself."""
    try:
        return tomllib.loads(file.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError):
        return {}


def _table(value: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = value.get(name)
    return found if isinstance(found, dict) else {}


def _is_on(plugins: Mapping[str, Any], name: str) -> bool:
    return _table(plugins, name).get("enabled") is not False
