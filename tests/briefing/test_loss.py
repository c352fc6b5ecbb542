"""The loss report: what was live before a compaction, and whether the summary or the briefing still tells it."""

from pathlib import Path
from typing import Any

import pytest

from steno.briefing.loss import Live, is_flagged, live_of, losses
from steno.memory import Memory
from steno.testing import SteppingClock, an_entry, house, said, write_jsonl
from steno.vocabulary import Briefing, Checkpoint, Fate, Loss, LossItem, Trail, TrailFile, TrailItem, TrailTest
from steno.vocabulary.details import Exchange, Rejected
from steno.vocabulary.errors import StenoError, UnknownSession

REFUSAL = "no, don't touch the payments table"
SESSION = "11111111-2222-4333-8444-555555555555"


def fate(item: Live, summary: str, briefing: str = "", items: tuple[str, ...] = ()) -> Fate:
    """What became of one thing."""
    told = Briefing(text=briefing, tokens=0, tier=0, session=None, at="2026-01-01T12:00:00.000Z", items=list(items))
    [found] = losses([item], summary, told)
    assert (found.kind, found.text, found.entry, found.critical) == (item.kind, item.text, item.entry, item.critical)
    return found.fate


def rejected(text: str) -> Live:
    names = ("entry:e1", "rule:e1", "reason:e1")
    return Live(kind="rejected", text=text, entry="e1", critical=True, names=names)


def value(text: str) -> Live:
    return Live(kind="variable", text=text, literal=text)


# -- whether a text carries something --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("item", "summary"),
    [
        (
            Live(kind="decision", text="Use SQLite in WAL mode for the journal"),
            "The journal lives in SQLite, with WAL mode switched on.",
        ),
        (
            Live(kind="goal", text="fix the checkout so that people are not charged twice"),
            "The user asked to fix a bug: people were being charged twice in the checkout.",
        ),
        (rejected("don't downgrade to Postgres 14"), "Downgrading to Postgres 14 was refused."),
        (Live(kind="decision", text="A (to: “A. the key lives in request_log”)"), "The key lives in request_log."),
        (Live(kind="decision", text="Use SQLite in WAL mode for the journal"),
         "Postgres was turned down. Nothing else changed here. It was late. The journal is SQLite in WAL mode."),
        (
            Live(kind="exclusion", text="Retrying with rsync --delete broke the index"),
            "rsync --delete was tried; the index broke.",
        ),
        (Live(kind="progress", text="Added idempotency keys in payments/charge.py"), "charge.py: idempotency keys"),
        (value("fix/double-charge"), "on branch `fix/double-charge`, not pushed"),
        (value("/home/ann/shop/src/payments/charge.py"), "edited src/payments/charge.py"),
        (Live(kind="step", text="edited /a b/src/pay.py", literal="/a b/src/pay.py"), "- /a b/src/pay.py: new"),
        (Live(kind="step", text="created /shop/src/pay.py", literal="/shop/src/pay.py"), "- src/pay.py: new"),
        (Live(kind="step", text="make test: 3 passed"), "make test says that 3 passed"),
    ],
)  # fmt: skip
def test_a_paraphrase_with_the_same_names_is_present(item: Live, summary: str) -> None:
    assert fate(item, f"Some other thing was done first.\n{summary}\nAnd something else later.") == "present"


@pytest.mark.parametrize(
    ("item", "summary"),
    [
        (Live(kind="decision", text="Use SQLite in WAL mode for the journal"), "We compared SQLite and DuckDB."),
        (Live(kind="decision", text="Use SQLite in WAL mode for the journal"), "The journal in SQLite was looked at."),
        (Live(kind="decision", text="Use SQLite in WAL mode for the journal"),
         "The human rejected SQLite in WAL mode for the journal."),
        (Live(kind="decision", text="A (to: “A. the key lives in request_log”)"), "B: the key lives in Redis."),
        (Live(kind="goal", text="fix the checkout so that people are not charged twice"), "We looked at the checkout."),
        (rejected("don't downgrade to Postgres 14"), "Downgrading to Postgres 14 was discussed."),
        (Live(kind="exclusion", text="Retrying with rsync --delete broke the index"), "The index is built by rsync."),
        (value("fix/double-charge"), "on branch `fix/double-charge-2`"),
        (value("#12"), "see #120 and PR 12"),
        (value("cat a/b/c -n"), "look at b/c -n"),
        (Live(kind="step", text="created /shop/src/pay.py", literal="/shop/src/pay.py"), "created /shop/src/buy.py"),
        (value("/home/ann/shop/src/payments/charge.py"), "edited charge.py"),
    ],
)  # fmt: skip
def test_the_same_topic_without_the_point_is_missing(item: Live, summary: str) -> None:
    assert fate(item, summary) == "missing"


