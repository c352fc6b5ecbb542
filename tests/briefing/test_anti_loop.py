"""Anti-loop: a briefing must not bring on the next compaction."""

import pytest

from steno.briefing.anti_loop import Amount, Refused, allowed
from steno.vocabulary import Receipt
from steno.vocabulary.errors import WrongUse


def at(minute: int) -> str:
    return f"2026-01-01T12:{minute:02}:00.000Z"


def brief(minute: int, tokens: int, tier: int = 0) -> Receipt:
    return Receipt(
        id=minute, at=at(minute), kind="brief", agent=None, session="s1", turn=1, tier=tier, tokens=tokens, items=[],
        verdict=None,
    )  # fmt: skip


def asked(
    tier: int = 0,
    *,
    minute: int = 59,
    left: int | None = None,
    compacted: tuple[int, ...] = (),
    given: tuple[Receipt, ...] = (),
) -> Amount | Refused:
    return allowed(tier=tier, tokens_left=left, compactions=[at(m) for m in compacted], given=given, now=at(minute))


def test_a_session_that_was_never_compacted_gets_all_of_a_tier() -> None:
    assert [asked(tier) for tier in range(4)] == [Amount(tokens=n) for n in (1_000, 10_000, 15_000, 70_000)]
    assert asked(given=(brief(1, 900),)) == Amount(tokens=1_000)


def test_after_a_compaction_tier_0_is_given_once() -> None:
    assert asked(compacted=(10,), given=(brief(5, 900),)) == Amount(tokens=1_000)
    assert asked(compacted=(10,), given=(brief(5, 900), brief(11, 900))) == Refused(
        reason=f"tier 0 was given at {at(11)}, and nothing was lost since"
    )
    assert asked(1, compacted=(10,), given=(brief(11, 900),)) == Amount(tokens=10_000)


def test_each_compaction_soon_after_another_halves_the_amount_down_to_a_floor() -> None:
    compacted = (10, 15, 20, 25)
    found = [asked(compacted=compacted[:n], minute=compacted[n - 1] + 1) for n in range(1, 5)]
    assert [one.tokens for one in found if isinstance(one, Amount)] == [1_000, 500, 250, 250]
    assert found[1] == Amount(tokens=500, reason="the context was compacted twice within minutes, so less is told")
    assert found[2] == Amount(tokens=250, reason="the context was compacted 3 times within minutes, so less is told")


def test_after_a_while_of_work_the_whole_amount_is_given_again() -> None:
    assert asked(compacted=(10, 20)) == Amount(
        tokens=500, reason="the context was compacted twice within minutes, so less is told"
    )
    assert asked(compacted=(10, 15, 26)) == Amount(tokens=1_000)


def test_no_higher_tier_and_no_fuller_briefing_gets_around_it() -> None:
    for tier in range(4):
        amount = asked(tier, compacted=(10, 15))
        assert isinstance(amount, Amount)
        assert amount.tokens == 500
    amount = asked(compacted=(10, 15), given=(brief(11, 380),))
    assert isinstance(amount, Amount)
    assert amount.tokens == 380


def test_a_tier_that_would_not_fit_is_refused_with_the_reason() -> None:
    assert asked(3, left=12_000) == Refused(
        reason="tier 3 may cost 70,000 tokens and only 12,000 are left in the context; tier 1 would fit"
    )
    assert asked(0, left=-5) == Refused(reason="tier 0 may cost 1,000 tokens and only 0 are left in the context")
    assert asked(0, left=1_000) == Amount(tokens=1_000)


def test_what_lies_ahead_does_not_count() -> None:
    assert asked(minute=12, compacted=(10, 15), given=(brief(16, 900),)) == Amount(tokens=1_000)


def test_an_unknown_tier_gets_the_choices() -> None:
    with pytest.raises(WrongUse, match="no tier 4") as caught:
        asked(4)
    assert caught.value.hint == "the tiers are 0, 1, 2, 3"
