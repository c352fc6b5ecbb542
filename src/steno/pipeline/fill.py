"""Checkpoints by fill: as a context fills up, what would be lost with it is written down, without anybody asking.

A host tells now and then how many tokens are in use. What came after that is counted by us, so that a large output
counts at once and not when the host has answered it.
"""

from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import Final

from msgspec import Struct

from steno.briefing.handoff import Standing, noted, stands
from steno.briefing.render import quoted, safe
from steno.clock import before
from steno.home import Home
from steno.pipeline.identity import Identity
from steno.pipeline.notebook import BUFFER, Notebook
from steno.pipeline.replay import stood
from steno.store.fills import Alive
from steno.store.lately import Worked
from steno.vocabulary import SessionCaptured
from steno.vocabulary.errors import StenoError

# Percent of the context at which something is done.
LEVELS: Final = (60, 75, 80)
# Old history that is captured needs no saving.
_ALIVE: Final = timedelta(hours=1)
# Turns and entries that are written into the buffer, the latest, and letters of a turn.
_MOST: Final = 12
_QUOTE: Final = 500


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
        heard = self._store.fills.alive(before(self._clock(), _ALIVE)) if captured else []
        alive = [one for one in heard if (one.source, one.session) in captured]
        return [acted for session in alive for acted in self._session(session)]

    def _session(self, session: Alive) -> list[Acted]:
        fills = self._store.fills
        percent = 100 * (fills.tokens(session.id) or 0) // session.window
        done, turn = fills.level(session.id)
        # What was done before the last compaction is due again.
        done = done if turn > fills.last_boundary(session.id) else 0
        acted: list[Acted] = []
        for level in LEVELS:
            if done < level <= percent and not (acted and acted[-1].problem):
                problem = self._try(session, level, percent)
                if not problem:
                    fills.reached(session.id, level, self._store.briefed.last_turn(session.id) or 0)
                acted.append(
                    Acted(source=session.source, session=session.session, level=level, fill=percent, problem=problem)
                )
        return acted

    def _try(self, session: Alive, level: int, percent: int) -> str:
        """Do what a level asks for. A capture must not fail because of it."""
        try:
            if level == LEVELS[0]:
                self._notebook.append(BUFFER, self._buffer(session, percent))
            else:
                self._scribe(session.name)
            if level == LEVELS[-1]:
                self._identity.save(session.id)
        except StenoError as error:
            return error.message
        return ""

    def _buffer(self, session: Alive, percent: int) -> str:
        """The last things said, and what is in work."""
        now = self._clock()
        # The scribe has not read all of it yet.
        point = stood(self._store, session.id, lambda turn: True)
        work = Standing(Worked(session.id, session.source, session.session, None, None, now, point))
        written = self._store.entries.all(session_id=session.id, status="active")[-_MOST:]
        said = self._store.briefed.last_said(session.id, None, _MOST)
        lines = ["# Working buffer", f"written at {now}, session {safe(session.name, 120)}, {percent} % of its context"]
        lines += ["", "## In work", *stands(work, now)[1:]]
        lines += ["", "## Written down", *noted(written, now)]
        lines += ["", "## Last said"]
        lines += [f"- {turn.turn.role}, turn {turn.id}, {quoted(turn.turn.text, _QUOTE)}" for turn in said]
        return "\n".join(lines) + "\n"
