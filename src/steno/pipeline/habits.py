"""What is done in a project every day: a word that stands in most of its calls tells little about any of them."""

from collections import Counter, OrderedDict
from collections.abc import Mapping
from typing import Final

from steno.gates.asked import Asked, asked
from steno.rules.trial import action_of
from steno.store import Store
from steno.vocabulary import Turn

# So many calls of a project's last sessions are looked at once: 300 take a tenth of a second.
_CALLS: Final = 300
_MOST_PROJECTS: Final = 50


class Habits:
    """Words of the last calls, by project: read once, and kept up with what is asked."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._words: OrderedDict[frozenset[str], Counter[str]] = OrderedDict()

    def of(self, projects: frozenset[str]) -> Mapping[str, int]:
        """In how many calls each word stood."""
        known = self._words.get(projects)
        if known is None:
            known = self._words[projects] = Counter(
                word
                for tool, text in self._store.gates.calls(projects, _CALLS)
                for word in asked(action_of(Turn(role="assistant", kind="call", text=text, tool=tool))).brings
            )
            while len(self._words) > _MOST_PROJECTS:
                self._words.popitem(last=False)
        return known

    def add(self, projects: frozenset[str], action: Asked) -> None:
        """One more call of a tool."""
        if projects in self._words:
            self._words[projects].update(action.brings)
