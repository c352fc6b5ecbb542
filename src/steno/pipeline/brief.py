"""Briefings: from the store to the text an agent is told, with a receipt."""

from collections.abc import Collection, Sequence
from contextlib import suppress
from datetime import timedelta
from functools import cache
from itertools import groupby
from typing import Final

from msgspec import structs

from steno.briefing.anti_loop import after_compaction, does_not_fit
from steno.briefing.brief import Work, brief, minute
from steno.briefing.entries import age
from steno.briefing.human import Said
from steno.briefing.render import safe
from steno.briefing.state import When
from steno.clock import before
from steno.home import Home
from steno.pipeline.boot import checkpoint
from steno.pipeline.rulebook import Rulebook
from steno.pipeline.weighing import weigh_session
from steno.rules.stance import lasts
from steno.tokens import count
from steno.vocabulary import (
    AT_WORK,
    PEOPLE,
    TIER_TOKENS,
    Briefing,
    Category,
    Entry,
    Session,
)
from steno.vocabulary.briefings import Why
from steno.vocabulary.errors import StenoError, StoreError, WrongUse

# Pushed into a large context, tier 0 may be this long.
_LARGE, _PUSHED = 100_000, 2_000
# Turns that can be told, by tier.
_SAID: Final = {1: 30, 2: 30, 3: 4_000}
# Of what people said the first and the last is looked at, so many turns of it.
_FIRST, _LAST = 20, 400
# Of each category so many entries are looked at; of what binds elsewhere and what failed here so many are told.
_MOST, _FAILED = 40, 3
_BESIDE: Final[tuple[Category, ...]] = ("rule", "rejected", "exclusion", "decision")
# Messages and calls since the last words that are looked at, and files of other sessions that are told.
_SPOKEN, _PATHS = 8, 5
_HOUR: Final = timedelta(hours=1)


class NoRoom(StenoError):
    """A briefing that would not fit the agent's context."""


