"""Fast identity: the handoff, the capsule and the long form, made from what is newest in the store; and the files that
are saved at every boundary."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from steno.briefing.capsule import Self, capsule
from steno.briefing.handoff import InWork, Page, handoff
from steno.briefing.saved import Session, Wake, day_file, session_state, wake_state
from steno.clock import before
from steno.home import Home
from steno.notebook.recap import notes, recap, with_notes
from steno.pipeline.flags import Flags
from steno.pipeline.notebook import CAPSULE, HANDOFF, STATE, WAKE, Notebook, drop_files, hash_of
from steno.pipeline.rulebook import Rulebook
from steno.store.lately import Worked
from steno.store.pages import OWN, Written
from steno.vocabulary import CATEGORIES, PEOPLE, Category, Entry

# Work nobody went on with for a week is not in hand any more.
_IN_HAND: Final = timedelta(days=7)
_RECENT: Final = timedelta(hours=4)
# A session nobody was heard in for an hour is not going on.
_ALIVE: Final = timedelta(hours=1)
# Later than any time.
_ALWAYS: Final = "9999"
_SESSIONS_OF_A_DAY, _ENTRIES_OF_A_DAY, _RULES, _LAST = 50, 100, 60, 10
# Of what was left to do at the end of a day.
_LEFT: Final = 5
_PROJECTS, _OPEN, _NEWEST, _TRAITS, _FACTS, _SESSIONS = 8, 20, 30, 10, 20, 3


class Identity:
    """What an agent that knows nothing yet must know first."""

    def __init__(self, home: Home, rules: Rulebook) -> None:
        self._store, self._clock = home.store, home.clock
        self._rules, self._flags = rules, Flags(home)
        self._folder = home.notebook
        self._notebook = Notebook(home.notebook)

    def handoff(self, project: str | None = None) -> str:
        """Work in hand, open commitments, what is new, flags: of one project, or of all."""
        now, lately = self._clock(), self._store.lately
        work = [_in_work(work) for work in lately.work_in_hand(before(now, _IN_HAND), _PROJECTS, project)]
        return handoff(
            Page(
                written_at=now,
                work=work,
                more_work=max(0, lately.unended(project) - len(work)),
                open=self._newest(("commitment", "task"), _OPEN, project=project),
                recent=self._newest(CATEGORIES, _NEWEST, since=before(now, _RECENT), project=project),
                flags=self._flags.for_people(project),
            )
        )

    def capsule(self, agent: str | None = None) -> str:
        """Who, priorities, critical facts, the last three sessions: of one agent, or of all."""
        rules = [rule for rule in self._rules.all() if agent is None or rule.agent in (None, agent)]
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

    def save(self, session_id: int | None = None) -> None:
        """Write down where everything stands, what matters most first: of sessions this one and those that go on."""
        now, alive = self._clock(), before(self._clock(), _ALIVE)
        heard = self._store.lately.heard(alive, _ALWAYS, session_id=session_id, most=_SESSIONS_OF_A_DAY)
        self._notebook.put(STATE, session_state([self._whole(work) for work in heard], now))
        self._notebook.put(HANDOFF, self.handoff())
        self._notebook.put(CAPSULE, self.capsule())
        written = self._notebook.days()
        # A day is closed when it has passed, but for those who spoke in its last hour.
        spoken = {at[:10] for work in heard if (at := work.last_at) and (at >= alive or at[:10] not in written)}
        for day in sorted({now[:10], *spoken}):
            self._save_day(day)
        self._notebook.put(WAKE, self._wake(now))

    def again(self, words: str | None = None) -> bool:
        """Words were forgotten: every file is written anew from what is left. Whether there were any."""
        typed = {
            day: [line for line in self._typed(day) if words is None or words not in line]
            for day in self._notebook.days()
        }
        if not drop_files(self._folder):
            return False
        self.save()
        for day, lines in typed.items():
            self._save_day(day, lines)
        return True

    def close_day(self, day: str) -> None:
        """The page of a day with its recap, if there is none yet. One that is over and written stays as it is."""
        if day == self._clock()[:10] or day not in self._notebook.days():
            self._save_day(day)

    def _save_day(self, day: str, typed: list[str] | None = None) -> None:
        """The file of a day, whole, with what people typed into it."""
        since, until = f"{day}T00", f"{day}T99"
        heard = self._store.lately.heard(since, until, most=_SESSIONS_OF_A_DAY)
        told = self._learnt(since, until, None)
        if heard or told:
            sessions = [self._on_day(work, since, until) for work in heard]
            learnt = [*(entry for one in sessions for entry in one.entries), *told]
            left = [work.checkpoint.next[0] for work in heard if work.checkpoint.next][-_LEFT:]
            end = recap((work.project for work in heard), learnt, left)
            typed = self._typed(day) if typed is None else typed
            self._put_day(day, day_file(day, sessions, told) + with_notes(typed) + end)
        elif typed:
            self._put_day(day, f"# {day}\n{with_notes(typed)}")

    def _typed(self, day: str) -> list[str]:
        """What people wrote into the page of a day."""
        found = self._notebook.look_at_day(day)
        return notes(self._store.pages.text(OWN, day), found) if found else []

    def _put_day(self, day: str, text: str) -> None:
        """Write it, and keep what we wrote, so that what people add can be told from it."""
        self._notebook.put_day(day, text)
        self._store.pages.put(Written(OWN, day, hash_of(text), 0), text)

    def _whole(self, work: Worked) -> Session:
        return Session(work=_in_work(work), entries=self._store.entries.all(session_id=work.id))

    def _on_day(self, work: Worked, since: str, until: str) -> Session:
        facts, used = self._store.briefed.session(work.id)
        fill = 100 * used // facts.context_window if used is not None and facts.context_window else None
        return Session(work=_in_work(work), entries=self._learnt(since, until, work.id), fill=fill)

    def _learnt(self, since: str, until: str, session_id: int | None) -> list[Entry]:
        return self._store.entries.some(self._store.lately.learnt(since, until, session_id, _ENTRIES_OF_A_DAY))

    def _wake(self, now: str) -> str:
        known: dict[str, Sequence[Category]] = {
            "Who": ("agent_state",), "Refused": ("rejected",), "Decided": ("decision",), "Failed": ("exclusion",),
            "Facts": ("fact",), "Priorities": ("context",), "Open commitments and tasks": ("commitment", "task"),
        }  # fmt: skip
        in_hand = self._store.lately.work_in_hand(before(now, _IN_HAND), _PROJECTS)
        return wake_state(
            Wake(
                written_at=now,
                work=[_in_work(work) for work in in_hand],
                rules=[rule for rule in self._rules.all() if rule.origin in PEOPLE][:_RULES],
                known={title: self._newest(categories, _NEWEST) for title, categories in known.items()},
                sessions=[_in_work(work) for work in self._store.lately.last_worked(None, _LAST)],
                flags=self._flags.for_people(),
            )
        )

    def _newest(
        self, categories: Sequence[Category], most: int, *, since: str = "", agent: str | None = None,
        project: str | None = None,
    ) -> list[Entry]:  # fmt: skip
        """The newest entries of some categories, the newest first."""
        ids = self._store.lately.newest(categories, most, since=since, agent=agent, project=project)
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
