"""What an agent is told when it starts, and the one-line form: read from the store, handed over with a receipt."""

import re
from typing import TYPE_CHECKING, Any, Final

from steno.briefing.boot import (
    COLD,
    NEW,
    QUIET,
    REFUSALS,
    RULES,
    Sections,
    Told,
    boot,
    capability,
    entries,
    flow,
    messages,
    north_star,
    small_boot,
)
from steno.briefing.entries import dated, held
from steno.briefing.handoff import Standing, inline, standing
from steno.briefing.render import safe
from steno.home import Home
from steno.language.sentence import sentences
from steno.pipeline.flags import Flags
from steno.pipeline.flowbook import Flowbook
from steno.pipeline.replay import stood
from steno.pipeline.rulebook import Rulebook
from steno.rules.score import BOOT
from steno.store import Store
from steno.store.lately import Worked
from steno.tokens import count
from steno.vocabulary import PEOPLE, Briefing, Category, Checkpoint, Entry

if TYPE_CHECKING:
    from steno.pipeline.brief import Briefer

# Of what is in force the latest are looked at, and of some lists fewer are told.
_MOST: Final = 40
_DECISIONS, _LESSONS, _FLOWS, _ABLE = 10, 5, 10, 8
# Calls that Steno held, the latest; and letters of what they gave back, where the rule is quoted.
_HELD, _PRINTED = 3, 2_000
_QUOTED: Final = re.compile(r"“([^”]{1,1000})”")


class Starts:
    """Makes what is told at a start and on one line."""

    def __init__(self, home: Home, rules: Rulebook, briefer: "Briefer") -> None:
        self._store, self._clock, self._briefer = home.store, home.clock, briefer
        self._rules, self._flows, self._flags = rules, Flowbook(home), Flags(home)

    def boot(
        self, *, project: str | None = None, agent: str | None = None, session: str | None = None,
        at: str | None = None, small: bool = False, given: bool = True,
    ) -> Briefing:  # fmt: skip
        """What an agent is told when it starts. Without a project, what belongs to one is told to nobody."""
        sections, more = self._sections(project, agent, at)
        heard = self._store.journal.latest_in(project) is not None
        otherwise = QUIET if heard else NEW if self._store.searched.last_turn() else COLD
        made = small_boot(sections, more) if small else boot(sections, more, otherwise)
        about = {"kind": "boot", "session": session, "agent": agent, "because": made.because}
        return self._made(made.items, made.text, at, given, about)

    def state_line(self, session: str, at: str | None, *, given: bool = True) -> Briefing:
        """Where a session's work stands, on one line."""
        then = self._store.briefed.latest(at) if at and session == "latest" else None
        id_ = then or self._store.journal.session_id(session)
        facts, _ = self._store.briefed.session(id_)
        settled = self._live("decision", facts.project, facts.agent, at, session_id=id_)
        here = [one for one in settled if one.session == facts.session]
        text = inline(checkpoint(self._store, id_, at), here[:1], at or self._clock())
        items = ["goal", "next", *(f"entry:{one.id}" for one in here[:1])]
        about = {"tier": 0, "session": facts.session, "agent": facts.agent, "turn": self._store.briefed.last_turn(id_)}
        return self._made(items, text, at, given, about)

    def _sections(self, project: str | None, agent: str | None, at: str | None) -> tuple[Sections, dict[str, int]]:
        """All that could be told, and how many rules and refusals are in force besides."""
        store, here, now = self._store, project or "", at or self._clock()
        name, facts = store.agents.called(agent or "", project)
        chosen, more = self._rules.for_boot(here, agent or "", at=at)
        rules = store.entries.in_order(rule.id for rule in chosen)
        all_rules = self._rules.all(None, here, agent or "", at)
        # Lessons of people, the newest first; then those of agents that proved themselves.
        proven = [rule.id for rule in all_rules if rule.source == "learning" and rule.score >= BOOT]
        lessons = [*self._live("learning", project, agent, at), *store.entries.in_order(proven)]
        lessons = [one for one in lessons if one not in rules][:_LESSONS]
        refusals = [one for one in self._live("rejected", project, agent, at) if self._rules.holds(one)]
        refused = sum(rule.source == "rejected" and rule.status == "critical" for rule in all_rules)
        decisions = self._live("decision", project, agent, at)[:_DECISIONS]
        session = store.briefed.latest_work(project, at)
        work = None if session is None else standing_of(store, store.lately.worked(session), at)
        unread = store.messages.unread(name, facts.domains, now) if name and at is None else []
        last = f" (last here {dated(work.work.last_at, now)})" if work and work.work.last_at else ""
        sections = {
            RULES: entries("rule", rules, now),
            # Of an earlier time nobody knows these.
            "capabilities": [] if at else [*map(capability, store.capabilities.of(name, {here})[:_ABLE])],
            "lessons": entries("entry", lessons, now),
            "flows": [*map(flow, self._flows.all("active", here, at, agent=agent or "")[:_FLOWS])],
            REFUSALS: entries("entry", refusals, now),
            "the human's decisions": entries("entry", decisions, now),
            f"where the last work stood{last}": _work(work, now) if work else [],
            "north star": [] if at else north_star(facts.star),
            "from other agents, not from the user": messages(unread, name),
            "flags": [] if at else [Told("flag", safe(flag, 200)) for flag in self._flags.for_agents(project)],
        }
        return sections, {RULES: more, REFUSALS: max(0, refused - len(refusals))}

    def _live(
        self, category: Category, project: str | None, agent: str | None, at: str | None, session_id: int | None = None
    ) -> list[Entry]:
        """What people said that is in force, the newest first."""
        found = self._store.briefed.live(
            PEOPLE, session_id=session_id, project=project, agent=agent, until=at, most=_MOST, categories=[category]
        )
        return [one for one in reversed(found) if one.certainty == "confirmed" and one.status == "active"]

    def _made(self, items: list[str], text: str, at: str | None, given: bool, about: dict[str, Any]) -> Briefing:
        """The briefing; with its receipt, if whoever asked has it now. One that looks back is given to nobody."""
        ids = [item.partition(":")[2] for item in items if item.startswith(("entry:", "rule:"))]
        told = {"tier": None, "entries": ids, "items": items, "at": at or self._clock(), **about}
        briefing = Briefing(text=text, tokens=count(text), **told)
        if at is None and given:
            self._briefer.given(briefing, "asked", session=briefing.session)
        return briefing


