"""An action taken apart for patterns: the commands it runs, the paths it touches, what it brings in; and the patterns
themselves, which are RE2's: linear, whatever the text."""

from functools import lru_cache
from typing import Any, Final, NamedTuple

import re2

from steno.language.shell import Part, parts
from steno.language.tool_call import BEGIN_PATCH, ToolCall, as_edit, patched, texts
from steno.vocabulary import Action
from steno.vocabulary.errors import WrongUse

# Text beyond this is not looked at: 200 matchers, a third of them with a text, take 1.6 ms over so much of it.
_LONGEST: Final = 10_000
# 8 MB for the states of one pattern. When they do not fit, RE2 goes on without them, slower.
_MEMORY: Final = 8 << 20
_RUN: Final = ("sql", "query", "statement")
_OLD: Final = ("old_string", "old_str", "oldText", "old_text")
_NEW: Final = ("new_string", "new_str", "newText", "new_text", "content", "contents", "file_text", "new_source")


class Seen(NamedTuple):
    """An action taken apart, as UTF-8: RE2 would encode a text again for each pattern."""

    tool: bytes
    commands: tuple[bytes, ...]
    paths: tuple[bytes, ...]
    # Its words and everything it is given.
    text: bytes
    # What goes out of a file, and what comes in.
    old: bytes
    new: bytes
    run: tuple[Part, ...]


_last: tuple[Action, Seen] | None = None


def seen(action: Action) -> Seen:
    """An action, taken apart. The last one is kept: many ask about the same."""
    global _last
    kept = _last
    if kept is None or kept[0] is not action:
        kept = _last = (action, _seen(action))
    return kept[1]


def called(action: Action) -> ToolCall:
    """The call an action is; of one that is told in words, without a tool."""
    return ToolCall(action.tool or "", action.input)


def _seen(action: Action) -> Seen:
    made, said = called(action), texts(action.input)
    run = parts(_command(made, action.text, said))
    patch = next((text for text in said if BEGIN_PATCH in text), "")
    paths = [*made.paths, *(path for part in run for path in part.files)]
    paths += [path for _, path in patched(patch[:_LONGEST])]
    edit = as_edit("apply_patch", {"input": patch}) if patch else action.input
    statements = set() if made.is_shell else {name for name in _RUN if isinstance(action.input.get(name), str)}
    # Programs are fed with text, too: `cat > a.py <<EOF`.
    fed = (part.fed for part in run if part.into)
    return Seen(
        tool=_bytes(made.tool),
        # What a tool of its own hands to a database is run as well.
        commands=_each([*(part.text for part in run), *(action.input[name] for name in _RUN if name in statements)]),
        paths=_each(paths),
        text=_bytes("\n".join((action.text, *said))[:_LONGEST]),
        old=_bytes(_of(edit, _OLD)),
        new=_bytes("\n".join((_of(edit, _NEW), *fed))[:_LONGEST]),
        run=tuple(run),
    )


def _command(made: ToolCall, text: str, said: list[str]) -> str:
    """The command line of an action: a shell's input, or the action's own words where nothing else is told."""
    if made.tool and not made.is_shell:
        return ""
    return made.command or text or next(iter(said), "")


def _of(given: dict[str, Any], names: tuple[str, ...]) -> str:
    edits = given.get("edits")
    several = [one for one in edits if isinstance(one, dict)] if isinstance(edits, list) else []
    found = (one.get(name) for one in (given, *several[:50]) for name in names)
    return "\n".join(value for value in found if isinstance(value, str))[:_LONGEST]


def _each(texts: list[str]) -> tuple[bytes, ...]:
    return tuple(_bytes(text) for text in texts if text)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "replace")


@lru_cache(maxsize=2048)
def compiled(pattern: str) -> Any:
    """A pattern, any case. One that RE2 does not take is wrong use."""
    options = re2.Options()
    options.case_sensitive = False
    options.log_errors = False
    options.max_mem = _MEMORY
    try:
        return re2.compile(pattern.encode(), options)
    except (re2.error, UnicodeEncodeError) as error:
        told = error.args[0] if error.args else error
        told = told.decode("utf-8", "replace") if isinstance(told, bytes) else told
        raise WrongUse(f"the pattern {pattern!r} cannot be read: {told}", hint="patterns follow RE2") from error


@lru_cache(maxsize=2048)
def any_of(patterns: tuple[str, ...]) -> Any:
    """One pattern that finds what any of some find."""
    return compiled("|".join(f"(?:{pattern})" for pattern in patterns))
