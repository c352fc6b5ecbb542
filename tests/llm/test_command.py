"""A model that is a program: real processes, also those that do not behave."""

import json
import os
import shlex
import sys
from pathlib import Path

import pytest

from steno import tokens
from steno.llm import Choice, Question, Response, Used, load
from steno.vocabulary.errors import ModelFailed, ModelStopped


def ask(folder: Path, question: Question, code: str, seconds: float = 60, stop: bool = False) -> Response:
    """What a program of these lines answers; `told` is what it was given."""
    lines = f"import sys, os, json, time\ntold = sys.stdin.read()\n{code}"
    words = shlex.join([sys.executable, "-c", lines])
    model = load(Choice(f"command:{words}"), folder / "model")
    return model.ask(question, seconds=seconds, stop=lambda: stop)


def failure(folder: Path, question: Question, code: str, seconds: float = 60) -> str:
    with pytest.raises(ModelFailed) as caught:
        ask(folder, question, code, seconds)
    return caught.value.message.removeprefix(f"{sys.executable} ")


def test_a_program_reads_the_question_and_its_output_is_the_answer(tmp_path: Path, question: Question) -> None:
    said = ask(tmp_path, question, "print(json.dumps(told))")
    assert json.loads(said.text) == question.in_words()
    assert said.used == Used(sys.executable, tokens.count(question.in_words()), tokens.count(said.text))


def test_it_runs_in_an_empty_folder_that_is_gone_afterwards(tmp_path: Path, question: Question) -> None:
    said = ask(tmp_path, question, "open('left', 'w').close(); print(os.getcwd(), os.listdir('..'))").text
    place, _, around = said.strip().partition(" ")
    assert Path(place).parent == tmp_path / "model"
    assert around == f"['{Path(place).name}']"
    assert list((tmp_path / "model").iterdir()) == []


def test_our_hooks_are_silent_in_it_and_our_keys_are_not_told(
    tmp_path: Path, question: Question, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STENO_MODEL_KEY", "secret")
    code = "print(os.environ['STENO_INSIDE'], 'STENO_MODEL_KEY' in os.environ)"
    assert ask(tmp_path, question, code).text == "1 False\n"


def test_what_claude_says_of_its_tokens_is_taken(tmp_path: Path, question: Question) -> None:
    usage = {
        "input_tokens": 10, "cache_creation_input_tokens": 5, "cache_read_input_tokens": 20, "output_tokens": 3
    }  # fmt: skip
    wrapped = {"type": "result", "is_error": False, "result": '{"colour": "blue"}', "usage": usage}
    said = ask(tmp_path, question, f"print({json.dumps(wrapped)!r})")
    assert said == Response('{"colour": "blue"}', Used(sys.executable, 35, 3, 20))


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("sys.exit('no login')", "ended with 1: no login"),
        ("print('x' * (3 << 20))", "printed more than 1,048,576 bytes"),
        (
            "print(json.dumps({'type': 'result', 'is_error': True, 'result': 'usage limit'}))",
            "failed: usage limit",
        ),
    ],
)
def test_a_program_that_fails_says_why(tmp_path: Path, question: Question, code: str, told: str) -> None:
    assert failure(tmp_path, question, code) == told


def test_a_program_that_is_not_there_costs_nothing(tmp_path: Path, question: Question) -> None:
    with pytest.raises(ModelFailed, match="no-such-program cannot be run") as caught:
        load(Choice("command:no-such-program"), tmp_path).ask(question, seconds=60, stop=lambda: False)
    assert not caught.value.may_have_cost


def test_at_the_deadline_it_is_killed_with_all_that_it_started(tmp_path: Path, question: Question) -> None:
    pipe = tmp_path / "alive"
    os.mkfifo(pipe)
    # Both it and its child hold the pipe open for as long as they live.
    code = f"held = os.open({str(pipe)!r}, os.O_WRONLY)\nos.fork()\nos.write(held, b'+')\nos.kill(os.getpid(), 19)"
    reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    assert failure(tmp_path, question, code, 1.0) == "was not done in 1 seconds"
    os.set_blocking(reading, True)
    assert os.read(reading, 10).strip(b"+") == b""
    assert os.read(reading, 10) == b""
    os.close(reading)


def test_who_says_stop_does_not_wait(tmp_path: Path, question: Question) -> None:
    with pytest.raises(ModelStopped):
        ask(tmp_path, question, "time.sleep(60)", stop=True)


def test_a_program_that_never_reads_is_answered_all_the_same(tmp_path: Path) -> None:
    long = Question("read", "Be brief.", "x " * 500_000, {})
    model = load(Choice("command:echo '{}'"), tmp_path / "model")
    assert model.ask(long, seconds=60, stop=lambda: False).text == "{}\n"
