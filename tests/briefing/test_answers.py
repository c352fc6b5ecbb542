"""What an agent that asks is told."""

from steno.briefing.answers import recalled
from steno.vocabulary import Hit, Neighbour


def test_an_agent_is_told_what_may_have_changed_a_hit_since() -> None:
    hit = Hit(
        id=4, kind="turn", score=1.5, reason="words: deploy", session="s1", source="jsonl", turn=4, line=4,
        native_id="n", text="deploy on Fridays", quote="deploy on Fridays", at="2026-03-01T10:00:00.000Z",
        origin="user", later=Neighbour(15, "user", "Tuesdays <b>"),
    )  # fmt: skip
    told = "[words: deploy] perhaps changed since (turn 15, user): “Tuesdays ‹b>”"
    assert told in recalled([hit])
