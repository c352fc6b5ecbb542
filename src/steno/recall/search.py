"""From a question to ranked turns, entries and sessions: words and meaning find them, everything else weighs them.

`turns` → by words, by meaning → `_complete` (both for all) → `_weigh` → `_follow` (what ended their discussions) →
`_compare` (with each other).
"""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from steno.recall import weigh
from steno.recall.cues import settles
from steno.recall.fits import Best, Never, likely
from steno.recall.question import Question, expression, words_of
from steno.recall.rank import COMPARED, Among, Scored, first, judge, rank
from steno.recall.where import Where, minutes
from steno.recall.words import BEST_WORDS, Found, WordIndex
from steno.store import Store
from steno.store.recall import EntryTraits
from steno.vocabulary import Scope
from steno.vocabulary.errors import Overtaken

if TYPE_CHECKING:
    from steno.recall.vectors import Alike, Floats, Near

# Candidates by words, by meaning, and stretches.
_BY_WORDS: Final = 80
_BY_MEANING: Final = 80
_BY_STRETCH: Final = 60
_BY_TIME: Final = 40
_BY_ENTRY: Final = 60
_THAT_RULE: Final = 40
# The best turns, whose entries are candidates, too.
_RESTED_ON: Final = 40
# Words looked for in the store's own index, which ranks every turn that holds one of them.
_EXPRESSION: Final = 32
_SHORT_EXPRESSION: Final = 6
_MANY_TURNS: Final = 50_000
# The best turns, whose discussions are followed to what settled them, and how many turns further on.
_DISCUSSED: Final = 6
_SETTLED_WITHIN: Final = 12


class Meaning(Protocol):
    """The vectors, as a question sees them."""

    # Whether it is known how near noise is. It is of the model that comes along; each model has its own measure.
    knows_noise: bool

    def vector(self, text: str) -> "Floats":
        """The question as a vector."""

    def nearest(
        self, query: "Floats", where: Where, most: int, *, also: tuple[Where, int] | None = None
    ) -> dict[int, float]:
        """The turns nearest to it; also so many of a time."""

    def near(self, turns: list[int], query: "Floats") -> "dict[int, Near]":
        """How near some turns are, in every way."""

    def alike(self, turns: list[int]) -> "Alike":
        """How near each two of some turns are to each other."""

    def nearest_entries(self, query: "Floats", most: int) -> dict[str, float]:
        """The entries nearest to it."""


class ScoredEntry(NamedTuple):
    """An entry on its way to an answer."""

    id: str
    score: float
    near: float
    # The superseded one whose place it takes.
    instead: str | None = None


class _Asked:
    """A question with what was found out on the way to its answer."""

    __slots__ = ("nearest", "query", "question", "stretches")

    def __init__(self, question: Question, query: "Floats | None", stretches: dict[int, float]) -> None:
        self.question = question
        self.query = query
        # How much of it each stretch explains by its words, and how near the nearest turn of it is.
        self.stretches = stretches
        self.nearest: dict[int, float] = {}


