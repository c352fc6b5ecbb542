"""What an agent states: findings and choices, weighed by what their words and their moment tell; and lessons, promises,
facts and what the agent can do, told by their words alone."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal, NamedTuple

from steno.language.lexicon import lexicon
from steno.language.names import names
from steno.scribe.passages import Moment, Part, lead_signs, opening_signs
from steno.scribe.wording import SUMMARY, about, asked, beside, not_taken, reasoning, subject, summary
from steno.vocabulary import Candidate, Category, JournalTurn, Quote, Tag
from steno.vocabulary.details import AnyDetail, Decided, Exchange, Known, Stance, Todo

Stated = Literal["discovery", "decision"]
# What a sum must reach; found by looking at what it lets in, and left round.
ENOUGH: Final[Mapping[Stated, float]] = {"discovery": 4.5, "decision": 4.0}
# What speaks for a choice where a sentence may be a finding, too.
CHOSEN: Final = 2.5
# Letters below which a sentence says nothing, and below which it says little.
SHORTEST, SHORT = 12, 30
# A perfect note-taker writes few lines: of one turn only the statements with most behind them are kept. An inquiry has
# many findings and one conclusion, so of findings fewer.
CHOICES, FINDINGS = 3, 2
# A list that is called one of findings may give so many more.
LISTED: Final = 3
# How many paragraphs an answer has before it goes into detail; letters above which the sentence before may be the
# ground of a choice.
OPENING, EXPLAINS = 4, 40

# Sentences of a message that is about one thing.
FEW: Final = 4

_FINDING: Final[Mapping[str, float]] = {
    "cause": 3.0, "surprises": 3.0, "shown": 2.0, "figures": 1.5, "negated": 1.5, "limits": 1.5, "defect": 1.5,
    "checked": 1.5, "behaves": 1.0, "follows": 1.0, "contrast": 1.0, "reason": 1.0, "hedge": -1.0, "proposes": -1.5,
    "open_ended": -1.5, "own_work": -2.0,
}  # fmt: skip
_CHOICE: Final[Mapping[str, float]] = {
    "settled": 4.0, "wished": 3.0, "told": 1.5, "reason": 1.0, "follows": 0.5, "hedge": -2.0, "open_ended": -2.5,
    "checked": -2.5, "offers": -4.0,
}  # fmt: skip
_ASKS: Final = -6.0
# What tells of a cause, a figure or a check is a finding, also after work of one's own.
_FOUND: Final = frozenset(
    {"cause", "surprises", "shown", "figures", "checked", "still_open", "refutes", "confirms", "open_ended", "hedge"}
)


class Statement(NamedTuple):
    """A part, the category it may have, and how much more than enough speaks for it."""

    part: Part
    category: Stated
    surplus: float


def statements(turn: JournalTurn, parts: Sequence[Part], moment: Moment) -> list[Candidate]:
    """The findings and choices of a turn with most behind them, and what single words tell."""
    found = [one for part in parts if (one := _weigh(part, moment))]
    strongest = sorted(found, key=lambda one: -one.surplus)
    choices = [one for one in strongest if one.category == "decision"][:CHOICES]
    findings = [one for one in strongest if one.category == "discovery"]
    listed = [one for one in findings[FINDINGS:] if _listed(one.part)][:LISTED]
    best = sorted([*choices, *findings[:FINDINGS], *listed], key=lambda one: one.part.span.start)
    taken = {one.part.span.start for one in best}
    rest = [part for part in parts if part.span.start not in taken]
    return [_stated(turn, one, moment, parts) for one in best] + [
        one for part in rest for one in _told(turn, part, moment)
    ]


def _weigh(part: Part, moment: Moment) -> Statement | None:
    """What most speaks for, if enough does. Where both fit, what was decided tells more than what was found."""
    if len(part.low) < SHORTEST or part.signs & {"lesson", "promise_agent", "able"}:
        return None
    choice = _choice(part, moment) - ENOUGH["decision"]
    finding = -ENOUGH["discovery"] if "narrates" in part.signs else _finding(part, moment) - ENOUGH["discovery"]
    if choice >= 0 and ("settled" in part.signs or choice + CHOSEN >= finding):
        return Statement(part, "decision", choice)
    if finding < 0:
        return None
    return Statement(part, "decision" if _is_made(part, moment) else "discovery", finding)


def _is_made(part: Part, moment: Moment) -> bool:
    """Whether a statement tells how what was just made works: that was found nowhere, it was chosen."""
    return moment.made and part.states and not part.signs & _FOUND


def _finding(part: Part, moment: Moment) -> float:
    total = sum(_FINDING.get(sign, 0.0) for sign in part.signs)
    if total <= 0 or part.low.endswith("?"):
        return 0.0
    named = len(names(part.text))
    listed = _listed(part)
    weights = (
        (1.0, "**" in part.text),
        (1.5, named > 0),
        (0.5, named > 1),
        (2.5 if part.block < OPENING else 1.0, moment.answers),
        (1.0, moment.brief),
        (1.0, not moment.goes_on and "persons" not in part.signs and part.span.kind != "table"),
        (1.0, moment.brief and moment.reports and "persons" not in part.signs),
        (3.0, listed),
        (-1.5, len(part.text) < SHORT and not listed),
        (-2.5, moment.proposes),
        (-2.0, part.opens_list and not moment.answers),
        (-2.0, part.span.kind == "table"),
        (-1.5, moment.wraps and part.span.kind != "prose"),
    )
    return total + sum(weight for weight, holds in weights if holds)


def _choice(part: Part, moment: Moment) -> float:
    if not _settles(part, moment):
        return 0.0
    total = sum(_CHOICE.get(sign, 0.0) for sign in part.signs)
    weights = (
        (_ASKS, part.low.endswith("?")),
        (1.0, bool(names(part.text))),
        (1.0, moment.brief),
        (1.0, moment.agreed or moment.first_answer),
        (1.0, moment.first_answer and moment.concedes),
        (1.0, part.opens_list and not moment.offers),
        (1.5, moment.wraps),
        (1.0, len(part.before) > EXPLAINS),
        (-4.0, moment.proposes),
        (-3.0, moment.answers and not (moment.concedes or moment.made)),
        (-1.5, moment.offers and not moment.wraps),
        (-1.0, len(part.text) < SHORT and not part.opens_list),
    )
    return total + sum(weight for weight, holds in weights if holds)


def _settles(part: Part, moment: Moment) -> bool:
    """Whether a choice is made: weaker words need the right moment, or they tell how things are and what comes next."""
    signs = part.signs
    if "settled" in signs:
        return True
    if "wished" in signs:
        return moment.first_answer
    return "told" in signs and "cause" not in signs and part.states and not moment.goes_on


def _listed(part: Part) -> bool:
    """Whether a list item stands under a line that announces findings."""
    return part.span.kind == "item" and "lead_findings" in lead_signs(part.lead or part.heading)


def _stated(turn: JournalTurn, one: Statement, moment: Moment, parts: Sequence[Part]) -> Candidate:
    part, guess = one.part, _is_guess(one.part)
    return Candidate(
        category=one.category,
        summary=summary(part, moment),
        evidence=[Quote(turn.id, part.text), *_explained(turn, part, parts)],
        detail=_chosen(part, moment, parts) if one.category == "decision" else known(part, moment),
        certainty="hypothesis" if guess else "confirmed",
        confidence=round((0.35 if guess else 0.5) + min(0.35, 0.06 * one.surplus), 2),
        tags=_tags(one, moment),
        subject=subject(part.text, part.lead),
        cue="choice" if one.category == "decision" else "finding",
    )


def _explained(turn: JournalTurn, part: Part, parts: Sequence[Part]) -> list[Quote]:
    """The few words a cause was told in: they say what it is the cause of, and what is done about it."""
    told = turn.turn.text.strip()
    return [Quote(turn.id, told)] if "cause" in part.signs and 1 < len(parts) <= FEW and len(told) <= SUMMARY else []


def _is_guess(part: Part) -> bool:
    """A guess stays a guess, unless the same breath says it was confirmed."""
    return "hedge" in part.signs and "confirms" not in part.signs and "confirms" not in opening_signs(part.before[:80])


def _chosen(part: Part, moment: Moment, parts: Sequence[Part]) -> Decided:
    return Decided(
        stance=Stance(wanted=part.text, why=reasoning(part)),
        exchange=_exchange(moment),
        question=asked(moment) if moment.answers else "",
        options=not_taken(part),
        risks=beside("risk", part, parts),
        if_wrong=beside("if_wrong", part, parts),
        task=asked(moment),
        about=about(part.text, part.before, part.lead, part.after),
    )


def known(part: Part, moment: Moment) -> Known:
    """What a finding, a lesson or a fact keeps beside its sentence."""
    named = about(part.text, part.before, part.lead, part.after)
    return Known(stance=Stance(why=reasoning(part)), exchange=_exchange(moment), about=named)


def _exchange(moment: Moment) -> Exchange:
    return Exchange(said=asked(moment)) if moment.first_answer else Exchange()


def _tags(one: Statement, moment: Moment) -> list[Tag]:
    tags: list[Tag] = ["decision"] if one.category == "decision" else []
    if one.part.signs & {"contrast", "cause", "surprises"} and one.category == "discovery":
        tags.append("surprise")
    if moment.first_answer and (moment.asked or moment.objected):
        tags.append("human")
    return tags


def _told(turn: JournalTurn, part: Part, moment: Moment) -> Iterator[Candidate]:
    """Lessons, promises, facts, and what the agent can do: their words are enough."""
    if part.low.endswith("?") or moment.proposes or part.span.kind == "table" or "hedge" in part.signs:
        return
    if "lesson" in part.signs:
        yield _simple(turn, part, moment, "learning", 0.7, ["lesson", "identity"])
    elif "able" in part.signs:
        yield _simple(turn, part, moment, "agent_state", 0.6, ["identity"])
    elif "promise_agent" in part.signs:
        yield _simple(turn, part, moment, "commitment", 0.5, ["decision"])
    elif "lasting_fact" in part.signs and part.states:
        yield _simple(turn, part, moment, "fact", 0.5, ["lesson"])


def _simple(
    turn: JournalTurn, part: Part, moment: Moment, category: Category, sure: float, tags: list[Tag]
) -> Candidate:
    detail: AnyDetail = known(part, moment)
    if category == "commitment":
        due = lexicon("due").search(part.text)
        by = part.text[due.start : due.end] if due else ""
        detail = Todo(owner="agent", due=by, exchange=_exchange(moment), about=about(part.text))
    return Candidate(
        category=category,
        summary=summary(part, moment),
        evidence=[Quote(turn.id, part.text)],
        detail=detail,
        confidence=sure,
        tags=tags,
        subject=subject(part.text, part.lead),
        cue=category,
    )
