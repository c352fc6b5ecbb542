"""The thread in which a model reads along: what is urgent first, and it leaves when it is told to."""

import threading
from pathlib import Path
from typing import Any

from steno.daemon.health import Health
from steno.daemon.model import ReadingAlong
from steno.testing import house
from steno.vocabulary.readings import ReadByModel


def test_a_session_about_to_be_compacted_is_read_at_once(tmp_path: Path, monkeypatch: Any) -> None:
    stop = threading.Event()
    asked: list[tuple[str | None, bool]] = []

    def read(session: str | None, *, at_once: bool, **_: Any) -> ReadByModel:
        asked.append((session, at_once))
        stop.set()
        return ReadByModel()

    along = ReadingAlong(Health(lambda _: None), stop)
    for _ in range(2):
        along.before_compact("s1")
    with house(tmp_path) as memory:
        monkeypatch.setattr(memory, "read_with_model", read)
        along.read(memory)
    assert asked == [("s1", True)]
