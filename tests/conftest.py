"""For all tests: patience, processes that do not outlive them, and models of meaning: the real one, made once, and one
that is quick and knows a few synonyms."""

import fcntl
import os
import shutil
import subprocess
import sys
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings

from steno.embedding import Choice, load
from steno.memory import Memory
from steno.pipeline import derived
from steno.store import sqlite
from steno.store.sqlite import SqliteDatabase
from steno.testing import house

from .person import as_person, is_person

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# readline, which pytest loads, puts these into the environment of every child behind Python's back.
for name in ("COLUMNS", "LINES"):
    os.unsetenv(name)


def pytest_configure(config: pytest.Config) -> None:
    """What only people may do is held where no person seems to ask: in an agent's shell, or without a terminal."""
    if not hasattr(config, "workerinput") and not is_person():
        config.pluginmanager.getplugin("capturemanager").suspend_global_capture(in_=True)
        sys.stdout.flush()
        os._exit(as_person(sys.orig_argv))


House = Callable[..., AbstractContextManager[Memory]]
Begin = Callable[..., "subprocess.Popen[Any]"]

# How long to wait for what must come. No measure of anything: on whatever machine, only what hangs takes so long.
PATIENCE = 120.0
# How quick an example is says how busy the machine is.
settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")


def wait_until(is_so: Callable[[], Any]) -> Any:
    """What it gives as soon as that is something; a test that waits in vain fails."""
    until = time.monotonic() + PATIENCE
    while not (found := is_so()):
        assert time.monotonic() < until, "waited in vain"
        time.sleep(0.02)
    return found


def steps(work: Callable[[], object]) -> int:
    """How much is done for it, in calls of functions, ours and C's: the same on every machine, unlike a clock."""
    told = 0

    def count(_frame: object, event: str, _what: object) -> None:
        nonlocal told
        told += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(before)
    return told


@pytest.fixture
def begin() -> Iterator[Begin]:
    """Starts processes. However the test ends, none is left then, and nobody waits for one that hangs."""
    begun: list[subprocess.Popen[Any]] = []

    def start(command: Sequence[str], **options: Any) -> "subprocess.Popen[Any]":
        begun.append(subprocess.Popen(command, **options))
        return begun[-1]

    yield start
    for process in begun:
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout, process.stderr):
            if pipe is not None:
                pipe.close()


@pytest.fixture(scope="session")
def empty_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store as it is made, before anything is in it: without a secret, too."""
    path = tmp_path_factory.mktemp("empty") / "steno.db"
    SqliteDatabase(path, busy_seconds=PATIENCE).close()
    return path


@pytest.fixture(autouse=True)
def quick_stores(empty_store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A new store is a copy of the empty one, and nobody waits for the disk: no test pulls the plug.

    What is about the making of a store, or about disks, has a fixture of its own by this name.
    """
    real = sqlite._connect

    def connect(path: Path, busy_seconds: float) -> Any:
        if not path.exists():
            before = os.umask(0o077)
            with suppress(OSError):  # of what is in the way, the real one tells
                path.parent.mkdir(parents=True, exist_ok=True)
                copy = shutil.copyfile(empty_store, path.with_name(f"{time.monotonic_ns()}.new"))
                with suppress(FileExistsError):  # two at the same moment
                    os.link(copy, path)
                copy.unlink()
            os.umask(before)
        return real(path, busy_seconds)

    monkeypatch.setattr(sqlite, "_connect", connect)
    monkeypatch.setattr(sqlite, "_SETTINGS", sqlite._SETTINGS.replace("synchronous = FULL", "synchronous = OFF"))


@pytest.fixture(scope="session")
def made_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the real model lies, quantised: made once, by one worker for all of them."""
    place = tmp_path_factory.getbasetemp()
    shared = place.parent if "PYTEST_XDIST_WORKER" in os.environ else place
    with (shared / "made-model.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        load(Choice("minilm"), shared / "made-model")
    return shared / "made-model"


@pytest.fixture
def real_house(made_model: Path, tmp_path: Path) -> House:
    """A house with the real model, which need not be made again."""
    models = tmp_path / "steno" / "derived" / "models"
    models.mkdir(parents=True)
    for file in made_model.iterdir():
        os.link(file, models / file.name)
    return partial(house, tmp_path, embedding="minilm")


class QuickModel:
    """Texts are near each other if they hold the same words, or words that mean the same to it."""

    SAME = ({"car", "automobile", "vehicle"}, {"tired", "exhausted"}, {"doctor", "physician"})

    def __init__(self, name: str = "quick", dimensions: int = 64) -> None:
        self.name = name
        self.dimensions = dimensions
        self.asked: list[list[str]] = []

    def embed(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        import numpy as np

        self.asked.append(list(texts))
        rows = np.full((len(texts), self.dimensions), 1e-3, np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in text.casefold().split():
                row += self._direction(word.strip(".,?!"))
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        return rows / lengths

    def _direction(self, word: str) -> "NDArray[np.float32]":
        import numpy as np

        meaning = next((min(group) for group in self.SAME if word in group), word)
        random = np.random.default_rng(zlib.crc32(meaning.encode("utf-8", "replace")))
        return random.standard_normal(self.dimensions).astype(np.float32)


@pytest.fixture
def quick_model(monkeypatch: pytest.MonkeyPatch) -> QuickModel:
    """Every house that embeds does it with this model."""
    model = QuickModel()
    monkeypatch.setattr(derived, "load", lambda *_: model)
    return model


@pytest.fixture
def quick_house(quick_model: QuickModel, tmp_path: Path) -> House:
    """A house with the quick model."""
    return partial(house, tmp_path, embedding="minilm")
