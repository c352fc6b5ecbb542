"""Fast identity: the handoff and the capsule, made from what is newest in the store, and written as files."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Final

from steno.briefing.capsule import Self, capsule
from steno.briefing.handoff import InWork, Page, handoff
from steno.clock import Clock, before
from steno.pipeline.flags import Flags
from steno.pipeline.notebook import CAPSULE, HANDOFF, Notebook
from steno.store import Store
from steno.store.lately import Worked
from steno.vocabulary import CATEGORIES, Category, Entry, Rule

# Work nobody went on with for a week is not in hand any more.
_IN_HAND: Final = timedelta(days=7)
_RECENT: Final = timedelta(hours=4)
_PROJECTS, _OPEN, _NEWEST, _TRAITS, _FACTS, _SESSIONS = 8, 20, 30, 10, 20, 3


class Identity:
    """What an agent that knows nothing yet must know first."""

    def __init__(
        self, store: Store, rules: Callable[[], Sequence[Rule]], flags: Flags, *, clock: Clock, folder: Path
    ) -> None:
        self._store = store
        self._flags = flags
        # Those in force, the most important first.
        self._rules = rules
        self._clock = clock
        self._notebook = Notebook(folder)

    def handoff(self) -> str:
        """Work in hand, open commitments, what is new, flags."""
        now = self._clock()
        return handoff(
            Page(
                written_at=now,
                work=[_in_work(work) for work in self._store.lately.work_in_hand(before(now, _IN_HAND), _PROJECTS)],
                open=self._newest(("commitment", "task"), _OPEN),
                recent=self._newest(CATEGORIES, _NEWEST, since=before(now, _RECENT)),
                flags=self._flags.for_people(),
            )
        )

    def capsule(self, agent: str | None = None) -> str:
        """Who, priorities, critical facts, the last three sessions: of one agent, or of all."""
        rules = [rule for rule in self._rules() if agent is None or rule.agent in (None, agent)]
        return capsule(
            Self(
                written_at=self._clock(),
                agent=agent,
                traits=self._newest(("agent_state",), _TRAITS, agent=agent),
                priorities=self._newest(("context",), _TRAITS, agent=agent),
                rules=rules,
                facts=self._newest(("fact",), _FACTS, agent=agent),
                sessions=[_in_work(work) for work in self._store.lately.last_worked(agent, _SESSIONS)],
            )
        )

    def write(self) -> list[Path]:
        """Write both into the notebook; where they are."""
        return [self._notebook.put(HANDOFF, self.handoff()), self._notebook.put(CAPSULE, self.capsule())]

    def _newest(
        self, categories: Sequence[Category], most: int, *, since: str = "", agent: str | None = None
    ) -> list[Entry]:
        """The newest entries of some categories, the newest first."""
        ids = self._store.lately.newest(categories, most, since=since, agent=agent)
        found = {entry.id: entry for entry in self._store.entries.some(ids)}
        return [found[id_] for id_ in ids if id_ in found]


def _in_work(work: Worked) -> InWork:
    return InWork(
        session=f"{work.source}:{work.session}",
        project=work.project,
        agent=work.agent,
        at=work.last_at,
        checkpoint=work.checkpoint,
    )
