"""From what was found to an answer: allow, warn, ask or block, with the reasons."""

from collections.abc import Iterable
from typing import Final, Literal, NamedTuple

from steno.gates.match import Match
from steno.rules.stance import refused
from steno.vocabulary import PEOPLE, Allow, Ask, Block, Entry, Flow, Mode, Page, Reason, Rule, Verdict, Warn

# From this strength on a match is shown on the page, and from this on it is said unasked: set on labelled cases
# (`benchmarks/gates.py`).
SHOW: Final = 0.5
REMIND: Final = 0.67
_MOST_REASONS: Final = 5
_ORDER: Final[dict[Mode, int]] = {"warn": 1, "ask": 2, "block": 3}


class Ground(NamedTuple):
    """A reason, and how far it goes."""

    mode: Mode
    strength: float
    reason: Reason


def verdict(page: Page, grounds: Iterable[Ground]) -> Verdict:
    """The answer the strongest ground calls for, with all of them, the strongest first, each thing once."""
    ordered = sorted(grounds, key=lambda ground: (-_ORDER[ground.mode], -ground.strength, ground.reason.id))
    if not ordered:
        return Allow(page=page)
    first, *rest = _once([ground.reason for ground in ordered])[:_MOST_REASONS]
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
    reason = Reason(
        id=rule.id,
        kind="rule",
        text=f"{rule.rule} (fired on {fired_on})",
        quote=_quote(entry),
        at=entry.created_at if entry is not None else rule.born_at,
        why=entry.detail.why if entry is not None else "",
        reopen=entry.detail.stance.until if entry is not None else "",
    )
    return Ground(mode, 1.0, reason)


def by_flow(flow: Flow) -> Ground:
    """A procedure a person must agree to before it is begun."""
    text = f"the flow {flow.name} needs a person's approval before it is begun"
    return Ground("ask", 0.0, Reason(id=flow.name, kind="flow", text=text, quote="", at=flow.changed_at))


def by_words(match: Match) -> Ground | None:
    """An entry an action goes against. None: too weak to be said."""
    if match.strength < REMIND:
        return None
    return Ground("ask" if match.sure else "warn", match.strength, _reason(match.entry))


def _reason(entry: Entry) -> Reason:
    kind: Literal["rule", "rejected", "exclusion"] = (
        "exclusion" if entry.category == "exclusion" else "rule" if entry.category == "rule" else "rejected"
    )
    return Reason(
        id=entry.id,
        kind=kind,
        text=(", ".join(refused(entry)) if kind != "exclusion" else "") or entry.detail.what or entry.summary,
        quote=_quote(entry),
        at=entry.created_at,
        why=entry.detail.why,
        reopen=entry.detail.stance.until,
    )


def _quote(entry: Entry | None) -> str:
    return entry.evidence[0].quote if entry is not None and entry.evidence else ""
