"""`steno status`, `sessions`, `turns`, `doctor`, `settings`. `steno recall` is in test_recall.py."""

import json

import pytest

from steno.testing import said

COVERAGE = {
    "session": "talk-1", "source": "jsonl", "kind": "main", "project": "shop", "agent": "main", "turns": 3,
    "lines_seen": 3, "lines_read": 3, "lines_skipped": 0, "lines_bad": 0, "lines_mended": 0, "gaps": 0,
    "lag_s": 0.0, "context_fill": None, "problem": None, "last_at": "2026-03-02T08:00:00.000Z",
}  # fmt: skip
SESSION = {
    "session": "talk-1", "source": "jsonl", "kind": "main", "parent": None, "agent": "main", "directory": None,
    "project": "shop", "branch": None, "model": None, "context_window": None, "context_tokens": None, "turns": 3,
    "started_at": "2026-03-01T10:00:00.000Z", "last_at": "2026-03-02T08:00:00.000Z",
}  # fmt: skip
TOOL_TURN = {
    "id": 3, "source": "jsonl", "session": "talk-1", "role": "tool", "kind": "result", "text": "3 passed",
    "at": "2026-03-02T08:00:00.000Z", "line": 3, "native_id": "c", "tool": "Bash", "call": None, "failed": None,
    "exit_status": None, "context_tokens": None,
}  # fmt: skip


def lines(result):
    assert (result.exit_code, result.stderr) == (0, "")
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_status_is_one_object_with_a_session_each(steno, talk):
    [status] = lines(steno("status", "--json"))
    assert status.pop("disk_bytes") > 0
    assert status.pop("entries") == status["sessions"][0].pop("entries")
    assert status == {
        "turns": 3, "paused": None, "excluded": [], "redacted": {}, "lines_seen": 3, "lines_bad": 0,
        "lines_mended": 0, "gaps": 0, "problems": [], "sessions": [COVERAGE],
        "recall": {"vectors": 0, "waiting": 0, "sketched": 0, "model": None, "note": ""}, "silent": [], "unheard": "",
        "flags": [],
        "here": {
            "project": None, "rules": 0, "refusals": 0, "newest": [], "waits": {}, "may_end": [],
        },
        "model": {
            "model": "", "fallback": "", "is_free": False, "why_not": "no model is configured", "tokens_spent": 0,
            "money_spent": 0.0, "tokens_left": None, "money_left": None, "down_until": None, "problem": None,
        },
        "daemon": None,
    }  # fmt: skip


def test_the_health_of_the_store_in_a_pipe_is_plain_lines(steno, talk):
    steno("pause")
    steno("capture", "exclude", "/secret")
    first, *rest, paused = steno("status", "--health").stdout.splitlines()
    assert first.startswith("kept      3 turns in 1 session, ")
    assert paused.startswith("paused    since ")
    assert rest == [
        "entries   0",
        "recall    by words only; vectors are switched off",
        "lines     3 seen, 0 bad, 0 mended",
        "gaps      0",
        "excluded  /secret",
        "daemon    does not run; `steno up` starts it",
        "",
        "source  session  project  turns  seen  read  skipped  bad  gaps  lag  context  problem",
        "jsonl   talk-1   shop         3     3     3        0    0     0   0s        -  -",
    ]


def test_a_file_that_is_no_transcript_is_a_problem_until_it_is_left_out(steno, home):
    (home / "README.md").write_text("# Shop\n")
    assert steno("capture", home / "README.md").exit_code == 1
    problem, way_out = steno("status").stdout.splitlines()[-2:]
    assert problem.startswith(f"problem   {home / 'README.md'}: cannot tell which host wrote it")
    assert way_out == "problem   what need not be read: `steno capture exclude PATH`"
    steno("capture", "exclude", home / "README.md")
    assert "problem" not in steno("status").stdout


def test_status_of_an_empty_store_says_how_to_begin(steno):
    assert "Nothing is captured yet. `steno capture --all` reads the whole history.\n" in steno("status").stdout


