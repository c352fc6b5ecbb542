"""`steno model` and `steno model spend` through their real door, with a real program as the model."""

import json
import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import steno as library
from steno.llm import Question

QUESTION = Question("read", "Be brief.", "Which colour is the sky?", {"type": "object"})


@pytest.fixture
def program(home: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Makes a program of Python the configured model."""

    def configure(code: str) -> None:
        monkeypatch.setenv("STENO_MODEL", f"command:{shlex.join([sys.executable, '-c', code])}")
        monkeypatch.setenv("STENO_MODEL_TOKENS_A_DAY", "50000")

    return configure


def ask() -> None:
    with library.open() as memory:
        memory.spending.ask(QUESTION, session_id=None, project="/shop", agent="main")


def test_without_a_model_nothing_is_spent_and_it_says_so(steno):
    assert steno("model").stdout.splitlines() == [
        "No model is configured: notes are made on this machine, without one, and cost nothing.",
        "`steno store settings` lists model, model_tokens_a_day and the other settings that change that.",
    ]
    assert steno("model", "spend").stdout.splitlines() == ["No model is configured.", "No model was ever asked."]
    assert steno("model", "show").stdout.splitlines() == [
        "No model was sent anything, or what it was sent has been forgotten since."
    ]


def test_what_a_model_took_is_shown_by_day_purpose_and_agent(steno, program):
    program("print('{}')")
    ask()
    told = json.loads(steno("model", "spend", "--json").stdout)
    [call] = told["calls"]
    assert (call["purpose"], call["state"], call["agent"], call["money"]) == ("read", "done", "main", 0.0)
    spent = call["tokens_in"] + call["tokens_out"]
    assert (told["state"]["tokens_spent"], told["state"]["tokens_left"]) == (spent, 50_000 - spent)
    assert [(total["purpose"], total["agent"], total["calls"]) for total in told["totals"]] == [("read", "main", 1)]
    shown = [line.split() for line in steno("model", "spend").stdout.splitlines()]
    counts = ["1", "0", str(call["tokens_in"]), str(call["tokens_out"]), "0", str(spent), "0"]
    assert [line for line in shown if line[1:] == counts] == [
        [call["at"][:10], *counts], ["read", *counts], ["main", *counts],
    ]  # fmt: skip


def test_what_was_sent_is_shown_word_for_word(steno, program):
    program("print('{}')")
    ask()
    shown = steno("model", "show").stdout
    assert shown.endswith(f"{QUESTION.in_words()}\n")


def test_a_model_that_fails_is_told_of_in_status(steno, program):
    program("import sys; sys.exit('please log in')")
    with pytest.raises(library.StenoError):
        ask()
    told = json.loads(steno("model", "--json").stdout)
    assert told["problem"].endswith("ended with 1: please log in")
    assert f"not asked now: {told['why_not']}" in steno("status").stdout
    assert "it failed last" in steno("model").stdout
    assert "please log in" in steno("model", "spend").stdout
