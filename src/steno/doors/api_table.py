"""The table of routes: what a program may ask over HTTP. Each row is made from a function: its arguments are the
parameters, its first line of documentation the summary, what it returns the answer's schema."""

import inspect
import re
from collections.abc import Callable
from typing import Any, Literal, TypeVar, get_type_hints

from msgspec import NODEFAULT, Struct, defstruct

Method = Literal["GET", "POST"]
Call = TypeVar("Call", bound=Callable[..., Any])


class Route(Struct, frozen=True, kw_only=True):
    """One thing that can be asked."""

    method: Method
    # With the names of its parts between braces: /v1/entries/{id}.
    path: str
    # Unique: the name of the operation.
    name: str
    summary: str
    call: Callable[..., Any]
    # What must and may be given, from path, query or body.
    given: type[Struct]
    # Type of the answer.
    answer: Any
    # Whether it may take minutes, and works apart from the rest.
    slow: bool
    # Whether an agent may ask it, too: it can be held to a project and an agent. All else is a person's.
    held: bool

    @property
    def parts(self) -> list[str]:
        """Names of what stands in the path."""
        return re.findall(r"{(\w+)}", self.path)


class Table:
    """Routes in the order in which they are added."""

    def __init__(self) -> None:
        self.routes: list[Route] = []

    def get(self, path: str, *, held: bool = False) -> Callable[[Call], Call]:
        """Add a function that looks at something."""
        return self._add("GET", path, slow=False, held=held)

    def post(self, path: str, *, slow: bool = False, held: bool = False) -> Callable[[Call], Call]:
        """Add a function that does something."""
        return self._add("POST", path, slow=slow, held=held)

    def _add(self, method: Method, path: str, *, slow: bool, held: bool) -> Callable[[Call], Call]:
        def add(call: Call) -> Call:
            hints = get_type_hints(call, include_extras=True)
            name = call.__name__.rstrip("_")
            self.routes.append(
                Route(
                    method=method,
                    path=path,
                    name=name,
                    summary=(inspect.getdoc(call) or "").split("\n")[0],
                    call=call,
                    given=_struct(name, call, hints),
                    answer=hints["return"],
                    slow=slow,
                    held=held,
                )
            )
            return call

        return add


def _struct(name: str, call: Callable[..., Any], hints: dict[str, Any]) -> type[Struct]:
    """The arguments of a function, without the memory it works on, as a value that checks itself."""
    fields = [
        (argument.name, hints[argument.name], NODEFAULT if argument.default is argument.empty else argument.default)
        for argument in inspect.signature(call).parameters.values()
        if argument.name != "memory"
    ]
    title = "".join(word.capitalize() for word in name.split("_")) + "Request"
    return defstruct(title, fields, kw_only=True, frozen=True, forbid_unknown_fields=True)
