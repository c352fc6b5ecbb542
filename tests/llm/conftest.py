"""The server that answers as it is told, and one question."""

import pytest

from steno.llm import Question

from ..embedding.conftest import Script, server

__all__ = ["Script", "server"]

SCHEMA = {"type": "object", "properties": {"colour": {"type": "string"}}, "required": ["colour"]}


@pytest.fixture
def question() -> Question:
    return Question("read", "Be brief.", "Which colour is the sky?", SCHEMA, most_out=50)
