"""From turns to stretches: the steps of each request that went well one after another, for learning flows."""

from collections.abc import Iterable, Iterator
from itertools import groupby

from steno.flows.commands import steps_of
from steno.flows.learn import SHORTEST, Stretch
from steno.scribe.work.trail import TrailKeeper
from steno.vocabulary import JournalTurn

# Somebody asks for something; a refusal or an interruption ends what was going on, too.
_ASKS = frozenset({"said", "queued", "command", "answer", "denied", "delegated", "scheduled"})
_CHANGED = frozenset({"edited", "created", "deleted"})
# An edit after these begins something new; else going round in circles would make procedures of every rotation.
_FINISHED = frozenset({"git commit", "git commit --amend", "git push", "git push --force-with-lease"})


def stretches(session: str, turns: Iterable[JournalTurn]) -> Iterator[Stretch]:
    keeper, request, steps, at = TrailKeeper(), "", list[str](), None
    for turn in turns:
        said = turn.turn
        asked = said.role == "user" and said.kind in _ASKS
        ended = asked or said.kind == "interrupted"
        for act in keeper.take(turn):
            if act.kind == "command" and act.failed is False:
                steps += [step for step, _ in groupby(steps_of(act.name)) if [step] != steps[-1:]]
                at = said.at or at
            elif act.kind == "command" or (act.kind in _CHANGED and {*steps[-1:]} & _FINISHED):
                ended = True
        if ended:
            yield from _stretch(session, at, request, steps)
            steps = []
        if asked:
            request = said.text if said.by_human else ""
    yield from _stretch(session, at, request, steps)


def _stretch(session: str, at: str | None, request: str, steps: list[str]) -> Iterator[Stretch]:
    if len(steps) >= SHORTEST:
        yield Stretch(session, at, request, tuple(steps))
