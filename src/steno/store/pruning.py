"""What a night may lay aside, what it laid aside, and the way back."""

from collections.abc import Iterable
from json import dumps
from typing import Final, NamedTuple

from steno.store.database import Tables
from steno.vocabulary import PEOPLE

# What a person ruled, refused or decided is not for a machine to lay aside; what is to be done only with its age.
_NEVER: Final = ("rule", "rejected", "decision", "commitment", "task")


class Prunable(NamedTuple):
    """An entry a night may lay aside."""

    id: str
    project: str
    category: str
    # Of those that say the same: 1 is the one that stays.
    twin: int
    tagged: bool
    by_person: bool
    # When it was said last.
    at: str


class Pruning(Tables):
    """What goes, and comes back."""

    def prunable(self, fresh: str, needed: str) -> list[Prunable]:
        """What holds, is older than `fresh`, and that nobody touched, recalled or was told of since `needed`; the
        oldest first. Nothing critical is among it, nothing of work at hand, and nothing a person told us about."""
        values = {"fresh": fresh, "needed": needed, "never": dumps(_NEVER), "people": dumps(sorted(PEOPLE))}
        return [
            Prunable(id_, project, category, twin, bool(tagged), bool(by_person), at)
            for id_, project, category, twin, tagged, by_person, at in self._database.rows("prunable", values)
        ]

    def unspoken(self, since: str) -> list[str]:
        """Open tasks and promises nobody spoke of since a time, the oldest first."""
        return [row[0] for row in self._database.rows("unspoken", {"since": since})]

    def observed(self) -> dict[str, int]:
        """How many observations each project has that may be trimmed."""
        return {row[0]: row[1] for row in self._database.rows("observed", {"people": dumps(sorted(PEOPLE))})}

    def holding(self) -> int:
        """How many entries hold."""
        return int(self._database.rows("holding")[0][0])

    def lay_aside(self, run: int, found: Iterable[tuple[str, str]], now: str) -> list[str]:
        """Archive entries, each with its reason, in one transaction; those that still were as they had been seen."""
        gone = []
        with self._database.write():
            for entry, reason in found:
                if self._database.rows("lay_aside", {"id": entry}):
                    self._database.rows("put_pruned", {"run": run, "entry": entry, "at": now, "reason": reason})
                    gone.append(entry)
        return gone

    def bring_back(self, run: int) -> list[str]:
        """Take back what a run laid aside: entries that hold again."""
        with self._database.write():
            entries = [row[0] for row in self._database.rows("pruned_by", {"run": run})]
            back = [one for one in entries if self._database.rows("bring_back", {"id": one, "run": run})]
            self._database.rows("undo_pruned", {"run": run})
        return back
