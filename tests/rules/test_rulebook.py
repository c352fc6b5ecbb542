"""Rules as a memory gives them: born of entries, moved by people and outcomes, the same after a rebuild."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec import structs

from steno.memory import Memory
from steno.testing import SteppingClock, house, said, write_jsonl
from steno.vocabulary import Action, Ask, Matcher, Rule, Trial, Warn
from steno.vocabulary.errors import UnknownEntry, WrongUse

CANARY = "canary-8f3a"
NOON = "2026-03-01T12:00:00.000Z"


@pytest.fixture
def clock() -> SteppingClock:
    return SteppingClock(NOON)


@pytest.fixture
def memory(tmp_path: Path, clock: SteppingClock) -> Iterator[Memory]:
    with house(tmp_path, clock=clock) as memory:
        yield memory


def hear(memory: Memory, folder: Path, *lines: dict[str, object]) -> None:
    memory.capture(write_jsonl(folder / "talk.jsonl", *lines))
    memory.scribe()


def shown(rules: list[Rule]) -> list[tuple[str, float, str]]:
    return [(rule.rule, rule.score, rule.status) for rule in rules]


def table(memory: Memory) -> list[Rule]:
    return sorted(memory.home.store.rules.all(), key=lambda rule: rule.id)


# -- births ----------------------------------------------------------------------------------------------------------


def test_an_instruction_and_a_refusal_are_critical_at_once_and_a_preference_is_not(
    memory: Memory, tmp_path: Path
) -> None:
    hear(
        memory,
        tmp_path,
        said("always run make lint before you commit", at="2026-03-01T10:00:00Z", project="/shop", agent="main"),
        said("Shall I set up MongoDB for the orders?", role="assistant", at="2026-03-01T10:01:00Z"),
        said("no, I don't want MongoDB, it lost our data", at="2026-03-01T10:02:00Z"),
        said("I'd always prefer short answers over long ones", at="2026-03-01T10:03:00Z"),
    )
    by_source = {(rule.source, rule.score): rule for rule in memory.rules.all()}
    assert by_source["rule", 9.5].rule == "always run make lint before you commit"
    assert (by_source["rule", 9.5].status, by_source["rule", 9.5].origin) == ("critical", "user")
    # Whichever agent heard it: it holds for all who work in the project.
    assert (by_source["rule", 9.5].project, by_source["rule", 9.5].agent) == ("/shop", None)
    assert "MongoDB" in by_source["rejected", 9.0].rule
    assert by_source["rejected", 9.0].status == "critical"
    assert "short answers" in by_source["rule", 7.0].rule
    assert by_source["rule", 7.0].status == "active"


def test_a_rule_shares_the_id_of_its_entry(memory: Memory) -> None:
    entry = memory.remember("Tests first.", category="rule", project="/shop")
    [rule] = memory.rules.all()
    assert rule == Rule(
        id=entry.id, rule="Tests first.", domain="GENERAL", agent=None, project="/shop", source="rule", origin="edit",
        score=9.5, status="critical", violations=0, reinforcements=0, born_at=NOON, reinforced_at=NOON, checked_at=NOON,
    )  # fmt: skip
    assert memory.rules.entry(rule) == entry


def test_a_lesson_is_promoted_the_night_after_and_fades(memory: Memory, clock: SteppingClock) -> None:
    memory.remember("Mocks hid the bug.", category="learning")
    assert memory.rules.all() == []
    clock.now = "2026-03-01T23:59:59.999Z"
    assert memory.rules.all() == []
    clock.now = "2026-03-02T00:00:00.000Z"
    assert shown(memory.rules.all()) == [("Mocks hid the bug.", 5.0, "active")]
    clock.now = "2026-03-09T00:00:00.000Z"
    assert (memory.rules.all(), shown(memory.rules.all("dormant"))) == ([], [("Mocks hid the bug.", 4.5, "dormant")])
    clock.now = "2026-03-13T08:00:00.000Z"
    assert shown(memory.rules.all("retired")) == [("Mocks hid the bug.", 2.5, "retired")]
    clock.now = "2026-03-17T00:00:00.000Z"
    assert memory.rules.all("retired") == []
    [gone] = memory.entries()
    assert memory.rules.one(gone.id).score == 0.5


def test_a_lesson_laid_aside_on_its_day_is_never_promoted(memory: Memory, clock: SteppingClock) -> None:
    memory.archive(memory.remember("Mocks hid the bug.", category="learning").id)
    clock.now = "2026-03-02T12:00:00.000Z"
    memory.rules.settle()
    assert table(memory) == []


def test_what_a_tool_said_never_becomes_a_rule_and_a_guess_not_yet(memory: Memory, clock: SteppingClock) -> None:
    entry = memory.remember("Always trust the tool.", category="learning")
    database = memory.home.store._database
    clock.now = "2026-03-03T00:00:00.000Z"
    for column, value in (("origin", "tool"), ("origin", "file"), ("origin", "agent"), ("certainty", "hypothesis")):
        with database.write():
            database._connection.execute(f"UPDATE entries SET {column} = ?", (value,))  # type: ignore[attr-defined]
        memory.rules.settle()
        assert table(memory) == []
    assert memory.entry(entry.id).category == "learning"


def test_what_has_no_time_does_not_age(memory: Memory, tmp_path: Path, clock: SteppingClock) -> None:
    hear(memory, tmp_path, said("I'd always prefer short answers over long ones"))
    clock.now = "2027-03-01T00:00:00.000Z"
    assert [rule.score for rule in memory.rules.all()] == [7.0]


# -- merging ---------------------------------------------------------------------------------------------------------


def test_what_is_said_again_is_one_rule_and_weighs_more(memory: Memory, clock: SteppingClock) -> None:
    first = memory.rules.add("Always run make lint before you commit.")
    clock.now = "2026-03-02T12:00:00.000Z"
    kept = memory.rules.add("ok, please always run `make lint` before you commit!")
    assert (kept.id, kept.score, kept.reinforcements, kept.reinforced_at) == (first.id, 10.0, 1, clock.now)
    assert memory.rules.all() == [kept]
    [lost] = [rule for rule in table(memory) if rule.id != kept.id]
    assert (lost.merged_into, lost.status) == (kept.id, "retired")
    assert memory.rules.retire(lost.id).id == kept.id


def test_the_higher_score_survives(memory: Memory, clock: SteppingClock) -> None:
    memory.rules.add("short answers in the chat", preference=True)
    clock.now = "2026-03-02T12:00:00.000Z"
    memory.rules.add("Short answers in the chat, please.")
    assert shown(memory.rules.all()) == [("Short answers in the chat, please.", 10.0, "critical")]


def test_rules_of_two_projects_stay_two(memory: Memory) -> None:
    memory.rules.add("Tests first, always.", project="/shop")
    memory.rules.add("Always tests first.", project="/blog")
    assert len(memory.rules.all()) == 2
    assert [rule.project for rule in memory.rules.all(project="/blog")] == ["/blog"]
    assert memory.rules.all(project="/other") == []


def test_a_refusal_and_a_rule_in_the_same_words_stay_two(memory: Memory) -> None:
    memory.rules.add("Push to main.")
    memory.rules.add("Never push to main.")
    memory.remember("Never push to main.", category="rejected")
    told = [(rule.rule, rule.source, rule.reinforcements) for rule in memory.rules.all()]
    assert sorted(told) == [
        ("Never push to main.", "rule", 0),
        ("Push to main.", "rule", 0),
        ("refused: Never push to main.", "rejected", 0),
    ]


def test_a_persons_words_are_not_given_up_for_nearly_the_same_ones(memory: Memory) -> None:
    memory.rules.add("Write a test for every parser of dates in the import.")
    memory.rules.add("Write a slow test for every parser of dates in the import.")
    assert len(memory.rules.all()) == 2


def test_a_twin_of_a_retired_rule_that_is_told_again_brings_it_back(memory: Memory, clock: SteppingClock) -> None:
    kept = memory.rules.add("Never push to main.")
    memory.rules.add("never push to main!")
    memory.rules.retire(kept.id)
    assert memory.rules.all() == []
    clock.now = "2026-03-02T12:00:00.000Z"
    assert (memory.rules.add("never push to main!").id, memory.rules.tell(kept.id, {"do": "reinforce"}).score) == (
        kept.id,
        10.0,
    )
    memory.archive(kept.id)
    assert [rule.rule for rule in memory.rules.all()] == ["never push to main!"]


def test_laying_aside_one_of_two_entries_that_say_the_same_loses_nothing(memory: Memory, clock: SteppingClock) -> None:
    first = memory.rules.add("Never push to main.")
    clock.now = "2026-03-02T12:00:00.000Z"
    second = memory.remember("never push to main!", category="rule")
    assert [rule.id for rule in memory.rules.all()] == [first.id]
    memory.archive(first.id)
    assert [(rule.id, rule.status) for rule in memory.rules.all()] == [(second.id, "critical")]
    memory.archive(second.id)
    assert memory.rules.all() == []


def test_an_agents_lesson_does_not_inherit_what_a_person_laid_aside(memory: Memory, clock: SteppingClock) -> None:
    lesson = memory.home.store.entries.remember(
        "Never push to main.", "learning", project=None, agent=None, now=clock.now, origin="assistant"
    )
    clock.now = "2026-03-02T12:00:00.000Z"
    rule = memory.rules.add("never push to main!")
    memory.rules.tell(rule.id, {"do": "matcher", "matcher": {"command": "push"}})
    assert [(rule.id, rule.score) for rule in memory.rules.all()] == [(rule.id, 10.0)]
    memory.archive(rule.id)
    assert [(rule.id, rule.score, rule.matcher) for rule in memory.rules.all()] == [(lesson, 5.0, None)]


# -- what people and outcomes do -------------------------------------------------------------------------------------


def test_a_person_raises_lowers_and_retires(memory: Memory) -> None:
    rule = memory.rules.add("Tests first.")
    assert memory.rules.raise_(rule.id).score == 10
    with pytest.raises(WrongUse, match="cannot rise above 10"):
        memory.rules.raise_(rule.id)
    assert [memory.rules.lower(rule.id).score for _ in range(3)] == [9.5, 9, 8.5]
    retired = memory.rules.retire(rule.id)
    assert (retired.score, retired.status) == (1, "retired")
    assert memory.rules.tell(rule.id, {"do": "reinforce"}) == retired  # only a person brings it back
    assert (memory.rules.raise_(rule.id).score, memory.rules.one(rule.id).status) == (5, "active")


def test_telling_a_retired_rule_again_puts_it_in_force(memory: Memory, clock: SteppingClock) -> None:
    rule = memory.rules.add("Tests first.", domain="web")
    memory.rules.retire(rule.id)
    clock.now = "2026-03-05T12:00:00.000Z"
    again = memory.rules.add("Tests first.")
    assert (again.id, again.score, again.status, again.domain) == (rule.id, 9.5, "critical", "web")


def test_outcomes_keep_a_lesson_alive_and_below_critical(memory: Memory, clock: SteppingClock) -> None:
    entry = memory.remember("Mocks hid the bug.", category="learning")
    memory.home.store._database._connection.execute("UPDATE entries SET origin = 'assistant'")  # type: ignore[attr-defined]
    for day in range(2, 12):
        clock.now = f"2026-03-{day:02}T12:00:00.000Z"
        memory.rules.tell(entry.id, {"do": "reinforce"})
        memory.rules.tell(entry.id, {"do": "violate"})
    rule = memory.rules.one(entry.id)
    assert (rule.score, rule.status, rule.reinforcements, rule.violations) == (8.5, "active", 10, 10)
    with pytest.raises(WrongUse, match="origin assistant stay below critical"):
        memory.rules.raise_(entry.id)


def test_an_outcome_record_moves_the_rules_it_names(memory: Memory, clock: SteppingClock) -> None:
    one, other = (memory.rules.add(text, preference=True) for text in ("Short answers.", "Long names."))
    clock.now = "2026-03-02T12:00:00.000Z"
    told = {"reinforced": [one.id, "unknown"], "violated": [other.id]}
    memory.home.store.entries.tell("outcome", "agent", told, clock.now)
    counts = {rule.rule: (rule.score, rule.reinforcements, rule.violations) for rule in memory.rules.all()}
    assert counts == {"Short answers.": (7.5, 1, 0), "Long names.": (7.5, 0, 1)}


def test_a_lesson_an_agent_learns_again_comes_back_unless_a_person_retired_it(
    memory: Memory, clock: SteppingClock
) -> None:
    def learn(words: str) -> str:
        return memory.home.store.entries.remember(
            words, "learning", project=None, agent="main", now=clock.now, origin="assistant"
        )

    faded, retired = learn("Mocks hid the bug."), learn("The cache was stale.")
    clock.now = "2026-03-02T12:00:00.000Z"
    memory.rules.retire(retired)
    clock.now = "2026-03-12T12:00:00.000Z"
    assert memory.rules.all() == []
    memory.home.store.entries.tell("outcome", "", {"repeats": faded}, clock.now)
    learn("The cache was stale.")
    [back] = memory.rules.all()
    assert (back.id, back.score, back.origin, back.reinforced_at) == (faded, 5, "assistant", clock.now)


def test_a_record_nobody_can_read_stops_nothing(memory: Memory) -> None:
    rule = memory.rules.add("Tests first.")
    for at, value in (("not a time", '{"do": 7}'), ("", "[]"), (NOON, '{"do": "mode", "mode": "shout"}')):
        memory.home.store.entries.put_record(at, "rule", rule.id, value)
    assert memory.rules.all() == [rule]


def test_a_matcher_climbs_one_step_at_a_time_after_a_trial(memory: Memory) -> None:
    rule = memory.rules.add("Be kind to newcomers.")
    with pytest.raises(WrongUse, match="has no matcher"):
        memory.rules.raise_(rule.id, "ask")
    matcher = Matcher(command="git push.* main")
    memory.rules.tell(rule.id, {"do": "matcher", "matcher": {"command": matcher.command}, "mode": "block"})
    assert (memory.rules.one(rule.id).matcher, memory.rules.one(rule.id).mode) == (matcher, "warn")
    with pytest.raises(WrongUse, match="has not been tried"):
        memory.rules.raise_(rule.id, "ask")
    trial = {"at": NOON, "matcher": {"command": matcher.command}, "fired": 7, "right": 6, "wrong": 1}
    memory.rules.tell(rule.id, {"do": "trial", "trial": {**trial, "matcher": {"command": "another"}}})
    assert memory.rules.one(rule.id).trial is None
    memory.rules.tell(rule.id, {"do": "trial", "trial": trial})
    assert memory.rules.one(rule.id).trial == Trial(at=NOON, matcher=matcher, fired=7, right=6, wrong=1)
    with pytest.raises(WrongUse, match="in one step"):
        memory.rules.raise_(rule.id, "block")
    assert [memory.rules.raise_(rule.id, "ask").mode, memory.rules.raise_(rule.id, "block").mode] == ["ask", "block"]
    with pytest.raises(WrongUse, match="in one step"):
        memory.rules.raise_(rule.id, "ask")
    assert memory.rules.lower(rule.id, "warn").mode == "warn"
    with pytest.raises(WrongUse, match="is not above"):
        memory.rules.lower(rule.id, "ask")


def test_a_persons_rule_that_names_something_concrete_comes_with_a_matcher_that_warns(memory: Memory) -> None:
    rule = memory.rules.add("Never edit `vendor/lodash.js`.")
    assert (rule.matcher is not None, rule.mode) == (True, "warn")
    with pytest.raises(WrongUse, match="has not been tried"):
        memory.rules.raise_(rule.id, "ask")


def test_a_plain_prohibition_asks_until_a_person_lowers_it(memory: Memory) -> None:
    rule = memory.rules.add("Never run black.")
    run = Action(agent="bot", text="tidy up", tool="Bash", input={"command": "black src"})
    assert (rule.mode, type(memory.before(run))) == ("warn", Ask)
    assert (memory.rules.lower(rule.id, "warn").mode, type(memory.before(run))) == ("warn", Warn)


def test_no_record_lets_an_agents_lesson_ask(memory: Memory, clock: SteppingClock) -> None:
    entry = memory.remember("Never push to main.", category="learning")
    memory.home.store._database._connection.execute("UPDATE entries SET origin = 'assistant'")  # type: ignore[attr-defined]
    clock.now = "2026-03-02T12:00:00.000Z"
    memory.rules.tell(entry.id, {"do": "matcher", "matcher": {"command": "push"}})
    memory.rules.tell(entry.id, {"do": "trial", "trial": {
        "at": NOON, "matcher": {"command": "push"}, "fired": 1, "right": 1, "wrong": 0}})  # fmt: skip
    assert memory.rules.tell(entry.id, {"do": "mode", "mode": "ask"}).mode == "warn"
    with pytest.raises(WrongUse, match="only a person's rule may ask"):
        memory.rules.raise_(entry.id, "ask")


def test_an_unknown_rule_gets_the_choices(memory: Memory) -> None:
    rule = memory.rules.add("Tests first.")
    assert memory.rules.one(rule.id[:5]) == rule
    for wrong in ("nope", ""):
        with pytest.raises(UnknownEntry, match="no rule") as raised:
            memory.rules.one(wrong)
        assert rule.id in raised.value.hint
    with pytest.raises(WrongUse, match="empty"):
        memory.rules.add("  ")
    with pytest.raises(WrongUse, match="no rule is loud"):
        memory.rules.all("loud")  # type: ignore[arg-type]


# -- entries that hold no more, time, rebuild, forgetting ------------------------------------------------------------


def test_laying_an_entry_aside_retires_its_rule_and_revising_it_changes_the_words(
    memory: Memory, clock: SteppingClock
) -> None:
    rule = memory.rules.add("Tests first.")
    memory.revise(rule.id, summary="Tests before code.")
    assert shown(memory.rules.all()) == [("Tests before code.", 9.5, "critical")]
    memory.archive(rule.id)
    assert shown(memory.rules.all("retired")) == [("Tests before code.", 1.0, "retired")]
    clock.now = "2026-03-02T12:00:00.000Z"
    memory.revise(rule.id, status="active")
    assert shown(memory.rules.all()) == [("Tests before code.", 9.5, "critical")]


def test_rules_can_be_asked_for_as_they_were(memory: Memory, clock: SteppingClock) -> None:
    first = memory.rules.add("Tests first.")
    clock.now = "2026-03-05T12:00:00.000Z"
    memory.rules.lower(first.id)
    clock.now = "2026-03-07T12:00:00.000Z"
    memory.rules.add("Long names.", preference=True)
    memory.archive(first.id)
    assert shown(memory.rules.all()) == [("Long names.", 7.0, "active")]
    at = [shown(memory.rules.all(at=f"2026-03-{day:02}T18:00:00Z")) for day in (1, 6, 8)]
    assert at == [
        [("Tests first.", 9.5, "critical")],
        [("Tests first.", 9.0, "critical")],
        [("Long names.", 7.0, "active")],
    ]
    assert memory.rules.all(at="2026-02-01") == []
    assert memory.rules.for_boot(at="2026-03-02") == (memory.rules.all(at="2026-03-02"), 0)


def test_a_rebuild_gives_the_same_rules(memory: Memory, tmp_path: Path, clock: SteppingClock) -> None:
    hear(
        memory,
        tmp_path,
        said("always run make lint before you commit", at="2026-03-01T10:00:00Z", project="/shop"),
        said("never push to main", at="2026-03-01T10:01:00Z"),
    )
    added = memory.rules.add("Long names.", preference=True)
    clock.now = "2026-03-08T12:00:00.000Z"
    memory.rules.raise_(added.id)
    for rule in memory.rules.all():
        memory.rules.tell(rule.id, {"do": "reinforce"})
    clock.now = "2026-03-20T12:00:00.000Z"
    memory.rules.settle()
    before = table(memory)
    assert len(before) == 3
    memory.rebuild()
    assert table(memory) == before
    with house(tmp_path / "copy", clock=clock) as copy:
        copy.import_(memory.export(), trust=True)
        assert table(copy) == before


def test_forgetting_something_else_leaves_the_rules_as_they_are(memory: Memory, tmp_path: Path) -> None:
    lines = [("never push to main", "/shop"), ("hello there", "/blog")]
    at = "2026-03-01T10:00:00Z"
    hear(memory, tmp_path, *(said(text, session=place, project=place, at=at) for text, place in lines))
    [rule] = memory.rules.all()
    memory.forget(session="/blog")
    assert (memory.rules.all(), table(memory)) == ([rule], [rule])


def test_the_table_and_the_memory_agree_also_between_two_processes(
    memory: Memory, tmp_path: Path, clock: SteppingClock
) -> None:
    with house(tmp_path, clock=clock) as other:
        assert other.rules.all() == []
        rule = memory.rules.add("Tests first.")
        assert other.rules.all() == [rule]
        raised = other.rules.raise_(rule.id)
        assert memory.rules.all() == [raised]
        assert table(memory) == [raised]
        memory.home.store.entries.tell("rule", rule.id, {"do": "lower"}, clock.now)
        assert (other.rules.all(), memory.rules.all()) == ([rule], [rule])
        other.rules.settle()
        assert table(memory) == [rule]


def test_a_store_locked_by_another_process_keeps_nobody_from_the_rules(tmp_path: Path, clock: SteppingClock) -> None:
    with house(tmp_path, clock=clock, busy_seconds="0.05") as memory, house(tmp_path, clock=clock) as other:
        rule = memory.rules.add("Tests first.", preference=True)
        clock.now = "2026-04-01T12:00:00.000Z"
        with other.home.store.rules.write():
            memory.rules.settle()
            assert memory.rules.all() == [structs.replace(rule, score=6.5, checked_at="2026-04-01T00:00:00.000Z")]
        assert table(memory) == [rule]
        memory.rules.settle()
        assert table(memory) == memory.rules.all()


def test_settling_twice_writes_nothing(memory: Memory) -> None:
    memory.rules.add("Tests first.")
    changes = memory.home.store._database._connection.total_changes()  # type: ignore[attr-defined]
    memory.rules.settle()
    assert memory.home.store._database._connection.total_changes() == changes  # type: ignore[attr-defined]


@pytest.mark.parametrize("where", ["said", "told", "matcher", "project", "merged"])
def test_nothing_of_a_forgotten_text_stays_among_the_rules(tmp_path: Path, clock: SteppingClock, where: str) -> None:
    with house(tmp_path, clock=clock) as memory:
        kept = memory.rules.add("Tests first.")
        if where == "said":
            hear(memory, tmp_path, said(f"never touch {CANARY} again", at="2026-03-01T10:00:00Z"))
        elif where == "matcher":
            memory.rules.tell(kept.id, {"do": "matcher", "matcher": {"command": CANARY}})
        elif where == "project":
            memory.rules.add("Short names.", project=f"/work/{CANARY}")
        else:
            memory.rules.add(f"Never touch {CANARY}.")
            if where == "merged":
                memory.rules.add(f"never, please, touch {CANARY}!")
        assert CANARY in str(table(memory))
        memory.forget(text=CANARY)
        assert CANARY not in str(table(memory))
        assert kept.id in [rule.id for rule in memory.rules.all()]
    files = [file for file in (tmp_path / "steno").rglob("*") if file.is_file()]
    assert [file for file in files if CANARY.encode() in file.read_bytes()] == []


def test_secrets_in_a_rule_are_taken_out_before_it_is_stored(memory: Memory) -> None:
    token = "ghp_" + "a1B2" * 9
    rule = memory.rules.add(f"Never print {token}.", domain=token)
    assert token not in str(rule)
    assert token not in str(memory.home.store.entries.records())


# -- boot ------------------------------------------------------------------------------------------------------------


def test_boot_loads_twenty_critical_ones_first_and_says_how_many_more_there_are(memory: Memory) -> None:
    for number in range(22):
        memory.rules.add(f"Keep table {number} as it is.", project="/shop")
    memory.rules.add("Short answers.", preference=True)
    chosen, more = memory.rules.for_boot("/shop", "main")
    assert (len(chosen), more, {rule.status for rule in chosen}) == (20, 2, {"critical"})
    # A refusal is on a list of its own.
    memory.remember("Never paint the harbour.", category="rejected")
    chosen, more = memory.rules.for_boot("/blog", "main")
    assert ([rule.rule for rule in chosen], more) == (["Short answers."], 0)


def test_boot_goes_by_score_then_fit_then_recency(memory: Memory, clock: SteppingClock) -> None:
    everywhere = memory.rules.add("Never log passwords.")
    here = memory.rules.add("Never touch the ledger.", project="/shop")
    high = memory.rules.raise_(memory.rules.add("Ask before deleting.").id)
    liked = memory.rules.add("Short answers.", preference=True)
    for_agent = memory.rules.add("Speak German.", agent="main")
    memory.rules.add("Speak French.", agent="other")
    clock.now = "2026-03-02T12:00:00.000Z"
    late = memory.rules.add("Read before you write.")
    low = memory.rules.add("Long names.", preference=True)
    memory.rules.lower(low.id)
    chosen, _ = memory.rules.for_boot("/shop", "main")
    assert [r.id for r in chosen] == [r.id for r in (high, here, for_agent, late, everywhere, liked)]
