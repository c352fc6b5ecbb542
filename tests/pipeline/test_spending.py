"""The only way to a model: what may be asked, what it took, and that no cap is ever passed."""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from steno.llm import Question, Reply, Response, Used
from steno.memory import Memory
from steno.pipeline import spending
from steno.testing import SteppingClock, house, said, write_jsonl
from steno.vocabulary.errors import ModelFailed, NoModel

from .test_forget import files_with

QUESTION = Question("read", "Be brief.", "Which colour is the sky?", {"type": "object"}, most_out=40)
# What is reserved for it.
NEEDED = 85
BLUE = Reply({"colour": "blue"}, Used("m", 60, 5))
FREE = {"model": "command:m", "model_tokens_a_day": "10000"}
PAID = {"model": "anthropic:claude-sonnet-4-6", "model_key": "k", "model_money_a_day": "1"}


class Scripted:
    """A model that answers as it is told."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.answer: Callable[[Question], str] = lambda _: '{"colour": "blue"}'

    def ask(self, question: Question, *, seconds: float, stop: Callable[[], bool]) -> Response:
        self.asked.append(question.text)
        return Response(self.answer(question), BLUE.used)


@pytest.fixture
def models(monkeypatch: pytest.MonkeyPatch) -> dict[str, Scripted]:
    """The models there are, by the names users give them."""
    found = {"command:m": Scripted(), "command:other": Scripted(), PAID["model"]: Scripted()}
    monkeypatch.setattr(spending, "load", lambda choice, folder: found[choice.model])
    return found


def ask(memory: Memory, question: Question = QUESTION, *, project: str | None = "/shop", **more: Any) -> Reply:
    return memory.spending.ask(question, **{"session_id": None, "agent": "main", **more}, project=project)


def why_not(memory: Memory, project: str | None = "/shop") -> str:
    """Why nothing is asked; both ways to learn it say the same."""
    with pytest.raises(NoModel) as caught:
        ask(memory, project=project)
    assert memory.spending.may_ask(project) == caught.value.message
    return caught.value.message


def fails(*_: Any) -> str:
    raise ModelFailed("it does not answer", may_have_cost=False)


def states(memory: Memory) -> list[str]:
    return [call.state for call in memory.spending.spent().calls]


def test_an_answer_is_in_the_ledger_with_what_it_took(tmp_path: Path, models: dict[str, Scripted]) -> None:
    with house(tmp_path, **FREE) as memory:
        memory.capture(write_jsonl(tmp_path / "t.jsonl", said("we keep SQLite", session="s1", project="/shop")))
        assert ask(memory, session_id=memory.home.store.journal.session_id("s1")) == BLUE
        [call] = memory.spending.spent().calls
        assert (call.purpose, call.model, call.state, call.session, call.project, call.agent) == (
            "read", "command:m", "done", "s1", "/shop", "main",
        )  # fmt: skip
        assert (call.tokens_in, call.tokens_out, call.tokens, call.money) == (60, 5, 65, 0.0)
        state = memory.spending.state()
        assert (state.tokens_spent, state.tokens_left, state.why_not) == (65, 9_935, "")


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({}, "no model is configured"),
        ({"model_fallback": "command:m", "model_tokens_a_day": "9"}, "no model is configured"),
        ({"model": "command:m"}, "it has no budget: model_tokens_a_day is 0"),
        ({"model": "command:m", "model_money_a_day": "5"}, "it has no budget: model_tokens_a_day is 0"),
        (
            {"model": PAID["model"], "model_tokens_a_day": "9000"},
            "it costs money and has no budget: model_money_a_day is 0",
        ),
        (
            {**FREE, "model": "hal:9000"},
            "no model is called 'hal:9000': choose anthropic:NAME, openai:NAME, gemini:NAME or command:PROGRAM",
        ),
        ({**FREE, "model_hours": "at night"}, "model_hours is 'at night', which is no stretch of hours such as 22-6"),
        ({**FREE, "model_not_for": "/shop"}, "the user keeps this project from models"),
    ],
)
def test_nobody_is_asked_unless_all_is_as_the_user_wants_it(
    tmp_path: Path, models: dict[str, Scripted], settings: dict[str, str], why: str
) -> None:
    with house(tmp_path, **settings) as memory:
        assert why_not(memory) == why
    assert [model.asked for model in models.values()] == [[], [], []]


@pytest.fixture
def in_utc() -> Iterator[None]:
    """This process lives in UTC."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", "UTC")
        time.tzset()
        yield
    time.tzset()


