"""Who may come in: a token, our own Host, no foreign Origin, JSON only, bounded, in time. Every request, every route.

A page in the user's browser can send requests to this machine. It can choose neither the Host nor the Origin it sends,
does not know the token, and without leave from us (headers we never send) can only post forms and plain text.
"""

import asyncio
import os
import secrets
import stat
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from steno.client import MOST_BYTES, TOKEN
from steno.files import write_whole
from steno.vocabulary.errors import StenoError

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

# A body on the same machine comes at once; who sends it in drops is let go.
_BODY_SECONDS: Final = 10.0
_WITH_BODY: Final = ("POST", "PUT", "PATCH")
_ANSWER_HEADERS: Final = [
    (b"content-type", b"application/json"),
    (b"cache-control", b"no-store"),
    (b"x-content-type-options", b"nosniff"),
]


class BadToken(StenoError):
    """The file of the token cannot be used."""


class Refusal(Exception):
    """A request that is not let in: the status, what is wrong, and what to do."""

    def __init__(self, status: int, error: str, hint: str) -> None:
        super().__init__(error)
        self.status = status
        self.error = error
        self.hint = hint


def hosts(port: int) -> list[str]:
    """What a request to us may call us."""
    return [f"127.0.0.1:{port}", f"localhost:{port}", f"[::1]:{port}"]


def origins(port: int) -> list[str]:
    """Where a page that talks to us may come from."""
    return [f"http://{host}" for host in hosts(port)]


def token(home: Path) -> str:
    """The token of a home, made when there is none, and made anew when others could have read it."""
    path = home / TOKEN
    try:
        home.mkdir(parents=True, exist_ok=True, mode=0o700)
        return _kept(path) or _made(path)
    except OSError as error:
        raise BadToken(f"cannot keep a token in {path}: {error.strerror}", hint="remove what is there") from error


def _kept(path: Path) -> str | None:
    """The token in the file, unless it is too short, somebody else's, or open to others."""
    try:
        file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
    except FileNotFoundError:
        return None
    with os.fdopen(file, encoding="ascii", errors="replace") as opened:
        facts = os.fstat(opened.fileno())
        words = opened.read(200).strip()
    private = stat.S_ISREG(facts.st_mode) and facts.st_uid == os.getuid() and not facts.st_mode & 0o077
    return words if private and len(words) >= 32 and words.isascii() and words.isprintable() else None


def _made(path: Path) -> str:
    words = secrets.token_urlsafe(32)
    with write_whole(path) as file:
        file.write(f"{words}\n".encode())
    return words


class Guard:
    """Stands before the whole application. What it lets through has its body read already."""

    def __init__(self, inside: "ASGIApp", *, token: str, port: int) -> None:
        self._inside = inside
        self._bearer = f"Bearer {token}".encode()
        self._hosts = {host.encode() for host in hosts(port)}
        self._origins = {origin.encode() for origin in origins(port)}

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        if scope["type"] == "lifespan":
            await self._inside(scope, receive, send)
            return
        if scope["type"] != "http":
            return
        try:
            self._check(scope)
            body = await _body(receive, scope)
        except Refusal as refusal:
            await answer(send, refusal.status, {"error": refusal.error, "hint": refusal.hint})
            return
        await self._inside(scope, _again(body, receive), send)

    def _check(self, scope: "Scope") -> None:
        """Each header that counts stands there once, or not at all: two of them are read differently by two readers."""
        counted = Counter(name for name, _ in scope["headers"])
        headers = dict(scope["headers"])
        if counted[b"host"] != 1 or headers[b"host"].lower() not in self._hosts:
            raise Refusal(403, "this Host is not ours", "call us 127.0.0.1 with our port")
        if counted[b"origin"] > 1 or (b"origin" in headers and headers[b"origin"].lower() not in self._origins):
            raise Refusal(403, "a page from elsewhere may not ask", "pages we serve ourselves may")
        if counted[b"authorization"] != 1 or not secrets.compare_digest(headers[b"authorization"], self._bearer):
            hint = f"send `Authorization: Bearer …` with what stands in {TOKEN} in Steno's home"
            raise Refusal(401, "no token, or not ours", hint)
        if scope["method"] in _WITH_BODY:
            kind = headers.get(b"content-type", b"").split(b";")[0].strip().lower()
            if counted[b"content-type"] != 1 or kind != b"application/json":
                raise Refusal(415, "only JSON is taken", "send `Content-Type: application/json`")


async def answer(send: "Send", status: int, value: object) -> None:
    """A whole answer in JSON."""
    body = msgspec.json.encode(value)
    headers = [*_ANSWER_HEADERS, (b"content-length", str(len(body)).encode())]
    if status == 401:
        headers.append((b"www-authenticate", b"Bearer"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def _body(receive: "Receive", scope: "Scope") -> bytes:
    """All of it, if it is not too much and does not take too long."""
    too_much = Refusal(413, "the body is larger than 8 MB", "send less at once")
    declared = dict(scope["headers"]).get(b"content-length", b"0")
    if declared.isdigit() and int(declared) > MOST_BYTES:
        raise too_much
    body = bytearray()
    try:
        async with asyncio.timeout(_BODY_SECONDS):
            while True:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise Refusal(400, "the body ended too early", "send it whole")
                body += message.get("body", b"")
                if len(body) > MOST_BYTES:
                    raise too_much
                if not message.get("more_body"):
                    return bytes(body)
    except TimeoutError:
        raise Refusal(408, "the body did not come in time", "send it at once") from None


def _again(body: bytes, receive: "Receive") -> "Receive":
    """The body for the application, then whatever comes after it."""
    given = False

    async def next_message() -> "Message":
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return next_message
