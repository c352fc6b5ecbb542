"""Whether a matcher fires on an action: its tool, the commands it runs, the paths it touches, its words."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain
from typing import Any, Final, NamedTuple

import re2

from steno.language.shell import Part, parts
from steno.language.tool_call import BEGIN_PATCH, ToolCall, patched, texts
from steno.language.words import squeeze
from steno.vocabulary import Action, Matcher, Rule
from steno.vocabulary.errors import WrongUse

# Text beyond this is not looked at: 200 matchers, a third of them with a text, take 1.6 ms over so much of it.
_LONGEST_TEXT: Final = 10_000
_LONGEST_SHOWN: Final = 200
# 8 MB for the states of one pattern. When they do not fit, RE2 goes on without them, slower.
_MEMORY: Final = 8 << 20
FIELDS: Final = ("tool", "command", "path", "text")


class Seen(NamedTuple):
    """An action taken apart, as UTF-8: RE2 would encode a text again for each pattern."""

    tool: bytes
    commands: tuple[bytes, ...]
    paths: tuple[bytes, ...]
    text: bytes
    run: tuple[Part, ...]


_last: tuple[Action, Seen] | None = None


def fires(matcher: Matcher, action: Action) -> str | None:
    """What in the action a matcher fires on, shortened; None if it does not. Each pattern given must be found."""
    whole = seen(action)
    found: list[bytes] = []
    # The first is shown: a command says more than a path, a path more than a text.
    for pattern, name, places in (
        (matcher.command, "command", whole.commands),
        (matcher.path, "path", whole.paths),
        (matcher.text, "text", (whole.text,)),
    ):
        if pattern is not None:
            place = _first(pattern, name, places)
            if place is None:
                return None
            found.append(place)
    # An action told in words has no tool to compare; its other patterns decide.
    if matcher.tool is not None and (whole.tool or not found):
        if not _compiled(matcher.tool, "tool").fullmatch(whole.tool):
            return None
        found.append(whole.tool)
    return _shortened(found[0]) if found else None


class Matchers:
    """Rules with a matcher, asked at once: what none of them looks for is looked for once, not once for each."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        sought: dict[str, dict[str, list[Rule]]] = {}
        for rule in rules:
            if rule.matcher is not None:
                name, pattern = _sought(rule.matcher)
                sought.setdefault(name, {}).setdefault(pattern, []).append(rule)
        self._sought = [
            (name, _any_of(tuple(found), name), [*chain(*found.values())]) for name, found in sought.items()
        ]

    def likely(self, action: Action) -> Iterator[Rule]:
        """Those that may fire on an action."""
        whole = seen(action)
        places = {"command": whole.commands, "path": whole.paths, "text": (whole.text,)}
        for name, pattern, rules in self._sought:
            if pattern is None or any(map(pattern.search, places[name])):
                yield from rules


def check(matcher: Matcher) -> None:
    """Refuse a matcher that could not work: a pattern RE2 does not take, or none at all."""
    given = [(name, pattern) for name in FIELDS if (pattern := getattr(matcher, name)) is not None]
    if not given:
        raise WrongUse("a matcher without a pattern would fire on nothing", hint=f"give one of {', '.join(FIELDS)}")
    for name, pattern in given:
        if _compiled(pattern, name).search(b"") and name != "tool":
            raise WrongUse(f"the {name} pattern {pattern!r} fires on everything", hint="name what it is to find")


def seen(action: Action) -> Seen:
    """The commands, paths and words of an action. The last action is kept: many matchers ask about the same one."""
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
    paths += [path for _, path in patched(patch[:_LONGEST_TEXT])]
    words = "\n".join((action.text, *said))[:_LONGEST_TEXT]
    return Seen(_bytes(made.tool), _each(part.text for part in run), _each(paths), _bytes(words), tuple(run))


def _command(made: ToolCall, text: str, said: list[str]) -> str:
    """The command line of an action: a shell's input, or the action's own words where nothing else is told."""
    if made.tool and not made.is_shell:
        return ""
    return made.command or text or next(iter(said), "")


def _each(texts: Any) -> tuple[bytes, ...]:
    return tuple(_bytes(text) for text in texts if text)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "replace")


def _first(pattern: str, name: str, places: tuple[bytes, ...]) -> bytes | None:
    for place in places:
        if match := _compiled(pattern, name).search(place):
            start, end = match.span()
            return place if len(place) <= _LONGEST_SHOWN else place[max(0, start - 60) : max(end, start + 60)]
    return None


def _shortened(found: bytes) -> str:
    text = squeeze(found.decode("utf-8", "ignore"))
    return text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 1] + "…"


def _sought(matcher: Matcher) -> tuple[str, str]:
    """A pattern that must be found for a matcher to fire."""
    given = ((name, getattr(matcher, name)) for name in ("command", "path", "text"))
    return next(((name, pattern) for name, pattern in given if pattern is not None), ("tool", matcher.tool or ""))


def _any_of(patterns: tuple[str, ...], name: str) -> Any:
    """One pattern that finds what any of some find; None where they cannot be joined."""
    if name == "tool" or any(r"\Q" in pattern for pattern in patterns):
        return None
    try:
        return _compiled("|".join(f"(?:{pattern})" for pattern in patterns), name)
    except WrongUse:
        return None


@lru_cache(maxsize=1024)
def _compiled(pattern: str, name: str) -> Any:
    options = re2.Options()
    options.case_sensitive = False
    options.log_errors = False
    options.max_mem = _MEMORY
    try:
        return re2.compile(pattern.encode(), options)
    except (re2.error, UnicodeEncodeError) as error:
        told = error.args[0] if error.args else error
        told = told.decode("utf-8", "replace") if isinstance(told, bytes) else told
        raise WrongUse(f"the {name} pattern {pattern!r} cannot be read: {told}", hint="patterns follow RE2") from error
