"""A home, opened: what every room of it is made of."""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from steno.clock import Clock, utc_now
from steno.settings import Settings
from steno.store import open_store
from steno.vocabulary.accesses import Fading
from steno.vocabulary.acts import Who
from steno.vocabulary.errors import BadSetting

if TYPE_CHECKING:
    from steno.redact import Redactor


class Home:
    """A folder with its store and its settings, the clock, and the secrets that stay out."""

    def __init__(self, root: Path, *, environment: Mapping[str, str] = os.environ, clock: Clock = utc_now) -> None:
        self.root = root
        # Where the pages lie that people read and edit.
        self.notebook = root / "notebook"
        self.environment = environment
        self.clock = clock
        # Raises where somebody else than a person wants what only people may do.
        self.only_people: Callable[[str], None] = lambda verb: None
        self.settings = Settings(root, environment)
        self.store = open_store(root, busy_seconds=self.settings["busy_seconds"])
        if self.settings["redact_patterns"]:
            try:
                _ = self.redactor
            except BadSetting:
                self.store.close()
                raise
        if self.settings["session_reflection"]:
            half, slope = self.settings["reflection_half_days"], self.settings["reflection_slope"]
            self.store.searched.fading = Fading(half, slope)

    @contextmanager
    def acting(self, who: Who) -> Iterator[None]:
        """What is recorded inside comes from somebody else."""
        entries = self.store.entries
        kept, entries.who = entries.who, lambda: who
        try:
            yield
        finally:
            entries.who = kept

    @cached_property
    def redactor(self) -> "Redactor":
        """With the store's key and the user's own patterns. Compiled when it is needed first."""
        from steno.redact import BadPattern, Redactor

        try:
            return Redactor(secret=self.store.secret, extra=self.settings["redact_patterns"])
        except BadPattern as error:
            raise BadSetting(f"redact_patterns: {error}", hint="patterns follow RE2's syntax") from error

    def clean(self, text: str) -> str:
        """A text without secrets."""
        return self.redactor.clean([text]).texts[0]

    def adopt_secret(self, secret: bytes) -> None:
        """A memory moves in with its key: markers are made with it from now on."""
        if self.store.is_new():
            self.store.adopt_secret(secret)
            self.__dict__.pop("redactor", None)

    def choose_like(self, other: "Home") -> None:
        """What the user chose and left out in another home holds here, too."""
        self.settings, self.redactor = other.settings, other.redactor
        for pattern, _ in other.store.control.excluded():
            self.store.control.exclude(pattern, self.clock())
        for since, until in other.store.control.pauses():
            self.store.control.pause(since)
            if until is not None:
                self.store.control.resume(until)
