"""The library as a stranger uses it."""

import subprocess
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path

import pytest

import steno
from steno.testing import house, said, write_jsonl
from steno.vocabulary import Allow, Ask


def test_open_uses_steno_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STENO_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("STENO_EMBEDDING", "off")
    with steno.open() as memory:
        memory.capture(write_jsonl(tmp_path / "t.jsonl", said("we keep SQLite", id="7")))
        [hit] = memory.recall("sqlite", k=5, within="turns")
    assert (hit.session, hit.native_id, (tmp_path / "home" / "steno.db").exists()) == ("s1", "7", True)


REFUSAL = "no, never change the payments table"
# Each verb that tells what was learnt: whether it tells of the refusal.
ASKED: dict[str, Callable[[steno.Memory], object]] = {
    "entries": lambda memory: [entry for entry in memory.entries() if entry.category == "rule"],
    "recall": lambda memory: memory.recall("payments table", within="entries"),
    "believes": lambda memory: memory.believes("payments table"),
    "remind": lambda memory: memory.remind("let us change the payments table", project="/shop"),
    "before": lambda memory: isinstance(memory.before(ALTER), Ask),
    "brief": lambda memory: REFUSAL in memory.brief().text,
    "boot": lambda memory: REFUSAL in memory.boot(project="/shop").text,
    "checkpoint": lambda memory: memory.checkpoint().turn,
    "handoff": lambda memory: "payments" in memory.handoff(),
    "capsule": lambda memory: REFUSAL in memory.capsule(),
}
ALTER = steno.Action(agent="bot", text="change the payments table", directory="/shop")


def captured(folder: Path) -> Callable[..., AbstractContextManager[steno.Memory]]:
    """Houses on one home, in the first of which a refusal was captured and nothing asked."""
    lines = [
        said("I'll change the payments table by hand.", role="assistant", project="/shop"),
        said(REFUSAL, project="/shop", at="2026-01-01T09:00:00Z"),
    ]
    with house(folder) as memory:
        memory.capture(write_jsonl(folder / "t.jsonl", *lines))
    return partial(house, folder)


@pytest.mark.parametrize("verb", ASKED)
def test_what_was_captured_is_learnt_when_a_verb_asks_for_it_also_after_closing(tmp_path: Path, verb: str) -> None:
    opened = captured(tmp_path)
    with opened() as memory:
        assert ASKED[verb](memory)
        learnt = memory.entries()
        memory.capture(write_jsonl(tmp_path / "t.jsonl", said("from now on always run make lint before you commit")))
        assert len(memory.entries()) == len(learnt) + 1


def test_who_asks_again_does_not_look_for_something_to_learn_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with captured(tmp_path)() as memory:
        memory.entries()
        monkeypatch.setattr(memory.home.store.entries, "unread", lambda *_: pytest.fail("nothing was captured since"))
        for ask in ASKED.values():
            ask(memory)


def test_where_somebody_else_is_the_scribe_nobody_waits_for_it(tmp_path: Path) -> None:
    captured(tmp_path)
    environment = {"HOME": str(tmp_path), "STENO_EMBEDDING": "off"}
    with steno.Memory(tmp_path / "steno", environment=environment, reads_on=False) as memory:
        assert (memory.entries(), memory.rules.all(), memory.recall("payments", within="entries")) == ([], [], [])
        assert isinstance(memory.before(ALTER), Allow)
        assert REFUSAL in memory.brief().text  # a briefing is of one session, and that one it reads


def test_where_somebody_reads_too_nobody_waits_for_a_long_history(tmp_path: Path) -> None:
    captured(tmp_path)
    environment = {"HOME": str(tmp_path), "STENO_EMBEDDING": "off"}
    for most, learnt in ((1, False), (1_000, True)):
        with steno.Memory(tmp_path / "steno", environment=environment, most_unread=most) as memory:
            assert bool(memory.entries()) is learnt


def test_a_server_cannot_be_opened_yet() -> None:
    with pytest.raises(steno.StenoError, match="only folders"):
        steno.open("postgresql://localhost/steno")


def test_a_wrong_pattern_of_the_user_is_named(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text('redact_patterns = ["(unclosed"]')
    with pytest.raises(steno.StenoError, match=r"\(unclosed"):
        steno.open(tmp_path)


def test_importing_the_package_loads_nothing_else() -> None:
    heavy = "apsw", "msgspec", "rich", "click", "re2", "numpy", "onnxruntime", "tantivy"
    code = f"import sys, steno; print([name for name in sys.modules if name.split('.')[0] in {heavy}])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"


def test_opening_a_memory_loads_no_model(tmp_path: Path) -> None:
    heavy = "numpy", "onnxruntime", "tokenizers", "tantivy"
    code = f"""if True:
        import sys, steno
        with steno.open({str(tmp_path)!r}) as memory:
            memory.status(), memory.sessions(), memory.recallable()
        print([name for name in sys.modules if name.split('.')[0] in {heavy}])
    """
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"
