"""From a question to ranked turns, entries and sessions: words and meaning find them, everything else weighs them.

`turns` → by words, by meaning → `_complete` (both scores for all) → `_fuse` → `_weigh` → `_settle` → `_amend`.
"""

from collections.abc import Collection, Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from steno.recall import weigh
from steno.recall.cues import amends, settles
from steno.recall.question import Question, expression
from steno.recall.where import Where, minutes
from steno.recall.words import BEST_WORDS, Found, WordIndex
from steno.store import Store
from steno.store.recall import EntryTraits, Resting
from steno.vocabulary import Scope
from steno.vocabulary.errors import Overtaken

if TYPE_CHECKING:
    from steno.recall.vectors import Floats

# Candidates by words, by meaning, and stretches.
_BY_WORDS: Final = 120
_BY_MEANING: Final = 120
_BY_STRETCH: Final = 60
_BY_TIME: Final = 40
_BY_ENTRY: Final = 60
# The best turns, whose entries are candidates, too.
_RESTED_ON: Final = 40
# Words looked for in the store's own index, which ranks every turn that holds one of them.
_EXPRESSION: Final = 32
_SHORT_EXPRESSION: Final = 6
_MANY_TURNS: Final = 50_000
# So many of the best are weighed.
_WEIGHED: Final = 100
# The best turns, whose discussions are followed to what settled them, and how many turns further on.
_DISCUSSED: Final = 5
_SETTLED_WITHIN: Final = 10
# The best turns, among which a later one may have changed what an earlier one says.
_COMPARED: Final = 16
# So many settling turns of one discussion come up.
_SETTLING: Final = 2


class Meaning(Protocol):
    """The vectors, as a question sees them."""

    # Whether it is known how near noise is. It is of the model that comes along; each model has its own measure.
    knows_noise: bool

    def vector(self, text: str) -> "Floats":
        """The question as a vector."""

    def nearest(self, query: "Floats", where: Where, most: int) -> dict[int, float]:
        """The turns nearest to it."""

    def near(self, turns: list[int], query: "Floats") -> dict[int, float]:
        """How near some turns are."""

    def alike(self, turns: list[int]) -> dict[tuple[int, int], float]:
        """How near each two of some turns are to each other."""

    def nearest_entries(self, query: "Floats", most: int) -> dict[str, float]:
        """The entries nearest to it."""


class Scored:
    """A turn on its way to an answer."""

    __slots__ = ("at", "id", "near", "score", "session", "stretch", "words")

    def __init__(self, id_: int) -> None:
        self.id = id_
        self.stretch = 0
        self.session = 0
        self.at: str | None = None
        self.words = 0.0
        self.near: float | None = None
        self.score = 0.0


class ScoredEntry(NamedTuple):
    """An entry on its way to an answer."""

    id: str
    score: float
    near: float


