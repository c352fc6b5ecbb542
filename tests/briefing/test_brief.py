"""What an agent is told after its context was lost, and when it starts."""

from pathlib import Path
from typing import Any

import pytest

from steno.briefing.budget import Line, fit
from steno.briefing.page import page_text
from steno.memory import Memory
from steno.pipeline.brief import NoRoom
from steno.testing import SteppingClock, house, said, write_jsonl
from steno.tokens import count
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


def line(text: str, worth: float = 1, section: str = "s", *more: str) -> Line:
    return Line(section=section, items=(text,), worth=worth, texts=(text, *more))


def shape(told: Any) -> str:
    return "\n".join(one.text for one in told)


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


def test_tier_0_tells_where_it_stood_what_was_asked_for_and_what_was_said(memory: Memory) -> None:
    briefing = memory.brief()
    assert briefing.text.splitlines() == [
        '<steno tier="0">',
        "Written down by Steno. It informs; it does not instruct. "
        "An earlier session: 7 turns, 4 by the human, 2026-03-02 09:00 to 09:06 (UTC). Phase: planning.",
        "where it stood:",
        "- the human's last words: “always run make lint before you commit”",
        "- the agent's last words: “Understood. Next I'll write the test for two clicks.”",
        "asked for:",
        "- at the start: “fix the double charge in the checkout of the shop”",
        "the human's refusals:",
        "- “no, I don't want the payments table changed by hand” [to “I'll change the payments table by hand.”]",
        "the human chose or agreed to:",
        "- “yes, let's use the idempotency key” [to “Then I'd use an idempotency key in request_log. Go?”]",
        "</steno>",
    ]
    assert (briefing.tier, briefing.session, briefing.tokens) == (0, "s1", count(briefing.text))
    assert set(briefing.entries) == {entry.id for entry in memory.entries()}


def done(number: int, at: str, tool: str, given: dict[str, Any], printed: str, **facts: Any) -> list[dict[str, Any]]:
    """A call and its result, as Claude Code writes them."""
    call = {"type": "tool_use", "id": f"c{number}", "name": tool, "input": given}
    result = {"type": "tool_result", "tool_use_id": f"c{number}", "content": printed, **facts}
    return [
        claude("assistant", number, at, message={"id": f"m{number}", "content": [call]}),
        claude("user", number + 1, at, message={"content": [result]}),
    ]


def spoke(number: int, at: str, text: str) -> dict[str, Any]:
    return claude("assistant", number, at, message={"id": f"m{number}", "content": [{"type": "text", "text": text}]})


WORKED = [
    claude("user", 1, "09:00", message={"content": "fix the double charge in the checkout and release it"}),
    *done(2, "09:01", "Edit", {"file_path": "/x/shop/pay.py", "old_string": "a", "new_string": "b"}, "updated"),
    *done(4, "09:02", "Bash", {"command": "cd /x && pytest -q 2>&1 | tail -3"}, "12 passed in 0.3s"),
    spoke(6, "09:03", "The charge is fixed.\na) release as 1.2.0 now\nb) wait\nWhich one?"),
    claude("user", 7, "09:04", message={"content": "a"}),
    *done(8, "09:05", "Bash", {"command": "git commit -qam 'Charge once' && git tag v1.2.0"}, ""),
    *done(10, "09:06", "Bash", {"command": "git push origin main"}, "   1a2b3c4..5d6e7f8  main -> main"),
    *done(12, "09:07", "Edit", {"file_path": "/x/CHANGES.md", "old_string": "a", "new_string": "b"}, "updated"),
    *done(14, "09:08", "Bash", {"command": "npm publish"}, "npm ERR! code E401", is_error=True),
    spoke(16, "09:09", "The tag is out; publishing needs a login. Shall I wait for your token?"),
]


def test_where_it_stood_tells_results_tests_edits_and_what_was_asked(tmp_path: Path, clock: SteppingClock) -> None:
    with house(tmp_path, clock=clock) as memory:
        memory.capture(write_jsonl(tmp_path / "c.jsonl", *WORKED), source="claude-code")
        text = memory.brief().text
    assert text.partition("where it stood:\n")[2].splitlines() == [
        "- the human's last words: “a” [that is “a) release as 1.2.0 now”]",
        "- done since then: commit Charge once; git tag v1.2.0; push main; npm publish (did not go through)",
        "- edited since then, no commit seen: CHANGES.md",
        "- the last test, before the latest edits, passed: `pytest -q`, printing “12 passed in 0.3s”",
        "- the last command failed: `npm publish`; the tool printed “npm ERR! code E401”",
        "- the agent's last words: “The tag is out; publishing needs a login. Shall I wait for your token?”",
        "asked for:",
        "- at the start: “fix the double charge in the checkout and release it”",
        "at hand:",
        "- files changed before that: shop/pay.py",
        "- command pytest -q",
        "</steno>",
    ]


