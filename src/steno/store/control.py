"""What the user told us about capture (pause, exclude), and the store's own secret."""

import json
import secrets
from collections.abc import Iterable

from steno.store.database import Tables

# Length of the store's key.
SECRET_BYTES = 32


class Control(Tables):
    """Facts about the store and the user's say over it."""

    def secret(self) -> bytes:
        """The store's key for hashes: made once, at random, never changed."""
        while not (rows := self._database.rows("get_meta", {"name": "secret"})):
            self._set("keep_meta", "secret", secrets.token_bytes(SECRET_BYTES))
        return bytes(rows[0][0])

    def set_secret(self, secret: bytes) -> None:
        """Replace the key: only before anything was hashed with it."""
        self._set("set_meta", "secret", secret)

    def signing_key(self) -> bytes:
        """What exports are signed with. Unlike the store's key it stands in none of them: whoever holds an export must
        not be able to write another one."""
        while not (rows := self._database.rows("get_meta", {"name": "signing_key"})):
            self._set("keep_meta", "signing_key", secrets.token_bytes(SECRET_BYTES))
        return bytes(rows[0][0])

    def pauses(self) -> list[tuple[str, str | None]]:
        """Times off the record. The last one may be going on: its end is None."""
        return [(row[0], row[1]) for row in self._database.rows("pauses")]

    def put_pause(self, since: str, until: str | None) -> bool:
        """A time off the record, from an export; whether it is new."""
        return bool(self._change("put_pause", {"since": since, "until": until}))

    def paused(self) -> str | None:
        """Since when capture is paused, or None."""
        return next((since for since, until in self.pauses() if until is None), None)

    def pause(self, now: str) -> None:
        """Go off the record, unless we are."""
        self._change("pause", {"now": now})

    def resume(self, now: str) -> None:
        """Go on record again."""
        self._change("resume", {"now": now})

    def scripts(self) -> bool:
        """Whether what runs without a terminal counts as a person's."""
        return bool(self._database.rows("get_meta", {"name": "scripts"}))

    def allow_scripts(self, allowed: bool) -> None:
        """Say so, or take it back."""
        if allowed:
            self._set("set_meta", "scripts", 1)
        else:
            self._change("drop_meta", {"name": "scripts"})

    def followed(self) -> list[tuple[str, str]]:
        """Source and path of what a person captured that is no transcript; it is read again when it changes."""
        rows = self._database.rows("get_meta", {"name": "followed"})
        # Kept as `notes/a/path`; before there were sources, as `/a/path`.
        parts = [one.partition("/") for one in json.loads(rows[0][0])] if rows else []
        return [(source or "notes", f"/{path}") for source, _, path in parts]

    def follow(self, source: str, path: str) -> None:
        """One more of them."""
        followed = {*self.followed(), (source, path)}
        self._set("set_meta", "followed", json.dumps(sorted(f"{name}{one}" for name, one in followed)))

    def places(self) -> list[str]:
        """Where hosts write, as far as their places were captured. No agent moves them by its environment."""
        rows = self._database.rows("get_meta", {"name": "places"})
        return list(json.loads(rows[0][0])) if rows else []

    def keep_places(self, places: Iterable[str]) -> None:
        """These, too."""
        if more := {*places} - {*(known := self.places())}:
            self._set("set_meta", "places", json.dumps(sorted([*known, *more])))

    def excluded(self) -> list[tuple[str, str]]:
        """What is left out, and since when."""
        return [(row[0], row[1]) for row in self._database.rows("excluded")]

    def exclude(self, pattern: str, since: str) -> bool:
        """Leave a path or project out; whether that is new."""
        return bool(self._change("exclude", {"pattern": pattern, "since": since}))

    def include(self, pattern: str) -> None:
        """Take it in again."""
        self._change("include", {"pattern": pattern})

    def _set(self, query: str, name: str, value: object) -> None:
        self._change(query, {"name": name, "value": value})
