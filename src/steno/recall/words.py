"""The index of words for ranked recall: every turn with what was said around it, and stretches of a session.

Derived and kept beside the store by tantivy. The store's own full-text index is always in step and answers for turns
that this one does not have yet. Words that leave the journal leave this index with its whole folder.
"""

import errno
import math
import os
import shutil
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from steno.files import write_whole
from steno.recall.question import spaced
from steno.recall.where import Where
from steno.vocabulary.errors import Overtaken, StoreError, StoreFull

if TYPE_CHECKING:
    import tantivy

# Goes up when the fields or what is put into them change; folders of other versions are dropped.
_VERSION: Final = 1
# What the words of a turn itself and of a turn with its surroundings count; found on the tuned half of the data.
_SAID, _AROUND = 0.7, 1.3
# The score of a turn that explains all of a question.
BEST_WORDS: Final = _SAID + _AROUND
# A word's highest possible score is its rarity times this (BM25 with k1 = 1.2).
_SATURATED: Final = 2.2
# The rarest words of a question are looked for; more cost time and add nothing.
_MOST_TERMS: Final = 24
_HEAP: Final = 32_000_000
_MOST_TEXT: Final = 65_536


class Mark(msgspec.Struct, frozen=True):
    """How far the index has got, and what it was made from."""

    version: int
    erasures: int
    turn: int


class Found(NamedTuple):
    """A turn or a stretch that holds some of the words. The score is the share of the question it explains."""

    id: int
    stretch: int
    score: float
    # The minute it was said in; 0: not known.
    at: int = 0


class Document(NamedTuple):
    """A turn to be indexed."""

    id: int
    session: int
    at: int
    stretch: int
    said: str
    around: str


class Stretch(NamedTuple):
    """A run of turns of one session, named after its first."""

    id: int
    session: int
    at: int
    said: str


