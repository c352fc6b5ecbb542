"""What a user may choose, what a model is asked, what it answers, and what that took."""

import json
from collections.abc import Callable
from ipaddress import ip_address
from typing import Any, Final, Protocol
from urllib.parse import urlsplit

from msgspec import Struct

from steno.vocabulary.choices import Named

# No answer is read any further.
MOST_BYTES: Final = 1 << 20
# How long somebody who says stop waits, at most.
STOP_SECONDS: Final = 0.2
Stop = Callable[[], bool]
# What turns up in names of machines that nobody reaches from outside.
_NEAR: Final = (".local", ".lan", ".internal", ".home.arpa")


class Choice(Named, frozen=True):
    """Which model the user chose, by one of `FORMS`."""

    @property
    def is_free(self) -> bool:
        """Whether its tokens cost no money: it is a program (a subscription pays), or it runs near by."""
        return self.model.startswith("command:") or _is_near(self.url)


def _is_near(url: str) -> bool:
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return False
    try:
        return ip_address(host).is_private
    except ValueError:
        return bool(host) and ("." not in host or host.endswith(_NEAR))


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

    def in_words(self) -> str:
        """All of it as one text, for a model that is not told apart what is what, and for people."""
        schema = json.dumps(self.schema, ensure_ascii=False)
        return f"{self.instructions}\n\n{_ONLY_JSON}\n{schema}\n\n{self.text}\n"


_ONLY_JSON: Final = "Answer with one JSON value of this schema, and with nothing else:"


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

    def ask(self, question: Question, *, seconds: float, stop: Stop) -> Response:
        """One call, over within that time. ModelFailed: it came to nothing; ModelStopped: `stop` said so."""
        ...
