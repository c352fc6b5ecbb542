"""The table of verbs: everything Steno can be asked, each described once, by a function.

Its name is what people type (`rules add`) and where a program finds it (`/v1/rules/add`). Its parameters are the
arguments: those before the star are typed in their order, the others are options. Its docstring is the help page. The
command line, HTTP, MCP and the reference page are made from this; nothing else describes a verb.

Importing the table must stay cheap, because every command line does. So the types of a verb are only looked at when a
door needs them (answers are found in `answers.py`), and a verb imports what it needs itself.
"""

import inspect
from collections.abc import Callable, Iterator, Mapping
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, NamedTuple, TypeVar, Union, get_args, get_origin

# What a verb does. Open to agents in their own scope: `reads` and `notes`. Everything else that writes is an act of
# authority, which belongs to people.
Does = Literal["reads", "notes", "rules"]
# What a door hands to a function beside what was given: the memory, the project that is meant, who asks, a way to tell
# how far it is, one to ask them yes or no (no where nobody can be asked), and one to have something done once the
# answer has arrived.
HANDED: Final = ("memory", "where", "asker", "progress", "confirm", "arrived")
# What stands for `where` in what was given: a project's name or folder; all of them; where whoever asks stands.
PLACE: Final = ("project", "everywhere", "directory")

Call = TypeVar("Call", bound=Callable[..., Any])


class Arg(NamedTuple):
    """What is known of a parameter beside its type."""

    help: str = ""
    # What stands for it on a help page, and its option where that is not its name.
    metavar: str = ""
    flag: str = ""
    # `words`: the rest of the line; `path`: a file or folder; `pattern`: the same with * and ?; `place`: a folder, or a
    # name; `time`: a date or a moment; `json`: an object.
    kind: Literal["", "words", "path", "pattern", "place", "time", "json", "turn"] = ""
    least: int | None = None
    most: int | None = None


class Param(NamedTuple):
    """A parameter of a verb."""

    name: str
    type: Any
    arg: Arg
    default: Any
    # Given by its place on the command line, not by an option.
    is_argument: bool

    @property
    def is_required(self) -> bool:
        """Whether there is no default."""
        return self.default is inspect.Parameter.empty

    @property
    def typed(self) -> tuple[Any, bool, bool]:
        """What one value is; whether several may be given; whether it may lack."""
        kind, lacks = self.type, False
        if get_origin(kind) in (Union, UnionType):
            [kind], lacks = [one for one in get_args(kind) if one is not NoneType], True
        several = get_origin(kind) in (list, tuple)
        return get_args(kind)[0] if several else kind, several, lacks

    @property
    def flag(self) -> str:
        """Its option on the command line; of a yes or no that may lack, also the one that says no."""
        name = self.name.replace("_", "-")
        flag = self.arg.flag or f"--{name}"
        kind, _, lacks = self.typed
        return f"{flag}/--no-{name}" if kind is bool and lacks and "/" not in flag else flag


class Verb(NamedTuple):
    """One thing that can be asked or done, through every door."""

    name: str
    call: Callable[..., Any]
    does: Does
    # It may take minutes: the command line does it in its own process, with a progress bar.
    slow: bool
    # The scribe reads what waits before this is answered.
    fresh: bool
    # The name of the MCP tool, and the parameters agents are shown.
    tool: str
    tool_params: tuple[str, ...]
    # Whether an agent may ask it over HTTP, too: it can be held to a project and an agent.
    held: bool
    # Doors it makes sense at, beside MCP, which has what is a tool.
    doors: tuple[str, ...]
    # Whether what was given makes it an act of authority, where that is not always so.
    when: Callable[[Any, Mapping[str, Any]], bool] | None

    @property
    def help(self) -> str:
        """Its page, without its examples' indentation."""
        return inspect.getdoc(self.call) or ""

    @property
    def summary(self) -> str:
        """What it does, in a line."""
        return self.help.partition("\n")[0]

    @property
    def authority(self) -> bool:
        """Whether only a person may do it, whatever is given."""
        return self.does == "rules"

    def is_act(self, memory: Any, given: Mapping[str, Any]) -> bool:
        """Whether it is an act of authority, which only a person may do."""
        return self.when(memory, given) if self.when else self.authority

    @property
    def path(self) -> str:
        """Where HTTP has it."""
        return f"/v1/{self.name.replace(' ', '/')}"

    @property
    def handed(self) -> list[str]:
        """What the function wants from the door."""
        return [name for name in inspect.signature(self.call).parameters if name in HANDED]

    def params(self) -> Iterator[Param]:
        """What can be given, in order."""
        for one in inspect.signature(self.call).parameters.values():
            if one.name not in HANDED:
                told = eval(one.annotation, self.call.__globals__)  # noqa: S307 - it is ours
                typed, *notes = get_args(told) if get_origin(told) is Annotated else (told,)
                arg = next((note for note in notes if isinstance(note, Arg)), Arg())
                yield Param(one.name, typed, arg, one.default, one.kind is one.POSITIONAL_OR_KEYWORD)


VERBS: Final[dict[str, Verb]] = {}


def verb(
    name: str, does: Does = "reads", *, slow: bool = False, fresh: bool = False, held: bool = False,
    tool: tuple[str, str] = ("", ""), doors: str = "cli http",
    when: Callable[[Any, Mapping[str, Any]], bool] | None = None,
) -> Callable[[Call], Call]:  # fmt: skip
    """Put a function into the table."""

    def add(call: Call) -> Call:
        if name in VERBS:
            raise ValueError(f"two verbs are called {name!r}")
        VERBS[name] = Verb(
            name, call, does, slow, fresh, tool[0], tuple(tool[1].split()), held, tuple(doors.split()), when
        )  # fmt: skip
        return call

    return add


# Parameters that many verbs share.
Words = Annotated[str, Arg(kind="words")]
Agent = Annotated[str | None, Arg("Only what this agent may see.", "A")]
Session = Annotated[str, Arg("Its id, the beginning of it, or `latest`.", "S")]
At = Annotated[str | None, Arg("As of this time.", "TIME", kind="time")]
Because = Annotated[str | None, Arg("What it came from: a message, an entry or a flag.", "ID")]
Domain = Annotated[str | None, Arg("A field of work, such as `WEB`.", "D")]
