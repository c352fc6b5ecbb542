"""From a part to words that can be understood alone: summary, detail, subject."""

import re
from functools import lru_cache
from typing import Any

from steno.scribe.agent_cues import REASON, identifiers
from steno.scribe.agent_parts import Part, Scene
from steno.scribe.text import sentences
from steno.terms import content_words, squeeze
from steno.vocabulary import JournalTurn

# How many names are kept, and where in a text they are looked for.
NAMES, NAMED_LENGTH = 6, 2000
SUMMARY_LENGTH, CONTEXT_LENGTH, SYMPTOM_LENGTH, LIST_LENGTH = 400, 140, 200, 600

_MARKER = re.compile(r"^(?:[-*•+–]\s+(?:\[[ xX]\]\s*)?|[(\[]?(?:\d{1,3}|[a-zA-Z])[.)\]]\s+|#+\s+|\\(?=#))+")
_FILLER = re.compile(
    r"^(?:(?:good|great|hmm|yep|yeah|yes|ok|okay|right|so|clean|wait|ah|ha|confirmed|interesting|and|but|also|"
    r"well|actually|you're (?:absolutely )?right|good (?:catch|point|call|question))\b[\s,.!—–:-]+)+(?=\S)",
    re.I,
)
_POINTS = re.compile(
    r"^(?:it|it's|this|that|that's|these|those|they|they're|there|both|same|which|he|she|one|such|here|"
    r"the (?:test|issue|fix|bug|problem|method|function|"
    r"pattern|class|file|approach)|should|still|just|only|all|none|new|old|no|not|also)\b",
    re.I,
)
_ERROR = re.compile(
    r"error|fail|conflict|cannot|could not|couldn't|not found|denied|no such|fatal|panic|exception", re.I
)


def plain(text: str) -> str:
    """One line without list markers, emphasis and openers such as "Good," or "Hmm,"."""
    bare = _MARKER.sub("", " ".join(text.split())).replace("**", "").replace("|", " ").strip(" :—–")
    return " ".join((_FILLER.sub("", bare) or bare).split())


def summary(part: Part, scene: Scene) -> str:
    """The part as a sentence, after what it leans on: the line above the list, the sentence before, the question."""
    words = plain(part.text)
    leans = bool(_POINTS.match(words)) or part.span.kind != "prose" or not identifiers(part.text)
    context = _context(part, scene) if leans else ""
    joined = f"{context}: {words}" if context and context.lower() not in words.lower() else words
    return joined[:SUMMARY_LENGTH]


def with_list(text: str, part: Part) -> str:
    """A sentence that opens a list together with the list, up to a length; any other sentence as it is."""
    if not part.opens_list:
        return part.text
    lines = text[part.span.end : part.span.end + LIST_LENGTH].split("\n\n")
    first = next((at for at, block in enumerate(lines) if block.strip()), 0)
    found = "\n\n".join(lines[: first + 1])
    if part.span.end + len(found) < len(text) and len(lines) == first + 1:
        found = found.rsplit("\n", 1)[0]
    return (part.text + found).rstrip() if "```" not in found else part.text


def _context(part: Part, scene: Scene) -> str:
    near = part.lead if part.span.kind != "prose" else part.before or part.lead
    for words in (plain(near), plain(part.heading)):
        if len(words) > 8:
            return shortened(words, CONTEXT_LENGTH).rstrip(".")
    return question(scene) if scene.first_answer else ""


def question(scene: Scene) -> str:
    """What the person said that this answers, shortened."""
    return _asked(scene.human.turn.text[:1000]) if scene.human else ""


@lru_cache(maxsize=32)
def _asked(text: str) -> str:
    said = [span.text for span in sentences(text) if span.kind in ("prose", "item")]
    asked = next((words for words in said if words.endswith("?")), said[0] if said else "")
    return shortened(squeeze(asked), CONTEXT_LENGTH)


def shortened(text: str, length: int) -> str:
    """The text cut at a word, if it must be."""
    if len(text) <= length:
        return text
    return text[:length].rsplit(" ", 1)[0] + " …"


def detail(part: Part, scene: Scene) -> dict[str, Any]:
    """What a finding, a decision or a failure keeps beside its sentence."""
    found: dict[str, Any] = {"about": about(part.text, part.before, part.lead, part.after)}
    reason = reasoning(part)
    if reason:
        found["reasoning"] = reason
    if scene.first_answer and scene.human:
        found["answers"] = question(scene)
    return {name: value for name, value in found.items() if value}


def about(*texts: str) -> list[str]:
    """Names of things in texts, each once."""
    names = dict.fromkeys(name.strip("`*() ") for text in texts if text for name in identifiers(text[:NAMED_LENGTH]))
    return [name for name in names if len(name) > 1][:NAMES]


def reasoning(part: Part) -> str:
    """The reason given in the sentence or right after it."""
    match = REASON.search(part.low)
    if match and len(part.low) == len(part.text):
        return shortened(plain(part.text[match.start() :]), CONTEXT_LENGTH)
    if " — " in part.text:
        return shortened(plain(part.text.split(" — ", 1)[1]), CONTEXT_LENGTH)
    follows = plain(part.after)
    explains = REASON.match(follows.lower()) or part.after.startswith(("So ", "This ", "That "))
    return shortened(follows, CONTEXT_LENGTH) if explains else ""


def subject(part: Part) -> list[str]:
    """Words that say what a part is about."""
    return content_words(" ".join((part.text, part.lead)), 8)


def symptom(failed: JournalTurn) -> str:
    """The line of a failed tool result that says what went wrong; only its beginning and end are read."""
    text = failed.turn.text
    for piece in (text[:600], text[-400:]):
        telling = next((line.strip() for line in piece.splitlines() if _ERROR.search(line)), "")
        if telling:
            return telling[:SYMPTOM_LENGTH]
    return next((line.strip()[:SYMPTOM_LENGTH] for line in text[:600].splitlines() if line.strip()), "")
