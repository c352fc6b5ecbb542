"""After an action: rules and flows are graded, a lesson is kept once, and words alone do not count as permanent."""

import json
import os

import pytest

from steno.testing import SteppingClock, house
from steno.vocabulary import Action, Graded, Outcome
from steno.vocabulary.errors import UnknownFlow, WrongUse

PROJECT = "/shop"

LESSON = "PostgreSQL needs a connection pool of at least forty in production"


def records(memory, act="outcome"):
    return [json.loads(value) for _, found, _, value in memory.home.store.entries.records() if found == act]


@pytest.mark.parametrize("learned", [None, "none", " None "])
def test_an_outcome_without_a_lesson_is_graded_and_recorded(memory, learned):
    done = Outcome(agent="bot", passed=True, summary="the order service is up", directory=PROJECT, learned=learned)
    graded = memory.after(done)
    [state] = memory.entries(category="agent_state")
    assert (state.summary, state.origin, state.detail.passed) == ("the order service is up", "assistant", True)
    assert graded == Graded(
        passed=True, flow=None, entry=state, updated=False, reinforced=[], violated=[], permanent=None, changed=[]
    )
    assert records(memory) == [
        {
            "agent": "bot", "project": PROJECT, "passed": True, "summary": "the order service is up", "followed": None,
            "learned": None, "lesson": None, "permanent": None, "reinforced": [], "violated": [], "repeats": None,
            "state": state.id,
        }
    ]  # fmt: skip


def test_what_is_done_again_brings_one_entry_up_to_date(memory, clock):
    def did(summary, *, passed, agent="bot"):
        return memory.after(Outcome(agent=agent, passed=passed, summary=summary, directory=PROJECT))

    first = did("deployed the blog to production", passed=True)
    clock.now = "2026-03-11T12:00:00.000Z"
    again = did("deployed the blog to production, the index broke", passed=False)
    assert (again.updated, again.entry.id, again.entry.repeated) == (True, first.entry.id, 1)
    assert (again.entry.detail.passed, again.entry.repeated_at) == (False, clock.now)
    did("deployed the blog to production", passed=True, agent="other")
    did("wrote the release notes", passed=True)
    states = memory.entries(category="agent_state")
    assert [(one.agent, one.summary) for one in states] == [
        ("bot", "deployed the blog to production, the index broke"),
        ("other", "deployed the blog to production"),
        ("bot", "wrote the release notes"),
    ]
    memory.rebuild()
    assert memory.entries(category="agent_state") == states


def test_what_went_wrong_in_a_flow_is_not_lost_when_another_part_of_it_went_well(memory):
    memory.flows.add("deploy-blog", ["build", "push"])
    for summary, passed in (("pushed it, the index broke", False), ("all green this time", True)):
        graded = memory.after(Outcome(agent="bot", passed=passed, summary=summary, flow="deploy-blog"))
    assert (graded.updated, graded.entry.summary, graded.entry.repeated) == (False, "all green this time", 0)
    states = memory.entries(category="agent_state")
    assert [(one.summary, one.detail.passed) for one in states] == [
        ("pushed it, the index broke", False), ("all green this time", True),
    ]  # fmt: skip


def test_what_a_hook_saw_is_graded_and_not_logged(memory):
    graded = memory.after(Outcome(agent="bot", passed=True, summary="make release", directory=PROJECT, seen=True))
    assert (graded.entry, memory.entries(category="agent_state")) == (None, [])


def test_what_an_agent_did_is_not_offered_as_a_tool(memory):
    memory.after(Outcome(agent="bot", passed=True, summary="sized the connection pool of the database"))
    page = memory.before(Action(agent="bot", text="size the connection pool of the database")).page
    assert [tool.kind for tool in page.tools] == []


def test_a_lesson_is_kept_once_and_is_the_agents(memory):
    first = memory.after(Outcome(agent="bot", passed=True, summary="up", learned=LESSON, directory=PROJECT))
    assert (first.repeated, first.lesson.repeated) == (False, 0)
    assert (first.lesson.origin, first.lesson.category, first.lesson.project) == ("assistant", "learning", PROJECT)
    again = "in production PostgreSQL needs at least forty in its connection pool"
    second = memory.after(Outcome(agent="other", passed=False, summary="down", learned=again, directory=PROJECT))
    assert (second.repeated, second.lesson.id, second.lesson.repeated) == (True, first.lesson.id, 1)
    third = memory.after(Outcome(agent="bot", passed=True, summary="up", learned="label the queues by owner"))
    assert third.repeated is False
    assert [entry.summary for entry in memory.entries(category="learning")] == [LESSON, "label the queues by owner"]