def test_a_model_has_its_hours(tmp_path: Path, models: dict[str, Scripted], in_utc: None) -> None:
    clock = SteppingClock()
    with house(tmp_path, clock=clock, **FREE, model_hours="22-6") as memory:
        for hour, may in (("21:59", False), ("22:00", True), ("03:00", True), ("06:00", False)):
            clock.now = f"2026-01-01T{hour}:00.000Z"
            assert (memory.spending.may_ask("/shop") == "") == may


def test_what_is_left_out_of_capture_is_kept_from_models_too(tmp_path: Path, models: dict[str, Scripted]) -> None:
    folder = tmp_path / "secret"
    line = said("we keep SQLite", session="s1", project="/shop", directory=str(folder / "deep"))
    with house(tmp_path, **FREE) as memory:
        memory.capture(write_jsonl(tmp_path / "t.jsonl", line))
        memory.exclude(str(folder))
        assert why_not(memory, str(folder)) == "the user keeps this project from models"
        with pytest.raises(NoModel, match="keeps this project"):
            ask(memory, session_id=memory.home.store.journal.session_id("s1"), project=str(folder / "deep"))
        assert ask(memory, project="/elsewhere") == BLUE


def test_where_nobody_knows_the_place_nothing_is_sent_if_some_are_kept(
    tmp_path: Path, models: dict[str, Scripted]
) -> None:
    with house(tmp_path, **FREE, model_not_for="/private") as memory:
        assert "nobody knows where it was said" in why_not(memory, None)


def test_past_the_budget_of_tokens_nobody_is_asked(tmp_path: Path, models: dict[str, Scripted]) -> None:
    with house(tmp_path, model="command:m", model_tokens_a_day=str(NEEDED + 64)) as memory:
        assert ask(memory) == BLUE
        with pytest.raises(NoModel, match=r"^84 of the 149 tokens of 24 hours are left$"):
            ask(memory)
    assert len(models["command:m"].asked) == 1


def test_past_the_budget_of_money_nobody_is_asked(tmp_path: Path, models: dict[str, Scripted]) -> None:
    with house(tmp_path, **{**PAID, "model_money_a_day": "0.0009"}) as memory:
        assert ask(memory) == BLUE
        with pytest.raises(NoModel, match=r"^\$0\.0006 of the \$0\.0009 of 24 hours are left$"):
            ask(memory)
        [call] = memory.spending.spent().calls
        assert call.money == pytest.approx((60 * 3 + 5 * 15) / 1e6)


def test_what_has_no_known_price_is_counted_as_dear(tmp_path: Path, models: dict[str, Scripted]) -> None:
    models["openai:nobody-knows-me"] = Scripted()
    settings = {**PAID, "model": "openai:nobody-knows-me"}
    with house(tmp_path, **settings) as memory:
        ask(memory)
        assert memory.spending.state().money_spent == pytest.approx((60 * 15 + 5 * 75) / 1e6)


def test_a_question_that_is_too_long_is_not_asked(tmp_path: Path, models: dict[str, Scripted]) -> None:
    with (
        house(tmp_path, **FREE, model_tokens_a_call=str(NEEDED - 1)) as memory,
        pytest.raises(NoModel, match=f"may take {NEEDED} tokens, and model_tokens_a_call is {NEEDED - 1}"),
    ):
        ask(memory)


def test_the_budget_is_free_again_after_a_day_and_counts_what_the_future_holds(
    tmp_path: Path, models: dict[str, Scripted]
) -> None:
    clock = SteppingClock("2026-01-10T12:00:00.000Z")
    with house(tmp_path, clock=clock, model="command:m", model_tokens_a_day=str(NEEDED)) as memory:
        ask(memory)
        for now in ("2026-01-10T12:00:01.000Z", "2026-01-11T11:59:59.000Z", "2026-01-03T00:00:00.000Z"):
            clock.now = now
            with pytest.raises(NoModel, match="tokens of 24 hours are left"):
                ask(memory)
        clock.now = "2026-01-11T12:00:01.000Z"
        assert ask(memory) == BLUE


def test_a_model_is_asked_so_often_in_an_hour(tmp_path: Path, models: dict[str, Scripted]) -> None:
    clock = SteppingClock()
    with house(tmp_path, clock=clock, **FREE) as memory:
        for _ in range(12):
            ask(memory)
        assert why_not(memory) == "it was asked 12 times within the hour"
        clock.now = "2026-01-01T13:00:01.000Z"
        assert ask(memory) == BLUE


# -- failing -----------------------------------------------------------------------------------------------------------


