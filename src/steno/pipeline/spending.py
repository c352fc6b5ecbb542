"""The only way to a model: inside the budget, at the hours the user chose, each call in the ledger."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from steno.clock import Clock
from steno.llm.base import Question, Reply
from steno.settings import Settings
from steno.store import Store
from steno.vocabulary.calls import ModelState
from steno.vocabulary.errors import NoModel

if TYPE_CHECKING:
    from steno.pipeline.scrub import Scrubber


class Spending:
    """What a home may spend on a model, and what it spent."""

    def __init__(
        self, store: Store, settings: Settings, *, home: Path, clock: Clock, scrubber: Callable[[], "Scrubber"]
    ) -> None:
        self._store = store
        self._settings = settings
        self._home = home
        self._clock = clock
        self._scrubber = scrubber

    def state(self) -> ModelState:
        """Whether a model may be asked now, and what is left today."""
        return ModelState(
            model="", fallback="", is_free=False, why_not="no model is configured", tokens_spent=0, money_spent=0.0,
            tokens_left=None, money_left=None, down_until=None, problem=None,
        )  # fmt: skip

    def may_ask(self, project: str | None) -> str:
        """Why no model may be asked about this project now, in words for a person. Empty: one may be."""
        return self.state().why_not

    def ask(self, question: Question, *, session_id: int | None, project: str | None, agent: str | None) -> Reply:
        """Reserve, ask, settle. NoModel: it was not asked. ModelFailed: it was, and nothing came of it."""
        raise NoModel(self.may_ask(project))
