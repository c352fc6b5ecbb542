"""What can be done here: found by a scan or told by a person, and how the last checks went."""

import json
from collections.abc import Collection, Iterable

from steno.store.database import Row, Tables, value_of
from steno.vocabulary.fleet import Capability

_GIVEN = ("name", "command", "kind", "about", "owner", "project", "health")


class Capabilities(Tables):
    """All of them."""

    def all(self, project: str | None = None, agent: str | None = None) -> list[Capability]:
        """By name; seen from a project (empty: from none), its own, everybody's, and an agent's own."""
        rows = self._database.rows("capabilities", {"project": project, "agent": agent})
        return [_capability(row) for row in rows]

    def of(self, agent: str, projects: Collection[str]) -> list[Capability]:
        """What an agent may do where it works: its own, and what is nobody's or everybody's there."""
        values = {"agent": agent, "projects": json.dumps([*projects])}
        return [_capability(row) for row in self._database.rows("capabilities_of", values)]

    def failed(self) -> int:
        """How many of those people told of failed their last check."""
        return int(self._database.rows("failed_capabilities")[0][0])

    def put(self, found: Iterable[Capability], gone: Iterable[str] = ()) -> None:
        """Keep some, drop others, at once."""
        with self._database.write():
            for one in found:
                self._database.rows("put_capability", {name: getattr(one, name) for name in _GIVEN})
            self._database.many("drop_capability", [(name,) for name in gone])

    def checked(self, found: Iterable[tuple[str, bool, str]], now: str) -> None:
        """How checks went: the name, whether it passed, and the end of what it said."""
        with self._database.write():
            self._database.many("check_capability", [(now, passed, said, name) for name, passed, said in found])


def _capability(row: Row) -> Capability:
    return value_of(Capability, row, passed=lambda passed: None if passed is None else bool(passed))
