"""Files for people and agents to read, in one folder of the home: written whole or not at all, and only there."""

import os
import re
import stat
from contextlib import ExitStack, contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from steno.files import write_whole
from steno.notebook.text import mark
from steno.vocabulary.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

HANDOFF: Final = "handoff.md"
CAPSULE: Final = "capsule.md"
BUFFER: Final = "working-buffer.md"
STATE: Final = "session-state.md"
WAKE: Final = "wake-state.md"
INTEGRATIONS: Final = "integrations.md"
DRIFT: Final = "drift.md"
MORNING: Final = "morning.md"
# The buffer keeps its end: what is older was saved otherwise long ago.
_LONGEST_BUFFER: Final = 64_000
# The pieces of work at hand, the latest first; and the files of each, by what they hold.
ACTIVE: Final = ".active-task"
_OF_WORK: Final = {"task": ".task-{}.json", "decisions": ".decisions-{}.md", "context-map": ".context-map-{}.md"}
DAYS: Final = "days"
# Every name we write, and what is left of it when a write was cut short.
_OURS: Final = re.compile(
    r"(?:(?:handoff|capsule|working-buffer|session-state|wake-state|integrations|drift|morning|\d{4}-\d{2}-\d{2})\.md|\.active-task|\.task-[0-9a-f]{12}\.json|"
    r"\.(?:decisions|context-map)-[0-9a-f]{12}\.md)(?:\.[0-9a-f]{16})?"
)
_WORKS: Final = re.compile(r"\.(?:task|decisions|context-map)-([0-9a-f]{12})\.\w+")
_KEPT: Final = re.compile(r".+\.md\.[0-9a-f]{12}")
_DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}")
# Folders below a notebook that hold pages; a star stands for every one of them, each what may stand below it.
_PLACES: Final[dict[str, Any]] = {"flows": {}, "topics": {"*": {}}}
# What is longer is no page: it is left as it is.
LONGEST_PAGE: Final = 1_000_000
_MOST_PAGES: Final = 2_000
_LONGEST: Final = 200
# Files that are written anew, whole, by us.
MACHINE: Final = frozenset({HANDOFF, CAPSULE, BUFFER, STATE, WAKE, INTEGRATIONS, DRIFT, MORNING})
_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW


def name_of(what: str, work: str) -> str:
    """The file that holds something of a piece of work."""
    return _OF_WORK[what].format(work)


class Seen(NamedTuple):
    """A file as it was found; where it cannot be read as a page, why."""

    text: str
    hash: bytes
    problem: str = ""
    # Whether its owner took their own right to write it away.
    read_only: bool = False
    # When the file became what it is, or came to stand here, as the disk says: a program may set any other time.
    changed_ns: int = 0


class Notebook:
    """A folder that holds files with known names: the notebook of a home, or a folder in it.

    It is no link, and no link in it is followed: each is replaced or refused. Only what stands above the notebook may
    be one: people keep their home on another disk.
    """

    def __init__(self, root: Path, below: str = "") -> None:
        self._root, self._below = root, below
        self._folder = root / below

    def put(self, name: str, text: str) -> Path:
        """Write a file, in place of what was there."""
        with self._opened() as folder, _deep(folder, name) as (inner, last):
            _write(inner, last, text)
        return self._folder / name

    def pages(self) -> dict[str, Seen]:
        """Every page a person may edit, by name: those in the folder, in its flows, and in each of its topics."""
        return self._all(lambda name: name.endswith(".md"))

    def _all(self, is_meant: "Callable[[str], bool]") -> dict[str, Seen]:
        with suppress(OSError), folder_of(self._root, self._below) as folder:
            return dict(_pages(folder, "", _PLACES, is_meant))
        return {}

    def look(self, name: str) -> Seen | None:
        """One page, if it is there."""
        with suppress(StoreError), self._opened() as folder, _deep(folder, name) as (inner, last):
            return _seen(inner, last)
        return None

    def keep(self, name: str, text: str) -> str:
        """Lay a text beside the page it stood on, under a name that is no page's; that name."""
        beside = f"{name}.{mark(text)}"
        self.put(beside, text)
        return beside

    def kept(self) -> dict[str, Seen]:
        """What lies beside pages so."""
        return self._all(_is_kept)

    def remove(self, name: str) -> None:
        """A page of ours goes."""
        with self._opened() as folder, _deep(folder, name) as (inner, last), suppress(FileNotFoundError):
            os.unlink(last, dir_fd=inner)

    def of_works(self) -> dict[str, str]:
        """The files of pieces of work: each with the work's id."""
        with suppress(OSError), folder_of(self._root, self._below) as folder:
            return {name: found[1] for name in os.listdir(folder) if (found := _WORKS.fullmatch(name))}
        return {}

    def text(self, name: str) -> str:
        """What stands in a file of ours; nothing where there is none, or a link."""
        if self._folder.is_dir():
            with suppress(StoreError), self._opened() as folder:
                return _read(folder, name)
        return ""

    def append(self, name: str, text: str) -> Path:
        """Add to a file; of what it held its end stays."""
        with self._opened() as folder:
            before = _read(folder, name)[-_LONGEST_BUFFER:]
            _write(folder, name, f"{before}\n{text}" if before else text)
        return self._folder / name

    def put_day(self, day: str, text: str) -> Path:
        """Write the file of a day (YYYY-MM-DD)."""
        if not _DAY.fullmatch(day):
            raise StoreError(f"{day!r} is no day", hint="a day is written 2026-03-31")
        with self._opened() as folder, _below(folder, DAYS) as days:
            _write(days, f"{day}.md", text)
        return self._folder / DAYS / f"{day}.md"

    def look_at_day(self, day: str) -> str:
        """What stands in the file of a day; nothing where there is none, or a link."""
        with suppress(StoreError), self._opened() as folder, _below(folder, DAYS) as days:
            return _read(days, f"{day}.md")
        return ""

    def days(self) -> list[str]:
        """The days that have a file."""
        with suppress(OSError, StoreError), folder_of(self._root, f"{self._below}/{DAYS}") as folder:
            return sorted(
                name[:-3] for name in os.listdir(folder) if _DAY.fullmatch(name[:-3]) and name.endswith(".md")
            )
        return []

    @contextmanager
    def _opened(self) -> "Iterator[int]":
        try:
            for above in reversed([above for above in self._root.parents if not above.exists()]):
                above.mkdir(mode=0o700, exist_ok=True)
            with folder_of(self._root, self._below, make=True) as folder:
                yield folder
        except OSError as error:
            raise StoreError(
                f"cannot write into {self._folder}: {error.strerror}", hint="look at the folder's rights and room"
            ) from error