def test_words_that_are_spread_over_a_long_summary_do_not_carry_anything() -> None:
    filler = "\n".join(f"Step {number}: a module was read and nothing in it was changed." for number in range(8))
    scattered = f"SQLite was installed.\n{filler}\nWAL is a file.\n{filler}\nThe journal was printed."
    assert fate(Live(kind="decision", text="Use SQLite in WAL mode for the journal"), scattered) == "missing"


def test_a_decision_without_its_reason_is_not_carried() -> None:
    decision = Live(
        kind="decision", text="“Use SQLite for the journal” (why: “nobody wants to run a server”)", entry="e1",
        names=("entry:e1",),
    )  # fmt: skip
    chosen, why = "SQLite is used for the journal.", "Nobody wants to run a server for it."
    assert fate(decision, chosen) == "missing"
    assert fate(decision, f"{chosen} {why}") == "present"
    assert fate(decision, chosen, briefing=why) == "missing"
    assert fate(decision, chosen, briefing=f"{chosen} {why}", items=("goal",)) == "restored"
    assert fate(decision, "", briefing="…", items=("entry:e1",)) == "restored"


def test_what_the_briefing_names_or_tells_is_restored() -> None:
    refusal = rejected(REFUSAL)
    assert fate(refusal, "", briefing="“leave it”", items=("entry:e1",)) == "restored"
    assert fate(refusal, "", briefing="“leave it”", items=("rule:e1",)) == "restored"
    assert fate(refusal, "", briefing="“leave it”", items=("entry:e2",)) == "missing"
    assert fate(refusal, "", briefing="“leave it”", items=("reason:e1",)) == "restored"
    assert fate(refusal, "", briefing=f"- {REFUSAL}") == "missing"
    assert fate(Live(kind="goal", text="a" * 400, names=("goal",)), "", items=("goal",)) == "restored"
    assert fate(value("main"), "", "values: main; 12", ("variable:branch",)) == "restored"
    assert fate(value("main"), "", "values: main; 12") == "missing"
    assert fate(value("main"), "", "values: main; 12", ("cut",)) == "missing"


def test_text_without_any_telling_word_is_looked_for_as_it_is() -> None:
    assert fate(Live(kind="progress", text="do it"), "They said: Do  it now.") == "present"
    assert fate(Live(kind="progress", text="do it"), "They said nothing.") == "missing"


# -- what was live ---------------------------------------------------------------------------------------------------


def test_live_is_where_the_work_stood_with_its_values_and_the_end_of_the_trail() -> None:
    trail = Trail(
        files=[
            TrailFile(path="/shop/a.py", acts=["read"], turn=1),
            TrailFile(path="/shop/b.py", acts=["read", "edited"], turn=2, changed=2),
        ],
        last_test=TrailTest(command="make test", passed=True, result="3 passed", turn=3),
        todos=[TrailItem(text="write more docs", state="open", turn=4), TrailItem(text="old", state="done", turn=4)],
    )
    point = Checkpoint(
        goal="ship it\nNow: write the docs",
        steps=["write the docs"],
        done=["first", "second"],
        next=["third", "fourth"],
        blockers=["no key"],
        variables={"branch": ["main"], "path": ["b.py", "main"]},
        trail=trail,
        turn=5,
    )
    refusal = an_entry("rejected", "no", Rejected(exchange=Exchange(said="no", kind="option", answered="B. in Redis")))
    old, *chosen = (an_entry("decision", f"use {name}", id=name) for name in ("yarn", "npm", "pnpm", "bun"))
    assert [(item.kind, item.text, item.critical) for item in live_of(point, [old, *chosen, refusal])] == [
        ("goal", "ship it", True),
        ("goal", "write the docs", True),
        ("progress", "second", True),
        ("progress", "third", True),
        ("progress", "no key", True),
        ("decision", "“use npm”", True),
        ("decision", "“use pnpm”", True),
        ("decision", "“use bun”", True),
        ("rejected", "“no” (to: “B. in Redis”)", True),
        ("to-do", "write more docs", True),
        ("variable", "main", False),
        ("step", "make test: 3 passed", False),
        ("step", "read and edited /shop/b.py", False),
    ]
    assert live_of(Checkpoint(), []) == []