def test_what_is_no_json_is_asked_for_once_more(tmp_path: Path, models: dict[str, Scripted]) -> None:
    answers = iter(["I think it is blue.", '{"colour": "blue"}'])
    models["command:m"].answer = lambda _: next(answers)
    with house(tmp_path, **FREE) as memory:
        assert ask(memory) == BLUE
        assert states(memory) == ["done", "failed"]
        assert memory.spending.state().tokens_spent == 130
    first, second = models["command:m"].asked
    assert second.startswith(first)
    assert "not JSON" in second


def test_a_model_that_cannot_write_json_failed(tmp_path: Path, models: dict[str, Scripted]) -> None:
    models["command:m"].answer = lambda _: "Ich bin ein Gedicht."
    with house(tmp_path, **FREE) as memory:
        with pytest.raises(ModelFailed, match="answered twice with what cannot be read: it is no JSON"):
            ask(memory)
        assert states(memory) == ["failed", "failed"]


def test_where_it_fails_the_fallback_is_asked(tmp_path: Path, models: dict[str, Scripted]) -> None:
    models["command:m"].answer = fails
    with house(tmp_path, **FREE, model_fallback="command:other") as memory:
        assert ask(memory) == BLUE
        assert [(call.model, call.state, call.tokens) for call in memory.spending.spent().calls] == [
            ("command:other", "done", 65), ("command:m", "failed", 0),
        ]  # fmt: skip
        # The first one is left alone for a while.
        assert ask(memory) == BLUE
        assert len(models["command:m"].asked) == 1


def test_a_free_fallback_goes_on_where_the_money_is_spent(tmp_path: Path, models: dict[str, Scripted]) -> None:
    settings = {**PAID, "model_money_a_day": "0.000001", "model_fallback": "command:m", "model_tokens_a_day": "9000"}
    with house(tmp_path, **settings) as memory:
        assert ask(memory) == BLUE
        assert [call.model for call in memory.spending.spent().calls] == ["command:m"]


def test_a_model_that_is_down_is_asked_less_and_less_often(tmp_path: Path, models: dict[str, Scripted]) -> None:
    models["command:m"].answer = fails
    clock = SteppingClock("2026-01-01T00:00:00.000Z")
    with house(tmp_path, clock=clock, **FREE) as memory:
        for minute in range(24 * 60):
            clock.now = f"2026-01-01T{minute // 60:02}:{minute % 60:02}:00.000Z"
            with pytest.raises((NoModel, ModelFailed)):
                ask(memory)
        # After 2, 4, 8, … minutes, and then every six hours.
        assert len(models["command:m"].asked) == 11
        state = memory.spending.state()
        assert (state.down_until, state.problem) == ("2026-01-02T02:30:00.000Z", "it does not answer")
        assert state.why_not == "it failed again and again and is left alone until 2026-01-02T02:30:00.000Z"
        # The clock was wrong: nobody waits for a time that will not come.
        clock.now = "2025-06-01T00:00:00.000Z"
        models["command:m"].answer = lambda _: '{"colour": "blue"}'
        assert ask(memory) == BLUE
        assert memory.spending.state().down_until is None


def test_a_call_that_may_have_cost_something_counts_as_it_was_reserved(
    tmp_path: Path, models: dict[str, Scripted]
) -> None:
    def late(_: Question) -> str:
        raise ModelFailed("was not done after 60 s")

    models["command:m"].answer = late
    with house(tmp_path, **FREE) as memory:
        with pytest.raises(ModelFailed):
            ask(memory)
        assert (states(memory), memory.spending.state().tokens_spent) == (["failed"], NEEDED)


# -- at the same time, and killed --------------------------------------------------------------------------------------


def test_two_at_once_never_pass_the_cap(tmp_path: Path, models: dict[str, Scripted]) -> None:
    settings = {"model": "command:m", "model_tokens_a_day": str(NEEDED * 3)}
    # Nobody is done before everybody has asked.
    waiting = threading.Event()
    models["command:m"].answer = lambda _: '{"colour": "blue"}' if waiting.wait(60) else ""
    outcomes: list[str] = []
    with house(tmp_path, **settings) as one, house(tmp_path, **settings) as other:

        def one_more(memory: Memory) -> None:
            try:
                ask(memory)
            except NoModel:
                outcomes.append("refused")
                if len(outcomes) == 5:
                    waiting.set()

        threads = [threading.Thread(target=one_more, args=(memory,)) for memory in (one, other) * 4]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert (len(models["command:m"].asked), len(outcomes)) == (3, 5)
        assert one.spending.state().tokens_spent == 3 * 65


