"""What every door does with a verb: check what was given, call the function, and write down the answer."""

import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Final, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import NODEFAULT, Meta, Struct, defstruct, structs

from steno.hidden import encoded
from steno.verbs import answers
from steno.verbs.answers import Answer
from steno.verbs.asking import Asker, Where, where
from steno.verbs.table import PLACE, VERBS, Param, Verb
from steno.vocabulary.errors import NotTheirs, WrongUse

if TYPE_CHECKING:
    from steno.memory import Memory

# Begins a stage of long work by its name; what that gives is told how much was done since the last call, and how much
# there is to do in all, if anybody knows.
Stage = Callable[..., AbstractContextManager[Callable[..., None]]]
_PLACES: Final[Mapping[str, tuple[Any, Any]]] = {
    "project": (Annotated[str | None, Meta(description="A project, by its folder or name.")], None),
    "everywhere": (Annotated[bool, Meta(description="All projects.")], False),
    "directory": (Annotated[str | None, Meta(description="The folder you work in.")], None),
}


class Called(Struct, frozen=True):
    """What came of a call: the answer, the project it is about, if it is about one, and what is to be done once whoever
    asked has the answer."""

    answer: Any
    where: Where | None
    arrived: list[Callable[["Memory"], None]]

    def has_arrived(self, memory: "Memory") -> None:
        """Do that."""
        for each in self.arrived:
            each(memory)


def call(
    verb: Verb, given: Mapping[str, Any], memory: "Memory", asker: Asker, progress: Stage | None = None,
    confirm: Callable[[str], bool] = lambda question: False,
) -> Called:  # fmt: skip
    """Call a verb with what was given, for whoever asks. What only people may do waits for one, if an agent asks."""
    is_open = asker.sees_all or verb.held or bool(verb.tool)
    if not (is_open or verb.authority or verb.when):
        raise _not_theirs(verb)
    asked = msgspec.structs.asdict(checked(verb, given))
    if "memory" not in verb.handed or verb.does == "reads":
        return _called(verb, asked, memory, asker, progress, confirm)
    authority, is_act = memory.authority, verb.is_act(memory, asked)
    may = verb.does == "notes" and verb.when is not None
    named = verb.name if is_act else ""
    who = asker.who or authority.judge(asker.door, asker.pid, named, may_lack_terminal=may)
    if not is_act:
        if not is_open:
            raise _not_theirs(verb)
        with memory.home.acting(who):
            return _called(verb, asked, memory, structs.replace(asker, who=who), progress, confirm)
    told = chosen(verb, asked)
    words = typed(verb, told)
    who = authority.person(verb.name, words, told, who, asker.pid)
    ends = authority.ends(verb.name, told)
    with memory.home.acting(who):
        called = _called(verb, asked, memory, structs.replace(asker, who=who), progress, confirm)
        authority.did(verb.name, words, ends, who)
    return called


def _not_theirs(verb: Verb) -> NotTheirs:
    return NotTheirs(f"only a person asks for `{verb.name}`", hint="leave out Steno-Project and Steno-Agent")


def chosen(verb: Verb, asked: Mapping[str, Any]) -> dict[str, Any]:
    """What was given, without what goes without saying."""
    usual = {name: default for name, (_, default) in _PLACES.items()} | {one.name: one.default for one in verb.params()}
    return {name: value for name, value in asked.items() if value != usual[name]}


def typed(verb: Verb, given: Mapping[str, Any]) -> str:
    """A call as it would be typed."""
    words = ["steno", verb.name]
    params = {one.name: one for one in verb.params()}
    for name, value in given.items():
        if name != "directory":
            one = params.get(name)
            is_argument = one is not None and one.is_argument
            flag = (one.arg.flag if one else "") or f"--{name.replace('_', '-')}"
            for text in value if isinstance(value, list | tuple) else [value]:
                words += [str(text)] if is_argument else [flag] if text is True else [flag, str(text)]
    return f"{' '.join(words[:2])} {shlex.join(words[2:])}".rstrip()


