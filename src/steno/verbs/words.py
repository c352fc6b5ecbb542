"""How a command line is read, apart from running it: commands that are no verbs, short names, and what is given."""

import os
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, get_args, get_origin

from steno.verbs.table import VERBS, Arg, Param, Verb

# Commands that make no sense at another door, each with the place it is in.
TYPED: Final = {
    "stop": "daemon.stop",
    "install": "install.install",
    "uninstall": "install.uninstall",
    "daemon up": "daemon.up",
    "daemon logs": "daemon.logs",
    "daemon service install": "daemon.install_service",
    "daemon service uninstall": "daemon.uninstall_service",
    "hook": "hook.hook",
    "mcp": "mcp.mcp",
}
# Those of them that only a person may run, each with what is given by its place.
TYPED_ACTS: Final[Mapping[str, tuple[str, ...]]] = {
    "stop": (),
    "install": ("host",),
    "uninstall": ("host",),
    "daemon service install": (),
    "daemon service uninstall": (),
}
# Words that stand in hosts' files, in other programs and in people's fingers.
ALIASES: Final = {
    "up": "daemon up",
    "down": "stop",
    "boot": "brief boot",
    "believes": "entries believes",
    "scribe": "entries learn",
    "checkpoint": "sessions checkpoint",
    "turns": "sessions show",
    "doctor": "store doctor",
}
# All that only a person may do, however it is typed: by the words behind `steno`, the name of the act.
ACTS: Final = {
    **{name: name for name in (*(name for name, verb in VERBS.items() if verb.authority), *TYPED_ACTS)},
    **{word: name for word, name in ALIASES.items() if name in TYPED_ACTS},
}
LONGEST_FIRST: Final = "|".join(sorted(map(re.escape, ACTS), key=len, reverse=True))
_PARTS: Final = re.compile(r"(?:[;.]|, or) +")
# What asks a person for their word is theirs as well.
_THEIRS: Final = re.compile(rf"\bsteno (?:{LONGEST_FIRST}|review)\b")
# Options that only the command line has.
_FLAGS: Final = frozenset({"--json", "--yes", "--all", "--watch"})
_PAGE: Final = frozenset({"-h", "--help"})
_PLACE: Final = [
    Param("project", str | None, Arg(kind="place"), None, False),
    Param("everywhere", bool, Arg(), False, False),
]


def for_agents(hint: str) -> str:
    """A hint as an agent may read it: without any part that names an act of authority, which is a person's."""
    return "; ".join(part for part in _PARTS.split(hint) if not _THEIRS.search(part))


def act(words: Sequence[str], folder: str) -> tuple[str, dict[str, Any] | None] | None:
    """The act of authority that words behind `steno` are, with what is given to it, if that can be read.

    None: they are none. They read, note, tell what would be done, or show a page of help.
    """
    leading = next((n for n, word in enumerate(words) if word.startswith("-")), len(words))
    for count in range(min(leading, 3), 0, -1):
        name = " ".join(words[:count])
        name = ALIASES.get(name, name)
        if name in TYPED or (name in VERBS and "cli" in VERBS[name].doors):
            return _act(name, words[count:], folder)
    return None


def _act(name: str, words: Sequence[str], folder: str) -> tuple[str, dict[str, Any] | None] | None:
    verb = VERBS.get(name)
    if not (verb.authority or verb.when if verb else name in TYPED_ACTS):
        return None
    try:
        given = _given(verb, words, folder) if verb else _typed(TYPED_ACTS[name], words)
    except ValueError:  # the command refuses it, or a shell makes something else of it
        return (name, None) if verb is None or verb.authority else None
    if given is None or (verb and verb.when and not _may_be(verb, given)):
        return None
    return name, given


def _may_be(verb: Verb, given: Mapping[str, Any]) -> bool:
    """Whether what was given may make it an act. Where a path lies that is to be captured, the memory knows."""
    if verb.name == "capture":
        return bool(given.get("paths")) and not given.get("dry_run")
    return bool(verb.when and verb.when(None, {**{one.name: one.default for one in verb.params()}, **given}))


def _typed(names: Sequence[str], words: Sequence[str]) -> dict[str, Any] | None:
    """What is given to a command that is no verb. None: it shows a page of help, how it stands, or what it would do."""
    given: dict[str, Any] = dict(zip(names, (word for word in words if not word.startswith("-")), strict=False))
    return given if len(given) == len(names) and {*_PAGE, "--dry-run"}.isdisjoint(words) else None


def _given(verb: Verb, words: Sequence[str], folder: str) -> dict[str, Any] | None:
    """What is given to a verb. None: a page of help is asked for."""
    params = list(verb.params())
    params += _PLACE if "where" in verb.handed else []
    options = {flag: one for one in params if not one.is_argument for flag in one.flag.split("/")}
    values: list[tuple[Param, Any]] = []
    placed: list[str] = []
    left = iter(words)
    for word in left:
        flag, has_value, value = word.partition("=")
        if word == "--":
            placed += left
        elif word in _PAGE:
            return None
        elif not word.startswith("-") or word == "-":
            placed.append(word)
        elif flag in _FLAGS and flag not in options:
            pass
        elif flag not in options:
            raise ValueError(word)
        elif options[flag].typed[0] is bool:
            values.append((options[flag], flag == options[flag].flag.split("/")[0]))
        else:
            values.append((options[flag], _value(options[flag], value if has_value else next(left, ""), folder)))
    for one in (one for one in params if one.is_argument):
        count = len(placed) if one.arg.kind == "words" or one.typed[1] else 1
        taken, placed = placed[:count], placed[count:]
        if one.arg.kind == "words" and taken:
            taken = [" ".join(taken)]
        values += [(one, _value(one, text, folder)) for text in taken]
    given: dict[str, Any] = {}
    for one, value in values:
        given[one.name] = [*given.get(one.name, ()), value] if one.typed[1] else value
    if placed or any(one.is_required and one.name not in given for one in params):
        raise ValueError(words)
    if folder and ("where" in verb.handed or any(one.name == "directory" for one in params)):
        given.setdefault("directory", folder)
    return given


def _value(param: Param, text: str, folder: str) -> Any:
    """What a word stands for. ValueError: nothing."""
    kind, what = param.typed[0], param.arg.kind
    if what in ("path", "pattern", "place"):
        return meant(what, text, folder)
    if what == "time":
        from steno.clock import written

        return written(text)
    if get_origin(kind) is Literal and text not in get_args(kind):
        raise ValueError(text)
    return kind(text.removeprefix("#") if what == "turn" else text) if kind in (int, float) else text


def meant(kind: str, text: str, folder: str = "") -> str:
    """A path, pattern or place as it is meant in a folder, else in the current one; a place may have a name."""
    if not text or (kind == "place" and os.sep not in text and text not in (".", "..", "~")):
        return text
    path = os.path.expanduser(text)
    if kind == "pattern":
        from steno.pipeline.leave_out import whole_path

        return whole_path(text if text[0] in "*?[" else os.path.join(folder, path))
    return os.path.abspath(os.path.join(folder, path))
