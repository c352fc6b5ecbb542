"""Settings: one table; the environment beats the file, the file beats the default."""

from pathlib import Path

import pytest

from steno.settings import SETTINGS, Settings, home_of
from steno.vocabulary.errors import BadSetting


def test_without_anything_the_defaults_hold(tmp_path: Path) -> None:
    chosen = Settings(tmp_path, {}).all()
    assert [(item.setting.name, item.value, item.origin) for item in chosen] == [
        (setting.name, setting.default, "default") for setting in SETTINGS
    ]


def test_the_environment_beats_the_file_and_the_file_the_default(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text('rescan_seconds = 5\nbusy_seconds = 7.5\nredact_patterns = ["x+"]\n')
    settings = Settings(tmp_path, {"STENO_BUSY_SECONDS": "9", "STENO_SOURCES": "codex, jsonl"})
    found = {item.setting.name: (item.value, item.origin) for item in settings.all()}
    chosen = {
        "sources": (["codex", "jsonl"], "environment"),
        "redact_patterns": (["x+"], "file"),
        "rescan_seconds": (5, "file"),
        "busy_seconds": (9, "environment"),
    }
    assert found == {setting.name: (setting.default, "default") for setting in SETTINGS} | chosen


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("colour = 'red'", "sets 'colour', which is no setting"),
        ("rescan_seconds = 'often'", "must be a number, not 'often'"),
        ("rescan_seconds = -1", "must be a number, not -1"),
        ("capture_assistant = 1", "must be true or false, not 1"),
        ("sources = 'codex'", "must be a list of texts"),
        ("sources = [1]", "must be a list of texts"),
        ("auto_recall = 'often'", "must be one of strict, top_k, off, not 'often'"),
        ("= what", "cannot read"),
    ],
)
def test_a_wrong_file_is_refused_with_the_reason(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "settings.toml").write_text(text)
    with pytest.raises(BadSetting, match=message):
        Settings(tmp_path, {})


def test_a_wrong_variable_is_refused_with_its_name(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match="in STENO_CAPTURE_ASSISTANT must be true or false, not 'maybe'"):
        Settings(tmp_path, {"STENO_CAPTURE_ASSISTANT": "maybe"})


def test_the_home_can_be_moved() -> None:
    assert home_of({"STENO_HOME": "/elsewhere"}) == Path("/elsewhere")
    assert home_of({}).name == ".steno"


@pytest.mark.parametrize(
    ("text", "value"),
    [("[0-9]{6,8}", ["[0-9]{6,8}"]), ("a+\nb{1,2}", ["a+", "b{1,2}"]), ('["x,y", "z"]', ["x,y", "z"])],
)
def test_a_pattern_with_a_comma_is_one_pattern(tmp_path: Path, text: str, value: list[str]) -> None:
    assert Settings(tmp_path, {"STENO_REDACT_PATTERNS": text})["redact_patterns"] == value