def test_replies_to_a_review_are_results_and_a_pushed_edit_is_committed(tmp_path: Path, clock: SteppingClock) -> None:
    reply = "gh api repos/o/shop/pulls/7/comments/{}/replies -X POST -f body='Done.'"
    looked = "gh api graphql -f query='query { repository { name } }'"
    lines = [
        claude("user", 1, "09:00", message={"content": "answer the review of the checkout, see [Image #1]"}),
        *done(2, "09:01", "Edit", {"file_path": "/x/shop/pay.py", "old_string": "a", "new_string": "b"}, "updated"),
        *done(4, "09:02", "Bash", {"command": "git rebase --continue"}, "Successfully rebased"),
        *done(6, "09:03", "Bash", {"command": "git push"}, "   1a2b3c4..5d6e7f8  pay -> pay"),
        *done(8, "09:04", "Bash", {"command": looked}, "{}"),
        *done(10, "09:05", "Bash", {"command": reply.format(11).replace(" -X", " \\\n  -X")}, "{}"),
        *done(12, "09:06", "Bash", {"command": reply.format(12)}, "{}"),
        *done(14, "09:07", "Bash", {"command": "gh pr ready 7"}, "ready for review"),
        *done(16, "09:08", "Bash", {"command": "gh pr checks 7 && gh run rerun 5"}, "ok"),
        *done(18, "09:08", "Bash", {"command": "gh api repos/o/shop/issues/3 -X PATCH -f state=closed"}, "{}"),
        spoke(20, "09:09", "Both comments are answered."),
    ]
    with house(tmp_path, clock=clock) as memory:
        memory.capture(write_jsonl(tmp_path / "c.jsonl", *lines), source="claude-code")
        text = memory.brief().text
    assert text.partition("where it stood:\n")[2].splitlines()[1:] == [
        "- done since then: push pay; reply on #7 (2 times); gh pr ready 7; gh run rerun 5;"
        " gh api repos/o/shop/issues/3 -X PATCH -f state=closed",
        "- edited since then and committed: shop/pay.py",
        "- the agent's last words: “Both comments are answered.”",
        "</steno>",
    ]


def test_commands_at_hand_are_told_whole_and_do_something(tmp_path: Path, clock: SteppingClock) -> None:
    long = "make check-the-shop --with-every-single-order --and-every-customer --and-all-of-their-baskets --quietly"
    lines = [
        claude("user", 1, "09:00", message={"content": "check the shop, please"}),
        spoke(2, "09:01", f"I ran `ls -la shop/pay`, `make check-pay` and `{long}`."),
        *done(3, "09:02", "Bash", {"command": "ls -la shop/pay"}, "pay.py"),
        *done(5, "09:03", "Bash", {"command": "make check-pay"}, "done"),
        *done(7, "09:04", "Bash", {"command": long}, "done"),
        spoke(9, "09:05", "The shop is checked."),
        claude("user", 10, "09:06", message={"content": "write a page about the checks of the shop"}),
        spoke(11, "09:07", "Shall it have pictures?"),
    ]
    with house(tmp_path, clock=clock) as memory:
        memory.capture(write_jsonl(tmp_path / "c.jsonl", *lines), source="claude-code")
        text = memory.brief().text
    assert text.partition("at hand:\n")[2].splitlines()[0] == "- command make check-pay"


def test_what_was_done_through_a_servers_tools_is_a_result(tmp_path: Path, clock: SteppingClock) -> None:
    link = "https://github.com/o/shop/pull/7"
    lines = [
        claude("user", 1, "09:00", message={"content": "open a pull request for the checkout and answer the review"}),
        *done(2, "09:01", "mcp__github__get_pull_request", {"pull_number": 6}, "{}"),
        *done(4, "09:02", "mcp__github__create_pull_request", {"title": "Charge once"}, f'{{"html_url": "{link}"}}'),
        *done(6, "09:03", "mcp__github__add_issue_comment", {"issue_number": 7, "body": "Done."}, "{}"),
        *done(12, "09:03", "mcp__board__save_issue", {"title": "Refund twice"}, "{}"),
        *done(8, "09:04", "mcp__github__merge_pull_request", {"pull_number": 7}, "not allowed", is_error=True),
        spoke(10, "09:05", "It is open and answered."),
    ]
    with house(tmp_path, clock=clock) as memory:
        memory.capture(write_jsonl(tmp_path / "c.jsonl", *lines), source="claude-code")
        told = [line for line in memory.brief().text.splitlines() if line.startswith("- done")]
    assert told == [
        f"- done since then: pr {link}; add_issue_comment #7; save_issue Refund twice;"
        " merge_pull_request #7 (did not go through)"
    ]


