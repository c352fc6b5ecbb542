"""What a part's surroundings say for or against it being a finding, a decision, a failed approach."""

import re
from collections.abc import Mapping
from functools import lru_cache

from steno.scribe.agent_cues import NARRATES, REASON, identifiers
from steno.scribe.agent_lapses import TURNS_AWAY
from steno.scribe.agent_parts import Part, Scene
from steno.terms import content_words

Traits = Mapping[str, float]

# Letters above which the sentence before may be the ground of one.
EXPLAINS = 40
# Letters up to which the person's words are short enough to be restated.
SHORT_WISH = 200
# How many paragraphs an answer has before it goes into detail.
OPENING = 4

_OPTIONS = re.compile(
    r"\b(?:options?|either|one of|directions?|alternatives?|would be|proposal|proposed|"
    r"risks?|benefits?|sources|i should|we should|need to|unlocks|achieves)\b"
)
_FINDINGS = re.compile(
    r"\b(?:picture|issues?|problems?|bugs?|found|causes?|facts|consequences|findings|used|uses|in \w+)\b"
)
_FOUND = re.compile(
    r"^\W*(?:\w+ ){0,3}(?:findings|problems|issues|bugs|defects|vulnerabilities|causes|differences)\b[^.!?]{0,40}:?\W*$"
    r"|\b(?:i|we) (?:found|noticed|saw|see)\b|\bhere(?:'s| is) what i (?:found|see)\b|\bgefunden\b"
)
_TICKED = re.compile(r"`[^`\n]{2,80}`")
_REVEALS = re.compile(
    r"^\W*(?:confirmed|there it is|found|i see|interesting|yep|good|clean|right|so|ok|now i see|no\b|yes\b)"
)
_ADMITS = re.compile(
    r"\b(?:you're (?:absolutely )?right|good (?:catch|point|call)|fair|my bad|apolog|sorry|hmm|oops|wait)\b"
)


def names(text: str) -> int:
    """How many things in the code a sentence names. Ticked ones are counted first: they cost a tenth to find."""
    ticked = len(set(_TICKED.findall(text))) if "`" in text else 0
    return ticked or len(set(identifiers(text)))


def turns_away(part: Part) -> bool:
    return bool(TURNS_AWAY.search(part.low) or (part.after and TURNS_AWAY.search(part.after.lower())))


def of_finding(part: Part, scene: Scene, named: int) -> Traits:
    return _held(
        ("names things in the code", 1.5 if named else 0.0),
        ("states it at the end of the work", 1.0 if not scene.goes_on and _states(part) else 0.0),
        ("names several things", 0.5 if named > 1 else 0.0),
        ("answers a question", 1.0 if answers(scene) else 0.0),
        ("opens the answer", 1.5 if answers(scene) and part.block < OPENING else 0.0),
        ("is most of what was said", 1.0 if scene.brief else 0.0),
        ("reports back to the person", 1.0 if scene.brief and scene.reports and _states(part) else 0.0),
        ("stands in a list of findings", 3.0 if found_list(part) else 0.0),
        ("stands among findings", 0.5 if _FINDINGS.search(part.lead.lower() or part.section) else 0.0),
        ("follows a look", 0.5 if _REVEALS.match(part.before.lower() or part.low) else 0.0),
        ("is a guess", -1.0 if "hedge" in part.heard.signs else 0.0),
        ("is very short", -1.5 if len(part.text) < 30 and not found_list(part) else 0.0),
        ("stands in a proposal", -2.5 if scene.proposes and not _FINDINGS.search(part.section) else 0.0),
        ("is one of several options", -2.0 if _optional(part.lead, part.section) else 0.0),
        ("only opens a list", -2.0 if part.opens_list and not answers(scene) else 0.0),
        ("is a row of a table", -2.0 if part.span.kind == "table" else 0.0),
        ("sums up own work", -1.5 if scene.wraps and part.span.kind != "prose" else 0.0),
    )


