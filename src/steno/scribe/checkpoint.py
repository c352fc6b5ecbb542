"""Where a piece of work stands, kept turn by turn: goal, phase, done, next, blockers, variables, and the trail.

The same turns give the same checkpoint however a session was read in pieces: a keeper started from a checkpoint goes on
exactly where the keeper that made it stood. A turn costs the same at the end of a long session as at its beginning;
only `checkpoint()` grows with the number of files, so call it once per portion, not per turn.
"""

import copy
from typing import Final

from steno.scribe.checkpoint_goal import Goal, own_words
from steno.scribe.checkpoint_phase import PhaseCount
from steno.scribe.checkpoint_progress import Progress
from steno.scribe.checkpoint_variables import Variables
from steno.scribe.checkpoint_words import hear, short
from steno.scribe.trail import TrailKeeper
from steno.vocabulary import Checkpoint, JournalTurn

__all__ = ["CheckpointKeeper", "fold"]

_REQUEST: Final = 400
_PLANNING: Final = frozenset({"EnterPlanMode", "ExitPlanMode", "AskUserQuestion", "request_user_input"})
# Words that set a session its task: a person's, another agent's, a timer's.
_ASKING: Final = frozenset({"said", "queued", "denied", "command", "delegated", "scheduled"})


class CheckpointKeeper:
    """Keeps a checkpoint. Start it from the last one, let it take every turn after that, ask for the new one."""

    def __init__(self, start: Checkpoint | None = None) -> None:
        start = start or Checkpoint()
        # A copy: a checkpoint is a value, whoever holds it must not see it change.
        state = copy.deepcopy(start.state)
        self._turn = start.turn
        self._about: dict[str, str] = state.get("about", {})
        self._trail = TrailKeeper(start.trail, state.get("trail"))
        self._goal = Goal(state.get("goal", {}))
        self._phase = PhaseCount(state.get("phase", {}))
        self._progress = Progress(state.get("progress", {}))
        self._variables = Variables(state.get("variables", {}))

    def take(self, turn: JournalTurn) -> None:
        """Folds the next turn in."""
        said = turn.turn
        for act in self._trail.take(turn):
            self._phase.did(act)
            self._progress.did(act)
            self._variables.did(act)
        if said.role == "user":
            self._asked(turn)
        elif said.role == "assistant" and said.kind == "said":
            self._heard(turn)
        elif said.kind == "call" and said.tool in _PLANNING:
            self._phase.planned()
        self._turn = turn.id

    def about(self, *, branch: str | None = None, directory: str | None = None) -> None:
        """What the session's host recorded beside the turns. Told any time, any number of times."""
        for kind, value in (("branch", branch), ("directory", directory)):
            if value:
                self._about[kind] = value

    def _asked(self, turn: JournalTurn) -> None:
        said = turn.turn
        request = said.kind in _ASKING and self._goal.asked(said)
        words = own_words(said.text)
        self._phase.asked(words)
        self._progress.asked_for(short(words, _REQUEST) if request else None)
        self._variables.said(turn)

    def _heard(self, turn: JournalTurn) -> None:
        heard = hear(turn.turn.text)
        self._progress.heard(heard, turn.id)
        self._variables.said(turn)
        if heard.finished:
            self._goal.agent_finished()
        if heard.asked and not heard.finished:
            self._phase.planned()

    def checkpoint(self) -> Checkpoint:
        """The checkpoint up to the last turn taken."""
        trail = self._trail.trail()
        state = {
            "trail": self._trail.state,
            "goal": self._goal.state,
            "phase": self._phase.state,
            "progress": self._progress.state,
            "variables": self._variables.state,
            "about": self._about,
        }
        return Checkpoint(
            goal=self._goal.text,
            phase=self._phase.phase,
            done=self._progress.done(trail.todos),
            next=self._progress.next(trail.todos),
            blockers=self._progress.blockers(),
            failure=self._progress.failure,
            variables=self._variables.values(self._about),
            trail=trail,
            turn=self._turn,
            state=copy.deepcopy(state),
        )


def fold(checkpoint: Checkpoint, turn: JournalTurn) -> Checkpoint:
    """The checkpoint after one more turn. For many turns use a keeper, which does not copy in between."""
    keeper = CheckpointKeeper(checkpoint)
    keeper.take(turn)
    return keeper.checkpoint()
