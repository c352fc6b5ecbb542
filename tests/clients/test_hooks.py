"""A session as its user has it: the real client with our hooks in it, the real daemon, and a look at what the model was
told."""

import re
from pathlib import Path

import steno

from .machine import ClaudeCode, Client, Codex, Machine
from .model import FULL, Delegate, Model, Run, Say

# What Steno says to an agent.
FRAME = re.compile(r"<steno .*?</steno>", re.DOTALL)
BOOT, TIER_0 = '<steno boot="1">', '<steno tier="0">'
PLUGINS = Path(steno.__file__).parent / "plugins"
RULE = "always answer in one sentence"
OFFER = "Shall I keep the carts in Redis?"
# Words of which something is learnt, whoever says them.
LEARNABLE = "Decision: we will use MongoDB for the carts.\nalways use MongoDB for the carts"
REFUSAL = "no, never use Redis for the carts"


def told(model: Model) -> list[str]:
    """What the model had from Steno when it was asked last."""
    return FRAME.findall(model.work[-1].text)


def refusals(machine: Machine) -> list[str]:
    """What people surely refused or ruled, as far as it is learnt."""
    binding = ("rejected", "rule")
    said = [entry for entry in machine.rows("entries") if entry["category"] in binding and entry["evidence"]]
    said = [entry for entry in said if entry["certainty"] == "confirmed"]
    return [entry["evidence"][0]["quote"] for entry in said]


def refuse_redis(client: Client, machine: Machine, model: Model) -> str:
    """A session in which the user refuses something, and the daemon has learnt it."""
    model.when("speed up the shop", Say(OFFER))
    model.when("never use redis", Say("Understood, no Redis."))
    session = client.start("speed up the shop")
    client.resume(session, REFUSAL)
    machine.until(lambda: refusals(machine), [REFUSAL])
    return session


# -- start, prompt, resume, fork ---------------------------------------------------------------------------------------


def test_the_briefing_arrives_when_a_session_starts(at_work: Client, machine: Machine, model: Model) -> None:
    machine.steno("rules", "add", RULE)
    at_work.start("hello there")
    [briefing] = told(model)
    assert briefing.startswith(BOOT)
    assert any(line.startswith(f"- “{RULE}”") for line in briefing.splitlines())


def test_what_one_session_refused_the_next_one_knows(at_work: Client, machine: Machine, model: Model) -> None:
    refuse_redis(at_work, machine, model)
    at_work.start("hello there")
    [briefing] = told(model)
    assert REFUSAL in briefing


def test_an_ordinary_prompt_brings_nothing(at_work: Client, machine: Machine, model: Model) -> None:
    machine.steno("rules", "add", RULE)
    session = at_work.start("hello there")
    first = told(model)
    at_work.resume(session, "and how are you?")
    assert {*told(model)} == {*first}


def test_a_fork_is_briefed(at_work: Client, machine: Machine, model: Model) -> None:
    session = refuse_redis(at_work, machine, model)
    fork = at_work.fork(session, "and now?")
    assert fork != session
    assert any(REFUSAL in frame for frame in told(model))


def test_an_agent_that_is_sent_for_something_is_briefed_too(
    claude_code: ClaudeCode, machine: Machine, model: Model
) -> None:
    machine.steno("install", "claude-code", "--yes")
    machine.steno("rules", "add", RULE)
    model.when("have it looked at", Delegate("Look through the drawers."), Say("I have it looked at."))
    with machine.daemon():
        claude_code.start("have it looked at")
    [sent] = [asked for asked in model.work if asked.prompt == "Look through the drawers."]
    [briefing] = FRAME.findall(sent.text)
    assert RULE in briefing


def test_an_agent_that_steno_itself_runs_is_told_nothing(at_work: Client, machine: Machine, model: Model) -> None:
    machine.steno("rules", "add", RULE)
    machine.environment["STENO_INSIDE"] = "1"
    at_work.start("hello there")
    del machine.environment["STENO_INSIDE"]
    assert told(model) == []


def test_hooks_that_nobody_trusted_are_silent_and_the_user_is_told(
    codex: Codex, machine: Machine, model: Model
) -> None:
    machine.steno("install", "codex", "--yes")
    machine.steno("rules", "add", RULE)
    codex.trusting = False
    with machine.daemon():
        codex.start("hello there")
    assert told(model) == []
    [found] = [row for row in machine.rows("install") if row["host"] == "codex"]
    assert found["hooks"] == "installed"
    assert "trust" in " ".join(found["notes"])


# -- tools -------------------------------------------------------------------------------------------------------------


def forbid_deploying(machine: Machine, mode: str) -> None:
    """A project with a `make deploy`, and a rule against it in force: what is plainly forbidden asks from the start."""
    (machine.project / "Makefile").write_text("deploy build:\n\ttouch $@-ran\n", "utf-8")
    [rule] = machine.rows("rules", "add", "never run make deploy")
    if mode == "block":
        machine.steno("rules", "trial", rule["id"])
        machine.steno("rules", "raise", rule["id"], "--to", "block")


