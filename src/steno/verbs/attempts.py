"""What a tool call would do that only a person may: an act of authority, a change of files below the home, or of our
hooks in a host's settings.

Judged by the words of the call alone, in microseconds where they name none of this. What a script, an alias, a wild
card or a decoded text would run is not seen here; the door it comes to judges that.
"""

import os
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, NamedTuple

from msgspec import Struct

from steno.gates.harmless import leaves_files
from steno.language.shell import Part, parts, plain
from steno.language.tool_call import BEGIN_PATCH, END_PATCH, ToolCall, patched, text_after, texts
from steno.scribe.work.calls import act_of
from steno.verbs import VERBS
from steno.verbs.words import ACTS, ALIASES, LONGEST_FIRST, TYPED, act
from steno.vocabulary import Action
from steno.vocabulary.acts import EDIT, HOOKS


class Attempt(Struct, frozen=True):
    """One thing that a call would do and only a person may."""

    # An act by its name, a change of a file below the home, or one of our hooks in a host's settings.
    verb: str
    # What is given to the act, or the `path` that would change; None where the words alone do not tell.
    given: dict[str, Any] | None
    # The piece of the command, or the tool with the path.
    words: str
    # Names of entries, rules and flows in it, or beginnings of such names.
    ids: tuple[str, ...] = ()


class HookFile(NamedTuple):
    """A host's settings file: its text, and what of such a text makes our hooks run."""

    text: str
    in_force: Callable[[str], list[str]]

    @property
    def holds_ours(self) -> bool:
        """Whether hooks of ours are in force by it."""
        return any(one != SWITCHED_ON for one in self.in_force(self.text))


# The settings file of a host that lies at a path. It is asked about every path that is written.
HookFiles = Callable[[str], HookFile | None]
# What any settings file says that does not switch hooks off; it need not hold one of ours.
SWITCHED_ON: Final = "hooks are on"

# A command that holds none of these is none of ours, unless it runs in the home.
_SIGNS: Final = ("steno", "STENO", "settings", "hooks", "config.toml")
# `steno`, `.venv/bin/steno`, `python -m steno`, `python src/steno/__main__.py`.
_STENO: Final = re.compile(r"(?:\S*/)?steno(?:\.__main__|/__main__\.py|/)?|-\w*msteno")
# Programs whose words are not run.
_SPEAKS: Final = frozenset(
    "echo printf grep egrep fgrep rg ag ack git gh man which type whereis sed awk cat ls cp mv mkdir touch rm ln find "
    "cd eval diff head tail less vi vim nano code tree".split()
)
# Programs that type what they are given into a terminal, or run it later.
_TYPES: Final = re.compile(r"tmux|screen|zellij|osascript|expect|at|batch|crontab|xdotool|wtype|ydotool|socat")
# Programs that are given code: what starts a program there, writes a file, or calls our library.
_RUNS_CODE: Final = re.compile(r"i?python[\d.]*|pypy3?|perl|ruby|node|deno|bun|php|awk")
_RUNNERS: Final = frozenset("uv uvx pipx poetry pdm hatch rye pixi conda".split())
_STARTS: Final = re.compile(r"subprocess|child_process|system|popen|spawn|exec|fork|pty", re.I)
_WRITES: Final = re.compile(
    r"[\"'](?:w|a|x|r\+)[bt+]*[\"']|write|dump\(|unlink|remove|rename|os\.replace|rmtree|copy|move|chmod|touch|truncate"
    r"|symlink|>\s*\"|\b(?:insert|update|delete|drop|alter|replace) ",
    re.I,
)
_SETTINGS: Final = re.compile(r"(?<![~/\w.$-])[~/\w.$-]*(?:settings(?:\.local)?\.json|hooks\.json|config\.toml)")
_CALLS: Final = re.compile(r"\.(?:(\w+)\.)?(\w+?)_?\(")
_METHODS: Final = {
    **dict.fromkeys(("pause", "resume"), "pause"), "forget": "forget", "resolve": "review answer",
    **{name: f"entries {name}" for name in ("archive", "revise", "share", "unshare", "backtest")},
    **{name: f"store {name}" for name in ("import", "redact", "rebuild")},
    **{name: f"capture {name}" for name in ("exclude", "include")},
}  # fmt: skip
_COMMANDS: Final = frozenset(name.partition(" ")[0] for name in (*VERBS, *TYPED, *ALIASES))
# On a terminal `steno review` asks for the answers by itself.
_SAYS_ACT: Final = re.compile(rf"(?<![\w-])steno ({LONGEST_FIRST}|review(?! (?:list|show)\b))\b")
_BETWEEN_WORDS: Final = re.compile(r"[\s\"'`\[\](),\\]+")
# Programs that stop the daemon without us, and by which of their words; by none: whatever else they are told.
_STOPS: Final = {
    "pkill": frozenset[str](), "killall": frozenset[str](),
    "systemctl": frozenset(("stop", "disable", "mask", "kill")),
    "launchctl": frozenset(("bootout", "unload", "remove", "stop", "kill", "disable")),
}  # fmt: skip
_REMOVES: Final = re.compile(r"(?:python\S* -m )?(?:pip3?|pipx|uv(?: pip| tool)?) uninstall .*\bsteno")
_TAKES_OUT: Final = re.compile(r"claude plugins? (?:disable|uninstall|remove) .*steno|codex features disable hooks")
_SWITCHES_OFF: Final = re.compile(r"disableAllHooks|allowManagedHooksOnly|features\.hooks")
_VARIABLE: Final = re.compile(r"\$(?:\{(\w+)[^}]{0,200}\}|(\w+))")
# `A=b`, and `for a in b`.
_SET: Final = re.compile(r"(?:^|[\s;&|(])(\w+)(?:=| in )(\"[^\"]*\"|'[^']*'|[^\s;&|)]+)")
# A word in which a shell fills in nothing that is not known here.
_LITERAL: Final = re.compile(r"(?:'[^']*+'|\"(?:[^\"\\$`]|\\.)*+\"|\\.|[^'\"\\$`*?\[{])*+", re.DOTALL)
_ID: Final = re.compile(r"(?<![\w-])[0-9a-f]{12}(?![\w-])")
_SHORT_ID: Final = re.compile(r"(?=.*\d)[0-9a-f]{4,64}")
_NAMED: Final = ("id", "name", "what")
_LONGEST: Final = 20_000
_LONGEST_PAGE: Final = 500_000
_MOST_PATHS: Final = 200
_LONGEST_PATH: Final = 4096


