"""Claude Code: our hooks in the user's own settings.json, and a status line if one is wanted.

Handlers are given in exec form (`command` and `args`), which no shell reads. A version that does not know `args`
would run the bare interpreter and feed it the hook's JSON as a program; hence `oldest`.
"""

import json
import shlex
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from steno.doors.install import splice
from steno.doors.install.command import command, is_our_line, is_ours, timeout_seconds
from steno.doors.install.hookfile import HOOKS, Group, Handler, UnsafeFile, installed, parsed, places, removed, state_of
from steno.doors.install.host import State
from steno.verbs.attempts import SWITCHED_ON

# PostToolBatch is left out: PostToolUse and PostToolUseFailure have told us of every call of the batch by then; so is
# PostCompact: the summary stands in the transcript.
_EVENTS: Final[tuple[str, ...]] = (
    *("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure"),
    *("PreCompact", "SubagentStart", "Stop", "SessionEnd"),
)
# A /compact prints a line on the screen for each hook that runs at it, whatever the hook says. What it would take was
# saved when the agent stopped before it, and is saved again at the start behind it; so only the host's own compactions,
# in the middle of a turn, are ours to precede.
_MATCHERS: Final = {"SessionStart": "startup|resume|clear|compact|fork", "PreCompact": "auto"}
_STATUS_LINE: Final = "statusLine"
_OFF: Final = ("disableAllHooks", "allowManagedHooksOnly")
_FILES: Final = ("settings.json", "settings.local.json")


class ClaudeCode:
    """The host `claude-code`."""

    name = "claude-code"
    title = "Claude Code"
    program = "claude"
    oldest: tuple[int, ...] = (2, 1, 139)
    events = _EVENTS
    answers_with: tuple[str, ...] = (
        "-p", "--model", "sonnet", "--safe-mode", "--tools", "", "--strict-mcp-config", "--no-session-persistence",
        "--output-format", "json",
    )  # fmt: skip

    def file(self, environment: Mapping[str, str]) -> Path:
        home = environment.get("CLAUDE_CONFIG_DIR") or f"{environment.get('HOME', '~')}/.claude"
        return Path(home).expanduser() / "settings.json"

    def installed(self, text: str, home: Path, *, status_line: bool) -> str:
        value = parsed(text)
        if plugin := _plugin(value):
            raise UnsafeFile(
                f"the plugin {plugin} is switched on in it, so everything would be said twice",
                hint=f"keep the plugin, or run `claude plugin uninstall {plugin}` first",
            )
        text = installed(text, _wanted(home), _is_ours)
        return _with_status_line(text, home, wanted=status_line)

    def removed(self, text: str) -> str:
        text = removed(text, _is_ours)
        return splice.without(text, (_STATUS_LINE,)) if _is_our_status_line(parsed(text)) else text

    def has_status_line(self, text: str) -> bool:
        return _is_our_status_line(parsed(text))

    def state(self, text: str, home: Path) -> State:
        value = parsed(text)
        found = state_of(value, _wanted(home), _is_ours)
        old_line = _is_our_status_line(value) and value[_STATUS_LINE] != _status_line(home)
        return "outdated" if found == "installed" and old_line else found

    def remarks(self, text: str, environment: Mapping[str, str]) -> list[str]:
        value = parsed(text)
        return [f"hooks are switched off by `{name}` in this file" for name in _OFF if value.get(name) is True]

    def mcp_command(self, server: list[str], home: Path | None) -> list[str]:
        """Its list of servers stands in the host's own state file, which every running session rewrites: not ours."""
        variables = ["-e", f"STENO_HOME={home}"] if home else []
        return ["claude", "mcp", "add", "--scope", "user", "steno", *variables, "--", *server]

    def in_force(self, file: Path, environment: Mapping[str, str]) -> Callable[[str], list[str]] | None:
        """A project may bring such files, too."""
        is_theirs = file.parent.name == ".claude" or file.parent == self.file(environment).parent
        return _in_force if is_theirs and file.name in _FILES else None


def _in_force(text: str) -> list[str]:
    """Our hooks and our plugin, as they stand in a file that does not switch hooks off. One that is no JSON is passed
    over by the host."""
    try:
        value = parsed(text)
    except UnsafeFile:
        return [] if any(name in text for name in _OFF) else [SWITCHED_ON]
    if any(value.get(name) for name in _OFF):
        return []
    groups = [
        (one.event, value[HOOKS][one.event][one.group].get("matcher"), one.value) for one in places(value, _is_ours)
    ]
    return [SWITCHED_ON, *(json.dumps(group, sort_keys=True) for group in groups), *filter(None, [_plugin(value)])]


def _wanted(home: Path) -> dict[str, Group]:
    return {event: _group(home, event) for event in _EVENTS}


def _group(home: Path, event: str) -> Group:
    words = command(home, ClaudeCode.name, event)
    handler = {"type": "command", "command": words[0], "args": words[1:], "timeout": timeout_seconds(words)}
    return {**({"matcher": _MATCHERS[event]} if event in _MATCHERS else {}), "hooks": [handler]}


def _is_ours(handler: Handler) -> bool:
    args = handler.get("args")
    words = [handler.get("command"), *args] if isinstance(args, list) else []
    return all(isinstance(word, str) for word in words) and is_ours(words, ClaudeCode.name)


def _status_line(home: Path) -> dict[str, Any]:
    return {"type": "command", "command": shlex.join(command(home, ClaudeCode.name, "StatusLine"))}


def _is_our_status_line(value: Mapping[str, Any]) -> bool:
    line = value.get(_STATUS_LINE)
    return isinstance(line, dict) and is_our_line(line.get("command"), ClaudeCode.name)


def _with_status_line(text: str, home: Path, *, wanted: bool) -> str:
    """One that is ours is kept in step; one is added where it is wanted and the user has none."""
    value = parsed(text)
    made = json.dumps(_status_line(home), ensure_ascii=False)
    if _is_our_status_line(value):
        same = value[_STATUS_LINE] == _status_line(home)
        return text if same else splice.replaced(text, (_STATUS_LINE,), made)
    return splice.added(text, (), made, name=_STATUS_LINE) if wanted and _STATUS_LINE not in value else text


def _plugin(value: Mapping[str, Any]) -> str | None:
    plugins = value.get("enabledPlugins")
    switched = plugins.items() if isinstance(plugins, dict) else ()
    return next((name for name, on in switched if name.split("@")[0] == "steno" and on is not False), None)
