"""Answers to a question the agent asked through a tool: each is a decision, the question its second evidence."""

import re

from steno.scribe.human_hear import Heard, Said
from steno.scribe.human_write import Note
from steno.scribe.text import Span
from steno.terms import squeeze
from steno.vocabulary import JournalTurn, Quote, Window

_ASKED = re.compile(r'"question"\s*:\s*"([^"\\]{4,300})')
_LABEL = re.compile(r'"label"\s*:\s*"([^"\\]{1,120})')


def answers(heard: Heard, window: Window) -> list[Note]:
    """One decision for each line of the answer."""
    if heard.turn.turn.kind != "answer":
        return []
    call = _question(heard.turn, window)
    asked = [match.group(1) for match in _ASKED.finditer(call.turn.text[:20_000])] if call else []
    labels = _LABEL.findall(call.turn.text[:20_000])[:12] if call else []
    notes, at = [], 0
    for index, line in enumerate(heard.turn.turn.text[:4000].splitlines()):
        start = heard.turn.turn.text.index(line, at)
        at = start + len(line)
        if not line.strip():
            continue
        said = Said(Span(start, at, line), line.lower(), line.lower())
        question = asked[index] if index < len(asked) else ""
        settles = [Quote(call.id, question)] if call and question else []
        detail = {"choice": squeeze(line)[:300], "question": squeeze(question), "options": labels}
        notes.append(
            Note(
                "decision",
                [said],
                "The user answers",
                "an answer to the agent's question",
                0.85,
                detail,
                question,
                settles,
            )
        )
    return notes[:6]


def _question(turn: JournalTurn, window: Window) -> JournalTurn | None:
    calls = [t for t in window.done if t.turn.kind == "call" and '"question' in t.turn.text[:20_000]]
    same = [t for t in calls if turn.turn.call is not None and t.turn.call == turn.turn.call]
    found = same or calls
    return found[-1] if found else None
