"""Reading the notebook by name: only what is there, no link is followed, and nothing beside it is opened."""

import os
import re
import stat
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from difflib import get_close_matches
from pathlib import Path
from typing import Final, NamedTuple

from steno.home import Home
from steno.language.words import stems
from steno.pipeline.notebook import Notebook, folder_of, opened
from steno.recall.question import ask
from steno.vocabulary.errors import StenoError, StoreError, UnknownPage
from steno.vocabulary.pages import Page, PageText

# What is longer is no page; more than so many nobody looks for by name; deeper than a topic nothing is written.
LONGEST: Final = 1_000_000
_MOST: Final = 2_000
_DEEPEST: Final = 4
_LONGEST_NAME: Final = 200
_MOST_DAYS: Final = 7
_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC | os.O_NOFOLLOW
_FILE: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_PART: Final = re.compile(r"[\W_]+")


class Place(NamedTuple):
    """A folder of pages: what its pages are called by, in which notebook it lies, and of which project and agent it is
    (empty: of none, of all)."""

    name: str
    root: Path
    project: str
    agent: str

    def is_seen(self, project: str | None, agent: str | None) -> bool:
        """Whether whoever works in a project as an agent may read it; None and None: a person, who reads everything.

        Pages of no project and no agent name every project: they are a person's.
        """
        if project is None and agent is None:
            return True
        if project is None or not (self.project or self.agent):
            return bool(self.agent) and self.agent == agent
        return self.agent in ("", agent) if self.project == project else not self.project and self.agent == agent


class Pages:
    """The pages of one home."""

    def __init__(self, home: Home) -> None:
        self._store, self._root = home.store, home.notebook
        self._clock, self._clean = home.clock, home.clean

    def all(self, project: str | None = None, agent: str | None = None) -> list[Page]:
        """What may be read, by name; in a project and by an agent, their own."""
        return [page for page, _ in sorted(self._found(project, agent), key=lambda one: one[0].name)]

    def read(self, name: str, project: str | None = None, agent: str | None = None) -> PageText:
        """A page by its name, by the end or the beginning of it, or by what it is about."""
        there = {page.name: place for page, place in self._found(project, agent)}
        meant = _meant(name, sorted(there))
        if len(meant) != 1:
            raise _unknown(name, meant, sorted(there))
        text = _text(there[meant[0]], meant[0])
        # What an agent wrote there is told nobody as what is known.
        waiting = (one for one in self._store.pages.held() if one.asked.page == meant[0] and one.theirs is not None)
        return PageText(name=meant[0], text=self._clean(next((one.ours or "" for one in waiting), text)))

    def days_of(self, question: str) -> list[str]:
        """Pages of the days a question asks about, if it asks what there was then and for nothing else. Days tell of
        every project: they are a person's to read."""
        if (when := ask(question, self._clock()).of_time) is None:
            return []
        days = {f"days/{day}.md": (f"{day}T00:00", f"{day}T24:00") for day in Notebook(self._root).days()}
        return [name for name, (begins, ends) in days.items() if begins < when.until and ends > when.since][:_MOST_DAYS]

    def _found(self, project: str | None, agent: str | None) -> Iterator[tuple[Page, Place]]:
        places = self._places()
        for place in places:
            if place.is_seen(project, agent):
                # A folder inside another one is read as its own: it may be another project's, or an agent's.
                inner = {other.name for other in places if other is not place}
                yield from ((page, place) for page in _walk(place, inner))

    def _places(self) -> list[Place]:
        """The notebook of the home, and the folder of each project in it."""
        folders = [
            Place(one.folder, self._root, one.project, one.agent) for one in self._store.pages.folders() if one.folder
        ]
        return [Place("", self._root, "", ""), *folders]


def _walk(place: Place, inner: set[str]) -> Iterator[Page]:
    """Every page below a folder that is no link."""
    with suppress(OSError, StoreError), folder_of(place.root, place.name) as top:
        for name, facts in _below(top, f"{place.name}/" if place.name else "", inner, [_MOST], _DEEPEST):
            at = datetime.fromtimestamp(facts.st_mtime, UTC).isoformat(timespec="milliseconds")
            yield Page(name=name, bytes=facts.st_size, changed_at=at.replace("+00:00", "Z"))


def _below(folder: int, path: str, inner: set[str], left: list[int], deep: int) -> Iterator[tuple[str, os.stat_result]]:
    for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
        if left[0] <= 0 or entry.name[:1] == "." or not entry.name.isprintable() or entry.is_symlink():
            continue
        if entry.is_dir(follow_symlinks=False):
            if deep and f"{path}{entry.name}" not in inner:
                with suppress(OSError), opened(entry.name, _FOLDER, folder) as deeper:
                    yield from _below(deeper, f"{path}{entry.name}/", inner, left, deep - 1)
        elif entry.is_file(follow_symlinks=False) and entry.name.endswith(".md"):
            left[0] -= 1
            yield f"{path}{entry.name}", os.stat(entry.name, dir_fd=folder, follow_symlinks=False)


def _text(place: Place, name: str) -> str:
    """What stands in a page. Each folder on the way is opened as no link: it may have become one since."""
    above, _, last = name.rpartition("/")
    try:
        with folder_of(place.root, above) as folder, opened(last, _FILE, folder) as file:
            return _content(file, name)
    except OSError as error:
        raise UnknownPage(f"cannot read {name}: {error.strerror}", hint="look at the file's rights") from error


def _content(file: int, name: str) -> str:
    facts = os.fstat(file)
    if not stat.S_ISREG(facts.st_mode) or facts.st_size > LONGEST:
        raise UnknownPage(f"{name} is longer than {LONGEST:,} bytes, or no file", hint="open it in an editor")
    with os.fdopen(os.dup(file), "rb") as reading:
        return reading.read(LONGEST).decode("utf-8", "replace").replace("\r\n", "\n").removeprefix("\ufeff")


def _meant(name: str, there: list[str]) -> list[str]:
    """The pages a name may mean: itself, the end of one, its own last part, then those about all of its words."""
    asked = name[:_LONGEST_NAME].strip().casefold().removesuffix(".md").strip("/")
    plain = {page: page.casefold().removesuffix(".md") for page in there}
    words = stems(" ".join(_parts(asked)))
    if not asked:
        return []
    ways: tuple[Callable[[str], bool], ...] = (
        lambda page: page == asked,
        lambda page: page.endswith(f"/{asked}"),
        lambda page: page.rpartition("/")[2].startswith(asked),
        lambda page: bool(words) and words <= stems(" ".join(_parts(page))),
    )
    for fits in ways:
        if found := [page for page in there if fits(plain[page])]:
            return found
    near = get_close_matches(asked, {page.rpartition("/")[2] for page in plain.values()}, n=1, cutoff=0.8)
    return [page for page in there if near and plain[page].rpartition("/")[2] == near[0]]


def _parts(name: str) -> list[str]:
    return [part for part in _PART.split(name) if part]


def _unknown(name: str, meant: list[str], there: list[str]) -> StenoError:
    if meant:
        some = ", ".join(meant[:8]) + (", …" if len(meant) > 8 else "")
        return UnknownPage(f"{name!r} may be any of {len(meant)} pages", hint=f"say which: {some}")
    if not there:
        return UnknownPage("there are no pages yet", hint="they are written while sessions go on")
    return UnknownPage(
        f"no page is called {name!r}", hint="`steno read` lists them; `steno recall` searches all that was said"
    )