def test_what_was_run_after_the_last_words_is_told_with_how_it_went(tmp_path: Path, clock: SteppingClock) -> None:
    long = f"{'moved a table of the shop ' * 9}\n" * 20
    later = done(30, "09:20", "Bash", {"command": "make migrate"}, f"{long}12 tables moved\n\n3 are left")
    with house(tmp_path, clock=clock) as memory:
        memory.capture(write_jsonl(tmp_path / "c.jsonl", *WORKED, *later), source="claude-code")
        told = [line for line in memory.brief().text.splitlines() if line.startswith("- run")]
    assert told == ["- run after that: `make migrate` (went through), printing “12 tables moved 3 are left”"]


def test_a_call_the_human_refused_is_not_told_as_one_that_failed(tmp_path: Path, clock: SteppingClock) -> None:
    no = (
        "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, "
        "the new_string was NOT written to the file). "
        "STOP what you are doing and wait for the user to tell you how to proceed."
    )
    call, refused = done(2, "09:01", "Bash", {"command": "kubectl rollout restart shop"}, no, is_error=True)
    asked = claude("user", 1, "09:00", message={"content": "bring the shop to the staging cluster"})
    lines = [asked, call, refused | {"toolUseResult": "User rejected tool use"}]
    with house(tmp_path, clock=clock) as memory:
        memory.capture(write_jsonl(tmp_path / "c.jsonl", *lines), source="claude-code")
        told = [line for line in memory.brief().text.splitlines() if "kubectl" in line]
    assert told == ["- run after that: `kubectl rollout restart shop` (the human refused it)"]


def test_an_order_that_binds_is_told_once_though_it_was_asked_for_last(tmp_path: Path, clock: SteppingClock) -> None:
    rule = "never change the payments table by hand. put the token into request_log, it exists already"
    said = [
        ("customers are charged twice when they press back after paying, find out why, then fix it", "Found it."),
        (rule, "Understood."), ("keep the old /pay endpoint until the end of March", "Kept."),
        ("what is left?", "Notes."),
    ]  # fmt: skip
    lines = [
        line
        for number, (asked, answer) in enumerate(said)
        for line in (
            claude("user", 2 * number + 1, f"09:{2 * number:02}", message={"content": asked}),
            spoke(2 * number + 2, f"09:{2 * number + 1:02}", answer),
        )
    ]
    with house(tmp_path, clock=clock) as memory:
        memory.capture(write_jsonl(tmp_path / "c.jsonl", *lines), source="claude-code")
        assert memory.brief().text.count("never change the payments table by hand") == 1


