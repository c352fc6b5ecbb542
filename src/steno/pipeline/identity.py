"""Fast identity: the handoff, the capsule and the long form, made from what is newest in the store; and the files that
are saved at every boundary."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from typing import Final

from steno.briefing.entries import OLD_DAYS, dated, said, told, whole, words_of
from steno.briefing.handoff import goals, noted, page, stands, what
from steno.briefing.render import quoted, safe
from steno.clock import before
from steno.home import Home
from steno.notebook.recap import notes, recap, with_notes
from steno.pipeline.boot import standing_of
from steno.pipeline.flags import Flags
from steno.pipeline.notebook import CAPSULE, HANDOFF, STATE, WAKE, Notebook, drop_files, hash_of
from steno.pipeline.rulebook import Rulebook
from steno.store.pages import OWN, Written
from steno.vocabulary import CATEGORIES, PEOPLE, Category, Entry

COLD_START: Final = "no capsule: cold start\n"
# Work nobody went on with for a week is not in hand any more; a task nobody spoke of for weeks may long be done.
_IN_HAND: Final = timedelta(days=7)
_OPEN: Final = timedelta(days=OLD_DAYS)
_RECENT: Final = timedelta(hours=4)
# A session nobody was heard in for an hour is not going on.
_ALIVE: Final = timedelta(hours=1)
# Later than any time.
_ALWAYS: Final = "9999"
_SESSIONS_OF_A_DAY, _ENTRIES, _RULES = 50, 100, 60
# Of what was left to do at the end of a day.
_LEFT: Final = 5
_PROJECTS, _TASKS, _NEWEST, _TRAITS, _FACTS = 8, 7, 30, 10, 60
# Sessions that a capsule and the long form name.
_SHORT, _LONG = 3, 10
_KNOWN: Final[Mapping[str, Sequence[Category]]] = {
    "Who": ["agent_state"], "Refused": ["rejected"], "Decided": ["decision"], "Failed": ["exclusion"],
    "Facts": ["fact"], "Priorities": ["context"],
}  # fmt: skip


class Identity:
    """What an agent that knows nothing yet must know first."""

    def __init__(self, home: Home, rules: Rulebook) -> None:
        self._store, self._clock = home.store, home.clock
        self._rules, self._flags = rules, Flags(home)
        self._folder = home.notebook
        self._notebook = Notebook(home.notebook)

    def handoff(self, project: str | None = None) -> str:
        """Work in hand, open commitments, what is new, flags: of one project, or of all."""
        now = self._clock()
        return page("handoff", now, {
            "Active work": self._in_hand(now, project),
            "Open commitments and tasks": self._open(now, project),
            "New in the last 4 hours": noted(self._newest(CATEGORIES, _NEWEST, before(now, _RECENT), project), now),
            "Flags": self._warnings(project),
        })  # fmt: skip

    def capsule(self, agent: str | None = None) -> str:
        """Who, priorities, critical facts, the last three sessions: of one agent, or of all."""
        now = self._clock()
        rules = [rule.id for rule in self._rules.all("critical") if agent is None or rule.agent in (None, agent)]
        facts = [*self._store.entries.in_order(rules[:_FACTS]), *self._newest(["fact"], _FACTS, agent=agent)]
        who = _each_once(self._newest(["agent_state"], _TRAITS, agent=agent), now)
        priorities = _each_once(self._newest(["context"], _TRAITS, agent=agent), now)
        sessions = self._sessions(agent, _SHORT, now)
        if not (who or priorities or sessions or (facts and not agent)):
            return COLD_START
        return page("capsule", now, {
            "Who": [f"- agent {safe(agent, 80)}", *who] if agent else who,
            "Priorities": priorities,
            "Critical facts": _each_once(facts, now)[:_FACTS],
            "Last sessions": sessions,
        })  # fmt: skip

    def save(self, session_id: int | None = None) -> None:
        """Write down where everything stands, what matters most first: of sessions this one and those that go on."""
        now, alive = self._clock(), before(self._clock(), _ALIVE)
        heard = self._store.lately.heard(alive, _ALWAYS, session_id=session_id, most=_SESSIONS_OF_A_DAY)
        stand = [line for work in heard for line in stands(standing_of(self._store, work), now)]
        self._notebook.put(STATE, page("session-state", now, {"Sessions": stand}))
        self._notebook.put(HANDOFF, self.handoff())
        self._notebook.put(CAPSULE, self.capsule())
        written = self._notebook.days()
        # A day is closed when it has passed, but for those who spoke in its last hour.
        spoken = {at[:10] for work in heard if (at := work.last_at) and (at >= alive or at[:10] not in written)}
        for day in sorted({now[:10], *spoken}):
            self._save_day(day, self._typed(day))
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
            self._save_day(day, self._typed(day))

    def _save_day(self, day: str, typed: Sequence[str]) -> None:
        """The file of a day: each session, where it stood, what was learnt in it that day, what people typed into the
        page, and a recap. What we wrote is kept, so that what people add can be told from it."""
        since, until = f"{day}T00", f"{day}T99"
        heard = self._store.lately.heard(since, until, most=_SESSIONS_OF_A_DAY)
        told_ = self._learnt(since, until, None)
        if not (heard or told_ or typed):
            return
        lines, learnt = [f"# {day}"], []
        for work in heard:
            here = self._learnt(since, until, work.id)
            _, *standing = stands(standing_of(self._store, work), day)
            name = f"session {work.source}:{safe(work.session, 120)}"
            lines += ["", f"## {(work.last_at or '')[11:16]} {name}", *standing, *_timed(here)]
            learnt += here
        lines += ["", "## Told", *_timed(told_)] if told_ else []
        left = [work.checkpoint.next[0] for work in heard if work.checkpoint.next][-_LEFT:]
        end = recap((work.project for work in heard), [*learnt, *told_], left)
        text = "\n".join([*lines, ""]) + with_notes(typed) + end
        self._notebook.put_day(day, text)
        self._store.pages.put(Written(OWN, day, hash_of(text), 0), text)

    def _typed(self, day: str) -> list[str]:
        """What people wrote into the page of a day."""
        found = self._notebook.look_at_day(day)
        return notes(self._store.pages.text(OWN, day), found) if found else []

    def _wake(self, now: str) -> str:
        """The long form: who, what, why and where it stands, for a mind that wakes without any of it."""
        rules = [rule.id for rule in self._rules.all() if rule.origin in PEOPLE and rule.source == "rule"][:_RULES]
        known = {title: noted(self._newest(categories, _NEWEST), now) for title, categories in _KNOWN.items()}
        return page("wake-state", now, {
            "Work in hand": self._in_hand(now),
            "Rules in force": noted(self._store.entries.in_order(rules), now),
            **known,
            "Open": self._open(now),
            "Last sessions": self._sessions(None, _LONG, now),
            "Flags": self._warnings(),
        })  # fmt: skip

    # -- lines of pages ----------------------------------------------------------------------------------------------

    def _in_hand(self, now: str, project: str | None = None) -> list[str]:
        """The latest session of each project, and how many pieces of work nobody ended or went on with."""
        works = self._store.lately.work_in_hand(before(now, _IN_HAND), _PROJECTS, project)
        lines = [line for work in works for line in stands(standing_of(self._store, work), now)]
        besides = self._store.lately.unended(project) - len(works)
        how = "besides" if works else "none lately"
        return [*lines, *([f"- {how}, not ended (`steno sessions work`): {besides}"] if besides > 0 else [])]

    def _sessions(self, agent: str | None, most: int, now: str) -> list[str]:
        """The last sessions, and what they were about."""
        lines = []
        for work in self._store.lately.last_worked(agent, most):
            where = f" in {safe(work.project, 80)}" if work.project else ""
            asked = "; then: ".join(quoted(whole(text, 40)) for text in goals(work.checkpoint))
            when = dated(work.last_at, now) or "no day noted"
            lines.append(f"- {when}, {work.source}:{safe(work.session, 60)}{where}: {asked or 'no goal named'}")
        return lines

    def _open(self, now: str, project: str | None = None) -> list[str]:
        """Tasks and promises of the last weeks that nobody was seen to end."""
        return noted(self._newest(["commitment", "task"], _TASKS, before(now, _OPEN), project), now)

    def _warnings(self, project: str | None = None) -> list[str]:
        return [f"- {safe(flag, 240)}" for flag in self._flags.for_people(project)]

    def _learnt(self, since: str, until: str, session_id: int | None) -> list[Entry]:
        return self._store.entries.some(self._store.lately.learnt(since, until, session_id, _ENTRIES))

    def _newest(
        self, categories: Sequence[Category], most: int, since: str = "", project: str | None = None,
        agent: str | None = None,
    ) -> list[Entry]:  # fmt: skip
        """The newest entries of some categories, the newest first."""
        ids = self._store.lately.newest(categories, most, since=since, agent=agent, project=project)
        return self._store.entries.in_order(ids)


def _timed(entries: Iterable[Entry]) -> list[str]:
    return [f"- {(entry.created_at or '')[11:16]} {what(entry)}{said(entry)}" for entry in entries]


def _each_once(entries: Iterable[Entry], now: str) -> list[str]:
    """Whole sentences, each once; what was told of a project with its name."""
    found = {(one.project, words_of(one).casefold()): one for one in entries if not words_of(one).endswith(":")}
    where = [(f"in {safe(one.project, 80)}: " if one.project else "", one) for one in found.values()]
    return [f"- {place}{told(one, now)}" for place, one in where]
