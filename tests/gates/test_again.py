"""What was refused comes again: the same is asked about, what has words in common is reminded of, the rest passes."""

from typing import Any

import pytest

from steno.doors.hooks.codex import hear
from steno.gates.asked import asked
from steno.gates.match import Index
from steno.testing import an_entry, write_jsonl
from steno.vocabulary import Action, Category
from steno.vocabulary.details import DETAILS, Afterwards, Call, Exchange, Stance

PROJECT = "/shop"


def bash(command: str) -> dict[str, object]:
    return {"tool": "Bash", "input": {"command": command}}


def edit(path: str, old: str, new: str) -> dict[str, object]:
    return {"tool": "Edit", "input": {"file_path": path, "old_string": old, "new_string": new}}


@pytest.mark.parametrize(
    ("words", "text", "more", "voice"),
    [
        # All that a plain prohibition names, in words or in what a tool is given.
        ("never use Kafka", "add Kafka for the invoices", {}, "ask"),
        ("never use Kafka", "set it up", bash("pip install kafka"), "ask"),
        ("never use Kafka", "set it up", bash("cat kafka.yml > compose.yml"), "ask"),
        ("never delete the ledger table", "delete the ledger table", {}, "ask"),
        ("don't touch the ledger table", "drop the ledger table", {}, "ask"),
        ("niemals die Rechnungen löschen", "die Rechnungen löschen", {}, "ask"),
        ("never use kafka", "add Kafka for the invoices", {}, "ask"),
        # Its reason need not be named.
        ("no, never use Kafka, it lost our data", "add Kafka for the invoices", {}, "ask"),
        # Only a part of it.
        ("never delete the ledger table", "add a column to the ledger table", {}, "warn"),
        ("never use Kafka with Celery", "set up Kafka", {}, "warn"),
        # Looked at, written about, taken out, replaced.
        ("never use Kafka", "x", bash("grep -r kafka . 2>/dev/null | head 2>&1"), "allow"),
        ("never use Kafka", "see whether anything imports kafka", {}, "allow"),
        ("never use Kafka", "take kafka out again", {}, "allow"),
        ("never use Kafka", "replace Kafka with a table", {}, "warn"),
        ("never change the ledger table", "update the docs about the ledger table", {}, "warn"),
        ("never change the ledger table", "x", edit("docs/a.md", "", "change the ledger table"), "warn"),
        # A condition, an order, no word that binds, a plain word alone, more than a sentence can hold.
        ("never use Kafka without asking Ana", "add Kafka and do not wait for Ana", {}, "warn"),
        ("no Kafka unless the broker is ours", "add Kafka, the broker is ours", {}, "warn"),
        ("kein Kafka, außer für Rechnungen", "add Kafka for the Rechnungen", {}, "warn"),
        ("never rewrite pushed commits", "push the new branch", {}, "warn"),
        ("never push to main, the CI does not like it", "mend the CI", {}, "warn"),
        ("never use Kafka, in the tests", "add Kafka for the invoices", {}, "warn"),
        ("always use Kafka", "add Kafka for the invoices", {}, "warn"),
        ("we had Kafka once", "add Kafka for the invoices", {}, "warn"),
        ("no sleeps in tests", "raise the sleep between two retries", {}, "warn"),
        ("never use Kafka in the very large and very old shop of ours down here", "add Kafka to our shop", {}, "warn"),
        # Nothing in common, and a check that is run every day.
        ("never use Kafka", "shorten the labels of the basket", {}, "allow"),
        ("never use Kafka in pytest", "x", bash("pytest tests/kafka"), "allow"),
    ],
)  # fmt: skip
def test_the_gate_speaks_with_the_voice_it_can_answer_for(before, memory, words, text, more, voice):
    memory.rules.add(words, project=PROJECT)
    words = " ".join(words.split())
    said = before(text, **more)
    assert (said[0], words in said[1]) == (voice, voice != "allow")