def test_what_was_sent_again_is_told_once_and_what_was_taken_back_not_at_all(memory: Memory, tmp_path: Path) -> None:
    hear(
        memory, tmp_path,
        said("build the report for the shop as one page", session="s2", at="2026-03-03T09:00:00Z"),
        said("no, don't put the totals into the header of the report", session="s2", at="2026-03-03T09:01:00Z"),
        said("no, don't put the totals into the header of the report!", session="s2", at="2026-03-03T09:02:00Z"),
        said("never put charts into the report", session="s2", at="2026-03-03T09:03:00Z"),
        said("and now make it blue", session="s2", at="2026-03-03T09:04:00Z"),
    )  # fmt: skip
    memory.scribe()
    told = memory.brief(session="s2").text
    assert told.count("totals into the header") == 1
    assert "never put charts" in told
    charts = next(entry for entry in memory.entries(session="s2") if "charts" in entry.summary)
    memory.archive(charts.id)
    assert "charts" not in memory.brief(session="s2").text


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
        )
    ]
    assert {item.partition(":")[0] for item in briefing.items} == {
        "phase",
        "last",
        "agent",
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


def test_after_a_compaction_the_briefing_tells_what_the_hosts_summary_lacks(
    tmp_path: Path, clock: SteppingClock
) -> None:
    kept = "send the invoices of the Lisbon customers by mail first"
    lacked = "add the tax number of the branch to the footer of every invoice"
    words = ["make the monthly invoices of the shop", kept, lacked, "and now the reminders"]
    lines = [claude("user", n, f"09:{n:02}", message={"content": text}) for n, text in enumerate(words)]
    boundary = claude("system", 90, "10:00", subtype="compact_boundary", content="Conversation compacted")
    summary = claude("user", 91, "10:01", isCompactSummary=True, message={"content": f"The user wants: {kept}."})
    with house(tmp_path, clock=clock) as memory:
        path = write_jsonl(tmp_path / "c.jsonl", *lines)
        memory.capture(path, source="claude-code")
        cold = memory.brief(at="2026-03-02T09:30:00Z").text
        memory.capture(write_jsonl(path, *lines, boundary, summary), source="claude-code")
        after = memory.brief(pushed=True).text
    assert ("instruct. A session as it stood at 2026-03-02 09:30 (UTC)." in cold, lacked in cold, kept in cold) == (
        True,
    ) * 3
    lost = "instruct. The context of this session was lost in a compaction at 12:00: 6 turns, "
    assert (lost in after, lacked in after, kept in after) == (True, True, False)


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


def test_boot_tells_rules_refusals_work_and_flows(memory: Memory) -> None:
    memory.flows.add("deploy-shop", ["make build", "make release"], triggers=["deploy the shop"], project="/shop")
    memory.flows.outcome("deploy-shop", passed=True)
    briefing = memory.boot(project="/shop")
    assert briefing.text.splitlines() == [
        '<steno boot="1">',
        "Written down by Steno from earlier sessions. What the user ruled and refused holds.",
        "rules:",
        "- 9.5 always run make lint before you commit",
        "flows:",
        "- deploy-shop 100 % (1 of 1): deploy the shop",
        "the human's refusals:",
        "- “no, I don't want the payments table changed by hand” [to “I'll change the payments table by hand.”]",
        "the human's decisions:",
        "- “yes, let's use the idempotency key” [to “Then I'd use an idempotency key in request_log. Go?”]",
        "the work at hand:",
        "- asked for: “fix the double charge in the checkout of the shop”",
        "- asked for last: “yes, let's use the idempotency key”",
        "- where it stood, in full: `steno brief --session s1`",
        "</steno>",
    ]
    assert briefing.tokens <= 2000
    assert [receipt.kind for receipt in memory.receipts()] == ["boot"]


def test_boot_says_how_many_critical_rules_did_not_fit(memory: Memory) -> None:
    names = ("north", "east", "south", "west", "upper", "lower", "inner", "outer", "left", "right", "front", "rear")
    for one in names:
        for other in ("harbour", "market"):
            memory.rules.add(f"never paint the {one} wall of the {other}", project="/shop")
    assert "more critical rules are in force at the gate" in memory.boot(project="/shop").text


def test_boot_tells_refusals_the_newest_first_apart_from_rules_and_how_many_more_there_are(memory: Memory) -> None:
    for number in range(120):
        memory.remember(f"never paint wall {number} of the harbour", category="rejected", project="/blog")
    lines = memory.boot(project="/blog").text.splitlines()
    told = [line for line in lines if "harbour" in line]
    assert told == [f"- never paint wall {number} of the harbour" for number in range(119, 119 - len(told), -1)]
    assert lines[-2].startswith(f"{120 - len(told)} more refusals are in force; ")


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


def test_boot_where_nothing_was_said_says_so(memory: Memory) -> None:
    assert memory.boot(project="/elsewhere").text.splitlines()[1] == (
        "Steno has written nothing down that holds here. What was said in a project is told in that project."
    )


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


def test_the_worthiest_lines_are_taken_in_their_order_each_as_long_as_fits() -> None:
    lines = [
        line("alpha beta gamma delta and so on", 1, "s", "alpha"),
        line("omega", 9),
        line("kappa lambda " * 50, 0.1, "s", "kappa"),
    ]
    told, text = fit(lines, 100, shape)
    assert text == "alpha beta gamma delta and so on\nomega\nkappa"
    assert [one.line.items for one in told] == [line.items for line in lines]


def test_a_section_takes_no_more_than_its_share() -> None:
    lines = [line("red green blue", 3, "one"), line("one two three", 2, "one"), line("the other section", 1, "two")]
    assert fit(lines, 60, shape, shares={"one": 0.16})[1] == "red green blue\nthe other section"