class Search:
    """One question at a store."""

    def __init__(self, store: Store, words: WordIndex, meaning: Meaning | None, *, scope: Scope, now: str) -> None:
        self._store = store.searched
        self._words = words
        # The newest turn, and the last one the index of words holds; None: it cannot be asked.
        state = store.searched.state()
        self._last, self._mark = state.turn, words.mark(state.erasures)
        # What of the question the store does not hold; nobody has looked yet.
        self._never: Never | None = None
        self._meaning = meaning
        self._scope = scope
        self._now = now

    def turns(self, question: Question) -> list[Scored]:
        """Turns that fit, the best first."""
        return rank(question, self.gather(question))

    def gather(self, question: Question) -> Among:
        """Turns that may answer a question, each with what speaks for it, and what stands beside it."""
        where = self._where()
        found: dict[int, Scored] = {}
        stretches = self._found_by_words(question, where, found)
        query = None if self._meaning is None else self._meaning.vector(question.text)
        if self._meaning is not None and query is not None:
            inside = _inside(question, where)
            also = None if inside is None else (inside, _BY_TIME)
            for id_ in self._meaning.nearest(query, where, _BY_MEANING, also=also):
                found.setdefault(id_, Scored(id_))
        # What holds for all work applies without sharing a word with it.
        for id_ in self._store.turns_that_rule(self._scope, _THAT_RULE):
            found.setdefault(id_, Scored(id_))
        asked = _Asked(question, query, stretches)
        best = self._weigh(asked, found)
        opened = self._follow(best)
        best |= self._weigh(asked, {id_: Scored(id_) for id_ in opened if id_ not in best})
        if query is not None and best:
            judge(best.values())
        compared = [one.id for one in first(best.values(), COMPARED)]
        alike = None if self._meaning is None else self._meaning.alike(compared)
        return Among(best, opened, alike)

    def entries(self, question: Question, turns: list[Scored], *, past: bool) -> list[ScoredEntry]:
        """Entries that fit, the best first: each where the turn stands that it quotes, or where its own words and
        meaning would put it."""
        words = self._entry_words(question)
        near: dict[str, float] = {}
        if self._meaning is not None:
            near = self._meaning.nearest_entries(self._meaning.vector(question.text), _BY_ENTRY)
        stands = stands_by_turns(turns)
        resting = (rests.entry for one in turns[:_RESTED_ON] for rests in one.rests or ())
        traits = self._store.entry_traits(dict.fromkeys((*words, *near, *resting)), self._scope)
        times = weigh.times_of((of.created_at for of in traits.values()), question.when, self._now)
        scored: dict[str, ScoredEntry] = {}
        for (id_, of), time in zip(traits.items(), times, strict=True):
            alone = weigh.entry(words.get(id_, 0.0), near.get(id_, 0.0)) + time
            # Of several that quote one turn, that which says it.
            score = stands.get(id_, alone) + weigh.ENTRY_ALONE * alone
            score -= weigh.faded(of.fades_from, self._now, self._store.fading)
            scored[id_] = ScoredEntry(id_, score, near.get(id_, 0.0))
        if not past:
            traits = self._with_successors(traits)
            scored = self._today(scored, traits)
        return self._with_use(scored, traits)

    def _where(self) -> Where:
        """The scope, for the indices. The minute itself is let in; what was said in it but too late goes when the
        store is asked."""
        until = minutes(self._scope.until) + 1 if self._scope.until else None
        return Where(self._store.sessions_in(self._scope), None, until)

    # -- finding -----------------------------------------------------------------------------------------------------

    def _found_by_words(self, question: Question, where: Where, found: dict[int, Scored]) -> dict[int, float]:
        """Turns by their words; gives the share of the question each stretch explains."""
        stretches: dict[int, float] = {}
        if self._mark is not None:
            try:
                best = self._words.turns(question.words, where, most=_BY_WORDS)
                _add(found, best)
                inside = _inside(question, where)
                # If enough of the best are of that time, the best of that time are among them.
                if inside is not None and sum(inside.holds(one.at) for one in best) < _BY_TIME:
                    _add(found, self._words.turns(question.words, inside, most=_BY_TIME))
                some = self._words.stretches(question.words, where, most=_BY_STRETCH)
                stretches = {one.id: one.score for one in some}
            except Overtaken:
                self._mark = None
        if self._mark is None or self._mark < self._last:
            self._by_own_index(question, self._mark or 0, found)
        return stretches

    def _by_own_index(self, question: Question, after: int, found: dict[int, Scored]) -> None:
        """Turns the index of words does not hold yet, by the store's own index."""
        most = _SHORT_EXPRESSION if self._last - after > _MANY_TURNS else _EXPRESSION
        words = expression(question.words, most)
        rows = self._store.words(words, self._scope, after=after, most=_BY_WORDS)
        if not rows:
            return
        top, best = rows[0]
        text = self._store.turns([top])[top].turn.text.casefold()
        share = sum(weight for word, weight in question.words.items() if word[:5] in text)
        whole = BEST_WORDS * max(share, 0.2) / sum(question.words.values())
        _add(found, (Found(id_, 0, whole * score / max(best, 1e-9)) for id_, score in rows))

    def _complete(self, asked: "_Asked", found: dict[int, Scored]) -> None:
        """What was found by meaning has words, too, and what was found by words has a meaning."""
        wordless = [one.id for one in found.values() if not one.words]
        if wordless and self._mark is not None:
            with suppress(Overtaken):
                _add(found, self._words.turns(asked.question.words, Where(), most=len(wordless), only=wordless))
        if asked.query is not None and self._meaning is not None:
            for id_, near in self._meaning.near(list(found), asked.query).items():
                found[id_].near = near
                asked.nearest[found[id_].stretch] = max(near.piece, asked.nearest.get(found[id_].stretch, 0.0))

    # -- weighing ----------------------------------------------------------------------------------------------------

    def _weigh(self, asked: "_Asked", found: dict[int, Scored]) -> dict[int, Scored]:
        """Those in scope, each with all that speaks for it."""
        if not found:
            return {}
        self._complete(asked, found)
        resting = self._store.resting_on(found)
        traits = self._store.traits(found, self._scope)
        kept = {id_: found[id_] for id_ in traits}
        for one, of in zip(kept.values(), traits.values(), strict=True):
            one.session, one.at, one.beginning = of.session_id, of.at, of.beginning
            one.rests = resting.get(one.id, ())
        how = [self._how_found(asked, one) for one in kept.values()]
        rests = [one.rests or () for one in kept.values()]
        signals = weigh.signals_of(how, [*traits.values()], rests, asked.question, self._now)
        scores = weigh.scores(signals, has_meaning=asked.query is not None)
        for one, of_one, score in zip(kept.values(), signals, scores, strict=True):
            one.signals, one.score = of_one, score
        return kept

    def _how_found(self, asked: "_Asked", one: Scored) -> weigh.HowFound:
        words, stretch = one.words / BEST_WORDS, asked.stretches.get(one.stretch, 0.0)
        if one.near is None:
            far = weigh.UNKNOWN_NEARNESS
            return words, stretch, far, far, far, far, far
        return words, stretch, *one.near, asked.nearest[one.stretch] if one.stretch else weigh.UNKNOWN_NEARNESS

    def _follow(self, found: dict[int, Scored]) -> dict[int, list[int]]:
        """A question comes in the words of the trouble; what settled it was said some turns further on."""
        opened: dict[int, list[int]] = {}
        best = [one.id for one in first(found.values(), _DISCUSSED)]
        for source, id_, role, text in self._store.after(best, self._scope, _SETTLED_WITHIN):
            if settles(role, text):
                opened.setdefault(id_, []).append(source)
        return opened

    def likely(self, question: Question, best: Sequence[Best], scores: Sequence[float]) -> float:
        """How likely it is that what was found, of which all turns have these scores, answers the question, and is not
        only the nearest noise. Of another model it is not known how near noise is."""
        if self._meaning and not self._meaning.knows_noise:
            return 1.0
        return likely(question, best, self.never(question), scores)

    def never(self, question: Question) -> Never:
        """Of a question what the store does not hold. Without an index of words nobody knows."""
        if self._never is None:
            self._never = Never()
            if self._mark is not None:
                with suppress(Overtaken):
                    self._never = Never(self._words.unheard(question.words), self._unsaid(question, self._mark))
        return self._never

    def _unsaid(self, question: Question, mark: int) -> list[str]:
        """Names that stand nowhere in scope: not in the index of words, in no newer turn, in no entry."""
        return [name for name in question.names if not self._stands(list(dict.fromkeys(words_of(name))), mark)]

    def _stands(self, parts: list[str], mark: int) -> bool:
        """Whether one of some words stands in a turn or an entry that may be seen from here."""
        wanted = expression(parts)
        indexed = len(self._words.unheard(parts)) < len(parts)
        if indexed and self._scope != Scope():
            found = self._words.turns(dict.fromkeys(parts, 1.0), self._where(), most=_BY_WORDS)
            indexed = bool(self._store.traits([one.id for one in found], self._scope))
        if indexed or self._store.words(wanted, self._scope, after=mark, most=1):
            return True
        entries = [id_ for id_, _ in self._store.entry_words(wanted, _BY_ENTRY)]
        return bool(self._store.entry_traits(entries, self._scope))

    def _entry_words(self, question: Question) -> dict[str, float]:
        rows = self._store.entry_words(expression(question.words, _EXPRESSION), _BY_ENTRY)
        best = max((score for _, score in rows), default=1.0)
        return {id_: score / max(best, 1e-9) for id_, score in rows}

    def _today(self, scored: dict[str, ScoredEntry], known: dict[str, EntryTraits]) -> dict[str, ScoredEntry]:
        """What was superseded leaves its place to what superseded it; it held as long as that was not said yet."""
        kept: dict[str, ScoredEntry] = {}
        for id_, one in scored.items():
            status, successor = known[id_].status, known[id_].superseded_by
            if status in ("active", "done"):
                kept[id_] = one if id_ not in kept else max(one, kept[id_], key=lambda some: some.score)
            elif status == "superseded" and successor is not None:
                last = _last(successor, known)
                if last is None and self._scope.until is not None:
                    kept[id_] = one
                elif last is not None and (last not in kept or kept[last].score < one.score):
                    kept[last] = one._replace(id=last, instead=id_)
        return kept

    def _with_successors(self, traits: dict[str, EntryTraits]) -> dict[str, EntryTraits]:
        """Entries with those that took their places, as far as they are in scope."""
        known, asked = dict(traits), set(traits)
        while later := {of.superseded_by for of in known.values() if of.superseded_by} - asked:
            known |= self._store.entry_traits(later, self._scope)
            asked |= later
        return known

    def _with_use(self, scored: dict[str, ScoredEntry], known: dict[str, EntryTraits]) -> list[ScoredEntry]:
        scores = {id_: one.score for id_, one in scored.items()}
        gains = weigh.link_weights(scores, self._store.links(scored))
        weighed = [
            one._replace(
                score=one.score + gains.get(id_, 0.0) + weigh.use_weight(known[id_].recalled + known[id_].repeated)
            )
            for id_, one in scored.items()
        ]
        return sorted(weighed, key=lambda one: (-one.score, one.id))


def _last(entry: str, known: Mapping[str, EntryTraits]) -> str | None:
    """The end of a chain of successors."""
    for _ in range(16):
        of = known.get(entry)
        if of is None or of.status == "archived":
            return None
        if of.superseded_by is None or of.superseded_by not in known:
            return entry
        entry = of.superseded_by
    return None


def stands_by_turns(turns: Iterable[Scored]) -> dict[str, float]:
    """Where entries stand by the turns they rest on, which come the best first: by the first quote, if it is there."""
    stands: dict[str, float] = {}
    for one in turns:
        for rests in one.rests or ():
            if rests.place == 0 or rests.entry not in stands:
                stands[rests.entry] = one.score
    return stands


def _add(found: dict[int, Scored], some: Iterable[Found]) -> None:
    for id_, stretch, score, _ in some:
        one = found.get(id_) or found.setdefault(id_, Scored(id_))
        one.words, one.stretch = score, stretch or one.stretch


def _inside(question: Question, where: Where) -> Where | None:
    """The stretch of time the question names."""
    when = question.when
    if when is None or not when.sure:
        return None
    until = minutes(when.until)
    return Where(where.sessions, max(1, minutes(when.since)), min(until, where.until) if where.until else until)
