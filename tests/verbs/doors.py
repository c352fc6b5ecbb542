"""The same verb asked through every door, on the machine of `tests/golden`: what each of them answers."""

import asyncio
import json
import os
import shlex
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import cache
from typing import Any
from unittest.mock import patch

import httpx2
import msgspec
from mcp import Client
from msgspec import Struct

from steno.cli import answering
from steno.doors import mcp
from steno.doors.api import app
from steno.doors.openapi import method_of
from steno.doors.workers import Workers
from steno.memory import Memory
from steno.settings import home_of
from steno.verbs.asking import Asker
from steno.verbs.call import decoded, lines
from steno.verbs.table import Verb

from ..golden.machine import Machine

TOKEN = "t" * 43
PORT = 9


class Asked(Struct, frozen=True, kw_only=True):
    """What came of one command line."""

    line: str
    verb: str
    code: int
    # The answer by each door, as JSON; an error as its sentence.
    typed: Any
    # None: it waits for a person.
    over_http: Any
    # None: it is no tool, or was asked with what a tool does not take.
    over_mcp: Any = None
    # Whether its lines are the answer again.
    comes_back: bool
    # Tables of the store that were others afterwards.
    changed: list[str]


class Fresh(Workers):
    """Workers that open a memory for each work: every command line finds another home."""

    def __init__(self) -> None:
        pass

    async def run(self, work: Callable[[Memory], Any], *, seconds: float) -> Any:
        with Memory(home_of(os.environ)) as memory:
            return work(memory)


def through_all(machine: Machine, words: list[str]) -> Asked | None:
    """A command line, and the same asked over HTTP and MCP. None: it is no verb of several doors."""
    met: list[tuple[Verb, dict[str, Any]]] = []
    back: list[bool] = []
    real, shown = answering.ask, answering._show

    def ask(verb: Verb, given: dict[str, Any], **how: Any) -> int:
        met.append((verb, {name: value for name, value in given.items() if value is not None}))
        return real(verb, given, **how)

    def show(verb: Verb, given: Any, answer: Any, *rest: Any) -> None:
        every = list(answer) if isinstance(answer, Iterator) else answer
        back.append(decoded(verb.name, lines(every)) == every)
        shown(verb, given, every, *rest)

    with patch.object(answering, "ask", ask):
        machine.restore()
        before = _tables(machine)
        text, code = machine.run([*machine.named(words), "--json"])
        changed = [name for name, mark in _tables(machine).items() if before.get(name) != mark]
    if not met or "http" not in met[-1][0].doors:
        return None
    with patch.object(answering, "_show", show):
        machine.restore()
        machine.run(machine.named(words))
    verb, given = met[-1]
    usual = {one.name: one.default for one in verb.params()} | {"everywhere": False}
    given = {name: value for name, value in given.items() if name not in usual or value != usual[name]}
    machine.restore()
    with machine.on():
        served = _lines_or_sentence(*asyncio.run(over_http(verb, given)))
    over_mcp = None
    if (
        verb.tool
        and verb.does == "reads"
        and given.keys() - {"directory", "agent"} <= {*verb.tool_params} - {"session"}
    ):
        machine.restore()
        # A tool works where its agent does, and is told of no session elsewhere.
        said = {name: value for name, value in given.items() if name != "directory" and name in verb.tool_params}
        with machine.on():
            over_mcp = asyncio.run(_over_mcp(verb, said, given.get("directory")))
    values = [json.loads(line) for line in text.splitlines() if line.startswith(("{", "["))]
    typed = text if text.startswith("steno:") else values
    return Asked(
        line=shlex.join(words), verb=verb.name, code=code, typed=typed, over_http=served, over_mcp=over_mcp,
        comes_back=all(back), changed=changed,
    )  # fmt: skip


def _tables(machine: Machine) -> dict[str, int]:
    """What stands in each table of the store, as a mark of it."""
    with machine.on(), closing(sqlite3.connect(home_of(os.environ) / "steno.db")) as store:
        names = store.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%'")
        return {name: hash(tuple(store.execute(f'SELECT * FROM "{name}"'))) for (name,) in list(names)}


@cache
def application() -> Any:
    """The HTTP door; it opens the home of the moment for each request."""
    return app(Fresh(), Fresh(), TOKEN, PORT)


async def over_http(verb: Verb, given: dict[str, Any], **headers: str) -> tuple[int, Any]:
    """A verb over HTTP: the status, and the JSON that comes back."""
    every = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json", **headers}
    async with httpx2.AsyncClient(
        transport=httpx2.ASGITransport(app=application()), base_url=f"http://127.0.0.1:{PORT}", headers=every
    ) as client:
        if method_of(verb) == "GET":
            answer = await client.get(verb.path, params=given)
        else:
            answer = await client.post(verb.path, content=msgspec.json.encode(given))
        return answer.status_code, answer.json()


def _lines_or_sentence(status: int, told: Any) -> Any:
    """An answer over HTTP as the command line prints it."""
    if told != [] and "error" in told and told["error"].startswith("This waits for a person"):
        return None
    if status != 200:
        return f"steno: {told['error']}\n" + (f"  → {told['hint']}\n" if told["hint"] else "")
    return told if isinstance(told, list) else [told]


async def _over_mcp(verb: Verb, given: dict[str, Any], project: str | None) -> Any:
    async with Client(mcp.server(Fresh(), lambda: Asker(project=project, door="mcp"))) as client:
        answer = await client.call_tool(verb.tool, given)
    if answer.is_error:
        return f"steno: {answer.content[0].text}"
    told = (answer.meta or {})["steno/answer"]
    return told if isinstance(told, list) else [told]
