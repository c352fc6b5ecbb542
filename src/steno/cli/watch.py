"""`steno capture --watch`: a line for each capture that brought something, until somebody ends it."""

import signal
import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

import steno
from steno.cli.show import one_line, plain, print_json, say, short_ids
from steno.cli.words import in_words, many

if TYPE_CHECKING:
    from steno import Memory
    from steno.vocabulary import Captured


def watch(paths: Sequence[str], *, source: str | None, as_json: bool) -> None:
    """Capture until Ctrl-C or SIGTERM, which may come at any moment: a batch is written whole or not at all."""
    # SIGINT too: what a script starts in its background inherits that it is ignored, and could not be ended by it.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.default_int_handler)
    teller: _Teller | None = None
    try:
        with steno.open() as memory:
            if not as_json:
                print("Watching. Ctrl-C ends it.", file=sys.stderr, flush=True)
            teller = _Teller(memory, as_json=as_json)
            memory.watch(*paths, source=source, told=teller)
    except KeyboardInterrupt:
        if teller and teller.failed:
            raise click.exceptions.Exit(1) from None


class _Teller:
    """Lets the scribe read what each capture brought, prints it, and each problem once."""

    def __init__(self, memory: "Memory", *, as_json: bool) -> None:
        self._memory = memory
        self._as_json = as_json
        self._known: set[str] = set()
        # Turns of an earlier capture may be waiting for the scribe.
        self._behind = True
        # Whether the scribe failed the last time.
        self.failed = False

    def __call__(self, captured: "Captured") -> None:
        for problem in captured.problems:
            self._complain(in_words(problem))
        entries: int | None = None
        if captured.turns or self._behind:
            self._behind = self.failed = True
            try:
                entries = self._memory.scribe().entries
                self._behind = self.failed = False
            except Exception as error:  # it tries again after the next capture
                self._complain(f"the turns are captured, but the scribe failed: {error}")
        if captured.turns:
            self._tell(captured, entries)
            sys.stdout.flush()

    def _tell(self, captured: "Captured", entries: int | None) -> None:
        if self._as_json:
            from msgspec import structs

            from steno.verbs.answers import CapturedAndLearnt

            print_json(CapturedAndLearnt(**structs.asdict(captured), entries=entries))
            return
        fresh = [session for session in captured.sessions if session.turns]
        ids = short_ids(session.session for session in fresh)
        names = ", ".join(f"{one_line(ids[session.session])} ({session.source})" for session in fresh[:3])
        more = f" and {len(fresh) - 3} more" if len(fresh) > 3 else ""
        new = f"+{many(captured.turns, 'turn')}" + (f" +{many(entries, 'entry')}" if entries else "")
        say((time.strftime("%H:%M:%S"), "dim"), "  ", (new, "green"), f"  {names}{more}")

    def _complain(self, words: str) -> None:
        if words not in self._known:
            self._known.add(words)
            print(plain(f"steno: {words}"), file=sys.stderr, flush=True)
