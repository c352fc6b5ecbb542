"""The seam to a database: what every table family may ask of one. A second database goes behind the same calls."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from functools import cache
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Protocol, TypeVar

from msgspec import Struct

Row = tuple[Any, ...]
Values = Mapping[str, Any]
T = TypeVar("T")
S = TypeVar("S", bound=Struct)

NOTHING: Final[Values] = MappingProxyType({})


class Database(Protocol):
    """Runs named queries. Nothing above this protocol knows SQL."""

    def rows(self, query: str, values: Values = NOTHING) -> list[Row]:
        """All rows of a query."""

    def many(self, query: str, values: Iterable[Row]) -> list[Row]:
        """Run a query once for each row of values; all rows it returned."""

    def write(self) -> AbstractContextManager[None]:
        """A write transaction: everything inside happens, or nothing does. Waits for other writers."""

    def erase_traces(self) -> None:
        """Make sure that deleted content is in no file any more."""

    def copy_to(self, path: Path) -> None:
        """A whole copy, as of one moment, under a name it gets only when it was proven to be sound."""

    def size(self) -> int:
        """Bytes on disk."""

    def close(self) -> None:
        """Let go of the database."""


class Tables:
    """A family of tables."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def write(self) -> AbstractContextManager[None]:
        """One transaction for what is read and what is written because of it."""
        return self._database.write()

    def _first(self, kind: Callable[[Any], T], query: str, values: Values = NOTHING) -> T | None:
        """The one value a query finds, if it finds any."""
        rows = self._database.rows(query, values)
        return kind(rows[0][0]) if rows else None

    def _portions(self, query: str, most: int, *, after: int = 0, **values: Any) -> Iterator[list[Row]]:
        """The rows of a query, so many at a time; each portion begins after the first column of the last row."""
        while rows := self._database.rows(query, {**values, "after": after, "most": most}):
            yield rows
            after = rows[-1][0]

    def _change(self, query: str, values: Values = NOTHING) -> list[Row]:
        """Run a query in a transaction of its own."""
        with self._database.write():
            return self._database.rows(query, values)

    def _rewrite(self, places: Iterable[tuple[str, str, tuple[str, ...]]], clean: Callable[[str], str]) -> int:
        """Take secrets out of columns: a place is what lists them, what replaces them, and their names. How many rows
        changed."""
        changed = 0
        for listed, rewrite, columns in places:
            for id_, *texts in self._database.rows(listed):
                new = [text and clean(text) for text in texts]
                if new != texts:
                    self._database.rows(rewrite, {"id": id_, **dict(zip(columns, new, strict=True))})
                    changed += 1
        return changed


def value_of(kind: type[S], row: Iterable[Any], **read: Callable[[Any], Any]) -> S:
    """A row as a value whose fields are its columns, in order. Some columns are read by a function."""
    values = dict(zip(kind.__struct_fields__, row, strict=True))
    for name, function in read.items():
        values[name] = function(values[name])
    return kind(**values)


@cache
def named_queries(folder: str) -> Mapping[str, str]:
    """All queries of the .sql files in a folder of this package, by name."""
    queries: dict[str, str] = {}
    for file in sorted(files("steno.store").joinpath(folder).iterdir(), key=lambda file: file.name):
        _, *parts = file.read_text("utf-8").split("-- name: ")
        for part in parts:
            name, _, body = part.partition("\n")
            if name in queries:
                raise ValueError(f"two queries are called {name}")
            queries[name] = body.strip()
    return queries
