"""What people answered stays, also where the scribe of today would not make the entry they answered about."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from steno.memory import Memory
from steno.pipeline import learn
from steno.pipeline.trial import Trials
from steno.store.entries import Unread
from steno.testing import SteppingClock, all_turns, house, said, write_jsonl
from steno.vocabulary import Answer, Candidate, Category, Entry, Matcher, Offer, Quote
from steno.vocabulary.details import DETAILS
from steno.vocabulary.errors import WrongUse

from ..older import before_notes_were_quotes

SHOP = "/shop"
# Pasted: of none of it does a scribe make anything by itself.
TALK = (
    "weekly then", "maybe oats", "blue or green", "rye, spelt, whatever", "a jar of jam", "tea at four", "two spoons",
    "the red kettle", "one long table", "a quiet corner", "plums and pears", "warm milk",
)  # fmt: skip


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    """A home in which people talked, and nothing was noted."""
    with house(tmp_path, clock=SteppingClock("2026-03-02T09:00:00.000Z")) as memory:
        lines = [
            said(f"```\n{text}\n```", id=f"{n}", at=f"2026-03-01T10:{n:02}:00Z", project=SHOP)
            for n, text in enumerate(TALK)
        ]
        memory.capture(write_jsonl(tmp_path / "t.jsonl", *lines), source="jsonl")
        memory.scribe()
        assert memory.entries() == []
        yield memory


def noted(memory: Memory, category: Category, quote: str, **fields: Any) -> str:
    """An entry as an older scribe made it from such talk; its id."""
    turn = next(turn for turn in all_turns(memory) if quote in turn.turn.text)
    usual = {"summary": f"Somebody said: {quote}.", "detail": DETAILS[category](), "cue": "an older scribe's"}
    candidate = Candidate(category=category, evidence=[Quote(turn=turn.id, quote=quote)], **{**usual, **fields})
    session = Unread(1, "jsonl", "s1", "main", SHOP, None, None, None, turn.id)
    id_ = memory.home.store.entries.put(candidate, "user", turn.turn.at, session=session, work=None)
    assert id_ is not None
    return id_


def doubted(memory: Memory, category: Category, quote: str) -> str:
    """One it was not sure of."""
    return noted(memory, category, quote, certainty="hypothesis", confidence=0.6)


def answer(memory: Memory, id_: str, keep: str, **told: Any) -> None:
    """What a person said about it, as an older version kept that."""
    reviews = memory.home.store.reviews
    reviews._tell({"keep": keep, **told}, [id_, *told.get("also", ())], memory.home.clock())
    memory.rules.settle()


def learnt_anew(memory: Memory) -> None:
    """As the first command of a newer version does it."""
    memory.home.store.entries.outdate()
    with house(memory.home.root.parent) as newer:
        newer.learn()
    assert not memory.home.store.entries.is_outdated()


def of_an_older_version(memory: Memory) -> None:
    """The home as it was before answers were set aside, on its first day with this version."""
    before_notes_were_quotes(memory.home.root)
    with house(memory.home.root.parent) as newer:
        assert newer.home.store.entries.is_outdated()
        newer.learn()


def known(memory: Memory) -> tuple[Any, ...]:
    """All a home knows of what people were asked."""
    return memory.entries(), memory.reviews(), memory.rules.all(), memory.sharing.all()


def test_every_answer_is_there_after_everything_was_learnt_anew(memory: Memory) -> None:
    kept, dropped, reworded, of_work = (
        doubted(memory, category, quote)
        for category, quote in (("rejected", "weekly"), ("rejected", "oats"), ("rule", "green"), ("rule", "spelt"))
    )
    answer(memory, kept, "keep", also=[doubted(memory, "rejected", "blue")])
    answer(memory, dropped, "drop")
    answer(memory, reworded, "reword", summary="Paint it green.")
    answer(memory, of_work, "work")
    memory.revise(noted(memory, "fact", "a jar of jam"), summary="The jam is in the cellar.", category="decision")
    memory.archive(noted(memory, "rejected", "tea at four"))
    raised, retired, matched = (noted(memory, "rule", quote) for quote in ("spoons", "kettle", "table"))
    memory.rules.settle()
    memory.rules.raise_(raised)
    memory.rules.retire(retired)
    Trials(memory.home, memory.rules).trial(matched, Matcher(command="^table"))
    memory.sharing.share(noted(memory, "decision", "quiet corner"), project="/barn")
    one, other = noted(memory, "decision", "plums"), noted(memory, "rejected", "pears")
    memory.home.store.reviews.put(one, other, "both at once")
    [waiting] = memory.reviews()
    memory.resolve(waiting.id, "other")
    before = known(memory)
    assert [entry.status for entry in before[0]] == [
        "active", "archived", "active", "active", "active", "active", "archived", "active", "active", "active",
        "active", "superseded", "active",
    ]  # fmt: skip
    for anew in (of_an_older_version, learnt_anew, learnt_anew):
        anew(memory)
        assert known(memory) == before
        assert all(check.ok for check in memory.doctor())
    assert memory.home.store._database.rows("answered_words") == []


def test_nothing_stays_that_nobody_answered_about(memory: Memory) -> None:
    noted(memory, "rejected", "weekly")
    doubted(memory, "rule", "oats")
    learnt_anew(memory)
    assert memory.entries() == []


def test_a_task_ticked_on_a_page_stays_done(memory: Memory) -> None:
    noted(memory, "task", "warm milk", summary="Order warm milk.")
    memory.notebook.sync()
    [page] = [path for path in memory.home.notebook.rglob("*.md") if "- [ ] Order warm milk." in path.read_text()]
    page.write_text(page.read_text().replace("- [ ] Order", "- [x] Order"))
    assert [edit.act for edit in memory.notebook.sync().edits] == ["done"]
    before = memory.entries()
    learnt_anew(memory)
    assert memory.entries() == before
    assert before[0].status == "done"


def test_what_happened_after_an_answer_holds_too(memory: Memory) -> None:
    task, rule = noted(memory, "task", "warm milk"), doubted(memory, "rule", "green")
    answer(memory, rule, "keep")
    memory.revise(task, summary="Order milk.")
    store = memory.home.store.entries
    store.set_status(task, "done")
    store.repeat(rule, "2026-03-01T11:00:00.000Z")
    store.supersede(rule, task)
    before = memory.entries()
    learnt_anew(memory)
    assert memory.entries() == before


@pytest.mark.parametrize("keep", ["keep", "drop", "reword", "work"])
def test_an_older_versions_answer_can_be_taken_back_and_then_binds_nobody(memory: Memory, keep: Answer) -> None:
    unsure = doubted(memory, "rejected", "weekly")
    before = memory.entry(unsure)
    answer(memory, unsure, keep, **({"summary": "Weekly."} if keep == "reword" else {}))
    learnt_anew(memory)
    after = structs.replace(before, status="archived")
    assert memory.unresolve() == Offer(id=unsure, entry=after)
    assert (memory.entries(), memory.reviews(), memory.rules.all()) == ([after], [], [])


def test_an_answer_to_an_offer_can_be_taken_back_afterwards(memory: Memory) -> None:
    offered = noted(memory, "rule", "weekly")
    before = memory.reviews()
    assert before == [Offer(id=offered, entry=memory.entry(offered))]
    memory.resolve(offered, "keep")
    assert memory.reviews() == []
    learnt_anew(memory)
    assert memory.unresolve() == before[0]
    assert memory.reviews() == before


def test_what_a_person_only_put_back_where_it_waited_binds_nobody(memory: Memory) -> None:
    unsure = doubted(memory, "rejected", "weekly")
    answer(memory, unsure, "drop")
    answer(memory, unsure, "wait")
    of_an_older_version(memory)
    assert (memory.entry(unsure).status, memory.rules.all()) == ("archived", [])


def test_of_two_that_were_not_sure_the_one_a_person_chose_holds(memory: Memory) -> None:
    one, other = doubted(memory, "rejected", "plums"), doubted(memory, "rejected", "pears")
    memory.home.store.reviews.put(one, other, "both at once")
    [waiting] = memory.reviews()
    memory.resolve(waiting.id, "other")
    of_an_older_version(memory)
    found = {(entry.id, entry.status, entry.certainty) for entry in memory.entries()}
    assert found == {(one, "superseded", "hypothesis"), (other, "active", "confirmed")}
    assert [rule.id for rule in memory.rules.all()] == [other]


def test_what_an_older_version_was_not_sure_of_binds_nobody_before_it_is_learnt_anew(memory: Memory) -> None:
    unsure, answered, sure = (
        doubted(memory, "rejected", "weekly"),
        doubted(memory, "rule", "oats"),
        noted(memory, "rejected", "blue"),
    )
    answer(memory, answered, "keep")
    before_notes_were_quotes(memory.home.root)
    with house(memory.home.root.parent) as newer:
        found = {id_: newer.home.store.entries.one(id_).status for id_ in (unsure, answered, sure)}
    assert found == {unsure: "archived", answered: "active", sure: "active"}


def ruled(memory: Memory, folder: Path) -> Entry:
    """A rule the scribe makes today, too."""
    line = said("From now on never push to main.", id="r", session="s2", at="2026-03-01T12:00:00Z", project=SHOP)
    memory.capture(write_jsonl(folder / "2.jsonl", line), source="jsonl")
    memory.scribe()
    return next(entry for entry in memory.entries() if entry.session == "s2")


def test_what_the_scribe_makes_again_is_as_the_scribe_makes_it(tmp_path: Path, memory: Memory) -> None:
    rule = ruled(memory, tmp_path)
    memory.home.store.entries.set_detail(rule.id, DETAILS["rule"]())
    memory.archive(rule.id)
    learnt_anew(memory)
    assert memory.entries() == [structs.replace(rule, status="archived")]


def test_an_answer_outlives_a_newer_version_in_the_middle_of_a_rebuild(
    tmp_path: Path, memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    rule = ruled(memory, tmp_path)
    memory.archive(rule.id)

    def die(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(learn, "put_again", die)
        with pytest.raises(KeyboardInterrupt):
            memory.rebuild()
    monkeypatch.setattr(learn, "propose", lambda *_: [])
    learnt_anew(memory)
    [again] = memory.entries()
    assert (again.id, again.status, again.evidence) == (rule.id, "archived", rule.evidence)


@pytest.mark.parametrize("moment", ["while it reads", "before the records", "twice"])
def test_a_rebuild_that_is_cut_short_loses_no_answer(
    tmp_path: Path, memory: Memory, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    kept, dropped = doubted(memory, "rule", "weekly"), doubted(memory, "rejected", "oats")
    answer(memory, kept, "reword", summary="Weekly, on Mondays.")
    answer(memory, dropped, "drop")
    before = known(memory)

    def die(*_: object) -> None:
        raise KeyboardInterrupt

    for _ in range(2 if moment == "twice" else 1):
        with monkeypatch.context() as patch:
            if moment == "before the records":
                patch.setattr(learn, "put_again", die)
            with pytest.raises(KeyboardInterrupt):
                memory.rebuild(progress=die if moment != "before the records" else lambda _: None)
    with house(tmp_path, clock=SteppingClock("2026-03-02T09:00:00.000Z")) as again:
        with pytest.raises(WrongUse, match="learnt anew"):
            again.home.store.reviews.undo()
        again.learn()
        assert known(again) == before


def test_whoever_ends_while_another_still_reads_leaves_the_answers_to_them(tmp_path: Path, memory: Memory) -> None:
    answer(memory, doubted(memory, "rule", "weekly"), "keep")
    before = known(memory)
    with house(tmp_path, clock=SteppingClock("2026-03-02T09:00:00.000Z")) as other:
        extent = other.home.store.entries.extent()[0]
        memory.home.store.entries.clear()
        assert not other.home.store.entries.put_answered(extent)
        other.home.store.entries.apply_records(extent)
        assert other.home.store.entries.is_rebuilding()
        other.scribe()
        assert known(other) == before
        assert memory.scribe().entries == 0
    assert known(memory) == before


@pytest.mark.parametrize("under_way", [False, True])
def test_what_is_forgotten_is_not_put_back_and_what_stands_beside_it_is(
    tmp_path: Path, memory: Memory, under_way: bool
) -> None:
    gone, reworded, stays = (doubted(memory, "rule", quote) for quote in ("weekly", "oats", "green"))
    answer(memory, gone, "keep")
    answer(memory, reworded, "reword", summary="Oats, says the canary.")
    answer(memory, stays, "keep")
    before = memory.entry(stays)
    if under_way:
        memory.home.store.entries.clear()
    memory.home.store.eraser.forget(memory.home.store.eraser.of_text("weekly"), now="2026-03-02T09:00:00.000Z")
    memory.home.store.eraser.forget_text("canary", secret=b"", now="2026-03-02T09:00:00.000Z")
    memory.close()
    for file in (tmp_path / "steno").glob("steno.db*"):
        assert b"weekly" not in file.read_bytes()
        assert b"canary" not in file.read_bytes()
    with house(tmp_path) as again:
        again.learn()
        assert again.entries() == [before]


@pytest.mark.parametrize("under_way", [False, True])
def test_a_secret_is_taken_out_of_what_was_answered_too(tmp_path: Path, memory: Memory, under_way: bool) -> None:
    quoted, worded = noted(memory, "fact", "maybe oats"), noted(memory, "fact", "a jar of jam")
    memory.revise(quoted, status="done")
    memory.revise(worded, summary="The jam is in melon-4417.")
    memory.archive(noted(memory, "fact", "green"))  # a part of a secret, which nobody finds in its turn any more
    if under_way:
        memory.home.store.entries.clear()
    memory.close()
    with house(tmp_path, redact_patterns="oats|melon-4417|blue or green") as stricter:
        stricter.redact()
        stricter.scribe()
        [one, other] = stricter.entries()
        assert (one.id, one.status, other.id) == (quoted, "done", worded)
        assert [entry.summary.partition("[")[0] for entry in (one, other)] == [
            "Somebody said: maybe ",
            "The jam is in ",
        ]
        assert one.evidence[0].quote in all_turns(stricter)[1].turn.text
        assert all(check.ok for check in stricter.doctor())
    for file in (tmp_path / "steno").glob("steno.db*"):
        assert b"oats" not in file.read_bytes()
        assert b"melon-4417" not in file.read_bytes()


def test_what_was_answered_moves_with_an_export(tmp_path: Path, memory: Memory) -> None:
    answer(memory, doubted(memory, "rejected", "weekly"), "keep")
    answer(memory, doubted(memory, "rule", "oats"), "reword", summary="Oats, always.")
    memory.archive(doubted(memory, "rule", "green"))
    ruled(memory, tmp_path)
    task = noted(memory, "task", "warm milk")
    memory.revise(task, summary="Order milk.")
    memory.home.store.entries.set_status(task, "done")
    before, exported = known(memory), list(memory.export())
    with house(tmp_path / "new", clock=SteppingClock("2026-03-02T09:00:00.000Z")) as new:
        assert new.import_(exported, trust=True).new["answered"] == 4
        assert new.import_(exported, trust=True).new == {}
        assert sorted(known(new)[0], key=str) == sorted(before[0], key=str)
        assert known(new)[1:] == before[1:]
        assert all(check.ok for check in new.doctor())
        learnt_anew(new)
        assert sorted(known(new)[0], key=str) == sorted(before[0], key=str)
    with house(tmp_path / "stranger") as stranger:
        assert stranger.import_(exported).held == {"review": 2, "archive": 1, "revise": 1, "answered": 4}
        assert stranger.entries() == []
