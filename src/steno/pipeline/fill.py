"""Checkpoints by fill: as a context fills up, what would be lost with it is written down, without anybody asking.

A host tells now and then how many tokens are in use. What came after that is counted by us, so that a large output
counts at once and not when the host has answered it.
"""

from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import Final

from msgspec import Struct

from steno.briefing.handoff import tagged
from steno.briefing.render import quoted, safe
from steno.briefing.saved import standing
from steno.clock import before
from steno.home import Home
from steno.pipeline.identity import Identity
from steno.pipeline.notebook import BUFFER, Notebook
from steno.store.fills import Alive
from steno.vocabulary import Checkpoint, SessionCaptured
from steno.vocabulary.errors import StenoError

# Percent of the context at which something is done.
LEVELS: Final = (60, 75, 80)
# Old history that is captured needs no saving.
_ALIVE: Final = timedelta(hours=1)
_SAID: Final = 12
_QUOTE: Final = 500
_FILES: Final = 8
_LINES: Final = 5


class Acted(Struct, frozen=True, kw_only=True):
    """What was done about a session because of its fill."""

    source: str
    session: str
    # 60: the working buffer was written. 75: the scribe read on. 80: everything was saved.
    level: int
    # Share of the context in use, in percent.
    fill: int
    # What kept it from being done; the next capture tries again. Empty: nothing.
    problem: str = ""


class Fill:
    """Looks at the sessions that were captured and acts on those that fill up."""

    def __init__(self, home: Home, identity: Identity, scribe: Callable[[str], object]) -> None:
        self._store, self._clock, self._identity = home.store, home.clock, identity
        # Lets the scribe read a session (`source:id`) to its end.
        self._scribe = scribe
        self._notebook = Notebook(home.notebook)

    def check(self, sessions: Iterable[SessionCaptured]) -> list[Acted]:
        """Act on every level a session has newly reached since its last compaction."""
        captured = {(one.source, one.session) for one in sessions if one.turns}
        if not captured:
            return []
        heard = self._store.fills.alive(before(self._clock(), _ALIVE))
        alive = [one for one in heard if (one.source, one.session) in captured]
        return [acted for session in alive for acted in self._session(session)]

    def _session(self, session: Alive) -> list[Acted]:
        percent = 100 * (self._store.fills.tokens(session.id) or 0) // session.window
        turn = self._store.briefed.last_turn(session.id) or 0
        acted: list[Acted] = []
        for level in LEVELS:
            if self._done(session.id) < level <= percent:
                problem = self._try(session, level, percent)
                if not problem:
                    self._store.fills.reached(session.id, level, turn)
                acted.append(
                    Acted(source=session.source, session=session.session, level=level, fill=percent, problem=problem)
                )
                if problem:
                    break
        return acted

    def _done(self, session_id: int) -> int:
        """The level acted on in this stretch between two compactions."""
        level, turn = self._store.fills.level(session_id)
        return level if turn > self._store.fills.last_boundary(session_id) else 0

    def _try(self, session: Alive, level: int, percent: int) -> str:
        """Do what a level asks for. A capture must not fail because of it."""
        try:
            match level:
                case 60:
                    self._notebook.append(BUFFER, self._buffer(session, percent))
                case 75:
                    self._scribe(session.name)
                case _:
                    self._scribe(session.name)
                    self._identity.save(session.id)
        except StenoError as error:
            return error.message
        return ""

    def _up_to_now(self, session: Alive) -> Checkpoint:
        """The checkpoint with what the scribe has not read yet."""
        from steno.scribe.work.keeper import WorkKeeper

        read = self._store.entries.checkpoint(session.id) or Checkpoint()
        keeper = WorkKeeper(read)
        for turn in self._store.fills.turns_after(session.id, read.turn):
            keeper.take(turn)
        return keeper.checkpoint()

    def _buffer(self, session: Alive, percent: int) -> str:
        """The last things said, and what is in work."""
        point = self._up_to_now(session)
        files = sorted((file for file in point.trail.files if set(file.acts) - {"read"}), key=lambda file: file.turn)
        said = self._store.briefed.last_said(session.id, None, _SAID)
        name = safe(session.name, 120)
        lines = ["# Working buffer", f"written at {self._clock()}, session {name}, {percent} % of its context"]
        lines += ["", "## In work", *standing(point, _LINES)]
        lines += [f"- file: {safe(file.path, 200)}" for file in files[-_FILES:]]
        written = self._store.entries.all(session_id=session.id, status="active")[-_SAID:]
        lines += ["", "## Written down", *(f"- {tagged(entry)}{safe(entry.summary, 240)}" for entry in written)]
        lines += ["", "## Last said"]
        lines += [f"- {turn.turn.role}, turn {turn.id}, {quoted(turn.turn.text, _QUOTE)}" for turn in said]
        return "\n".join(lines) + "\n"
