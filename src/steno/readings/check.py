"""From a model's proposal to a candidate: its quotes found, its line and fields checked. It raises nobody's word."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from steno.language.names import names
from steno.language.words import content_words, squeeze
from steno.readings.answer import Proposal
from steno.readings.support import Said, verbatim
from steno.vocabulary import Candidate, Category, JournalTurn, Quote
from steno.vocabulary.details import DETAILS, Act, AnyDetail, Exchange, Stance, Weight

# Who proposed it.
CUE: Final = "model"
LINE: Final = 200
_QUOTES, _FIELD, _OPTIONS, _NAMES = 3, 400, 8, 10
# Below the bar of what speaks for itself: a model's word makes nothing surer.
_CONFIDENCE: Final = 0.6
_ACTS: Final[Mapping[Category, Act]] = {
    "rejected": "reject", "rule": "instruct", "decision": "choose", "task": "ask_do", "context": "inform",
}  # fmt: skip
_NEVER: Final = frozenset({"agent_state"})


def candidate(proposal: Proposal, turns: Mapping[int, JournalTurn], there: Said) -> Candidate | None:
    """The entry a model proposes, as far as it was said; `there`: all of the portion. None: its words were not."""
    category = proposal.category
    if category is None or category in _NEVER:
        return None
    quotes = [quote for cited in proposal.quotes[:_QUOTES] if (quote := _quote(cited.turn, cited.quote, turns))]
    first = proposal.quotes[0] if proposal.quotes else None
    if first is None or not quotes or quotes[0].turn != first.turn:
        return None
    said = squeeze(quotes[0].quote)
    answered = next((squeeze(one.quote) for one in quotes[1:] if turns[one.turn].turn.role == "assistant"), "")
    detail = _detail(category, proposal, quotes, answered, turns, there)
    return Candidate(
        category=category,
        summary=said,
        evidence=quotes,
        detail=detail,
        confidence=_CONFIDENCE,
        tags=["lesson"] if category == "learning" else [],
        subject=content_words(f"{said} {answered}"),
        cue=CUE,
    )


def line_of(proposal: Proposal, there: Said) -> str:
    """A model's sentence, if every name and number in it was said; else empty."""
    line = squeeze(proposal.line)
    return line if 0 < len(line) <= LINE and there.holds(line) else ""


def failed_fields(proposal: Proposal, there: Said) -> dict[str, str]:
    """Why something failed, as far as its names and numbers were said."""
    return {name: _held(getattr(proposal, name), there) for name in ("approach", "cause", "symptom")}


def _quote(turn: int, quote: str, turns: Mapping[int, JournalTurn]) -> Quote | None:
    found = verbatim(turns[turn].turn.text, quote) if turn in turns else ""
    return Quote(turn, found) if found else None


def _detail(
    category: Category, proposal: Proposal, quotes: list[Quote], answered: str,
    turns: Mapping[int, JournalTurn], there: Said,
) -> AnyDetail:  # fmt: skip
    said = squeeze(quotes[0].quote)
    near = [turns[quote.turn].turn.text for quote in quotes]
    by_human = turns[quotes[0].turn].by_human
    values: dict[str, Any] = {
        "stance": _stance(category, proposal, said, answered, near),
        "exchange": Exchange(said=said, kind="words" if answered else "", answered=answered)
        if by_human
        else Exchange(),
        "weight": Weight(act=_ACTS.get(category, "other"), probability=_CONFIDENCE, importance=proposal.importance / 3),
        "about": list(names(f"{said} {answered}"))[:_NAMES],
        "line": line_of(proposal, there),
    }
    match category:
        case "decision":
            options = [one for option in proposal.options[:_OPTIONS] if (one := _held(option, there))]
            values |= {"question": _held(proposal.question, there), "options": options}
            values |= {name: _held(getattr(proposal, name), there) for name in ("risks", "if_wrong")}
        case "exclusion":
            values |= failed_fields(proposal, there)
            values["approach"] = values["approach"] or said
    return msgspec.convert(values, DETAILS[category], from_attributes=True)


def _stance(category: Category, proposal: Proposal, said: str, answered: str, near: list[str]) -> Stance:
    """Where a person stands, in words that stand in the turns quoted. How far it reaches is not for a model to say."""

    def words(text: str) -> str:
        return squeeze(next((found for one in near if (found := verbatim(one, text))), ""))[:_FIELD]

    refused, wanted = words(proposal.refused), words(proposal.wanted)
    match category:
        case "rejected":
            refused = refused or answered or said
        case "rule" | "decision":
            wanted = wanted or (answered if category == "decision" and answered else said)
    return Stance(refused=refused, wanted=wanted, why=words(proposal.why), until=words(proposal.until))


def _held(text: str, there: Said) -> str:
    """A field in a model's words, if its names and numbers were said."""
    text = squeeze(text)[:_FIELD]
    return text if text and there.holds(text) else ""
