"""A home with a notebook that somebody edits."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from steno.memory import Memory
from steno.testing import SteppingClock, house

PROJECT = "/home/sam/shop"


class Desk:
    """A memory, its notebook, and an editor."""

    def __init__(self, memory: Memory, clock: SteppingClock) -> None:
        self.memory = memory
        self.clock = clock
        self.root = memory.home.notebook
        self.shop = self.root / "shop"

    def told(self, words: str, category: str = "rule", project: str | None = PROJECT) -> str:
        """A person tells us something; its id."""
        return self.memory.remember(words, category=category, project=project).id

    def read(self, name: str = "rules.md") -> str:
        """A page of the shop."""
        return (self.shop / name).read_bytes().decode()

    def save(self, text: str, name: str = "rules.md") -> None:
        """Save a page of the shop."""
        (self.shop / name).parent.mkdir(parents=True, exist_ok=True)
        (self.shop / name).write_bytes(text.encode())

    def replace(self, old: str, new: str, name: str = "rules.md") -> list[tuple[str, str]]:
        """Change something on a page and have it taken in: what was done, with which words."""
        before = self.read(name)
        assert old in before
        self.save(before.replace(old, new), name)
        return self.sync()

    def sync(self) -> list[tuple[str, str]]:
        """What was done, with which words."""
        self.memory.learn()
        return [(one.act, one.text) for one in self.memory.notebook.sync().edits]

    def texts(self, pattern: str = "*.md") -> str:
        """Everything that stands in the notebook; `*.md*`: also what lies beside pages that waited."""
        return "\n".join(path.read_text() for path in sorted(self.root.rglob(pattern)) if path.is_file())

    def lines(self, name: str = "rules.md") -> list[str]:
        """The lines of a page without their ids."""
        return [line.partition(" <!--")[0] for line in self.read(name).splitlines() if line]


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    clock = SteppingClock("2026-03-02T09:03:00.000Z")
    with house(tmp_path, clock=clock) as memory:
        yield Desk(memory, clock)
