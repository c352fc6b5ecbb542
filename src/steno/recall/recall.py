"""Recall: a question in, hits out."""

import heapq
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar, get_args

from msgspec import structs

from steno.choices import How, Within
from steno.language.words import normal
from steno.recall import weigh
from steno.recall.fit import around, fit, fold, holding, neighbour, passage
from steno.recall.fits import FIRST, Best
from steno.recall.question import Question, ask, expression, spaced
from steno.recall.rank import Scored, by_session, holds
from steno.recall.search import Meaning, ScoredEntry, Search
from steno.recall.time import When, nearness
from steno.recall.where import minutes
from steno.recall.words import WordIndex
from steno.store import Store
from steno.vocabulary import FROM_FILES, HEARSAY, PEOPLE, Entry, Hit, JournalTurn, Neighbour, Scope
from steno.vocabulary.errors import NoEmbedding, WrongUse

if TYPE_CHECKING:
    from steno.recall.vectors import Near

Some = TypeVar("Some")
# Candidates that become hits at a time.
_PORTION = 12
# So many turns of a time are looked at for the sessions they are from.
_MOST_OF_A_TIME = 500
# So many that hold a question word for word.
_MOST_EXACT = 200
_HALF = 0.5
# From here on the reason names the meaning.
_NEAR = 0.3


