"""`steno sessions work`: pieces of work listed, shown whole, and ended."""

import json

import pytest

IMPORTER, NOTES = "rewrite the importer so that it streams", "write the release notes for March"


def turn(number, text, role="user", session="s1"):
    at = f"2026-02-01T10:{number:02}:00Z"
    return {
        "session": session,
        "role": role,
        "text": text,
        "id": str(number),
        "at": at,
        "project": "/p",
        "agent": "ada",
    }


@pytest.fixture
def worked(steno, transcript):
    """Two pieces of work: one that a person ends, and one in two sessions."""
    steno(
        "capture", "--source", "jsonl",
        transcript(
            turn(1, IMPORTER), turn(2, "Finished: it streams now.", "assistant"),
            turn(3, "always run make lint before you commit"), turn(4, "done with the importer"),
            turn(5, f"new task: {NOTES}"), turn(6, "continue", session="s2"),
            turn(7, "Still to do: printers.", "assistant", "s2"),
        ),
    )  # fmt: skip


def lines(result):
    assert result.exit_code == 0, result.stderr
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_works_are_listed_as_plain_lines_and_as_objects(steno, worked):
    notes, importer = lines(steno("sessions", "work", "--json"))
    assert (notes["goal"], notes["status"], notes["session"]) == (f"new task: {NOTES}", "active", "s1")
    assert (importer["goal"], importer["checkpoint"]["done"]) == (IMPORTER, [])
    _, *rows = steno("sessions", "work").stdout.splitlines()
    assert [row.split(maxsplit=7) for row in rows] == [
        [notes["id"], "active", notes["begun_at"], "0", "0", "2", "/p", f"new task: {NOTES}"],
        [importer["id"], "finished", importer["begun_at"], "0", "0", "1", "/p", IMPORTER],
    ]


def test_works_are_a_table_on_a_terminal(terminal, without_colours, worked):
    code, drawn = terminal("sessions", "work", columns=120)
    shown = without_colours(drawn)
    assert code == 0
    assert shown.split("\n")[1].split() == ["id", "status", "since", "done", "next", "sessions", "goal"]
    assert f"new task: {NOTES}" in shown


def test_one_is_shown_whole_with_what_was_learnt_in_it(steno, worked):
    importer = lines(steno("sessions", "work", "--json"))[1]
    [whole] = lines(steno("sessions", "work", "show", importer["id"][:8], "--json"))
    assert [entry["summary"] for entry in whole["entries"]]
    assert (whole["goal"], list(whole["checkpoint"]["trail"])) == (
        IMPORTER,
        [
            "files",
            "commands",
            "last_test",
            "results",
            "repositories",
            "requests",
            "runs",
            "todos",
            "listed",
            "plans",
            "questions",
        ],
    )
    shown = steno("sessions", "work", "show", importer["id"]).stdout
    assert shown.startswith(f"{importer['id']}  finished, since 2026-02-01 10:01 until 2026-02-01 10:04, 1 session\n")
    assert f"\n{IMPORTER}\n" in shown
    assert "\nlearnt in it\n" in shown
    assert "make lint" in shown


def test_the_one_at_hand_is_finished_or_dropped(steno, worked):
    notes = lines(steno("sessions", "work", "--json"))[0]
    assert steno("sessions", "work", "end", "--dropped").stdout == f"Dropped {notes['id']}: new task: {NOTES}\n"
    assert [one["status"] for one in lines(steno("sessions", "work", "--json"))] == ["dropped", "finished"]
    again = steno("sessions", "work", "end", notes["id"])
    assert (again.exit_code, again.stdout) == (2, "")
    assert again.stderr == "steno: this piece of work is dropped already\n  → `steno sessions work` lists them\n"
    assert steno("sessions", "work", "end").stderr.startswith("steno: no piece of work is at hand\n")


def test_an_unknown_piece_of_work_is_an_error_with_a_hint(steno, worked):
    missed = steno("sessions", "work", "show", "nix", "--json")
    assert (missed.exit_code, missed.stdout) == (1, "")
    assert missed.stderr == "steno: no piece of work 'nix'\n  → `steno sessions work` lists them\n"


def test_a_home_without_work_says_so(steno):
    assert steno("sessions", "work").stdout == (
        "No pieces of work here yet. --everywhere lists all; `steno capture --all` reads the whole history.\n"
    )


def test_status_names_long_sessions_in_which_nobody_was_heard(steno, transcript):
    said = '"somebody else wrote this line"'
    quiet = [turn(number, said if number % 2 else "…", "user" if number % 2 else "assistant") for number in range(41)]
    steno("capture", "--source", "jsonl", transcript(*quiet))
    flag = "session s1: 41 turns, and hardly a word of yours was heard"
    assert f"silent    {flag}\n" in steno("status").stdout
    assert lines(steno("status", "--json"))[0]["silent"] == [flag]
