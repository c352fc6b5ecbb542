"""Keeps pieces of work turn by turn: the goal of the one at hand, what was done and comes next, and the trail.

The same turns give the same pieces however a session was read: a keeper started from a checkpoint goes on exactly where
the keeper that made it stood. A turn costs the same at the end of a long session as at its beginning; only
`checkpoint()` grows with the number of files, so call it once per portion, not per turn.
"""

from collections.abc import Callable

from msgspec import convert, to_builtins

from steno.scribe.close import without_end
from steno.scribe.work.goal import Goal, is_assent, request, without_drop
from steno.scribe.work.message import heard, short
from steno.scribe.work.trail import TrailKeeper, failed
from steno.scribe.work.variables import Variables
from steno.vocabulary import Checkpoint, JournalTurn, Trail, TrailItem
from steno.vocabulary.works import Left, WorkStatus

Told = Callable[[int], tuple[str, WorkStatus] | None]

_DONE, _NEXT, _LINE = 16, 10, 500


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
        self._about: dict[str, str] = {}
        self._start_from(start or Checkpoint())

    def _start_from(self, start: Checkpoint, trail: TrailKeeper | None = None) -> None:
        state = start.state
        self._turn = start.turn
        self._about = {**state.get("about", {}), **self._about}
        self._trail = trail or TrailKeeper(start.trail, state.get("trail"))
        self._goal = convert(state.get("goal", {}), Goal)
        self._variables = convert(state.get("variables", {}), Variables)
        # To-dos that got done, with the turn; and whether the agent waits for an answer.
        self._ticked: dict[str, int] = dict(state.get("ticked", {}))
        self._waits: bool = state.get("waits", False)
        self._failure = start.failure
        self.about()

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
    def task(self) -> str:
        """What the human asked for last."""
        return self._goal.latest

    def take(self, turn: JournalTurn) -> list[str]:
        """Folds the next turn in; the to-dos that got done by it."""
        said = turn.turn
        acts = self._trail.take(turn)
        ticked = [act.name for act in acts if act.kind == "todo"]
        for act in acts:
            if act.kind == "command" and act.purpose != "look":
                self._failure = failed(self._failure, act)
        for text in ticked:
            self._ticked.pop(text, None)
            self._ticked[text] = turn.id
        self._ticked = dict(list(self._ticked.items())[-_DONE:])
        if said.role == "user":
            self._asked(turn)
        elif said.kind == "interrupted":
            self._goal.stopped()
        elif said.role == "assistant" and said.kind != "thinking":
            self._acted(turn)
        self._turn = turn.id
        if ticked and self._trail.all_ticked and self._goal.begun is not None:
            self._goal.over = True
            self._note_left("finished", turn.id)
        return ticked

    def about(self, *, branch: str | None = None, directory: str | None = None, source: str | None = None) -> None:
        """What the session's host recorded beside the turns. Told any time, any number of times."""
        told = {"branch": branch, "directory": directory, "source": source}
        self._about |= {kind: value for kind, value in told.items() if value}
        here = self._about
        # Claude Code records the branch with every turn, others where the session began.
        live = here.get("source") == "claude-code"
        self._trail.about(directory=here.get("directory", ""), branch=here.get("branch", ""), live=live)

    def _asked(self, turn: JournalTurn) -> None:
        ended = None if self._goal.begun is None else self._told(self._goal.begun)
        if ended and (turn.turn.at or "") > ended[0]:
            self._leave(ended[1], turn.id)
        known = self._before.goal if self._before else None
        meant = self._goal.asked(turn, answers=self._waits, known=known)
        match meant:
            case "new":
                self._begin(turn)
            case "go on" if self._before:
                self._start_from(self._before)
            case "finished":
                goal = self._goal.assignment
                self._leave("finished", turn.id)
                if not is_assent(without_end(request(turn.turn), goal) or ""):
                    self._begin(turn)
            case "dropped":
                more = without_drop(request(turn.turn), self._goal.assignment)
                self._leave("dropped", turn.id)
                self._clear()
                if not is_assent(more):
                    self._begin(turn, more)
        self._waits = False
        self._variables.said(turn)

    def _acted(self, turn: JournalTurn) -> None:
        finished = False
        if turn.turn.kind == "said":
            finished, asks = heard(turn.turn.text)
            self._waits = self._waits or asks
            self._variables.said(turn)
        self._goal.agent_acted(finished=finished)

    def _begin(self, turn: JournalTurn, words: str = "") -> None:
        """A new piece of work: nothing of the old one is carried over but how things stand."""
        if self._goal.begun is not None:
            self._leave("active", turn.id)
        if turn.turn.by_human and self._turn:
            self._clear()
        self._goal.begin(turn, words)

    def _leave(self, status: WorkStatus, turn: int) -> None:
        self._note_left(status, turn)
        self._goal.end()

    def _note_left(self, status: WorkStatus, turn: int) -> None:
        begun, claimed = self._goal.begun, self._goal.claimed
        if begun is not None:
            left = Left(begun=begun, turn=turn, status=status, claimed=claimed, checkpoint=self.checkpoint())
            self.left.append(left)

    def _clear(self) -> None:
        self._start_from(Checkpoint(turn=self._turn), self._trail.anew())

    def checkpoint(self) -> Checkpoint:
        """The checkpoint up to the last turn taken."""
        trail = self._trail.trail()
        state = {
            "goal": self._goal,
            "variables": self._variables,
            "ticked": self._ticked,
            "waits": self._waits,
            "trail": self._trail.state,
            "about": self._about,
        }
        return Checkpoint(
            goal=self._goal.text,
            steps=self._goal.steps,
            done=self._done(trail),
            next=[short(item.text, _LINE) for item in _open(trail)][:_NEXT],
            variables=self._variables.values(self._about.get("directory", ""), trail),
            failure=self._failure,
            trail=trail,
            turn=self._turn,
            # A copy: a checkpoint is a value, whoever holds it must not see it change.
            state=to_builtins(state),
        )

    def _done(self, trail: Trail) -> list[str]:
        """Ticked to-dos and commits, the latest last. A to-do taken up again is not done."""
        again = {item.text for item in _open(trail)}
        done = [(turn, text) for text, turn in self._ticked.items() if text not in again]
        done += [
            (one.turn, f"Committed {one.text}") for one in trail.results if one.kind == "commit" and not one.failed
        ]
        return [text for _, text in sorted(done)][-_DONE:]


def _open(trail: Trail) -> list[TrailItem]:
    """To-dos that are not done, those under way first."""
    return sorted((item for item in trail.todos if item.state != "done"), key=lambda item: item.state != "doing")