@contextmanager
def opened(path: Path | str, how: int, inside: int | None = None) -> "Iterator[int]":
    """A file or a folder as the system knows it, in a folder that is open."""
    file = os.open(path, how, dir_fd=inside)
    try:
        yield file
    finally:
        os.close(file)


@contextmanager
def folder_of(root: Path, below: str = "", *, make: bool = False) -> "Iterator[int]":
    """The notebook, or a folder in it, opened part by part: none of them may be a link, or become one meanwhile."""
    path, inside, parts = root, None, ["", *filter(None, below.split("/"))]
    with ExitStack() as way:
        for part in parts:
            path /= part
            name = part or root
            if make:
                with suppress(FileExistsError):
                    os.mkdir(name, 0o700, dir_fd=inside)
            try:
                inside = way.enter_context(opened(name, _FOLDER, inside))
            except OSError as error:
                if not path.is_symlink():
                    raise
                hint = "nothing is read or written there; put the folder itself in its place"
                raise StoreError(f"{path} is a link, and a notebook is none", hint=hint) from error
        yield cast(int, inside)


def drop_files(root: Path) -> int:
    """Remove every file of ours from a notebook: words that were forgotten may stand in them. How many went."""
    went = 0
    try:
        for below in ("", DAYS):
            # Days that are a link hold nothing of ours.
            left = (FileNotFoundError, NotADirectoryError, *([StoreError] if below else []))
            with suppress(*left), folder_of(root, below) as folder:
                for name in filter(_OURS.fullmatch, os.listdir(folder)):
                    os.unlink(name, dir_fd=folder)
                    went += 1
    except OSError as error:
        problem = f"cannot empty {root}: {error.strerror}; forgotten words may stand there"
        raise StoreError(problem, hint="delete the folder; it is written anew") from error
    return went


@contextmanager
def _below(folder: int, name: str) -> "Iterator[int]":
    """A folder in the folder; a link in its place is refused by the system."""
    with suppress(FileExistsError):
        os.mkdir(name, 0o700, dir_fd=folder)
    with opened(name, _FOLDER, folder) as inner:
        yield inner


@contextmanager
def _deep(folder: int, name: str) -> "Iterator[tuple[int, str]]":
    """The folder a file stands in, however deep, and its own name there."""
    *above, last = name.split("/")
    with ExitStack() as way:
        for part in above:
            folder = way.enter_context(_below(folder, part))
        yield folder, last


def _pages(
    folder: int, path: str, below: "dict[str, Any]", is_meant: "Callable[[str], bool]"
) -> "Iterator[tuple[str, Seen]]":
    names = sorted(entry.name for entry in os.scandir(folder))
    for name in names[:_MOST_PAGES]:
        if is_meant(name) and _is_name(name) and not (path == "" and name in MACHINE):
            with suppress(OSError):
                yield f"{path}{name}", _seen(folder, name)
        elif (deeper := below.get(name, below.get("*"))) is not None and _is_name(name):
            with suppress(OSError), opened(name, _FOLDER, folder) as inner:
                yield from _pages(inner, f"{path}{name}/", deeper, is_meant)


def _is_kept(name: str) -> bool:
    return _KEPT.fullmatch(name) is not None


def _is_name(name: str) -> bool:
    return not name.startswith(".") and name.isprintable() and "\ufffd" not in name and len(name.encode()) <= _LONGEST


def _seen(folder: int, name: str) -> Seen:
    """A file as it is; links and what is no file are refused by the system or by us."""
    file = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
    with os.fdopen(file, "rb") as reading:
        facts = os.fstat(file)
        if not stat.S_ISREG(facts.st_mode):
            return Seen("", b"", "is no file")
        if facts.st_size > LONGEST_PAGE:
            return Seen("", b"", f"is longer than {LONGEST_PAGE:,} bytes")
        raw = reading.read(LONGEST_PAGE + 1)
    digest, read_only = blake2b(raw, digest_size=16).digest(), not facts.st_mode & stat.S_IWUSR
    changed = facts.st_ctime_ns
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        return Seen("", digest, "is not UTF-8", read_only, changed)
    return Seen(text, digest, "holds bytes that are no text" if "\0" in text else "", read_only, changed)


def hash_of(text: str) -> bytes:
    """What tells a text from any other."""
    return blake2b(text.encode("utf-8", "replace"), digest_size=16).digest()


def _read(folder: int, name: str) -> str:
    try:
        file = os.open(name, os.O_RDONLY | os.O_NOFOLLOW, dir_fd=folder)
    except FileNotFoundError:
        return ""
    with os.fdopen(file, encoding="utf-8", errors="replace") as reading:
        return reading.read()


def _write(folder: int, name: str, text: str) -> None:
    with write_whole(name, inside=folder) as file:
        file.write(text.encode("utf-8", "replace"))
