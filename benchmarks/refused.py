"""Real refusals with actions that propose them again and actions that are near and fine, and the calls that were made
after them and let pass. The sessions are read from where they lie; nothing of them is kept here."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

from steno.doors.hooks.heard import Deed
from steno.language.tool_call import as_edit
from steno.memory import Memory
from steno.rules.trial import action_of
from steno.testing import SteppingClock, all_turns, house
from steno.vocabulary import Action, JournalTurn

CASES: Final = Path(__file__).parent / "questions" / "real_refusals.jsonl"
# People nobody tunes on. Their figures are looked at once.
ASIDE: Final = ("jdx", "polecatspeaks", "punt-labs", "mholtzscher", "Safecast", "aunshx")


class Case(NamedTuple):
    """A refusal by its line, with what would propose it again, and what is near it and fine."""

    line: int
    again: list[Action]
    fine: list[Action]


class Session(NamedTuple):
    """A labelled session, and its refusals."""

    name: str
    transcript: Path
    cases: list[Case]

    @property
    def person(self) -> str:
        """Who it is of: everything of one person is learnt from or left out together."""
        return self.name.replace("-", "_").split("_")[0]

    @property
    def aside(self) -> bool:
        """Whether nobody tunes on it."""
        return self.name.startswith(ASIDE)


def sessions(data: Path) -> list[Session]:
    """Every session that has calls, labelled or not."""
    rows = [json.loads(line) for line in CASES.read_text("utf-8").splitlines()]
    cases: dict[str, list[Case]] = {}
    for row in rows:
        again, fine = ([_action(given) for given in row[kind]] for kind in ("again", "fine"))
        cases.setdefault(row["session"], []).append(Case(row["line"], again, fine))
    found = sorted((data / "transcripts").rglob("*.jsonl"), key=lambda path: path.stem)
    return [Session(path.stem, path, cases.get(path.stem, [])) for path in found]


@contextmanager
def read(transcript: Path) -> Iterator[tuple[Memory, list[JournalTurn]]]:
    """A house in which a session was captured and read; its clock stands at the last turn."""
    with TemporaryDirectory(prefix="steno-refused-") as folder, house(Path(folder), clock=SteppingClock()) as memory:
        memory.capture(transcript)
        turns = all_turns(memory)
        memory.home.clock.now = max((turn.turn.at for turn in turns if turn.turn.at), default=memory.home.clock.now)  # type: ignore[attr-defined]
        memory.scribe()
        memory.rules.settle()
        yield memory, turns


def accepted(turns: list[JournalTurn]) -> Iterator[tuple[int, JournalTurn, Action]]:
    """Calls that nobody refused or stopped: their places among the turns, and the actions they were."""
    denied = {turn.turn.call for turn in turns if turn.turn.kind == "denied"}
    for place, turn in enumerate(turns):
        if turn.turn.kind == "call" and turn.turn.call not in denied and _went_on(turns, place):
            yield place, turn, call_of(turn)


def call_of(turn: JournalTurn) -> Action:
    """A call as a hook tells of it."""
    action = action_of(turn.turn)
    tool, given = action.tool or "", as_edit(action.tool or "", action.input)
    return Action(agent="bench", text=Deed(name="", tool=tool, input=given).text, tool=tool, input=given)


def _went_on(turns: list[JournalTurn], place: int) -> bool:
    ends = ("result", "denied", "interrupted", "call")
    after = next((turn.turn.kind for turn in turns[place + 1 :] if turn.turn.kind in ends), "")
    return after not in ("denied", "interrupted")


def _action(given: dict[str, Any]) -> Action:
    """A call as a hook tells of it; words are a plan."""
    tool, values = (given["tool"], given["input"]) if "tool" in given else ("ExitPlanMode", {"plan": given["text"]})
    return Action(agent="bench", text=Deed(name="", tool=tool, input=values).text, tool=tool, input=values)
