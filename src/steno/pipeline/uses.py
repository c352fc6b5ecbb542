"""What was recalled, written down behind the answer."""

import re
import threading
from datetime import timedelta
from itertools import combinations
from typing import Final

from steno.clock import before
from steno.home import Home
from steno.store.recall import Searched
from steno.vocabulary import Hit
from steno.vocabulary.errors import StoreBusy

# The first few of an answer were meant; further down, standing together means little.
_TOGETHER: Final = 5
# More than this is kept waiting only if nobody writes it down; then the oldest go.
_MOST: Final = 10_000
# What a reason says without words of the question; and what stands for those that name a time.
_OURS: Final = re.compile(r"(?:meaning|said beside what is near): [\d.]+|shares no telling word|in place of [0-9a-f-]+")
_TIMES: Final = {"time": "in the time asked for", "outside the time": "outside the time asked for"}


def unused(home: Home) -> list[str]:
    """What holds for long and nobody recalled or used lately: ids."""
    return home.store.accesses.unused(before(home.clock(), timedelta(days=home.settings["unused_days"])))


def placed(hit: Hit) -> str:
    """What placed a hit where it stands, in our words and numbers: nothing of the question, which is kept nowhere."""
    told = []
    for part in hit.reason.split("; "):
        name, _, rest = part.partition(": ")
        if name == "words":
            told.append(f"words it shares with the question: {rest.count(',') + 1}")
        elif name in _TIMES:
            told.append(_TIMES[name])
        elif _OURS.fullmatch(part):
            told.append(part)
    return "; ".join([*told, f"score {hit.score:.4g}"])


class Uses:
    """Notes in memory, written in one transaction when there is time."""

    def __init__(self, searched: Searched) -> None:
        self._searched = searched
        self._lock = threading.Lock()
        self._uses: list[tuple[str, str | None, str, str, int, str]] = []
        self._pairs: list[tuple[str, str, str]] = []

    def note(self, hits: list[Hit], *, at: str, session: str | None) -> None:
        """These were given for a question."""
        # Half a character would keep all of them from being written.
        session = None if session is None else session.encode("utf-8", "replace").decode()
        entries = sorted(str(hit.id) for hit in hits[:_TOGETHER] if hit.kind == "entry")
        with self._lock:
            self._uses += [
                (at, session, hit.kind, str(hit.id), place, placed(hit)) for place, hit in enumerate(hits, 1)
            ]
            self._pairs += [(one, other, at) for one, other in combinations(entries, 2)]
            del self._uses[:-_MOST], self._pairs[:-_MOST]

    def write(self) -> None:
        """Write down what was noted."""
        with self._lock:
            uses, self._uses = self._uses, []
            pairs, self._pairs = self._pairs, []
        if not uses:
            return
        try:
            self._searched.put_uses(list(uses), list(pairs))
        except StoreBusy:
            with self._lock:
                self._uses, self._pairs = [*uses, *self._uses], [*pairs, *self._pairs]
            raise
