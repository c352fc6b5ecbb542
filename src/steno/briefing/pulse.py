"""What an agent is told when it is woken: that nobody typed it, what is open, and how to say that nothing is."""

from steno.briefing.entries import whole
from steno.briefing.render import framed, quoted


def wake_up(goal: str, since: str, *, compacted: bool) -> str:
    """The prompt of a pulse. It stands between our own marks: nothing is learnt from it, on any host."""
    lost = ", after your context was compacted in the middle of it" if compacted else ""
    lines = [
        "Nobody typed this. Steno wakes you in your own session, because your work stands still.",
        f"- open: {quoted(whole(goal.splitlines()[0]))}",
        f"- nothing happened since {since[:16].replace('T', ' ')} (UTC){lost}",
        "Go on with it now, from where it stood, within what the user ruled and refused; do not begin anything else.",
        "If it is done, or waits for a person, answer exactly HEARTBEAT_OK.",
    ]
    return framed(lines, pulse=1)
