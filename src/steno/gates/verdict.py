"""From what was found to an answer: allow, warn, ask or block, with the reasons."""

from collections.abc import Iterable
from typing import Final, NamedTuple

from msgspec import structs

from steno.gates.match import Match
from steno.rules.stance import own_words
from steno.vocabulary import PEOPLE, Allow, Ask, Block, Entry, Flow, Mode, Page, Reason, Rule, Verdict, Warn
from steno.vocabulary.gates import ReasonKind

_MOST_REASONS: Final = 5
# So many exchanges are laid beside a call: a third line costs less than speaking up at more calls.
MOST_REMINDED: Final = 3
_KINDS: Final[dict[str, ReasonKind]] = {"rule": "rule", "exclusion": "exclusion", "context": "said"}
_ORDER: Final[dict[Mode, int]] = {"warn": 1, "ask": 2, "block": 3}


class Ground(NamedTuple):
    """A reason, and how far it goes."""

    mode: Mode
    strength: float
    reason: Reason


def verdict(page: Page, grounds: Iterable[Ground]) -> Verdict:
    """The answer the strongest ground calls for, with all of that strength, the strongest first, each thing once."""
    ordered = sorted(grounds, key=lambda ground: (-_ORDER[ground.mode], -ground.strength, ground.reason.id))
    if not ordered:
        return Allow(page=page)
    # Beside what is asked about, a reminder would only be noise.
    ordered = [ground for ground in ordered if ground.mode == ordered[0].mode]
    most = MOST_REMINDED if ordered[0].mode == "warn" else _MOST_REASONS
    first, *rest = _once([ground.reason for ground in ordered])[:most]
    match ordered[0].mode:
        case "block":
            return Block(reasons=(first, *rest), page=page)
        case "ask":
            return Ask(reasons=(first, *rest), page=page)
        case "warn":
            return Warn(reasons=(first, *rest), page=page)


def _once(reasons: list[Reason]) -> list[Reason]:
    """Each thing once: of what was refused and made a rule by the same words, the refusal says to what."""
    refusals = {reason.quote: reason for reason in reversed(reasons) if reason.kind == "rejected" and reason.quote}
    seen: set[str] = set()
    kept = []
    for reason in (refusals.get(reason.quote, reason) for reason in reasons):
        marks = {reason.id, reason.quote} - {""}
        if not marks & seen:
            kept.append(reason)
        seen |= marks
    return kept


def by_matcher(rule: Rule, entry: Entry | None, fired_on: str) -> Ground:
    """A rule whose matcher fired. One that is not a person's words can only warn."""
    mode: Mode = (rule.mode or "warn") if rule.origin in PEOPLE else "warn"
    reason = Reason(id=rule.id, kind="rule", text=rule.rule, quote="", at=rule.born_at, by=rule.origin, on=fired_on)
    if entry is not None:
        said = _reason(entry)
        reason = structs.replace(said, id=rule.id, kind="rule", by=rule.origin, said_to="", on=fired_on)
    return Ground(mode, 1.0, reason)


def by_flow(flow: Flow) -> Ground:
    """A procedure a person must agree to before it is begun."""
    text = f"the flow {flow.name} needs a person's approval before it is begun"
    return Ground("ask", 0.0, Reason(id=flow.name, kind="flow", text=text, quote="", at=flow.changed_at))


def by_words(match: Match) -> Ground:
    """An entry an action goes against."""
    return Ground("ask" if match.sure else "warn", match.strength, _reason(match.entry))


def _reason(entry: Entry) -> Reason:
    stance, exchange = entry.detail.stance, entry.detail.exchange
    # Nothing where a person has since written it in other words.
    quote = entry.evidence[0].quote if entry.evidence and entry.origin != "edit" else ""
    call = f"{exchange.call.tool} {exchange.call.given}" if exchange.call is not None else ""
    return Reason(
        id=entry.id,
        kind=_KINDS.get(entry.category, "rejected"),
        text=own_words(entry),
        quote=quote,
        at=entry.created_at,
        by=entry.origin,
        said_to=call or (exchange.answered if exchange.answered not in quote else ""),
        why=entry.detail.why,
        instead=stance.wanted if entry.category == "rejected" else "",
        reopen=stance.until,
    )
