"""Briefings: from the store to the text an agent is told, with a receipt."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from typing import Final

from msgspec import structs

from steno.briefing.anti_loop import after_compaction, does_not_fit
from steno.briefing.boot import Start, boot, small_boot
from steno.briefing.handoff import inline
from steno.briefing.in_force import in_force
from steno.briefing.noted import Note
from steno.briefing.report import spoken
from steno.briefing.shown import Shown
from steno.briefing.state import Cut
from steno.briefing.tiers import brief
from steno.briefing.work import Work
from steno.home import Home
from steno.pipeline.flags import Flags
from steno.pipeline.flowbook import Flowbook
from steno.pipeline.replay import stood
from steno.pipeline.rulebook import Rulebook
from steno.pipeline.weighing import weigh_session
from steno.rules.score import CRITICAL
from steno.store.exchanges import Standing
from steno.tokens import count
from steno.vocabulary import (
    AT_WORK,
    CATEGORIES,
    PEOPLE,
    TIER_TOKENS,
    Briefing,
    Category,
    Checkpoint,
    Entry,
    JournalTurn,
    Origin,
    Session,
    TrailCommand,
)
from steno.vocabulary.briefings import ReceiptKind, Why
from steno.vocabulary.errors import StenoError, StoreError, WrongUse
from steno.vocabulary.utterances import Utterance

# Of each category so many entries are looked at, the latest first; of refusals at a start, so that they are counted.
_MOST = 40
# Turns that can be told, by tier.
_SAID: Final = {1: 30, 2: 30, 3: 4_000}
# Utterances that are looked at: those that would be missed most, and the last ones.
_SHOWN, _LAST = 60, 12
# Rules and refusals of other sessions that are told.
_ELSEWHERE: Final = 6
_BESIDE: Final[tuple[Category, ...]] = ("rule", "rejected", "exclusion", "decision", "discovery", "learning")
# In which people come back to what they decided.
_SETTLING: Final[tuple[Category, ...]] = ("decision", "rejected", "rule", "task", "fact", "context")
# Messages of the agent that are looked at.
_SPOKEN: Final = 5
# Letters at the end of an output that are looked at.
_PRINTED: Final = 2_000
# Words that come while the agent is at work; and how many make a command an assignment.
_MEANWHILE: Final = ("queued", "answer")
_SHORT: Final = 4
# Flows named at the start.
_FLOWS: Final = 10
# Capabilities named at the start.
_ABLE: Final = 8


class NoRoom(StenoError):
    """A briefing that would not fit the agent's context."""


