"""Progress bars: on standard error, on a terminal only, gone when the work is done."""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

import steno

if TYPE_CHECKING:
    from rich.progress import ProgressColumn

    from steno import Memory

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
            # What is known of the total is drawn at once; the rest ten times a second.
            shown.update(task, advance=done, total=total, refresh=shown.tasks[0].total != total)

        yield advance


@contextmanager
def counter(doing: str, *, left: Callable[[], int] | None = None) -> Iterator[Callable[[int], None]]:
    """The same for work that only tells how much was done since the last call.

    How much is left is asked once, after the first portion: by then also a rebuild has dropped what it makes anew.
    """
    with bar(doing, in_bytes=False) as advance:
        total: int | None = None

        def told(done: int) -> None:
            nonlocal total
            if advance is not None:
                if total is None and left is not None:
                    total = done + left()
                advance(done, total)

        yield told


@contextmanager
def learnt() -> "Iterator[Memory]":
    """The memory, once all that was captured is learnt: who asks first waits for that, and is to see it."""
    from steno.vocabulary.errors import StoreError

    with steno.open() as memory:
        if sys.stderr.isatty() and memory.unread():
            # What cannot be written now is no reason not to answer.
            with suppress(StoreError), counter("Learning", left=memory.unread) as told:
                memory.scribe(progress=told)
        memory.learn()
        yield memory


def reading(doing: str, lines: Iterable[bytes], total: int) -> Iterator[bytes]:
    """Lines of so many bytes, with a bar for as long as they are read."""
    with bar(doing, in_bytes=True) as advance:
        for line in lines:
            yield line
            if advance is not None:
                advance(len(line), total)


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
