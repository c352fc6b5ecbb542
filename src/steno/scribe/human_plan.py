"""A long written plan or specification a person hands over: its orders are decisions, capped and less sure."""

import re

from steno.scribe.human_asks import IMPERATIVE, RULES
from steno.scribe.human_cues import first
from steno.scribe.human_hear import Heard, Said
from steno.scribe.human_write import Note
from steno.terms import squeeze

_MAX_NOTES = 6
_PAST = re.compile(r"^(?:added|removed|changed|created|updated|implemented|fixed|moved|renamed|wrote|replaced)\b")
_DONE = ("✅", "[x]", "[X]", "DONE", "~~")


def plan(heard: Heard) -> list[Note]:
    """The title as the task, then the first orders of the document as decisions or rules."""
    if not heard.document:
        return []
    notes: list[Note] = []
    title = next((one for one in heard.said if one.span.kind == "heading"), heard.said[0] if heard.said else None)
    if title is not None:
        notes.append(
            Note(
                "task",
                [title],
                "The user hands over a plan",
                "the title of a written plan",
                0.6,
                {"owner": "agent", "state": "open"},
            )
        )
    for one in heard.said:
        if len(notes) > _MAX_NOTES:
            break
        note = _order(one)
        if note is not None:
            notes.append(note)
    return notes


def _order(one: Said) -> Note | None:
    if one.span.kind == "heading" or len(one.text) < 30 or one.conditional or any(mark in one.text for mark in _DONE):
        return None
    if _PAST.match(one.core):
        detail = {"what": squeeze(one.text)[:300], "owner": "agent", "state": "done"}
        return Note("task", [one], "The user's plan says as done", "a finished step in a written plan", 0.4, detail)
    rule = first(RULES, one.core)
    if rule is not None:
        return Note(
            "rule",
            [one],
            "The user's plan says",
            f"{rule.name}, in a written plan",
            0.55,
            {"instruction": squeeze(one.text)[:400]},
        )
    clause = one.core.rsplit(" - ", 1)[-1]
    if IMPERATIVE.match(one.core) or IMPERATIVE.match(clause):
        return Note(
            "decision",
            [one],
            "The user's plan says",
            "an order in a written plan",
            0.5,
            {"choice": squeeze(one.text)[:400]},
        )
    return None