def test_a_blocked_command_does_not_run_and_the_agent_is_told_why(
    at_work: Client, machine: Machine, model: Model
) -> None:
    forbid_deploying(machine, "block")
    model.when("ship the shop", Run("make build"), Run("make deploy"), Say("It is not shipped."))
    at_work.start("ship the shop")
    assert sorted(path.name for path in machine.project.glob("*-ran")) == ["build-ran"]
    _, refused = model.work[-1].results
    assert "never run make deploy" in refused


def test_a_command_to_ask_about_does_not_run_where_nobody_can_be_asked(
    at_work: Client, machine: Machine, model: Model
) -> None:
    forbid_deploying(machine, "ask")
    model.when("ship the shop", Run("make deploy"), Say("It is not shipped."))
    at_work.start("ship the shop")
    assert [*machine.project.glob("*-ran")] == []


REDIS, JOIN = "echo 'orders = kept_in_redis(load)' > o.py", "echo 'orders = asked_once_with_a_join(load)' > o.py"


def choose_the_join(at_work: Client, machine: Machine, model: Model) -> str:
    """The refusal of an offer that had two ways out."""
    offer, no = (
        "Two ways out: keep the carts in Redis, or ask once with a join.",
        "No, not Redis: one more service to run.",
    )
    model.when("speed up the shop", Say(f"{offer}\nShall I add Redis?"))
    session = at_work.start("speed up the shop")
    at_work.resume(session, f"{no} Ask once with a join instead.")
    machine.until(lambda: refusals(machine), [no])
    return no


def test_a_refused_idea_is_told_once_and_the_chosen_one_passes_in_silence(
    at_work: Client, machine: Machine, model: Model
) -> None:
    no = choose_the_join(at_work, machine, model)
    model.when("now the orders", Run(JOIN), Run(REDIS), Say("With a join."))
    at_work.start("now the orders")
    _, chosen, tried = model.work[-3:]
    assert [frame for frame in FRAME.findall(chosen.text) if "gate=" in frame] == []
    # What it was told when it started is not said again beside a call.
    assert len([frame for frame in FRAME.findall(tried.text) if no in frame]) == 1


def test_a_session_that_began_before_a_refusal_is_reminded_of_it_beside_the_call(
    at_work: Client, machine: Machine, model: Model
) -> None:
    earlier = at_work.start("what do the orders do?")
    no = choose_the_join(at_work, machine, model)
    model.when("now the orders", Run(JOIN), Run(REDIS), Say("With a join."))
    at_work.resume(earlier, "now the orders")
    _, chosen, tried = model.work[-3:]
    assert [frame for frame in FRAME.findall(chosen.text) if no in frame] == []
    assert [frame.splitlines()[0] for frame in FRAME.findall(tried.text) if no in frame] == ['<steno gate="warn">']


# -- compaction --------------------------------------------------------------------------------------------------------


def test_after_a_compaction_the_agent_is_told_where_the_work_stands(
    at_work: Client, machine: Machine, model: Model
) -> None:
    session = refuse_redis(at_work, machine, model)
    model.summary = "The shop was looked at."
    at_work.compact(session, "go on")
    assert OFFER not in FRAME.sub("", model.work[-1].text)
    [briefing] = [frame for frame in told(model) if frame.startswith(TIER_0)]
    assert REFUSAL in briefing


def test_the_loss_report_tells_that_the_briefing_was_given(at_work: Client, machine: Machine, model: Model) -> None:
    session = refuse_redis(at_work, machine, model)
    at_work.compact(session, "go on")
    machine.until(lambda: machine.turns(session)[-1:], [("assistant", "said", "Done.")])
    [report] = machine.rows("sessions", "loss", "--session", session)
    assert report["given"] is True
    assert [item for item in report["items"] if item["kind"] == "rejected" and item["fate"] == "missing"] == []


def test_a_session_that_goes_on_after_its_compaction_is_told_nothing_twice(
    claude_code: ClaudeCode, machine: Machine, model: Model
) -> None:
    machine.steno("install", "claude-code", "--yes")
    machine.steno("rules", "add", RULE)
    with machine.daemon():
        claude_code.talk("hello there", "how are you?", "/compact", "go on")
    frames = [[frame.splitlines()[0] for frame in FRAME.findall(asked.text)] for asked in model.work]
    assert frames == [[BOOT], [BOOT], [TIER_0]]
    assert model.work[-1].text.count(RULE) == 1


def test_every_compaction_of_a_session_is_followed_by_a_briefing(
    claude_code: ClaudeCode, machine: Machine, model: Model
) -> None:
    machine.steno("install", "claude-code", "--yes")
    model.when("speed up the shop", Say(OFFER))
    with machine.daemon():
        claude_code.talk(
            "speed up the shop", REFUSAL, "/compact", "go on", "now the tests", "/compact", "go on again", "/compact",
            "and again",
        )  # fmt: skip
    after = [asked for asked in model.work if asked.prompt in ("go on", "go on again", "and again")]
    frames = [[frame.splitlines()[0] for frame in FRAME.findall(asked.text)] for asked in after]
    assert frames == [[TIER_0], [TIER_0], [TIER_0]]
    assert [REFUSAL in asked.text for asked in after] == [True] * 3