class Briefer:
    """Makes briefings and keeps their receipts."""

    def __init__(self, home: Home, rules: Rulebook) -> None:
        self._store, self._clock = home.store, home.clock
        self._rules, self._flows, self._flags = rules, Flowbook(home), Flags(home)

    def brief(
        self, tier: int, session: str = "latest", *, at: str | None = None, pushed: bool = False, given: bool = True
    ) -> Briefing:
        """What an agent is told after its context was lost; `pushed` by us, as the host says that it is lost now."""
        if tier not in TIER_TOKENS:
            raise WrongUse(f"there is no tier {tier}", hint=f"the tiers are {', '.join(map(str, TIER_TOKENS))}")
        session_id = self._session(session, at)
        facts, _ = self._store.briefed.session(session_id)
        budget = after_compaction(self._store.receipts.of(facts.session), self._clock()) if pushed else None
        work = self.work(session_id, facts, tier, at, lost=pushed)
        items, text = brief(work, tier, budget=budget, day=self._day(session_id, facts, at) if tier >= 2 else ())
        if tier and at is None:
            self._must_fit(tier, text, facts.project)
        return self._made(
            "brief", items, text, tier=tier, session_id=session_id, facts=facts, at=at, given=given,
            why="compaction" if pushed else "asked",
        )  # fmt: skip

    def boot(
        self, *, project: str | None = None, agent: str | None = None, session: str | None = None,
        at: str | None = None, small: bool = False, given: bool = True,
    ) -> Briefing:  # fmt: skip
        """What an agent is told when it starts."""
        session_id = self._store.briefed.latest_work(project, at)
        # Without a project, what belongs to one is told to nobody.
        chosen, more = self._rules.for_boot(project or "", agent or "", at=at)
        facts = None if session_id is None else self._store.briefed.session(session_id)[0]
        name, facts_told = self._store.agents.called(agent or "", project)
        unread = self._store.messages.unread(name, facts_told.domains, self._clock()) if name and at is None else []
        start = Start(
            able=self._store.capabilities.of(name, {project or ""})[:_ABLE],
            star=facts_told.star,
            messages=unread,
            name=name,
            rules=chosen,
            more_critical=more,
            refusals=sum(
                rule.source == "rejected" for rule in self._rules.all("critical", project or "", agent or "", at)
            ),
            entries=self._live(PEOPLE, None, project, agent, at),
            decisions=in_force(self._live(PEOPLE, None, project, agent, at, _SETTLING)),
            flows=self._flows.all("active", project or "", at, agent=agent or "")[:_FLOWS],
            work=None if session_id is None else self._checkpoint(session_id, at),
            session=facts.session if facts else "",
            asked="" if session_id is None else _question(self._cut(session_id, [], at, ()).agent),
            learnt=self._learnt(project or "") if at is None else {},
            flags=self._flags.for_agents(project),
            cold=not self._store.searched.last_turn(),
        )
        items, text = small_boot(start) if small else boot(start)
        return self._made("boot", items, text, name=session, agent=agent, at=at, given=given)

    def state_line(self, session: str, at: str | None, *, given: bool = True) -> Briefing:
        """Where a session's work stands, on one line."""
        session_id = self._session(session, at)
        facts, _ = self._store.briefed.session(session_id)
        live = self._live(PEOPLE, session_id, facts.project, facts.agent, at)
        decisions = [entry for entry in live if entry.category == "decision" and entry.session == facts.session]
        last = decisions[-1] if decisions else None
        text = inline(self._checkpoint(session_id, at), last)
        items = ["goal", "phase", "next", *([f"entry:{last.id}"] if last else [])]
        return self._made("brief", items, text, tier=0, session_id=session_id, facts=facts, at=at, given=given)

    def given(self, briefing: Briefing, why: Why, *, session: str | None) -> None:
        """The receipt of what was really handed over to a session; if it cannot be kept, it was handed over anyway."""
        facts = self._store.gates.session(session) if session and briefing.turn is None else None
        turn = briefing.turn if facts is None else facts.turn
        with suppress(StoreError):
            self._store.receipts.put(structs.replace(briefing, session=session, turn=turn), why, self._clock())

    def work(self, session_id: int, facts: Session, tier: int, at: str | None, *, lost: bool = False) -> Work:
        """Where a session's work stands, or stood; `lost`: its context is gone."""
        point = self._checkpoint(session_id, at)
        rules = {rule.id: rule.score for rule in self._rules.all(project=facts.project, agent=facts.agent, at=at)}
        live = self._live(AT_WORK, session_id, facts.project, facts.agent, at, _BESIDE)
        weigh_session(self._store, session_id)
        told = self._store.exchanges.told(session_id, at, most=_SHOWN, last=_LAST)
        shown = self._shown(session_id, told, rules, _agreed(live), at)
        cut = self._cut(session_id, shown, at, point.trail.commands[-1:])
        head, summary = self._lost(session_id, at, lost=lost)
        return Work(
            checkpoint=point,
            cut=cut,
            shown=shown,
            entries=_beside(live, rules, facts.session, {one.utterance.turn for one in shown}),
            said=self._store.briefed.last_said(session_id, at, _SAID[tier], calls=tier == 3) if tier else (),
            session=facts.session,
            head=head,
            summary=summary,
            note=self._note(session_id, at),
        )

    def _note(self, session_id: int, at: str | None) -> Note | None:
        """What a model noted of a session last."""
        last = self._store.readings.last(session_id, at)
        return None if last is None else Note(last.note, last.model, last.last, last.at)

    def _shown(
        self, session_id: int, told: list[tuple[Utterance, int]], rules: Mapping[str, float],
        agreed: Mapping[int, str], at: str | None,
    ) -> list[Shown]:  # fmt: skip
        """What the human said, without what was taken back or laid aside. What was done is part of what happened."""
        replies = self._store.briefed.replies(session_id, (said.turn for said, _ in told), at)
        standing: dict[int, list[Standing]] = {}
        for one in self._store.exchanges.entries_at((said.turn for said, _ in told), at):
            standing.setdefault(one.turn, []).append(one)
        found = []
        for said, times in told:
            resting = standing.get(said.turn, [])
            live = [one for one in resting if one.status in ("active", "done")]
            if live or not resting:
                answer, reply, until = replies.get(said.turn, ("", "", 0))
                found.append(
                    Shown(
                        utterance=said,
                        times=times,
                        entries=tuple(one.id for one in live),
                        rules=any(one.category == "rule" and one.id in rules for one in live),
                        refuses=any(one.category == "rejected" and rules.get(one.id, 0.0) >= CRITICAL for one in live),
                        agreed=agreed.get(said.turn, "") if said.kind != "answer" else "",
                        answer=answer,
                        reply=reply,
                        until=until,
                    )
                )
        return found

    def _cut(self, session_id: int, shown: list[Shown], at: str | None, ran: Sequence[TrailCommand]) -> Cut:
        """The last things said, and what a command that was `ran` after them printed."""
        briefed = self._store.briefed
        people = briefed.spoken(session_id, "user", at, most=_LAST)
        agent = briefed.spoken(session_id, "assistant", at, most=_SPOKEN)
        spoke = agent[0].id if agent else 0
        # A short command is the host's, unless it has a name or the agent took it up.
        human = next((one for one in people if one.turn.kind != "command" or one.id < spoke or _asks(one)), None)
        last = _last_words(shown, people, human.id) if human else []
        since = [one.turn.text for one in agent if human is None or one.id > human.id]
        return Cut(
            human=human,
            uttered=[one.utterance for one in last],
            entries=tuple(item for one in last for item in one.items),
            agent=since[0] if since else "",
            before="\n\n".join(since[:0:-1]),
            spoke=spoke,
            printed="".join(briefed.printed(one.turn, _PRINTED) for one in ran if one.turn > spoke),
        )

    def _lost(self, session_id: int, at: str | None, *, lost: bool) -> tuple[str, str]:
        """How much of a session is told, and whether it was lost; the host's summary where an agent has only that."""
        much = self._store.briefed.how_much(session_id)
        if much is None:
            return "", ""
        if at is not None:
            return f"A session as it stood at {minute(at)} (UTC).", ""
        until = _later(much.since, much.until)
        said = f"{much.turns} turns, {much.spoken} by the human, {minute(much.since)} to {until} (UTC)"
        boundaries = self._store.fills.boundaries(session_id)
        summary, spoke = self._store.briefed.summary(session_id, boundaries[-1].turn) if boundaries else ("", True)
        if lost or not spoke:
            # The host tells of a loss when it happens, and writes the boundary down later.
            when = _later(much.until, self._clock() if lost else boundaries[-1].at)
            return f"The context of this session was lost in a compaction at {when}: {said}.", "" if spoke else summary
        then = f"; compacted last at {_later(much.until, boundaries[-1].at)}" if boundaries else ""
        return f"An earlier session: {said}{then}.", ""

    # ----------------------------------------------------------------------------------------------------------------

    def _must_fit(self, tier: int, text: str, project: str | None) -> None:
        """Whoever asks works in the project, and was heard of last there: it may be another session than the one the
        briefing is about."""
        latest = self._store.journal.latest_in(project)
        facts, used = self._store.briefed.session(latest) if latest is not None else (None, None)
        window = facts.context_window if facts else None
        # More than fits is in none: the window is not known then.
        if window is None or used is None or used > window:
            return
        if (tokens := count(text)) > window - used:
            reason = does_not_fit(tier, tokens, window - used)
            raise NoRoom(f"no briefing of tier {tier}: {reason}", hint="a smaller tier may fit")

    def _session(self, session: str, at: str | None) -> int:
        """The session meant; the latest one is the latest of its time."""
        then = self._store.briefed.latest(at) if at is not None and session == "latest" else None
        return self._store.journal.session_id(session) if then is None else then

    def _learnt(self, project: str) -> dict[str, str]:
        """What agents told after their work in a project that they had learnt, as far as only words hold it."""
        return {one.id: one.lesson for one in self._store.gates.lessons_in_words() if one.project == project}

    def _checkpoint(self, session_id: int, at: str | None) -> Checkpoint:
        """As it stands; for an earlier time the session is read again up to there."""
        if at is None:
            return self._store.entries.checkpoint(session_id) or Checkpoint()
        return stood(self._store, session_id, lambda turn: turn.turn.at is not None and turn.turn.at <= at)

    def _live(
        self, origins: frozenset[Origin], session_id: int | None, project: str | None, agent: str | None,
        at: str | None, categories: Collection[Category] = CATEGORIES,
    ) -> list[Entry]:  # fmt: skip
        return self._store.briefed.live(
            origins, session_id=session_id, project=project, agent=agent, until=at, most=_MOST, categories=categories,
        )  # fmt: skip

    def _day(self, session_id: int, facts: Session, at: str | None) -> list[Entry]:
        """What was learnt in the project on the session's last day."""
        day = min(at or self._clock(), self._store.briefed.last_at(session_id) or self._clock())[:10]
        return [
            entry
            for entry in self._live(AT_WORK, None, facts.project, facts.agent, at)
            if (entry.created_at or "").startswith(day)
        ]

    def _made(
        self, kind: ReceiptKind, items: list[str], text: str, *, tier: int | None = None, session_id: int | None = None,
        facts: Session | None = None, name: str | None = None, agent: str | None = None, at: str | None = None,
        given: bool = True, why: Why = "asked",
    ) -> Briefing:  # fmt: skip
        """The briefing; with its receipt, if whoever asked has it now. One that looks back is given to nobody."""
        briefing = Briefing(
            text=text,
            tokens=count(text),
            tier=tier,
            session=facts.session if facts else name,
            at=at or self._clock(),
            entries=[item.partition(":")[2] for item in items if item.startswith(("entry:", "rule:"))],
            items=items,
            kind=kind,
            agent=agent or (facts.agent if facts else None),
            turn=None if session_id is None else self._store.briefed.last_turn(session_id),
        )
        if at is None and given:
            self.given(briefing, why, session=briefing.session)
        return briefing