def test_a_lesson_that_is_only_words_stays_listed_until_something_holds_it(memory, clock):
    def learn(text):
        return memory.after(Outcome(agent="bot", passed=True, summary="up", learned=text, directory=PROJECT)).lesson

    pool, queues = learn(LESSON), learn("label the queues by owner")
    clock.now = "2026-03-29T12:00:00.000Z"
    assert [(one.id, one.since[:10]) for one in memory.rules.lessons()] == [
        (pool.id, "2026-03-10"), (queues.id, "2026-03-10"),
    ]  # fmt: skip
    flag = "lessons that are only words (`steno rules lessons`): 2, the oldest for 19 days"
    assert flag in memory.status().flags
    assert f"- {flag}" in memory.handoff()
    memory.before(Action(agent="bot", text="set up the database", directory=PROJECT))
    memory.flows.add("set-up-database", ["size the pool"])
    learn(LESSON)
    assert [one.id for one in memory.rules.lessons()] == [queues.id]
    memory.rules.tell(queues.id, {"do": "matcher", "matcher": {"text": "queue"}})
    assert memory.rules.lessons() == []


def test_actions_of_which_nobody_said_how_they_went_are_counted(memory, clock):
    def flags():
        return [flag for flag in memory.status().flags if "nobody said" in flag]

    memory.before(Action(agent="bot", text="set up MongoDB for the orders", directory=PROJECT))
    assert flags() == []
    clock.now = "2026-03-10T14:00:00.000Z"
    counted = "actions of the last 7 days of which nobody said how they went (`steno gate after`)"
    assert flags() == [f"{counted}: 1"]
    memory.before(Action(agent="bot", text="delete the uploads", directory=PROJECT))
    memory.after(Outcome(agent="bot", passed=True, summary="left them alone", directory=PROJECT))
    clock.now = "2026-03-11T14:00:00.000Z"
    assert flags() == [f"{counted}: 1"]
    clock.now = "2026-03-18T14:00:00.000Z"
    assert flags() == []


def test_broken_and_unused_flows_are_flags_and_are_marked_where_they_are_offered(memory, clock):
    memory.flows.add("deploy-blog", ["build", "push"], ["deploy the blog"])
    memory.flows.add("rotate-keys", ["make", "swap"], ["rotate the keys"])
    for passed in (True, False, False, False, False):
        memory.after(Outcome(agent="bot", passed=passed, summary="blog", flow="deploy-blog"))
    clock.now = "2026-04-20T12:00:00.000Z"
    flags = [
        "flow deploy-blog: 20 % (1 of 5), broken; rewrite it (`steno flows show deploy-blog`)",
        "flow rotate-keys: never used; retire it or use it (`steno flows show rotate-keys`)",
    ]
    assert [flag for flag in memory.status().flags if flag.startswith("flow ")] == flags
    booted = memory.boot(project=PROJECT).text
    assert all(f"- {flag}" in booted and f"- {flag}" in memory.handoff() for flag in flags)
    assert "deploy-blog 20 % (1 of 5), broken: deploy the blog" in booted
    assert "rotate-keys never used: rotate the keys" in booted


def test_a_rebuild_gives_the_same_lessons_and_rules(memory, clock):
    for _ in range(3):
        memory.after(Outcome(agent="bot", passed=True, summary="up", learned=LESSON, directory=PROJECT))
    clock.now = "2026-03-12T12:00:00.000Z"
    memory.rules.settle()
    entries, rules = memory.entries(), memory.rules.all()
    assert [entry.repeated for entry in entries if entry.summary == LESSON] == [2]
    memory.rebuild()
    memory.rules.settle()
    assert (memory.entries(), memory.rules.all()) == (entries, rules)


def test_a_lesson_of_an_agent_never_becomes_critical(memory, clock):
    memory.after(Outcome(agent="bot", passed=True, summary="up", learned=LESSON, directory=PROJECT))
    for day in range(11, 29):
        clock.now = f"2026-03-{day}T12:00:00.000Z"
        memory.after(Outcome(agent="bot", passed=True, summary="up", learned=LESSON, directory=PROJECT))
    [rule] = [rule for rule in memory.rules.all() if rule.rule == LESSON]
    assert (rule.origin, rule.status) == ("assistant", "active")
    assert rule.score < 9


def test_no_success_of_an_agent_raises_what_a_person_said(memory, clock):
    rule = memory.rules.add("run the smoke tests against staging before a deploy")
    memory.before(Action(agent="bot", text="deploy the shop to staging", directory=PROJECT))
    clock.now = "2026-03-10T13:00:00.000Z"
    graded = memory.after(Outcome(agent="bot", passed=True, summary="smoke tests against staging green, deployed"))
    assert (graded.reinforced, graded.violated) == ([], [])
    assert memory.rules.one(rule.id).score == rule.score