def attempts(action: Action, home: Path, hook_file: HookFiles) -> list[Attempt]:
    """What of a call only a person may do, each thing once."""
    made = ToolCall(action.tool or "", action.input)
    command = made.command or made.text("chars") or ("" if made.tool else action.text)
    directory, below = action.directory or "", made.text("workdir").replace("\0", "")
    here = _Here(os.path.abspath(home), os.path.join(directory, below) if below else directory, hook_file)
    found = list(_of_files(here, made, command))
    if BEGIN_PATCH in command:
        before, _, patch = command.partition(BEGIN_PATCH)
        command = before + patch.partition(END_PATCH)[2]
    if command and (any(sign in command for sign in _SIGNS) or here.is_meant(command)):
        found += _Line(here, command).attempts()
    return list({(one.verb, one.words): one for one in reversed(found)}.values())[::-1]


class _Here(NamedTuple):
    """Where a call is made, and what is to be left alone there."""

    home: str
    directory: str
    hook_file: HookFiles

    def is_meant(self, command: str) -> bool:
        """Whether a command may be about the home without naming Steno."""
        return os.path.basename(self.home) in command or _within(self.directory, self.home)

    def whole(self, path: str) -> str:
        """A path as it is meant here."""
        return os.path.join(self.directory, os.path.expanduser(path))

    def is_below(self, path: str) -> bool:
        """Whether it is the home or in it, by its name or by where links lead."""
        return _within(os.path.abspath(path), self.home) or _within(os.path.realpath(path), _real(self.home))


def _of_files(here: _Here, made: ToolCall, command: str) -> Iterator[Attempt]:
    """What a call would write with a tool for files, or with a patch."""
    patch = next((text for text in (command, made.text("patch"), made.text("input")) if BEGIN_PATCH in text), "")
    if patch:
        paths = [path for _, path in patched(patch)]
    elif act_of(made) not in (None, "read") or made.name.startswith(("move", "rename", "copy")):
        paths = [*made.paths, *filter(None, map(made.text, ("source", "destination")))]
    else:
        return
    for path in paths:
        whole = here.whole(path)
        if "\0" in path or len(path) > _LONGEST_PATH:
            continue
        if here.is_below(whole):
            yield Attempt(EDIT, {"path": os.path.abspath(whole)}, f"{made.tool} {path}", _edited(made, path, whole))
        elif (file := here.hook_file(whole)) and _loses(file, text_after(made, path, file.text), made):
            yield Attempt(HOOKS, {"path": os.path.abspath(whole)}, f"{made.tool} {path}")


