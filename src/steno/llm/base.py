"""What a model is asked, what it answers, and what that took."""

from typing import Any, Protocol

from msgspec import Struct


class Question(Struct, frozen=True):
    """One thing a model is asked."""

    # Why: `read`, … The ledger has it.
    purpose: str
    # The same for every question of a purpose, so that a provider may keep it.
    instructions: str
    # What this question is about: data, never instructions.
    text: str
    # JSON schema of the answer.
    schema: dict[str, Any]
    # How many tokens the answer may have.
    most_out: int = 4_000


class Used(Struct, frozen=True):
    """What one call took, as the provider counts it."""

    # As the provider names it.
    model: str
    # All of the question; how much of it the provider had kept from an earlier one; the answer.
    tokens_in: int
    tokens_out: int
    tokens_cached: int = 0


class Response(Struct, frozen=True):
    """What a model wrote. Whether it is JSON nobody knows yet."""

    text: str
    used: Used


class Reply(Struct, frozen=True):
    """An answered question. The value is JSON of any shape: who asked looks whether it is what was asked for."""

    value: Any
    used: Used


class Model(Protocol):
    """Answers questions. May be used from several threads at once."""

    # As the user wrote it: `anthropic:NAME`, `command:PROGRAM`, …
    name: str
    # Local, or paid for otherwise: its tokens cost no money.
    is_free: bool

    def ask(self, question: Question, *, seconds: float) -> Response:
        """One call, over within that time. ModelFailed: it came to nothing."""
        ...