FORCED = "git push --force origin main"
ALTERED = "psql $DATABASE_URL -c 'ALTER TABLE payments ADD COLUMN token text'"
CLEANED = "rm -rf node_modules dist data"


@pytest.mark.parametrize(
    ("refused", "text", "more", "voice"),
    [
        # Whatever the order of its flags, alone or among others, or told in words.
        (FORCED, "push", bash(FORCED), "ask"),
        (FORCED, "push", bash("cd /shop && git push origin main --force && make"), "ask"),
        (FORCED, "push", bash("git push --force origin topic"), "warn"),
        (ALTERED, "add a token column to the payments table", {}, "ask"),
        # With another message, or only a part of it, it is another call.
        ("git commit -m 'add the wip files'", "commit", bash("git commit -m 'add the wip files'"), "ask"),
        ("git commit -m 'add the wip files'", "commit", bash("git commit -m 'mend the cart'"), "allow"),
        ("git commit -F - <<'E'\nthe wip files\nE", "x", bash("git commit -F - <<'E'\nthe wip files\nE"), "ask"),
        ("git commit -F - <<'E'\nthe wip files\nE", "x", bash("git commit -F - <<'E'\nmend the cart\nE"), "allow"),
        (CLEANED, "clean", bash(CLEANED), "ask"),
        (CLEANED, "clean", bash("mkdir -p data && mv dist data"), "allow"),
        # Also where it only looks, or nothing of it is words.
        ("make build", "build", bash("make build"), "ask"),
        ("make build", "build it", {}, "allow"),
        ("cat .env", "look", bash("cat .env"), "ask"),
        (ALTERED, "count the rows of the payments table", {}, "allow"),
        (ALTERED, "x", bash("psql $DATABASE_URL -c 'INSERT INTO payments SELECT * FROM old'"), "warn"),
    ],
)  # fmt: skip
def test_the_very_call_that_was_refused_for_good_is_asked_about(before, refuse, refused, text, more, voice):
    refuse("Bash", {"command": refused})
    assert before(text, **more)[0] == voice


def sure(category: Category, words: str, action: Action, **detail: Any) -> list[bool]:
    """Of what the gate says to an action, whether it asks; nothing where it is silent."""
    entry = an_entry(category, words, DETAILS[category](**detail))
    return [match.sure for match in Index([entry]).concerning(action, asked(action), lambda _: True)]


@pytest.mark.parametrize(
    ("stance", "asks"),
    [
        (Stance(reach="standing", binds=True), True),
        (Stance(reach="standing"), False),
        # However it was put: it was meant for one piece of work.
        (Stance(reach="work", binds=True), False),
    ],
)
@pytest.mark.parametrize("category", ["rejected", "rule"])
def test_what_a_person_said_asks_where_it_binds_and_lasts(category, stance, asks):
    action = Action(agent="bot", text="add Kafka for the invoices")
    assert sure(category, "I don't want Kafka here", action, stance=stance) == [asks]


@pytest.mark.parametrize(
    ("reach", "afterwards", "says"), [("standing", "", [True]), ("work", "", [False]), ("standing", "ran later", [])]
)
def test_a_stopped_call_is_asked_about_unless_it_ran_later_or_was_stopped_for_the_moment(
    reach: str, afterwards: Afterwards, says: list[bool]
):
    exchange = Exchange(kind="call", call=Call("Bash", "dropdb shop"), afterwards=afterwards)
    action = Action(agent="bot", text="clean up", tool="Bash", input={"command": "dropdb shop"})
    assert sure("rejected", "no", action, stance=Stance(reach=reach), exchange=exchange) == says


def test_what_was_refused_for_good_is_asked_about_sixty_days_later(before, refuse, clock):
    refuse("Bash", {"command": FORCED})
    clock.now = "2026-05-10T12:00:00.000Z"
    assert before("push", **bash("git push origin main --force"))[0] == "ask"


