"""Keeps pieces of work turn by turn: the goal of the one at hand, its phase, done, next, blockers, variables, trail.

The same turns give the same pieces however a session was read: a keeper started from a checkpoint goes on exactly where
the keeper that made it stood. A turn costs the same at the end of a long session as at its beginning; only
`checkpoint()` grows with the number of files, so call it once per portion, not per turn.
"""

from collections.abc import Callable
from typing import Final

from msgspec import convert, to_builtins

from steno.scribe.close import without_end
from steno.scribe.work.deeds import dropped
from steno.scribe.work.goal import Goal, is_assent, request, wanted
from steno.scribe.work.message import Message, short, stated
from steno.scribe.work.phase import PhaseCount
from steno.scribe.work.progress import Progress
from steno.scribe.work.trail import TrailKeeper
from steno.scribe.work.variables import Variables
from steno.vocabulary import Checkpoint, JournalTurn
from steno.vocabulary.works import Left, WorkStatus

Told = Callable[[int], tuple[str, WorkStatus] | None]

_REQUEST: Final = 400
_PLANNING: Final = frozenset({"EnterPlanMode", "ExitPlanMode", "AskUserQuestion", "request_user_input"})


class WorkKeeper:
    """Keeps the work of a session. Start it from the last checkpoint, let it take every turn after that, ask for the
    new one."""

    def __init__(
        self, start: Checkpoint | None = None, *, before: Checkpoint | None = None, told: Told = lambda _: None
    ) -> None:
        # The work an earlier session left open, gone on with if the human says so.
        self._before = before
        # When and how a person ended the piece of work that began with a turn, if they did.
        self._told = told
        # Pieces of work that were left or ended, in order, for whoever keeps them.
        self.left: list[Left] = []
        self._start_from(start or Checkpoint())

    def _start_from(self, start: Checkpoint) -> None:
        state = start.state
        self._turn = start.turn
        self._about = dict(state.get("about", {}))
        self._trail = TrailKeeper(start.trail, state.get("trail"))
        self._goal = convert(state.get("goal", {}), Goal)
        self._phase = convert(state.get("phase", {}), PhaseCount)
        self._progress = convert(state.get("progress", {}), Progress)
        self._variables = convert(state.get("variables", {}), Variables)

    @property
    def begun(self) -> int | None:
        """The turn that began the piece of work at hand."""
        return self._goal.begun

    @property
    def claimed(self) -> bool:
        """Whether the agent says that it is finished."""
        return self._goal.claimed

    @property
    def over(self) -> bool:
        """Whether its to-dos are done and nobody asked for more."""
        return self._goal.over

    @property
    def phase(self) -> str:
        """What the work at hand is at."""
        return self._phase.phase

    @property
    def task(self) -> str:
        """What the human asked for last."""
        return self._goal.latest

    def take(self, turn: JournalTurn) -> list[str]:
        """Folds the next turn in; the to-dos that got done by it."""
        said = turn.turn
        acts = self._trail.take(turn)
        for act in acts:
            self._phase.did(act)
            self._progress.did(act)
            self._variables.did(act)
        if said.role == "user":
            self._asked(turn)
        elif said.kind == "interrupted":
            self._goal.stopped()
        elif said.role == "assistant" and said.kind != "thinking":
            self._acted(turn)
        self._turn = turn.id
        if any(act.kind == "todo" for act in acts) and self._trail.all_ticked and self._goal.begun is not None:
            self._goal.over = True
            self._note_left("finished", turn.id)
        return [act.name for act in acts if act.kind == "todo"]

    def about(self, *, branch: str | None = None, directory: str | None = None) -> None:
        """What the session's host recorded beside the turns. Told any time, any number of times."""
        for kind, value in (("branch", branch), ("directory", directory)):
            if value:
                self._about[kind] = value

    def _asked(self, turn: JournalTurn) -> None:
        ended = None if self._goal.begun is None else self._told(self._goal.begun)
        if ended and (turn.turn.at or "") > ended[0]:
            self._leave(ended[1], turn.id)
        known = self._before.goal if self._before else None
        told = self._progress.reported
        meant = self._goal.asked(turn, answers=self._progress.is_waiting, known=known, told=told)
        match meant:
            case "new":
                self._begin(turn)
            case "go on" if self._before:
                about = self._about
                self._start_from(self._before)
                self._about |= about
            case "finished":
                goal = self._goal.assignment
                self._leave("finished", turn.id)
                if not is_assent(without_end(request(turn.turn), goal) or ""):
                    self._begin(turn)
            case "dropped":
                self._leave("dropped", turn.id)
                self._clear()
                if not is_assent(wanted(turn.turn)):
                    self._begin(turn)
        self._phase.asked()
        asks = meant in ("new", "step") or (meant == "dropped" and self._goal.text)
        self._progress.put_aside(dropped(request(turn.turn)))
        self._progress.asked_for(short(wanted(turn.turn), _REQUEST) if asks else None)
        self._variables.said(turn)

    def _acted(self, turn: JournalTurn) -> None:
        if turn.turn.kind == "said":
            message = Message(turn.turn.text)
            finished = message.finished or self._progress.is_told(stated(turn.turn.text))
            self._progress.heard(message, turn.id, finished=finished)
            self._variables.said(turn)
            self._goal.agent_acted(finished=finished)
        else:
            self._goal.agent_acted()
            if turn.turn.kind == "call" and turn.turn.tool in _PLANNING:
                self._phase.planned()

    def _begin(self, turn: JournalTurn) -> None:
        """A new piece of work: nothing of the old one is carried over but what runs still."""
        if self._goal.begun is not None:
            self._leave("active", turn.id)
        if turn.turn.by_human and self._turn:
            self._clear()
        self._goal.begin(turn)

    def _leave(self, status: WorkStatus, turn: int) -> None:
        self._note_left(status, turn)
        self._goal.end()

    def _note_left(self, status: WorkStatus, turn: int) -> None:
        begun, claimed = self._goal.begun, self._goal.claimed
        if begun is not None:
            left = Left(begun=begun, turn=turn, status=status, claimed=claimed, checkpoint=self.checkpoint())
            self.left.append(left)

    def _clear(self) -> None:
        about, trail = self._about, self._trail.anew()
        self._start_from(Checkpoint(turn=self._turn))
        self._about, self._trail = about, trail

    def checkpoint(self) -> Checkpoint:
        """The checkpoint up to the last turn taken."""
        trail = self._trail.trail()
        parts = {"goal": self._goal, "phase": self._phase, "progress": self._progress, "variables": self._variables}
        return Checkpoint(
            goal=self._goal.text,
            steps=self._goal.steps,
            phase=self._phase.phase,
            done=self._progress.done(trail.todos),
            next=self._progress.next(trail.todos),
            blockers=self._progress.blockers(),
            failure=self._progress.failure,
            variables=self._variables.values(self._about),
            trail=trail,
            turn=self._turn,
            # A copy: a checkpoint is a value, whoever holds it must not see it change.
            state=to_builtins({**parts, "trail": self._trail.state, "about": self._about}),
        )
