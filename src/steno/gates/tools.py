"""What exists already for an action: scripts, targets, recipes. Looked at, never run."""

import json
import os
import re
import stat
import tomllib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any, Final

from steno.language.same_word import words_of
from steno.vocabulary import Tool

_FOLDERS: Final = ("scripts", "bin", "tools")
_MAKEFILES: Final = ("GNUmakefile", "makefile", "Makefile")
_JUSTFILES: Final = ("justfile", "Justfile", ".justfile")
_LARGEST: Final = 256 * 1024
# A folder with more files than this is no folder of scripts.
_MOST_FILES: Final = 200
_MOST_TOOLS: Final = 500
_SHOWN: Final = 6
_ABOUT: Final = 120

_TARGET: Final = re.compile(r"([A-Za-z0-9][\w./-]*)[ \t]*:(?![=:])(.*)")
_RECIPE: Final = re.compile(r"@?([A-Za-z_][\w-]*)[^:#]*:(?!=)(.*)")
_HELP: Final = re.compile(r"##[ \t]*(.+)")
_SCRIPT: Final = re.compile(r"\.(?:sh|bash|zsh|fish|py|js|mjs|ts|rb|pl|ps1)$")
_COMMENT: Final = re.compile(r"^[ \t]*(?:#(?!!)|//|\"\"\"|'''?|/\*)[#/*\"' \t]*(\w[^\n]*)", re.MULTILINE)
_NOISE: Final = words_of("run make script scripts file sh bin tools npm just")
# Words of a tool's name count in full, those of what is said about it in part.
_TOLD, _ENOUGH = 0.4, 0.8
_LOCKS: Final = {"pnpm-lock.yaml": "pnpm run", "yarn.lock": "yarn", "bun.lock": "bun run"}


def fitting(words: frozenset[str], tools: Iterable[Tool]) -> list[tuple[float, Tool]]:
    """Those that fit some words, the best first, with how well they do."""
    fits = []
    for tool in tools:
        named, about = words_of(tool.command) - _NOISE, words_of(tool.about) - _NOISE
        fit = len(words & named) + _TOLD * len(words & (about - named))
        if fit >= _ENOUGH:
            fits.append((fit, tool))
    return sorted(fits, key=lambda pair: (-pair[0], pair[1].command))


def among(tools: Iterable[Tool], words: frozenset[str]) -> list[Tool]:
    """The best of those that fit."""
    return [tool for _, tool in fitting(words - _NOISE, tools)[:_SHOWN]]


def tools_of(directory: str) -> list[Tool]:
    """Everything a directory names."""
    root = os.path.realpath(directory)
    tools: list[Tool] = []
    for reader in (_scripts, _targets, _package, _python):
        # A file that cannot be read, or holds nonsense, lists no tools.
        with suppress(OSError, ValueError, RecursionError):
            tools += reader(root)
    return tools[:_MOST_TOOLS]


def _scripts(root: str) -> Iterator[Tool]:
    for folder in ("", *_FOLDERS):
        try:
            names = sorted(os.listdir(os.path.join(root, folder)))[:_MOST_FILES]
        except OSError:
            continue
        for name in names:
            path = os.path.join(folder, name)
            is_script = name.endswith(".sh") or (folder and (_SCRIPT.search(name) or "." not in name))
            if is_script and os.path.isfile(os.path.join(root, path)):
                about = _COMMENT.search(plain_text(root, path)[:2_000])
                yield Tool(command=path, kind="script", about=about[1].rstrip("\"'*/ ")[:_ABOUT] if about else "")


def _targets(root: str) -> Iterator[Tool]:
    for program, names, shape in (("make", _MAKEFILES, _TARGET), ("just", _JUSTFILES, _RECIPE)):
        text = next(filter(None, (plain_text(root, name) for name in names)), "")
        before = ""
        for line in text.splitlines():
            if found := shape.match(line):
                told = _HELP.search(found[2])
                about = told[1] if told else before.lstrip("# ") if before.startswith("#") else ""
                yield Tool(command=f"{program} {found[1]}", kind=program, about=about.strip()[:_ABOUT])
            before = line


def _package(root: str) -> list[Tool]:
    scripts = _table(json.loads(plain_text(root, "package.json") or "{}"), "scripts")
    run = next((run for lock, run in _LOCKS.items() if os.path.exists(os.path.join(root, lock))), "npm run")
    return [Tool(command=f"{run} {name}", kind="package", about=body[:_ABOUT]) for name, body in scripts.items()]


def _python(root: str) -> list[Tool]:
    scripts = _table(tomllib.loads(plain_text(root, "pyproject.toml")), "project", "scripts")
    return [Tool(command=name, kind="package", about=target[:_ABOUT]) for name, target in scripts.items()]


def _table(value: Any, *names: str) -> dict[str, str]:
    """A table of texts inside a value, whatever else stands there."""
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return {name: text for name, text in value.items() if isinstance(text, str)} if isinstance(value, dict) else {}


def plain_text(folder: str, name: str, *, most: int = _LARGEST) -> str:
    """The words of a plain file inside a folder; nothing of what is too large, elsewhere, or no file."""
    root = os.path.realpath(folder)
    path = os.path.realpath(os.path.join(root, name))
    if not path.startswith(root.rstrip(os.sep) + os.sep):
        return ""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
    except OSError:
        return ""
    with open(handle, "rb") as file:
        facts = os.fstat(handle)
        if not stat.S_ISREG(facts.st_mode) or facts.st_size > most:
            return ""
        return file.read(most).decode("utf-8", "replace")


# -- what changed ------------------------------------------------------------------------------------------------------

_SKIPPED: Final = frozenset(
    {".git", "node_modules", ".venv", "venv", "__pycache__", "dist", "build", "target", "vendor"}
)
_DEEPEST, _MOST_LOOKED_AT, _MOST_CHANGED = 5, 20_000, 20
_SCHEMA: Final = re.compile(r"\.(?:sql|prisma|proto|graphql|avsc|xsd)$|schema\.\w+$|(?:^|/)migrations/")
_LASTS: Final = re.compile(
    r"\.sh$|(?:^|/)(?:scripts|bin|tools|workflows|hooks|\.husky)/[^/]+$|(?:^|/)(?:(?:GNUm|m|M)akefile|\.?[jJ]ustfile"
    r"|package\.json|pyproject\.toml|\.pre-commit-config\.yaml|tox\.ini|noxfile\.py)$"
)


def changed_since(directory: str, since: float) -> list[str]:
    """Scripts, build files and schemas in a directory that changed since then: not too deep, not too many."""
    found: list[str] = []
    looked_at = 0
    for folder, inside, names in os.walk(directory):
        place = os.path.relpath(folder, directory)
        inside[:] = [name for name in inside if name not in _SKIPPED and place.count(os.sep) < _DEEPEST - 1]
        looked_at += len(names)
        for path in (os.path.normpath(os.path.join(place, name)) for name in names):
            kind = "schema" if _SCHEMA.search(path) else "script" if _LASTS.search(path) else ""
            if not kind:
                continue
            with suppress(OSError, ValueError):
                facts = os.lstat(os.path.join(directory, path))
                if stat.S_ISREG(facts.st_mode) and facts.st_mtime >= since:
                    found.append(f"{kind} {path}")
        if looked_at > _MOST_LOOKED_AT:
            break
    return sorted(found)[:_MOST_CHANGED]
