"""What an agent is told after its context was lost, and when it starts."""

from pathlib import Path
from typing import Any

import pytest

from steno.briefing.page import page_text
from steno.memory import Memory
from steno.pipeline.brief import NoRoom
from steno.testing import SteppingClock, house, said, write_jsonl
from steno.vocabulary import TIER_TOKENS, Action, Receipt
from steno.vocabulary.errors import UnknownSession, WrongUse

TALK = [
    said("fix the double charge in the checkout of the shop", at="2026-03-02T09:00:00Z"),
    said("I'll change the payments table by hand.", role="assistant", at="2026-03-02T09:01:00Z"),
    said("no, I don't want the payments table changed by hand", at="2026-03-02T09:02:00Z"),
    said("Then I'd use an idempotency key in request_log. Go?", role="assistant", at="2026-03-02T09:03:00Z"),
    said("yes, let's use the idempotency key", at="2026-03-02T09:04:00Z"),
    said("always run make lint before you commit", at="2026-03-02T09:05:00Z"),
    said("Understood. Next I'll write the test for two clicks.", role="assistant", at="2026-03-02T09:06:00Z"),
]


@pytest.fixture
def clock() -> SteppingClock:
    return SteppingClock("2026-03-02T12:00:00.000Z")


@pytest.fixture
def memory(tmp_path: Path, clock: SteppingClock) -> Any:
    with house(tmp_path, clock=clock) as memory:
        hear(memory, tmp_path, *TALK)
        memory.scribe()
        yield memory


def minute(number: int) -> str:
    return f"2026-03-03T{10 + number // 60}:{number % 60:02}:00Z"


def claude(type_: str, number: int, at: str, **fields: Any) -> dict[str, Any]:
    facts = {"type": type_, "uuid": str(number), "sessionId": "c", "cwd": "/x", "timestamp": f"2026-03-02T{at}:00.000Z"}
    return facts | fields


def hear(memory: Memory, folder: Path, *lines: dict[str, Any], project: str = "/shop") -> None:
    whole = [{"project": project, **line, "id": f"{line['session']}-{place}"} for place, line in enumerate(lines)]
    memory.capture(write_jsonl(folder / f"{lines[0]['session']}.jsonl", *whole), source="jsonl")


def test_what_was_captured_and_not_scribed_yet_is_in_the_briefing(memory: Memory, tmp_path: Path) -> None:
    hear(memory, tmp_path, said("never deploy on fridays", session="s2", at="2026-03-03T09:00:00Z"))
    assert "never deploy on fridays" in memory.brief(session="s2").text


def test_every_tier_stays_within_its_tokens_and_higher_ones_quote_what_was_said(memory: Memory, tmp_path: Path) -> None:
    words = "the quick brown fox jumps over lazy dogs again and again. " * 40
    lines = [
        said(f"message {n}: {words}", session="long", role="user" if n % 2 else "assistant", at=minute(n))
        for n in range(300)
    ]  # fmt: skip
    hear(memory, tmp_path, *lines)
    briefings = {tier: memory.brief(tier, "long") for tier in TIER_TOKENS}
    assert all(briefings[tier].tokens <= most for tier, most in TIER_TOKENS.items())
    assert "said last:" not in briefings[0].text
    for tier, messages in ((1, 24), (2, 24), (3, 100)):
        assert briefings[tier].text.count("“message ") >= messages, tier
        assert "“message 299:" in briefings[tier].text


def test_tier_1_holds_the_last_thirty_messages(memory: Memory) -> None:
    _, _, last = memory.brief(1).text.partition("said last:\n")
    assert last.splitlines()[:2] == [
        "- user “fix the double charge in the checkout of the shop”",
        "- agent “I'll change the payments table by hand.”",
    ]
    assert len(last.splitlines()) == len(TALK) + 1


def test_tier_2_holds_the_day(memory: Memory) -> None:
    assert "the day:\n- " in memory.brief(2).text


def test_an_unknown_tier_or_session_is_named_with_the_choices(memory: Memory) -> None:
    with pytest.raises(WrongUse, match="there is no tier 4") as wrong:
        memory.brief(4)
    assert wrong.value.hint == "the tiers are 0, 1, 2, 3"
    with pytest.raises(UnknownSession):
        memory.brief(session="nobody")


def test_looking_back_tells_what_was_known_then_and_leaves_no_receipt(memory: Memory) -> None:
    then = memory.brief(at="2026-03-02T09:01:30Z")
    assert "fix the double charge" in then.text
    assert "don't change the payments table" not in then.text
    assert "lint" not in then.text
    assert memory.receipts() == []


