"""Files that are written whole or not at all."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO


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
