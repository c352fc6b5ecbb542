"""One POST to a server the user named: bounded in time and size, no redirects, and the key is never shown."""

import http.client
import time
import urllib.error
import urllib.request
from typing import Any, Final

from steno.address import Address
from steno.vocabulary.errors import NoEmbedding

SECONDS: Final = 10.0
MOST_BYTES: Final = 64 << 20
_BLOCK: Final = 1 << 16
_SHOWN: Final = 4_000


class _StayHere(urllib.request.HTTPRedirectHandler):
    """A redirect would carry the key to an address that nobody named; it counts as an error."""

    def redirect_request(self, *_: Any) -> None:
        return None


class Server:
    """An address and a key. `hint` is what the user should try when it does not work out."""

    def __init__(self, url: str, key: str, *, hint: str, seconds: float = SECONDS) -> None:
        self._hint = hint
        self._seconds = seconds
        try:
            self._address = Address(url, key)
        except ValueError as error:
            raise NoEmbedding(str(error), hint=hint) from error
        self.place, self.quote = self._address.place, self._address.quote
        # What is meant for this machine does not go through the proxy of another one.
        proxies = [urllib.request.ProxyHandler({})] if self._address.is_here else []
        self._opener = urllib.request.build_opener(_StayHere, *proxies)

    def __repr__(self) -> str:
        """Without the key."""
        return f"Server({self.place!r})"

    def post(self, path: str, body: bytes) -> bytes:
        """The answer to a JSON body, or NoEmbedding with what the server said."""
        deadline = time.monotonic() + self._seconds
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self._address.key:
            headers["Authorization"] = f"Bearer {self._address.key}"
        try:
            request = urllib.request.Request(self._address.url + path, body, headers)  # noqa: S310  Address looked at the scheme
            with self._opener.open(request, timeout=self._seconds) as response:
                return self._read(response, deadline)
        except urllib.error.HTTPError as error:
            with error:
                raise self._trouble(f"answered {error.code}: {self._body_of(error)}") from None
        except (OSError, http.client.HTTPException, ValueError) as error:
            reason = getattr(error, "reason", None) or str(error) or type(error).__name__
            raise self._trouble(f"does not answer: {self.quote(str(reason).encode())}") from None

    def _read(self, response: Any, deadline: float) -> bytes:
        """The whole answer. The deadline is for all of it, so that a server cannot drip it for ever."""
        answer = bytearray()
        while block := response.read1(_BLOCK):
            answer += block
            if len(answer) > MOST_BYTES:
                raise self._trouble(f"answered with more than {MOST_BYTES >> 20} MB")
            if time.monotonic() > deadline:
                raise TimeoutError(f"not done after {self._seconds:g} s")
        return bytes(answer)

    def _body_of(self, error: urllib.error.HTTPError) -> str:
        try:
            return self.quote(error.read(_SHOWN)) or error.reason
        except (OSError, http.client.HTTPException):
            return error.reason

    def _trouble(self, what: str) -> NoEmbedding:
        return NoEmbedding(f"{self.place} {what}", hint=self._hint)