def test_what_was_superseded_later_still_held_then(memory: Memory, tmp_path: Path) -> None:
    old = memory.remember("the shop is deployed with ansible playbooks", category="decision", project="/shop")
    new = memory.remember("the shop is deployed with plain rsync scripts", category="decision", project="/shop")
    memory.home.store.entries.supersede(old.id, new.id)
    memory.home.store._database._connection.execute(
        "UPDATE entries SET created_at = '2026-03-02T13:00:00.000Z' WHERE id = ?", (new.id,)
    )  # type: ignore[attr-defined]
    assert "ansible" in memory.boot(project="/shop", at="2026-03-02T12:30:00Z").text
    assert "ansible" not in memory.boot(project="/shop", at="2026-03-02T14:00:00Z").text


def test_a_receipt_says_what_was_given_to_whom_and_holds_no_words(memory: Memory) -> None:
    briefing = memory.brief()
    assert memory.receipts("s1") == [
        Receipt(
            id=1,
            at="2026-03-02T12:00:00.000Z",
            kind="brief",
            agent=None,
            session="s1",
            turn=7,
            tier=0,
            tokens=briefing.tokens,
            items=briefing.items,
            verdict=None,
            why="asked",
            because=briefing.because,
        )
    ]
    assert {item.partition(":")[0] for item in briefing.items} == {
        "last",
        "agent",
        "state",
        "goal",
        "turn",
        "entry",
    }


def test_a_second_compaction_soon_after_brings_less_and_one_after_work_brings_all(
    memory: Memory, clock: SteppingClock, tmp_path: Path
) -> None:
    words = [
        "never send the Lisbon invoices by mail, because their customers fetch them at the counter every Friday",
        "always round the amounts down to whole cents before you add the tax, as the auditor asked us to",
        "don't touch the night porter's timetable, he writes it by hand and wants nobody to format it",
        "use the small printer for the labels of the parcels, the large one jams with that paper each time",
        "please write every error of the warehouse robot into its own file, one per shift and not per day",
        "no, we never store the passports of guests: show the number once and forget it when the page is left",
        "the gardener's orders always go out before seven in the morning, so the import must run at six",
        "I don't want a second search index for the recipes, the first one is slow enough to keep fresh",
        "keep the old telephone numbers readable on the card, the nurses know the patients by them",
        "when the truck is late, tell the shop first and the customer second, and never the other way round",
    ]
    words.append(". ".join(text.capitalize() for text in reversed(words)))
    hear(memory, tmp_path, *(said(text, session="s2", at=minute(place)) for place, text in enumerate(words)))
    amounts = []
    for clock.now in ("2026-03-02T12:00:00.000Z", "2026-03-02T12:05:00.000Z", "2026-03-02T12:40:00.000Z"):
        amounts.append(memory.brief(pushed=True).tokens)
    assert amounts[1] <= 500 < amounts[0] == amounts[2] <= 1_000
    assert [one.why for one in memory.receipts()] == ["compaction"] * 3


def filled(session: str, project: str, at: str, tokens: int, *words: str) -> list[dict[str, Any]]:
    """A session of a window of 200,000 tokens of which so many are in use."""
    usage = {"cache_creation_input_tokens": 0, "cache_read_input_tokens": 0, "output_tokens": 0, "input_tokens": tokens}
    last = {"id": "m", "model": "claude-opus-4-5", "content": [{"type": "text", "text": "Looking."}], "usage": usage}
    facts = {"sessionId": session, "cwd": project}
    spoken = [claude("user", n, at, message={"content": text}) for n, text in enumerate(words)]
    whole = [*spoken, claude("assistant", 99, at, message=last)]
    return [{**line, **facts, "uuid": f"{session}{line['uuid']}"} for line in whole]


LONG = [f"look at cart {number} of the shop: {'a word ' * 60}" for number in range(60)]


def test_a_tier_is_judged_by_the_room_of_whoever_asks(tmp_path: Path, clock: SteppingClock) -> None:
    """The session last heard of in the project asks; neither the one asked for nor anybody elsewhere."""
    with house(tmp_path, clock=clock) as memory:
        for session, project, at, tokens, words in (
            ("c", "/shop", "09:00", 195_000, LONG),
            ("d", "/shop", "10:00", 9_000, ["go on"]),
            ("e", "/blog", "11:00", 199_900, ["write"]),
        ):
            lines = filled(session, project, at, tokens, *words)
            memory.capture(write_jsonl(tmp_path / f"{session}.jsonl", *lines), source="claude-code")
        assert memory.brief(3, "c").tokens > 5_000


def test_a_tier_that_does_not_fit_the_window_is_refused_with_the_reason(tmp_path: Path, clock: SteppingClock) -> None:
    with house(tmp_path, clock=clock) as memory:
        lines = filled("c", "/shop", "09:00", 195_000, *LONG)
        memory.capture(write_jsonl(tmp_path / "c.jsonl", *lines), source="claude-code")
        with pytest.raises(
            NoRoom, match=r"tier 3 costs [\d,]+ tokens and only 5,000 are left in the context; tier 0 would fit"
        ):
            memory.brief(3)
        assert memory.brief(0).tier == 0


