"""`steno pause`, `capture exclude`, `capture include`."""

import json


def patterns(said):
    return [json.loads(line)["pattern"] for line in said.stdout.splitlines()]


def test_while_paused_capture_says_how_to_go_on(steno, talk):
    assert steno("pause").stdout.startswith("Off the record.")
    refused = steno("capture", talk)
    assert refused.exit_code == 1
    assert refused.stderr.endswith("\n  → `steno pause off` goes on\n")
    assert steno("pause", "off").stdout == "On record again.\n"
    assert steno("capture", talk, "--source", "jsonl").exit_code == 0


def test_a_pause_is_told_in_json(steno):
    assert [json.loads(steno("pause", *switch, "--json").stdout) for switch in ([], ["on"], ["off"])] == [
        {"paused": True},
        {"paused": True},
        {"paused": False},
    ]


def test_what_is_excluded_is_listed_and_left_out_until_it_is_included(steno, transcript, home):
    path = transcript({"session": "s", "role": "user", "text": "Hm"})
    assert steno("capture", "excluded").stdout == "Nothing is left out.\n"
    listed = f"pattern\n*/private/*\n{home}\n"
    stays = "What is captured already stays; `steno forget` erases it.\n"
    assert steno("capture", "exclude", home, "*/private/*").stdout == listed + stays
    assert steno("capture", "excluded").stdout == listed
    assert steno("capture", path, "--source", "jsonl").stdout == "No transcripts found.\n  left out     1 transcript\n"
    assert patterns(steno("capture", "include", home, "--json")) == ["*/private/*"]
    assert json.loads(steno("capture", path, "--source", "jsonl", "--json").stdout)["turns"] == 1


def test_a_pattern_is_meant_from_here(steno, home):
    assert patterns(steno("capture", "exclude", "private", "logs/*", "--json")) == [f"{home}/logs/*", f"{home}/private"]


def test_including_what_was_never_excluded_changes_nothing(steno):
    steno("capture", "exclude", "/x")
    assert patterns(steno("capture", "include", "/y", "--json")) == ["/x"]


def test_an_empty_pattern_is_none(steno):
    refused = steno("capture", "exclude", "")
    assert (refused.exit_code, refused.stderr.splitlines()[0]) == (2, "steno: a pattern is empty")