@pytest.mark.skipif(sys.platform != "linux", reason="a process is forked")
def test_killed_between_the_call_and_the_ledger_a_hundred_times_no_cap_is_passed(
    tmp_path: Path, models: dict[str, Scripted]
) -> None:
    calls = tmp_path / "calls"
    settings = {"model": "command:m", "model_tokens_a_day": str(NEEDED * 10)}

    def answered_and_killed(_: Question) -> str:
        with calls.open("a") as file:
            file.write("+")
        os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError("killed")

    models["command:m"].answer = answered_and_killed
    house(tmp_path, **settings).__enter__().close()
    for _ in range(100):
        child = os.fork()
        if not child:
            try:
                with house(tmp_path, **settings) as memory:
                    ask(memory)
            finally:
                os._exit(0)
        os.waitpid(child, 0)
    with house(tmp_path, **settings) as memory:
        assert calls.read_text() == "+" * 10
        assert states(memory) == ["begun"] * 10
        assert (memory.spending.state().tokens_spent, memory.spending.state().tokens_left) == (NEEDED * 10, 0)
        assert all(check.ok for check in memory.doctor())


# -- what is sent ------------------------------------------------------------------------------------------------------

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def test_what_is_sent_is_redacted_and_can_be_looked_at(tmp_path: Path, models: dict[str, Scripted]) -> None:
    question = Question("read", "Be brief.", f"it was {TOKEN}, you know", {"type": "object"}, most_out=40)
    with house(tmp_path, **FREE) as memory:
        assert memory.spending.last_sent() == ""
        ask(memory, question)
        sent = memory.spending.last_sent()
        assert sent.startswith("at 2026-01-01T12:00:00.000Z, for read, to command:m\n\nBe brief.\n")
        assert "you know" in sent
    assert TOKEN not in "".join(models["command:m"].asked)
    assert (tmp_path / "steno" / "model-last.txt").stat().st_mode & 0o777 == 0o600
    assert files_with(tmp_path / "steno", TOKEN) == []


def test_what_was_sent_is_forgotten_with_the_words_and_so_is_what_the_ledger_says_of_itself(
    tmp_path: Path, models: dict[str, Scripted]
) -> None:
    def complains(_: Question) -> str:
        raise ModelFailed("I do not know canary-8f3a")

    models["command:m"].answer = complains
    with house(tmp_path, **FREE) as memory:
        memory.capture(write_jsonl(tmp_path / "t.jsonl", said("the canary-8f3a sings", id="1")))
        question = Question("read", "Be brief.", "the canary-8f3a sings", {"type": "object"})
        with pytest.raises(ModelFailed):
            ask(memory, question, agent="canary-8f3a")
        memory.forget(text="canary-8f3a")
        [call] = memory.spending.spent().calls
        assert (call.agent, call.problem, call.state, memory.spending.last_sent()) == (None, None, "failed", "")
    assert files_with(tmp_path / "steno", "canary-8f3a") == []


def test_a_pattern_of_today_is_applied_to_the_ledger(tmp_path: Path, models: dict[str, Scripted]) -> None:
    with house(tmp_path, **FREE) as memory:
        ask(memory, agent="hush-1")
    with house(tmp_path, **FREE, redact_patterns="hush-[0-9]") as memory:
        memory.redact()
        assert "hush" not in str(memory.spending.spent())
    assert files_with(tmp_path / "steno", "hush-1") == []


def test_what_a_program_says_in_its_own_folder_is_never_captured(tmp_path: Path) -> None:
    place = tmp_path / "steno" / "model" / "x1"
    line = {
        "type": "user", "uuid": "u", "sessionId": "s", "cwd": str(place),
        "message": {"role": "user", "content": "never use tabs"},
    }  # fmt: skip
    with house(tmp_path) as memory:
        captured = memory.capture(write_jsonl(tmp_path / "t.jsonl", line), source="claude-code")
        assert (captured.turns, memory.sessions()) == (0, [])


def test_the_ledger_adds_up_by_day_purpose_and_agent(tmp_path: Path, models: dict[str, Scripted]) -> None:
    clock = SteppingClock()
    with house(tmp_path, clock=clock, **FREE) as memory:
        ask(memory)
        ask(memory, agent=None)
        clock.now = "2026-01-02T12:00:00.000Z"
        ask(memory)
        found = [[t.day, t.purpose, t.agent, t.calls, t.tokens] for t in memory.spending.spent().totals]
        assert found == [
            ["2026-01-02", "read", "main", 1, 65],
            ["2026-01-01", "read", None, 1, 65],
            ["2026-01-01", "read", "main", 1, 65],
        ]
