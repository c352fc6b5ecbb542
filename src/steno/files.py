"""Files that are written whole or not at all, and locks."""

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from steno.vocabulary.errors import StenoError


class NotWritable(StenoError):
    """A folder of ours in which nothing can be made."""


@contextmanager
def write_whole(
    path: Path | str, *, mode: int = 0o600, sync: bool = False, inside: int | None = None
) -> Iterator[IO[bytes]]:
    """A file beside `path` that takes its name at the end: a reader sees the old content or the new, and a link there
    is replaced. Where the block fails, nothing was written.

    `sync`: it is on the disk before it takes the name. `inside`: the open folder in which `path` is.
    """
    beside = f"{path}.{os.urandom(8).hex()}"
    made = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, mode, dir_fd=inside)
    try:
        with open(made, "wb") as file:
            os.fchmod(made, mode)
            yield file
            if sync:
                file.flush()
                os.fsync(made)
        os.replace(beside, path, src_dir_fd=inside, dst_dir_fd=inside)
    except BaseException:
        with suppress(OSError):
            os.unlink(beside, dir_fd=inside)
        raise


@contextmanager
def made(folder: Path) -> Iterator[Path]:
    """A folder of ours, made if need be, to open a file in."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        yield folder
    except OSError as error:
        raise NotWritable(
            f"cannot write into {folder}: {error.strerror}",
            hint="check the folder's rights, or set STENO_HOME to another one",
        ) from error


@contextmanager
def locked(path: Path, busy: Callable[[], StenoError] | None = None) -> Iterator[int]:
    """While nobody else, in this process or another one, holds the lock on a file. The system lets go of it however the
    process ends. `busy`: the error where somebody else holds it; without one, wait."""
    with made(path.parent):
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | (fcntl.LOCK_NB if busy else 0))
        except OSError as error:
            raise busy() if busy else error from error
        yield file
    finally:
        os.close(file)