def test_an_outcome_that_is_about_something_else_breaks_no_rule(memory):
    memory.before(Action(agent="bot", text="set up MongoDB for the orders", directory=PROJECT))
    graded = memory.after(Outcome(agent="bot", passed=False, summary="the page stays blank", directory=PROJECT))
    assert (graded.reinforced, graded.violated) == ([], [])


def test_a_failure_after_a_warning_counts_as_a_violation(memory, clock):
    verdict = memory.before(Action(agent="bot", text="set up MongoDB for the orders", directory=PROJECT))
    clock.now = "2026-03-10T13:00:00.000Z"
    graded = memory.after(Outcome(agent="bot", passed=False, summary="MongoDB lost the data", directory=PROJECT))
    assert graded.violated
    assert set(graded.violated) <= {reason.id for reason in verdict.reasons}
    assert memory.rules.one(graded.violated[0]).violations == 1


def test_another_agents_page_is_not_graded(memory):
    memory.before(Action(agent="bot", text="set up MongoDB for the orders", directory=PROJECT))
    graded = memory.after(Outcome(agent="other", passed=False, summary="the data was lost", directory=PROJECT))
    assert (graded.reinforced, graded.violated) == ([], [])


def test_a_flow_gets_its_record(memory):
    memory.flows.add("deploy", ["build", "push"], ["deploy"])
    memory.after(Outcome(agent="bot", passed=True, summary="went well", flow="deploy"))
    graded = memory.after(Outcome(agent="bot", passed=False, summary="went wrong", flow="deploy"))
    assert (graded.flow.succeeded, graded.flow.failed) == (1, 1)
    assert memory.flows.one("deploy") == graded.flow


def test_an_unknown_flow_is_named_and_nothing_is_written(memory):
    with pytest.raises(UnknownFlow, match="no flow is called 'deplo'"):
        memory.after(Outcome(agent="bot", passed=True, summary="up", flow="deplo", learned=LESSON))
    assert (records(memory), memory.entries(category="learning")) == ([], [])


def test_an_outcome_needs_words(memory):
    with pytest.raises(WrongUse, match="needs a summary"):
        memory.after(Outcome(agent="bot", passed=True, summary=" \n"))


def test_words_alone_are_not_permanent_and_something_that_lasts_is_proposed(memory, tmp_path):
    memory.before(Action(agent="bot", text="set up the database", directory=str(tmp_path)))
    graded = memory.after(Outcome(agent="bot", passed=True, summary="up", learned=LESSON, directory=str(tmp_path)))
    assert (graded.permanent, graded.changed) == (False, [])
    assert graded.proposal == "only words changed: make it a step of a flow, or a rule with a matcher"


def test_a_script_or_schema_written_since_the_action_began_is_permanent(tmp_path):
    shop = tmp_path / "shop"
    for name in ("scripts/pool.sh", "db/migrations/7_pool.sql", "Makefile", "src/app.py", "node_modules/x/build.sh"):
        (shop / name).parent.mkdir(parents=True, exist_ok=True)
        (shop / name).write_text("# a connection to the pool")
    # It has nothing to do with the lesson.
    (shop / "scripts/icons.sh").write_text("# draws the icons")
    (shop / "scripts/old.sh").write_text("x")
    os.utime(shop / "scripts/old.sh", (0, 0))
    with house(tmp_path, clock=SteppingClock("2020-01-01T00:00:00.000Z")) as memory:
        memory.before(Action(agent="bot", text="set up the database", directory=str(shop)))
        graded = memory.after(Outcome(agent="bot", passed=True, summary="up", learned=LESSON, directory=str(shop)))
    assert (graded.permanent, graded.proposal) == (True, "")
    assert graded.changed == ["schema db/migrations/7_pool.sql", "script Makefile", "script scripts/pool.sh"]


def test_a_flow_or_a_matcher_made_since_is_permanent_and_a_rule_is_not(memory, clock):
    def learnt(text):
        return memory.after(Outcome(agent="bot", passed=True, summary="up", learned=text)).changed

    memory.before(Action(agent="bot", text="set up the database"))
    clock.now = "2026-03-10T13:00:00.000Z"
    rule = memory.rules.add("pools have at least forty connections")
    assert learnt("count the connections") == []
    memory.flows.add("set-up-database", ["create", "size the pool"])
    assert learnt("size pools by load") == ["flow set-up-database"]
    memory.rules.tell(rule.id, {"do": "matcher", "matcher": {"text": "pool_size"}})
    assert learnt("write sizes into the settings") == ["flow set-up-database", f"matcher of rule {rule.id}"]


def test_secrets_in_an_outcome_are_not_kept(memory):
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    memory.after(Outcome(agent="bot", passed=True, summary=f"pushed with {token}", learned=f"the token is {token}"))
    assert token not in json.dumps(memory.home.store.entries.records())
    assert [token in entry.summary for entry in memory.entries(category="learning")] == [False]