class WordIndex:
    """Both indices, in a folder of their own for each count of erasures: who still writes an older one, with words that
    were forgotten meanwhile, writes into a folder that is gone. A reader may be open while another process writes."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._erasures = 0
        self._opened: tuple[Mark, _Side, _Side] | None = None
        # The mark that was read last, and of which file: each commit puts a new one in its place.
        self._read: tuple[tuple[str, int, int], Mark] | None = None

    def mark(self, erasures: int) -> int | None:
        """Number of the last turn it holds; None: there is no index of this journal. Questions go to it."""
        self._erasures = erasures
        mark = self._mark(erasures)
        return None if mark is None else mark.turn

    def turns(self, words: dict[str, float], where: Where, *, most: int, only: list[int] | None = None) -> list[Found]:
        """Turns that hold some of the words, best first; or the scores of those turns only."""
        with self._sound():
            return self._open()[0].search(words, where, {"said": _SAID, "around": _AROUND}, most=most, only=only)

    def stretches(self, words: dict[str, float], where: Where, *, most: int) -> list[Found]:
        """Stretches that hold some of the words, best first."""
        with self._sound():
            return self._open()[1].search(words, where, {"said": 1.0}, most=most)

    def unheard(self, words: Iterable[str]) -> set[str]:
        """Those words that nobody ever said."""
        with self._sound():
            side = self._open()[0]
            return {word for word in words if not side.holds(word)}

    def drop(self) -> None:
        """Remove everything: no word of it stays."""
        self._opened = None
        for place in self._places():
            _remove(place)

    def drop_one(self, erasures: int) -> None:
        """Remove the index of one count of erasures."""
        self._opened = None
        _remove(self._place(erasures))

    @contextmanager
    def writing(self, erasures: int) -> Iterator["WordWriter"]:
        """Add turns after the mark. Only one process can; another one is told `Overtaken`."""
        place = self._place(erasures)
        for other in self._places():
            if other != place:
                _remove(other)
        if self._folder.is_file():
            self._folder.unlink(missing_ok=True)
        writer = self._writer(place, erasures)
        try:
            writer.begin(self._mark(erasures))
            yield writer
        finally:
            writer.close()

    def _writer(self, place: Path, erasures: int) -> "WordWriter":
        try:
            return WordWriter(place, erasures)
        except (StoreFull, Overtaken):
            raise
        except StoreError:
            self.drop_one(erasures)
        # Damaged: made anew.
        return WordWriter(place, erasures)

    def _place(self, erasures: int) -> Path:
        return self._folder / f"{_VERSION}.{erasures}"

    def _places(self) -> list[Path]:
        return list(self._folder.iterdir()) if self._folder.is_dir() else []

    def _mark(self, erasures: int) -> Mark | None:
        # A path costs more to put together than a text, and every question does this several times.
        file = f"{self._folder}/{_VERSION}.{erasures}/mark.json"
        try:
            state = os.stat(file)
            which = (file, state.st_ino, state.st_mtime_ns)
            if self._read is None or self._read[0] != which:
                self._read = which, msgspec.json.decode(Path(file).read_bytes(), type=Mark)
            mark = self._read[1]
        except (OSError, msgspec.MsgspecError):
            return None
        return mark if (mark.version, mark.erasures) == (_VERSION, erasures) and mark.turn >= 0 else None

    def _open(self) -> "tuple[_Side, _Side]":
        mark = self._mark(self._erasures)
        if mark is None:
            raise Overtaken("the index of words was dropped meanwhile")
        if self._opened is None or self._opened[0].erasures != mark.erasures:
            place = self._place(self._erasures)
            self._opened = (mark, _Side(place / "turns"), _Side(place / "stretches"))
        elif self._opened[0] != mark:
            _, turns, stretches = self._opened
            turns.reload()
            stretches.reload()
            self._opened = (mark, turns, stretches)
        return self._opened[1:]

    @contextmanager
    def _sound(self) -> Iterator[None]:
        """An index that cannot be read loses its mark, so that it is made anew; until then there is none."""
        try:
            yield
        except BaseException as error:
            if not _is_damage(error):
                raise
            self._opened = None
            with suppress(OSError):
                (self._place(self._erasures) / "mark.json").unlink()
            raise Overtaken(f"the index of words cannot be read: {error}") from error


class _Side:
    """One of the two indices, open for reading."""

    def __init__(self, folder: Path) -> None:
        import tantivy

        self._index = tantivy.Index.open(str(folder))
        self._index.register_tokenizer("words", analyzer())
        self._schema = self._index.schema
        self._analyzer = analyzer()
        self._searcher = self._index.searcher()
        # A question is asked several times: of all, of a time, of some turns.
        self._asked: tuple[dict[str, float], list[tantivy.Query]] | None = None

    def reload(self) -> None:
        """See what was committed since."""
        self._index.reload()
        self._searcher = self._index.searcher()
        self._asked = None

    def holds(self, word: str) -> bool:
        """Whether a turn has it."""
        return any(self._searcher.doc_freq("said", term) for term in self._analyzer.analyze(word))

    def search(
        self,
        words: dict[str, float],
        where: Where,
        fields: dict[str, float],
        *,
        most: int,
        only: list[int] | None = None,
    ) -> list[Found]:
        """Rank by BM25, each field as a share of the best score the question could have."""
        import tantivy

        asked = self._asked
        if asked is None or asked[0] != words:
            asked = self._asked = words, self._terms(words, fields)
        parts = asked[1]
        if not parts:
            return []
        should = tantivy.Query.boolean_query([(tantivy.Occur.Should, part) for part in parts])
        conditions = self._conditions(where, only)
        if conditions:
            must = [(tantivy.Occur.Must, query) for query in (should, *conditions)]
            should = tantivy.Query.boolean_query(must)
        hits = self._searcher.search(should, most, count=False).hits
        places = [place for _, place in hits]
        known: Any = [self._searcher.fast_field_values(name, places) for name in ("id", "stretch", "at")]
        rows = zip(hits, *known, strict=True)
        return [Found(int(id_), int(stretch), score, int(at)) for (score, _), id_, stretch, at in rows]

    def _terms(self, words: dict[str, float], fields: dict[str, float]) -> "list[tantivy.Query]":
        import tantivy

        weights: dict[str, float] = {}
        for word, weight in words.items():
            for term in self._analyzer.analyze(word):
                weights[term] = max(weight, weights.get(term, 0.0))
        queries = []
        for field, share in fields.items():
            counts = {term: self._searcher.doc_freq(field, term) for term in weights}
            worth = {term: self._rarity(count) * weights[term] for term, count in counts.items()}
            # A word that is nowhere counts too: nothing explains it.
            rarest = sorted(worth, key=lambda term: -worth[term])
            best = sum(worth[term] for term in rarest[:_MOST_TERMS]) * _SATURATED
            for term in [term for term in rarest if counts[term]][:_MOST_TERMS]:
                query = tantivy.Query.term_query(self._schema, field, term, "freq")
                queries.append(tantivy.Query.boost_query(query, share * weights[term] / best))
        return queries

    def _rarity(self, count: int) -> float:
        """Inverse document frequency as tantivy computes it."""
        # Older forms of a turn are still counted among those that hold the word, but no longer among all turns.
        total = max(count, self._searcher.num_docs)
        return math.log(1 + (total - count + 0.5) / (count + 0.5))

    def _conditions(self, where: Where, only: list[int] | None) -> "list[tantivy.Query]":
        import tantivy

        conditions = []
        if where.sessions is not None:
            conditions.append(tantivy.Query.term_set_query(self._schema, "session", where.sessions))
        if where.since is not None or where.until is not None:
            whole, since = tantivy.FieldType.Integer, where.since or 1
            conditions.append(
                tantivy.Query.range_query(self._schema, "at", whole, since, where.until, include_upper=False)
            )
        if only is not None:
            # Three times as fast as a set of terms.
            ids = [(tantivy.Occur.Should, tantivy.Query.term_query(self._schema, "id", id_)) for id_ in only]
            conditions.append(tantivy.Query.boolean_query(ids))
        return [tantivy.Query.const_score_query(condition, 0.0) for condition in conditions]


class WordWriter:
    """Puts turns and stretches into both indices; nothing counts until `commit`."""

    def __init__(self, folder: Path, erasures: int) -> None:
        self._folder = folder
        self._erasures = erasures
        self._turns = _writer(folder / "turns", ("said", "around"))
        try:
            self._stretches = _writer(folder / "stretches", ("said",))
        except BaseException:
            _let_go(self._turns)
            raise
        self.mark = 0

    def begin(self, mark: Mark | None) -> None:
        """Forget what was added after the mark by a writer that was killed before it could say so."""
        import tantivy

        with self._trouble():
            if mark is None:
                self._turns.delete_all_documents()
                self._stretches.delete_all_documents()
                return
            self.mark = mark.turn
            whole, schema = tantivy.FieldType.Integer, _schema(("said", "around"))
            after = tantivy.Query.range_query(schema, "id", whole, mark.turn, None, include_lower=False)
            self._turns.delete_documents_by_query(after)

    def put(self, document: Document) -> None:
        """Add a turn, in place of an older form of it."""
        import tantivy

        if document.id <= self.mark:
            self._turns.delete_documents_by_term("id", document.id)
        fields = document._asdict() | {"said": spaced(document.said[:_MOST_TEXT]), "around": spaced(document.around)}
        with self._trouble():
            self._turns.add_document(tantivy.Document(**fields))

    def put_stretch(self, stretch: Stretch) -> None:
        """Add a stretch, in place of a shorter form of it."""
        import tantivy

        self._stretches.delete_documents_by_term("id", stretch.id)
        fields = stretch._asdict() | {"said": spaced(stretch.said), "stretch": stretch.id}
        with self._trouble():
            self._stretches.add_document(tantivy.Document(**fields))

    def commit(self, mark: int) -> None:
        """Everything up to this turn is in."""
        with self._trouble():
            self._stretches.commit()
            self._turns.commit()
            with write_whole(self._folder / "mark.json") as file:
                file.write(msgspec.json.encode(Mark(_VERSION, self._erasures, mark)))
        self.mark = mark

    def close(self) -> None:
        """Let go of both; what was not committed is gone."""
        for writer in (self._turns, self._stretches):
            _let_go(writer)

    @contextmanager
    def _trouble(self) -> Iterator[None]:
        """Errors in our words; if the folder was dropped meanwhile, there is nothing to complain about."""
        try:
            yield
        except BaseException as error:
            if not _is_damage(error) and not isinstance(error, OSError):
                raise
            if not self._folder.exists():
                raise Overtaken("the index of words was dropped meanwhile") from error
            raise _trouble(error) from error


def analyzer() -> "tantivy.TextAnalyzer":
    """Words without case, accents and endings."""
    import tantivy

    builder = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
    filters = (tantivy.Filter.remove_long(64), tantivy.Filter.lowercase(), tantivy.Filter.ascii_fold())
    for one in (*filters, tantivy.Filter.stemmer("english")):
        builder = builder.filter(one)
    return builder.build()


def _schema(texts: tuple[str, ...]) -> "tantivy.Schema":
    import tantivy

    builder = tantivy.SchemaBuilder()
    for name in ("id", "session", "at", "stretch"):
        builder.add_integer_field(name, indexed=True, fast=True)
    for name in texts:
        builder.add_text_field(name, tokenizer_name="words", index_option="freq")
    return builder.build()


def _writer(folder: Path, texts: tuple[str, ...]) -> "tantivy.IndexWriter":
    """The only writer of a folder; a second one is refused by tantivy's own lock."""
    import tantivy

    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        index = tantivy.Index(_schema(texts), path=str(folder), reuse=True)
        index.register_tokenizer("words", analyzer())
        return index.writer(heap_size=_HEAP, num_threads=1)
    except BaseException as error:
        if not _is_damage(error) and not isinstance(error, OSError):
            raise
        if "LockBusy" in str(error):
            raise Overtaken("another process is indexing words") from error
        raise _trouble(error) from error


def _let_go(writer: "tantivy.IndexWriter") -> None:
    """Wait for its threads, which releases the lock. What they did in a folder that is gone does not matter."""
    try:
        writer.wait_merging_threads()
    except BaseException as error:
        if not _is_damage(error):
            raise


def _is_damage(error: BaseException) -> bool:
    """Whether tantivy could not do what it was asked: it raises ValueError, or panics where it trusts its files."""
    return isinstance(error, ValueError) or type(error).__name__ == "PanicException"


def _remove(folder: Path) -> None:
    """Out of everybody's way first, in one step: what is still written to it fails, and nothing new comes into it."""
    gone = folder.with_name(f"{folder.name}.gone-{os.getpid()}-{threading.get_ident()}")
    try:
        os.replace(folder, gone)
    except FileNotFoundError:
        return
    except OSError:
        gone = folder
    shutil.rmtree(gone, ignore_errors=True)


def _trouble(error: Any) -> StoreError:
    if (isinstance(error, OSError) and error.errno == errno.ENOSPC) or "No space" in str(error):
        return StoreFull("no room left on the disk for the index of words", hint="free some space; nothing was lost")
    return StoreError(f"the index of words cannot be written: {error}", hint="`steno store rebuild --vectors` helps")