def of_choice(part: Part, scene: Scene, named: int) -> Traits:
    return _held(
        ("names things in the code", 1.0 if named else 0.0),
        ("is most of what was said", 1.0 if scene.brief else 0.0),
        ("follows the person's agreement", 1.0 if scene.agreed else 0.0),
        ("answers the person", 1.0 if scene.first_answer and not scene.agreed else 0.0),
        ("takes up the person's words", 1.5 if scene.reports and restates(part, scene) else 0.0),
        ("agrees with the person", 1.0 if scene.first_answer and scene.concedes else 0.0),
        ("lays it out in a list", 1.0 if part.opens_list and not scene.offers else 0.0),
        ("is acted on at once", 0.5 if scene.first_answer and scene.goes_on else 0.0),
        ("stands in a summary of the work", 1.5 if scene.wraps else 0.0),
        ("follows from what was found", 1.0 if _explained(part.before) else 0.0),
        ("is a guess", -2.0 if "hedge" in part.heard.signs else 0.0),
        ("stands in a proposal", -4.0 if scene.proposes else 0.0),
        ("stands beside an offer", -1.5 if scene.offers and not scene.wraps else 0.0),
        ("is one of several options", -3.0 if _optional(part.lead, part.section) else 0.0),
        ("is very short", -_short(part, scene) if len(part.text) < 30 and not part.opens_list else 0.0),
    )


def _short(part: Part, scene: Scene) -> float:
    return 0.5 if scene.brief and restates(part, scene) else 2.0


def _states(part: Part) -> bool:
    """Whether a sentence is a plain statement about things, not about who does what."""
    ends = part.low.endswith((".", "`", ")")) or (part.span.kind == "item" and part.low[-1:].isalnum())
    return ends and part.span.kind != "table" and "persons" not in part.heard.signs


def found_list(part: Part) -> bool:
    """Whether a list item stands under a line that announces findings."""
    return part.span.kind == "item" and _found_lead(part.lead or part.heading)


@lru_cache(maxsize=64)
def _found_lead(lead: str) -> bool:
    return bool(_FOUND.search(lead.lower()))


@lru_cache(maxsize=256)
def _optional(lead: str, section: str) -> bool:
    """Whether a list or section holds options, not facts."""
    return bool(_OPTIONS.search(f"{lead} {section}".lower()))


def _explained(before: str) -> bool:
    return len(before) > EXPLAINS and not NARRATES.match(before.lower())


def of_failure(part: Part, scene: Scene) -> Traits:
    return _held(
        ("is most of what was said", 1.0 if scene.brief else 0.0),
        ("turns to another way", 1.5 if turns_away(part) else 0.0),
        ("admits it to the person", 1.0 if _ADMITS.search(part.before.lower() + " " + part.low) else 0.0),
        ("tells why beside it", 1.0 if REASON.search(f"{part.before} {part.after}".lower()) else 0.0),
        ("follows a failed command", 1.5 if scene.failed else 0.0),
        ("stands in a proposal", -3.0 if scene.proposes else 0.0),
        ("is a guess", -2.0 if "hedge" in part.heard.signs else 0.0),
        ("is one of several options", -2.0 if _optional(part.lead, part.section) else 0.0),
    )


def restates(part: Part, scene: Scene, least: int = 1) -> bool:
    """Whether a sentence takes up half the words of the person's short message."""
    wish = scene.human.turn.text if scene.human else ""
    if len(wish) > SHORT_WISH:
        return False
    words = _wish(wish)
    return len(words) >= least and len(words & set(content_words(part.text, 24))) >= max(least, len(words) / 2)


@lru_cache(maxsize=64)
def _wish(text: str) -> frozenset[str]:
    return frozenset(content_words(text))


def answers(scene: Scene) -> bool:
    """Whether a turn is the answer to a question."""
    return scene.first_answer and scene.asked


def _held(*pairs: tuple[str, float]) -> Traits:
    return {name: weight for name, weight in pairs if weight}
