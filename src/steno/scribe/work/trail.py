"""The trail: files, commands, tests, to-dos, plans and questions, from tool calls alone. Bookkeeping, no guessing.

An act counts when its result has come and neither failed nor was refused. A call whose result has not come (yet) counts
too, for it may have been carried out: losing a changed file is worse than naming one too many. It is taken back when
the result says otherwise. A call in a message the human cut off never ran and does not count.
"""

import re
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct

from steno.language.words import is_held, without_own_words
from steno.scribe.work.calls import OpenCall, patch_failed, read_call
from steno.scribe.work.items import Items
from steno.scribe.work.results import by_tool, with_results
from steno.scribe.work.shell import Kind, Went, ended, kind_of, verdict, went
from steno.vocabulary import JournalTurn, Trail, TrailCommand, TrailFile, TrailResult, TrailTest, Turn

# Calls without a result that are remembered. Hosts run a few at once; more open ones were forgotten by their host.
OPEN_CALLS: Final = 50
# The last commands are kept, and of those before them the last that failed.
LAST_COMMANDS: Final = 200
_LAST_RESULTS: Final = 40
_RESULT: Final = 8000
_TAIL: Final = 1200
# A line by which a command itself says that it gave up.
_RED: Final = re.compile(r"^(?:ERROR|FATAL|fatal): \S", re.MULTILINE)
_TASK: Final = re.compile(r"<task-id>([\w-]{1,64})</task-id>")


# Changing these breaks nothing that could be run.
PROSE: Final = (".md", ".txt", ".rst")


class Act(Struct, frozen=True):
    """Something a tool did, as the checkpoint wants to know it."""

    kind: Literal["read", "edited", "created", "deleted", "command", "todo"]
    # Path, command or to-do.
    name: str
    turn: int
    failed: bool | None = None
    # What a command gave back: its beginning and its end.
    text: str = ""
    purpose: Kind = "other"
    exit_status: int | None = None


