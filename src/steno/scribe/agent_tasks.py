"""Progress in an assistant's words: lists of what is done and what is left, milestones, open questions."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Literal

from steno.scribe.agent_cues import identifiers
from steno.scribe.agent_parts import OFFERS, Part, Scene
from steno.scribe.agent_progress import DONE_LEAD, OPEN_LEAD
from steno.scribe.agent_words import about, plain, shortened, summary
from steno.terms import content_words
from steno.vocabulary import Candidate, JournalTurn, Quote

State = Literal["open", "doing", "done", "asked"]
QUOTE_LENGTH, SUMMARY_LENGTH = 900, 400
# Letters a report has at least.
SHORTEST = 14
# Words that say something, without which a sentence that names nothing reports nothing.
TELLING = 4
CONFIDENCE: dict[State, float] = {"done": 0.6, "open": 0.6, "doing": 0.5, "asked": 0.35}

# An item that tells its own state, whatever the list is about.
_OPEN_ITEM = re.compile(
    r"\W*(?:still )?(?:open|to-?do|missing|pending|remaining|left|not (?:yet )?done)\b[^:]{0,20}:|"
    r"[^:]{2,80}: (?:still )?(?:open|pending|to-?do|missing|not done)\W*$"
)
_CLOSES = re.compile(r"(?:done|finished|all done|complete|fertig|erledigt|umgesetzt)[.!]?$", re.I)
_BOX = re.compile(r"^\s*[-*]\s+\[ \]")


def progress(turn: JournalTurn, parts: Sequence[Part], scene: Scene) -> list[Candidate]:
    """Tasks a turn reports as done, open or asked about: the firmest few."""
    grouped = list(_groups(turn, parts, scene))
    covered = {part.block for block, _ in grouped for part in block}
    opening = {part.lead_at for block, _ in grouped for part in block}
    free = [part for part in parts if part.block not in covered and part.span.start not in opening]
    single = {task.detail["state"]: task for part in reversed(free) for task in _single(turn, part, scene)}
    return [task for _, task in grouped][:2] + list(single.values()) + _question(turn, parts, scene)


def _groups(turn: JournalTurn, parts: Sequence[Part], scene: Scene) -> Iterator[tuple[list[Part], Candidate]]:
    listed = [part for part in parts if part.span.kind in ("item", "table")]
    for _, run in groupby(listed, key=_place):
        block = [part for part in run if part.span.label == "" or not _OPEN_ITEM.match(part.low)]
        if not block or all(part.low.endswith("?") for part in block):
            continue
        state = _list_state(block, scene)
        if state is not None:
            yield block, _list_task(turn, block, state)


def _place(part: Part) -> tuple[int, str]:
    """Where a list item belongs: to its list, or to the whole section where that tells what was done."""
    return (-1 if DONE_LEAD.search(part.section) else part.lead_at), part.section


def _list_state(block: Sequence[Part], scene: Scene) -> State | None:
    first = block[0]
    opening = f"{first.lead} {first.section}".strip().lower()
    if any(_BOX.match(part.text) for part in block):
        return "open"
    if scene.proposes or len(block) < 2:
        return None
    if OPEN_LEAD.search((first.lead or first.heading).lower()):
        return "open"
    return "done" if DONE_LEAD.search(opening) and not scene.goes_on else None


def _list_task(turn: JournalTurn, block: Sequence[Part], state: State) -> Candidate:
    first = next((part for part in block if _BOX.match(part.text)), block[0])
    start = first.lead_at if first.lead_at >= 0 and first is block[0] else first.span.start
    end = max((part.span.end for part in block if part.span.end - start <= QUOTE_LENGTH), default=first.span.end)
    items = [plain(part.text) for part in block if part.span.label or part.span.kind == "table"]
    title = plain(first.lead or first.heading)
    words = f"{title}: {'; '.join(items)}" if title else "; ".join(items)
    quote = turn.turn.text[start : max(end, first.span.end)]
    return task(turn, quote, shortened(words, SUMMARY_LENGTH), state, f"a list of work that is {state}")


def _single(turn: JournalTurn, part: Part, scene: Scene) -> Iterator[Candidate]:
    text = part.low
    if text.endswith("?") or scene.proposes or part.span.kind == "table":
        return
    told = part.heard.signs
    if scene.goes_on or (not told and not part.before) or "narrates" in told:
        return
    if "open" in told:
        yield task(turn, part.text, summary(part, scene), "open", "says what is left")
    elif "negated" not in told and _reached(part, scene, told):
        yield task(turn, part.text, summary(part, scene), "done", "reports a milestone")


def _reached(part: Part, scene: Scene, told: frozenset[str]) -> bool:
    """Whether a sentence tells of work that is done and worth telling."""
    if {"done", "milestone"} <= told:
        return True
    if "proven" in told and scene.brief and part.span.kind == "prose":
        asked_for = scene.reports and len(part.text) > SHORTEST
        return asked_for or bool(identifiers(part.text)) or len(content_words(part.text, TELLING)) == TELLING
    if _CLOSES.match(part.before) and not scene.offers and len(part.text) > SHORTEST and part.text[0].isalnum():
        return True
    opens = part.text[:1].isupper() and part.span.kind == "prose"
    return opens and not scene.offers and "acted" in told


def _question(turn: JournalTurn, parts: Sequence[Part], scene: Scene) -> list[Candidate]:
    """The question a turn ends with, where it names what would be done: open until the person answers."""
    last = parts[-1] if parts else None
    if last is None or not scene.offers or scene.proposes or not last.text.endswith("?") or not OFFERS.search(last.low):
        return []
    if ", or " in last.low or len(content_words(last.text)) < 4 or not identifiers(last.text):
        return []
    words = f"Asked, answer open: {plain(last.text)}"
    return [task(turn, last.text, words, "asked", "ends with a question to the person")]


def task(turn: JournalTurn, quote: str, words: str, state: State, cue: str) -> Candidate:
    return Candidate(
        category="task",
        summary=words,
        evidence=[Quote(turn.id, quote)],
        detail={"state": state, "owner": "agent"} | ({"about": names} if (names := about(quote)) else {}),
        status="done" if state == "done" else "active",
        confidence=CONFIDENCE[state],
        tags=["decision"] if state == "open" else [],
        subject=content_words(words, 8),
        cue=cue,
    )