class Recall:
    """Answers questions from one store. `meaning` is None where there are no vectors: then words alone decide."""

    def __init__(self, store: Store, words: WordIndex, meaning: Meaning | None) -> None:
        self._store = store
        self._words = words
        self._meaning = meaning
        # What was read for this answer.
        self._turns: dict[int, JournalTurn] = {}
        self._entries: dict[str, Entry] = {}
        # Turns that were found by what speaks for them.
        self._found: dict[int, Scored] = {}

    def answer(
        self, query: str, *, k: int, within: Within, scope: Scope, now: str, past: bool, budget: int | None,
        how: How = "likely",
    ) -> list[Hit]:  # fmt: skip
        """The hits that fit best, the best first; none if nothing fits."""
        question = ask(query, now)
        if not question.words:
            return []
        hits = self._asked_for(question, within, scope, now, k, past=past, how=how)
        answer = self._with_ages(self._with_context(fold(hits, k), scope))
        return answer if budget is None else fit(answer, budget)

    def unsaid(self, query: str, scope: Scope, now: str) -> list[str]:
        """What a question calls by its name and stands nowhere in scope."""
        question = ask(query, now)
        if not question.names:
            return []
        return list(Search(self._store, self._words, None, scope=scope, now=now).never(question).names)

    def _asked_for(
        self, question: Question, within: Within, scope: Scope, now: str, k: int, *, past: bool, how: How
    ) -> Iterable[Hit]:
        """What was asked for: word for word, what there was in a time, or what fits."""
        if how == "exact":
            return self._exact(question, within, scope)
        if question.of_time is not None:
            happened = list(self._happened(question, question.of_time, within, scope, k))
            if happened or how != "nearest":
                return happened
        return self._fitting(question, within, scope, now, past=past, how=how)

    def _fitting(
        self, question: Question, within: Within, scope: Scope, now: str, *, past: bool, how: How
    ) -> Iterator[Hit]:
        """What fits by words, meaning and all else, the best first."""
        search = Search(self._store, self._words, self._heard(question), scope=scope, now=now)
        turns = search.turns(question)
        entries = search.entries(question, turns, past=past) if within in ("entries", "all") else []
        self._found = {one.id: one for one in turns}
        scores = [one.score for one in turns]
        said = 1.0 if _of_its_time(question, turns) else search.likely(question, best_turns(turns), scores)
        likely = max(said, search.likely(question, self._best_entries(entries), scores))
        if likely < weigh.least() and how != "nearest":
            return
        hits = self._hits(question, turns, entries, within)
        if self._meaning is None and said < weigh.least() and how != "nearest":
            # Only an entry fits, by its words: others are not shown along with it.
            hits = (hit for hit in hits if holds(question, hit.text) >= _HALF)
        told = None if self._meaning and not self._meaning.knows_noise else round(weigh.told(likely), 2)
        yield from (structs.replace(hit, likely=told) for hit in hits)

    def _hits(
        self, question: Question, turns: list[Scored], entries: list[ScoredEntry], within: Within
    ) -> Iterator[Hit]:
        if within == "turns":
            return self._turn_hits(question, turns)
        if within == "sessions":
            return self._session_hits(question, by_session(turns))
        if within == "entries":
            return self._entry_hits(question, entries)
        self._read([one.id for one in turns[:_PORTION]], [one.id for one in entries[:_PORTION]])
        hits = self._entry_hits(question, entries, sure=True)
        return _merge(hits, self._turn_hits(question, turns), weigh.NOW if question.of_now else 0.0)

    def _exact(self, question: Question, within: Within, scope: Scope) -> list[Hit]:
        """What holds all of the question, word for word, the newest first."""
        wanted, phrase = normal(question.text), expression([normal(spaced(question.text))])
        traits = self._store.searched.traits(self._store.searched.newest_with(phrase, scope, _MOST_EXACT), scope)
        turns = []
        for id_ in sorted(traits, key=lambda id_: (minutes(traits[id_].at), id_), reverse=True):
            turns.append(one := Scored(id_))
            one.session, one.at, one.score = traits[id_].session_id, traits[id_].at, 1.0
        if within == "sessions":
            hits = self._session_hits(question, first_of_sessions(turns))
        else:
            hits = self._hits(question, turns, self._entries_with(wanted, phrase, scope), within)
        held = [holding(hit, question.text) for hit in hits if hit.kind == "entry" or wanted in normal(hit.text)]
        return sorted(held, key=lambda hit: (minutes(hit.at), hit.turn or 0), reverse=True)

    def _entries_with(self, wanted: str, phrase: str, scope: Scope) -> list[ScoredEntry]:
        """Entries of which the words they rest on hold all of a question; of those without any, what they say."""
        named = [id_ for id_, _ in self._store.searched.entry_words(phrase, _MOST_EXACT)]
        seen = list(self._store.searched.entry_traits(named, scope))
        self._read_entries(seen)
        said = {id_: one.evidence[0].quote if one.evidence else one.summary for id_, one in self._entries.items()}
        return [ScoredEntry(id_, 1.0, 0.0) for id_ in seen if wanted in normal(said.get(id_, ""))]

    def _best_entries(self, entries: list[ScoredEntry]) -> list[Best]:
        self._read_entries([one.id for one in entries[:_PORTION]])
        first = [one for one in entries[:FIRST] if one.id in self._entries]
        near = [None if self._meaning is None else one.near for one in first]
        return [Best(self._entries[one.id].summary, how, how) for one, how in zip(first, near, strict=True)]

    def _happened(self, question: Question, when: When, within: Within, scope: Scope, most: int) -> Iterator[Hit]:
        """What there was in a time, in its order; nothing from outside of it. Of more than is wanted, what matters."""
        if within == "entries":
            made = self._store.searched.entries_made_in(when.since, when.until, scope, most)
            return self._entry_hits(question, [ScoredEntry(id_, 0.0, 0.0) for id_ in made])
        looked_at = _MOST_OF_A_TIME if within == "sessions" else most
        turns = []
        for said in self._store.searched.said_in(when.since, when.until, scope, looked_at):
            turns.append(one := Scored(said.id))
            one.session, one.at, one.score = said.session_id, said.at, said.worth
        turns.sort(key=lambda one: (one.at, one.id))
        if within == "sessions":
            return self._session_hits(question, first_of_sessions(turns))
        return self._turn_hits(question, turns)

    def _heard(self, question: Question) -> Meaning | None:
        """The vectors, if the model can make one of the question; a server may be away."""
        try:
            if self._meaning is not None:
                self._meaning.vector(question.text)
        except NoEmbedding:
            return None
        return self._meaning

    def _turn_hits(self, question: Question, scored: list[Scored]) -> Iterator[Hit]:
        """Made as they are wanted: only the first few are."""
        for portion in batches(scored):
            self._read([one.id for one in portion])
            if any(one.rests is None for one in portion):
                self._look_what_rests(portion)
            yield from (_turn_hit(question, one, self._turns[one.id]) for one in portion if one.id in self._turns)

    def _look_what_rests(self, turns: list[Scored]) -> None:
        resting = self._store.searched.resting_on(one.id for one in turns)
        for one in turns:
            one.rests = resting.get(one.id, ())

    def _session_hits(self, question: Question, best: list[Scored]) -> Iterator[Hit]:
        for hit in self._turn_hits(question, best):
            yield structs.replace(hit, id=hit.session, kind="session")

    def _entry_hits(self, question: Question, scored: list[ScoredEntry], *, sure: bool = False) -> Iterator[Hit]:
        """Entries; where only what people surely said is wanted, the turns that others quote in their places."""
        for portion in batches(scored):
            self._read([], [one.id for one in portion])
            there = [(one, self._entries[one.id]) for one in portion if one.id in self._entries]
            yield from (self._entry_hit(question, one, entry, sure=sure) for one, entry in there)

    def _entry_hit(self, question: Question, scored: ScoredEntry, entry: Entry, *, sure: bool) -> Hit:
        first = entry.evidence[0] if entry.evidence else None
        turn = self._turns.get(first.turn) if first else None
        found = self._found.get(first.turn) if first else None
        # What an agent found out, too, stands in its own words.
        tells = not sure or entry.origin in PEOPLE
        # An entry may be seen farther than what was said around it: only a turn that was found is in scope.
        if first is not None and turn is not None and found is not None and sure:
            said = _turn_hit(question, found, turn)
            # Of a turn that says more to the question than what was noted of it, nothing is lost.
            if not tells or holds(question, said.quote) > holds(question, entry.summary):
                quotes = around(said.text, first.quote), said.quote
                quote = max(quotes, key=lambda some: holds(question, some))
                return structs.replace(said, score=round(scored.score, 4), quote=quote)
        near = found.near if found else None
        reason = _reason(question, entry.summary, entry.created_at, near, scored.near, scored.instead)
        return Hit(
            id=entry.id,
            kind="entry",
            score=round(scored.score, 4),
            reason=f"{entry.category}; {reason}",
            session=entry.session,
            source=turn.source if turn else "",
            turn=turn.id if turn else None,
            line=turn.turn.line if turn else None,
            native_id=turn.turn.native_id if turn else None,
            text=entry.summary,
            quote=first.quote if first else entry.summary,
            at=entry.created_at,
            origin=entry.origin,
            category=entry.category,
            status=entry.status,
        )

    def _read(self, turns: list[int], entries: Sequence[str] = ()) -> None:
        """Turns and entries, with the turns these rest on first, as far as they were not read yet."""
        self._read_entries(entries)
        known = [self._entries[id_] for id_ in entries if id_ in self._entries]
        wanted = [*turns, *(entry.evidence[0].turn for entry in known if entry.evidence)]
        if missing := [id_ for id_ in wanted if id_ not in self._turns]:
            self._turns |= self._store.searched.turns(missing)

    def _read_entries(self, ids: Sequence[str]) -> None:
        if missing := [id_ for id_ in ids if id_ not in self._entries]:
            self._entries |= {entry.id: entry for entry in self._store.entries.some(missing)}

    def _with_context(self, hits: list[Hit], scope: Scope) -> list[Hit]:
        """With what was said just before and after each. A section of a file and a commit stand by themselves."""
        turns = [hit.turn for hit in hits if hit.kind != "entry" and hit.source not in FROM_FILES - {HEARSAY}]
        beside = self._store.searched.beside((turn for turn in turns if turn is not None), scope)
        return [
            structs.replace(hit, context=tuple(neighbour(*row) for row in beside.get(hit.turn or 0, ())))
            if hit.turn in turns and hit.kind != "entry"
            else hit
            for hit in hits
        ]

    def _with_ages(self, hits: list[Hit]) -> list[Hit]:
        """With what was said earlier and stands back for them, and what was said later and may have changed them,
        unless it is shown above; once each."""
        told: list[Hit] = []
        found = [self._found.get(hit.turn or 0) for hit in hits]
        ages = [(one.instead, one.later) if one else (None, None) for one in found]
        self._read([turn for both in ages for turn in both if turn is not None])
        older: set[int | None] = {None}
        newer: set[int | None] = {None}
        for hit, (instead, changed) in zip(hits, ages, strict=True):
            earlier = None if instead in older else self._in_short(instead)
            later = None if changed in newer else self._in_short(changed)
            told.append(structs.replace(hit, earlier=earlier, later=later))
            older |= {hit.turn, instead}
            newer |= {hit.turn, changed}
        return told

    def _in_short(self, turn: int | None) -> Neighbour | None:
        found = self._turns.get(turn or 0)
        return None if found is None else neighbour(found.id, found.turn.role, found.turn.text)


