"""What recall is compared with: three plain ways to rank the same turns, none of them through Steno's doors.

`fts5` is SQLite's BM25 over whole turns, `vectors` the cosine of one vector per turn, `fused` both by their ranks with
equal weight.
"""

import hashlib
import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import apsw
import numpy
from numpy.typing import NDArray
from recall_data import Question, Store, Unit

from steno.embedding import Choice, load

Vectors = NDArray[numpy.float32]
FUSION = 60
BATCH = 256
WORD = re.compile(r"\w+")
STOP_WORDS = frozenset(
    "a an and are as at be by did do does for from had has have he her his how i in is it its me my of on or our she "
    "that the their them they this to was we were what when where which who why will with would you your".split()
)


class Baselines:
    """The rankings of one store."""

    def __init__(self, store: Store, cache: "VectorCache") -> None:
        texts = [turn.text for turn in store.turns]
        self._keys = [turn.key for turn in store.turns]
        self._projects = [turn.project for turn in store.turns]
        self._words = Words(texts)
        self._vectors = cache.vectors(texts)
        asked = [question.text for question in store.questions]
        self._asked = dict(zip(asked, cache.vectors(asked), strict=True))

    def rankings(self, question: Question) -> Iterator[tuple[Unit, str, list[Any]]]:
        """All that each way finds, the best first. A session stands where its best turn stands."""
        by_words = self._words.ranked(question.text)
        by_meaning = [int(turn) for turn in numpy.argsort(-(self._vectors @ self._asked[question.text]), kind="stable")]
        rankings = {"fts5": by_words, "vectors": by_meaning, "fused": fuse(by_words, by_meaning)}
        for name, ranking in rankings.items():
            turns = [self._keys[turn] for turn in ranking if question.project in (None, self._projects[turn])]
            yield "turns", name, turns
            yield "sessions", name, list(dict.fromkeys(session for session, _ in turns))


class Words:
    """SQLite's full-text index over whole texts."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._database = apsw.Connection(":memory:")
        self._database.execute("CREATE VIRTUAL TABLE texts USING fts5 (text, tokenize = 'porter unicode61')")
        with self._database:
            self._database.executemany("INSERT INTO texts (rowid, text) VALUES (?, ?)", enumerate(texts))

    def ranked(self, question: str) -> list[int]:
        query = " OR ".join(f'"{word}"' for word in asked_words(question))
        if not query:
            return []
        found = self._database.execute("SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY rank, rowid", (query,))
        return [row for (row,) in found]


def asked_words(question: str) -> list[str]:
    words = list(dict.fromkeys(WORD.findall(question.casefold())))
    return [word for word in words if word not in STOP_WORDS] or words


def fuse(*rankings: Sequence[int]) -> list[int]:
    """Reciprocal rank fusion with equal weights; among equals the earlier turn first."""
    scores: dict[int, float] = defaultdict(float)
    for ranking in rankings:
        for rank, turn in enumerate(ranking, 1):
            scores[turn] += 1 / (FUSION + rank)
    return sorted(scores, key=lambda turn: (-scores[turn], turn))


class VectorCache:
    """Vectors of texts, each computed once and kept in a folder by model and text. Which file the model is made of, its
    name in that folder says."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._model = load(Choice(model="minilm"), folder)
        self._made = "+".join(sorted(path.stem for path in folder.glob("*.onnx")))
        self._database = apsw.Connection(str(folder / "vectors.db"))
        self._database.execute("CREATE TABLE IF NOT EXISTS vectors (key TEXT PRIMARY KEY, vector BLOB) WITHOUT ROWID")

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """One row of length 1 per text."""
        keys = [f"{self._made}:{hashlib.sha256(text.encode()).hexdigest()}" for text in texts]
        missing = {key: text for key, text in zip(keys, texts, strict=True) if self._read(key) is None}
        self._add(missing)
        return numpy.array([numpy.frombuffer(self._read(key) or b"", dtype=numpy.float32) for key in keys])

    def _add(self, missing: dict[str, str]) -> None:
        """Embed what is not there yet, texts of like length together, and keep every batch as it comes."""
        done = 0
        for keys in batches(sorted(missing, key=lambda key: len(missing[key]))):
            rows = self._model.embed([missing[key] for key in keys])
            with self._database:
                pairs = ((key, row.tobytes()) for key, row in zip(keys, rows, strict=True))
                self._database.executemany("INSERT OR IGNORE INTO vectors VALUES (?, ?)", pairs)
            done += len(keys)
            tell(f"baseline vectors {done}/{len(missing)}")

    def _read(self, key: str) -> bytes | None:
        found = self._database.execute("SELECT vector FROM vectors WHERE key = ?", (key,)).fetchone()
        return found[0] if found else None


def batches(keys: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(keys), BATCH):
        yield keys[start : start + BATCH]


def tell(progress: str) -> None:
    """Progress on one line of the terminal; silence elsewhere."""
    if sys.stderr.isatty():
        print(f"\r\033[K{progress}", end="", file=sys.stderr, flush=True)