def test_sessions_are_one_flat_object_per_line(steno, talk, transcript):
    steno("capture", transcript({"session": "older", "role": "user", "text": "Hm"}), "--source", "jsonl")
    found = lines(steno("sessions", "--json"))
    assert found[0] == SESSION
    assert [session["session"] for session in found] == ["talk-1", "older"]


def test_sessions_in_a_pipe_have_their_whole_ids(steno, transcript):
    id_ = "5b0f7f57-3f0e-4c5c-9d0e-0c8f2c9a1f11"
    steno("capture", transcript({"session": id_, "role": "user", "text": "Hm"}), "--source", "jsonl")
    heading, row = steno("sessions").stdout.splitlines()
    assert heading.split() == ["last_at", "source", "session", "kind", "project", "turns", "context"]
    assert row.split() == ["-", "jsonl", id_, "main", "-", "1", "-"]


def test_turns_are_one_flat_object_per_line(steno, talk):
    found = lines(steno("turns", "talk-1", "--json"))
    assert found[2] == TOOL_TURN
    assert set(found[0]) == set(TOOL_TURN)
    assert [turn["text"] for turn in found] == ["Why SQLite?", "No service to run.", "3 passed"]


def test_a_session_may_be_named_by_its_beginning_or_as_the_latest(steno, talk):
    whole = steno("turns", "talk-1", "--json").stdout
    assert steno("turns", "tal", "--json").stdout == whole
    assert steno("turns", "latest", "--json").stdout == whole


def test_a_turn_is_shown_with_what_was_said_beside_it(steno, transcript):
    path = transcript(*[said(f"This is number {n}.", id=str(n)) for n in range(1, 21)])
    steno("capture", path, "--source", "jsonl")
    for number in ("10", "#10"):
        assert [turn["id"] for turn in lines(steno("turns", "latest", "--around", number, "--json"))] == [*range(7, 14)]
    assert [turn["id"] for turn in lines(steno("turns", "latest", "--around", "1", "--json"))] == [1, 2, 3, 4]


@pytest.mark.parametrize(("number", "code", "told"), [("99", 1, "there is no turn 99"), ("ten", 2, "is no number")])
def test_a_turn_that_is_not_there_is_not_shown(steno, talk, number, code, told):
    missed = steno("turns", "latest", "--around", number)
    assert (missed.exit_code, missed.stdout, told in missed.stderr) == (code, "", True)


def test_a_context_fuller_than_its_window_is_not_told_as_a_share(steno, home):
    said_so = {
        "type": "assistant", "uuid": "a1", "parentUuid": None, "isSidechain": False, "sessionId": "full",
        "cwd": "/shop", "timestamp": "2026-03-01T10:00:00Z", "version": "2.1.0",
        "message": {
            "id": "m1", "type": "message", "role": "assistant", "model": "claude-sonnet-4-5",
            "content": [{"type": "text", "text": "Done."}], "usage": {"input_tokens": 1_370_000, "output_tokens": 5},
        },
    }  # fmt: skip
    path = home / "full.jsonl"
    path.write_text(json.dumps(said_so) + "\n")
    assert steno("capture", str(path), "--source", "claude-code").exit_code == 0
    [session] = lines(steno("sessions", "--json"))
    assert session["context_tokens"] > session["context_window"]
    assert steno("sessions").stdout.splitlines()[1].split()[-1] == "-"


def test_turns_in_a_pipe_are_plain_lines(steno, talk):
    assert steno("turns", "latest").stdout == (
        "user  #1  2026-03-01T10:00:00.000Z\n  Why SQLite?\n\n"
        "assistant  #2  2026-03-01T10:00:05.000Z\n  No service to run.\n\n"
        "tool result Bash  #3  2026-03-02T08:00:00.000Z\n  3 passed\n\n"
    )