def _edited(made: ToolCall, path: str, whole: str) -> tuple[str, ...]:
    """Names of entries whose lines on a page would go or change."""
    before = _text(whole)
    after = text_after(made, path, before)
    kept = set(after.splitlines()) if after is not None else set[str]()
    return _ids(_ID, "\n".join(line for line in before.splitlines() if line not in kept))


def _text(path: str) -> str:
    """The beginning of a file; nothing of what is none."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read(_LONGEST_PAGE) if os.path.isfile(path) else ""
    except OSError:
        return ""


def _loses(file: HookFile, after: str | None, made: ToolCall) -> bool:
    """Whether something that is in force by a settings file would no longer be."""
    if after is not None:
        return not set(file.in_force(file.text)) <= set(file.in_force(after))
    return file.holds_ours or any(map(_SWITCHES_OFF.search, texts(made.given)))


class _Line:
    """A command line, read part by part."""

    def __init__(self, here: _Here, command: str) -> None:
        self._here, self._command = here, command
        self._variables = {"HOME": os.path.expanduser("~"), "STENO_HOME": here.home}
        known = ("CLAUDE_CONFIG_DIR", "CODEX_HOME")
        self._variables |= {name: os.environ[name] for name in known if name in os.environ}
        for name, value in _SET.findall(command[:_LONGEST]):
            if name not in ("HOME", "STENO_HOME"):
                self._variables[name] = self._filled(plain(value))[:_LONGEST_PATH]
        self._is_elsewhere = False

    def attempts(self) -> Iterator[Attempt]:
        """What it would do, in order."""
        handed_on = False
        for part in parts(self._command):
            words = [self._filled(plain(word)) for word in part.words] or [""]
            name = os.path.basename(words[0])
            found = [] if self._uses_another_home(part) else [*self._acts(part, words), *self._told(part, words)]
            yield from found
            into = next(filter(self._is_guarded, [self._whole(path, part) for path in part.into]), "")
            if not into and (found or _STENO.fullmatch(words[0]) or not part.words or leaves_files(part)):
                # `find ~/.steno | xargs rm`
                handed_on |= "xargs" in self._command and any(map(self._here.is_below, self._paths(words[1:], part)))
            elif path := into or self._changed(part, name, words):
                yield self._change(path, part)
            elif handed_on and "xargs" in part.before:
                yield self._change(self._here.home, part)

    # -- acts --------------------------------------------------------------------------------------------------------

    def _uses_another_home(self, part: Part) -> bool:
        """Whether a program is told to, or everything from here on."""
        exports = part.text.startswith("export ")
        for word in part.words if exports else part.before:
            name, is_set, value = word.partition("=")
            if is_set and name == "STENO_HOME":
                elsewhere = not _within(self._whole(plain(value), part), self._here.home)
                self._is_elsewhere = elsewhere if exports else self._is_elsewhere
                return elsewhere
        return self._is_elsewhere

    def _acts(self, part: Part, words: list[str]) -> Iterator[Attempt]:
        """The act of authority that a program's words are."""
        for start, word in enumerate(words[:1] if os.path.basename(words[0]) in _SPEAKS else words):
            behind = part.words[start + 1 :]
            if not _STENO.fullmatch(word) or not behind or plain(behind[0]) not in _COMMANDS:
                continue
            if found := act([plain(one) for one in behind], self._folder(part)):
                name, given = found
                if not all(map(_LITERAL.fullmatch, behind)):
                    given = None
                told = [str(given[name]) for name in _NAMED if name in given] if given is not None else []
                yield Attempt(name, given, _piece(part), tuple(told) or _ids(_SHORT_ID, " ".join(behind)))
            return

    def _told(self, part: Part, words: list[str]) -> Iterator[Attempt]:
        """Acts in what a program is given to type or to run, and what stops us without us."""
        text, piece = f"{part.whole} {part.fed}", _piece(part)
        is_code = _is_code(words)
        verb = None
        if _stops(part, words, self._command):
            yield Attempt("stop", None, piece)
        elif _REMOVES.match(part.whole):
            yield Attempt("uninstall", None, piece)
        elif _TAKES_OUT.match(part.whole):
            yield Attempt(HOOKS, None, piece)
        elif _TYPES.fullmatch(os.path.basename(words[0])) or (is_code and _STARTS.search(text)):
            said = _SAYS_ACT.search(_BETWEEN_WORDS.sub(" ", text))
            verb = ACTS.get(said[1], "review answer") if said else None
        elif is_code and re.search(r"\b(?:import|from) steno\b", text):
            calls = _CALLS.findall(text)
            verb = next(filter(None, (ACTS.get(f"{room} {name}", _METHODS.get(name)) for room, name in calls)), None)
        if verb is not None:
            yield Attempt(verb, None, piece, _ids(_SHORT_ID, text))

    # -- files -------------------------------------------------------------------------------------------------------

    def _changed(self, part: Part, name: str, words: list[str]) -> str:
        """What a program may change that is to be left alone; empty: nothing."""
        if _is_code(words):
            text = f"{part.whole} {part.fed}"
            if _WRITES.search(text):
                named = [self._here.home] if self._is_home_in(text) else []
                found = [*named, *(self._whole(path, part) for path in _SETTINGS.findall(text))]
                if path := next(filter(self._is_guarded, found), ""):
                    return path
        targets = _targets(name, words)
        paths = [*filter(self._is_guarded, self._paths(words[1:] if targets is None else targets, part))]
        # `git commit -a`, run there, names no file.
        if targets is None and self._here.is_below(self._folder(part)):
            paths = [*filter(os.path.lexists, paths), self._folder(part)]
        return next(iter(paths), "")

    def _change(self, path: str, part: Part) -> Attempt:
        verb = EDIT if self._here.is_below(path) else HOOKS
        page = _text(path) if path.endswith(".md") else ""
        return Attempt(
            verb, {"path": os.path.abspath(path)}, _piece(part), _ids(_ID, f"{part.whole} {part.fed} {page}")
        )

    def _is_guarded(self, path: str) -> bool:
        """Whether it is below the home, or holds hooks of ours, or the command switches them off in it."""
        if self._here.is_below(path):
            return True
        file = self._here.hook_file(path)
        return file is not None and (file.holds_ours or bool(_SWITCHES_OFF.search(self._command)))

    def _folder(self, part: Part) -> str:
        return self._here.whole(self._filled(part.directory)) if part.directory else self._here.directory

    def _whole(self, path: str, part: Part) -> str:
        return os.path.join(self._folder(part), os.path.expanduser(self._filled(path)))

    def _paths(self, words: list[str], part: Part) -> Iterator[str]:
        """Those of some words that may be paths, whole."""
        for word in words[:_MOST_PATHS]:
            text = (word.partition("=")[2] if "=" in word else word).removeprefix("file:")
            if text and text[0] != "-" and len(text) < _LONGEST_PATH and "\0" not in text:
                path = self._whole(text, part)
                if len(text.split()) == 1 or os.path.lexists(path):
                    yield path

    def _filled(self, text: str) -> str:
        """A text with the variables that are known."""
        return _VARIABLE.sub(lambda found: self._variables.get(found[1] or found[2], found[0]), text)

    def _is_home_in(self, text: str) -> bool:
        """Whether code names the home."""
        user, home = self._variables["HOME"], self._here.home
        short = os.path.relpath(home, user) if _within(home, user) else home
        names = "|".join(map(re.escape, (home, _real(home), f"~/{short}", "STENO_HOME")))
        return bool(re.search(rf"(?:{names}|[\"']{re.escape(short)})(?![\w.-])", text))


