"""How much may be told without doing harm: a briefing takes room, and too much of it brings on the next compaction.

That a context was lost is the host's word. When, and how often, is told by what we gave after each loss: a boundary is
written down later, and by another clock.
"""

from collections.abc import Sequence
from typing import Final

from steno.clock import seconds_between
from steno.vocabulary import TIER_TOKENS, Receipt

# A context that is full again within ten minutes was filled by what was put into it, not by the work: the shortest
# stretch of ordinary work between two compactions that we have seen took 31 minutes.
_SOON: Final = 600
# Less than this is no briefing: the goal, the next step and a few refusals need it.
_LEAST: Final = 250


def after_compaction(given: Sequence[Receipt], now: str, most: int = TIER_TOKENS[0]) -> int:
    """Tokens a session may be told now that its context was lost, seen what it was given, the oldest first: half as
    much with each loss that came too soon after another, and never more than what was told after that one."""
    tokens, later = most, now
    for receipt in reversed([one for one in given if one.why == "compaction" and one.at <= now]):
        if seconds_between(receipt.at, later) > _SOON:
            break
        tokens, later = min(tokens // 2, receipt.tokens), receipt.at
    return max(_LEAST, tokens)


def does_not_fit(tier: int, tokens: int, left: int) -> str:
    """Why what costs so much is not told to whoever has so much room left."""
    smaller = [one for one, most in TIER_TOKENS.items() if one < tier and most <= left]
    instead = f"; tier {smaller[-1]} would fit" if smaller else ""
    return f"tier {tier} costs {tokens:,} tokens and only {max(0, left):,} are left in the context{instead}"