def test_under_four_fifths_of_what_is_critical_raises_a_flag() -> None:
    def report(*fates: tuple[bool, Fate]) -> Loss:
        items = [LossItem(kind="rule", text="", entry=None, critical=critical, fate=fate) for critical, fate in fates]
        return Loss(session="s", turn=1, at=None, items=items, summary_characters=0, given=False)

    kept: list[tuple[bool, Fate]] = [(True, "present"), (True, "restored"), (True, "present"), (True, "present")]
    assert not is_flagged(report(*kept, (True, "missing"), (False, "missing")))
    assert is_flagged(report(*kept, (True, "missing"), (True, "missing")))
    assert not is_flagged(report((False, "missing")))
    assert not is_flagged(report())


# -- from a real session ---------------------------------------------------------------------------------------------


def line(number: int, type_: str, **fields: Any) -> dict[str, Any]:
    """A line of a host that compacts."""
    at = f"2026-02-01T10:{number:02}:00.000Z"
    facts = {
        "uuid": f"u{number}",
        "timestamp": at,
        "sessionId": SESSION,
        "cwd": "/nowhere/shop",
        "gitBranch": "fix/twice",
    }
    return {"type": type_, "parentUuid": None, "isSidechain": False, **facts, **fields}


def user(number: int, text: str, **fields: Any) -> dict[str, Any]:
    return line(number, "user", message={"role": "user", "content": text}, **fields)


def agent(number: int, text: str) -> dict[str, Any]:
    content = [{"type": "text", "text": text}]
    return line(number, "assistant", message={"id": f"m{number}", "role": "assistant", "content": content})


BEFORE = [
    user(1, "the checkout charges people twice, find out why and fix it"),
    agent(2, "I'll change the payments table."),
    user(3, REFUSAL),
    agent(4, "Understood. I added an idempotency key on branch `fix/twice`."),
]
SUMMARY = "The user asked to fix the checkout, which charges people twice. Currently fixing it on branch fix/twice."
COMPACTED = [
    line(5, "system", subtype="compact_boundary", content="Conversation compacted"),
    user(6, SUMMARY, isCompactSummary=True),
    user(7, "go on"),
    agent(8, "Never mind the tests, they were never green."),
    user(9, "never use tabs in this project"),
]


def test_the_report_tells_what_was_live_just_before_the_last_boundary(tmp_path: Path) -> None:
    with house(tmp_path) as memory:
        memory.capture(write_jsonl(tmp_path / "t.jsonl", *BEFORE, *COMPACTED), source="claude-code")
        memory.scribe()
        report = memory.loss()
        refusal = next(entry for entry in memory.entries(category="rejected") if "payments table" in entry.summary)
        boundary = next(turn.id for turn in memory.turns(SESSION) if turn.turn.kind == "boundary")
    assert (report.session, report.turn, report.at) == (SESSION, boundary, "2026-02-01T10:05:00.000Z")
    assert (report.summary_characters, report.given) == (len(SUMMARY), False)
    fates = [(item.kind, item.entry, item.fate) for item in report.items if item.kind in ("goal", "rejected")]
    assert fates == [("goal", None, "present"), ("rejected", refusal.id, "missing")]
    assert ("variable", "fix/twice", "present") in [(item.kind, item.text, item.fate) for item in report.items]
    assert not any("tabs" in item.text for item in report.items)


def rejected_fate(memory: Memory) -> Fate:
    [fate] = [item.fate for item in memory.loss(SESSION).items if item.kind == "rejected"]
    return fate


