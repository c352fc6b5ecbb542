"""Who changed a file: the agent whose call could have written it then, or else a person.

The journal knows what agents were at. A call could have written a file if it was going on, or ended a moment before the
file changed, and names it: a file tool the file or a folder above it, a shell command the file or the place it lies in.
Whoever writes through a script that names nothing is not seen here.
"""

import os
import re
from collections.abc import Iterable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Final

from steno.clock import before
from steno.home import Home
from steno.language.shell import Part, parts
from steno.language.tool_call import ToolCall, patched, read, texts
from steno.scribe.work.shell import ended, running
from steno.store.journal import CallRow
from steno.vocabulary.acts import EDIT
from steno.vocabulary.reviews import Writer

# What a call wrote may be seen to change so long after it ended: hosts write down when it was, disks when that was.
_AFTER: Final = timedelta(seconds=5)
# A host may write down a call a moment after it ran it.
_BEFORE: Final = timedelta(seconds=1)
# No call is taken to go on for longer: one whose end was never written down, or a program left in the background.
_LONGEST: Final = timedelta(hours=24)
_LONGEST_PATH: Final = 1_000
_LONGEST_CALL: Final = 300
_MOST_WORDS: Final = 4_000

_LOOKS: Final = frozenset(
    "askuserquestion cat codesearch directorytree fileglobsearch find findfiles getfileinfo glob grep grepsearch "
    "list listdir listdirectory listfiles ls notebookread read readfile readfiles readmanyfiles readmultiplefiles "
    "readtextfile search searchfiles skill todowrite toolsearch updateplan view viewimage webfetch websearch".split()
)
# Programs that change no file, whatever they are given but for where their output goes.
_READS: Final = frozenset(
    "[ ag basename bat cat cd cmp column cut date diff dirname du echo egrep false fgrep file grep head jq ls md5sum "
    "nl printf pwd readlink realpath rg sha256sum sleep stat steno tac tail test tr true type wc which".split()
)
_ONLY_PRINTS: Final = re.compile(r"sed -n [\d,$]+p( [^-]\S*)*|find(?!.* -(?:delete|exec|ok|fprint|fls))( .*)?")
# What leaves a program running behind a call that ended.
_STAYS: Final = re.compile(r"(?<![&>])&(?![&>\d])|\b(?:nohup|setsid|disown|crontab)\b|run_in_background\W+true")


class Writers:
    """Knows who could have written a file of the home."""

    def __init__(self, home: Home) -> None:
        self._journal, self._acts, self._root = home.store.journal, home.store.acts, home.root
        self._user = home.environment.get("HOME", "")

    def of(self, path: Path, changed: str) -> Writer | None:
        """The agent whose call could have written a file when it changed; None: a person, as far as we know."""
        moment = before(changed, _AFTER)
        calls = self._journal.calls(before(changed, _LONGEST), before(changed, -_BEFORE))
        for call in reversed(calls):
            if self._went_on(call, moment) and (
                could_write(call, path, self._root, self._user)
                or _runs_what_names_it(call, calls, _Place(path, self._root, self._user, "/"))
            ):
                given = read(call.tool, call.text)
                if not self._is_allowed(call):
                    line = " ".join(given.line.split())[:_LONGEST_CALL]
                    return Writer(
                        source=call.source, session=call.session, agent=call.agent, tool=call.tool or "", call=line,
                        began=call.began,
                    )  # fmt: skip
        return None

    def _is_allowed(self, call: CallRow) -> bool:
        """Whether a person let it change our files: what it wrote is theirs."""
        acts = self._acts.of_call(call.call) if call.call else []
        return any(act.verb == EDIT and act.state != "waiting" for act in acts)

    def _went_on(self, call: CallRow, moment: str) -> bool:
        """Whether a call had not ended by then; what it left in the background is a part of it."""
        process, stays = running(call.result), _STAYS.search(call.text)
        if call.ended is not None and call.ended >= moment:
            return True
        if call.ended is None and not stays:
            # A person goes on in a session when its calls are over, however they ended.
            return (self._journal.next_word(call.session_id, call.turn) or moment) >= moment
        if call.is_denied or not (process or stays):
            return False
        told = self._journal.ends(call.session_id, call.turn) if process else []
        over = (
            at
            for at, status, text, asked in told
            if f"{process}" in text + asked and (status is not None or ended(text))
        )
        return next(over, moment) >= moment


