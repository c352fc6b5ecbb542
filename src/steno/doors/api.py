"""The HTTP API: a request in, a verb called, JSON out. What there is stands in the table of verbs."""

import logging
from collections.abc import AsyncIterator, Callable, Iterator
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
from steno.doors.openapi import method_of, openapi
from steno.doors.security import Guard, origins
from steno.doors.workers import Workers
from steno.hidden import encoded
from steno.verbs import VERBS
from steno.verbs.asking import asker_of
from steno.verbs.call import public
from steno.verbs.table import Verb
from steno.verbs.words import for_agents
from steno.vocabulary.errors import NotTheirs, StenoError, StoreError, Unknown, WrongUse

SERVED: Final = [verb for verb in VERBS.values() if "http" in verb.doors]
# Request timeouts. Reading a history of years takes minutes.
_SECONDS, _SLOW_SECONDS = 30.0, 600.0
_HEADERS: Final = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}

log = logging.getLogger("steno.doors")


def app(quick: Workers, slow: Workers, token: str, port: int) -> ASGIApp:
    """The application, with everything it needs to know who may ask."""
    from steno.doors.mcp import over_http

    described = encoded(openapi(SERVED, version=__version__, servers=origins(port)[:1]))
    mcp, mcp_running = over_http(quick, port)

    async def description(_: Request) -> Response:
        return _json(described)

    @asynccontextmanager
    async def running(_: Starlette) -> AsyncIterator[None]:
        async with mcp_running():
            yield

    routes = [
        WebRoute(verb.path, _endpoint(verb, slow if verb.slow else quick), methods=[method_of(verb)]) for verb in SERVED
    ]
    own = [WebRoute("/openapi.json", description, methods=["GET"]), WebRoute("/mcp", mcp, methods=["POST"])]
    inside = Starlette(routes=[*routes, *own], exception_handlers={HTTPException: _lost}, lifespan=running)
    return Guard(inside, token=token, port=port)


def _endpoint(verb: Verb, workers: Workers) -> Callable[[Request], Any]:
    async def answer(request: Request) -> Response:
        try:
            asker, given = asker_of(request.headers.raw), await _given(request)
            seconds = _SLOW_SECONDS if verb.slow else _SECONDS
            return _json(await workers.ask(verb, given, asker, _body, seconds=seconds))
        except StenoError as error:
            return _json(encoded({"error": error.message, "hint": for_agents(error.hint)}), status_of(error))
        except Exception as error:
            log.exception("%s failed", verb.name)
            words = f"this is a bug in Steno: {type(error).__name__}"
            return _json(encoded({"error": words, "hint": "`steno daemon logs` shows where it happened"}), 500)

    return answer


def _body(answer: Any) -> bytes:
    """An answer as JSON; made in the thread, too: a long list must not hold up the others."""
    found = public(answer)
    return encoded(list(found) if isinstance(found, Iterator) else found)


async def _given(request: Request) -> dict[str, Any]:
    """What was given: in the query, or in the body."""
    try:
        if request.method == "GET":
            asked: Any = request.query_params.multi_items()
            if len(dict(asked)) < len(asked):
                raise WrongUse("a parameter is given twice", hint="give each once")
            return dict(asked)
        asked = msgspec.json.decode(await request.body() or b"{}")
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise WrongUse(f"cannot take this: {error}", hint="/openapi.json says what is expected") from error
    if not isinstance(asked, dict):
        raise WrongUse("the body is no JSON object", hint="send the parameters as one object")
    return asked


def status_of(error: StenoError) -> int:
    """The HTTP status that says what kind of error it is."""
    match error:
        case Unknown():
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
