"""From what was found to an answer: allow, warn, ask or block, with the reasons."""

from collections.abc import Iterable
from typing import Final, NamedTuple

from msgspec import structs

from steno.gates.match import Match
from steno.rules.stance import own_words
from steno.vocabulary import MODES, PEOPLE, Allow, Ask, Block, Entry, Flow, Mode, Page, Reason, Rule, Verdict, Warn
from steno.vocabulary.gates import ReasonKind

# So many exchanges are laid beside a call: a third line costs less than speaking up at more calls.
_MOST: Final[dict[Mode, int]] = {"warn": 3, "ask": 5, "block": 5}
_ANSWERS: Final[dict[Mode, type[Warn] | type[Ask] | type[Block]]] = {"warn": Warn, "ask": Ask, "block": Block}
_KINDS: Final[dict[str, ReasonKind]] = {"rule": "rule", "exclusion": "exclusion", "context": "said"}


class Ground(NamedTuple):
    """A reason, how far it goes, and why it was found, in our own words."""

    mode: Mode
    strength: float
    reason: Reason
    because: str


def verdict(page: Page, grounds: Iterable[Ground]) -> Verdict:
    """The answer the strongest ground calls for, with all of that strength, the strongest first, each thing once."""
    ordered = sorted(grounds, key=lambda one: (-MODES.index(one.mode), -one.strength, one.reason.id))
    if not ordered:
        return Allow(page=page)
    mode = ordered[0].mode
    # Beside what is asked about, a reminder would only be noise.
    first, *rest = _once([ground.reason for ground in ordered if ground.mode == mode])[: _MOST[mode]]
    return _ANSWERS[mode](reasons=(first, *rest), page=page)


def _once(reasons: list[Reason]) -> list[Reason]:
    """Each thing once: of what was refused and made a rule by the same words, the refusal says to what."""
    refusals = {reason.quote: reason for reason in reversed(reasons) if reason.kind == "rejected" and reason.quote}
    kept: dict[str, Reason] = {}
    for reason in (refusals.get(reason.quote, reason) for reason in reasons):
        kept.setdefault(reason.quote or reason.text, reason)
    return list({reason.id: reason for reason in kept.values()}.values())


def by_matcher(rule: Rule, entry: Entry | None, fired_on: str) -> Ground:
    """A rule whose matcher fired. One that is not a person's words can only warn."""
    mode: Mode = (rule.mode or "warn") if rule.origin in PEOPLE else "warn"
    reason = Reason(id=rule.id, kind="rule", text=rule.rule, quote="", at=rule.born_at, by=rule.origin, on=fired_on)
    if entry is not None:
        reason = structs.replace(reason_of(entry), id=rule.id, kind="rule", by=rule.origin, said_to="", on=fired_on)
    # One that nobody tried is a guess.
    return Ground(mode, 1.0 if rule.trial is not None else 0.5, reason, "matcher")


def by_flow(flow: Flow) -> Ground:
    """A procedure a person must agree to before it is begun."""
    text = f"the flow {flow.name} needs a person's approval before it is begun"
    reason = Reason(id=flow.name, kind="flow", text=text, quote="", at=flow.changed_at)
    return Ground("ask", 0.0, reason, "a flow that needs approval")


def by_words(match: Match) -> Ground:
    """An entry an action goes against."""
    return Ground("ask" if match.sure else "warn", match.strength, reason_of(match.entry), match.because)


def reason_of(entry: Entry) -> Reason:
    """What was said, by whom, when, to what, and what else was said with it."""
    stance, exchange = entry.detail.stance, entry.detail.exchange
    # Nothing where a person has since written it in other words.
    quote = entry.evidence[0].quote if entry.evidence and entry.origin != "edit" else ""
    is_edited = entry.origin == "edit" and bool(entry.evidence)
    call = f"{exchange.call.tool} {exchange.call.given}" if exchange.call is not None else ""
    return Reason(
        id=entry.id,
        kind=_KINDS.get(entry.category, "rejected"),
        text=own_words(entry),
        quote=quote,
        at=entry.created_at,
        by="edited" if is_edited else entry.origin,
        said_to="" if is_edited else call or (exchange.answered if exchange.answered not in quote else ""),
        why=entry.detail.why,
        instead=stance.wanted if entry.category == "rejected" else "",
        reopen=stance.until,
    )
