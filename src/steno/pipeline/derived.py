"""What recall needs besides the store: the index of words and the vectors. All derived: it can be made again."""

import shutil
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from steno.embedding import Choice, Model, load
from steno.home import Home
from steno.pipeline.embed import Embed
from steno.pipeline.index import index_words
from steno.recall.words import WordIndex
from steno.store.recall import State
from steno.vocabulary import Recallable
from steno.vocabulary.errors import NoEmbedding, StoreError

if TYPE_CHECKING:
    from steno.recall.meaning import StoredMeaning

Told = Callable[[int], None]
# So many turns without their place in the index of words are worth a tenth of a second, and no more than so many.
_WORTH_IT: Final = 500
_A_MOMENT: Final = 5000


class Derived:
    """Makes and keeps it, under one folder."""

    def __init__(self, home: Home) -> None:
        self._store, self._folder = home.store, home.root / "derived"
        self._choice = Choice(*(home.settings[name] for name in ("embedding", "embedding_url", "embedding_key")))
        self.words = WordIndex(self._folder / "words")
        self._model: Model | None = None
        self._meaning: StoredMeaning | None = None
        self._trouble: NoEmbedding | None = None
        self._loading = threading.Lock()
        self._indexing = threading.Lock()

    def index(self, told: Told = lambda _: None, stop: Callable[[], bool] = lambda: False) -> int:
        """Bring the index of words up to the end of the journal, unless told to stop."""
        with self._indexing:
            return index_words(self._store, self.words, told, stop)

    def ready(self) -> "tuple[WordIndex, StoredMeaning | None]":
        """What a question is answered from, after one look at the store."""
        state = self._store.searched.state()
        return self._ready_words(state), self._ready_meaning(state)

    def ready_words(self) -> WordIndex:
        """The index of words alone."""
        return self._ready_words(self._store.searched.state())

    def _ready_words(self, state: State) -> WordIndex:
        """The index of words; brought up to date at once if that is a matter of a moment and worth it."""
        unindexed = self._unindexed(state)
        if _WORTH_IT <= unindexed <= _A_MOMENT or (unindexed and unindexed == state.turn <= _A_MOMENT):
            # A disk that is full or must not be written is no reason not to answer.
            with suppress(StoreError):
                self.index()
        return self.words

    def _unindexed(self, state: State) -> int:
        """About how many turns the index of words does not hold yet; the store's own index answers for them."""
        return state.turn - (self.words.mark(state.erasures) or 0)

    def embed(self, told: Told = lambda _: None, stop: Callable[[], bool] = lambda: False) -> int:
        """Make the vectors that are missing, unless told to stop; how many turns and entries got theirs."""
        if self._choice.model == "off" or stop():
            return 0
        made = self._embed()
        # What is new since the capture sketched is sketched here; nobody counts that.
        self._work(made.sketch, lambda _: None, stop)
        return self._work(made.run, told, stop)

    def sketch(self, told: Told = lambda _: None, stop: Callable[[], bool] = lambda: False) -> int:
        """Index words, and sketch the turns that have no vectors, if these are many; how many."""
        self.index(stop=stop)
        return 0 if self._choice.model == "off" or stop() else self._work(self._embed().sketch, told, stop)

    def _embed(self) -> Embed:
        """What makes vectors, with the model chosen now."""
        model = self._load()
        self._trouble = None
        if self._store.vectors.model() in (None, "off"):
            self._store.vectors.begin(model.name, anew=False)
        return Embed(self._store, model, self._folder / "making")

    def _work(self, work: Callable[[Told, Callable[[], bool]], int], told: Told, stop: Callable[[], bool]) -> int:
        """Do it for as long as the model stays the same; then what was made is laid out."""
        model, vectors = self._load(), self._store.vectors
        done = work(told, lambda: stop() or vectors.model() != model.name)
        if meaning := self.meaning():
            meaning.lay_out()
        return done

    def again(self, told: Told = lambda _: None) -> int:
        """Drop all of it and make it anew with the model chosen now."""
        model = None if self._choice.model == "off" else self._load()
        self.drop()
        self._store.vectors.begin(model.name if model else "off")
        self.index()
        return self.embed(told) if model else 0

    def meaning(self) -> "StoredMeaning | None":
        """The vectors, if there are any and the model that made them is at hand."""
        return self._ready_meaning(self._store.searched.state())

    def _ready_meaning(self, state: State) -> "StoredMeaning | None":
        if state.model is None or self._choice.model == "off" or self._trouble is not None:
            return None
        try:
            model = self._load()
        except NoEmbedding as error:
            self._trouble = error
            return None
        if model.name != state.model:
            return None
        meaning = self._meaning
        if meaning is None:
            from steno.recall.meaning import StoredMeaning

            meaning = self._meaning = StoredMeaning(self._store, model, self._folder / "vectors")
        meaning.follow(state)
        return meaning

    def recallable(self) -> Recallable:
        """How well recall can answer now, in words."""
        vectors = self._store.vectors
        made_by = vectors.model()
        waiting = vectors.waiting() if made_by not in (None, "off") else 0
        sketched = vectors.sketched() if waiting else 0
        note = self._note(made_by, waiting, sketched)
        return Recallable(vectors=vectors.count(), waiting=waiting, sketched=sketched, model=made_by, note=note)

    def drop(self) -> None:
        """Remove every file: words that left the store must not stay here."""
        self.words.drop()
        self._meaning = None
        for folder in self._folder.glob("vectors*"):
            shutil.rmtree(folder, ignore_errors=True)

    def _load(self) -> Model:
        with self._loading:
            if self._model is None:
                self._model = load(self._choice, self._folder / "models")
            return self._model

    def _note(self, made_by: str | None, waiting: int, sketched: int) -> str:
        if self._unindexed(self._store.searched.state()) > _A_MOMENT:
            return "the index of words is behind, so answers are slower and poorer; `steno store embed` makes it"
        if self._choice.model == "off":
            return ""
        if self._trouble is not None:
            return f"found by words only: {self._trouble.message}; {self._trouble.hint}"
        if made_by in (None, "off"):
            words = "found by words only: no vectors yet; `steno store embed` makes them"
            return words if self._store.journal.count() else ""
        if self._model is not None and self._model.name != made_by:
            return (
                f"found by words only: the vectors are of {made_by}, the setting says {self._model.name}; "
                "`steno store rebuild --vectors` makes new ones"
            )
        means = f" ({sketched:,} are found by sketches until then)" if sketched else ""
        words = f"about {waiting:,} turns wait for their vectors{means}; `steno store embed` makes them"
        return words if waiting else ""


def after_seconds(seconds: float) -> Callable[[], bool]:
    """A stop sign that goes up after a time."""
    end = time.monotonic() + seconds
    return lambda: time.monotonic() >= end