def check(query: str, k: int, within: Within, how: How) -> None:
    """Refuse in words what cannot be asked."""
    for what, value, choice in (("through", within, get_args(Within)), ("for", how, get_args(How))):
        if value not in choice:
            raise WrongUse(f"recall cannot look {what} {value!r}", hint=f"choose {', '.join(choice)}")
    if not isinstance(query, str) or not isinstance(k, int) or k < 0:
        raise WrongUse(f"cannot give {k!r} answers to {query!r}", hint="ask in words, for none or more")


def _of_its_time(question: Question, turns: list[Scored]) -> bool:
    """Whether one of the best was said when the question says, and has to do with it: a time finds by itself."""
    when = question.when
    if when is None or not when.sure:
        return False
    then = [one for one in turns[:_PORTION] if nearness(one.at, when) == 1.0]
    return any((one.near and one.near.piece >= _NEAR) or holds(question, one.beginning) for one in then)


def first_of_sessions(turns: list[Scored]) -> list[Scored]:
    """The first turn of each session, in their order."""
    found: dict[int, Scored] = {}
    for one in turns:
        found.setdefault(one.session, one)
    return list(found.values())


def best_turns(turns: list[Scored]) -> list[Best]:
    """The best turns, as they tell whether anything fits; the nearest among them, wherever it stands."""
    first = turns[:FIRST]
    nearest = max(turns, key=lambda one: one.near.piece if one.near else -1.0, default=None)
    if nearest is not None and nearest not in first:
        first = [*first[:-1], nearest]
    return [
        # A long turn may hold behind its beginning what was asked for.
        Best(
            one.beginning,
            one.near.piece,
            one.near.whole,
            words=one.signals.words if one.signals.long or one.signals.report else 0.0,
        )
        if one.near
        else Best(one.beginning, None, None, waits=not one.signals.tool, words=one.signals.words)
        for one in first
    ]


