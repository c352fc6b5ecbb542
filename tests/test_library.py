"""The library as a stranger uses it."""

import subprocess
import sys
from pathlib import Path

import pytest

import steno
from steno.testing import said, write_jsonl


def test_open_uses_steno_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STENO_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("STENO_EMBEDDING", "off")
    with steno.open() as memory:
        memory.capture(write_jsonl(tmp_path / "t.jsonl", said("we keep SQLite", id="7")))
        [hit] = memory.recall("sqlite", k=5, within="turns")
    assert (hit.session, hit.native_id, (tmp_path / "home" / "steno.db").exists()) == ("s1", "7", True)


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
