"""Whether a matcher fires on an action: by its tool, its commands, its paths, its words, and what it does."""

from typing import Final

from steno.language.words import squeeze
from steno.rules.families import done, families
from steno.rules.seen import compiled, seen
from steno.vocabulary import Action, Matcher
from steno.vocabulary.errors import WrongUse

_LONGEST_SHOWN: Final = 200
FIELDS: Final = ("tool", "command", "path", "text")


def fires(matcher: Matcher, action: Action) -> str | None:
    """What in the action a matcher fires on, shortened; None if it does not. Each pattern given must be found."""
    whole = seen(action)
    found: list[bytes] = []
    # The first is shown: a command says more than a path, a path more than a text.
    for pattern, places in (
        (matcher.command, whole.commands), (matcher.path, whole.paths), (matcher.text, (whole.text,)),
    ):  # fmt: skip
        if pattern is not None:
            place = _first(pattern, places)
            if place is None:
                return None
            found.append(place)
    if matcher.family is not None:
        place = done(whole).get(matcher.family)
        if place is None:
            return None
        found.append(place)
    # An action told in words has no tool to compare; its other patterns decide.
    if matcher.tool is not None and (whole.tool or not found):
        if not compiled(matcher.tool).fullmatch(whole.tool):
            return None
        found.append(whole.tool)
    return _shortened(found[0]) if found else None


def check(matcher: Matcher) -> None:
    """Refuse a matcher that could not work: a pattern RE2 does not take, or none at all."""
    given = [(name, pattern) for name in FIELDS if (pattern := getattr(matcher, name)) is not None]
    if not given and matcher.family is None:
        raise WrongUse("a matcher without a pattern would fire on nothing", hint=f"give one of {', '.join(FIELDS)}")
    if matcher.family is not None and matcher.family not in families():
        raise WrongUse(f"no command family is called {matcher.family!r}", hint=", ".join(families()))
    for name, pattern in given:
        if compiled(pattern).search(b"") and name != "tool":
            raise WrongUse(f"the {name} pattern {pattern!r} fires on everything", hint="name what it is to find")


def _first(pattern: str, places: tuple[bytes, ...]) -> bytes | None:
    for place in places:
        if match := compiled(pattern).search(place):
            start, end = match.span()
            return place if len(place) <= _LONGEST_SHOWN else place[max(0, start - 60) : max(end, start + 60)]
    return None


def _shortened(found: bytes) -> str:
    text = squeeze(found.decode("utf-8", "ignore"))
    return text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 1] + "…"
