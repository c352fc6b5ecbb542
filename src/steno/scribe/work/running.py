"""What was started in the background, and how it ended: shells, subagents, monitors, scheduled jobs."""

import re
from typing import Final

from msgspec import structs

from steno.scribe.work.message import short
from steno.scribe.work.shell import Went, ended
from steno.vocabulary import Run

_RUNS: Final = 60
_WHAT: Final = 300
_READ: Final = 20_000
_STARTED: Final = re.compile(
    r"^agentId: ([\w-]{1,64})|^Monitor started \(task ([\w-]{1,64})|\"agent_id\":\s?\"([\w-]{1,64})\""
    r"|\"(?:runId|task_id)\":\s?\"([\w-]{1,64})\"|^Scheduled [^\n]{0,60}?job ([\w-]{1,64})", re.M
)  # fmt: skip
_BEHIND: Final = re.compile(r"in the background|launched|Monitor started|accepted|agent_id|^Scheduled", re.MULTILINE)
_TOOLS: Final = frozenset("agent task spawnagent monitor sessionsspawn croncreate schedulewakeup workflow".split())
_TASK: Final = re.compile(r"<task-id>([\w-]{1,64})</task-id>|\"agent_id\":\s?\"([\w-]{1,64})\"")
_WAITED: Final = re.compile(r"Script completed\nWall time (\d{1,6}\.\d) seconds\n")
_GAVE_UP: Final = re.compile(
    r"\bERROR task failed|^error: (?:Recipe|could not|test failed)|^make: \*\*\*|ELIFECYCLE", re.MULTILINE
)
_OUTPUT: Final = re.compile(r"(?:written to:?|output[_-]file>|output_file: ?)\s?([^\s<>\"]{1,400}\.output)")


class Runs:
    """What goes on, and the last of what has ended."""

    def __init__(self, known: list[Run], outputs: dict[str, str]) -> None:
        self._known = {run.id: run for run in known}
        # Where its output is written to.
        self.outputs = outputs

    def listed(self) -> list[Run]:
        return list(self._known.values())

    def going(self) -> "Runs":
        """Those that have not ended."""
        left = [run for run in self._known.values() if run.ended is None]
        kept = {run.id for run in left}
        return Runs(left, {path: id_ for path, id_ in self.outputs.items() if id_ in kept})

    def of(self, id_: str) -> Run | None:
        return self._known.get(id_)

    def starts(self, id_: str, what: str, turn: int, text: str = "") -> None:
        """A host says that something goes on."""
        self._known.pop(id_, None)
        self._known[id_] = Run(id=id_, what=short(what, _WHAT), turn=turn)
        if found := _OUTPUT.search(text[:2000]):
            self.outputs = dict([*self.outputs.items(), (found[1], id_)][-_RUNS:])
        if len(self._known) > _RUNS:
            over = (id_ for id_, run in self._known.items() if run.ended is not None)
            del self._known[next(over, next(iter(self._known)))]

    def called(self, tool: str, what: str, turn: int, text: str) -> None:
        """A tool that may leave something running gave an answer."""
        if tool in _TOOLS and _BEHIND.search(text[:1000]) and (found := _STARTED.search(text[:2000])):
            self.starts(next(name for name in found.groups() if name), what, turn, text)

    def noticed(self, text: str, turn: int) -> tuple[str, Went | None]:
        """The host says how something goes or ended: its name, and how."""
        found, outcome = _TASK.search(text[:1000]), ended(text)
        id_ = found[1] or found[2] if found else ""
        if outcome:
            self.ends(id_, outcome, turn)
        return id_, outcome

    def looked(self, id_: str, outcome: Went, text: str, turn: int, longest: str) -> Went | None:
        """Somebody asked how it goes, or stopped it. `longest`: so many seconds a script waits while it runs, or that
        it stops it."""
        for run in list(self._known.values()):
            # Of several that were waited for, each with how it ended.
            at = text.find(f'"{run.id}":', 0, _READ)
            if at >= 0 and (one := ended(text[at + len(run.id) + 3 : at + len(run.id) + 40])):
                self.ends(run.id, one, turn)
        waited = _WAITED.match(text) if longest else None
        if outcome.exit_status is not None:
            went: Went | None = outcome._replace(stopped=longest == "stops")
        elif waited and longest == "stops":
            went = Went(failed=True, stopped=True)
        elif waited and float(waited[1]) < float(longest):
            went = Went(failed=_GAVE_UP.search(text[-_READ:]) is not None)
        else:
            went = None if outcome.running else ended(text)
        if went:
            self.ends(id_, went, turn)
        return went

    def ends(self, id_: str, outcome: Went, turn: int) -> None:
        run = self._known.get(id_)
        if run is not None and run.ended is None:
            how = "stopped" if outcome.stopped else "failed" if outcome.failed else "completed"
            self._known[id_] = structs.replace(run, ended=turn, how=how)

    def read(self, text: str) -> Run | None:
        """The run whose output somebody looks at in a file."""
        return next((self.of(id_) for path, id_ in reversed(self.outputs.items()) if path in text), None)
