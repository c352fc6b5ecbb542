"""The door of the hooks: a host's bytes in, bytes for its standard output back. An agent is never held up by us."""

import json
import logging
import re
from collections.abc import Callable
from functools import partial
from types import ModuleType
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import structs

from steno.client import MOST_BYTES, UNATTENDED
from steno.doors.hooks import claude_code, codex
from steno.doors.hooks.desk import Desk, Said, Talk
from steno.doors.hooks.events import handed, happened
from steno.doors.hooks.heard import Heard, Reply, ShowLine, Silence
from steno.vocabulary import Briefing

__all__ = ["HOSTS", "Answer", "Desk", "Said", "Talk", "answer"]

HOSTS: Final[dict[str, ModuleType]] = {claude_code.HOST: claude_code, codex.HOST: codex}
_log: Final = logging.getLogger("steno.hooks")
_NO_ID: Final = re.compile(r"[^A-Za-z0-9-]")
_ID: Final = 8


class Answer(NamedTuple):
    """What a host is to print for an event, and what is done once it has it."""

    # b"" is nothing.
    text: bytes = b""
    # None: nothing is to be noted of it.
    handed: Callable[[], None] | None = None
    # What it is, for the log: no words of people.
    what: str = "silence"


def answer(desk: Desk, host: str, event: str, payload: bytes) -> Answer:
    """The answer to an event. Never raises: what goes wrong is counted and logged."""
    try:
        return _answer(desk, host, event, payload)
    except Exception:
        desk.said.counts["failed"] += 1
        _log.exception("the hook %.40s %.40s failed", host, event)
        return Answer(what="failed")


def _answer(desk: Desk, host: str, event: str, payload: bytes) -> Answer:
    is_unattended, host = host.endswith(UNATTENDED), host.removesuffix(UNATTENDED)
    if host not in HOSTS:
        return _not_understood(desk, "unknown host")
    payload_of = _object(payload)
    if payload_of is None:
        return _not_understood(desk, "malformed")
    heard: Heard | None = HOSTS[host].hear(event, payload_of)
    if heard is None:
        return _not_understood(desk, "unknown event")
    if is_unattended:
        heard = structs.replace(heard, person_answers=False)
    reply: Reply | Silence | None = happened(desk, heard)
    if isinstance(reply, Silence):
        noted = partial(_handed, desk, heard, reply.given) if reply.given is not None else None
        return Answer(handed=noted, what=_named(heard, f"silence: {reply.why}"))
    told: bytes = b"" if reply is None else HOSTS[host].say(event, reply)
    if not told or reply is None:
        return Answer(what=_named(heard, "silence"))
    if isinstance(reply, ShowLine) or reply.given is None:
        return Answer(told, what=_named(heard, "a line"))
    given = reply.given
    kind = f"{given.kind} {given.verdict or ('' if given.tier is None else given.tier)}".rstrip()
    what = _named(heard, f"{kind}, {given.tokens} tokens")
    return Answer(told, partial(_handed, desk, heard, given), what)


def _named(heard: Heard, what: str) -> str:
    """What happened in which session: of a host's id only what ids are made of."""
    session = _NO_ID.sub("", heard.session or "")[:_ID]
    return f"{session} {what}".lstrip()


def _handed(desk: Desk, heard: Heard, given: Briefing) -> None:
    try:
        handed(desk, heard, given)
    except Exception:
        desk.said.counts["failed"] += 1
        _log.exception("what was given at %s could not be noted", heard.event)


def _not_understood(desk: Desk, why: str) -> Answer:
    desk.said.counts[why] += 1
    return Answer(what=why)


def _object(payload: bytes) -> dict[str, Any] | None:
    """The host's JSON object, or None where it is none."""
    if len(payload) > MOST_BYTES:
        return None
    try:
        given = msgspec.json.decode(payload)
    except (msgspec.DecodeError, RecursionError):
        given = _mended(payload)
    return given if isinstance(given, dict) else None


def _mended(payload: bytes) -> Any:
    """JSON with half a character in it, as hosts make it when they cut a text; the half becomes a question mark."""
    try:
        loose = json.loads(payload.decode("utf-8", "replace"))
        return msgspec.json.decode(json.dumps(loose, ensure_ascii=False).encode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None
