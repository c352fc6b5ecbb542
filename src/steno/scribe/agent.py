"""What an agent's turns and its tools say: discoveries, failed approaches, lessons, plans, progress."""

import re
from collections.abc import Iterator
from functools import lru_cache

from steno.scribe.agent_calls import from_commit, from_task_list
from steno.scribe.agent_cues import CONFIRMS
from steno.scribe.agent_parts import Part, Scene, read, scene
from steno.scribe.agent_refute import refuted
from steno.scribe.agent_score import ENOUGH, Score, score
from steno.scribe.agent_tasks import progress
from steno.scribe.agent_traits import answers, found_list
from steno.scribe.agent_words import about, detail, plain, reasoning, subject, summary, symptom, with_list
from steno.vocabulary import Candidate, Category, Certainty, JournalTurn, Quote, Tag, Window

# A perfect note-taker writes few lines: of one turn only the statements with most behind them are kept. An inquiry has
# many findings and one conclusion, so of findings fewer; a turn of so many sentences may give one more.
CHOICES, FINDINGS, LONG = 3, 2, (12, 36)
# A list that is called one of findings may give so many more.
LISTED = 3
# A finding whose words nearly all stand in one of the last turns is said again, not found again.
REPEATS_OF, REPEATED = 6, 0.75
# What a finding must have beyond enough when every name in it was already talked of: an inquiry takes many steps.
ONE_MORE_STEP = 2.5
# Signs that tell enough alone.
PLAIN = frozenset({"lesson", "promise", "surroundings"})
# Text of our own that came back to us.
OURS = ("<steno", "[STENO")
_WORD = re.compile(r"[\w./#-]{3,}")


def from_agent(turn: JournalTurn, window: Window) -> list[Candidate]:
    """Candidates of a turn of the assistant, a tool or the host. What tools and hosts say is evidence at most."""
    said = turn.turn
    if said.role == "tool":
        return from_commit(turn, window)
    if said.role != "assistant" or any(mark in said.text for mark in OURS):
        return []
    if said.kind == "call":
        return from_task_list(turn)
    if said.kind != "said" or not said.text.strip():
        return []
    parts = read(said.text)
    if not parts:
        return []
    around = scene(said.text, parts, window)
    taken_back = refuted(turn, parts, window)
    quoted = {one.evidence[0].quote for one in taken_back}
    stated = _statements(turn, parts, around, window)
    kept = [one for one in stated if one.category != "discovery" or one.evidence[0].quote not in quoted]
    return [*kept, *taken_back, *progress(turn, parts, around)]


def _statements(turn: JournalTurn, parts: list[Part], around: Scene, window: Window) -> list[Candidate]:
    found = [
        (value.total - ENOUGH[value.category], at, value)
        for at, part in enumerate(parts)
        if (value := score(part, around))
        and not (value.category == "discovery" and _old_news(part, value, around, window))
    ]
    strongest = sorted(found, key=lambda one: (-one[0], one[1]))
    chosen = [one for one in strongest if one[2].category != "discovery"][:CHOICES]
    findings = [one for one in strongest if one[2].category == "discovery"]
    room = FINDINGS + sum(len(parts) > long for long in LONG)
    listed = [one for one in findings[room:] if found_list(parts[one[1]])][:LISTED]
    best = chosen + findings[:room] + listed
    opened = {parts[at].span.start for _, at, _ in best if parts[at].opens_list}
    best = [one for one in best if parts[one[1]].lead_at not in opened]
    kept = [_stated(turn, parts[at], around, value) for _, at, value in sorted(best, key=lambda one: one[1])]
    taken = {at for _, at, _ in best}
    kept.extend(
        one
        for at, part in enumerate(parts)
        if at not in taken and not PLAIN.isdisjoint(part.heard.signs)
        for one in _plain(turn, part, around)
    )
    return kept


def _old_news(part: Part, value: Score, around: Scene, window: Window) -> bool:
    """Whether a finding was said before, or is one more step about things already talked of and not a strong one."""
    words = _vocabulary(part.text)
    before = [_vocabulary(said.turn.text) for said in window.said if said.turn.role == "assistant"][-REPEATS_OF:]
    if len(words) > 4 and any(len(words & known) >= REPEATED * len(words) for known in before):
        return True
    if answers(around) or value.total >= ENOUGH["discovery"] + ONE_MORE_STEP:
        return False
    names = _vocabulary(" ".join(about(part.text)))
    return bool(names) and names <= frozenset().union(*before)


@lru_cache(maxsize=256)
def _vocabulary(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text[:4000].lower()))


def _stated(turn: JournalTurn, part: Part, around: Scene, value: Score) -> Candidate:
    whole = with_list(turn.turn.text, part)
    listed = whole[len(part.text) :]
    evidence = [Quote(turn.id, whole)]
    more = detail(part, around)
    if value.category == "exclusion":
        more |= _failure(part)
        if around.failed is not None and (line := symptom(around.failed)):
            evidence.append(Quote(around.failed.id, line))
            more["symptom"] = line
    if value.category == "decision":
        more["choice"] = whole
    return Candidate(
        category=value.category,
        summary=summary(part, around) if whole == part.text else f"{summary(part, around)}: {plain(listed)}",
        evidence=evidence,
        detail=more,
        certainty=certainty(part),
        confidence=_confidence(value, part),
        tags=_tags(value, around),
        subject=subject(part),
        cue="assistant " + ", ".join(value.traits[:3]),
    )


def _failure(part: Part) -> dict[str, str]:
    found = {"cause": reasoning(part), "instead": part.after[:200]}
    return {name: words for name, words in found.items() if words}


def certainty(part: Part) -> Certainty:
    """A guess stays a guess, unless the same breath says it was confirmed."""
    if "hedge" in part.heard.signs and not CONFIRMS.search(part.before[:80].lower()):
        return "hypothesis"
    return "confirmed"


def _confidence(value: Score, part: Part) -> float:
    surer = min(0.35, 0.06 * (value.total - ENOUGH[value.category]))
    return round((0.35 if "hedge" in part.heard.signs else 0.5) + surer, 2)


def _tags(value: Score, around: Scene) -> list[Tag]:
    tags: list[Tag] = []
    if value.category == "decision":
        tags.append("decision")
    if value.category == "exclusion":
        tags.append("lesson")
    if "contrasts" in value.traits or "names a cause" in value.traits:
        tags.append("surprise")
    if around.first_answer and (around.asked or around.objected):
        tags.append("human")
    return tags


def _plain(turn: JournalTurn, part: Part, around: Scene) -> Iterator[Candidate]:
    """Lessons, promises and facts about the surroundings: told by one cue, no weighing needed."""
    text = part.low
    if text.endswith("?") or around.proposes or part.span.kind == "table":
        return
    told = part.heard.signs
    if "lesson" in told and "hedge" not in told:
        yield _simple(turn, part, around, ("learning", 0.7, "the assistant states a lesson"))
    elif "promise" in told:
        yield _simple(turn, part, around, ("commitment", 0.5, "the assistant promises"))
    elif "surroundings" in told and not around.goes_on:
        yield _simple(turn, part, around, ("context", 0.4, "the assistant names the surroundings"))


def _simple(turn: JournalTurn, part: Part, around: Scene, told: tuple[Category, float, str]) -> Candidate:
    category, sure, cue = told
    return Candidate(
        category=category,
        summary=summary(part, around),
        evidence=[Quote(turn.id, part.text)],
        detail=detail(part, around),
        confidence=sure,
        tags=["lesson"] if category == "learning" else [],
        subject=subject(part),
        cue=cue,
    )
