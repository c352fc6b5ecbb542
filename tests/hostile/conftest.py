"""Disks that fail when asked to."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import apsw
import pytest

_FAILING, _REAL = "failing", apsw.vfs_names()[0]


class Disk:
    """Counts what is asked of it and fails one request: the n-th from the time it was set up."""

    def __init__(self) -> None:
        self.calls = 0
        self.fail_at: int | None = None
        self.stay_broken = False
        self.error: Callable[[], Exception] = apsw.FullError
        self.operations = frozenset({"write"})

    def asked(self, operation: str) -> None:
        if operation not in self.operations:
            return
        self.calls += 1
        if self.fail_at is not None and (
            self.calls == self.fail_at or (self.stay_broken and self.calls > self.fail_at)
        ):
            raise self.error()

    @contextmanager
    def failing(
        self, at: int | None, *, error: Callable[[], Exception], on: set[str], for_ever: bool = False
    ) -> Iterator[None]:
        """Within this block the n-th request fails, and with `for_ever` all after it."""
        self.calls, self.fail_at, self.error = 0, at, error
        self.operations, self.stay_broken = frozenset(on), for_ever
        try:
            yield
        finally:
            self.fail_at = None


class _File(apsw.VFSFile):
    def __init__(self, disk: Disk, name: Any, flags: list[int]) -> None:
        self._disk = disk
        super().__init__(_REAL, name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        self._disk.asked("write")
        super().xWrite(data, offset)

    def xSync(self, flags: int) -> None:  # noqa: N802
        self._disk.asked("sync")
        super().xSync(flags)

    def xTruncate(self, size: int) -> None:  # noqa: N802
        self._disk.asked("truncate")
        super().xTruncate(size)


class _System(apsw.VFS):
    def __init__(self, disk: Disk) -> None:
        self._disk = disk
        super().__init__(_FAILING, _REAL, makedefault=True)

    def xOpen(self, name: Any, flags: list[int]) -> _File:  # noqa: N802
        self._disk.asked("open")
        return _File(self._disk, name, flags)


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Iterator[Disk]:
    """Every database opened in this test lies on this disk."""
    disk = Disk()
    # SQLite gets over some failures by itself; apsw reports those as exceptions nobody caught.
    for hook in ("unraisablehook", "excepthook"):
        monkeypatch.setattr(sys, hook, lambda *_: None)
    system = _System(disk)
    yield disk
    system.unregister()
