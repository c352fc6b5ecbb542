"""The HTTP API: a request in, a call at the front desk, JSON out. What there is stands in the table of routes."""

import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, Final

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route as WebRoute
from starlette.types import ASGIApp

from steno import __version__
from steno.doors.api_act import acting
from steno.doors.api_fleet import fleet
from steno.doors.api_look import looking
from steno.doors.api_table import Route
from steno.doors.asker import Asker, asker_of
from steno.doors.openapi import openapi
from steno.doors.security import Guard, origins
from steno.doors.workers import Workers
from steno.memory import Memory
from steno.vocabulary.errors import (
    NotTheirs,
    StenoError,
    StoreError,
    UnknownEntry,
    UnknownFlow,
    UnknownPage,
    UnknownSession,
    UnknownTurn,
    UnknownWork,
    WrongUse,
)

ROUTES: Final = (*looking.routes, *acting.routes, *fleet.routes)
# Who asks and waits. Reading a history of years takes minutes.
_SECONDS, _SLOW_SECONDS = 30.0, 600.0
_HEADERS: Final = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}

log = logging.getLogger("steno.doors")


def app(memory_factory: Callable[[], Memory], token: str, port: int) -> ASGIApp:
    """The application, with everything it needs to know who may ask. It owns its threads while it is served."""
    from steno.doors.mcp import over_http

    # Long work has a thread of its own; answers have two, so that one that waits for a lock holds up nobody.
    quick, slow = (Workers(memory_factory, threads=threads) for threads in (2, 1))
    described = encoded(openapi(ROUTES, version=__version__, servers=origins(port)[:1]))
    mcp, mcp_running = over_http(quick, port)

    async def description(_: Request) -> Response:
        return _json(described)

    @asynccontextmanager
    async def running(_: Starlette) -> AsyncIterator[None]:
        async with mcp_running():
            yield
        for workers in (quick, slow):
            workers.close()

    routes = [
        WebRoute(route.path, _endpoint(route, slow if route.slow else quick), methods=[route.method])
        for route in ROUTES
    ]
    own = [WebRoute("/openapi.json", description, methods=["GET"]), WebRoute("/mcp", mcp, methods=["POST"])]
    inside = Starlette(routes=[*routes, *own], exception_handlers={HTTPException: _lost}, lifespan=running)
    return Guard(inside, token=token, port=port)


def encoded(value: Any) -> bytes:
    """An answer as JSON; the bytes of a file name that are no text are escaped."""
    try:
        return msgspec.json.encode(value)
    except UnicodeEncodeError:
        import json

        return json.dumps(msgspec.to_builtins(value)).encode()


def _endpoint(route: Route, workers: Workers) -> Callable[[Request], Any]:
    names = [field.name for field in msgspec.structs.fields(route.given)]
    seconds = _SLOW_SECONDS if route.slow else _SECONDS

    async def answer(request: Request) -> Response:
        try:
            asker = _asker(route, request)
            given = await _given(route, request)

            def call(memory: Memory) -> bytes:
                asked = asker.limited(memory, {name: getattr(given, name) for name in names}, names)
                # Encoded in the thread, too: a long list must not hold up the others.
                return encoded(route.call(memory, **asked))

            body = await workers.run(call, seconds=seconds)
        except StenoError as error:
            return _json(encoded({"error": error.message, "hint": error.hint}), status_of(error))
        except Exception as error:
            log.exception("%s failed", route.name)
            words = f"this is a bug in Steno: {type(error).__name__}"
            return _json(encoded({"error": words, "hint": "`steno logs` shows where it happened"}), 500)
        return _json(body)

    return answer


def _asker(route: Route, request: Request) -> Asker:
    """Who asks, if they may ask this."""
    asker = asker_of(request.headers.raw)
    if not (asker.is_person or route.held):
        raise NotTheirs("this is a person's to ask", hint="leave out Steno-Project and Steno-Agent")
    return asker


async def _given(route: Route, request: Request) -> Any:
    """What was asked, checked: from the path, and from the query or the body."""
    try:
        if route.method == "GET":
            asked: Any = request.query_params.multi_items()
            if len(dict(asked)) < len(asked):
                raise WrongUse("a parameter is given twice", hint="give each once")
        else:
            asked = msgspec.json.decode(await request.body() or b"{}")
            if not isinstance(asked, dict):
                raise WrongUse("the body is no JSON object", hint="send the parameters as one object")
        if both := sorted({*dict(asked)} & {*request.path_params}):
            raise WrongUse(f"{both[0]} stands in the path already", hint="give it once")
        return msgspec.convert({**dict(asked), **request.path_params}, route.given, strict=False)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise WrongUse(f"cannot take this: {error}", hint="/openapi.json says what is expected") from error


def status_of(error: StenoError) -> int:
    """The HTTP status that says what kind of error it is."""
    match error:
        case UnknownEntry() | UnknownFlow() | UnknownPage() | UnknownSession() | UnknownTurn() | UnknownWork():
            return 404
        case NotTheirs():
            return 403
        case WrongUse():
            return 400
        case StoreError():
            return 503
        case _:
            return 503 if error.retry else 409


def _json(body: bytes, status: int = 200) -> Response:
    return Response(body, status, headers=_HEADERS, media_type="application/json")


async def _lost(_: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 404
    words = "this cannot be done here" if status == 405 else "there is nothing here"
    return _json(encoded({"error": words, "hint": "/openapi.json lists what there is"}), status)