def _runs_what_names_it(call: CallRow, calls: Iterable[CallRow], place: "_Place") -> bool:
    """Whether a shell runs a script into which an earlier call of its session wrote our file's name, or our home's."""
    given = read(call.tool, call.text)
    if not given.is_shell:
        return False
    words = (word for part in parts(given.command or call.text) for word in part.words)
    names = {name for word in words if "." in (name := os.path.basename(word))}
    made = (one for one in calls if one.session_id == call.session_id and one.turn < call.turn)
    return any(place.is_said_in(one.text) and any(name in one.text for name in names) for one in made)


def could_write(call: CallRow, path: Path, home: Path, user: str) -> bool:
    """Whether a call names a file below our home, or where it lies, and may have written it. `user`: a person's own
    folder."""
    given = read(call.tool, call.text)
    directory = given.text("workdir") or given.text("cwd") or call.directory or "/"
    place = _Place(path, home, user, directory)
    if given.is_shell:
        return _command_writes(given.command or call.text, place)
    return given.name not in _LOOKS and any(place.is_above(word) for word in _paths(given))


class _Place:
    """A file below our home, as somebody who stands in a folder may call it."""

    def __init__(self, path: Path, home: Path, user: str, directory: str) -> None:
        self._path, self._home, self._user = os.path.realpath(path), os.path.realpath(home), user
        self.directory = self.resolved(directory, "/")
        short = [home.name] if home.name.startswith(".") else []
        self._said = {str(home), self._home, str(path), "STENO_HOME", f"{home.name}/notebook", *short}

    def resolved(self, word: str, directory: str) -> str:
        for begins in ("~", "$HOME", "${HOME}"):
            if self._user and (word == begins or word.startswith(f"{begins}/")):
                word = self._user + word.removeprefix(begins)
        return os.path.realpath(os.path.join(directory, word))

    def is_above(self, word: str) -> bool:
        """Whether a word is the file's path, or that of a folder above it."""
        found = self.resolved(word, self.directory)
        return found == self._path or self._path.startswith(found.rstrip("/") + "/")

    def is_said_in(self, text: str) -> bool:
        return any(name in text for name in self._said)

    def is_named(self, word: str, directory: str) -> bool:
        """Whether a word is a path in our home."""
        found = self.resolved(word, directory)
        return found == self._home or found.startswith(f"{self._home}/")


def _command_writes(command: str, place: _Place) -> bool:
    """Whether a command names the place, unless all it runs only reads it."""
    run = list(parts(command))
    if any(place.is_above(file) for _, file in patched(command)):
        return True
    if not (place.is_said_in(command) or any(_named(run, place))):
        return False
    return not run or not all(_only_reads(part, place) for part in run)


def _named(run: list[Part], place: _Place) -> Iterator[bool]:
    """For each program that is run and each of its words, whether it is in our home: it may stand there itself."""
    directory = place.directory
    yield place.is_named(".", directory)
    for part in run:
        words = [piece for word in part.whole.split()[:_MOST_WORDS] for piece in word.split("=")]
        if words[:1] == ["cd"] and len(words) > 1:
            directory = place.resolved(words[1], directory)
        for word in (*words[1:], *part.files):
            yield len(word) < _LONGEST_PATH and place.is_named(word, directory)


def _only_reads(part: Part, place: _Place) -> bool:
    name = part.text.split(" ", 1)[0]
    if name not in _READS and not _ONLY_PRINTS.fullmatch(part.text):
        return False
    # Where its output goes.
    return not any(
        "$" in file or place.is_said_in(file) or place.is_named(file, place.directory) for file in part.files
    )


def _paths(given: ToolCall) -> Iterator[str]:
    """Whatever may be a path in what a tool is given: a word, or what a patch names."""
    for text in texts(dict(given.given)):
        if text and len(text) < _LONGEST_PATH and "\n" not in text:
            yield text
        yield from (path for _, path in patched(text)) if "*** " in text else ()
