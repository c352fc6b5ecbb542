"""Writing a candidate down: the quote, a sentence that stands alone, the names it is about."""

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from steno.scribe.human_hear import Heard, Said
from steno.scribe.human_refer import about
from steno.terms import content_words, squeeze
from steno.vocabulary import Candidate, Category, Quote

_MAX_QUOTE = 600
# Longer names (whole command lines) stay in the detail.
_SHORT_NAME = 48
_REASON = re.compile(
    r"\b(?:because|since|cause|as it|so that|otherwise|due to|last time|given that|weil|da sonst|sonst|denn"
    r"|damit)\b|因为|否则",
    re.IGNORECASE,
)
_REOPEN = re.compile(
    r"\b(?:until|unless|for now|for the moment|not yet|right now|once|later|as long as|vorerst"
    r"|erst wenn)\b[^.!?]{0,120}",
    re.IGNORECASE,
)
_SCOPE = re.compile(
    r"\b(?:in|for|as part of|on) (?:this|that|the current) (?:pr|branch|commit|change|ticket|release|sprint|issue"
    r"|session|file|case|module|package)\b|\bfor now\b|\bhere\b",
    re.IGNORECASE,
)
_INSTEAD = re.compile(
    r"\b(?:instead|rather|but|should be|just (?:use|do|call|keep|make)|use|sondern|i (?:actually )?want|how about"
    r"|let's|->|can't we|can we not|couldn't we)\b.{3,200}",
    re.IGNORECASE,
)
_DUE = re.compile(
    r"\b(?:today|tonight|tomorrow|next week|by (?:the end|next|mon|tues|wednes|thurs|fri|satur|sun)day|on (?:mon"
    r"|tues|wednes|thurs|fri|satur|sun)day|this (?:week|afternoon|evening|morning)|end of (?:day|week)|morgen"
    r"|heute)\b",
    re.IGNORECASE,
)
_TAGS: dict[Category, list[Any]] = {
    "decision": ["decision", "human"],
    "discovery": ["surprise", "human"],
    "exclusion": ["lesson", "human"],
}


class Note(NamedTuple):
    """What is to be written down about some sentences."""

    category: Category
    said: list[Said]
    # "The user rejects", "The user decides"
    opening: str
    cue: str
    sure: float
    detail: Mapping[str, Any] = MappingProxyType({})
    # The words it settles or refers to, when they are somebody else's.
    thing: str = ""
    settles: Sequence[Quote] = ()


def write(heard: Heard, note: Note) -> Candidate:
    """The candidate of a note: summary, evidence, detail, subject."""
    words = verbatim(heard, note.said)
    names = about(heard, note.said)
    detail = {key: value for key, value in note.detail.items() if value}
    if names:
        detail["about"] = names
    said = squeeze(words)
    shown = said if len(said) <= 300 else said[:299] + "…"
    subject = content_words(f"{note.thing} {words}" if note.thing else words) or [n.lower() for n in names[:4]]
    return Candidate(
        category=note.category,
        summary=f"{note.opening}{_referent(note, names, said)}: “{shown}”{_answering(note)}",
        evidence=[Quote(heard.turn.id, words), *note.settles],
        detail=detail,
        confidence=note.sure,
        tags=list(_TAGS.get(note.category, ["human"])),
        subject=subject,
        cue=note.cue,
    )


def verbatim(heard: Heard, said: list[Said]) -> str:
    """The text from the first to the last of these sentences, exactly as it stands."""
    text = heard.turn.turn.text
    start, end = said[0].span.start, said[-1].span.end
    while end - start > _MAX_QUOTE and len(said) > 1:
        said = said[:-1]
        end = said[-1].span.end
    return text[start : min(end, start + 2 * _MAX_QUOTE)]


def details(text: str) -> dict[str, Any]:
    """Reason, scope, condition and alternative, where the words give them."""
    return {
        "why": _from(_REASON, text),
        "scope": _group(_SCOPE, text),
        "reopen": _group(_REOPEN, text),
        "instead": _group(_INSTEAD, text),
    }


def due(text: str) -> str:
    return _group(_DUE, text)


def _from(pattern: re.Pattern[str], text: str) -> str:
    match = pattern.search(text)
    return squeeze(text[match.start() : match.start() + 240]) if match else ""


def _group(pattern: re.Pattern[str], text: str) -> str:
    match = pattern.search(text)
    return squeeze(match.group())[:240] if match else ""


def _answering(note: Note) -> str:
    """What a no was said to, after the words: the guess at what "that" is may be wrong, the words are not."""
    if note.category != "rejected":
        return ""
    if note.detail.get("stopped"):
        return f" (what was stopped: {note.detail['stopped']})"
    return f" (in answer to “{squeeze(note.thing)[:240]}”)" if note.thing else ""


def _referent(note: Note, names: list[str], said: str) -> str:
    if note.thing:
        return f" “{squeeze(note.thing)[:240]}”" if note.category != "rejected" else ""
    missing = [name for name in names if name.lower() not in said.lower() and len(name) <= _SHORT_NAME][:3]
    return f" ({', '.join(missing)})" if missing and len(content_words(said)) < 6 else ""