def batches(scored: list[Some]) -> Iterator[list[Some]]:
    """A few at a time."""
    return (scored[start : start + _PORTION] for start in range(0, len(scored), _PORTION))


def origin_of(found: JournalTurn) -> str:
    """Whose words a turn holds."""
    if found.source in FROM_FILES:
        return "file"
    if found.turn.role == "user":
        return "user" if found.by_human else "agent"
    return found.turn.role if found.turn.role in ("assistant", "tool") else "agent"


def _turn_hit(question: Question, scored: Scored, found: JournalTurn) -> Hit:
    turn = found.turn
    return Hit(
        id=found.id,
        kind="turn",
        score=round(scored.score, 4),
        reason=_reason(question, turn.text, turn.at, scored.near),
        session=found.session,
        source=found.source,
        turn=found.id,
        line=turn.line,
        native_id=turn.native_id,
        text=turn.text,
        quote=passage(turn.text, question.words),
        at=turn.at,
        origin=origin_of(found),
        status="superseded" if _overtaken(scored) else None,
    )


def _overtaken(scored: Scored) -> bool:
    """Whether it settled something which was settled otherwise since."""
    settled = [one.status for one in scored.rests or () if one.place == 0 and one.category in weigh.SETTLED]
    return set(settled) == {"superseded"}


def _merge(entries: Iterable[Hit], turns: Iterable[Hit], lead: float) -> Iterator[Hit]:
    """Entries, with a lead, and turns in one list; of an entry and the turn it rests on, the first stands for both."""
    told: set[int] = set()
    entries = (structs.replace(hit, score=round(hit.score + lead, 4)) for hit in entries) if lead else entries
    for hit in heapq.merge(entries, turns, key=lambda hit: -hit.score):
        if hit.turn is None or hit.turn not in told:
            yield hit
        if hit.turn is not None:
            told.add(hit.turn)


def _reason(
    question: Question, text: str, at: str | None, turn: "Near | None", own: float = 0.0, instead: str | None = None
) -> str:
    """Why it was found: by its words, its meaning or that of its turn, or else what was said beside it; and the entry
    whose place it took."""
    said = set(re.findall(r"\w+", text[:20_000].casefold()))
    words = [word for word in question.words if word in said][:8]
    parts = [f"words: {', '.join(words)}"] if words else []
    near, beside = (max(own, turn.piece), max(turn.before, turn.after)) if turn else (own, 0.0)
    if near >= _NEAR:
        parts.append(f"meaning: {near:.2f}")
    elif not words and beside >= _NEAR:
        parts.append(f"said beside what is near: {beside:.2f}")
    if instead:
        parts.append(f"in place of {instead}")
    if question.when is None:
        return "; ".join(parts) or "shares no telling word"
    named = " ".join(question.when.words)
    if nearness(at, question.when) == 1.0:
        return "; ".join([*parts, f"time: {named}"])
    return "; ".join([*(parts or ["shares no telling word"]), f"outside the time: {named}"])
