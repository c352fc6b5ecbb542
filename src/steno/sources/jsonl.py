"""The generic transcript: one object per line with `session`, `role`, `text`; documented in docs/sources.md."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, cast

from msgspec import Struct

from steno.sources.base import BadLine, FileSource
from steno.sources.common import project_of, text_or_none, time_of
from steno.sources.jsonlines import read_lines
from steno.sources.wrappers import own_words
from steno.vocabulary import ROLES, Batch, Kind, Read, Role, Session, Transcript, Turn, Watermark

_MARKS: Final = tuple(re.compile(rb'"%s"\s*:' % name) for name in (b"session", b"role", b"text"))
# Sessions of one file whose projects are kept from one reading to the next.
_MOST_PROJECTS: Final = 1000


class Jsonl(FileSource):
    """The source `jsonl`."""

    name = "jsonl"

    def places(self, environment: Mapping[str, str]) -> list[Path]:
        return []

    def recognises(self, path: str, head: bytes) -> bool:
        return all(mark.search(head) for mark in _MARKS)

    def read(self, transcript: Transcript, watermark: Watermark) -> Iterator[Batch]:
        return read_lines(transcript.path, watermark, JsonlLines)


class Line(Struct):
    """One line of the format."""

    session: Any = None
    role: Any = None
    text: Any = None
    id: Any = None
    at: Any = None
    agent: Any = None
    project: Any = None
    tool: Any = None


class JsonlLines:
    """Makes a turn of each line."""

    shape = Line
    bookkeeping = frozenset[str]()
    gaps = 0

    def __init__(self, state: dict[str, Any]) -> None:
        self._sessions: dict[str, Session] = {}
        # Projects of the sessions met last: not every line names its own.
        self._projects: dict[str, str] = state.get("projects", {})

    @property
    def sessions(self) -> list[Session]:
        return list(self._sessions.values())

    @property
    def state(self) -> dict[str, Any]:
        return {"projects": self._projects} if self._projects else {}

    def turns(self, line: Line, number: int) -> list[Read] | None:
        session, text = text_or_none(line.session), line.text
        if session is None or line.role not in ROLES or not isinstance(text, str):
            raise BadLine("needs `session`, `role` (user, assistant, tool or system) and `text`")
        role = cast(Role, line.role)
        project = self._project(session, line)
        directory = project if project and project.startswith("/") else None
        if session not in self._sessions:
            self._sessions[session] = _session(session, line, project, directory)
        if role == "user":
            # Whoever wrote the transcript may have kept what the host put around a person's words.
            role, text = ("user", words) if (words := own_words(text)).strip() else ("system", text)
        kind: Kind = "result" if role == "tool" else "notice" if role == "system" else "said"
        number_id = isinstance(line.id, int) and not isinstance(line.id, bool)
        id_ = str(line.id) if number_id else text_or_none(line.id)
        turn = Turn(
            role=role,
            kind=kind,
            text=text,
            at=time_of(line.at),
            line=number,
            native_id=id_,
            tool=text_or_none(line.tool),
        )
        unique = f"{session}\0{id_}" if id_ is not None else None
        return [Read(session, turn, unique, directory=directory)]

    def _project(self, session: str, line: Line) -> str | None:
        """The project a line names, else the last one its session named."""
        if project := text_or_none(line.project):
            self._projects.pop(session, None)
            self._projects[session] = project
            if len(self._projects) > _MOST_PROJECTS:
                del self._projects[next(iter(self._projects))]
        return self._projects.get(session)


def _session(session: str, line: Line, project: str | None, directory: str | None) -> Session:
    """A project given as an absolute path is a directory, and its git root counts; else it is a name."""
    return Session(
        source=Jsonl.name,
        session=session,
        agent=text_or_none(line.agent),
        directory=directory,
        project=project_of(directory) if directory else project,
    )
