"""A host's own file: read as it is; written whole or not at all, through the user's own link, with the same mode."""

import os
import stat
from pathlib import Path
from typing import Final

from steno.doors.install.hookfile import UnsafeFile
from steno.files import write_whole

_KEPT: Final = ".before-steno"
_NEW_FILE: Final = 0o600


def backup_of(file: Path) -> Path:
    """Where the file is kept as it was before us: beside it, under the name the user knows."""
    return file.with_name(file.name + _KEPT)


def read(file: Path) -> str | None:
    """The file's text, or None if there is no such file."""
    try:
        return file.read_bytes().decode("utf-8")
    except FileNotFoundError:
        if file.is_symlink():
            raise UnsafeFile(f"{file} is a link that leads nowhere", hint="mend the link or remove it") from None
        return None
    except UnicodeDecodeError as error:
        raise UnsafeFile(f"{file} is not UTF-8", hint="mend the file, then try again") from error
    except OSError as error:
        raise UnsafeFile(f"cannot read {file}: {error.strerror}", hint="check the path and its rights") from error


def write(file: Path, before: str | None, after: str | None) -> None:
    """Put `after` in the place of `before`; None: no file. Refused if somebody else wrote meanwhile."""
    target = _target(file)
    if read(file) != before:
        raise UnsafeFile(f"{file} was changed meanwhile; nothing was written", hint="try again")
    try:
        if after is None:
            target.unlink()
        else:
            target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            _put(target, after)
    except OSError as error:
        raise UnsafeFile(
            f"cannot write {target}: {error.strerror}; it is as it was", hint="check the folder's rights and room"
        ) from error


def keep(file: Path, text: str) -> Path:
    """Keep what the file holds, readable by its owner only, in place of what was kept earlier."""
    kept = backup_of(file)
    try:
        _put(kept, text, mode=_NEW_FILE)
    except OSError as error:
        raise UnsafeFile(
            f"cannot keep a copy as {kept}: {error.strerror}; nothing was changed", hint="check the folder's rights"
        ) from error
    return kept


def _target(file: Path) -> Path:
    """The file itself: what the user's own link leads to. What belongs to somebody else is not touched."""
    target = file.resolve()
    for path in {file, target}:
        if os.path.lexists(path) and path.lstat().st_uid != os.geteuid():
            raise UnsafeFile(f"{path} belongs to somebody else", hint="run this as the user whose file it is")
    if target.exists() and not target.is_file():
        raise UnsafeFile(f"{target} is no file", hint="check the path")
    return target


def _put(target: Path, text: str, *, mode: int | None = None) -> None:
    if mode is None:
        mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else _NEW_FILE
    with write_whole(target, mode=mode, sync=True) as file:
        file.write(text.encode("utf-8"))