def standing_of(store: Store, work: Worked, at: str | None = None) -> Standing:
    """Where the work of a session stands, or stood."""
    if at is not None:
        then = min(work.last_at or at, at)
        work = work._replace(last_at=then, checkpoint=checkpoint(store, work.id, at))
    return Standing(work, _asked(store, work.id, at), _held(store, work.checkpoint))


def checkpoint(store: Store, session_id: int, at: str | None) -> Checkpoint:
    """As it stands; for an earlier time the session is read again up to there."""
    if at is None:
        return store.entries.checkpoint(session_id) or Checkpoint()
    return stood(store, session_id, lambda turn: turn.turn.at is not None and turn.turn.at <= at)


def _work(one: Standing, now: str) -> list[Told]:
    lines = [Told(name, text) for name, text in standing(one, now)]
    more = f"in full: `steno brief --session {safe(one.work.session[:8])}`"
    return [*lines, Told("more", more)] if lines else []


def _asked(store: Store, session_id: int, at: str | None) -> str:
    """What the agent's last words ask in the end, if nobody spoke since."""
    last = [one.turn for one in store.briefed.last_said(session_id, at, 1) if one.turn.role == "assistant"]
    ends = [one.text for turn in last for one in sentences(turn.text[-_PRINTED:])[-1:]]
    return "".join(text for text in ends if text.endswith(("?", "？")))


def _held(store: Store, point: Checkpoint) -> list[str]:
    """Calls that Steno held and that were not made since, with the rule as it was quoted then."""
    last = {one.command: one for one in point.trail.commands}
    waiting = [one for one in last.values() if one.held][-_HELD:]
    quoted = (_QUOTED.search(store.briefed.printed(one.turn, _PRINTED)) for one in waiting)
    return [held(one.command, found[1] if found else "") for one, found in zip(waiting, quoted, strict=True)]
