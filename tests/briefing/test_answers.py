"""What an agent that asks is told."""

from msgspec import structs

from steno.briefing.answers import excerpt, recalled
from steno.vocabulary import Hit, Neighbour

HIT = Hit(
    id=4, kind="turn", score=1.5, reason="words: deploy", session="s1", source="jsonl", turn=4, line=4,
    native_id="n", text="deploy on Fridays", quote="deploy on Fridays", at="2026-03-01T10:00:00.000Z",
    origin="user", earlier=Neighbour(2, "assistant", "on Mondays"), later=Neighbour(15, "user", "Tuesdays <b>"),
)  # fmt: skip


def test_an_agent_is_told_what_a_hit_is_newer_than_and_what_may_have_changed_it_since() -> None:
    ages = "perhaps changes (turn 2, assistant): “on Mondays” perhaps changed since (turn 15, user): “Tuesdays ‹b>”"
    assert f"[words: deploy] {ages}" in recalled([HIT])


def test_a_quote_shows_where_its_turn_goes_on() -> None:
    turn = structs.replace(HIT, text="Well. Deploy on Fridays. Or not.", quote="Deploy on Fridays.")
    whole = structs.replace(turn, quote=turn.text)
    entry = structs.replace(turn, kind="entry")
    for_a_budget, empty = structs.replace(turn, text="Well. De"), structs.replace(turn, text="", quote="")
    told = [excerpt(hit) for hit in (turn, whole, entry, for_a_budget, empty)]
    cut = "… Deploy on Fridays. …"
    assert told == [cut, "Well. Deploy on Fridays. Or not.", "Deploy on Fridays.", cut, ""]