def test_an_unknown_session_is_an_error_with_a_hint(steno, talk):
    missed = steno("turns", "nix", "--json")
    assert (missed.exit_code, missed.stdout) == (1, "")
    assert missed.stderr == "steno: no session 'nix' in the journal\n  → `steno sessions` lists them\n"


def test_the_latest_session_of_an_empty_journal_is_an_error(steno):
    missed = steno("turns", "latest")
    assert missed.exit_code == 1
    assert missed.stderr.startswith("steno: this is a cold start: nothing was captured yet\n  → ")


def test_an_empty_session_id_is_no_session(steno, talk):
    assert steno("turns", "").exit_code == 2


def test_text_in_json_is_unchanged_and_in_utf_8(steno, transcript):
    text = "Grüße \x1b[31m\x7f\u009b2J\u202e 🦉\n\t"
    steno("capture", transcript({"session": "s", "role": "user", "text": text}), "--source", "jsonl")
    raw = steno("turns", "s", "--json").stdout_bytes
    assert json.loads(raw)["text"] == text
    assert "Grüße".encode() in raw
    assert not {0x1B, 0x7F} & set(raw)
    assert "\u009b" not in raw.decode()


def test_doctor_finds_a_sound_store_sound(steno, talk):
    said = steno("store", "doctor")
    assert said.exit_code == 0
    assert [line[:4] for line in said.stdout.splitlines()] == ["ok  "] * len(said.stdout.splitlines())
    assert all(check["ok"] for check in lines(steno("store", "doctor", "--json")))


def test_doctor_leaves_with_1_when_a_check_fails(steno, talk, monkeypatch):
    from steno.vocabulary import Check

    checks = [Check(name="integrity", ok=True, detail="ok"), Check(name="references", ok=False, detail="2 rows")]
    monkeypatch.setattr("steno.memory.Memory.doctor", lambda self: checks)
    said = steno("store", "doctor")
    assert (said.exit_code, said.stdout) == (1, "ok  integrity: ok\nBAD references: 2 rows\n")


def test_doctor_says_that_a_damaged_store_is_damaged(steno, talk, home):
    for file in (home / "steno").glob("steno.db*"):
        file.write_bytes(b"no database at all, but long enough to look like one" * 100)
    said = steno("store", "doctor")
    assert said.exit_code == 1
    assert "damaged" in said.stderr
    assert "\n  → " in said.stderr


def test_settings_say_where_each_value_came_from(steno, home, monkeypatch):
    (home / "steno").mkdir()
    (home / "steno" / "settings.toml").write_text('sources = ["codex"]\n')
    monkeypatch.setenv("STENO_BUSY_SECONDS", "5")
    found = {setting["name"]: setting for setting in lines(steno("store", "settings", "--json"))}
    assert [(found[n]["value"], found[n]["origin"]) for n in ("sources", "busy_seconds", "capture_assistant")] == [
        (["codex"], "file"),
        (5, "environment"),
        (True, "default"),
    ]
    assert set(found["sources"]) == {"name", "value", "default", "origin", "help"}
    assert 'sources = ["codex"]  (from the file; default ["claude-code", ' in steno("store", "settings").stdout


def test_a_key_among_the_settings_is_not_shown(steno, monkeypatch):
    monkeypatch.setenv("STENO_EMBEDDING_KEY", "sk-very-secret")
    found = {setting["name"]: setting for setting in lines(steno("store", "settings", "--json"))}
    assert (found["embedding_key"]["value"], found["embedding_key"]["origin"]) == ("***", "environment")
    assert '\nembedding_key = "***"  (from the environment' in steno("store", "settings").stdout


def test_a_setting_nobody_knows_lists_the_known_ones(steno, home):
    (home / "steno").mkdir()
    (home / "steno" / "settings.toml").write_text("sauces = 1\n")
    said = steno("store", "settings")
    assert said.exit_code == 2
    assert "'sauces'" in said.stderr
    assert "the settings are sources, " in said.stderr