def test_a_command_that_is_not_to_be_run_is_asked_about_however_it_is_started(before, memory):
    memory.rules.add("never run black", project=PROJECT)
    asked_about = ["black .", "cd /shop && uv run black src", "python -m black .", "make && black ."]
    assert [before("format", **bash(command))[0] for command in asked_about] == ["ask"] * 4
    fine = ["ruff format .", "git push origin main", "cat black.md", "git commit -m 'never run black'"]
    assert [before("go on", **bash(command))[0] for command in fine] == ["allow"] * 4


def test_a_command_forbidden_under_a_condition_is_only_reminded_of(before, memory):
    memory.rules.add("don't push unless I say so", project=PROJECT)
    assert before("go on", **bash("git push origin main")) == ("warn", ["don't push unless I say so"])


def test_the_refused_edit_is_asked_about_and_its_revert_is_not(before, refuse):
    plain, cached = "return load(key)", "return redis.get(key) or fill(redis, key, load(key), ttl=60)"
    refuse("Edit", edit("/shop/cache.py", plain, cached)["input"])
    text = "Edit /shop/cache.py"
    assert before(text, **edit("/shop/cache.py", plain, cached))[0] == "ask"
    assert before(text, **edit("/shop/cache.py", cached, plain))[0] == "warn"


PATCH = "*** Begin Patch\n*** Update File: cache.py\n@@\n-return load(key)\n+return redis.get(key)\n*** End Patch"


def test_a_refused_patch_of_codex_is_asked_about_as_its_hooks_tell_of_it(memory, tmp_path):
    def hook(patch: str) -> str:
        call = {"session_id": "new", "cwd": PROJECT, "tool_name": "apply_patch", "tool_input": {"command": patch}}
        deed = hear("PreToolUse", call).deeds[0]
        action = Action(agent="bot", text=deed.text, tool=deed.tool, input=deed.input, directory=PROJECT)
        return type(memory.before(action)).__name__

    said = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "no, never do that again"}]}
    payloads: list[dict[str, Any]] = [
        {"type": "custom_tool_call", "name": "apply_patch", "call_id": "1", "input": PATCH},
        {"type": "custom_tool_call_output", "call_id": "1", "output": "rejected by user"},
        said,
    ]
    meta = {"type": "session_meta", "payload": {"id": "c1", "timestamp": "2026-03-01T10:00:00.000Z", "cwd": PROJECT}}
    lines = [meta, *({"type": "response_item", "payload": payload} for payload in payloads)]
    stamped = [line | {"timestamp": f"2026-03-01T10:00:0{at}.000Z"} for at, line in enumerate(lines)]
    memory.capture(write_jsonl(tmp_path / "rollout-2026-03-01T10-00-00-c1.jsonl", *stamped), source="codex")
    memory.scribe()
    memory.rules.settle()
    assert hook(PATCH) == "Ask"
    assert hook(PATCH.replace("cache.py", "other.py")) != "Ask"


def test_where_a_command_is_run_says_nothing(before, memory):
    memory.remember("no parser in /home/me/work/shop/packages/tools", category="rejected", project=PROJECT)
    assert before("run the checks", **bash("cd /home/me/work/shop/packages && make check")) == ("allow", [])


@pytest.mark.parametrize(
    ("request_", "voice"),
    [
        ("please run black over the parser, just this once", "warn"),
        ("ja, nimm black", "warn"),
        ("can you run black?", "warn"),
        ("lass jetzt mal black laufen", "warn"),
        ("why did you run black?", "ask"),
        ("don't run black", "ask"),
        ("run the tests", "ask"),
        ("please run black. " * 40, "ask"),
    ],
)
def test_who_just_asked_for_exactly_that_is_not_asked_back(before, memory, request_, voice):
    memory.rules.add("never run black, it reformats the vendored files", project=PROJECT)
    assert before("format", request=request_, **bash("black src"))[0] == voice
