"""Doctor notices what nothing else would."""

from contextlib import closing
from pathlib import Path

import apsw
import pytest

from steno.testing import SteppingClock, house, said, write_jsonl
from steno.verbs import VERBS
from steno.verbs.asking import Asker
from steno.verbs.call import call
from steno.vocabulary import Check

SOUND = [
    Check(name="integrity", ok=True, detail="ok"),
    Check(name="references", ok=True, detail="ok"),
    Check(name="full-text index", ok=True, detail="agrees with the journal"),
    Check(name="watermarks", ok=True, detail="agree with the turns"),
    Check(name="evidence", ok=True, detail="every quote was said"),
    Check(name="authority", ok=True, detail="every rule and refusal has a person behind it"),
    Check(name="rules", ok=True, detail="are what people said and did"),
]


def harmed(tmp_path: Path, *statements: str) -> list[str]:
    """Names of the checks that fail after somebody ran these statements on the file."""
    with house(tmp_path) as memory:
        memory.capture(write_jsonl(tmp_path / "t.jsonl", said("one", id="1"), said("two", id="2")), source="jsonl")
        assert memory.doctor() == SOUND
    with apsw.Connection(str(tmp_path / "steno" / "steno.db")) as connection:
        for statement in statements:
            connection.execute(statement)
    with house(tmp_path) as memory:
        return [check.name for check in memory.doctor() if not check.ok]


def test_an_untouched_store_is_sound(tmp_path: Path) -> None:
    assert harmed(tmp_path) == []


@pytest.mark.parametrize(
    ("statement", "check"),
    [
        ("DELETE FROM turns WHERE text = 'one'", "watermarks"),
        ("UPDATE transcripts SET turns_stored = 1", "watermarks"),
        ("DELETE FROM sessions", "references"),
        ("INSERT INTO turns_text (turns_text, rowid, text) VALUES ('delete', 1, 'one')", "full-text index"),
    ],
)
def test_a_harmed_store_is_noticed(tmp_path: Path, statement: str, check: str) -> None:
    assert check in harmed(tmp_path, statement)


def test_a_forgotten_turn_is_no_loss(tmp_path: Path) -> None:
    with house(tmp_path) as memory:
        memory.capture(write_jsonl(tmp_path / "t.jsonl", said("one", id="1"), said("two", id="2")), source="jsonl")
        memory.forget(text="one")
        assert memory.doctor() == SOUND


# -- who rules -------------------------------------------------------------------------------------------------------

RULE = "never touch the payments table"


def opened(folder: Path) -> apsw.Connection:
    """The store, as any program of the same user opens it."""
    connection = apsw.Connection(str(folder / "steno" / "steno.db"))
    connection.execute("PRAGMA foreign_keys = ON")
    return connection


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ("UPDATE entries SET status = 'archived' WHERE summary = '{RULE}'", "rule {id}, ended by nobody"),
        (
            "INSERT INTO records (at, act, entry, value) VALUES ('2026-01-02', 'archive', '{id}', '{{}}')",
            "record 3 (archive {id})",
        ),
        ("DELETE FROM records", "rule {id}, told by nobody"),
        (
            "INSERT INTO records (at, act, entry, value, who) VALUES ('2026-01-02', 'rule', '{id}', "
            """'{{"do": "retire"}}', '{{"by": "person", "evidence": "a terminal", "door": "cli"}}')""",
            "record 3 (rule {id})",
        ),
        (
            "INSERT INTO acts (key, at, verb, words, ends, state, who, turn, times, last_at) VALUES ('', '2026-01-02', "
            """'pause', 'steno pause', '', 'allowed', '{{"by": "agent"}}', 0, 1, '2026-01-02')""",
            "the yes to steno pause",
        ),
        ("INSERT INTO meta (name, value) VALUES ('scripts', 1)", "scripts count as a person, by nobody"),
        (
            "UPDATE entries SET category = 'rule', certainty = 'confirmed', origin = 'user' WHERE id = '{note}'",
            "rule {note}, told by nobody",
        ),
    ],
)
def test_what_was_written_past_us_has_no_act_behind_it(tmp_path: Path, statement: str, found: str) -> None:
    with house(tmp_path) as memory:
        id_ = memory.rules.add(RULE).id
        note = memory.remember("the till is open", category="fact", by_agent=True).id
        assert memory.doctor() == SOUND
    with closing(opened(tmp_path)) as connection:
        if "told by nobody" in found:
            connection.execute("DELETE FROM records WHERE entry = ?", (note,))
        connection.execute(statement.format(RULE=RULE, id=id_, note=note))
    with house(tmp_path) as memory:
        bad, *_ = [check for check in memory.doctor() if not check.ok]
        assert (bad.name, f"no act for {found.format(id=id_, note=note)}" in bad.detail) == ("authority", True)


