"""How much of a file its host reads, and what it would leave out."""

from typing import Final, Literal

from msgspec import Struct

Unit = Literal["characters", "lines", "bytes"]
# A file so near its limit is told of: the next note in it may be the one that is cut.
NEAR: Final = 0.9


class Cut(Struct, frozen=True, kw_only=True):
    """What a host would not read."""

    # Lines of the file, from 1.
    first: int
    last: int
    characters: int
    # How it begins and how it ends.
    begins: str
    ends: str


class Limit(Struct, frozen=True, kw_only=True):
    """A file a host loads when a session starts, or all of them together."""

    host: str
    # A folder stands for all its files together.
    path: str
    unit: Unit
    used: int
    most: int
    cut: Cut | None = None

    @property
    def is_near(self) -> bool:
        """Whether somebody should make room."""
        return self.cut is not None or self.used >= NEAR * self.most
