"""Models behind servers, on their real wires: each provider's request and answer, and everything that can go wrong."""

import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from steno.llm import Choice, Model, Question, Response, Used, load
from steno.vocabulary.errors import ModelFailed, ModelStopped, NoModel

from .conftest import SCHEMA, Script

KEY = "sk-ant-very/secret+key"
BLUE = '{"colour": "blue"}'
ANSWER = Response(BLUE, Used("the-model", 100, 7, 40))


def chat(text: str) -> dict[str, Any]:
    return {
        "id": "c", "object": "chat.completion", "created": 1, "model": "the-model",
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}],
        "usage": {
            "prompt_tokens": 100, "completion_tokens": 7, "total_tokens": 107,
            "prompt_tokens_details": {"cached_tokens": 40},
        },
    }  # fmt: skip


def message(text: str) -> dict[str, Any]:
    return {
        "id": "m", "type": "message", "role": "assistant", "model": "the-model",
        "content": [{"type": "text", "text": text}], "stop_reason": "end_turn", "stop_sequence": None,
        "usage": {
            "input_tokens": 60, "cache_read_input_tokens": 40, "cache_creation_input_tokens": 0, "output_tokens": 7
        },
    }  # fmt: skip


Wire = tuple[str, str, Callable[[str], dict[str, Any]]]
OPENAI: Wire = ("openai:the-model", "/chat/completions", chat)
GEMINI: Wire = ("gemini:gemini-2.5-flash", "/chat/completions", chat)
ANTHROPIC: Wire = ("anthropic:claude-sonnet-4-6", "/v1/messages", message)


@pytest.fixture(params=[OPENAI, GEMINI, ANTHROPIC], ids=["openai", "gemini", "anthropic"])
def wire(request: pytest.FixtureRequest) -> Wire:
    found: Wire = request.param
    return found


@pytest.fixture
def model(wire: Wire, server: Script, tmp_path: Path) -> Model:
    server.answer = lambda _: (200, wire[2](BLUE))
    return load(Choice(wire[0], server.url, KEY), tmp_path)


def never() -> bool:
    return False


def ask(model: Model, question: Question, seconds: float = 60) -> Response:
    return model.ask(question, seconds=seconds, stop=never)


def failure(model: Model, question: Question, seconds: float = 60) -> tuple[str, bool]:
    """What is said of a failed call, without the server's address, and whether it may have cost something."""
    with pytest.raises(ModelFailed) as caught:
        ask(model, question, seconds)
    assert KEY not in f"{caught.value!r}{caught.value.hint}{caught.value.__cause__}"
    return caught.value.message.partition(" ")[2], caught.value.may_have_cost


def test_a_question_is_one_request_with_its_schema(
    wire: Wire, model: Model, server: Script, question: Question
) -> None:
    assert ask(model, question) == ANSWER
    [(path, headers, asked)] = server.asked
    assert path == wire[1]
    assert KEY in f"{headers.get('authorization')}{headers.get('Authorization')}{headers.get('X-Api-Key')}"
    assert asked["model"] == wire[0].partition(":")[2]
    assert "Be brief." in json.dumps(asked)
    assert "Which colour is the sky?" in json.dumps(asked["messages"])
    wanted = asked.get("response_format", {}).get("json_schema") or asked["output_config"]["format"]
    assert wanted["schema"]["properties"] == SCHEMA["properties"]
    assert 50 in (asked.get("max_tokens"), asked.get("max_completion_tokens"))


@pytest.mark.parametrize(
    ("status", "said", "told"),
    [
        (401, {"error": {"message": f"wrong key {KEY}"}}, "answered 401"),
        (429, {"error": {"message": "slow down"}}, "answered 429"),
        (500, b"oops", "answered 500: oops"),
    ],
)
def test_an_error_is_told_without_the_key_costs_nothing_and_is_not_tried_again(
    model: Model, server: Script, question: Question, status: int, said: Any, told: str
) -> None:
    server.answer = lambda _: (status, said)
    words, may_have_cost = failure(model, question)
    assert (words[: len(told)], may_have_cost, len(server.asked)) == (told, False, 1)


@pytest.mark.parametrize("said", [b"I would say blue.", b'{"choices": [{"mess', b"", b"{}", b"[1, 2]"])
def test_an_answer_in_no_form_we_know_may_have_cost_something(
    model: Model, server: Script, question: Question, said: bytes
) -> None:
    server.answer = lambda _: (200, said)
    words, may_have_cost = failure(model, question)
    assert (words.startswith("answered with what cannot be read"), may_have_cost) == (True, True)


