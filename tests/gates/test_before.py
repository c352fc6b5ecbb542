"""Before an action: what was refused is recognised, what is fine passes, and only a person's words stand in the way."""

import json
import subprocess
import sys

import pytest

from steno.store.receipts import Receipts
from steno.testing import SteppingClock, house
from steno.vocabulary import Action, Allow, Ask, Block, Reason, Receipt, Warn
from steno.vocabulary.errors import WrongUse

PROJECT = "/shop"
MONGO = "never use MongoDB here"
UPLOADS = "never delete anything under uploads"


@pytest.mark.parametrize(
    "text",
    [
        "set up a MongoDB replica set for the orders",
        "move the order table into mongo",
        "add mongoose and connect the orders to it",
    ],
)
def test_a_forbidden_thing_is_asked_about_by_whichever_name(before, text):
    assert before(text) == ("ask", [MONGO])


def test_a_forbidden_thing_is_seen_in_what_a_tool_is_given(before):
    run = {"command": "npm install mongodb"}
    assert before("install the driver", tool="Bash", input=run) == ("ask", [MONGO])
    edit = {"file_path": "orders.py", "old_string": "db = None", "new_string": "import mongodb\ndb = mongodb.connect()"}
    assert before("connect the orders", tool="Edit", input=edit) == ("ask", [MONGO])


@pytest.mark.parametrize(
    "text",
    [
        "remove the MongoDB driver from the orders service",
        "revert the commit that brought in MongoDB",
        "check whether anything still imports mongodb",
        "set up PostgreSQL for the orders",
        "fix the typo in the README",
    ],
)
def test_undoing_looking_and_doing_another_thing_are_fine(before, text):
    assert before(text) == ("allow", [])


def test_a_command_that_only_reads_is_fine(before):
    read = {"command": "grep -rn 'mongodb\\|orders' src"}
    assert before("see where it is used", tool="Bash", input=read) == ("allow", [])
    assert before("orders and mongodb", tool="Read", input={"file_path": "mongodb/orders.md"}) == ("allow", [])


def test_what_must_not_be_removed_may_be_added_to(before):
    assert before("delete the uploads of 2022") == ("ask", [UPLOADS])
    assert before("free space", tool="Bash", input={"command": "rm -rf /srv/uploads/2022"}) == ("ask", [UPLOADS])
    assert before("add a folder for thumbnails under uploads") == ("warn", [UPLOADS])


def test_words_with_a_condition_remind_and_are_told_whole(before, memory):
    words = "not pulling in lodash until we have a second use for it"
    assert before("add lodash and use its debounce") == ("warn", [words])
    [reason] = memory.before(Action(agent="bot", text="add lodash", directory=PROJECT)).reasons
    assert reason == Reason(
        id=reason.id, kind="rejected", text=words, quote="", at="2026-03-01T10:00:00.000Z", by="edit"
    )


def test_another_project_is_another_matter(before, memory):
    assert before("set up MongoDB for the orders", directory="/elsewhere")[0] == "allow"
    memory.remember("never use Kafka", category="rejected", project="/elsewhere")
    assert before("add a Kafka topic for the orders")[0] == "allow"
    assert before("add a Kafka topic for the orders", directory="/elsewhere")[0] == "ask"


def test_what_holds_for_one_agent_holds_for_that_agent(tmp_path):
    with house(tmp_path) as memory:
        memory.remember("never use Kafka", category="rejected", agent="blog-bot")
        text = "add a Kafka topic"
        assert isinstance(memory.before(Action(agent="blog-bot", text=text)), Ask)
        assert isinstance(memory.before(Action(agent="other", text=text)), Allow)


def test_what_was_laid_aside_does_not_fire(before, memory):
    mongo, lodash = memory.entries(category="rejected")
    memory.archive(mongo.id)
    assert before("set up MongoDB for the orders")[0] == "allow"
    assert before("pull in lodash")[0] == "warn"
    memory.rules.retire(lodash.id)
    assert before("pull in lodash")[0] == "allow"


def test_only_a_persons_words_ask(tmp_path):
    with house(tmp_path) as memory:
        memory.home.store.entries.remember(
            "never use Kafka", "rejected", project=None, agent=None, now="2026-01-01T12:00:00.000Z", origin="assistant"
        )
        assert isinstance(memory.before(Action(agent="bot", text="add a Kafka topic")), Warn)


def test_what_a_person_writes_down_without_a_word_that_binds_reminds(tmp_path):
    with house(tmp_path) as memory:
        memory.remember("uploading straight to production", category="rejected")
        assert isinstance(memory.before(Action(agent="bot", text="upload the build straight to production")), Warn)


def test_an_approach_that_failed_warns_and_never_asks(tmp_path):
    with house(tmp_path) as memory:
        memory.remember("rsync --delete onto the web root", category="exclusion")
        verdict = memory.before(Action(agent="bot", text="rsync --delete the build onto the web root"))
        assert isinstance(verdict, Warn)
        assert verdict.reasons[0].kind == "exclusion"
        assert [entry.summary for entry in verdict.page.excluded] == ["rsync --delete onto the web root"]


