"""Recall: a question in, hits out."""

import heapq
import re
from collections.abc import Iterable, Iterator
from typing import Literal, TypeVar

from msgspec import structs

from steno.recall import weigh
from steno.recall.fit import fit, fold, neighbour, passage
from steno.recall.question import Question, ask
from steno.recall.search import Meaning, Scored, ScoredEntry, Search
from steno.recall.time import nearness
from steno.recall.words import WordIndex
from steno.store import Store
from steno.vocabulary import FROM_FILES, HEARSAY, Entry, Hit, JournalTurn, Scope
from steno.vocabulary.errors import NoEmbedding

Within = Literal["entries", "turns", "sessions", "all"]
Some = TypeVar("Some")
# Candidates that become hits at a time.
_PORTION = 16


class Recall:
    """Answers questions from one store. `meaning` is None where there are no vectors: then words alone decide."""

    def __init__(self, store: Store, words: WordIndex, meaning: Meaning | None) -> None:
        self._store = store
        self._words = words
        self._meaning = meaning

    def answer(
        self, query: str, *, k: int, within: Within, scope: Scope, now: str, past: bool, budget: int | None
    ) -> list[Hit]:
        """The hits that fit best, the best first; none if nothing fits."""
        question = ask(query, now)
        if not question.words:
            return []
        search = Search(self._store, self._words, self._heard(question), scope=scope, now=now)
        turns = search.turns(question)
        if within == "turns":
            hits = self._turn_hits(question, turns)
        elif within == "sessions":
            hits = self._session_hits(question, turns)
        else:
            hits = self._entry_hits(question, search.entries(question, turns, past=past))
            if within == "all":
                hits = _merge(hits, self._turn_hits(question, turns))
        if not search.fits:
            hits = (hit for hit in hits if weigh.holds_its_words(hit.text, question.words))
        answer = [self._with_context(hit, scope) for hit in fold(hits, k)]
        return answer if budget is None else fit(answer, budget)

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
            found = self._store.searched.turns(one.id for one in portion)
            yield from (_turn_hit(question, one, found[one.id]) for one in portion if one.id in found)

    def _session_hits(self, question: Question, turns: list[Scored]) -> Iterator[Hit]:
        best: dict[int, Scored] = {}
        for one in turns:
            best.setdefault(one.session, one)
        for hit in self._turn_hits(question, list(best.values())):
            yield structs.replace(hit, id=hit.session, kind="session")

    def _entry_hits(self, question: Question, scored: list[ScoredEntry]) -> Iterator[Hit]:
        for portion in batches(scored):
            entries = {entry.id: entry for entry in self._store.entries.some(one.id for one in portion)}
            first = [entry.evidence[0].turn for entry in entries.values() if entry.evidence]
            turns = self._store.searched.turns(first)
            yield from (_entry_hit(question, one, entries[one.id], turns) for one in portion if one.id in entries)

    def _with_context(self, hit: Hit, scope: Scope) -> Hit:
        """With what was said just before and after it. A section of a file and a commit stand by themselves."""
        if hit.turn is None or hit.kind == "entry" or hit.source in FROM_FILES - {HEARSAY}:
            return hit
        rows = self._store.searched.beside(hit.turn, scope)
        return structs.replace(hit, context=tuple(neighbour(*row) for row in rows))


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
        reason=_reason(question, turn.text, scored.near, turn.at),
        session=found.session,
        source=found.source,
        turn=found.id,
        line=turn.line,
        native_id=turn.native_id,
        text=turn.text,
        quote=passage(turn.text, question.words),
        at=turn.at,
        origin=origin_of(found),
    )


def _entry_hit(question: Question, scored: ScoredEntry, entry: Entry, turns: dict[int, JournalTurn]) -> Hit:
    first = entry.evidence[0] if entry.evidence else None
    found = turns.get(first.turn) if first else None
    return Hit(
        id=entry.id,
        kind="entry",
        score=round(scored.score, 4),
        reason=f"{entry.category}; {_reason(question, entry.summary, scored.near, entry.created_at)}",
        session=entry.session,
        source=found.source if found else "",
        turn=found.id if found else None,
        line=found.turn.line if found else None,
        native_id=found.turn.native_id if found else None,
        text=entry.summary,
        quote=first.quote if first else entry.summary,
        at=entry.created_at,
        origin=entry.origin,
        category=entry.category,
        status=entry.status,
    )


def _merge(entries: Iterable[Hit], turns: Iterable[Hit]) -> Iterator[Hit]:
    """Entries and turns in one list; of an entry and the turn it rests on, the first stands for both."""
    told: set[int] = set()
    for hit in heapq.merge(entries, turns, key=lambda hit: -hit.score):
        if hit.turn is None or hit.turn not in told:
            yield hit
        if hit.turn is not None:
            told.add(hit.turn)


def _reason(question: Question, text: str, near: float | None, at: str | None) -> str:
    """Why it was found."""
    said = set(re.findall(r"\w+", text[:20_000].casefold()))
    words = [word for word in question.words if word in said][:8]
    parts = [f"words: {', '.join(words)}"] if words else []
    if near is not None and near >= 0.3:
        parts.append(f"meaning: {near:.2f}")
    if question.when is None:
        return "; ".join(parts) or "shares no telling word"
    named = " ".join(question.when.words)
    if nearness(at, question.when) == 1.0:
        return "; ".join([*parts, f"time: {named}"])
    return "; ".join([*(parts or ["shares no telling word"]), f"outside the time: {named}"])
