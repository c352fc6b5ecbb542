"""Progress bars: on standard error, on a terminal only, gone when the work is done."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import ProgressColumn

# Told how much was done since the last call, and how much there is to do in all, if anybody knows.
Progress = Callable[[int, int | None], None]


@contextmanager
def bar(doing: str, *, in_bytes: bool) -> Iterator[Progress | None]:
    """What to pass to the front desk as `progress`: None where nobody would see it."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress as Bar

    with Bar(*_columns(in_bytes=in_bytes), console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task(doing, total=None)

        def advance(done: int, total: int | None) -> None:
            shown.update(task, advance=done, total=total)

        yield advance


@contextmanager
def counter(doing: str, *, of: int | None = None) -> Iterator[Callable[[int], None]]:
    """The same for work that only tells how much was done since the last call."""
    with bar(doing, in_bytes=False) as advance:
        yield (lambda _: None) if advance is None else (lambda done: advance(done, of))


def _columns(*, in_bytes: bool) -> "list[ProgressColumn]":
    from rich import progress

    amount: list[ProgressColumn] = (
        [progress.DownloadColumn(), progress.TransferSpeedColumn()] if in_bytes else [progress.MofNCompleteColumn()]
    )
    return [
        progress.TextColumn("{task.description}", markup=False),
        progress.BarColumn(bar_width=None),
        progress.TaskProgressColumn(),
        *amount,
        progress.TimeRemainingColumn(compact=True),
    ]