@pytest.mark.parametrize(("mode", "kind"), [("warn", Warn), ("ask", Ask), ("block", Block)])
def test_a_matcher_acts_in_its_mode(tmp_path, mode, kind):
    with house(tmp_path, clock=SteppingClock("2026-03-10T12:00:00.000Z")) as memory:
        rule = memory.rules.add("releases go through the pipeline")
        _match(memory, rule.id, mode, command=r"\btwine upload\b")
        action = Action(agent="bot", text="publish", tool="Bash", input={"command": "twine upload dist/*"})
        verdict = memory.before(action)
        assert isinstance(verdict, kind)
        assert [(reason.kind, reason.id) for reason in verdict.reasons] == [("rule", rule.id)]
        assert verdict.reasons[0].on == "twine upload dist/*"
        fine = Action(agent="bot", text="build", tool="Bash", input={"command": "python -m build"})
        assert isinstance(memory.before(fine), Allow)


def test_a_matcher_on_an_agents_words_only_warns(tmp_path):
    with house(tmp_path, clock=SteppingClock("2026-03-10T12:00:00.000Z")) as memory:
        id_ = memory.home.store.entries.remember(
            "uploads by hand go wrong", "learning", project=None, agent=None, now="2026-03-08T12:00:00.000Z",
            origin="assistant",
        )  # fmt: skip
        memory.rules.settle()
        _match(memory, id_, "block", command="twine")
        memory.home.store._database._connection.execute("UPDATE rules SET mode = 'block' WHERE id = ?", (id_,))
        memory.rules._known_for = None
        action = Action(agent="bot", text="publish", tool="Bash", input={"command": "twine upload dist/*"})
        assert isinstance(memory.before(action), Warn)


def _match(memory, id_, mode, **patterns):
    """Give a rule a matcher, try it, and climb the ladder."""
    now, tell = memory.home.clock(), memory.home.store.entries.tell
    tell("rule", id_, {"do": "matcher", "matcher": patterns}, now)
    trial = {"at": now, "matcher": patterns, "fired": 0, "right": 0, "wrong": 0}
    tell("rule", id_, {"do": "trial", "trial": trial}, now)
    tell("rule", id_, {"do": "mode", "mode": mode}, now)
    memory.rules.settle()


def test_the_page_holds_the_flow_what_was_decided_and_the_rules(memory, before):
    memory.flows.add("set-up-database", ["back up", "create", "grant"], ["set up the database"], domain="OPS")
    memory.remember("the orders live in PostgreSQL 17", category="decision", project=PROJECT)
    page = memory.before(Action(agent="bot", text="set up the database for the orders", directory=PROJECT)).page
    assert (page.flow.name, page.domain) == ("set-up-database", "OPS")
    assert "the orders live in PostgreSQL 17" in [entry.summary for entry in page.active]
    # What has nothing to do with a database is only counted.
    assert (page.rules, page.more) == ([], 3)


def test_a_gate_follows_what_is_said_and_taken_back(before, memory):
    assert before("add Kafka for the orders")[0] == "allow"
    memory.remember("never use Kafka", category="rejected", project=PROJECT)
    assert before("add Kafka for the orders")[0] == "ask"
    memory.forget(text="Kafka")
    assert before("add Kafka for the orders")[0] == "allow"


def test_another_process_is_noticed(before, memory, tmp_path):
    assert before("add Kafka for the orders")[0] == "allow"
    with house(tmp_path) as other:
        other.remember("never use Kafka", category="rejected")
    assert before("add Kafka for the orders")[0] == "ask"


SWAP = """
import sys, apsw
store, holds, is_over = sys.argv[1:]
apsw.Connection(store).execute(
    "UPDATE entries SET status = iif(id = ?, 'active', 'archived') WHERE id IN (?, ?)", (holds, holds, is_over)
)
"""


def test_one_that_ends_while_another_holds_again_is_noticed(before, memory, tmp_path):
    kafka, celery = (memory.remember(f"never use {name}", category="rejected").id for name in ("Kafka", "Celery"))
    actions = ("add Kafka for the orders", "add Celery for the orders")
    told = []
    # The second time as many hold as before.
    for pair in ((kafka, celery), (celery, kafka)):
        subprocess.run([sys.executable, "-c", SWAP, tmp_path / "steno" / "steno.db", *pair], check=True)
        told.append([before(action)[0] for action in actions])
    assert told == [["ask", "allow"], ["allow", "ask"]]


