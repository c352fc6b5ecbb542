"""Briefings: from the store to the text an agent is told, with a receipt."""

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from msgspec import structs

from steno.briefing.anti_loop import Refused, allowed
from steno.briefing.boot import Start, boot, small_boot
from steno.briefing.handoff import inline
from steno.briefing.tiers import brief
from steno.briefing.work import Work
from steno.clock import Clock
from steno.pipeline.fill import tokens_left
from steno.pipeline.replay import stood
from steno.store import Store
from steno.tokens import count
from steno.vocabulary import AT_WORK, PEOPLE, TIER_TOKENS, Briefing, Checkpoint, Entry, Origin, Session
from steno.vocabulary.briefings import ReceiptKind, Why
from steno.vocabulary.errors import StenoError, StoreError, WrongUse

if TYPE_CHECKING:
    from steno.pipeline.flowbook import Flowbook
    from steno.pipeline.rulebook import Rulebook

# Of each category so many entries are looked at, the latest first.
_MOST: Final = 40
# Turns that can be told, by tier.
_SAID: Final = {0: 4, 1: 30, 2: 30, 3: 4_000}
# Flows named at the start.
_FLOWS: Final = 10


class NoRoom(StenoError):
    """A briefing that would not fit the agent's context."""


class Briefer:
    """Makes briefings and keeps their receipts."""

    def __init__(
        self,
        store: Store,
        rules: "Rulebook",
        flows: "Flowbook",
        *,
        clock: Clock,
        flags: Callable[[str | None], list[str]],
    ) -> None:
        self._store = store
        # What an agent of a project should know of, in words.
        self._flags = flags
        self._rules = rules
        self._flows = flows
        self._clock = clock

    def brief(
        self, tier: int, session: str = "latest", *, at: str | None = None, pushed: bool = False, given: bool = True
    ) -> Briefing:
        """What an agent is told after its context was lost; `pushed` by us rather than asked for, never too much."""
        if tier not in TIER_TOKENS:
            raise WrongUse(f"there is no tier {tier}", hint=f"the tiers are {', '.join(map(str, TIER_TOKENS))}")
        session_id = self._session(session, at)
        facts, _ = self._store.briefed.session(session_id)
        looks_back_or_small = at is not None or (tier == 0 and not pushed)
        budget = TIER_TOKENS[tier] if looks_back_or_small else self._budget(tier, session_id, facts, pushed=pushed)
        work = self.work(session_id, facts, tier, at)
        items, text = brief(work, tier, budget=budget, day=self._day(session_id, facts, at) if tier == 2 else ())
        return self._made("brief", items, text, tier=tier, session_id=session_id, facts=facts, at=at, given=given)

    def boot(
        self, *, project: str | None = None, agent: str | None = None, session: str | None = None,
        at: str | None = None, small: bool = False, given: bool = True,
    ) -> Briefing:  # fmt: skip
        """What an agent is told when it starts."""
        session_id = self._store.briefed.latest_work(project, at)
        # Without a project, what belongs to one is told to nobody.
        chosen, more = self._rules.for_boot(project or "", agent or "", at=at)
        facts = None if session_id is None else self._store.briefed.session(session_id)[0]
        start = Start(
            rules=chosen,
            more_critical=more,
            entries=self._live(PEOPLE, None, project, agent, at),
            flows=[
                flow for flow in self._flows.all(status="active", project=project, at=at) if flow.agent in (None, agent)
            ][:_FLOWS],
            work=None if session_id is None or facts is None else self._checkpoint(session_id, at),
            flags=self._flags(project),
        )
        items, text = small_boot(start) if small else boot(start)
        return self._made("boot", items, text, name=session, agent=agent, at=at, given=given)

    def state_line(self, session: str, at: str | None, *, given: bool = True) -> str:
        """Where a session's work stands, on one line."""
        session_id = self._session(session, at)
        facts, _ = self._store.briefed.session(session_id)
        live = self._live(PEOPLE, session_id, facts.project, facts.agent, at)
        decisions = [entry for entry in live if entry.category == "decision" and entry.session == facts.session]
        last = decisions[-1] if decisions else None
        text = inline(self._checkpoint(session_id, at), last)
        items = ["goal", "phase", "next", *([f"entry:{last.id}"] if last else [])]
        told = self._made("brief", items, text, tier=0, session_id=session_id, facts=facts, at=at, given=given)
        return told.text

    def given(self, briefing: Briefing, why: Why, *, session: str | None) -> None:
        """The receipt of what was really handed over to a session; if it cannot be kept, it was handed over anyway."""
        facts = self._store.gates.session(session) if session and briefing.turn is None else None
        turn = briefing.turn if facts is None else facts.turn
        with suppress(StoreError):
            self._store.receipts.put(structs.replace(briefing, session=session, turn=turn), why, self._clock())

    def work(self, session_id: int, facts: Session, tier: int, at: str | None) -> Work:
        """Where a session's work stands, or stood."""
        return Work(
            checkpoint=self._checkpoint(session_id, at),
            entries=self._live(AT_WORK, session_id, facts.project, facts.agent, at),
            rules=self._rules.all(project=facts.project, agent=facts.agent, at=at),
            said=self._store.briefed.last_said(session_id, at, _SAID[tier]),
            session=facts.session,
        )

    # ----------------------------------------------------------------------------------------------------------------

    def _budget(self, tier: int, session_id: int, facts: Session, *, pushed: bool) -> int:
        """How much may be told now."""
        left = tokens_left(self._store, session_id) if pushed else self._told_left(session_id)
        compactions = [one.at for one in self._store.fills.boundaries(session_id) if one.at] if pushed else []
        given = self._store.receipts.of(facts.session) if pushed else []
        amount = allowed(tier=tier, tokens_left=left, compactions=compactions, given=given, now=self._clock())
        if isinstance(amount, Refused):
            raise NoRoom(f"no briefing of tier {tier}: {amount.reason}", hint="a smaller tier may fit")
        return amount.tokens

    def _session(self, session: str, at: str | None) -> int:
        """The session meant; the latest one is the latest of its time."""
        then = self._store.briefed.latest(at) if at is not None and session == "latest" else None
        return self._store.journal.session_id(session) if then is None else then

    def _told_left(self, session_id: int) -> int | None:
        """Room in a context as the host told last: who asks for a briefing may be another session than it is about."""
        facts, used = self._store.briefed.session(session_id)
        return None if facts.context_window is None or used is None else facts.context_window - used

    def _checkpoint(self, session_id: int, at: str | None) -> Checkpoint:
        """As it stands; for an earlier time the session is read again up to there."""
        if at is None:
            return self._store.entries.checkpoint(session_id) or Checkpoint()
        return stood(self._store, session_id, lambda turn: turn.turn.at is not None and turn.turn.at <= at)

    def _live(
        self, origins: frozenset[Origin], session_id: int | None, project: str | None, agent: str | None, at: str | None
    ) -> list[Entry]:
        return self._store.briefed.live(
            origins, session_id=session_id, project=project, agent=agent, until=at, most=_MOST
        )

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
        given: bool = True,
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
            self.given(briefing, "asked", session=briefing.session)
        return briefing