def test_what_fits_is_told_however_much_its_tier_allows(tmp_path: Path, clock: SteppingClock) -> None:
    with house(tmp_path, clock=clock) as memory:
        lines = filled("c", "/shop", "09:00", 195_000, "fix the double charge")
        memory.capture(write_jsonl(tmp_path / "c.jsonl", *lines), source="claude-code")
        assert memory.brief(3).tokens < 5_000


def test_what_one_agent_heard_in_a_project_is_told_to_another_in_it_and_not_elsewhere(
    memory: Memory, tmp_path: Path
) -> None:
    hear(memory, tmp_path, said("Ready.", session="s2", role="assistant", agent="codex", at="2026-03-03T09:00:00Z"))
    hear(memory, tmp_path, said("Ready.", session="s3", role="assistant", at="2026-03-03T09:00:00Z"), project="/blog")
    assert "payments table" in memory.brief(session="s2").text
    assert "payments table" not in memory.brief(session="s3").text
    assert "payments table" in memory.boot(project="/shop", agent="codex").text
    assert "payments table" not in memory.boot(project="/blog", agent="codex").text


def test_what_a_person_recorded_for_one_project_is_told_in_no_other(memory: Memory) -> None:
    memory.remember("no mongo here", category="rejected", project="/shop")
    memory.remember("wear a hat", category="rejected")
    memory.remember("speak French", category="rule", project="/shop", agent="rosa")
    assert "mongo" in memory.boot(project="/shop").text
    assert "mongo" not in memory.boot(project="/blog").text
    assert "mongo" not in memory.boot().text
    assert "wear a hat" in memory.boot(project="/blog").text
    assert "French" in memory.boot(project="/shop", agent="rosa").text
    assert "French" not in memory.boot(project="/shop", agent="carl").text


def test_looking_back_finds_the_latest_session_of_then(memory: Memory, tmp_path: Path) -> None:
    hear(memory, tmp_path, said("paint the blog in blue and green", session="s2", at="2026-03-05T09:00:00Z"))
    assert "paint the blog" in memory.brief().text
    assert "double charge" in memory.brief(at="2026-03-04T00:00:00Z").text


def test_what_has_no_time_is_not_known_at_any(memory: Memory, tmp_path: Path) -> None:
    hear(memory, tmp_path, said("paint the blog in blue", session="s2"))
    assert "paint the blog" in memory.brief(session="s2").text
    assert "paint the blog" not in memory.brief(session="s2", at="2020-01-01T00:00:00Z").text


def test_a_flow_made_later_was_not_there_then(memory: Memory) -> None:
    memory.flows.add("deploy-shop", ["make release"], triggers=["deploy the shop"], project="/shop")
    assert "deploy-shop" in memory.boot(project="/shop").text
    assert "deploy-shop" not in memory.boot(project="/shop", at="2026-03-02T10:00:00Z").text


def test_boot_of_an_empty_memory_says_that_it_is_a_cold_start(tmp_path: Path) -> None:
    with house(tmp_path) as memory:
        told = memory.boot(project="/shop")
        assert told.items == []
        assert told.text.splitlines() == [
            '<steno boot="1">',
            "This is a cold start: Steno has written nothing down yet.",
            "</steno>",
        ]
        memory.rules.add("never paint the harbour wall")
        assert "cold start" not in memory.boot(project="/shop").text


def test_the_state_on_one_line(memory: Memory) -> None:
    line = memory.state_line().text
    assert line.startswith("[STATE] Task: fix the double charge in the checkout of the shop")
    assert " | Last decision: " in line


@pytest.mark.parametrize("form", ["brief", "state_line", "handoff", "capsule", "boot", "page"])
def test_nothing_made_for_an_agent_is_learnt(memory: Memory, tmp_path: Path, form: str) -> None:
    before = {entry.id for entry in memory.entries()}
    if form == "page":
        verdict = memory.before(Action(agent="bot", text="change the payments table by hand", session="s1"))
        own = page_text(verdict)
    else:
        told = getattr(memory, form)()
        own = told if isinstance(told, str) else told.text
    assert "payments" in own or form in ("handoff", "state_line", "capsule", "boot")
    for number, role in enumerate(("user", "assistant")):
        hear(memory, tmp_path, said(own, session=f"t{number}", role=role, at="2026-03-03T09:00:00Z"))
    memory.scribe()
    assert {entry.id for entry in memory.entries()} == before


def test_what_we_told_is_never_learnt(memory: Memory, tmp_path: Path) -> None:
    before = {entry.id for entry in memory.entries()}
    hear(
        memory,
        tmp_path,
        said(f"{memory.brief().text}\n{memory.state_line().text}", session="s2", at="2026-03-03T09:00:00Z"),
    )
    memory.scribe()
    assert {entry.id for entry in memory.entries()} == before
