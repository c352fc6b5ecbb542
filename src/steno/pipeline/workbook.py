"""The files of pieces of work, in the notebook: which one is at hand, where each stands, what was decided in it, and a
map of what it is about. Written as the work goes on."""

import json
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any, Final, Literal

import msgspec

from steno.briefing.render import quoted, safe
from steno.clock import as_text
from steno.home import Home
from steno.pipeline.notebook import ACTIVE, Notebook, name_of
from steno.vocabulary import Checkpoint, Entry
from steno.vocabulary.errors import UnknownWork, WrongUse
from steno.vocabulary.works import PieceOfWork

# Old history that is captured needs no files.
_LATELY: Final = timedelta(days=7)
_STANDS: Final = ("steps", "phase", "done", "next", "blockers", "variables")
_LINE, _QUOTE, _FILES = 300, 300, 40


class Workbook:
    """Pieces of work, how people end them, and their files."""

    def __init__(self, home: Home) -> None:
        self._store, self._clock = home.store, home.clock
        self._notebook = Notebook(home.notebook)

    def all(self, *, project: str | None = None) -> list[PieceOfWork]:
        """Pieces of work: those at hand first, then the latest first."""
        return self._store.works.all(project=project)

    def one(self, id_: str) -> PieceOfWork:
        """One, by its id or the beginning of it."""
        return self._store.works.one(id_)

    def at_hand(self, project: str | None) -> PieceOfWork:
        """The one somebody is at in a project, or anywhere if it is the only one."""
        active = [work for work in self.all() if work.status == "active"]
        found = [work for work in active if work.project == project][:1] or active
        if len(found) != 1:
            problem = "no piece of work is at hand here" if found else "no piece of work is at hand"
            raise UnknownWork(problem, hint="`steno sessions work` lists them; give the id of one")
        return found[0]

    def entries(self, work: PieceOfWork) -> list[Entry]:
        """Everything learnt in it, the oldest first."""
        return self._store.works.entries_of_work(work.id)

    def end(self, work: PieceOfWork, status: Literal["finished", "dropped"]) -> PieceOfWork:
        """A person says that it is over; its open tasks end with it."""
        if work.status != "active":
            raise WrongUse(f"this piece of work is {work.status} already", hint="`steno sessions work` lists them")
        self._store.works.end(work.id, status, self._clock())
        self.write([work.id])
        return self.one(work.id)

    def write(self, ids: Iterable[str] | None = None) -> None:
        """Write the files of some pieces of work, or of all that somebody was at lately."""
        since = as_text(datetime.fromisoformat(self._clock()) - _LATELY)
        lately = self._store.works.since(since)
        changed = [work for work in lately if ids is None or work.id in ids]
        for work in changed:
            entries = self._store.works.entries_of_work(work.id)
            self._notebook.put(name_of("task", work.id), _as_json(work))
            self._notebook.put(name_of("decisions", work.id), _decisions(work, entries))
            self._notebook.put(name_of("context-map", work.id), _map(work))
        if changed or ids is None:
            self._notebook.put(ACTIVE, "".join(_active(work) for work in lately if work.status == "active"))

    def tidy(self, since: str) -> None:
        """The files of pieces of work nobody was at since a time go. What they said is in the store."""
        kept = {work.id for work in self._store.works.since(since)}
        for name, id_ in self._notebook.of_works().items():
            if id_ not in kept:
                self._notebook.remove(name)


def stands(work: PieceOfWork) -> dict[str, Any]:
    """A piece of work and where it stands, as programs read it."""
    facts = {name: getattr(work, name) for name in work.__struct_fields__ if name != "checkpoint"}
    return {**facts, **{name: getattr(work.checkpoint, name) for name in _STANDS}}


def _as_json(work: PieceOfWork) -> str:
    # An agent may read it as it is: nothing in it can end a frame or drive a terminal.
    return json.dumps(msgspec.to_builtins(stands(work)), indent=1).replace("<", "\\u003c") + "\n"


def _active(work: PieceOfWork) -> str:
    return f"{work.id} {safe(work.goal.splitlines()[0], _LINE)}\n"


def _decisions(work: PieceOfWork, entries: list[Entry]) -> str:
    told = [entry for entry in entries if entry.category in ("decision", "rejected")]
    lines = [f"# Decided and rejected: {safe(work.goal.splitlines()[0], _LINE)}", ""]
    for entry in told:
        over = "" if entry.status == "active" else f" ({entry.status})"
        lines.append(f"- {(entry.created_at or '')[:10]} {entry.category}{over}: {safe(entry.summary, _LINE)}")
        lines += [f"  {entry.origin}: {quoted(said.quote, _QUOTE)}" for said in entry.evidence[:1]]
    return "\n".join(lines) + "\n"


def _map(work: PieceOfWork) -> str:
    point: Checkpoint = work.checkpoint
    lines = [f"# What it is about: {safe(work.goal.splitlines()[0], _LINE)}", "", "## Values"]
    lines += [f"- {kind}: {safe(', '.join(values), _LINE)}" for kind, values in point.variables.items()]
    lines += ["", "## Files"]
    lines += [f"- {', '.join(file.acts)}: {safe(file.path, _LINE)}" for file in point.trail.files[-_FILES:]]
    if test := point.trail.last_test:
        outcome = {True: "passed", False: "failed", None: "unknown"}[test.passed]
        lines += ["", f"## Last {test.kind}", f"- {outcome}: {safe(test.command, _LINE)}"]
    return "\n".join(lines) + "\n"
