"""What exists already for an action: scripts, targets, recipes. Looked at, never run."""

import json
import os
import re
import stat
import tomllib
from collections.abc import Callable, Iterable, Iterator
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

_TARGET: Final = re.compile(r"^([A-Za-z0-9][\w./-]*)[ \t]*:(?![=:])([^\n]*)", re.MULTILINE)
_RECIPE: Final = re.compile(r"^@?([A-Za-z_][\w-]*)[ \t]*(?:[^\n:#]*?):(?!=)([^\n]*)", re.MULTILINE)
_HELP: Final = re.compile(r"##[ \t]*(.+)")
_SCRIPT: Final = re.compile(r"\.(?:sh|bash|zsh|fish|py|js|mjs|ts|rb|pl|ps1)$")
_NOISE: Final = words_of("run make script scripts file sh bin tools npm just")
# Words of a tool's name count in full, those of what is said about it in part.
_NAMED, _TOLD, _ENOUGH = 1.0, 0.4, 0.8
# A tool, the words of its name, and those of what is said about it.
_LaidOut = tuple[Tool, frozenset[str], frozenset[str]]


class Tools:
    """The tools of directories, read again only when a file they stand in changes."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[object, list[_LaidOut]]] = {}

    def found(self, directory: str, words: frozenset[str]) -> list[Tool]:
        """The tools of a directory that fit these words, the best first."""
        return [tool for _, tool in _ranked(words, self._of(directory))[:_SHOWN]]

    def _of(self, directory: str) -> list[_LaidOut]:
        stamp = _stamp(directory)
        known = self._known.get(directory)
        if known is None or known[0] != stamp:
            known = self._known[directory] = (stamp, [_laid_out(tool) for tool in tools_of(directory)])
        return known[1]


def _laid_out(tool: Tool) -> _LaidOut:
    """A tool with the words of its name, and of what is said about it."""
    return tool, words_of(tool.command) - _NOISE, words_of(tool.about) - _NOISE


def among(tools: Iterable[Tool], words: frozenset[str]) -> list[Tool]:
    """Those that fit these words, the best first."""
    return [tool for _, tool in _ranked(words, map(_laid_out, tools))[:_SHOWN]]


def fitting(text: str, tools: Iterable[Tool]) -> list[tuple[float, Tool]]:
    """Those that fit a text, the best first, with how well they do."""
    return _ranked(words_of(text) - _NOISE, map(_laid_out, tools))


def _ranked(words: frozenset[str], known: Iterable[_LaidOut]) -> list[tuple[float, Tool]]:
    fits = [(_fit(words, named, told), tool) for tool, named, told in known]
    return sorted((pair for pair in fits if pair[0] >= _ENOUGH), key=lambda pair: (-pair[0], pair[1].command))


def _fit(words: frozenset[str], named: frozenset[str], told: frozenset[str]) -> float:
    return _NAMED * len(words & named) + _TOLD * len(words & (told - named))


def _stamp(directory: str) -> tuple[int, ...]:
    """Changes when a tool comes or goes, or a file that lists some is written."""
    names = ("", *_FOLDERS, "package.json", *_MAKEFILES, *_JUSTFILES, "pyproject.toml")
    return tuple(_changed(os.path.join(directory, name)) for name in names)


def _changed(path: str) -> int:
    try:
        return os.stat(path).st_mtime_ns
    except (OSError, ValueError):
        return 0


def tools_of(directory: str) -> list[Tool]:
    """Everything a directory names."""
    root = os.path.realpath(directory)
    tools: list[Tool] = []
    for reader in (_scripts, _make, _just, _package, _python):
        # A file that cannot be read, or holds nonsense, lists no tools.
        try:
            tools += reader(root)
        except (OSError, ValueError, RecursionError):
            continue
    return tools[:_MOST_TOOLS]


def _scripts(root: str) -> Iterator[Tool]:
    for folder in ("", *_FOLDERS):
        for name in _files(root, folder):
            path = os.path.join(folder, name)
            if name.endswith(".sh") or (folder and (_SCRIPT.search(name) or "." not in name)):
                yield Tool(command=path, kind="script", about=_first_comment(_text(root, path)))


def _files(root: str, folder: str) -> list[str]:
    try:
        with os.scandir(os.path.join(root, folder)) as found:
            names = [item.name for item, _ in zip(found, range(_MOST_FILES), strict=False) if item.is_file()]
    except OSError:
        return []
    return sorted(names)


def _make(root: str) -> list[Tool]:
    return _listed(root, _MAKEFILES, _TARGET, "make")


def _just(root: str) -> list[Tool]:
    return _listed(root, _JUSTFILES, _RECIPE, "just")


def _listed(root: str, names: tuple[str, ...], shape: re.Pattern[str], program: str) -> list[Tool]:
    text = next((text for name in names if (text := _text(root, name))), "")
    found: dict[str, Tool] = {}
    for line in shape.finditer(text):
        told = _HELP.search(line[2])
        about = told[1] if told else _comment_above(text, line.start())
        found.setdefault(line[1], Tool(command=f"{program} {line[1]}", kind=program, about=about.strip()[:_ABOUT]))
    return list(found.values())


def _comment_above(text: str, start: int) -> str:
    line = text[:start].rstrip("\n").rpartition("\n")[2]
    return line.lstrip("# ") if line.startswith("#") and text[:start].endswith("\n") else ""


def _package(root: str) -> list[Tool]:
    scripts = _table(json.loads(_text(root, "package.json") or "{}"), "scripts")
    locks = {"pnpm-lock.yaml": "pnpm run", "yarn.lock": "yarn", "bun.lock": "bun run"}
    run = next((run for lock, run in locks.items() if os.path.exists(os.path.join(root, lock))), "npm run")
    return [Tool(command=f"{run} {name}", kind="package", about=body[:_ABOUT]) for name, body in scripts.items()]


def _python(root: str) -> list[Tool]:
    scripts = _table(tomllib.loads(_text(root, "pyproject.toml")), "project", "scripts")
    return [Tool(command=name, kind="package", about=target[:_ABOUT]) for name, target in scripts.items()]


def _table(value: Any, *names: str) -> dict[str, str]:
    """A table of texts inside a value, whatever else stands there."""
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    items = value.items() if isinstance(value, dict) else ()
    return {str(name): text for name, text in items if isinstance(text, str)}


def plain_text(folder: str, name: str, *, most: int = _LARGEST) -> str:
    """The words of a plain file inside a folder; nothing of what is too large, elsewhere, or no file."""
    return _text(os.path.realpath(folder), name, most)


def _text(root: str, name: str, most: int = _LARGEST) -> str:
    """The same inside a root without links."""
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


def _first_comment(text: str) -> str:
    for line in text[:2_000].split("\n")[:12]:
        words = line.strip().lstrip("#/*\" '").strip()
        if words and not line.startswith("#!") and line.lstrip()[:1] in ("#", "/", '"', "'"):
            return words.rstrip("\"'*/ ")[:_ABOUT]
    return ""


# -- what changed ------------------------------------------------------------------------------------------------------

_SKIPPED: Final = frozenset(
    {".git", "node_modules", ".venv", "venv", "__pycache__", "dist", "build", "target", "vendor"}
)
_DEEPEST, _MOST_LOOKED_AT, _MOST_CHANGED = 5, 20_000, 20
_BUILD_FILES: Final = frozenset(
    {*_MAKEFILES, *_JUSTFILES, "package.json", "pyproject.toml", ".pre-commit-config.yaml", "tox.ini", "noxfile.py"}
)
_SCRIPT_FOLDERS: Final = frozenset({*_FOLDERS, "workflows", "hooks", ".husky"})
_SCHEMA: Final = re.compile(r"\.(?:sql|prisma|proto|graphql|avsc|xsd)$|schema\.\w+$|(?:^|/)migrations/")


def changed_since(directory: str, since: Callable[[float], bool]) -> list[str]:
    """Scripts, build files and schemas in a directory whose last change `since` says yes to."""
    found = []
    for path, facts in _walk(directory):
        kind = _lasting(path)
        if kind and since(facts.st_mtime):
            found.append(f"{kind} {path}")
            if len(found) == _MOST_CHANGED:
                break
    return sorted(found)


def _lasting(path: str) -> str:
    parent, name = os.path.split(path)
    if _SCHEMA.search(path):
        return "schema"
    in_folder = os.path.basename(parent) in _SCRIPT_FOLDERS
    return "script" if name in _BUILD_FILES or name.endswith(".sh") or in_folder else ""


def _walk(directory: str) -> Iterator[tuple[str, os.stat_result]]:
    """Plain files below a directory, not too deep and not too many."""
    looked_at, waiting = 0, [("", 0)]
    while waiting:
        folder, depth = waiting.pop()
        try:
            with os.scandir(os.path.join(directory, folder)) as items:
                for item in items:
                    looked_at += 1
                    if looked_at > _MOST_LOOKED_AT:
                        return
                    path = os.path.join(folder, item.name)
                    if item.is_dir(follow_symlinks=False):
                        if depth < _DEEPEST and item.name not in _SKIPPED:
                            waiting.append((path, depth + 1))
                    elif item.is_file(follow_symlinks=False):
                        yield path, item.stat(follow_symlinks=False)
        except (OSError, ValueError):
            continue
