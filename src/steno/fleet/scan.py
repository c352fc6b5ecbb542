"""What can be done on this machine, read from files: scripts, targets, MCP servers, skills. Looked at, never run."""

import json
import os
import re
import shutil
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from msgspec import structs

from steno.gates.tools import plain_text, tools_of
from steno.vocabulary.fleet import Capability

# A command of a few plain words: whatever else stands in a file is no command, and must not be told unasked.
_PLAIN: Final = re.compile(r"[\w@./:+-]{1,80}(?: [\w@./:+-]{1,80}){0,2}")
_DESCRIPTION: Final = re.compile(r"^description:[ \t]*(\S[^\n]*)", re.MULTILINE)
_MOST: Final = 2_000
_ABOUT: Final = 120
_SKILL_FOLDERS: Final = (".claude/skills", ".codex/skills", ".agents/skills")


def scan(projects: Iterable[str], environment: Mapping[str, str]) -> list[Capability]:
    """What the files of some folders and of the hosts on this machine name; each once."""
    found: dict[str, Capability] = {}
    for one in (*_of_hosts(environment), *(one for project in projects for one in _of_project(project, environment))):
        if _PLAIN.fullmatch(one.command):
            # Two folders of one name: the second is called by its whole path.
            name = one.name if one.name not in found else f"{one.project}: {one.command}"
            found.setdefault(name, structs.replace(one, name=name))
    return list(found.values())[:_MOST]


def is_there(command: str, folder: str | None, environment: Mapping[str, str]) -> bool:
    """Whether the program a command begins with is there: in its folder, or where programs are."""
    word = command.split()[0] if command.split() else ""
    places = [os.path.join(folder, inside, word) for inside in ("", ".venv/bin", "node_modules/.bin") if folder]
    return any(map(os.path.isfile, places)) or shutil.which(word, path=environment.get("PATH")) is not None


def _of_project(project: str, environment: Mapping[str, str]) -> Iterator[Capability]:
    folder = os.path.basename(project.rstrip("/")) or project
    for tool in tools_of(project):
        yield Capability(
            name=f"{folder}: {tool.command}", command=tool.command, kind=tool.kind, about=tool.about, project=project,
            passed=is_there(tool.command, project, environment),
        )  # fmt: skip
    servers = _table(_json(project, ".mcp.json"), "mcpServers")
    yield from _servers(servers, folder, project, environment)
    yield from _skills(Path(project), folder, project)


def _of_hosts(environment: Mapping[str, str]) -> Iterator[Capability]:
    """What hosts are told of for all projects. Of a server only its name and its program are read: the rest may hold
    keys."""
    home = Path(environment.get("HOME", "~")).expanduser()
    claude = Path(environment.get("CLAUDE_CONFIG_DIR") or home).expanduser()
    codex = Path(environment.get("CODEX_HOME") or home / ".codex").expanduser()
    told = _json(str(claude), ".claude.json")
    yield from _servers(_table(told, "mcpServers"), "claude-code", None, environment)
    for project, more in _table(told, "projects").items():
        yield from _servers(_table(more, "mcpServers"), os.path.basename(project), project, environment)
    try:
        config: Any = tomllib.loads(plain_text(str(codex), "config.toml"))
    except ValueError:
        config = {}
    yield from _servers(_table(config, "mcp_servers"), "codex", None, environment)
    yield from _skills(home, "all", None)


def _servers(
    servers: Mapping[str, Any], where: str, project: str | None, environment: Mapping[str, str]
) -> Iterator[Capability]:
    for name, told in servers.items():
        program = told.get("command") if isinstance(told, dict) else None
        # One behind an address is asked by nobody here.
        there = is_there(program, project, environment) if isinstance(program, str) else None
        yield Capability(
            name=f"{where}: mcp {name}", command=f"mcp {name}", kind="mcp", about="MCP server", project=project,
            passed=there,
        )  # fmt: skip


def _skills(root: Path, where: str, project: str | None) -> Iterator[Capability]:
    for folder in _SKILL_FOLDERS:
        for path in sorted((root / folder).glob("*/SKILL.md"))[:200]:
            told = _DESCRIPTION.search(plain_text(str(path.parent), path.name)[:4_000])
            name = path.parent.name
            about = told[1].strip("\"' ")[:_ABOUT] if told else ""
            yield Capability(
                name=f"{where}: skill {name}", command=f"skill {name}", kind="skill", about=about, project=project,
                passed=True,
            )  # fmt: skip


def _json(folder: str, name: str) -> Any:
    try:
        return json.loads(plain_text(folder, name, most=4 << 20) or "{}")
    except (ValueError, RecursionError):
        return {}


def _table(value: Any, name: str) -> Mapping[str, Any]:
    found = value.get(name) if isinstance(value, dict) else None
    return {str(key): told for key, told in found.items()} if isinstance(found, dict) else {}
