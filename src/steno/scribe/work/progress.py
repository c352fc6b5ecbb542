"""Progress: what is done, what comes next, what holds the work up."""

import re
from collections.abc import Sequence
from typing import Any, Final

from msgspec import Struct, field

from steno.language.lexicon import lexicon
from steno.scribe.work.deeds import deeds, is_dropped, is_named, tell_of_all
from steno.scribe.work.message import Message, short
from steno.scribe.work.results import COMMITTED
from steno.scribe.work.shell import without_cd
from steno.scribe.work.trail import PROSE, Act
from steno.vocabulary import TrailFailure, TrailItem

# Kept apart so that talk does not push commits and to-dos out: statements, commits, to-dos.
_KEPT: Final = {"said": 10, "commit": 6, "todo": 6}
DONE: Final = 16
NEXT: Final = 10
_TO_DO: Final = 6
_FAILING: Final = 4
# A failed command nobody tried again after this many others is no longer in the way.
_STALE: Final = 25
_EXIT_LINE: Final = re.compile(
    r"(?:Error: )?Exit code \d+|Command exited with code \d+|Chunk ID|Wall time|Original token"
)

_PREPARES: Final = re.compile(r"\s*(?:$|#|set [-+]|export |source |cd \S+\s*$|\w+=\S*\s*$)")


class Progress(Struct):
    """Bounded lists of turns and texts, the latest last."""

    finished: dict[str, list[tuple[int, str]]] = field(default_factory=lambda: {kind: [] for kind in _KEPT})
    to_do: list[tuple[int, str]] = field(default_factory=list)
    # What the agent was about to do, asked, and waits for, since the human last spoke.
    intent: str = ""
    asked: list[str] = field(default_factory=list)
    held_up: list[str] = field(default_factory=list)
    # The human's last request, until the agent says that something was finished or asks back.
    request: str | None = None
    # Failed commands, and how many commands came since.
    failing: list[tuple[TrailFailure, int]] = field(default_factory=list)
    # The file changed last without anything run since, and whether the agent called the work done in that state.
    not_run: str = ""
    unproven: bool = False

    def done(self, todos: list[TrailItem]) -> list[str]:
        """What was completed, the latest last. A to-do taken up again is not done."""
        again = {item.text for item in todos if item.state != "done"}
        merged = sorted((item for items in self.finished.values() for item in items), key=lambda item: item[0])
        return _once(text for _, text in merged if text not in again)[-DONE:]

    def next(self, todos: list[TrailItem]) -> list[str]:
        """What comes next: to-dos under way, what the agent is at, the human's request, open to-dos, the rest."""
        doing = [item.text for item in todos if item.state == "doing"]
        waiting = [item.text for item in todos if item.state == "open"]
        near = [*doing, *([self.request] if self.request else []), *([self.intent] if self.intent else [])]
        later = [*self.asked, *waiting, *(text for _, text in reversed(self.to_do))]
        return _once(short(text, 500) for text in [*near, *later])[:NEXT]

    def blockers(self) -> list[str]:
        """What holds the work up: failures not mended yet, what the agent waits for. No word of a tool's output."""
        failing = [_sentence(failure) for failure, _ in self.failing]
        if self.unproven:
            failing.append(f"Called done, but nothing was run since {self.not_run} was changed")
        return _once([*failing, *self.held_up, *(f"Waiting for the human's answer: {text}" for text in self.asked)])

    @property
    def is_waiting(self) -> bool:
        """Whether the agent asked the human something that is not answered yet."""
        return bool(self.asked)

    @property
    def failure(self) -> TrailFailure | None:
        """The last command that fails still."""
        return self.failing[-1][0] if self.failing else None

    def asked_for(self, request: str | None) -> None:
        """The human spoke: what the agent waited for is answered."""
        self.intent, self.asked, self.held_up = "", [], []
        self.request = request or self.request

    @property
    def reported(self) -> list[str]:
        """What the agent said was done."""
        return [text for _, text in self.finished["said"]]

    def put_aside(self, parts: Sequence[str]) -> None:
        """The human does not want something any more: it comes next no more."""
        if parts:
            self.to_do = [one for one in self.to_do if not _is_aside(one[1], parts)]
            self.request = None if self.request and _is_aside(self.request, parts) else self.request

    def is_told(self, told: Sequence[str]) -> bool:
        """Whether an agent's words say that what the human asked for last was done."""
        return self.request is not None and tell_of_all(told, deeds(self.request))

    def heard(self, heard: Message, turn: int, *, finished: bool) -> None:
        """The agent spoke, and may say that it finished."""
        for text in heard.done:
            self._finish("said", text, turn)
        for text in heard.to_do:
            self.to_do = [*(item for item in self.to_do if item[1] != text), (turn, text)][-_TO_DO:]
        if finished or heard.asked:
            self.request = None
        self.unproven = self.unproven or (finished and bool(self.not_run))
        self.intent = heard.intent or ("" if finished or heard.asked else self.intent)
        if heard.asked:
            self.asked = heard.asked
        self.held_up = _once([*self.held_up, *heard.held_up])[-3:]

    def did(self, act: Act) -> None:
        """A tool did something."""
        if act.kind == "todo":
            self._finish("todo", act.name, act.turn)
        elif act.kind == "command":
            for branch, commit, message in COMMITTED.findall(act.text):
                # Output may say anything; the message counts where the agent wrote it into the command.
                told = f": {message}" if message in act.name else ""
                self._finish("commit", f"Committed {commit} on {branch}{told}", act.turn)
            self._ran(act)
        elif act.kind != "read" and not act.name.endswith(PROSE):
            self.not_run, self.unproven = short(act.name.rpartition("/")[2], 80), False

    def _finish(self, kind: str, text: str, turn: int) -> None:
        kept = [item for item in self.finished[kind] if item[1] != text]
        self.finished[kind] = [*kept, (turn, text)][-_KEPT[kind] :]

    def _ran(self, act: Act) -> None:
        if act.purpose == "look":
            return
        self.not_run, self.unproven = "", False
        what = _what(act.name)
        kept = [(old, since + 1) for old, since in self.failing if old.command != what and since < _STALE]
        if act.failed:
            printed = _trouble(act.text)
            kept.append((TrailFailure(command=what, exit_status=act.exit_status, printed=printed, turn=act.turn), 0))
        elif act.purpose == "test" and act.failed is False:
            # Tests that pass settle whatever failed before them.
            kept = []
        self.failing = kept[-_FAILING:]


def _what(command: str) -> str:
    """What a command runs: its first line that does something."""
    lines = [line for line in without_cd(command)[0].splitlines() if not _PREPARES.match(line)]
    return short((lines or [command])[0].split("|")[0].split("2>")[0], 120)


def _sentence(failure: TrailFailure) -> str:
    status = f" with exit status {failure.exit_status}" if failure.exit_status else ""
    return f"`{failure.command}` failed{status}"


def _trouble(text: str) -> str:
    """The line of an output that says what went wrong: the first that names an error, else the last."""
    lines = [line for line in text.splitlines() if line.strip() and not _EXIT_LINE.match(line)]
    wrong = (line for line in lines if lexicon("output_wrong").search(line[:300]))
    return short(next(wrong, lines[-1] if lines else "no output"), 160)


def _is_aside(text: str, parts: Sequence[str]) -> bool:
    """Whether somebody put aside what a line is about, whatever else it says of it: "Next: dark mode"."""
    return any(is_named(part, text) or is_dropped(part, deeds(text)) for part in parts)


def _once(texts: Any) -> list[str]:
    return list(dict.fromkeys(texts))
