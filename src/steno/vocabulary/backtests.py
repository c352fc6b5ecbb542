"""What a backtest finds."""

from msgspec import Struct

from steno.vocabulary.entries import Entry
from steno.vocabulary.flows import Flow
from steno.vocabulary.reports import Learnt
from steno.vocabulary.reviews import Review
from steno.vocabulary.rules import Rule


class Backtest(Struct, frozen=True, kw_only=True):
    """What would have been learnt from old sessions."""

    learnt: Learnt
    entries: list[Entry]
    # In force when the last of the sessions ended, the highest score first.
    rules: list[Rule]
    flows: list[Flow]
    # What would have waited for a person's word.
    reviews: list[Review]
