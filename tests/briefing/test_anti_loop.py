"""Anti-loop: a briefing must not bring on the next compaction."""

from steno.briefing.anti_loop import after_compaction, does_not_fit
from steno.vocabulary import Receipt
from steno.vocabulary.briefings import Why


def at(minute: int) -> str:
    return f"2026-01-01T12:{minute:02}:00.000Z"


def brief(minute: int, tokens: int = 900, why: Why = "compaction") -> Receipt:
    return Receipt(
        id=minute, at=at(minute), kind="brief", agent=None, session="s1", turn=1, tier=0, tokens=tokens, items=[],
        verdict=None, why=why,
    )  # fmt: skip


def test_after_a_compaction_all_of_tier_0_may_be_told() -> None:
    assert after_compaction([], at(59)) == 1_000
    assert after_compaction([brief(10), brief(31)], at(59)) == 1_000


def test_each_compaction_soon_after_another_halves_the_amount_down_to_a_floor() -> None:
    given = [brief(10), brief(15), brief(20)]
    assert [after_compaction(given[:n], at(11 + 5 * n)) for n in range(4)] == [1_000, 500, 250, 250]


def test_it_is_never_more_than_what_was_told_before() -> None:
    assert after_compaction([brief(10, 380)], at(15)) == 380


def test_after_a_while_of_work_the_whole_amount_is_given_again() -> None:
    assert after_compaction([brief(10)], at(20)) == 500
    assert after_compaction([brief(10), brief(15)], at(26)) == 1_000


def test_what_was_asked_for_or_lies_ahead_does_not_count() -> None:
    assert after_compaction([brief(10, why="asked"), brief(16)], at(12)) == 1_000


def test_a_tier_that_does_not_fit_is_refused_with_the_reason() -> None:
    assert does_not_fit(3, 31_204, 12_000) == (
        "tier 3 costs 31,204 tokens and only 12,000 are left in the context; tier 1 would fit"
    )
    assert does_not_fit(1, 4_000, -5) == "tier 1 costs 4,000 tokens and only 0 are left in the context"
