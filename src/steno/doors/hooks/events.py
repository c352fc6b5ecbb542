"""What happens on each event of an agent's session, whatever its host calls it. The default is silence."""

from collections.abc import Callable
from contextlib import suppress
from typing import Final

from msgspec import structs

from steno.doors.hooks.desk import Desk, Talk
from steno.doors.hooks.heard import Event, Heard, Reply, ShowLine, Silence, Tell
from steno.doors.hooks.status_line import status_line
from steno.doors.hooks.tools import after_tool, before_tool
from steno.doors.hooks.words import remind
from steno.language.words import without_own_words
from steno.tokens import count
from steno.vocabulary import Briefing
from steno.vocabulary.briefings import CUT, Why
from steno.vocabulary.errors import UnknownSession

# Hosts cut what is longer than 10,000, counted in characters by one and in bytes by another.
MOST_INJECTED: Final = 9_500
# Share of the deadline that may be spent on reading what was said last; the rest is for the answer.
_FLUSHING: Final = 0.6


def happened(desk: Desk, heard: Heard) -> Reply | Silence | None:
    """What the host is told about an event; None: nothing, as most of the time."""
    reply = _DOES[heard.event](desk, heard, _talk(desk, heard))
    if not isinstance(reply, Tell) or (short := shortened(reply.text)) == reply.text:
        return reply
    # Nobody knows which of it the agent sees.
    return Tell(short, reply.given and structs.replace(reply.given, items=[CUT], entries=[], because={}))


def handed(desk: Desk, heard: Heard, given: Briefing) -> None:
    """The host has it: from now on it was said."""
    talk = _talk(desk, heard)
    talk.briefed = talk.briefed or given.kind != "gate"
    talk.told.update(given.entries)
    desk.memory.given(given, "compaction" if given.tier is not None else _WHY[heard.event])


def shortened(text: str) -> str:
    """A framed text that no host cuts: whole lines are left out before the closing mark."""
    if len(text.encode()) <= MOST_INJECTED:
        return text
    *lines, last = text.split("\n")
    while lines and len("\n".join([*lines, "- …", last]).encode()) > MOST_INJECTED:
        lines.pop()
    return "\n".join([*lines, "- …", last])


def _talk(desk: Desk, heard: Heard) -> Talk:
    """What this context was told; at first sight, as far as receipts tell."""
    session, agent = heard.session or "", heard.agent_id
    known = desk.said.to(session, agent)
    if known is not None:
        return known
    talk = Talk()
    for receipt in desk.memory.receipts(session) if session and not agent else ():
        if receipt.kind == "boot" and receipt.agent not in (None, heard.agent):
            # A subagent of it was told this.
            continue
        told = ("entry:", "rule:") if receipt.kind != "gate" else ("reason:", "reminder:")
        talk.told.update(item.partition(":")[2] for item in receipt.items if item.startswith(told))
        talk.briefed = talk.briefed or receipt.kind != "gate"
    return desk.said.meet(session, agent, talk)


# -- the course of a session -------------------------------------------------------------------------------------------


def _start(desk: Desk, heard: Heard, talk: Talk) -> Reply | Silence:
    """How to begin, or to go on, unless a resumed context still holds it."""
    if heard.why == "resume" and talk.briefed:
        return Silence("its context holds what it was told")
    if heard.why in ("compact", "clear"):
        talk.lose(goes_on=heard.why == "compact")
    if talk.lost:
        _flush(desk, heard)
    return _begin(desk, heard, talk)


def _begin(desk: Desk, heard: Heard, talk: Talk) -> Reply | Silence:
    """What was lost, where a host says that it is; else what everybody starts with."""
    memory = desk.memory
    if talk.lost and heard.session is not None:
        with suppress(UnknownSession):
            return _given(memory.brief(0, heard.session, pushed=True, given=False), talk)
    told = memory.boot(project=_project(desk, heard), agent=heard.agent, session=heard.session, given=False)
    return _given(told, talk)


def _given(briefing: Briefing, talk: Talk) -> Reply | Silence:
    """A briefing, unless nothing is known."""
    if not briefing.items:
        talk.briefed = True
        return Silence("nothing is known")
    return Tell(briefing.text, briefing)


def _prompt(desk: Desk, heard: Heard, talk: Talk) -> Reply | Silence | None:
    """A strong hit, or nothing; where a host gave no start event or went on too early, what it would have been told."""
    prompt = without_own_words(heard.prompt).replace("\0", " ").strip()
    if not prompt:
        return None
    talk.prompts, talk.request = talk.prompts + 1, prompt
    talk.patience.prompted()
    if not talk.briefed:
        return _begin(desk, heard, talk)
    found = desk.memory.remind(
        prompt, project=_project(desk, heard), agent=heard.agent, session=heard.session, told=talk.told
    )
    if not found:
        return None
    ids, text = [entry.id for entry in found], remind(found)
    items = [f"entry:{id_}" for id_ in ids]
    told = Briefing(
        text=text, tokens=count(text), tier=None, session=heard.session, at="", entries=ids, items=items,
        agent=heard.agent,
    )  # fmt: skip
    return Tell(text, told)


def _before_compact(desk: Desk, heard: Heard, _: Talk) -> Reply | None:
    _flush(desk, heard)
    if heard.session is not None:
        desk.before_compact(heard.session)
    return None


def _subagent_start(desk: Desk, heard: Heard, talk: Talk) -> Reply | Silence:
    project = _project(desk, heard)
    told = desk.memory.boot(project=project, agent=heard.agent, session=heard.session, small=True, given=False)
    return _given(told, talk)


def _after_compact(desk: Desk, heard: Heard, _: Talk) -> Reply | None:
    desk.later(heard.transcript)
    return None


def _stop(desk: Desk, heard: Heard, _: Talk) -> Reply | None:
    """The agent is idle, or gone: everything is saved, at the end before all else."""
    reflect = heard.event == "end" and desk.memory.settings["session_reflection"]
    desk.later(heard.transcript, heard.session, urgent=reflect)
    return None


def _status_line(desk: Desk, heard: Heard, _talk: Talk) -> Reply | None:
    return ShowLine(status_line(desk, _project(desk, heard)))


def _flush(desk: Desk, heard: Heard) -> None:
    if heard.transcript is not None:
        desk.flush(heard.transcript, heard.session, desk.memory.settings["start_ms"] / 1000 * _FLUSHING)


def _project(desk: Desk, heard: Heard) -> str | None:
    return desk.memory.project_of(heard.directory) if heard.directory and "\0" not in heard.directory else None


_WHY: Final[dict[Event, Why]] = {
    "start": "start", "subagent_start": "start", "prompt": "prompt", "before_tool": "action",
}  # fmt: skip
_DOES: Final[dict[Event, Callable[[Desk, Heard, Talk], Reply | Silence | None]]] = {
    "start": _start,
    "prompt": _prompt,
    "before_tool": before_tool,
    "after_tool": after_tool,
    "before_compact": _before_compact,
    "after_compact": _after_compact,
    "subagent_start": _subagent_start,
    "stop": _stop,
    "end": _stop,
    "status_line": _status_line,
}