@pytest.mark.parametrize("clock", ["2026-02-01T10:04:30.000Z", "2031-01-01T00:00:00.000Z", "2020-01-01T00:00:00.000Z"])
def test_what_was_given_counts_by_turns_whatever_the_clock_says(tmp_path: Path, clock: str) -> None:
    with house(tmp_path, clock=SteppingClock(clock)) as memory:
        path = write_jsonl(tmp_path / "t.jsonl", *BEFORE)
        memory.capture(path, source="claude-code")
        memory.brief()
        write_jsonl(path, *COMPACTED)
        memory.capture(path, source="claude-code")
        assert (memory.loss(SESSION).given, rejected_fate(memory)) == (False, "missing")
        memory.brief()
        assert (memory.loss(SESSION).given, rejected_fate(memory)) == (True, "restored")


def test_what_was_given_because_of_a_boundary_that_was_written_down_later_counts(tmp_path: Path) -> None:
    with house(tmp_path) as memory:
        path = write_jsonl(tmp_path / "t.jsonl", *BEFORE)
        memory.capture(path, source="claude-code")
        memory.given(memory.brief(given=False), "compaction")
        write_jsonl(path, *COMPACTED)
        memory.capture(path, source="claude-code")
        assert (memory.loss(SESSION).given, rejected_fate(memory)) == (True, "restored")
        write_jsonl(path, line(20, "system", subtype="compact_boundary", content="again"), user(21, "go on"))
        memory.capture(path, source="claude-code")
        assert memory.loss(SESSION).given is False


def test_a_compaction_that_took_too_much_is_a_flag_until_it_is_given_back(tmp_path: Path) -> None:
    def flags() -> list[bool]:
        told = [" ".join(memory.status().flags), memory.handoff(), memory.boot(project="/nowhere/shop").text]
        return ["took" in text and "steno sessions loss --session 11111111" in text for text in told]

    with house(tmp_path, clock=SteppingClock("2026-02-01T12:00:00.000Z")) as memory:
        path = write_jsonl(tmp_path / "t.jsonl", *BEFORE, COMPACTED[0], user(6, "We talked."), *COMPACTED[2:])
        memory.capture(path, source="claude-code")
        memory.scribe()
        assert flags() == [True, True, True]
        assert "took" not in memory.boot(project="/elsewhere").text
        memory.brief()
        assert flags() == [False, False, False]
        write_jsonl(path, user(30, "go on"))
        memory.capture(path, source="claude-code")
        memory.scribe()
        assert flags() == [False, False, False]


def test_a_flag_and_the_loss_report_say_the_same_of_what_was_given_in_vain(tmp_path: Path) -> None:
    with house(tmp_path, clock=SteppingClock("2026-02-01T12:00:00.000Z")) as memory:
        path = write_jsonl(tmp_path / "t.jsonl", *BEFORE, COMPACTED[0], user(6, "We talked."), *COMPACTED[2:])
        memory.capture(path, source="claude-code")
        memory.scribe()
        empty = Briefing(text="", tokens=1, tier=0, session=SESSION, at="", turn=99, kind="brief")
        memory.given(empty, "asked")
        assert is_flagged(memory.loss())
        assert [flag for flag in memory.status().flags if "took" in flag] != []


def test_looking_at_a_loss_leaves_no_receipt(tmp_path: Path) -> None:
    with house(tmp_path) as memory:
        memory.capture(write_jsonl(tmp_path / "t.jsonl", *BEFORE, *COMPACTED), source="claude-code")
        memory.loss()
        assert memory.receipts() == []


def test_an_entry_superseded_only_after_the_boundary_was_live(tmp_path: Path) -> None:
    with house(tmp_path) as memory:
        memory.capture(write_jsonl(tmp_path / "t.jsonl", *BEFORE, *COMPACTED), source="claude-code")
        memory.scribe()
        refusal = next(entry for entry in memory.entries(category="rejected") if "payments table" in entry.summary)
        later = next(entry for entry in memory.entries() if "tabs" in entry.summary)
        with memory.home.store.entries.write():
            memory.home.store.entries.supersede(refusal.id, later.id)
        assert refusal.id in [item.entry for item in memory.loss().items]


def test_a_session_that_was_never_compacted_has_no_loss(tmp_path: Path) -> None:
    with house(tmp_path) as memory:
        memory.capture(write_jsonl(tmp_path / "t.jsonl", said("hello")), source="jsonl")
        with pytest.raises(StenoError, match="session s1 was never compacted") as caught:
            memory.loss()
        assert "steno sessions checkpoint" in caught.value.hint
        with pytest.raises(UnknownSession):
            memory.loss("nobody")