class Search:
    """One question at a store."""

    def __init__(self, store: Store, words: WordIndex, meaning: Meaning | None, *, scope: Scope, now: str) -> None:
        self._store = store.searched
        self._words = words
        self._meaning = meaning
        self._scope = scope
        self._now = now
        # Whether something was found that answers the question, and not only the nearest noise.
        self.fits = False

    def turns(self, question: Question) -> list[Scored]:
        """Turns that fit, the best first."""
        # The minute itself is let in; what was said in it but too late goes when the store is asked.
        until = minutes(self._scope.until) + 1 if self._scope.until else None
        where = Where(self._store.sessions_in(self._scope), None, until)
        found: dict[int, Scored] = {}
        stretches = self._found_by_words(question, where, found)
        query = None if self._meaning is None else self._meaning.vector(question.text)
        if self._meaning is not None and query is not None:
            _add_near(found, self._meaning.nearest(query, where, _BY_MEANING))
            if (inside := _inside(question, where)) is not None:
                _add_near(found, self._meaning.nearest(query, inside, _BY_TIME))
        self._complete(question, query, found)
        self.fits = self._fits(question, found)
        self._fuse(found, stretches, has_meaning=query is not None)
        found = self._weigh(question, found)
        self._settle(found)
        self._amend(found)
        return _nearest_up(sorted(found.values(), key=lambda one: (-one.score, one.id)))

    def entries(self, question: Question, turns: list[Scored], *, past: bool) -> list[ScoredEntry]:
        """Entries that fit, the best first: by their own words and meaning, and by the turns they rest on."""
        by_turn = {one.id: one.score for one in turns}
        words = self._entry_words(question)
        near: dict[str, float] = {}
        if self._meaning is not None:
            near = self._meaning.nearest_entries(self._meaning.vector(question.text), _BY_ENTRY)
            self.fits |= self._near_enough(0.0, near.values())
        resting = self._store.resting_on([one.id for one in turns[:_RESTED_ON]])
        ids = dict.fromkeys((*words, *near, *(one.entry for one in resting)))
        traits = self._store.entry_traits(ids, self._scope)
        behind = self._store.turns_behind(traits)
        scored: dict[str, ScoredEntry] = {}
        for id_, of in traits.items():
            score = (
                weigh.ENTRY_TURN * max((by_turn.get(turn, 0.0) for turn in behind.get(id_, ())), default=0.0)
                + weigh.ENTRY_WORDS * words.get(id_, 0.0)
                + weigh.ENTRY_NEAR * near.get(id_, 0.0)
                + weigh.entry_weight(of)
                + weigh.time_weight(of.created_at, question.when, self._now)
            )
            score *= weigh.faded(of.fades_from, self._now, self._store.fading)
            scored[id_] = ScoredEntry(id_, score, near.get(id_, 0.0))
        if not past:
            scored = self._today(scored, traits)
        return self._with_use(scored)

    # -- finding -----------------------------------------------------------------------------------------------------

    def _found_by_words(self, question: Question, where: Where, found: dict[int, Scored]) -> dict[int, float]:
        """Turns by their words; gives the share of the question each stretch explains."""
        mark = self._words.mark(self._store.erasures())
        stretches: dict[int, float] = {}
        if mark is not None:
            try:
                _add(found, self._words.turns(question.words, where, most=_BY_WORDS))
                if (inside := _inside(question, where)) is not None:
                    _add(found, self._words.turns(question.words, inside, most=_BY_TIME))
                some = self._words.stretches(question.words, where, most=_BY_STRETCH)
                stretches = {one.id: one.score for one in some}
            except Overtaken:
                mark = None
        last = self._store.last_turn()
        if mark is None or mark < last:
            self._by_own_index(question, mark or 0, last, found)
        return stretches

    def _by_own_index(self, question: Question, after: int, last: int, found: dict[int, Scored]) -> None:
        """Turns the index of words does not hold yet, by the store's own index."""
        most = _SHORT_EXPRESSION if last - after > _MANY_TURNS else _EXPRESSION
        words = expression(question.words, most)
        rows = self._store.words(words, self._scope, after=after, most=_BY_WORDS)
        if not rows:
            return
        top, best = rows[0]
        text = self._store.turns([top])[top].turn.text.casefold()
        share = sum(weight for word, weight in question.words.items() if word[:5] in text)
        whole = BEST_WORDS * max(share, 0.2) / sum(question.words.values())
        _add(found, (Found(id_, 0, whole * score / max(best, 1e-9)) for id_, score in rows))

    def _complete(self, question: Question, query: "Floats | None", found: dict[int, Scored]) -> None:
        """What was found by meaning has words, too, and what was found by words has a meaning."""
        wordless = [one.id for one in found.values() if not one.words]
        if wordless and self._words.mark(self._store.erasures()) is not None:
            with suppress(Overtaken):
                _add(found, self._words.turns(question.words, Where(), most=len(wordless), only=wordless))
        if query is not None and self._meaning is not None:
            _add_near(found, self._meaning.near([one.id for one in found.values() if one.near is None], query))

    def _fits(self, question: Question, found: dict[int, Scored]) -> bool:
        """A time that is named finds by itself. Turns that wait for vectors are judged by their words."""
        if question.when is not None and question.when.sure:
            return True
        near = [one.near for one in found.values() if one.near is not None]
        words = max((one.words / BEST_WORDS for one in found.values()), default=0.0)
        bare = [one for one in found.values() if one.near is None and weigh.fits(one.words / BEST_WORDS, None)]
        waits = bool(bare) and (not near or bool(self._store.said_among(one.id for one in bare)))
        return waits or self._near_enough(words, near)

    def _near_enough(self, words: float, near: Collection[float]) -> bool:
        if not near or self._meaning is None:
            return False
        return not self._meaning.knows_noise or weigh.fits(words, max(near))

    # -- weighing ----------------------------------------------------------------------------------------------------

    def _fuse(self, found: dict[int, Scored], stretches: dict[int, float], *, has_meaning: bool) -> None:
        """Words and meaning of the turn, words and meaning of its stretch."""
        nearest: dict[int, float] = {}
        for one in found.values():
            if one.near is not None and one.stretch:
                nearest[one.stretch] = max(one.near, nearest.get(one.stretch, 0.0))
        best = max((one.words for one in found.values()), default=0.0) / BEST_WORDS
        trust = weigh.trust_in_words(best) if has_meaning else 1.0
        for one in found.values():
            one.score = trust * (one.words + weigh.STRETCH * stretches.get(one.stretch, 0.0))
            if has_meaning:
                one.score += weigh.NEAR * (weigh.UNKNOWN_NEARNESS if one.near is None else one.near)
                one.score += weigh.NEAR_STRETCH * nearest.get(one.stretch, weigh.UNKNOWN_NEARNESS)

    def _weigh(self, question: Question, found: dict[int, Scored]) -> dict[int, Scored]:
        """Those in scope, each with what else speaks for it. Only a time can lift one from far below."""
        if question.when is None:
            best = sorted(found.values(), key=lambda one: -one.score)[:_WEIGHED]
            nearest = max(found.values(), key=lambda one: one.near or 0.0, default=None)
            found = {one.id: one for one in (*best, *([nearest] if nearest else []))}
        resting: dict[int, list[Resting]] = {}
        for rests in self._store.resting_on(found):
            if rests.place == 0:
                resting.setdefault(rests.turn, []).append(rests)
        kept = {}
        for id_, traits in self._store.traits(found, self._scope).items():
            one = kept[id_] = found[id_]
            one.session, one.at = traits.session_id, traits.at
            one.score += weigh.turn_weight(traits, resting.get(id_, ()), question.when)
            one.score += weigh.time_weight(one.at, question.when, self._now)
        return kept

    def _settle(self, found: dict[int, Scored]) -> None:
        """A question comes in the words of the trouble; what settled it was said some turns further on."""
        best = sorted(found.values(), key=lambda one: -one.score)[:_DISCUSSED]
        settling: dict[int, Scored] = {}
        for source in best:
            after = self._store.around(source.session, source.id, self._scope, before=0, after=_SETTLED_WITHIN)
            ends = [(place, id_) for place, (id_, role, text) in enumerate(after, 1) if settles(role, text)]
            for distance, id_ in ends[:_SETTLING]:
                one = found.get(id_) or settling.setdefault(id_, Scored(id_))
                one.session = source.session
                one.score = max(one.score, source.score * weigh.inherited(distance))
        for id_, traits in self._store.traits(settling, self._scope).items():
            found[id_] = settling[id_]
            found[id_].at = traits.at

    def _amend(self, found: dict[int, Scored]) -> None:
        """A turn that sounds like a change stands above an earlier one, of another session, on the same thing."""
        if self._meaning is None:
            return
        best = sorted(found.values(), key=lambda one: -one.score)[:_COMPARED]
        texts = self._store.turns(one.id for one in best)
        changing = [one for one in best if one.id in texts and amends(texts[one.id].turn.text)]
        alike = self._meaning.alike([one.id for one in best]) if changing else {}
        for later in changing:
            for earlier in best:
                apart = earlier.session != later.session and (earlier.at or "") < (later.at or "")
                if apart and alike.get((earlier.id, later.id), 0.0) >= weigh.SAME_THING:
                    later.score = max(later.score, earlier.score + 1e-4)

    def _entry_words(self, question: Question) -> dict[str, float]:
        rows = self._store.entry_words(expression(question.words, _EXPRESSION), _BY_ENTRY)
        best = max((score for _, score in rows), default=1.0)
        return {id_: score / max(best, 1e-9) for id_, score in rows}

    def _today(self, scored: dict[str, ScoredEntry], traits: dict[str, EntryTraits]) -> dict[str, ScoredEntry]:
        """What was superseded leaves its place to what superseded it; it held as long as that was not said yet."""
        kept: dict[str, ScoredEntry] = {}
        for id_, one in scored.items():
            status, successor = traits[id_].status, traits[id_].superseded_by
            if status in ("active", "done"):
                kept[id_] = one if id_ not in kept else max(one, kept[id_], key=lambda some: some.score)
            elif status == "superseded" and successor is not None:
                last = self._last(successor)
                if last is None and self._scope.until is not None:
                    kept[id_] = one
                elif last is not None and (last not in kept or kept[last].score < one.score):
                    kept[last] = one._replace(id=last)
        return kept

    def _last(self, entry: str) -> str | None:
        """The end of a chain of successors."""
        for _ in range(16):
            of = self._store.entry_traits([entry], self._scope).get(entry)
            if of is None or of.status == "archived":
                return None
            if of.superseded_by is None or not self._store.entry_traits([of.superseded_by], self._scope):
                return entry
            entry = of.superseded_by
        return None

    def _with_use(self, scored: dict[str, ScoredEntry]) -> list[ScoredEntry]:
        uses = self._store.uses("entry", scored)
        scores = {id_: one.score for id_, one in scored.items()}
        gains = weigh.link_weights(scores, self._store.links(scored))
        weighed = [
            one._replace(score=one.score + weigh.use_weight(uses.get(id_, (0, ""))[0]) + gains.get(id_, 0.0))
            for id_, one in scored.items()
        ]
        return sorted(weighed, key=lambda one: (-one.score, one.id))


def _add(found: dict[int, Scored], some: Iterable[Found]) -> None:
    for id_, stretch, score in some:
        one = found.setdefault(id_, Scored(id_))
        one.words, one.stretch = score, stretch or one.stretch


def _add_near(found: dict[int, Scored], near: dict[int, float]) -> None:
    for id_, value in near.items():
        found.setdefault(id_, Scored(id_)).near = value


def _nearest_up(ranked: list[Scored]) -> list[Scored]:
    """The nearest by meaning among the first, even if all others have more of the words."""
    place = weigh.NEAREST_PLACE - 1
    nearest = max(ranked, key=lambda one: -2.0 if one.near is None else one.near, default=None)
    if nearest is not None and nearest.near is not None and nearest in ranked[place + 1 :]:
        ranked.remove(nearest)
        nearest.score = ranked[place].score
        ranked.insert(place, nearest)
    return ranked


def _inside(question: Question, where: Where) -> Where | None:
    """The stretch of time the question names."""
    when = question.when
    if when is None or not when.sure:
        return None
    until = minutes(when.until)
    return Where(where.sessions, max(1, minutes(when.since)), min(until, where.until) if where.until else until)