def _called(
    verb: Verb, asked: dict[str, Any], memory: "Memory", asker: Asker, progress: Stage | None,
    confirm: Callable[[str], bool],
) -> Called:  # fmt: skip
    if verb.fresh:
        memory.learn()
    wanted, place = verb.handed, None
    if "where" in wanted:
        place = where(memory, asker, **{name: asked.pop(name) for name in PLACE}, writes=verb.does == "rules")
    if "agent" in asked and not asker.sees_all:
        asked["agent"] = asker.named(asked["agent"])
    arrived: list[Callable[[Memory], None]] = []
    handed: dict[str, Any] = {
        "memory": memory, "where": place, "asker": asker, "progress": progress or quietly, "confirm": confirm,
        "arrived": arrived.append,
    }  # fmt: skip
    return Called(verb.call(**{name: handed[name] for name in wanted}, **asked), place, arrived)


@contextmanager
def quietly(doing: str, **_: Any) -> Iterator[Callable[..., None]]:
    """A stage of long work of which nobody is told."""
    yield lambda done, total=None: None


def checked(verb: Verb, given: Mapping[str, Any]) -> Any:
    """What was given, as the function wants it."""
    for one in verb.params():
        value = given.get(one.name)
        for text in value if isinstance(value, list | tuple) else [value]:
            if not _is_text(text, may_be_bytes=one.arg.kind == "path"):
                raise WrongUse(f"{one.name} is no text", hint="it must be UTF-8, without NUL")
    try:
        return msgspec.convert(given, given_type(verb.name), strict=False)
    except msgspec.ValidationError as error:
        wrong, _, at = str(error).removeprefix("Object ").partition(" - at `$.")
        words = f"cannot take {f'`{at}' if at else 'this'}: {wrong[0].lower()}{wrong[1:]}"
        raise WrongUse(words, hint=f"`steno {verb.name} --help` says what is expected") from error


def _is_text(value: Any, *, may_be_bytes: bool) -> bool:
    """Whether it can be written down; the name of a file may hold bytes that are no text."""
    if isinstance(value, str) and "\0" in value:
        return False
    try:
        return may_be_bytes or bool(msgspec.json.encode(value))
    except UnicodeEncodeError:
        return False


@cache
def given_type(name: str) -> type[Struct]:
    """What may and must be given to a verb, as a value that checks itself."""
    verb = VERBS[name]
    fields = [(one.name, _noted(one), NODEFAULT if one.is_required else one.default) for one in verb.params()]
    if "where" in verb.handed:
        fields += [(name, kind, default) for name, (kind, default) in _PLACES.items()]
    title = "".join(word.capitalize() for word in name.replace("-", " ").split()) + "Request"
    return defstruct(title, fields, kw_only=True, frozen=True, forbid_unknown_fields=True)


def _noted(param: Param) -> Any:
    kind, arg = param.type, param.arg
    number, *rest = get_args(kind) or (kind,)
    if number is int:  # no larger than the store takes
        kind = Union[(Annotated[int, Meta(ge=arg.least or 0, le=arg.most or sys.maxsize)], *rest)]
    return Annotated[kind, Meta(description=arg.help)] if arg.help else kind


@cache
def answer_type(name: str) -> Any:
    """The type a verb answers with."""
    return eval(VERBS[name].call.__annotations__["return"], {"answers": answers})  # noqa: S307 - it is ours


@cache
def public_type(name: str) -> Any:
    """The type of the same as programs read it."""
    kind = answer_type(name)
    if isinstance(kind, type) and issubclass(kind, Answer):
        told = get_type_hints(kind.public)["return"]
        return kind if told is Any else told
    return list[get_args(kind)[0]] if get_origin(kind) is Iterator else kind  # type: ignore[misc]


def public(answer: Any) -> Any:
    """An answer as programs read it."""
    return answer.public() if isinstance(answer, Answer) else answer


def lines(answer: Any) -> Iterator[bytes]:
    """A value as JSON: a list as one object a line."""
    for one in answer if isinstance(answer, list | tuple | Iterator) else [answer]:
        yield encoded(one)


def decoded(name: str, told: Iterable[bytes]) -> Any:
    """The answer of a verb again, from its lines."""
    kind = answer_type(name)
    if get_origin(kind) in (list, Iterator):
        one = msgspec.json.Decoder(get_args(kind)[0])
        return [one.decode(line) for line in told]
    [line] = told
    return msgspec.json.decode(line, type=kind)
