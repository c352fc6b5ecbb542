"""The trail: files, commands, tests, repositories, requests, runs, to-dos, plans and questions, from tool calls alone.
Bookkeeping, no guessing.

An act counts when its result has come and neither failed nor was refused. A call whose result has not come (yet) counts
too, for it may have been carried out: losing a changed file is worse than naming one too many. It is taken back when
the result says otherwise. A call in a message the human cut off never ran and does not count.
"""

import re
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct

from steno.language.lexicon import lexicon
from steno.language.words import is_held, without_own_words
from steno.scribe.work.calls import OpenCall, patch_failed, read_call
from steno.scribe.work.checks import tested
from steno.scribe.work.forge import Requests
from steno.scribe.work.git import Repositories
from steno.scribe.work.items import Items
from steno.scribe.work.message import short
from steno.scribe.work.results import by_tool, results, with_results
from steno.scribe.work.running import Runs
from steno.scribe.work.shell import (
    COMMAND_LENGTH,
    Kind,
    Went,
    ends_in,
    kind_of,
    placed,
    printed,
    went,
    without_cd,
)
from steno.vocabulary import JournalTurn, Run, Trail, TrailCommand, TrailFailure, TrailFile, TrailResult, Turn

# Calls without a result that are remembered. Hosts run a few at once; more open ones were forgotten by their host.
OPEN_CALLS: Final = 50
# The last commands are kept.
LAST_COMMANDS: Final = 200
_LAST_RESULTS: Final = 40
_COMMAND, _PRINTED = 120, 160
_RESULT: Final = 8000
_TAIL: Final = 1200
# A line by which a command itself says that it gave up.
_RED: Final = re.compile(r"^(?:ERROR|FATAL|fatal): \S", re.MULTILINE)
_RESET: Final = re.compile(r"^Shell cwd was reset to (\S[^\n]{0,400})$", re.MULTILINE)


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
        self._commands = {command.turn: command for command in trail.commands}
        self._last_test = trail.last_test
        self._results: list[TrailResult] = list(trail.results)
        self._items = Items(trail, state.get("todos"))
        self._open = {name: msgspec.convert(call, OpenCall) for name, call in state.get("open", [])}
        self._runs = Runs(trail.runs, dict(state.get("outputs", {})))
        self._requests = Requests(trail.requests)
        self._git = Repositories(state.get("git"), state.get("now", 0))
        # Where the host's shell stands, as seen from the session's folder.
        self._cwd: str = state.get("cwd", "")

    def trail(self) -> Trail:
        """The trail up to the last turn, calls without a result included."""
        files = self._files | self._assumed()
        return Trail(
            files=list(files.values()),
            commands=list(self._commands.values()),
            last_test=self._last_test,
            results=list(self._results),
            repositories=self._git.listed(),
            requests=self._requests.listed(),
            runs=self._runs.listed(),
            todos=self._items.todos,
            listed=self._items.listed,
            plans=list(self._items.plans),
            questions=list(self._items.questions),
        )

    def about(self, *, directory: str = "", branch: str = "", live: bool = False) -> None:
        """What the host recorded of the session; `live`: its branch is that of the last turn."""
        folder = directory.replace("\\", "/") if directory[1:3] == ":\\" else directory
        self._git.folder, self._git.branch, self._git.live = folder, branch, live

    def anew(self) -> "TrailKeeper":
        """A keeper for the next piece of work: it knows what goes on still and how the repositories stand."""
        runs, state = self._runs.going(), self.state
        trail = Trail(last_test=self._last_test, requests=self._requests.listed(), runs=runs.listed())
        kept = {
            "open": state["open"],
            "git": state["git"],
            "cwd": state["cwd"],
            "outputs": runs.outputs,
            "now": state["now"],
        }
        return TrailKeeper(trail, kept)

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
            "outputs": self._runs.outputs,
            "git": self._git.state,
            "now": self._git.now,
            "cwd": self._cwd,
            "before": {path: msgspec.to_builtins(known.get(path)) for path in self._assumed()},
            "todos": self._items.names,
        }

    def take(self, turn: JournalTurn) -> list[Act]:
        """Folds the next turn in; returns what is now known to have been done."""
        said = turn.turn
        self._git.now = turn.id
        match said.kind:
            case "call":
                return self._called(turn)
            case "result" | "denied":
                call = self._open.pop(_name(said), None)
                return self._settled(call, turn) if call else []
            case "answer":
                self._items.answered(said)
            case "interrupted":
                self._open = {name: call for name, call in self._open.items() if not _cut_off(call, said)}
            case "notice":
                return self._noticed(said.text, turn.id)
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
                self._commands[call.turn] = TrailCommand(command=call.command[:COMMAND_LENGTH], turn=call.turn)
                self._commands = dict(list(self._commands.items())[-LAST_COMMANDS:])
        return acts

    def _settled(self, call: OpenCall, turn: JournalTurn) -> list[Act]:
        said = turn.turn
        if said.failed is not False and is_held(said.text):
            # It was never made, and did not fail.
            if call.command and call.turn in self._commands:
                known = self._commands[call.turn]
                self._commands[call.turn] = msgspec.structs.replace(known, held=True)
            return []
        refused = said.kind == "denied"
        outcome = Went(failed=True) if refused else went(said)
        text = printed(without_own_words(said.text))
        acts = [Act("todo", item.text, turn.id) for item in self._items.settled(call, said, turn.id)]
        if call.files and not outcome.failed and not (outcome.failed is None and patch_failed(said.text)):
            acts += self._touched(call, said.text)
        if call.command:
            acts += self._command(call, outcome, text, turn, refused=refused)
        elif not refused:
            self._answered(call, outcome, text, turn)
        return acts

    def _answered(self, call: OpenCall, outcome: Went, text: str, turn: JournalTurn) -> None:
        """A tool that is no shell gave an answer."""
        if call.purpose == "outward":
            made = by_tool(call.told[0], outcome, _ends(text), call.turn)
            self._results = [*self._results, *([made] if made else [])][-_LAST_RESULTS:]
            self._requests.called(call.tool, call.given, outcome, text, turn.id)
        elif call.purpose == "poll" and call.told:
            process, longest = call.told[0]
            went = self._runs.looked(process, outcome, turn.turn.text, turn.id, longest)
            self._over(process, went, turn.turn.text, turn.id)
        elif call.purpose == "run":
            self._runs.called(call.told[0][0], call.told[0][1], call.turn, text)
            if call.told[0][0] in ("agent", "task") and not outcome.failed:
                self._git.unsure(text) if call.told[0][2] else None
        elif call.files and (run := self._runs.read(call.files[0][1])):
            self._look(run, text, turn.id)

    def _command(
        self, call: OpenCall, outcome: Went, text: str, turn: JournalTurn, *, refused: bool = False
    ) -> list[Act]:
        command = call.command or ""
        if outcome.running:
            what = f"{call.what}: {command}" if call.what else command
            self._runs.starts(outcome.running, what, call.turn, turn.turn.text)
        over = not (refused or outcome.running)
        if over:
            if run := self._runs.read(command):
                self._look(run, text, turn.id)
            self._stands(call, command, outcome, text, turn)
        return self._ended(call.turn, command[:COMMAND_LENGTH], outcome, text, turn.id, over=over, refused=refused)

    def _stands(self, call: OpenCall, command: str, outcome: Went, text: str, turn: JournalTurn) -> None:
        """Where the repositories and their requests stand after a command."""
        base = placed(call.directory or self._cwd, self._git.folder)
        self._git.ran(command, base, outcome, text, call.turn)
        if self._requests.ran(command, outcome, text, turn.id) and (repo := self._git.current()):
            repo.goes_to(None)
        if turn.source == "claude-code" and not outcome.failed:
            moved = ends_in(command)
            reset = _RESET.search(text[-1000:])
            self._cwd = (reset[1] if reset else placed(moved, self._cwd) if moved is not None else "") or ""

    def _ended(
        self, turn: int, command: str, outcome: Went, text: str, ended: int, *, over: bool = True, refused: bool = False
    ) -> list[Act]:
        """A command has ended, in the foreground or behind."""
        failed = outcome.failed
        if over and self._test(command, outcome, text, turn, ended) is False:
            failed = True
        elif over and "|" in command and kind_of(command) == "other" and _RED.search(text[-_TAIL:]):
            # A pipe may hide from the exit status that a command failed.
            failed = True
        if turn in self._commands:
            self._commands[turn] = TrailCommand(
                command=command, failed=failed, exit_status=outcome.exit_status, refused=refused, turn=turn
            )
        if not over:
            return []
        new = results(command, outcome, _ends(text), turn)
        self._results = with_results(self._results, new, command)[-_LAST_RESULTS:]
        return [Act("command", command, turn, failed, _ends(text), kind_of(command), outcome.exit_status)]

    def _test(self, command: str, outcome: Went, text: str, turn: int, ended: int) -> bool | None:
        """Keeps the last test run; a check only where nothing was tested. Whether it passed."""
        found = tested(command, outcome, text, turn, ended)
        last = self._last_test
        if found is None:
            return None
        again = last is not None and last.turn == turn and last.kind == found.kind
        if again and last is not None and not found.counts and (last.counts or found.passed is None):
            return last.passed
        if found.kind == "test" or last is None or last.kind == "check":
            self._last_test = found
        return found.passed

    def _look(self, run: Run, text: str, turn: int) -> None:
        """What a run has printed so far."""
        if known := self._commands.get(run.turn):
            self._test(known.command, Went(None), printed(text), run.turn, turn)

    def _noticed(self, text: str, turn: int) -> list[Act]:
        process, outcome = self._runs.noticed(text, turn)
        run = self._runs.of(process)
        if run is not None and run.ended == turn and run.turn not in self._commands:
            self._git.unsure(text)
        return self._over(process, outcome, text, turn)

    def _over(self, process: str, outcome: Went | None, text: str, turn: int) -> list[Act]:
        """A command in the background was looked at, was stopped, or has ended."""
        run = self._runs.of(process)
        known = self._commands.get(run.turn) if run else None
        if run is None or known is None:
            return []
        # A notice is the host's: it says that something ended, and nothing of what that printed.
        shown = "" if text.startswith("<") else printed(text)
        if run.ended != turn or outcome is None:
            self._look(run, shown, turn)
            return []
        self._git.ran(known.command, placed(self._cwd, self._git.folder), outcome, shown, run.turn)
        return self._ended(run.turn, known.command, outcome, shown, turn)

    def _touched(self, call: OpenCall, text: str = "") -> list[Act]:
        acts = []
        for what, path in call.files:
            act = _act(what, self._files.get(path), text)
            self._files[path] = _with(self._files.get(path), path, act, call.turn)
            if act != "read":
                self._git.edited(path, act)
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


def failed(known: TrailFailure | None, act: Act) -> TrailFailure | None:
    """The command that failed last, unless it went well since, or a test did."""
    what = short(without_cd(act.name)[0].split("\n")[0].split("|")[0].split("2>")[0], _COMMAND)
    if not act.failed:
        mended = act.failed is False and (act.purpose == "test" or (known and known.command == what))
        return None if mended else known
    lines = [line for line in act.text.splitlines() if line.strip()] or [""]
    wrong = next((line for line in lines if lexicon("output_wrong").search(line[:300])), lines[-1])
    return TrailFailure(command=what, exit_status=act.exit_status, printed=short(wrong, _PRINTED), turn=act.turn)


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
