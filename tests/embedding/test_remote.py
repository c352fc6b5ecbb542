"""Models behind a server: what is sent, and what becomes of every wrong answer."""

import threading
from itertools import count, repeat
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import numpy as np
import pytest

from steno.embedding import Choice, Model, load
from steno.embedding import server as door
from steno.embedding.remote import RemoteModel
from steno.embedding.server import Server
from steno.vocabulary.errors import NoEmbedding

from ..conftest import PATIENCE
from .conftest import Script

KEY = "sk-secret/with+signs-0123456789"


def row(text: str) -> list[float]:
    return [len(text), 1, 2.5]


def as_ollama(asked: dict[str, Any]) -> tuple[int, Any]:
    return 200, {"model": asked["model"], "embeddings": [row(text) for text in asked["input"]]}


def as_openai(asked: dict[str, Any]) -> tuple[int, Any]:
    rows = [{"object": "embedding", "index": i, "embedding": row(text)} for i, text in enumerate(asked["input"])]
    return 200, {"object": "list", "data": rows[::-1]}


def opened(server: Script, form: str = "openai") -> Model:
    server.answer = {"openai": as_openai, "ollama": as_ollama}[form]
    return load(Choice(f"{form}:small", server.url, KEY), Path("unused"))


@pytest.mark.parametrize(("form", "path"), [("ollama", "/api/embed"), ("openai", "/embeddings")])
def test_texts_are_sent_in_batches_and_come_back_in_order(server: Script, form: str, path: str) -> None:
    model = opened(server, form)
    texts = ["x" * n for n in range(150)]
    found = model.embed(texts)
    wanted = np.array([row(text or ".") for text in texts])
    assert (model.name, model.dimensions) == (f"{form}:small", 3)
    assert found.dtype == np.float32
    assert np.allclose(found, wanted / np.linalg.norm(wanted, axis=1, keepdims=True))
    assert [(at, len(asked["input"])) for at, _, asked in server.asked] == [(path, n) for n in (1, 64, 64, 22)]
    assert {headers["Authorization"] for _, headers, _ in server.asked} == {f"Bearer {KEY}"}
    assert model.embed([]).shape == (0, 3)


def test_odd_texts_are_sent_as_something_a_server_can_read(server: Script) -> None:
    opened(server).embed(["", " \n", "\ud800!", "\x00", "y" * 1_000_000])
    assert [text[:9] for text in server.asked[-1][2]["input"]] == [".", ".", "?!", "\x00", "y" * 9]
    assert len(server.asked[-1][2]["input"][-1]) == 8_000


def test_without_a_key_none_is_sent(server: Script) -> None:
    server.answer = as_ollama
    load(Choice("ollama:small", server.url + "/"), Path("unused"))
    assert "Authorization" not in server.asked[0][1]


WRONG = {
    "500": (500, {"error": f"it broke for Bearer {KEY}"}),
    "401 with the key": (401, {"error": {"message": f"incorrect key {KEY}"}}),
    "401 with the key escaped": (401, f"no key {KEY.replace('/', chr(92) + '/')} \x1b[31m".encode()),
    "404": (404, b"not found"),
    "not JSON": (200, f"<html>{KEY}</html>".encode()),
    "bad UTF-8": (200, b'{"data": "\xff"}'),
    "nothing": (200, b""),
    "deep": (200, b"[" * 100_000),
    "wrong shape": (200, {"data": {"embedding": [1]}}),
    "a flat list": (200, [1, 2, 3]),
    "no rows": (200, {"data": []}),
    "other count": (200, {"data": [{"index": 0, "embedding": [1, 2, 3]}] * 1}),
    "same index twice": (200, {"data": [{"index": 0, "embedding": [1, 2, 3]}] * 2}),
    "NaN": (200, b'{"data": [{"index": 0, "embedding": [NaN, 1, 1]}, {"index": 1, "embedding": [1, 1, 1]}]}'),
    "null": (200, {"data": [{"index": i, "embedding": [None, 1, 1]} for i in (0, 1)]}),
    "infinite": (200, b'{"data": [{"index": 0, "embedding": [1e999, 1]}, {"index": 1, "embedding": [1, 1]}]}'),
    "huge": (200, {"data": [{"index": i, "embedding": [1e300, 1, 1]} for i in (0, 1)]}),
    "zeros": (200, {"data": [{"index": i, "embedding": [0, 0, 0]} for i in (0, 1)]}),
    "empty rows": (200, {"data": [{"index": i, "embedding": []} for i in (0, 1)]}),
    "other lengths": (200, {"data": [{"index": i, "embedding": [1] * (i + 3)} for i in (0, 1)]}),
    "other dimensions": (200, {"data": [{"index": i, "embedding": [1, 1]} for i in (0, 1)]}),
}


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG)
def test_a_wrong_answer_is_no_embedding_and_never_shows_the_key(server: Script, wrong: tuple[int, Any]) -> None:
    model = opened(server)
    server.answer = lambda _: wrong
    with pytest.raises(NoEmbedding) as caught:
        model.embed(["one", "two"])
    shown = caught.value.message + caught.value.hint + repr(caught.value.__cause__)
    assert KEY[:12] not in shown
    assert shown.isprintable()
    assert caught.value.hint


