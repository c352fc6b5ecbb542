"""The description of the HTTP API for programs: OpenAPI 3.1, made from the table of routes."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct

from steno.doors.api_table import Route

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


def openapi(routes: Sequence[Route], *, version: str, servers: Iterable[str]) -> dict[str, Any]:
    """The whole document."""
    types = [*(route.answer for route in routes), *(route.given for route in routes), Wrong]
    schemas, components = msgspec.json.schema_components(types, ref_template=_REF)
    paths: dict[str, dict[str, Any]] = {}
    for route, answer in zip(routes, schemas, strict=False):
        fields = components.pop(route.given.__name__)
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route, answer, fields)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Steno", "version": version, "description": "The front desk of one memory, over HTTP."},
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


def _operation(route: Route, answer: dict[str, Any], fields: dict[str, Any]) -> dict[str, Any]:
    required = fields.get("required", [])
    in_path = [_parameter(name, "path", fields, required=True) for name in route.parts]
    rest = [name for name in fields["properties"] if name not in route.parts]
    operation: dict[str, Any] = {"operationId": route.name, "summary": route.summary, "parameters": in_path}
    if route.method == "GET":
        operation["parameters"] += [_parameter(name, "query", fields, required=name in required) for name in rest]
    else:
        body = {
            "type": "object",
            "properties": {name: fields["properties"][name] for name in rest},
            "required": [name for name in required if name in rest],
            "additionalProperties": False,
        }
        operation["requestBody"] = {"required": bool(body["required"]), "content": _json(body)}
    wrong = _json({"$ref": _REF.format(name="Wrong")})
    operation["responses"] = {
        "200": {"description": route.summary, "content": _json(answer)},
        **{status: {"description": words, "content": wrong} for status, words in _WRONG.items()},
    }
    return operation


def _parameter(name: str, place: str, fields: dict[str, Any], *, required: bool) -> dict[str, Any]:
    return {"name": name, "in": place, "required": required, "schema": fields["properties"][name]}


def _json(schema: dict[str, Any]) -> dict[str, Any]:
    return {"application/json": {"schema": schema}}
