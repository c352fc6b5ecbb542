"""The description of the HTTP API for programs: OpenAPI 3.1, made from the table of verbs."""

from collections.abc import Iterable, Sequence
from itertools import chain, islice
from types import UnionType
from typing import Any, Final, get_args

import msgspec
from msgspec import Struct

from steno.verbs.call import given_type, public_type
from steno.verbs.table import Verb

_REF: Final = "#/components/schemas/{name}"
# What can go wrong, by status.
_WRONG: Final = {
    "400": "the request itself is off",
    "401": "no token, or not ours",
    "403": "a foreign Host or Origin",
    "404": "there is no such thing",
    "408": "the body did not come in time",
    "409": "it cannot be done as things stand",
    "413": "the body is larger than 8 MB",
    "415": "not JSON",
    "500": "a bug",
    "503": "not now; the same may work later",
}


class Wrong(Struct, frozen=True):
    """What went wrong, and what to do about it."""

    error: str
    hint: str


def method_of(verb: Verb) -> str:
    """How a verb is asked: what only reads takes its parameters from the query, unless one of them is an object."""
    return "GET" if verb.does == "reads" and all(one.arg.kind != "json" for one in verb.params()) else "POST"


def openapi(verbs: Sequence[Verb], *, version: str, servers: Iterable[str]) -> dict[str, Any]:
    """The whole document."""
    names = [verb.name for verb in verbs]
    given = [given_type(name) for name in names]
    # An answer that is one of several types is described by each of them.
    told = [get_args(kind) if isinstance(kind, UnionType) else (kind,) for kind in map(public_type, names)]
    types = [*chain.from_iterable(told), *given, Wrong]
    schemas, components = msgspec.json.schema_components(types, ref_template=_REF)
    answers = iter(schemas)
    paths = {
        verb.path: {
            method_of(verb).lower(): _operation(verb, list(islice(answers, len(kinds))), components.pop(asked.__name__))
        }
        for verb, kinds, asked in zip(verbs, told, given, strict=True)
    }
    return {
        "openapi": "3.1.0",
        "info": {"title": "Steno", "version": version, "description": "Everything one memory can be asked, over HTTP."},
        "servers": [{"url": url} for url in servers],
        "security": [{"token": []}],
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer", "description": "What stands in `daemon.token`."}
            },
        },
    }


def _operation(verb: Verb, answers: list[dict[str, Any]], fields: dict[str, Any]) -> dict[str, Any]:
    required, properties = fields.get("required", []), fields.get("properties", {})
    told = verb.help.partition("\n\n$")[0]
    operation: dict[str, Any] = {"operationId": verb.name.replace(" ", "_"), "summary": verb.summary}
    operation |= {"description": told} if told != verb.summary else {}
    operation["x-authority"] = verb.authority
    if method_of(verb) == "GET":
        operation["parameters"] = [
            {"name": name, "in": "query", "required": name in required, "schema": kind}
            for name, kind in properties.items()
        ]
    else:
        body = {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
        operation["requestBody"] = {"required": bool(required), "content": _json(body)}
    answer = answers[0] if len(answers) == 1 else {"anyOf": answers}
    wrong = _json({"$ref": _REF.format(name="Wrong")})
    operation["responses"] = {
        "200": {"description": verb.summary, "content": _json(answer)},
        **{status: {"description": words, "content": wrong} for status, words in _WRONG.items()},
    }
    return operation


def _json(schema: dict[str, Any]) -> dict[str, Any]:
    return {"application/json": {"schema": schema}}