def test_a_context_that_is_full_in_the_middle_of_a_turn_is_given_back_what_counts(
    at_work: Client, machine: Machine, model: Model
) -> None:
    session = refuse_redis(at_work, machine, model)
    model.used_tokens = FULL
    model.when("count the carts", Run("printf seven"))
    at_work.resume(session, "count the carts")
    assert OFFER not in FRAME.sub("", model.work[-1].text)
    [briefing] = [frame for frame in told(model) if frame.startswith(TIER_0)]
    assert REFUSAL in briefing


# -- what is written down ----------------------------------------------------------------------------------------------


def test_the_daemon_captures_every_turn_once(at_work: Client, machine: Machine, model: Model) -> None:
    session = refuse_redis(at_work, machine, model)
    model.when("count the carts", Run("printf seven"), Say("Seven carts."))
    at_work.resume(session, "count the carts")
    said = lambda: [words for _, kind, words in machine.turns(session) if kind == "said"]  # noqa: E731
    expected = [
        "speed up the shop", OFFER, REFUSAL, "Understood, no Redis.", "count the carts", "Seven carts.",
    ]  # fmt: skip
    machine.until(said, expected)
    assert [kind for _, kind, _ in machine.turns(session) if kind in ("call", "result")] == ["call", "result"]


def test_nothing_of_ours_is_learnt_back(at_work: Client, machine: Machine, model: Model) -> None:
    """Whoever repeats it: the agent, the summary its host makes, or a person who pastes it."""
    ours = f'<steno tier="0">\n{LEARNABLE}\n</steno>'
    model.summary = f"What is known:\n{ours}"
    model.when("what does this mean", Say(f"I was told this:\n{ours}"))
    session = at_work.start(f"what does this mean?\n{ours}")
    at_work.compact(session, "hello again")
    machine.until(lambda: [words for _, _, words in machine.turns(session)][-1:], ["Done."])
    machine.steno("scribe")
    # What a person pastes of ours is nobody's words and stands in no turn of theirs.
    assert [role for role, _, words in machine.turns(session) if "MongoDB" in words] == ["assistant", "system"]
    assert mongo(machine) == set()


def test_the_same_words_are_learnt_where_they_are_not_ours(at_work: Client, machine: Machine, model: Model) -> None:
    model.when("always use mongodb", Say(f"Understood.\n{LEARNABLE}"))
    at_work.start(LEARNABLE)
    machine.until(lambda: mongo(machine), {"user", "assistant"})


def mongo(machine: Machine) -> set[str]:
    """On whose words entries about MongoDB rest."""
    return {entry["origin"] for entry in machine.rows("entries") if "MongoDB" in str(entry)}


def test_being_briefed_makes_no_entries(at_work: Client, machine: Machine, model: Model) -> None:
    machine.steno("rules", "add", RULE)
    session = refuse_redis(at_work, machine, model)
    before = {entry["id"] for entry in machine.rows("entries")}
    at_work.compact(session, "hello again")
    at_work.fork(session, "hello again")
    at_work.start("hello again")
    machine.until(lambda: sum(words == "hello again" for one in sessions(machine) for words in one), 3)
    machine.steno("scribe")
    new = [entry for entry in machine.rows("entries") if entry["id"] not in before]
    assert [entry["summary"] for entry in new if RULE in str(entry) or "Redis" in str(entry)] == []


def sessions(machine: Machine) -> list[list[str]]:
    """The words of every session."""
    return [[words for _, _, words in machine.turns(one["session"])] for one in machine.rows("sessions")]


# -- when Steno is down ------------------------------------------------------------------------------------------------


def test_a_client_does_not_notice_that_steno_is_down(client: Client, machine: Machine, model: Model) -> None:
    machine.steno("install", client.name, "--yes")
    model.when("count the carts", Run("printf seven"), Say("Seven carts."))
    session = client.start("count the carts")
    assert "seven" in model.work[-1].results[0]
    with machine.daemon():
        machine.until(lambda: machine.turns(session)[-1:], [("assistant", "said", "Seven carts.")])


# -- the plugin --------------------------------------------------------------------------------------------------------


def test_the_plugin_and_its_marketplace_are_valid(claude_code: ClaudeCode) -> None:
    for folder in (PLUGINS, PLUGINS / "steno"):
        assert "Validation passed" in claude_code.plain("plugin", "validate", folder)


def test_the_plugin_brings_the_hooks_with_it(claude_code: ClaudeCode, machine: Machine, model: Model) -> None:
    machine.steno("rules", "add", RULE)
    with machine.daemon():
        claude_code.start("hello there", "--plugin-dir", str(PLUGINS / "steno"))
    [briefing] = told(model)
    assert RULE in briefing
