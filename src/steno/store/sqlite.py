"""SQLite through apsw: one connection that owns writing, WAL, every commit on disk before it is acknowledged.

Why apsw and not the standard library: DESIGN.md. The file is opened through SQLite only. One plain open() and close()
of it in this process would drop the process's locks, and a crash then loses commits that were acknowledged.
"""

import os
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final

import apsw

from steno.store.database import NOTHING, Row, Values, named_queries
from steno.vocabulary.errors import (
    StoreBusy,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreLost,
    StoreReadOnly,
    StoreTooNew,
    WrongUse,
)

# SQLite 3.7.0 to 3.51.2 can corrupt a database when a WAL is reset at the wrong moment.
_OLDEST_SQLITE: Final = (3, 51, 3)
# Says "a Steno store" to tools that look at the header: "STNO".
_APPLICATION_ID: Final = 0x53544E4F

_SETTINGS: Final = """
PRAGMA synchronous = FULL;          -- NORMAL loses acknowledged commits on a power cut
PRAGMA foreign_keys = ON;
PRAGMA secure_delete = ON;          -- freed pages are zeroed, so that forget leaves nothing
PRAGMA temp_store = MEMORY;         -- no text in temporary files
PRAGMA cache_size = -16384;
PRAGMA wal_autocheckpoint = 4000;   -- 16 MB: fewer checkpoints while a history is read
PRAGMA journal_size_limit = 33554432;
"""


