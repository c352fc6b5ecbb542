"""What the real clients write down is captured: every turn, once, with who said it."""

from .machine import ClaudeCode, Client, Machine
from .model import FULL, Delegate, Model, Run, Say

ASKED = "which database shall we take for the shop?"
ANSWERED = "SQLite fits: there is no service to run."


def shortened(turns: list[tuple[str, str, str]]) -> list[tuple[str, str, str]]:
    """Calls and results by what tells them apart: each host wraps them in its own words."""
    return [
        (
            role,
            kind,
            words.rstrip().splitlines()[-1].split('"')[-2] if kind == "call" else words.rstrip().split("\n")[-1],
        )
        for role, kind, words in turns
    ]


def test_every_turn_is_captured_once_with_who_said_it(client: Client, machine: Machine, model: Model) -> None:
    model.when("which database", Say(ANSWERED))
    model.when("count the tables", Run("printf 'seven tables'"), Run("false"), Say("There are seven."))
    session = client.start(ASKED)
    machine.steno("capture", "--all")
    client.resume(session, "count the tables")
    machine.steno("capture", "--all")
    machine.steno("capture", "--all")
    *said, call, result, failing, failed, last = shortened(machine.turns(session))
    assert said == [("user", "said", ASKED), ("assistant", "said", ANSWERED), ("user", "said", "count the tables")]
    assert (call, result) == (("assistant", "call", "printf 'seven tables'"), ("tool", "result", "seven tables"))
    assert (failing, failed[:2]) == (("assistant", "call", "false"), ("tool", "result"))
    assert last == ("assistant", "said", "There are seven.")
    assert [turn["failed"] for turn in machine.rows("turns", session) if turn["role"] == "tool"] == [False, True]


def test_the_whole_transcript_is_accounted_for(client: Client, machine: Machine) -> None:
    session = client.start(ASKED)
    machine.steno("capture", "--all")
    [status] = machine.rows("status")
    [seen] = status["sessions"]
    assert (seen["session"], seen["source"]) == (session, client.name)
    assert seen["lines_seen"] == seen["lines_read"] + seen["lines_skipped"]
    assert (seen["lines_bad"], seen["gaps"], seen["problem"]) == (0, 0, None)


def test_a_session_belongs_to_the_project_it_was_started_in(client: Client, machine: Machine) -> None:
    client.start(ASKED)
    machine.steno("capture", "--all")
    assert [found["project"] for found in machine.rows("sessions", "--everywhere")] == [str(machine.project)]


def test_a_fork_brings_only_its_own_words(client: Client, machine: Machine, model: Model) -> None:
    model.when("which database", Say(ANSWERED))
    model.when("what about backups", Say("A copy every night."))
    session = client.start(ASKED)
    machine.steno("capture", "--all")
    fork = client.fork(session, "what about backups?")
    machine.steno("capture", "--all")
    assert ANSWERED in model.work[-1].text
    assert machine.turns(session) == [("user", "said", ASKED), ("assistant", "said", ANSWERED)]
    assert machine.turns(fork) == [
        ("user", "said", "what about backups?"),
        ("assistant", "said", "A copy every night."),
    ]


def test_a_fork_read_together_with_its_origin_doubles_nothing(client: Client, machine: Machine, model: Model) -> None:
    model.when("which database", Say(ANSWERED))
    model.when("what about backups", Say("A copy every night."))
    client.fork(client.start(ASKED), "what about backups?")
    machine.steno("capture", "--all")
    found = [turn for session in machine.rows("sessions") for turn in machine.turns(session["session"])]
    assert sorted(words for _, _, words in found) == sorted(
        [ASKED, ANSWERED, "what about backups?", "A copy every night."]
    )


def test_a_compaction_is_a_boundary_and_takes_nothing_from_the_record(
    client: Client, machine: Machine, model: Model
) -> None:
    model.when("which database", Say(ANSWERED))
    model.when("go on", Say("I go on."))
    model.summary = "A database was looked for."
    session = client.start(ASKED)
    assert client.compact(session, "go on") == session
    machine.steno("capture", "--all")
    before, after = machine.turns(session)[:2], machine.turns(session)[-2:]
    [boundary, summary] = machine.turns(session)[2:-2]
    assert before == [("user", "said", ASKED), ("assistant", "said", ANSWERED)]
    assert (boundary[:2], summary[:2]) == (("system", "boundary"), ("system", "summary"))
    assert model.summary in summary[2]
    assert after == [("user", "said", "go on"), ("assistant", "said", "I go on.")]
    assert ANSWERED not in model.work[-1].text


def test_a_context_that_is_full_in_the_middle_of_a_turn_is_a_boundary_there(
    client: Client, machine: Machine, model: Model
) -> None:
    session = client.start(ASKED)
    model.used_tokens = FULL
    model.when("count the tables", Run("printf 'seven tables'"))
    client.resume(session, "count the tables")
    machine.steno("capture", "--all")
    kinds = [(role, kind) for role, kind, _ in machine.turns(session)[2:]]
    assert kinds[:5] == [
        ("user", "said"),
        ("assistant", "call"),
        ("tool", "result"),
        ("system", "boundary"),
        ("system", "summary"),
    ]
    assert kinds[-1] == ("assistant", "said")


def test_what_an_agent_asks_of_another_is_no_persons_word(
    claude_code: ClaudeCode, machine: Machine, model: Model
) -> None:
    model.when("have it looked at", Delegate("Look through the drawers."), Say("I have it looked at."))
    model.when("through the drawers", Say("They are empty."))
    session = claude_code.start("have it looked at")
    machine.steno("capture", "--all")
    [helper] = [found for found in machine.rows("sessions") if found["kind"] == "subagent"]
    assert helper["parent"] == session
    assert machine.turns(helper["session"]) == [
        ("user", "delegated", "Look through the drawers."),
        ("assistant", "said", "They are empty."),
    ]
    typed = [words for role, kind, words in machine.turns(session) if (role, kind) == ("user", "said")]
    assert typed == ["have it looked at"]