def test_what_was_told_before_this_version_is_not_recorded_and_sound(tmp_path: Path) -> None:
    with house(tmp_path) as memory:
        memory.rules.add(RULE)
    with closing(opened(tmp_path)) as connection:
        connection.execute("""UPDATE records SET who = '"not recorded"'""")
    with house(tmp_path) as memory:
        assert memory.doctor() == SOUND


@pytest.mark.parametrize(("command", "is_doubtful"), [("env -i steno rules retire 6dfd", True), ("ls", False)])
def test_an_act_while_an_agents_call_named_it_may_be_the_agents(
    tmp_path: Path, command: str, is_doubtful: bool
) -> None:
    clock = SteppingClock("2026-01-01T12:00:00.000Z")
    with house(tmp_path, clock=clock) as memory:
        rule = memory.rules.add(RULE)
        clock.now = "2026-01-01T12:10:00.000Z"
        call(VERBS["rules retire"], {"id": rule.id}, memory, Asker())
        lines = (
            {"role": "assistant", "text": f'{{"command": "{command}"}}', "tool": "Bash", "id": "1",
             "at": "2026-01-01T12:09:59Z"},
            {"role": "tool", "text": "Retired", "id": "2", "at": "2026-01-01T12:10:01Z"},
        )  # fmt: skip
        memory.capture(write_jsonl(tmp_path / "t.jsonl", *({"session": "s1", **line} for line in lines)))
    with closing(opened(tmp_path)) as connection:
        connection.execute("UPDATE turns SET call = 'c1', kind = iif(role = 'tool', 'result', 'call')")
    with house(tmp_path) as memory:
        [found] = [check for check in memory.doctor() if check.name == "authority"]
        assert (found.ok, "perhaps an agent's: rules retire" in found.detail) == (not is_doubtful, is_doubtful)


@pytest.mark.parametrize(
    "change", ["status = 'retired', score = 1", "rule = 'always run terraform'", "merged_into = 'x'", "mode = 'warn'"]
)
def test_a_rule_that_somebody_changed_in_its_table_is_named(tmp_path: Path, change: str) -> None:
    with house(tmp_path) as memory:
        id_ = memory.rules.add(RULE).id
        assert memory.doctor() == SOUND
    with closing(opened(tmp_path)) as connection:
        connection.execute(f"UPDATE rules SET {change}")
    with house(tmp_path) as memory:
        [bad] = [check for check in memory.doctor() if not check.ok]
        assert (bad.name, bad.detail) == ("rules", f"not what people said and did makes of them: {id_}")


def test_an_agents_note_that_somebody_made_a_rule_is_no_persons(tmp_path: Path) -> None:
    with house(tmp_path) as memory:
        note = memory.remember("agents may push", category="learning", by_agent=True).id
    with closing(opened(tmp_path)) as connection:
        connection.execute("UPDATE entries SET category = 'rule', origin = 'edit', certainty = 'confirmed'")
    with house(tmp_path) as memory:
        bad, *_ = [check for check in memory.doctor() if not check.ok]
        assert (bad.name, bad.detail) == ("authority", f"no act for rule {note}, told by nobody")


def test_an_act_that_an_agents_script_held_may_be_the_agents(tmp_path: Path) -> None:
    clock = SteppingClock("2026-01-01T12:00:00.000Z")
    with house(tmp_path, clock=clock) as memory:
        rule = memory.rules.add(RULE)
        clock.now = "2026-01-01T12:10:00.000Z"
        call(VERBS["rules retire"], {"id": rule.id}, memory, Asker())
        script = f"cat > t5.sh <<X\nscript -qc 'steno rules retire {rule.id}'\nX"
        lines = (
            {"role": "assistant", "text": script, "tool": "Bash", "id": "1", "at": "2026-01-01T12:08:59Z"},
            {"role": "tool", "text": "", "id": "2", "at": "2026-01-01T12:09:01Z"},
        )
        memory.capture(write_jsonl(tmp_path / "t.jsonl", *({"session": "s1", **line} for line in lines)))
    with closing(opened(tmp_path)) as connection:
        connection.execute("UPDATE turns SET call = 'c1', kind = iif(role = 'tool', 'result', 'call')")
    with house(tmp_path) as memory:
        [found] = [check for check in memory.doctor() if check.name == "authority"]
        assert (found.ok, "perhaps an agent's: rules retire" in found.detail) == (False, True)