def minute(at: str | None) -> str:
    """A time as people read it."""
    return f"{at[:10]} {at[11:16]}" if at else "an unknown time"


def _later(since: str | None, until: str | None) -> str:
    """A time as people read it, the day only if it is another one."""
    return minute(until)[11:] if since and until and since[:10] == until[:10] else minute(until)


def _question(words: str) -> str:
    """What an agent's last words ask in the end."""
    return next((one for one in spoken(words)[:-3:-1] if one.endswith(("?", "？"))), "")


def _asks(command: JournalTurn) -> bool:
    return command.turn.is_slash or len(command.turn.text.split()) > _SHORT


def _last_words(shown: Sequence[Shown], people: Sequence[JournalTurn], until: int) -> list[Shown]:
    """What was said since the human last began a turn: what they type meanwhile or answer through a tool goes with
    that."""
    begun = next((one.id for one in people if one.id <= until and one.turn.kind not in _MEANWHILE), until)
    return [one for one in shown if begun <= one.utterance.turn <= until]


def _agreed(live: Sequence[Entry]) -> dict[int, str]:
    """What people agreed to or chose by turn, in the words it was put to them."""
    found = [one for one in live if one.category == "decision" and one.origin in PEOPLE and one.evidence]
    return {one.evidence[0].turn: one.detail.exchange.answered for one in found}


def _beside(live: Sequence[Entry], rules: Mapping[str, float], session: str, said: Collection[int]) -> list[Entry]:
    """What is told beside what the human said in this session: what failed here and what the agent says it decided or
    found, and the first of what binds from elsewhere."""
    active = [entry for entry in live if entry.status == "active"]
    here = [entry for entry in active if entry.origin not in PEOPLE and entry.session == session]
    binds = [
        entry
        for entry in active
        if entry.origin in PEOPLE
        and entry.category in ("rule", "rejected")
        and (entry.id in rules or entry.category == "rejected")
        and not (entry.evidence and entry.evidence[0].turn in said)
    ]
    return [*here, *sorted(binds, key=lambda entry: -rules.get(entry.id, 0))[:_ELSEWHERE]]
