"""An address the user named, and the key for it: checked, and shown without anything secret."""

from typing import Final
from urllib.parse import quote, urlsplit

_SHOWN: Final = 200
_OURSELVES: Final = {"127.0.0.1", "::1", "localhost"}


class Address:
    """Where a server is. ValueError: it is no address, or the key cannot be one."""

    def __init__(self, url: str, key: str) -> None:
        self.url = url.strip().rstrip("/")
        self.key = key.strip()
        try:
            parts = urlsplit(self.url)
            self.host, port = parts.hostname or "", parts.port
        except ValueError as error:
            raise ValueError("the url of the server is no url") from error
        # Without path and user: some people write a key into them.
        self.place = f"{parts.scheme}://{self.host}" + (f":{port}" if port else "")
        if parts.scheme not in ("http", "https") or not self.host or "@" in parts.netloc:
            raise ValueError(
                f"{self.place} is no address of a server: it is written as http://HOST:PORT or https://HOST"
            )
        if not (self.key.isascii() and self.key.isprintable()):
            raise ValueError("the key for the server holds characters no key has")

    def __repr__(self) -> str:
        """Without the key."""
        return f"Address({self.place!r})"

    @property
    def is_here(self) -> bool:
        """Whether it is this machine."""
        return self.host in _OURSELVES

    def quote(self, answer: bytes) -> str:
        """The beginning of what a server said, on one line, without the key in any form it may come back in."""
        text = answer[: _SHOWN * 20].decode("utf-8", "replace")
        for form in {self.key, self.key.replace("/", "\\/"), quote(self.key), quote(self.key, safe="")} - {""}:
            text = text.replace(form, "***")
        text = " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
        return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