def test_what_the_server_said_is_in_the_message(server: Script) -> None:
    server.answer = lambda _: (404, {"error": "model 'small' not found, try pulling it first"})
    with pytest.raises(NoEmbedding, match=r"answered 404: .*try pulling it first") as caught:
        load(Choice("ollama:small", server.url), Path("unused"))
    assert caught.value.hint == "is Ollama running? `ollama pull small`"


def test_a_redirect_is_not_followed(server: Script) -> None:
    server.headers = {"Location": server.url + "/elsewhere"}
    server.answer = lambda _: (302, b"over there")
    with pytest.raises(NoEmbedding, match="answered 302: over there"):
        load(Choice("openai:small", server.url, KEY), Path("unused"))
    assert len(server.asked) == 1


def test_a_server_that_is_too_slow_is_given_up(server: Script) -> None:
    done = threading.Event()
    server.answer = lambda asked: (done.wait(PATIENCE), as_openai(asked))[1]
    with pytest.raises(NoEmbedding, match="does not answer: timed out"):
        RemoteModel(Server(server.url, KEY, hint="wait", seconds=0.05), "/embeddings", name="openai:x", read=decoded)
    done.set()


def test_a_server_that_drips_for_ever_is_given_up(server: Script, monkeypatch: pytest.MonkeyPatch) -> None:
    # A second passes with every drop.
    monkeypatch.setattr("steno.embedding.server.time", SimpleNamespace(monotonic=count().__next__))
    server.answer = lambda _: (200, repeat(b" "))
    with pytest.raises(NoEmbedding, match=r"not done after 90 s"):
        RemoteModel(Server(server.url, KEY, hint="wait", seconds=90), "/embeddings", name="openai:x", read=decoded)


def test_an_answer_that_is_too_large_is_refused(server: Script, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "MOST_BYTES", 1 << 20)
    server.answer = lambda _: (200, b" " * (2 << 20))
    with pytest.raises(NoEmbedding, match="more than 1 MB"):
        load(Choice("ollama:small", server.url), Path("unused"))


def test_nobody_listening_is_no_embedding(server: Script) -> None:
    with pytest.raises(NoEmbedding, match="does not answer"):
        load(Choice("ollama:small", "http://127.0.0.1:1", KEY), Path("unused"))


def test_what_is_meant_for_this_machine_goes_through_no_proxy(server: Script, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    monkeypatch.delenv("no_proxy", raising=False)
    assert opened(server, "ollama").dimensions == 3


@pytest.mark.parametrize(
    "url", ["file:///etc/passwd", "ftp://h", "localhost:80", "http://", "http://h:x", "http://[", "//"]
)
def test_an_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(NoEmbedding, match=r"url|address"):
        load(Choice("openai:small", url, KEY), Path("unused"))


@pytest.mark.parametrize("part", ["user:pw@h", "h/a b", "h/\n"])
def test_an_odd_address_is_no_embedding(part: str) -> None:
    with pytest.raises(NoEmbedding):
        load(Choice("openai:small", f"http://127.0.0.1:1{part}", KEY), Path("unused"))


def test_openai_has_no_default_address() -> None:
    with pytest.raises(NoEmbedding, match="no address") as caught:
        load(Choice("openai:small", key=KEY), Path("unused"))
    assert "url" in caught.value.hint


@pytest.mark.parametrize("key", ["sk-secret\nX-Other: 1", "sk-secret-ключ"])
def test_a_key_that_cannot_be_one_is_refused_without_showing_it(server: Script, key: str) -> None:
    with pytest.raises(NoEmbedding, match="key") as caught:
        load(Choice("openai:small", server.url, key), Path("unused"))
    assert "secret" not in caught.value.message + repr(caught.value.__cause__)


def decoded(answer: bytes) -> list[list[float]]:
    return msgspec.json.decode(answer, type=list[list[float]])
