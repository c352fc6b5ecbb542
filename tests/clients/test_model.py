"""The stand-in model itself: it answers whole and in pieces, in both protocols, and keeps what it was asked."""

import json
from typing import Any
from urllib.request import Request, urlopen

import pytest

from .model import Model, Part, Run, Say

MESSAGES = {"model": "m", "system": "Be brief.", "tools": [{"name": "Bash"}]}
RESPONSES = {"model": "m", "instructions": "Be brief.", "tools": [{"name": "exec_command"}]}


def post(model: Model, path: str, body: dict[str, Any]) -> str:
    request = Request(f"{model.url}{path}", json.dumps(body).encode(), {"content-type": "application/json"})
    with urlopen(request, timeout=10) as answer:
        return str(answer.read().decode())


def test_it_answers_messages_whole(model: Model) -> None:
    model.when("list the files", Run("ls"), Say("Two."))
    asked = {"role": "user", "content": "list the files"}
    called = json.loads(post(model, "/v1/messages", {**MESSAGES, "messages": [asked]}))
    assert (called["stop_reason"], called["content"][0]["name"], called["content"][0]["input"]) == (
        "tool_use",
        "Bash",
        {"command": "ls"},
    )
    result = {"role": "user", "content": [{"type": "tool_result", "content": "a b"}]}
    more = [asked, {"role": "assistant", "content": called["content"]}, result]
    said = json.loads(post(model, "/v1/messages", {**MESSAGES, "messages": more}))
    assert (said["stop_reason"], said["content"]) == ("end_turn", [{"type": "text", "text": "Two."}])
    assert model.asked[-1].parts == [
        Part("system", "text", "Be brief."),
        Part("user", "text", "list the files"),
        Part("assistant", "call", '{"command": "ls"}'),
        Part("tool", "result", "a b"),
    ]


def test_it_answers_responses_whole(model: Model) -> None:
    model.when("list the files", Run("ls"))
    body = {**RESPONSES, "input": "list the files"}
    [called] = json.loads(post(model, "/v1/responses", body))["output"]
    assert (called["type"], called["name"], called["arguments"]) == ("function_call", "exec_command", '{"cmd": "ls"}')
    assert model.asked[-1].parts == [Part("system", "text", "Be brief."), Part("user", "text", "list the files")]


@pytest.mark.parametrize(
    ("path", "body", "last"),
    [
        ("/v1/messages", {**MESSAGES, "messages": [{"role": "user", "content": "hello"}]}, "message_stop"),
        ("/v1/responses", {**RESPONSES, "input": "hello"}, "response.completed"),
    ],
)
def test_it_answers_in_pieces(model: Model, path: str, body: dict[str, Any], last: str) -> None:
    events = post(model, path, {**body, "stream": True}).strip().split("\n\n")
    assert events[-1].startswith(f"event: {last}\ndata: ")
    assert any("Done." in event for event in events)


def test_it_leaves_out_what_nobody_typed(model: Model) -> None:
    told = {"type": "text", "text": "<system-reminder>list the files</system-reminder>"}
    body = {**MESSAGES, "messages": [{"role": "user", "content": [{"type": "text", "text": "hello"}, told]}]}
    post(model, "/v1/messages", body)
    assert model.asked[-1].prompt == "hello"
