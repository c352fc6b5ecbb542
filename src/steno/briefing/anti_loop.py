"""How much may be told without doing harm: a briefing takes room, and too much of it brings on the next compaction."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from steno.clock import seconds_between
from steno.vocabulary import TIER_TOKENS, Receipt
from steno.vocabulary.errors import WrongUse

# A context that is full again within ten minutes was filled by what was put into it, not by the work: the shortest
# stretch of ordinary work between two compactions that we have seen took 31 minutes.
_SOON: Final = 600
# Less than this is no briefing: the goal, the next step and a few refusals need it.
_LEAST: Final = 250


class Amount(Struct, frozen=True, kw_only=True):
    """So much may be told."""

    tokens: int
    # Why it is less than the tier allows. Empty: it is not.
    reason: str = ""


class Refused(Struct, frozen=True, kw_only=True):
    """Nothing may be told now."""

    reason: str


def allowed(
    *, tier: int, tokens_left: int | None, compactions: Sequence[str], given: Sequence[Receipt], now: str
) -> Amount | Refused:
    """How much of a tier may be told to a session after these compactions, seen what it was given before.

    Times are in order. `tokens_left` is the room in the session's context; None: nobody knows.
    """
    if tier not in TIER_TOKENS:
        raise WrongUse(f"there is no tier {tier}", hint=f"the tiers are {', '.join(map(str, TIER_TOKENS))}")
    past = [at for at in compactions if at <= now]
    briefs = [receipt for receipt in given if receipt.kind == "brief" and receipt.at <= now]
    if (
        tier == 0
        and past
        and (again := [receipt for receipt in briefs if receipt.at >= past[-1] and receipt.tier == 0])
    ):
        return Refused(reason=f"tier 0 was given at {again[-1].at}, and nothing was lost since")
    amount = _lowered(tier, _in_a_row(past), briefs)
    if tokens_left is not None and amount.tokens > tokens_left:
        return Refused(reason=_does_not_fit(tier, amount.tokens, tokens_left))
    return amount


def _in_a_row(compactions: Sequence[str]) -> list[str]:
    """The last compactions of which each came soon after the one before."""
    row = list(compactions[-1:])
    for at in reversed(compactions[:-1]):
        if seconds_between(at, row[0]) > _SOON:
            break
        row.insert(0, at)
    return row


def _lowered(tier: int, row: Sequence[str], briefs: Sequence[Receipt]) -> Amount:
    """Half as much with each compaction that came too soon, and never more than what was told before it."""
    full = TIER_TOKENS[tier]
    if len(row) < 2:
        return Amount(tokens=full)
    before = [receipt.tokens for receipt in briefs if row[0] <= receipt.at < row[-1]]
    tokens = max(_LEAST, min([TIER_TOKENS[0] >> (len(row) - 1), *before]))
    times = "twice" if len(row) == 2 else f"{len(row)} times"
    return Amount(tokens=tokens, reason=f"the context was compacted {times} within minutes, so less is told")


def _does_not_fit(tier: int, tokens: int, left: int) -> str:
    smaller = [one for one, most in TIER_TOKENS.items() if one < tier and most <= left]
    instead = f"; tier {smaller[-1]} would fit" if smaller else ""
    return f"tier {tier} may cost {tokens:,} tokens and only {max(0, left):,} are left in the context{instead}"
