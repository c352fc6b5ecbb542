"""Progress bars: on standard error, on a terminal only, gone when the work is done."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import ProgressColumn

    from steno import Memory
    from steno.verbs.call import Stage
    from steno.verbs.table import Verb

# Told how much was done since the last call, and how much there is to do in all, if anybody knows.
Progress = Callable[..., None]


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
def stage(doing: str, *, in_bytes: bool = False, left: Callable[[], int] | None = None) -> Iterator[Progress]:
    """A bar for one stage of long work.

    Where only what was done is told, how much is left is asked once, after the first portion: by then a rebuild has
    dropped what it makes anew.
    """
    with bar(doing, in_bytes=in_bytes) as advance:
        whole: int | None = None

        def told(done: int, total: int | None = None) -> None:
            nonlocal whole
            if advance is not None:
                whole = total or whole or (done + left() if left is not None else None)
                advance(done, whole)

        yield told


@contextmanager
def progress(verb: "Verb", memory: "Memory") -> "Iterator[Stage]":
    """Bars for a verb that is answered here. What waits for the scribe is learnt first, and whoever waits sees it."""
    if verb.fresh and sys.stderr.isatty() and memory.unread():
        from steno.vocabulary.errors import StoreError

        # What cannot be written now is no reason not to answer.
        with suppress(StoreError), stage("Learning", left=memory.unread) as told:
            memory.scribe(progress=told)
    yield stage


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