def test_no_more_than_a_megabyte_is_read(model: Model, server: Script, question: Question) -> None:
    server.answer = lambda _: (200, (b"x" * 65_536 for _ in range(100)))
    assert failure(model, question) == ("answered with more than 1 MB", True)


def test_a_redirect_is_not_followed(model: Model, server: Script, question: Question) -> None:
    server.headers = {"Location": f"{server.url}/elsewhere"}
    server.answer = lambda _: (307, b"")
    assert failure(model, question) == ("sends us to another address", False)
    assert len(server.asked) == 1


@pytest.fixture
def slow(server: Script) -> Iterator[None]:
    """The server answers when the test is over."""
    over = threading.Event()
    server.answer = lambda _: (200, b"") if over.wait(60) else (500, b"")
    yield
    over.set()


def test_an_answer_after_the_deadline_is_none(model: Model, question: Question, slow: None) -> None:
    assert failure(model, question, 0.3) == ("was not done after 0.3 s", True)


def test_who_says_stop_does_not_wait(model: Model, question: Question, slow: None) -> None:
    with pytest.raises(ModelStopped):
        model.ask(question, seconds=60, stop=lambda: True)


def test_a_server_that_is_not_there_costs_nothing(wire: Wire, question: Question, tmp_path: Path) -> None:
    model = load(Choice(wire[0], "http://127.0.0.1:1", KEY), tmp_path)
    words, may_have_cost = failure(model, question)
    assert (words.startswith("does not answer"), may_have_cost) == (True, False)


def test_a_server_that_does_not_understand_a_schema_is_asked_in_words_from_then_on(
    model: Model, wire: Wire, server: Script, question: Question
) -> None:
    def answer(asked: dict[str, Any]) -> tuple[int, Any]:
        in_words = "response_format" not in asked and "output_config" not in asked
        in_words |= asked.get("response_format") == {"type": "json_object"}
        return (200, wire[2](BLUE)) if in_words else (400, {"error": "unknown field"})

    server.answer = answer
    assert [ask(model, question), ask(model, question)] == [ANSWER, ANSWER]
    assert len(server.asked) == 3
    assert "colour" in json.dumps(server.asked[-1][2])


def test_no_variable_names_another_server_or_key(
    model: Model, server: Script, question: Question, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI", "ANTHROPIC"):
        monkeypatch.setenv(f"{name}_BASE_URL", "http://127.0.0.1:1")
        monkeypatch.setenv(f"{name}_API_KEY", "another")
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "another")
    assert ask(model, question) == ANSWER
    assert "another" not in str(server.asked)


@pytest.mark.parametrize(
    ("choice", "why"),
    [
        (Choice("openai:gpt"), "openai:gpt has no key"),
        (Choice("openai:gpt", "ftp://somewhere"), "is no address of a server"),
        (Choice("openai:gpt", "http://x", "schlüssel"), "characters no key has"),
        (Choice("openai:"), "no model is called 'openai:'"),
        (Choice("hal:9000"), "no model is called 'hal:9000'"),
        (Choice("command:echo 'x"), "is no command line"),
    ],
)
def test_what_is_no_model_is_told(choice: Choice, why: str, tmp_path: Path) -> None:
    with pytest.raises(NoModel, match=why):
        load(choice, tmp_path)


@pytest.mark.parametrize(
    ("choice", "is_free"),
    [
        (Choice("command:claude -p"), True),
        (Choice("openai:llama", "http://localhost:11434/v1"), True),
        (Choice("openai:llama", "http://192.168.1.7:8000/v1"), True),
        (Choice("openai:llama", "http://workstation.local/v1"), True),
        (Choice("openai:gpt"), False),
        (Choice("openai:gpt", "https://openrouter.ai/api/v1"), False),
        (Choice("openai:gpt", "https://8.8.8.8/v1"), False),
        (Choice("anthropic:claude", "http://[::1"), False),
    ],
)
def test_what_runs_near_by_or_on_a_subscription_costs_no_money(choice: Choice, is_free: bool) -> None:
    assert choice.is_free == is_free


def test_a_key_is_in_no_representation() -> None:
    assert KEY not in repr(Choice("openai:gpt", "https://x", KEY))
