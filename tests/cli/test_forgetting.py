"""`steno forget` and `steno store redact`."""

import json

import pytest


def texts(steno):
    found = steno("turns", "talk-1", "--json")
    return [json.loads(line)["text"] for line in found.stdout.splitlines()] if found.exit_code == 0 else []


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("SQLite", "1 turn and the text wherever else it is kept"),
        ("nobody said this", "the text wherever else it is kept"),
    ],
)
def test_without_a_terminal_nothing_is_erased_unless_yes_is_said(steno, talk, text, what):
    refused = steno("forget", "--text", text)
    assert refused.exit_code == 2
    assert refused.stderr == (
        f"steno: this would erase {what}, and there is no terminal to ask on\n  → add --yes to erase it\n"
    )
    assert texts(steno) == ["Why SQLite?", "No service to run.", "3 passed"]


@pytest.mark.parametrize(
    ("what", "left"),
    [
        (["--text", "SQLite"], ["No service to run.", "3 passed"]),
        (["--turn", "2"], ["Why SQLite?", "3 passed"]),
        (["--since", "2026-03-02"], ["Why SQLite?", "No service to run."]),
        (["--since", "2026-03-01T10:00:05+00:00", "--until", "2026-03-02"], ["Why SQLite?", "3 passed"]),
        (["--session", "talk"], []),
        (["--session", "latest"], []),
    ],
)
def test_what_is_chosen_is_erased_and_the_rest_stays(steno, talk, what, left):
    said = steno("forget", *what, "--yes", "--json")
    assert json.loads(said.stdout) == {"turns": 3 - len(left), "sessions": 0 if left else 1}
    assert texts(steno) == left


def test_a_time_without_a_zone_is_local_time(steno, talk, monkeypatch):
    import time

    monkeypatch.setenv("TZ", "Etc/GMT-2")  # two hours ahead of Greenwich
    time.tzset()
    said = steno("forget", "--since", "2026-03-01T12:00", "--until", "2026-03-01T12:00:05", "--yes")
    monkeypatch.undo()
    time.tzset()
    assert said.stdout == "Forgot 1 turn and 0 whole sessions.\n"


def test_a_time_that_is_none_comes_with_an_example(steno):
    said = steno("forget", "--since", "yesterday", "--yes")
    assert said.exit_code == 2
    assert "'yesterday' is no time; write 2026-03-31 or 2026-03-31T18:00" in said.stderr


@pytest.mark.parametrize("args", [["--yes"], ["--turn", "1", "--text", "x", "--yes"], ["--session", "", "--yes"]])
def test_exactly_one_thing_must_be_named(steno, talk, args):
    assert steno("forget", *args).exit_code == 2
    assert len(texts(steno)) == 3


@pytest.mark.parametrize("args", [[], ["--yes"]])
def test_a_turn_that_is_not_there_is_said_to_be_none(steno, talk, args):
    said = steno("forget", "--turn", "99999", *args)
    assert (said.exit_code, said.stdout) == (1, "")
    assert said.stderr == "steno: there is no turn 99999\n  → `steno sessions show SESSION` shows the number of each\n"


def test_nobody_is_asked_whether_to_erase_nothing(terminal, steno, talk):
    assert terminal("forget", "--since", "2030-01-01") == (0, "There is no such turn.\n")


@pytest.mark.parametrize(
    ("answer", "left", "said"), [("y\n", 2, "Forgot 1 turn and 0 whole sessions."), ("n\n", 3, "Nothing was erased.")]
)
def test_on_a_terminal_the_user_is_asked(terminal, steno, talk, answer, left, said):
    code, drawn = terminal("forget", "--turn", "1", typed=answer)
    assert "Erase 1 turn? This cannot be undone. [y/N]: " in drawn
    assert (code, said in drawn, len(texts(steno))) == (0, True, left)


def test_redact_takes_out_what_a_new_pattern_finds(steno, talk, monkeypatch):
    assert steno("store", "redact").stdout == "Nothing to redact: no stored turn holds what the patterns find.\n"
    monkeypatch.setenv("STENO_REDACT_PATTERNS", "SQLite")
    [(kind, pieces)] = json.loads(steno("store", "redact", "--json").stdout)["redacted"].items()
    assert pieces == 1
    assert "SQLite" not in texts(steno)[0]
    assert steno("status", "--health").stdout.count(f"redacted  1 piece (1 {kind})") == 1
