"""What was refused comes again: the same is asked about, what is like it is reminded of, what is near it passes."""

import pytest

from steno.doors.hooks.codex import hear
from steno.testing import write_jsonl
from steno.vocabulary import Action
from steno.vocabulary.details import Call, Exchange, Instructed, Rejected, Stance, Weight

PROJECT = "/shop"


def no(refused: str = "", **stance: str) -> Rejected:
    """A refusal for good."""
    return Rejected(stance=Stance(refused=refused, **{"reach": "standing", **stance}))


def stopped(tool: str, given: str, *, afterwards: str = "", **stance: str) -> Rejected:
    """A refused call."""
    call = Exchange(kind="call", call=Call(tool, given), afterwards=afterwards)
    return Rejected(stance=Stance(**{"reach": "standing", **stance}), exchange=call)


def bash(command: str) -> dict[str, object]:
    return {"tool": "Bash", "input": {"command": command}}


def edit(path: str, old: str, new: str) -> dict[str, object]:
    return {"tool": "Edit", "input": {"file_path": path, "old_string": old, "new_string": new}}


FORCED = stopped("Bash", "git push --force origin main")
COMMITTED = stopped("Bash", "git commit -m 'add the wip files'")
DOCUMENTED = stopped("Bash", "git commit -F - <<'E'\nadd the wip files\nE")
CLEANED = stopped("Bash", "rm -rf node_modules dist data")
ALTERED = stopped("Bash", "psql $DATABASE_URL -c 'ALTER TABLE payments ADD COLUMN token text'")
RULED = Instructed(
    stance=Stance(wanted="always use uv here", reach="standing"),
    exchange=Exchange(kind="call", call=Call("Bash", "pip install requests")),
)
CACHE = no("a cache in front of the database")
FORMIK = no("For the login form I'd bring in Formik")
JOINED = Rejected(
    stance=Stance(refused="redis", wanted="read the orders with one join", reach="standing"),
    exchange=Exchange(said="no redis, read the orders with one join", answered="read the orders from redis?"),
    weight=Weight(act="reject", probability=0.9, lasting=0.9, importance=0.9),
)
DAILY = no("daily", wanted="monthly please")


