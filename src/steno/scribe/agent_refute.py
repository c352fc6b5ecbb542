"""A guess the assistant made and now takes back: kept as refuted, so that nobody tries it again."""

from collections.abc import Sequence

from steno.scribe.agent_cues import HEDGES
from steno.scribe.agent_parts import Part, lowered
from steno.scribe.agent_words import about, plain
from steno.scribe.text import sentences
from steno.terms import content_words
from steno.vocabulary import Candidate, JournalTurn, Quote, Window

# How many of the assistant's last turns a guess may stand in, and how much of one is read.
BACK, READ = 4, 4000
# A sentence that takes something back names it again, or says outright that it was a guess.
OUTRIGHT = ("i was wrong", "i was mistaken", "theory", "guess", "assumption", "hypothesis", "suspicion", "diagnosis")
SUMMARY_LENGTH = 400


def refuted(turn: JournalTurn, parts: Sequence[Part], window: Window) -> list[Candidate]:
    """The guess that a turn takes back, with the words that do."""
    part = next((one for one in parts if "refutes" in one.heard.signs and not one.low.endswith("?")), None)
    found = _guess(part, window) if part else None
    if part is None or found is None:
        return []
    said, guess = found
    candidate = Candidate(
        category="discovery",
        summary=f"Not so: {plain(guess)}"[:SUMMARY_LENGTH],
        evidence=[Quote(turn.id, part.text), Quote(said.id, guess)],
        detail={"guess": guess} | ({"about": names} if (names := about(guess)) else {}),
        certainty="refuted",
        confidence=0.5,
        tags=["surprise"],
        subject=content_words(guess, 8),
        cue="the assistant takes back a guess",
    )
    return [candidate]


def _guess(part: Part, window: Window) -> tuple[JournalTurn, str] | None:
    """The last sentence with doubt in it that this one speaks of."""
    words = set(content_words(part.text, 24))
    outright = any(mark in part.low for mark in OUTRIGHT)
    spoken = [said for said in window.said if said.turn.role == "assistant" and said.turn.kind == "said"]
    for said in reversed(spoken[-BACK:]):
        for span in reversed(sentences(said.turn.text[:READ])):
            if span.kind not in ("prose", "item") or span.text.endswith("?") or not HEDGES.search(lowered(span.text)):
                continue
            if outright or words & set(content_words(span.text, 24)):
                return said, span.text
    return None
