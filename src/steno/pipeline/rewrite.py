"""Applies today's redaction patterns to what was stored under yesterday's."""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice

from steno.home import Home
from steno.pipeline.scrub import Scrubber
from steno.redact import without_markers
from steno.store import Store
from steno.vocabulary import JournalTurn

_PORTION = 500


def redact_again(home: Home, progress: Callable[[int, int], None] | None = None) -> dict[str, int]:
    """Rewrite every turn and session in which something is found; what was taken out, by kind."""
    store, scrubber = home.store, Scrubber(home.redactor)
    total, counts = store.journal.count(), Counter[str]()
    turns = (turn for _, turn in store.journal.all_turns())
    for portion in _portions(turns):
        clean, found = scrubber.turns([old.turn for old in portion])
        if found:
            changed = [(old, new) for old, new in zip(portion, clean, strict=True) if new is not old.turn]
            store.eraser.rewrite(changed, dict(found))
            counts.update(found)
        if progress:
            progress(len(portion), total)
    facts = [found.session for found in store.journal.sessions()]
    cleaned = [(old, scrubber.session(old)) for old in facts]
    told = [(old, new) for old, new in cleaned if new != old]
    store.eraser.rewrite_sessions(told)
    exclusions = _exclude_again(store, scrubber)
    if rest := len(told) + exclusions + store.eraser.rewrite_rest(scrubber.text):
        counts["elsewhere"] += rest
    if counts:
        store.entries.clear(clean=scrubber.text)
    return dict(counts)


def _exclude_again(store: Store, scrubber: Scrubber) -> int:
    """What is left out stays left out: a wild card stands for the secret in its path."""
    changed = 0
    for pattern, since in store.control.excluded():
        if (clean := scrubber.text(pattern)) != pattern:
            store.control.exclude(without_markers(clean, "*"), since)
            store.control.include(pattern)
            changed += 1
    return changed


def _portions(turns: Iterator[JournalTurn]) -> Iterator[list[JournalTurn]]:
    while portion := list(islice(turns, _PORTION)):
        yield portion
