"""How much a part speaks for being a finding, a decision, a failed approach: a sum of named traits."""

import re
from typing import NamedTuple

from steno.scribe.agent_hear import NONE
from steno.scribe.agent_parts import Part, Scene
from steno.scribe.agent_traits import (
    Traits,
    answers,
    names,
    of_choice,
    of_failure,
    of_finding,
    restates,
    turns_away,
)
from steno.vocabulary import Category

# What a sum must reach; found by looking at what it lets in, and left round.
ENOUGH: dict[Category, float] = {"discovery": 5.0, "decision": 5.0, "exclusion": 4.5}
# Letters below which a sentence says nothing.
SHORTEST = 12
# The most that being an answer, in a brief turn, in a list adds to a finding.
ANSWER, BRIEF, LISTED = 2.5, 2.0, 3.0
# Cues that make a decision even of a sentence that announces work ("Let me …").
FIRM = frozenset(
    {"says how it is done", "states the fix", "picks the fix", "says it was chosen", "tells the way taken"}
)
# Cues that make a failed approach by themselves.
FAILED = frozenset({"says it failed", "faults own work", "takes it back"})
# Signs of work that is done or left.
WORKS = frozenset({"done", "acted", "proven", "open"})
# Cues that make one only right after the person spoke: they tell how a wish is carried out.
ANSWERED = frozenset(
    {
        "says how it will be",
        "restates the person's wish",
        "carries out what was settled",
        "says how we do it",
        "sums up the wish",
        "says where it goes",
    }
)

_HEARS = re.compile(
    r"(?:understood|got it|noted|agreed|clear|will do|makes sense|fair (?:enough|point)|of course|verstanden|"
    r"alles klar|in ordnung)[.!]?$",
    re.I,
)


class Score(NamedTuple):
    """A category a part may have, how much speaks for it, and what does, strongest first."""

    category: Category
    total: float
    traits: tuple[str, ...]


def score(part: Part, scene: Scene) -> Score | None:
    """The category that most speaks for, if enough does."""
    if len(part.low) < SHORTEST:
        return None
    heard, narrates = part.heard, "narrates" in part.heard.signs
    lesson = "lesson" in heard.signs and "hedge" not in heard.signs
    found = NONE if narrates or lesson else heard.found
    decides, failed = NONE if lesson else heard.decides, heard.failed
    named = names(part.text) if found or decides else 0
    scores = (
        [_sum("discovery", found, of_finding(part, scene, named))]
        if found and _may_reach(found, part, scene, named)
        else []
    )
    if not (narrates or lesson or decides or any(one.total >= ENOUGH["discovery"] for one in scores)):
        decides = _echo(part, scene)
    if decides and _settles(decides, scene, narrates=narrates, cause="names a cause" in found):
        scores.append(_sum("decision", decides, of_choice(part, scene, named)))
    if failed and _given_up(failed, part, scene):
        scores.append(_sum("exclusion", failed, of_failure(part, scene)))
    fit = [one for one in scores if one.total >= ENOUGH[one.category]]
    return max(fit, key=lambda one: one.total - ENOUGH[one.category] + _leaning(one), default=None)


def _may_reach(cues: Traits, part: Part, scene: Scene, named: int) -> bool:
    """Whether a finding can get enough: many sentences cannot, and need not be looked at any closer."""
    most = 1.0 + (2.0 if named else 0.0) + (ANSWER if answers(scene) else 0.0) + (BRIEF if scene.brief else 0.0)
    most += (0.0 if scene.goes_on else 1.0) + (LISTED if part.span.kind == "item" else 0.0)
    return sum(cues.values()) + most >= ENOUGH["discovery"]


def _leaning(one: Score) -> float:
    """Where two categories fit: that an approach failed tells most, what was decided more than what was found."""
    if one.category == "discovery":
        return 0.0
    if one.category == "decision" and "takes up the person's words" in one.traits:
        return 3.5
    return 6.0 if one.category == "exclusion" else 1.0 if FIRM.isdisjoint(one.traits) else 4.5


def _settles(cues: Traits, scene: Scene, *, narrates: bool, cause: bool) -> bool:
    """Whether a choice is made: a weak cue needs the right moment, or it tells how things are and what comes next."""
    if not cues.keys().isdisjoint(FIRM):
        return True
    if not cues.keys().isdisjoint(ANSWERED) and (not narrates or "says how it will be" in cues):
        return scene.first_answer and (scene.concedes or scene.agreed or scene.objected or not scene.asked)
    told_only = cues.keys().isdisjoint(("says what should be", "chooses one over another"))
    if narrates or cause:
        return False
    ordered = scene.first_answer and not scene.asked and not scene.goes_on
    return scene.wraps or scene.agreed or scene.concedes or ordered or not told_only


def _echo(part: Part, scene: Scene) -> Traits:
    """A short answer that says the person's wish again in its own words, and reports no work."""
    says = scene.reports and scene.brief and not scene.agreed and part.low.endswith((".", "!", "`"))
    if not says or not part.heard.signs.isdisjoint(WORKS) or "persons" in part.heard.signs:
        return {}
    echoes = bool(_HEARS.match(part.before)) or restates(part, scene, 2)
    return {"restates the person's wish": 3.0} if echoes else {}


def _given_up(cues: Traits, part: Part, scene: Scene) -> bool:
    """Whether a way was tried and left: what cannot be is a finding, unless a failure or another way is near."""
    return not cues.keys().isdisjoint(FAILED) or scene.failed is not None or turns_away(part)


def _sum(category: Category, cues: Traits, around: Traits) -> Score:
    traits = {**around, **cues}
    strongest = sorted((name for name, weight in traits.items() if weight > 0), key=lambda name: -traits[name])
    return Score(category, sum(traits.values()), tuple(strongest))
