"""Copies of the store, and of what a night lays aside, in one folder of the home."""

import re
import shutil
from datetime import date
from pathlib import Path
from typing import Final

import msgspec

from steno.files import write_whole
from steno.home import Home
from steno.vocabulary import Entry
from steno.vocabulary.errors import StoreError, StoreFull

_FOLDER: Final = "backups"
_NAME: Final = re.compile(r"(store|before|buffer)-(\d{4}-\d{2}-\d{2})\.(?:db|jsonl|md)")
# What a copy needs beside its own bytes, so that the disk is not full afterwards.
_ROOM: Final = 1.2
# Nights whose small copies are kept.
_NIGHTS: Final = 30


class Backups:
    """Copies of one home. Words that are forgotten leave it with all of them."""

    def __init__(self, home: Home) -> None:
        self._store, self._root = home.store, home.root
        self._folder = home.root / _FOLDER

    def last_whole(self) -> str | None:
        """The day of the last whole copy."""
        return max(self._days("store"), default=None)

    def is_due(self, day: str, days: int) -> bool:
        """Whether the last whole copy is too old; also one that bears a day still to come."""
        last = self.last_whole()
        return last is None or not 0 <= (date.fromisoformat(day) - date.fromisoformat(last)).days < days

    def copy_whole(self, day: str, kept: int) -> Path:
        """Copy the store, prove the copy, and let older ones go."""
        size = self._store.size()
        self._make()
        if shutil.disk_usage(self._folder).free < size * _ROOM:
            problem = f"no room for a copy of the store, which takes {size:,} bytes"
            raise StoreFull(problem, hint="free some space; nothing was lost")
        path = self._path("store", day)
        self._store.copy_to(path)
        for old in sorted(self._days("store"))[: -max(kept, 1)]:
            self._path("store", old).unlink(missing_ok=True)
        return path

    def put_before(self, day: str, entries: list[Entry]) -> Path:
        """Keep entries as they are, before a night lays them aside; read again, to be sure."""
        path, epoch = self._path("before", day), self._store.entries.epoch()
        images = {entry.id: image(entry) for entry in entries}
        self._write(path, b"".join(one + b"\n" for one in images.values()))
        if self.before(day) != images:
            raise StoreError(f"what was written to {path} cannot be read again", hint="check the disk it is on")
        if self._store.entries.epoch() != epoch:
            path.unlink(missing_ok=True)
            raise StoreError("something was forgotten meanwhile", hint="run it again")
        return path

    def before(self, day: str) -> dict[str, bytes] | None:
        """Images of entries as they were before a night, by id. None: nobody kept them."""
        try:
            lines = self._path("before", day).read_bytes().splitlines()
            return {msgspec.json.decode(line)["id"]: line for line in lines}
        except (FileNotFoundError, msgspec.MsgspecError, KeyError, TypeError):
            return None

    def put_buffer(self, day: str, text: str) -> None:
        """Keep the working buffer as it was when it was emptied; a second one of a day is added."""
        self._write(self._path("buffer", day), (self.buffer(day) + text).encode())
        for kind in ("before", "buffer"):
            for old in sorted(self._days(kind))[:-_NIGHTS]:
                self._path(kind, old).unlink(missing_ok=True)

    def buffer(self, day: str) -> str:
        """What was in it."""
        try:
            return self._path("buffer", day).read_text("utf-8", errors="replace")
        except FileNotFoundError:
            return ""

    def _days(self, kind: str) -> list[str]:
        if not self._folder.is_dir():
            return []
        found = (_NAME.fullmatch(file.name) for file in self._folder.iterdir())
        return [match[2] for match in found if match and match[1] == kind]

    def _path(self, kind: str, day: str) -> Path:
        ending = {"store": "db", "before": "jsonl", "buffer": "md"}[kind]
        return self._folder / f"{kind}-{day}.{ending}"

    def _make(self) -> None:
        try:
            self._folder.mkdir(mode=0o700, exist_ok=True)
        except OSError as error:
            raise StoreError(f"cannot make {self._folder}: {error.strerror}", hint="check its rights") from error

    def _write(self, path: Path, data: bytes) -> None:
        """Whole or not at all, and on the disk before anybody relies on it."""
        self._make()
        try:
            with write_whole(path, sync=True) as file:
                file.write(data)
        except OSError as error:
            raise StoreFull(
                f"cannot write {path}: {error.strerror}", hint="free some space; nothing was lost"
            ) from error


def image(entry: Entry) -> bytes:
    """A whole entry on one line."""
    return msgspec.json.encode(entry)


def drop_backups(home: Path) -> None:
    """Words were forgotten: no copy may hold them."""
    try:
        shutil.rmtree(home / _FOLDER)
    except FileNotFoundError:
        pass
    except OSError as error:
        problem = f"cannot empty {home / _FOLDER}: {error.strerror}; forgotten words may stand there"
        raise StoreError(problem, hint="delete the folder; it is made anew") from error
