"""Hooks in a host's JSON file: adding ours and taking them out again. Text in, text out.

Both hosts lay their hooks out alike: `{"hooks": {EVENT: [{"matcher": …, "hooks": [HANDLER, …]}, …]}}`. What is not
ours keeps its bytes and its order.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from steno.doors.install import splice
from steno.doors.install.host import State
from steno.vocabulary.errors import StenoError

HOOKS: Final = "hooks"

Handler = dict[str, Any]
Group = dict[str, Any]
Ours = Callable[[Handler], bool]


class UnsafeFile(StenoError):
    """A host's own file that cannot be changed without risk. It is left as it is."""


class Place(NamedTuple):
    """Where one handler of ours stands."""

    event: str
    group: int
    handler: int
    value: Handler
    # Whether the group holds nothing but ours.
    alone: bool


def parsed(text: str) -> dict[str, Any]:
    """The file's value, or a clear word on why it cannot be changed."""
    try:
        value = json.loads(text, object_pairs_hook=_once_each, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        what = "holds comments, which are no JSON" if _has_comments(text, error) else "is no sound JSON"
        raise UnsafeFile(
            f"it {what}: {error.msg} in line {error.lineno}", hint="mend the file, then try again"
        ) from error
    except RecursionError as error:
        raise UnsafeFile("it is nested too deeply", hint="mend the file, then try again") from error
    if not isinstance(value, dict):
        raise UnsafeFile("it holds no JSON object", hint="mend the file, then try again")
    _check_shape(value)
    return value


def installed(text: str, wanted: Mapping[str, Group], ours: Ours) -> str:
    """With exactly these groups of ours. What is right already stays where it is."""
    for event in {place.event for place in places(parsed(text), ours)} - wanted.keys():
        text = _cleared(text, event, ours)
    for event, group in wanted.items():
        text = _with_group(text, event, group, ours)
    return text


def removed(text: str, ours: Ours) -> str:
    """Without anything of ours."""
    for event in {place.event for place in places(parsed(text), ours)}:
        text = _cleared(text, event, ours)
    return text


def state_of(value: Mapping[str, Any], wanted: Mapping[str, Group], ours: Ours) -> State:
    """Whether exactly these groups of ours stand in the file, or others, or none."""
    found = list(places(value, ours))
    if not found:
        return "absent"
    groups = [value[HOOKS][place.event][place.group] for place in found]
    same = {place.event for place in found} == wanted.keys() and groups == [wanted[place.event] for place in found]
    return "installed" if same else "outdated"


def places(value: Mapping[str, Any], ours: Ours) -> Iterator[Place]:
    """Every handler of ours, in the file's order."""
    for event, groups in value.get(HOOKS, {}).items():
        for number, group in enumerate(groups if isinstance(groups, list) else []):
            handlers = group.get(HOOKS) if isinstance(group, dict) else None
            is_ours = [isinstance(one, dict) and ours(one) for one in handlers] if isinstance(handlers, list) else []
            for index, yes in enumerate(is_ours):
                if yes and handlers:
                    yield Place(event, number, index, handlers[index], all(is_ours))


def _with_group(text: str, event: str, wanted: Group, ours: Ours) -> str:
    value = parsed(text)
    mine = [place for place in places(value, ours) if place.event == event]
    made = json.dumps(wanted, ensure_ascii=False)
    if len(mine) == 1 and mine[0].alone:
        path = (HOOKS, event, mine[0].group)
        same = value[HOOKS][event][mine[0].group] == wanted
        return text if same else splice.replaced(text, path, made)
    text = _cleared(text, event, ours)
    value = parsed(text)
    if HOOKS not in value:
        text = splice.added(text, (), "{}", name=HOOKS)
    if event not in value.get(HOOKS, {}):
        text = splice.added(text, (HOOKS,), "[]", name=event)
    return splice.added(text, (HOOKS, event), made)


def _cleared(text: str, event: str, ours: Ours) -> str:
    """Without ours at one event; one at a time, since each moves the others."""
    while mine := next((place for place in places(parsed(text), ours) if place.event == event), None):
        group = (HOOKS, event, mine.group)
        text = splice.without(text, group if mine.alone else (*group, HOOKS, mine.handler))
    return text


def _check_shape(value: Mapping[str, Any]) -> None:
    hooks = value.get(HOOKS, {})
    if not isinstance(hooks, dict):
        raise UnsafeFile("its `hooks` is no object", hint="mend the file, then try again")
    for event, groups in hooks.items():
        if not isinstance(groups, list):
            raise UnsafeFile(f"its `hooks.{event}` is no list", hint="mend the file, then try again")


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; one that has a key twice means something else to every reader."""
    value = dict(pairs)
    if len(value) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise UnsafeFile(f"it has {twice!r} twice in one object", hint="keep one of them, then try again")
    return value


def _no_constant(name: str) -> Any:
    raise UnsafeFile(f"it is no sound JSON: {name} is no value", hint="mend the file, then try again")


def _has_comments(text: str, error: json.JSONDecodeError) -> bool:
    return text[error.pos :].lstrip(", \t\r\n").startswith(("//", "/*"))
