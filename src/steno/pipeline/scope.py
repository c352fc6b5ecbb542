"""What concerns an action: its project's, what holds everywhere, and the agent's own."""

import os
from pathlib import Path
from typing import NamedTuple

from steno.gates.concerns import concerns
from steno.sources.common import project_of
from steno.store.gates import SessionFacts
from steno.vocabulary import Action, Entry, Flow, Rule


class Scope(NamedTuple):
    """Where an action happens, and by whom."""

    here: frozenset[str]
    agent: str
    # Ids of entries and names of flows that people shared with whoever works here.
    shared: frozenset[str] = frozenset()

    def holds(self, thing: Entry | Rule | Flow) -> bool:
        """Whether it concerns the action."""
        if concerns(thing, self.here, self.agent) or name_of(thing) in self.shared:
            return True
        # Nobody says where it happens: what was said to this agent somewhere is better than nothing. Where a place is
        # named, words of another one are nobody's business, however little is known of this one.
        return thing.project is not None and not self.here and thing.agent == self.agent


def name_of(thing: Entry | Rule | Flow) -> str:
    """By which it is shared."""
    return thing.name if isinstance(thing, Flow) else thing.id


def projects_of(action: Action, session: SessionFacts | None, known: frozenset[str | None]) -> frozenset[str]:
    """Names the action's project may be known by; a folder inside a known project belongs to it."""
    if session is not None and session.project is not None:
        return frozenset({session.project})
    if not action.directory:
        return frozenset()
    whole = os.path.abspath(action.directory)
    names = {action.directory, project_of(whole), project_of(os.path.realpath(whole))}
    above = next((str(folder) for folder in Path(whole).parents if str(folder) in known), None)
    return frozenset(names if above is None or names & known else {*names, above})