@pytest.mark.parametrize(
    ("words", "detail", "text", "more", "voice"),
    [
        # The same call, whatever the order of its flags, alone or among others, or told in words.
        ("no", FORCED, "push", bash("git push --force origin main"), "ask"),
        ("no", FORCED, "push", bash("cd /shop && git push origin main --force && make"), "ask"),
        ("no", FORCED, "push", bash("git push origin main"), "warn"),
        ("no", FORCED, "push", bash("git push --force origin topic"), "warn"),
        # With another message, or only a part of it, it is another call.
        ("no", COMMITTED, "commit", bash("git commit -m 'add the wip files'"), "ask"),
        ("no", COMMITTED, "commit", bash("git commit -m 'mend the cart'"), "allow"),
        ("no", DOCUMENTED, "commit", bash("git commit -F - <<'E'\nadd the wip files\nE"), "ask"),
        ("no", DOCUMENTED, "commit", bash("git commit -F - <<'E'\nmend the cart\nE"), "allow"),
        ("never touch data/", CLEANED, "clean", bash("rm -rf node_modules dist data"), "ask"),
        ("never touch data/", CLEANED, "clean", bash("rm -rf node_modules dist"), "warn"),
        ("no", ALTERED, "add a token column to the payments table", {}, "ask"),
        ("no", ALTERED, "alter the payments table", {}, "ask"),
        # Also where its words say nothing, where nothing of it is words, and where it only looks.
        ("no", stopped("Bash", "make build"), "build", bash("make build"), "ask"),
        ("no", stopped("Bash", "make build"), "build it", {}, "allow"),
        ("no", stopped("Bash", "cat .env"), "look", bash("cat .env"), "ask"),
        ("no", ALTERED, "count the rows of the payments table", {}, "allow"),
        ("no", ALTERED, "x", bash("psql $DATABASE_URL -c 'SELECT count(*) FROM payments'"), "allow"),
        ("no", ALTERED, "x", bash("psql $DATABASE_URL -c 'INSERT INTO payments SELECT * FROM old'"), "warn"),
        ("no", stopped("Edit", "/shop/db/schema.rb"), "x", edit("/shop/db/other.rb", "a", "b"), "allow"),
        # A call that was stopped with words that became a rule is no less refused.
        ("always use uv here", RULED, "install it", bash("pip install requests"), "ask"),
        ("always use uv here", RULED, "lint it", bash("ruff check ."), "allow"),
        # Everything that was refused, in the same direction.
        ("no kafka please", no("kafka"), "add Kafka for the invoices", {}, "ask"),
        ("no kafka please", no("kafka"), "set it up", bash("pip install kafka"), "ask"),
        ("no kafka please", no("kafka"), "set it up", bash("cat kafka.yml > compose.yml"), "ask"),
        ("no kafka please", no("kafka"), "x", bash("grep -r kafka . 2>/dev/null | head 2>&1"), "allow"),
        ("no kafka please", no("kafka"), "take kafka out again", {}, "allow"),
        ("no kafka please", no("kafka"), "see whether anything imports kafka", {}, "allow"),
        ("no sleeps in tests", no("sleeps in tests"), "raise the sleep between two retries", {}, "warn"),
        ("keep it", no("keep the old endpoint"), "delete the old endpoint", {}, "ask"),
        ("hands off", no("don't touch the orders table"), "drop the orders table", {}, "ask"),
        ("keep it", no("don't delete the orders table"), "add a column to the orders table", {}, "allow"),
        # What was wanted instead is not what was refused.
        ("no redis, a join", JOINED, "read the orders", bash("echo 'orders = one_join(load)' > orders.py"), "allow"),
        ("no redis, a join", JOINED, "read the orders", bash("echo 'orders = redis_or_join(load)' > orders.py"), "ask"),
        # What only writes about it, and what is like it by its kind, is not it.
        ("hands off", no("never change the payments table"), "update the docs about the payments table", {}, "warn"),
        ("no", no("never change the payments table"), "x", edit("docs/a.md", "", "change the payments table"), "warn"),
        ("no", stopped("Bash", "black ."), "format", bash("ruff format ."), "allow"),
        # A part of it, a thing of its kind, an edit that brings it in: the agent is reminded and decides.
        ("no", FORMIK, "set up the form", bash("npm install formik"), "warn"),
        ("no", FORMIK, "shorten the labels of the basket", {}, "allow"),
        ("no cache", CACHE, "put redis in front of the database of the product page", {}, "warn"),
        ("no cache", CACHE, "add an index for the slow query", {}, "allow"),
        ("no typescript", no("TypeScript in the build"), "Edit /shop/a.ts", edit("/shop/a.ts", "a()", "b()"), "warn"),
        ("no docker", no("docker for the database"), "bring the container up", {}, "warn"),
        ("no, daily is too noisy", DAILY, "updates", edit("bot.yml", "interval: monthly", "interval: daily"), "ask"),
        ("no, daily is too noisy", DAILY, "updates", edit("bot.yml", "interval: daily", "interval: monthly"), "allow"),
    ],
)  # fmt: skip
def test_the_gate_speaks_with_the_voice_it_can_answer_for(before, listen, words, detail, text, more, voice):
    listen(("user", "go on"), ("user", words, detail))
    assert before(text, **more) == (voice, [words] if voice != "allow" else [])


@pytest.mark.parametrize(
    "detail",
    [
        no("kafka", reach="work"),
        stopped("Bash", "docker run kafka", reach="work", refused="kafka"),
    ],
)
def test_what_was_refused_for_one_piece_of_work_is_reminded_of_and_never_asked_about(before, listen, clock, detail):
    listen(("user", "go on"), ("user", "no kafka in this one", detail))
    run = bash("docker run kafka")
    assert before("add kafka for the invoices", **run) == ("warn", ["no kafka in this one"])
    # No day ends it, only the end of that work.
    clock.now = "2026-05-10T12:00:00.000Z"
    assert before("add kafka for the invoices", **run) == ("warn", ["no kafka in this one"])


def test_what_was_refused_for_good_is_asked_about_sixty_days_later(before, listen, clock):
    listen(("user", "go on"), ("user", "no", FORCED))
    clock.now = "2026-05-10T12:00:00.000Z"
    assert before("push", **bash("git push origin main --force")) == ("ask", ["no"])


def test_a_command_that_is_not_to_be_run_is_asked_about_however_it_is_started(before, listen):
    listen(("user", "go on"), ("user", "never run black", no("never run black")))
    asked = ["black .", "cd /shop && uv run black src", "python -m black .", "make && black ."]
    assert [before("format", **bash(command))[0] for command in asked] == ["ask"] * 4
    fine = ["ruff format .", "git push origin main", "cat black.md", "git commit -m 'never run black'"]
    assert [before("go on", **bash(command))[0] for command in fine] == ["allow"] * 4