class Briefer:
    """Makes briefings and keeps their receipts."""

    def __init__(self, home: Home, rules: Rulebook) -> None:
        self._store, self._clock = home.store, home.clock
        self._rules = rules

    def brief(
        self, tier: int, session: str = "latest", *, at: str | None = None, pushed: bool = False, given: bool = True
    ) -> Briefing:
        """What an agent is told after its context was lost; `pushed` by us, as the host says that it is lost now."""
        if tier not in TIER_TOKENS:
            raise WrongUse(f"there is no tier {tier}", hint=f"the tiers are {', '.join(map(str, TIER_TOKENS))}")
        session_id = self._session(session, at)
        facts, _ = self._store.briefed.session(session_id)
        budget = self._pushed(facts) if pushed else TIER_TOKENS[tier]
        work = self._work(session_id, facts, tier, at, lost=pushed)
        day = self._day(session_id, facts, at) if tier >= 2 else ()
        items, because, text = brief(work, tier, budget=budget, day=day)
        if tier and at is None:
            self._must_fit(tier, text, facts.project)
        briefing = Briefing(
            text=text,
            tokens=count(text),
            tier=tier,
            session=facts.session,
            at=at or self._clock(),
            entries=[item.partition(":")[2] for item in items if item.startswith(("entry:", "rule:"))],
            items=items,
            agent=facts.agent,
            turn=self._store.briefed.last_turn(session_id),
            because=because,
        )
        if at is None and given:
            # One that looks back is given to nobody.
            self.given(briefing, "compaction" if pushed else "asked", session=briefing.session)
        return briefing

    def given(self, briefing: Briefing, why: Why, *, session: str | None) -> None:
        """The receipt of what was really handed over to a session; if it cannot be kept, it was handed over anyway."""
        facts = self._store.gates.session(session) if session and briefing.turn is None else None
        turn = briefing.turn if facts is None else facts.turn
        with suppress(StoreError):
            self._store.receipts.put(structs.replace(briefing, session=session, turn=turn), why, self._clock())

    # -- what is known of a session ------------------------------------------------------------------------------------

    def _work(self, session_id: int, facts: Session, tier: int, at: str | None, *, lost: bool) -> Work:
        """Where a session's work stands, or stood; `lost`: its context is gone."""
        briefed, point = self._store.briefed, checkpoint(self._store, session_id, at)
        live = briefed.live(
            AT_WORK, session_id=session_id, project=facts.project, agent=facts.agent, until=at, most=_MOST,
            categories=_BESIDE,
        )  # fmt: skip
        weigh_session(self._store, session_id)
        said = self._said(session_id, live, at)
        people = briefed.spoken(session_id, "user", at, most=_SPOKEN)
        # A shell command they ran is no word.
        human = next((one for one in people if one.turn.kind != "command" or one.turn.is_slash), None)
        last = human.id if human else 0
        before = briefed.spoken(session_id, "assistant", at, before=last) if last else []
        many, calls = briefed.calls_since(session_id, last, at, most=_SPOKEN)
        reading = self._store.readings.last(session_id, at)
        failed = [one for one in live if one.category == "exclusion" and one.session == facts.session]
        return Work(
            checkpoint=point,
            head=self._head(session_id, facts, point.turn, at, lost=lost),
            said=said,
            last=last,
            handed=human,
            before=before[0] if before else None,
            since=briefed.spoken(session_id, "assistant", at, after=last, most=_SPOKEN)[::-1],
            called=many,
            calls=calls[::-1],
            causes=briefed.causes(session_id, at),
            failed=failed[: -_FAILED - 1 : -1],
            elsewhere=self._elsewhere(live, facts, at, {one.turn for one in said}),
            directory=facts.directory or "",
            when=self._when(briefed.last_at(session_id)),
            now=at or self._clock(),
            messages=briefed.last_said(session_id, at, _SAID[tier], calls=tier == 3) if tier else (),
            note=reading if reading and reading.note else None,
        )

    def _when(self, until: str | None) -> When:
        """When a turn was: the time of day, with the day where that is not the session's last."""

        @cache
        def when(turn: int) -> str:
            at = self._store.briefed.at(turn) or ""
            return at[11:16] if at[:10] == (until or "")[:10] else at[5:16].replace("T", " ")

        return when

    def _said(self, session_id: int, live: Sequence[Entry], at: str | None) -> list[Said]:
        """What the human said by turns, without what a person ended or took back."""
        told = self._store.exchanges.told(session_id, at, first=_FIRST, last=_LAST)
        turns = {one.turn for one, _ in told}
        stands: dict[int, bool] = {}
        for standing in self._store.exchanges.entries_at(turns, at):
            stands[standing.turn] = stands.get(standing.turn, False) or standing.status in ("active", "done")
        resting: dict[int, list[Entry]] = {}
        for entry in live:
            if entry.evidence and entry.origin in PEOPLE:
                resting.setdefault(entry.evidence[0].turn, []).append(entry)
        closings = self._store.briefed.closings(session_id, turns, at)
        found = []
        for turn, several in groupby(told, key=lambda pair: pair[0].turn):
            utterances, times = zip(*several, strict=True)
            until, closing = closings[turn]
            if stands.get(turn, True):
                entries = resting.get(turn, [])
                found.append(Said(utterances=utterances, times=times[0], entries=entries, until=until, closing=closing))
        return found

    def _elsewhere(self, live: Sequence[Entry], facts: Session, at: str | None, said: Collection[int]) -> list[Entry]:
        """The rules and refusals of people that hold here and were said elsewhere, the strongest first."""
        scores = {rule.id: rule.score for rule in self._rules.all(project=facts.project, agent=facts.agent, at=at)}
        binds = [
            entry
            for entry in live
            if entry.origin in PEOPLE
            and entry.status == "active"
            and (entry.category == "rejected" or entry.id in scores)
            # What was said for another piece of work ended with it.
            and (entry.session == facts.session or lasts(entry))
            and not (entry.evidence and entry.evidence[0].turn in said)
        ]
        newest = sorted(binds, key=lambda entry: entry.created_at or "", reverse=True)
        return sorted(newest, key=lambda entry: -scores.get(entry.id, 0.0))

    def _head(self, session_id: int, facts: Session, read: int, at: str | None, *, lost: bool) -> list[str]:
        """That the context was lost, when and how much; when this was touched last; what another session edits."""
        much = self._store.briefed.how_much(session_id)
        if much is None:
            return ["Nothing of this session was read yet: only its last words are told here."]
        if at is not None:
            return [f"A session as it stood at {minute(at)} UTC."]
        now, said = self._clock(), f"{much.turns} turns, {much.spoken} by the human"
        said = f"{said}, {minute(much.since)} to {_later(much.since, much.until)} UTC"
        last = next(iter(self._store.fills.boundaries(session_id)[::-1]), None)
        if lost or (last and not self._store.briefed.spoken(session_id, "user", None, after=last.turn)):
            # The host tells of a loss when it happens, and writes the boundary down later.
            when = _later(much.until, now if lost or last is None else last.at)
            head = [f"The context of this session was lost in a compaction at {when}: {said}."]
        else:
            compacted = f"; compacted {_later(much.until, last.at)}" if last else ""
            head = [f"You do not have the context of this session: {said}{compacted}."]
        if (self._store.briefed.last_turn(session_id) or 0) > read:
            head.append("Its last turns were not read yet: what they hold is missing here.")
        if ago := age(much.until, now):
            head.append(f"Nobody has worked on it since: that was {ago}.")
        if edited := self._store.briefed.edited_beside(session_id, facts.project, before(now, _HOUR), most=_PATHS):
            head.append(f"Another session edited in the last hour: {', '.join(map(safe, edited))}.")
        return head

    # ------------------------------------------------------------------------------------------------------------------

    def _pushed(self, facts: Session) -> int:
        """Tokens of a briefing that nobody asked for: more where the context is large, less where it is full again."""
        most = _PUSHED if (facts.context_window or 0) >= _LARGE else TIER_TOKENS[0]
        return after_compaction(self._store.receipts.of(facts.session), self._clock(), most)

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

    def _day(self, session_id: int, facts: Session, at: str | None) -> list[Entry]:
        """What was learnt in the project on the session's last day."""
        day = min(at or self._clock(), self._store.briefed.last_at(session_id) or self._clock())[:10]
        live = self._store.briefed.live(
            AT_WORK, session_id=None, project=facts.project, agent=facts.agent, until=at, most=_MOST
        )
        return [entry for entry in live if (entry.created_at or "").startswith(day)]


def _later(since: str | None, until: str | None) -> str:
    """A time as people read it, the day only if it is another one."""
    return minute(until)[11:] if since and until and since[:10] == until[:10] else minute(until)
