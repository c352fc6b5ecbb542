"""`steno pause`, `resume`, `exclude`."""

import json


def test_while_paused_capture_says_how_to_go_on(steno, talk):
    assert steno("pause").stdout.startswith("Off the record.")
    refused = steno("capture", talk)
    assert refused.exit_code == 1
    assert refused.stderr.endswith("\n  → `steno resume` goes on\n")
    assert steno("resume").stdout == "On record again.\n"
    assert steno("capture", talk, "--source", "jsonl").exit_code == 0


def test_pause_and_resume_answer_in_json(steno):
    assert [json.loads(steno(verb, "--json").stdout) for verb in ("pause", "resume")] == [
        {"paused": True},
        {"paused": False},
    ]


def test_what_is_excluded_is_listed_and_left_out_until_it_is_removed(steno, transcript, home):
    path = transcript({"session": "s", "role": "user", "text": "Hm"})
    assert steno("exclude").stdout == "Nothing is left out.\n"
    assert steno("exclude", home, "*/private/*").stdout == (
        f"Left out: */private/*\nLeft out: {home}\nWhat is captured already stays; `steno forget` erases it.\n"
    )
    assert steno("exclude").stdout == f"*/private/*\n{home}\n"
    assert steno("capture", path, "--source", "jsonl").stdout == "No transcripts found.\n  left out     1 transcript\n"
    removed = steno("exclude", "--remove", home, "--json")
    assert [json.loads(line) for line in removed.stdout.splitlines()] == [{"pattern": "*/private/*"}]
    assert json.loads(steno("capture", path, "--source", "jsonl", "--json").stdout)["turns"] == 1


def test_removing_needs_a_pattern(steno):
    assert steno("exclude", "--remove").exit_code == 2


def test_removing_what_was_never_excluded_changes_nothing_and_says_so(steno):
    assert steno("exclude", "--remove", "/x").stdout.startswith("Nothing has changed.")