class TrailKeeper:
    """Keeps a trail turn by turn. `trail()` and `state` together are all a later keeper needs to go on."""

    def __init__(self, trail: Trail | None = None, state: dict[str, Any] | None = None) -> None:
        trail, state = trail or Trail(), state or {}
        self._files = {file.path: file for file in trail.files}
        for path, before in state.get("before", {}).items():
            if before is None:
                self._files.pop(path, None)
            else:
                self._files[path] = msgspec.convert(before, TrailFile)
        earlier = state.get("earlier", 0)
        self._earlier = {command.turn: command for command in trail.commands[:earlier]}
        self._commands = {command.turn: command for command in trail.commands[earlier:]}
        self._last_test = trail.last_test
        self._results: list[TrailResult] = list(trail.results)
        self._items = Items(trail.todos, trail.plans, trail.questions, state.get("todos"))
        self._open = {name: msgspec.convert(call, OpenCall) for name, call in state.get("open", [])}
        # Turn of the call by process, of commands that run in the background.
        self._running: dict[str, int] = dict(state.get("running", []))

    def trail(self) -> Trail:
        """The trail up to the last turn, calls without a result included."""
        files = self._files | self._assumed()
        return Trail(
            files=list(files.values()),
            commands=[*self._earlier.values(), *self._commands.values()],
            last_test=self._last_test,
            results=list(self._results),
            todos=self._items.todos,
            plans=list(self._items.plans),
            questions=list(self._items.questions),
        )

    def anew(self) -> "TrailKeeper":
        """A keeper for the next piece of work: it knows of what runs still and of nothing else."""
        return TrailKeeper(state={name: self.state[name] for name in ("open", "running")})

    @property
    def all_ticked(self) -> bool:
        """Whether the agent's list of to-dos is finished; one alone is no list."""
        todos = self._items.todos
        return len(todos) > 1 and all(item.state == "done" for item in todos)

    @property
    def state(self) -> dict[str, Any]:
        known = self._files
        return {
            "open": [[name, msgspec.to_builtins(call)] for name, call in self._open.items()],
            "running": [[name, turn] for name, turn in self._running.items()],
            "before": {path: msgspec.to_builtins(known.get(path)) for path in self._assumed()},
            "earlier": len(self._earlier),
            "todos": self._items.names,
        }

    def take(self, turn: JournalTurn) -> list[Act]:
        """Folds the next turn in; returns what is now known to have been done."""
        said = turn.turn
        match said.kind:
            case "call":
                return self._called(turn)
            case "result" | "denied":
                call = self._open.pop(_name(said), None)
                return self._settled(call, said, turn.id) if call else []
            case "answer":
                self._items.answered(said)
            case "interrupted":
                self._open = {name: call for name, call in self._open.items() if not _cut_off(call, said)}
            case "notice" if found := _TASK.search(said.text[:500]):
                return self._ended(found[1], said.text)
        return []

    def _called(self, turn: JournalTurn) -> list[Act]:
        name, acts = _name(turn.turn), []
        oldest = name if name in self._open else next(iter(self._open)) if len(self._open) >= OPEN_CALLS else None
        if oldest is not None:
            # Its result will not come, or could not be told from another's.
            acts = self._touched(self._open.pop(oldest))
        if call := read_call(turn):
            self._open[name] = call
            self._items.asked(call)
            if call.command:
                self._ran(TrailCommand(command=call.command, turn=call.turn))
        return acts

    def _ran(self, command: TrailCommand) -> None:
        self._commands[command.turn] = command
        if len(self._commands) > LAST_COMMANDS:
            oldest = self._commands.pop(next(iter(self._commands)))
            if oldest.failed:
                self._earlier[oldest.turn] = oldest
                if len(self._earlier) > LAST_COMMANDS:
                    del self._earlier[next(iter(self._earlier))]

    def _settled(self, call: OpenCall, said: Turn, number: int) -> list[Act]:
        if said.failed is not False and is_held(said.text):
            # It was never made, and did not fail.
            if call.command and call.turn in self._commands:
                self._commands[call.turn] = TrailCommand(command=call.command, held=True, turn=call.turn)
            return []
        refused = said.kind == "denied"
        outcome = Went(failed=True) if refused else went(said)
        acts = [Act("todo", item.text, number) for item in self._items.settled(call, said, number)]
        if call.command:
            if outcome.running:
                self._running = dict([*self._running.items(), (outcome.running, call.turn)][-OPEN_CALLS:])
            acts += self._command(call.turn, call.command, outcome, said.text, refused=refused)
        if call.purpose == "outward" and not refused:
            made = by_tool(call.told[0], outcome, _ends(said.text), call.turn)
            self._results = [*self._results, *([made] if made else [])][-_LAST_RESULTS:]
        if call.purpose == "poll" and call.told and (process := call.told[0][0]) in self._running:
            acts += self._ended(process, said.text, None if outcome.running else outcome)
        if call.files and not outcome.failed and not (outcome.failed is None and patch_failed(said.text)):
            acts += self._touched(call, said.text)
        return acts

    def _command(self, turn: int, command: str, outcome: Went, text: str, *, refused: bool = False) -> list[Act]:
        over, purpose = not (refused or outcome.running), kind_of(command)
        if over and purpose == "test":
            passed, line = verdict(text, outcome.failed)
            self._last_test = TrailTest(command=command, passed=passed, result=line, turn=turn)
        # A pipe may hide from the exit status that a command failed.
        failed = True if over and self._is_red(turn, command, text) else outcome.failed
        if turn in self._commands:
            self._commands[turn] = TrailCommand(
                command=command, failed=failed, exit_status=outcome.exit_status, refused=refused, turn=turn
            )
        if not over:
            return []
        self._results = with_results(self._results, command, outcome, _ends(text), turn)[-_LAST_RESULTS:]
        return [Act("command", command, turn, failed, _ends(without_own_words(text)), purpose, outcome.exit_status)]

    def _is_red(self, turn: int, command: str, text: str) -> bool:
        """Whether an output says that a command failed: of a test its verdict, else a line behind a pipe."""
        test = self._last_test
        if test is not None and test.turn == turn:
            return test.passed is False
        return "|" in command and kind_of(command) == "other" and _RED.search(text[-_TAIL:]) is not None

    def _ended(self, process: str, text: str, outcome: Went | None = None) -> list[Act]:
        """A command in the background was looked at, or the host says that it ended."""
        found = outcome if outcome and outcome.exit_status is not None else ended(text)
        turn = self._running.get(process)
        if found is None or turn is None:
            return []
        del self._running[process]
        known = self._commands.get(turn)
        return self._command(turn, known.command, found, text) if known else []

    def _touched(self, call: OpenCall, text: str = "") -> list[Act]:
        acts = []
        for what, path in call.files:
            act = _act(what, self._files.get(path), text)
            self._files[path] = _with(self._files.get(path), path, act, call.turn)
            acts.append(Act(act, path, call.turn))
        return acts

    def _assumed(self) -> dict[str, TrailFile]:
        """Files of calls without a result, as they stand if the calls were carried out."""
        found: dict[str, TrailFile] = {}
        for call in self._open.values():
            for what, path in call.files:
                known = found.get(path) or self._files.get(path)
                found[path] = _with(known, path, _act(what, known, ""), call.turn)
        return found


def _name(said: Turn) -> str:
    """What joins a call to its result: the host's id, else the tool."""
    return said.call or f"tool {said.tool}"


def _cut_off(call: OpenCall, said: Turn) -> bool:
    """Whether the human stopped the very message that held the call."""
    return call.line is not None and call.line == said.line


def _act(what: str, known: TrailFile | None, text: str) -> Literal["read", "edited", "created", "deleted"]:
    """Whether a written file is new: the result says so, else whether it was known before."""
    if what == "read" or what == "created" or what == "deleted":
        return what  # type: ignore[return-value]
    head = text[:80]
    if "created successfully" in head or "Created file" in head:
        return "created"
    if what == "edited" or "has been updated" in text[:_RESULT] or "overwr" in head:
        return "edited"
    return "edited" if known and known.acts[-1:] != ["deleted"] else "created"


def _with(known: TrailFile | None, path: str, act: str, turn: int) -> TrailFile:
    acts = known.acts if known else []
    changed = turn if act != "read" else known.changed if known else None
    return TrailFile(path=path, acts=acts if act in acts else [*acts, act], turn=turn, changed=changed)


def _ends(text: str) -> str:
    return text if len(text) <= _RESULT else f"{text[: _RESULT // 2]}\n{text[-_RESULT // 2 :]}"
