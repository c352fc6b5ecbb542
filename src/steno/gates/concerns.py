"""Whom something concerns: one rule for the gate and for what is said at a prompt."""

from collections.abc import Collection

from steno.vocabulary import Entry, Flow, Rule


def concerns(thing: Entry | Rule | Flow, projects: Collection[str], agent: str | None) -> bool:
    """Whether something holds for an agent at work in a project (by any of its names).

    What was heard in a project holds for whoever works there; what a person recorded for one agent is that agent's.
    """
    if thing.project is not None and thing.project not in projects:
        return False
    heard = isinstance(thing, Entry) and bool(thing.evidence) and thing.project is not None
    return heard or thing.agent in (None, agent)
