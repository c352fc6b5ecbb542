"""What came of a refused call: whether it was run after all, or done another way. Pure."""

from collections.abc import Iterable
from typing import Final, NamedTuple

from steno.scribe.scene import call_of
from steno.vocabulary import JournalTurn
from steno.vocabulary.details import Afterwards, Call

# A plan is never the same twice: one that is taken after another was refused is its new form.
_PLANS: Final = frozenset({"ExitPlanMode", "exit_plan_mode"})


class Refusal(NamedTuple):
    """An entry about a call that was stopped or refused."""

    entry: str
    call: Call


def came_of(refusals: Iterable[Refusal], call: JournalTurn) -> dict[str, Afterwards]:
    """What a call that now succeeded says about earlier refusals, by entry."""
    done = call_of(call)
    if done is None:
        return {}
    found: dict[str, Afterwards] = {}
    for entry, refused in refusals:
        if refused.tool == done.tool in _PLANS:
            found[entry] = "redone"
        elif refused == done and done.given:
            # A command is run again as it was; what is written into a file may be something else this time.
            found[entry] = "ran later" if " " in done.given else "redone"
    return found