def test_the_refused_edit_is_asked_about_and_its_revert_is_not(memory, heard, tmp_path):
    def call(number: int, old: str, new: str) -> dict[str, object]:
        given = {"file_path": "/shop/cache.py", "old_string": old, "new_string": new}
        return {"type": "assistant", "uuid": f"u{number}", "sessionId": "e1", "cwd": "/shop",
                "timestamp": f"2026-03-01T10:0{number}:00.000Z",
                "message": {"role": "assistant", "id": f"m{number}", "content": [
                    {"type": "tool_use", "id": f"t{number}", "name": "Edit", "input": given}]}}  # fmt: skip

    plain, cached = "return load(key)", "return redis.get(key) or fill(redis, key, load(key), ttl=60)"
    words = "no, we do not want that here"
    heard[words] = stopped("Edit", "/shop/cache.py")
    path = write_jsonl(
        tmp_path / "e1.jsonl",
        call(1, plain, cached),
        {"type": "user", "uuid": "u2", "sessionId": "e1", "cwd": "/shop", "timestamp": "2026-03-01T10:02:00.000Z",
         "message": {"role": "user", "content": words}},
    )  # fmt: skip
    memory.capture(path, source="claude-code")
    memory.scribe()
    memory.rules.settle()

    def asks(old: str, new: str) -> str:
        given = {"file_path": "/shop/cache.py", "old_string": old, "new_string": new}
        action = Action(agent="bot", text="Edit /shop/cache.py", tool="Edit", input=given, directory=PROJECT)
        return type(memory.before(action)).__name__

    assert (asks(plain, cached), asks(cached, plain)) == ("Ask", "Allow")


PATCH = "*** Begin Patch\n*** Update File: cache.py\n@@\n-return load(key)\n+return redis.get(key)\n*** End Patch"


@pytest.mark.parametrize(
    ("tool", "made", "again", "other"),
    [
        ("apply_patch", {"type": "custom_tool_call", "input": PATCH}, PATCH, PATCH.replace("cache.py", "other.py")),
        ("set_flag", {"type": "function_call", "arguments": '{"id": 7}'}, {"id": 7}, {"id": 8}),
    ],
)
def test_a_refused_call_of_codex_is_asked_about_as_its_hooks_tell_of_it(
    memory, heard, tmp_path, tool, made, again, other
):
    def hook(given: object) -> str:
        told = hear(
            "PreToolUse",
            {
                "session_id": "new",
                "cwd": PROJECT,
                "tool_name": tool,
                "tool_input": given if isinstance(given, dict) else {"command": given},
            },
        )
        deed = told.deeds[0]
        action = Action(agent="bot", text=deed.text, tool=deed.tool, input=deed.input, directory=PROJECT)
        return type(memory.before(action)).__name__

    words = "no, we do not want that here"
    heard[words] = stopped(tool, "")
    said = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": words}]}
    lines = [
        {"type": "session_meta", "payload": {"id": "c1", "timestamp": "2026-03-01T10:00:00.000Z", "cwd": PROJECT}},
        {"type": "response_item", "payload": {"name": tool, "call_id": "1", **made}},
        {"type": "response_item", "payload": said},
    ]
    stamped = [line | {"timestamp": f"2026-03-01T10:00:0{at}.000Z"} for at, line in enumerate(lines)]
    memory.capture(write_jsonl(tmp_path / "rollout-2026-03-01T10-00-00-c1.jsonl", *stamped), source="codex")
    memory.scribe()
    memory.rules.settle()
    assert (hook(again), hook(other)) == ("Ask", "Allow")


def test_a_call_that_ran_later_after_all_was_never_refused(before, listen):
    listen(("user", "go on"), ("user", "wait", stopped("Bash", "make release", afterwards="ran later")))
    assert before("release", **bash("make release")) == ("allow", [])


def test_the_chosen_option_is_not_the_refused_one(before, listen):
    chosen = no("disable the pay button in JavaScript after the first click", wanted="an idempotency key")
    listen(("user", "go on"), ("user", "b. not a, people turn javascript off", chosen))
    assert before("store an idempotency key with each payment")[0] == "allow"
    assert before("disable the pay button with javascript after the first click")[0] == "ask"


def test_an_instruction_without_a_no_stands_in_nobodys_way(before, listen):
    always = Instructed(stance=Stance(wanted="always run make lint before you commit", reach="standing"))
    listen(("user", "go on"), ("user", "always run make lint before you commit", always))
    assert before("run make lint before you commit", **bash("make lint && git commit -m x")) == ("allow", [])


def test_where_a_command_is_run_says_nothing(before, listen):
    listen(("user", "go on"), ("user", "no", no("put the parser into /home/me/work/shop/packages/tools")))
    run = bash("cd /home/me/work/shop/packages && make check")
    assert before("run the checks", **run) == ("allow", [])
