"""Whether an agent is woken now. Pure, and without a model: whatever speaks against it wins."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Final, NamedTuple

from steno.clock import before, seconds_between
from steno.vocabulary.pulse import Stand, Wake

DAY: Final = timedelta(days=1)
# After a compaction nobody else begins the next turn; that an agent merely thinks is known later.
_COMPACTED_MINUTES: Final = 2.0
# After a try that failed the next one waits so long, and twice as long each time.
_AGAIN_MINUTES: Final = 30.0
_MOST_DOUBLED: Final = 5
# What a person stopped waits for a person.
_STOPPED: Final = frozenset({"interrupted", "denied"})


class Patience(NamedTuple):
    """What the user chose, in minutes."""

    # Without a word, until work stands still.
    quiet: float
    # After a person's last word.
    human: float


def why_not(stand: Stand, wakes: Sequence[Wake], most: int, patience: Patience, now: str) -> str:
    """Why an agent is left alone; nothing: it is to be woken. `wakes` are all of its own, the latest first."""
    return _resting(stand, patience, now) or _human(stand, patience, now) or _had_enough(stand, wakes, most, now)


def is_compacted(stand: Stand) -> bool:
    """Whether its context was compacted, and nothing happened since."""
    return stand.kind == "boundary"


def _resting(stand: Stand, patience: Patience, now: str) -> str:
    if not stand.goal:
        return "no open piece of work"
    if stand.behind:
        return "its transcript holds what nobody has read yet"
    if stand.kind in _STOPPED:
        return "a person stopped it"
    if _asks(stand.said):
        return "it asked something and waits for an answer"
    quiet = seconds_between(stand.heard_at, now)
    wanted = min(_COMPACTED_MINUTES, patience.quiet) if is_compacted(stand) else patience.quiet
    if quiet < wanted * 60:
        return "it is at work"
    return "quiet for more than a day: nobody waits for it" if quiet > DAY.total_seconds() else ""


def _human(stand: Stand, patience: Patience, now: str) -> str:
    # Words from the future are of a clock that is ahead of ours: somebody is there.
    if stand.human_at and seconds_between(stand.human_at, now) < patience.human * 60:
        return "a person is there"
    return ""


def _had_enough(stand: Stand, wakes: Sequence[Wake], most: int, now: str) -> str:
    here = [one for one in wakes if one.session == stand.session]
    # Of a try that nobody saw the end of it is not known whether it woke anybody: it did.
    if any(one.turn >= stand.turn and one.passed is not False for one in here):
        return "it was woken in this silence already"
    # What is dated later than now was before the clock was set back: it counts.
    if sum(one.at > before(now, DAY) for one in wakes) >= most:
        return f"woken {most} of {most} times in 24 hours"
    failed = next((place for place, one in enumerate(wakes) if one.passed is not False), len(wakes))
    pause = _AGAIN_MINUTES * 60 * 2 ** min(failed - 1, _MOST_DOUBLED) if failed else 0.0
    if failed and seconds_between(wakes[0].at, now) < pause:
        return "the last try failed; the next one waits"
    return ""


def _asks(said: str) -> bool:
    """Whether somebody's last words are a question."""
    return said.rstrip(" \n*_`)\"'”").endswith(("?", "？"))