def _targets(name: str, words: list[str]) -> list[str] | None:
    """The words of a program that name what it may change; None: any of them, and what it finds where it runs."""
    options = {word for word in words if word.startswith("-")}
    if name in ("cp", "scp", "rsync") and not any(word.startswith(("-t", "--target", "--remove")) for word in options):
        return words[-1:]
    if name == "tar" and not any("x" in word for word in {*options, *words[1:2]}):
        return [after for word, after in pairwise(words) if word.endswith("f")]
    return [word for word in words if word.startswith("of=")] if name == "dd" else None


def _is_code(words: list[str]) -> bool:
    """Whether a program is given code: `python3 -`, `uv run python -c …`."""
    names = [os.path.basename(word) for word in words[: 4 if words[0] in _RUNNERS else 1]]
    return any(map(_RUNS_CODE.fullmatch, names))


def _stops(part: Part, words: list[str], command: str) -> bool:
    """Whether a program stops the daemon: by its name, or by a number that `$(…)` or a pipe gives."""
    name = os.path.basename(words[0])
    if name == "kill":
        return "steno" in command and ("xargs" in part.before or any("$(…)" in word for word in words))
    by = _STOPS.get(name)
    return by is not None and any("steno" in word for word in words) and (not by or not by.isdisjoint(words))


def _piece(part: Part) -> str:
    return part.whole or " ".join((">", *part.into))


def _ids(pattern: re.Pattern[str], text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word for word in _BETWEEN_WORDS.split(text) if pattern.fullmatch(word)))


def _within(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


@lru_cache(maxsize=8)
def _real(path: str) -> str:
    return os.path.realpath(path)