class SqliteDatabase:
    """One SQLite file. Safe to share between threads: each call holds the connection for as long as it takes."""

    def __init__(self, path: Path, *, busy_seconds: float, may_be_new: bool = True) -> None:
        _check_version()
        self._path = path
        self._may_be_new = may_be_new
        # Before SQLite makes the file.
        self._check_there(os.path.exists(path) and os.path.getsize(path) > 0)
        self._busy_seconds = busy_seconds
        self._lock = threading.RLock()
        self._queries = named_queries("queries")
        with self._errors():
            self._connection = _connect(path, busy_seconds)
            try:
                self._prepare()
            except BaseException:
                self._connection.close()
                raise

    def rows(self, query: str, values: Values = NOTHING) -> list[Row]:
        with self._lock, self._errors():
            return list(self._connection.execute(self._queries[query], values))

    def many(self, query: str, values: Iterable[Row]) -> list[Row]:
        with self._lock, self._errors():
            return list(self._connection.executemany(self._queries[query], values))

    @contextmanager
    def write(self) -> Iterator[None]:
        """BEGIN IMMEDIATE, because a read that turns into a write ignores the busy timeout and fails at once."""
        with self._lock, self._errors():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def erase_traces(self) -> None:
        """Copy the write-ahead log into the file and cut it to nothing: deleted text must not survive in it."""
        deadline = time.monotonic() + self._busy_seconds
        with self._lock, self._errors():
            while True:
                busy, *_ = next(self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)"))
                if not busy:
                    return
                if time.monotonic() > deadline:
                    raise StoreBusy(
                        "erased, but its bytes are still in the write-ahead log: another process is reading the store",
                        hint="close that process and run the same command again",
                    )
                time.sleep(0.05)

    def copy_to(self, path: Path) -> None:
        """Page by page through SQLite: a reader of the file itself would drop this process's locks on it."""
        beside = path.with_name(f"{path.name}.new")
        beside.unlink(missing_ok=True)
        try:
            with self._lock, self._errors():
                copy = _connect(beside, self._busy_seconds)
                try:
                    with copy.backup("main", self._connection, "main") as backup:
                        backup.step(-1)
                    # One file, without a log beside it.
                    copy.execute("PRAGMA journal_mode = DELETE")
                    found = [row[0] for row in copy.execute("PRAGMA quick_check(5)")]
                finally:
                    copy.close()
            if found != ["ok"]:
                raise StoreDamaged(f"the copy {path} is damaged: {'; '.join(found)}", hint="run `steno store doctor`")
            beside.replace(path)
        finally:
            beside.unlink(missing_ok=True)

    def size(self) -> int:
        return sum(file.stat().st_size for file in self._path.parent.glob(f"{self._path.name}*"))

    def close(self) -> None:
        with self._lock, self._errors():
            self._connection.close()

    def _prepare(self) -> None:
        """Pragmas, then the migrations that are missing, each in one transaction with its record."""
        scripts = migrations()
        self._check_ours(len(scripts))
        self._connection.execute(_SETTINGS)
        self._use_wal()
        if self._version() == len(scripts):
            return
        with self.write():
            self._check_ours(len(scripts))
            version = self._version()
            for number, script in enumerate(scripts[version:], version + 1):
                self._connection.execute(script)
                self._connection.execute(f"PRAGMA user_version = {number}")
            self._connection.execute(f"PRAGMA application_id = {_APPLICATION_ID}")

    def _check_ours(self, known: int) -> None:
        """Before anything is written: a stranger's database, or one of a newer Steno, stays byte for byte as it is."""
        # Tables first: if another process makes the store at this moment, both are there together.
        strangers = [row[0] for row in self._connection.execute("SELECT name FROM sqlite_master")]
        self._check_there(bool(strangers))
        if strangers and next(self._connection.execute("PRAGMA application_id"))[0] != _APPLICATION_ID:
            raise StoreDamaged(
                f"{self._path} is a database, but not Steno's (it has a table called {strangers[0]})",
                hint="point STENO_HOME at another folder",
            )
        if (version := self._version()) > known:
            raise StoreTooNew(
                f"{self._path} was written by a newer Steno (version {version}, this one knows {known})",
                hint="upgrade Steno on this machine",
            )

    def _check_there(self, is_there: bool) -> None:
        """An emptied store is not a new one: to go on as if nothing had ever been said is the worst answer."""
        if not (is_there or self._may_be_new):
            raise StoreLost(
                f"the store {self._path} is gone or empty, but {self._path.parent} was in use before",
                hint=f"put a backup of steno.db back; to begin anew, move {self._path.parent} away first",
            )

    def _use_wal(self) -> None:
        """Switching to WAL needs the file for itself for a moment, and does not wait for it by itself."""
        deadline = time.monotonic() + self._busy_seconds
        while next(self._connection.execute("PRAGMA journal_mode"))[0] != "wal":
            try:
                (mode,) = next(self._connection.execute("PRAGMA journal_mode = WAL"))
                if mode != "wal":
                    raise StoreError(
                        f"the disk of {self._path} cannot carry a write-ahead log",
                        hint="set STENO_HOME to a folder on a local disk with room on it",
                    )
            except apsw.BusyError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.02)

    def _version(self) -> int:
        return int(next(self._connection.execute("PRAGMA user_version"))[0])

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """SQLite's errors in our words."""
        path = self._path
        try:
            yield
        except apsw.BusyError as error:
            raise StoreBusy(
                f"another process has kept {path} locked for {self._busy_seconds:g} seconds",
                hint="see which one with `lsof`, or try again later",
            ) from error
        except apsw.FullError as error:
            raise _full(path) from error
        except (apsw.ReadOnlyError, apsw.CantOpenError, apsw.PermissionsError) as error:
            why = "its disk may only be read" if _disk(path).f_flag & os.ST_RDONLY else str(error)
            raise StoreReadOnly(
                f"cannot write {path}: {why}", hint="check the rights of the folder, or set STENO_HOME"
            ) from error
        except (apsw.CorruptError, apsw.NotADBError) as error:
            raise StoreDamaged(
                f"{path} is damaged: {error}",
                hint="it is left as it is: put a backup back, or move the whole folder away and capture again",
            ) from error
        except apsw.IOError as error:
            # Where there is no room for the index of the write-ahead log SQLite says no more than this.
            if _disk(path).f_bavail == 0:
                raise _full(path) from error
            raise StoreError(f"cannot read or write {path}: {error}", hint="check the disk it is on") from error
        except apsw.Error as error:
            raise StoreError(f"{path} refuses: {error}", hint="`steno store doctor` checks it") from error
        except UnicodeDecodeError as error:
            raise StoreDamaged(
                f"{path} is damaged: it holds text that is no text",
                hint="it is left as it is: put a backup back, or move the whole folder away and capture again",
            ) from error
        except (UnicodeEncodeError, OverflowError) as error:
            # Half a character (an argument that is no UTF-8), or a number past 63 bits: nothing stored is like it.
            raise WrongUse(f"no store can hold this value: {error}", hint="check what was typed") from error


def _full(path: Path) -> StoreFull:
    return StoreFull(f"no room left on the disk of {path}", hint="free some space; nothing was lost")


def _disk(path: Path) -> os.statvfs_result:
    """The disk a file is on, or would be."""
    return os.statvfs(next(place for place in (path, *path.parents) if place.exists()))


@cache
def migrations() -> Sequence[str]:
    """All migrations in order. Their number is the version of the store."""
    folder = files("steno.store").joinpath("schema/migrations")
    return [file.read_text("utf-8") for file in sorted(folder.iterdir(), key=lambda file: file.name)]


def _connect(path: Path, busy_seconds: float) -> apsw.Connection:
    """Open or make the file, for its owner only."""
    before = os.umask(0o077)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = apsw.Connection(str(path))
    except OSError as error:
        raise StoreReadOnly(
            f"cannot make {path.parent}: {error.strerror}", hint="set STENO_HOME to a folder you may write"
        ) from error
    finally:
        os.umask(before)
    connection.set_busy_timeout(int(busy_seconds * 1000))
    return connection


def _check_version() -> None:
    version = tuple(map(int, apsw.sqlite_lib_version().split(".")))
    if version < _OLDEST_SQLITE:
        raise StoreError(
            f"this apsw carries SQLite {apsw.sqlite_lib_version()}, which can damage a store in WAL mode",
            hint="install apsw 3.54.1 or newer",
        )