def test_an_agent_is_registered_at_its_first_use_and_every_answer_leaves_a_receipt(memory, before, clock):
    before("set up MongoDB for the orders")
    clock.now = "2026-03-11T12:00:00.000Z"
    before("write the README")
    rows = list(memory.home.store._database._connection.execute("SELECT name, since FROM agents"))
    assert rows == [("bot", "2026-03-10T12:00:00.000Z")]
    first, second = memory.receipts()
    entry = next(entry for entry in memory.entries(category="rejected") if entry.summary == MONGO)
    assert f"entry:{entry.id}" in first.items
    assert f"reason:{entry.id}" in first.items
    assert first.tokens <= 3000
    told = Receipt(
        id=1, at="2026-03-10T12:00:00.000Z", kind="gate", agent="bot", session=None, turn=None, tier=None,
        tokens=first.tokens, items=first.items, verdict="ask", why="action",
        because={f"entry:{entry.id}": "a plain prohibition names it"},
    )  # fmt: skip
    assert first == told
    assert (second.verdict, second.session, second.at) == ("allow", None, "2026-03-11T12:00:00.000Z")
    assert MONGO not in json.dumps([first.items, second.items])


def test_an_action_without_an_agent_is_refused(memory):
    with pytest.raises(WrongUse, match="name of the agent"):
        memory.before(Action(agent=" ", text="deploy"))


def test_what_another_process_says_while_a_receipt_is_written_is_noticed(before, tmp_path, monkeypatch):
    put = Receipts.put

    def meanwhile(self, *given):
        monkeypatch.setattr(Receipts, "put", put)
        with house(tmp_path) as other:
            other.remember("never use Kafka", category="rejected")
        return put(self, *given)

    assert before("warm up")[0] == "allow"
    monkeypatch.setattr(Receipts, "put", meanwhile)
    assert before("add Kafka for the orders")[0] == "allow"
    assert before("add Kafka for the orders")[0] == "ask"


def test_a_matcher_nobody_tried_does_not_warn_of_undoing_and_looking(before, memory, clock):
    rule = next(rule for rule in memory.rules.all() if "MongoDB" in rule.rule and rule.source == "rejected")
    memory.rules.tell(rule.id, {"do": "matcher", "matcher": {"text": "mongodb"}})
    assert before("connect the shop to mongodb")[0] in ("warn", "ask")
    assert before("remove the mongodb driver")[0] == "allow"
    assert before("look at the mongodb driver")[0] == "allow"
    trial = {"at": clock.now, "matcher": {"text": "mongodb"}, "fired": 0, "right": 0, "wrong": 0}
    memory.rules.tell(rule.id, {"do": "trial", "trial": trial})
    assert before("remove the mongodb driver")[0] == "warn"


def test_a_gate_that_is_kept_warm_and_knows_little_is_never_behind(before, memory):
    memory.warm()
    memory.remember("never use Kafka", category="rejected")
    assert before("add Kafka for the orders")[0] == "ask"


def test_a_gate_that_is_kept_warm_answers_with_what_it_has_and_never_with_what_was_forgotten(
    before, memory, monkeypatch
):
    monkeypatch.setattr("steno.pipeline.gate._AT_ONCE", 0)
    memory.warm()
    memory.remember("never use Kafka", category="rejected")
    assert before("add Kafka for the orders")[0] == "allow"
    memory.warm()
    assert before("add Kafka for the orders")[0] == "ask"
    memory.forget(text="Kafka")
    assert before("add Kafka for the orders")[0] == "allow"


def test_a_flow_that_needs_approval_is_asked_about(before, memory):
    memory.flows.add("ship-it", ["make release"], triggers=["ship to production"], needs_approval=True, project="/shop")
    verdict = memory.before(Action(agent="bot", text="ship to production now", directory="/shop"))
    assert isinstance(verdict, Ask)
    assert [(reason.kind, reason.id) for reason in verdict.reasons] == [("flow", "ship-it")]


def test_a_folder_inside_a_known_project_belongs_to_it(memory):
    action = Action(agent="bot", text="use MongoDB for the orders", directory="/shop/src/orders")
    assert isinstance(memory.before(action), Ask)


def test_an_empty_action_is_wrong_use(memory):
    with pytest.raises(WrongUse, match="no action in an empty text"):
        memory.before(Action(agent="bot", text=" "))


@pytest.mark.parametrize(
    ("agent", "recorded_for", "holds"), [("codex", None, True), ("codex", "rosa", False), ("rosa", "rosa", True)]
)
def test_what_is_said_at_a_prompt_concerns_whom_the_gate_concerns(memory, agent, recorded_for, holds):
    prompt = "let's use MongoDB for the orders"
    assert memory.remind(prompt, project="/shop", agent=agent)
    assert memory.remind(prompt, project="/blog", agent=agent) == []
    memory.remember("never use Kafka", category="rejected", project="/shop", agent=recorded_for)
    found = memory.remind("add Kafka for the invoices", project="/shop", agent=agent)
    assert bool(found) == holds


def test_a_refusal_a_person_put_in_other_words_stands_in_the_way_of_what_these_say(before, memory):
    entry = next(entry for entry in memory.entries(category="rejected") if "MongoDB" in entry.summary)
    memory.revise(entry.id, summary="never use Kafka for the invoices")
    assert before("set up MongoDB for the orders")[0] == "allow"
    verdict = memory.before(Action(agent="bot", text="use Kafka for the invoices", directory=PROJECT))
    assert isinstance(verdict, Ask)
    assert [(one.text, one.quote) for one in verdict.reasons] == [("never use Kafka for the invoices", "")]
