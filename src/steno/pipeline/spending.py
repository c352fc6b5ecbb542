"""The only way to a model: about what the user allows, inside the budget, each call in the ledger.

A call is written down with all that it may take before it is made, in one transaction with the look at what is left,
and settled afterwards. So the cap holds whoever asks at the same time, and whoever is killed in between: what was never
settled counts as it was reserved.
"""

from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import Any, Final, NamedTuple

from msgspec import structs

from steno import tokens
from steno.clock import before
from steno.files import write_whole
from steno.home import Home
from steno.llm import Choice, Model, Question, Reply, Response, Used, load
from steno.llm.answer import json_in
from steno.llm.base import Stop
from steno.llm.prices import price
from steno.pipeline.allowance import Allowance
from steno.pipeline.leave_out import MODEL_FOLDER
from steno.vocabulary.calls import ModelState, Spent
from steno.vocabulary.errors import ModelFailed, ModelStopped, NoModel

# What was sent last, for the user to see.
LAST_SENT: Final = "model-last.txt"
_REPORTED: Final = timedelta(days=31)
_MOST_CALLS: Final = 200
# A provider may count half as many tokens again as we do.
_COUNTED_ELSEWHERE: Final = 1.5
_AGAIN: Final = "Your last answer was not JSON, so it could not be read. Answer again, with JSON only."


class _About(NamedTuple):
    """What a call is about, for the ledger."""

    session_id: int | None
    agent: str | None


class Spending:
    """What a home may spend on a model, and what it spent."""

    def __init__(self, home: Home) -> None:
        self._store, self._settings, self._root = home.store, home.settings, home.root
        self._clock, self._clean = home.clock, home.clean
        self._allowed = Allowance(home)
        self._models: dict[str, Model] = {}

    def state(self) -> ModelState:
        """Whether a model may be asked now, and what is left today."""
        return self._allowed.state()

    def may_ask(self, project: str | None) -> str:
        """Why no model may be asked about this project now, in words for a person. Empty: one may be."""
        return self._allowed.why_not(self._clock()) or self._allowed.kept_from_it(project)

    def ask(
        self, question: Question, *, session_id: int | None, project: str | None, agent: str | None,
        stop: Stop = lambda: False,
    ) -> Reply:  # fmt: skip
        """Reserve, ask, settle; the fallback, where that fails. NoModel: none was asked. ModelFailed: nothing came."""
        places = [project]
        if session_id is not None:
            places.append(self._store.briefed.session(session_id)[0].directory or project)
        if reason := self._allowed.why_not(self._clock()) or self._allowed.kept_from_it(*places):
            raise NoModel(reason, hint="`steno model` tells more")
        clean = self._clean
        question = structs.replace(question, text=clean(question.text))
        about = _About(session_id, agent and clean(agent))
        trouble: NoModel | ModelFailed | None = None
        for choice in self._allowed.choices:
            try:
                return self._answered(choice, question, about, stop)
            except ModelStopped:
                raise
            except (NoModel, ModelFailed) as error:
                trouble = error if trouble is None or isinstance(error, ModelFailed) else trouble
        raise trouble or NoModel("no model is configured")

    def _answered(self, choice: Choice, question: Question, about: _About, stop: Stop) -> Reply:
        """What one of them answers; asked once more where that is no JSON."""
        if reason := self._allowed.why_not_this(choice, self._clock()):
            raise NoModel(reason, hint="`steno model` tells more")
        for tried in (question, structs.replace(question, text=f"{question.text}\n\n{_AGAIN}")):
            response, value, problem = self._call(choice, tried, about, stop)
            if not problem:
                return Reply(value, response.used)
        raise ModelFailed(f"{choice.model} answered twice with what cannot be read: {problem}")

    def _call(self, choice: Choice, question: Question, about: _About, stop: Stop) -> tuple[Response, Any, str]:
        """One call with its line in the ledger: the response, the JSON in it, and what is wrong with that."""
        model = self._loaded(choice)
        id_ = self._reserve(choice, question, about)
        calls = self._store.calls
        try:
            self._keep(choice, question)
            response = model.ask(question, seconds=self._settings["model_seconds"], stop=stop)
        except ModelStopped:
            # It stays begun: nobody knows what it took.
            raise
        except (ModelFailed, NoModel) as error:
            charged = isinstance(error, ModelFailed) and error.may_have_cost
            took = {} if charged else {"tokens_in": 0, "tokens_out": 0, "tokens_cached": 0, "money": 0.0}
            calls.settle(id_, state="failed", problem=self._clean(error.message), **took)
            raise
        value, problem = None, ""
        try:
            value = json_in(response.text)
        except ValueError as error:
            problem = str(error)
        took = {name: getattr(response.used, name) for name in ("tokens_in", "tokens_out", "tokens_cached")}
        state, said = ("failed", f"its answer: {problem}") if problem else ("done", None)
        calls.settle(id_, state=state, problem=said, money=price(choice, response.used), **took)
        return response, value, problem

    def _reserve(self, choice: Choice, question: Question, about: _About) -> int:
        """Write the call down with all that it may take, if there is room for it."""
        now = self._clock()
        asked = int(tokens.count(question.in_words()) * _COUNTED_ELSEWHERE)
        needed, most = asked + question.most_out, self._settings["model_tokens_a_call"]
        if needed > most:
            raise NoModel(f"this question may take {needed:,} tokens, and model_tokens_a_call is {most:,}")
        money = price(choice, Used(choice.name, asked, question.most_out))

        def check() -> None:
            if reason := self._allowed.too_dear(choice, now, needed, money):
                raise NoModel(reason, hint="`steno model spend` tells what it was spent on")

        return self._store.calls.begin(
            check, at=now, purpose=question.purpose, model=self._allowed.named(choice), tokens=needed, money=money,
            session_id=about.session_id, agent=about.agent,
        )  # fmt: skip

    def _loaded(self, choice: Choice) -> Model:
        if choice.model not in self._models:
            self._models[choice.model] = load(choice, self._root / MODEL_FOLDER)
        return self._models[choice.model]

    def spent(self) -> Spent:
        """What was spent in the last month, and on what."""
        since, calls = before(self._clock(), _REPORTED), self._store.calls
        return Spent(
            state=self.state(), calls=calls.all(_MOST_CALLS), totals=calls.totals(since), given=calls.given(since)
        )

    def last_sent(self) -> str:
        """What a model was sent last, word for word. Empty: nothing."""
        try:
            return (self._root / LAST_SENT).read_text("utf-8")
        except FileNotFoundError:
            return ""

    def words_left(self) -> None:
        """Words left the journal: what was sent may hold them."""
        for file in self._files():
            with suppress(FileNotFoundError):
                file.unlink()

    def _files(self) -> Iterator[Path]:
        """What was sent last, and what is left of it where somebody was killed writing it."""
        return self._root.glob(f"{LAST_SENT}*")

    def _keep(self, choice: Choice, question: Question) -> None:
        """Keep what is about to be sent. What cannot be shown is not sent."""
        kept = self._root / LAST_SENT
        head = f"at {self._clock()}, for {question.purpose}, to {self._allowed.named(choice)}"
        try:
            with write_whole(kept) as file:
                file.write(f"{head}\n\n{question.in_words()}".encode("utf-8", "replace"))
        except OSError as error:
            raise NoModel(f"what is sent cannot be kept in {kept}: {error}") from error
