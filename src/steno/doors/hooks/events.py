"""What happens on each event of an agent's session, whatever its host calls it. The default is silence."""

import logging
from collections.abc import Callable
from typing import Final

from steno.briefing.loss import ENOUGH, live_of, losses
from steno.doors.hooks.desk import Desk, Talk
from steno.doors.hooks.heard import Event, Heard, Reply, ShowLine, Tell
from steno.doors.hooks.status_line import status_line
from steno.doors.hooks.tools import after_tool, before_tool
from steno.doors.hooks.words import remind
from steno.language.words import without_own_words
from steno.vocabulary import Briefing
from steno.vocabulary.errors import StenoError, UnknownSession

_log: Final = logging.getLogger("steno.hooks")
# Hosts cut what is longer than 10,000, counted in characters by one and in bytes by another.
MOST_INJECTED: Final = 9_500
# Share of the deadline that may be spent on reading what was said last; the rest is for the answer.
_FLUSHING: Final = 0.6
# The longest summary seen had 17,000 characters; comparing so much takes a tenth of a second.
_SUMMARY: Final = 20_000


def happened(desk: Desk, heard: Heard) -> Reply | None:
    """What the host is told about an event; None: nothing."""
    reply = _DOES[heard.event](desk, heard, _talk(desk, heard))
    return Tell(shortened(reply.text)) if isinstance(reply, Tell) else reply


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
        told = ("entry:", "rule:") if receipt.kind != "gate" else ("reason:", "reminder:")
        talk.told.update(item.partition(":")[2] for item in receipt.items if item.startswith(told))
        talk.briefed = talk.briefed or receipt.kind != "gate"
    return desk.said.meet(session, agent, talk)


# -- the course of a session -------------------------------------------------------------------------------------------


def _start(desk: Desk, heard: Heard, talk: Talk) -> Reply | None:
    if heard.why in ("compact", "clear"):
        talk.lose()
    if heard.why != "compact" or heard.session is None:
        return _boot(desk, heard, talk)
    _flush(desk, heard)
    try:
        briefing = desk.memory.brief(0, heard.session, pushed=True)
    except UnknownSession:
        return _boot(desk, heard, talk)
    except StenoError as error:
        _log.info("no briefing for session %s: %s", heard.session, error.message)
        return None
    talk.briefing = briefing
    return _given(briefing, talk)


def _boot(desk: Desk, heard: Heard, talk: Talk) -> Reply | None:
    memory, project = desk.memory, _project(desk, heard)
    return _given(memory.boot(project=project, agent=heard.agent, session=heard.session), talk)


def _given(briefing: Briefing, talk: Talk) -> Reply | None:
    """A briefing, unless nothing is known."""
    talk.briefed = True
    talk.told.update(briefing.entries)
    return Tell(briefing.text) if briefing.items else None


def _prompt(desk: Desk, heard: Heard, talk: Talk) -> Reply | None:
    """A strong hit, or nothing; where a host gave no start event, what it would have been told then."""
    prompt = without_own_words(heard.prompt).replace("\0", " ").strip()
    if not prompt:
        return None
    talk.prompts += 1
    talk.patience.prompted()
    if not talk.briefed:
        return _boot(desk, heard, talk)
    found = desk.memory.remind(
        prompt, project=_project(desk, heard), agent=heard.agent, session=heard.session, told=talk.told
    )
    if not found:
        return None
    ids, text = [entry.id for entry in found], remind(found)
    talk.told.update(ids)
    desk.memory.told(text, ids, session=heard.session, agent=heard.agent)
    return Tell(text)


def _before_compact(desk: Desk, heard: Heard, _: Talk) -> Reply | None:
    _flush(desk, heard)
    return None


def _after_compact(desk: Desk, heard: Heard, talk: Talk) -> Reply | None:
    """Whether what matters is still there; a loss is noted for the person who looks."""
    desk.later(heard.transcript)
    if heard.summary and heard.session is not None:
        memory = desk.memory
        try:
            entries = [one for one in memory.entries(session=heard.session) if one.status in ("active", "done")]
            live = [one for one in live_of(memory.checkpoint(heard.session), entries) if one.critical]
        except UnknownSession:
            return None
        items = losses(live, heard.summary[:_SUMMARY], talk.briefing or _NOTHING)
        missing = [item for item in items if item.fate == "missing"]
        if items and 1 - len(missing) / len(items) < ENOUGH:
            desk.said.counts["loss"] += 1
            kinds = ", ".join(sorted({item.kind for item in missing}))
            _log.warning(
                "the compaction of session %s took %d of %d things that matter (%s): `steno loss` tells which",
                heard.session, len(missing), len(items), kinds,
            )  # fmt: skip
    return None


def _subagent_start(desk: Desk, heard: Heard, talk: Talk) -> Reply | None:
    project = _project(desk, heard)
    return _given(desk.memory.boot(project=project, agent=heard.agent, session=heard.session, small=True), talk)


def _stop(desk: Desk, heard: Heard, _: Talk) -> Reply | None:
    desk.later(heard.transcript)
    return None


def _status_line(desk: Desk, _heard: Heard, _talk: Talk) -> Reply | None:
    return ShowLine(status_line(desk))


def _flush(desk: Desk, heard: Heard) -> None:
    if heard.transcript is not None:
        desk.flush(heard.transcript, heard.session, desk.memory.settings["start_ms"] / 1000 * _FLUSHING)


def _project(desk: Desk, heard: Heard) -> str | None:
    return desk.memory.project_of(heard.directory) if heard.directory and "\0" not in heard.directory else None


_NOTHING: Final = Briefing(text="", tokens=0, tier=0, session=None, at="")
_DOES: Final[dict[Event, Callable[[Desk, Heard, Talk], Reply | None]]] = {
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
