"""`steno capture`."""

import json
import os
import signal
import subprocess
import sys

import pytest

from ..conftest import PATIENCE

HELLO = {"session": "s-1", "role": "user", "text": "Hello", "id": "1"}
TOKEN = "ghp_aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5"
NOTHING = {
    "transcripts": 0, "unchanged": 0, "sessions": [], "turns": 0, "files": {}, "lines_seen": 0, "lines_read": 0,
    "lines_skipped": 0, "lines_bad": 0, "lines_mended": 0, "gaps": 0, "redacted": {}, "excluded": 0, "problems": [],
    "entries": 0, "vectors": 0,
}  # fmt: skip


def test_the_summary_says_what_was_captured(steno, transcript):
    path = transcript(HELLO, {**HELLO, "id": "2", "text": f"My token is {TOKEN}"})
    with path.open("a") as file:
        file.write("{broken\n")
    captured = steno("capture", path, "--source", "jsonl")
    assert (captured.exit_code, captured.stderr) == (0, "")
    assert [line for line in captured.stdout.splitlines() if not line.startswith("  entries")] == [
        "Captured 2 new turns in 1 session.",
        "  transcripts  1",
        "  lines        2 read, 0 skipped, 1 bad",
        "  redacted     1 piece (1 github-token)",
    ]


def test_a_transcript_captured_twice_brings_nothing_new(steno, talk):
    again = steno("capture", talk, "--source", "jsonl")
    assert again.stdout == "Nothing new in 1 transcript.\n  transcripts  1 (1 unchanged)\n"


def test_with_json_one_object_holds_every_field(steno, transcript):
    path = transcript(HELLO)
    captured = steno("capture", path, "--source", "jsonl", "--json")
    sessions = [{"session": "s-1", "source": "jsonl", "turns": 1}]
    counts = {"transcripts": 1, "turns": 1, "lines_seen": 1, "lines_read": 1}
    expected = {**NOTHING, **counts, "sessions": sessions, "files": {str(path): 1}}
    assert json.loads(captured.stdout) == expected


def test_a_path_that_does_not_exist_fails_and_its_neighbour_is_captured(steno, transcript, home):
    captured = steno("capture", home / "nowhere", transcript(HELLO), "--source", "jsonl")
    assert captured.exit_code == 1
    assert captured.stdout.startswith("Captured 1 new turn in 1 session.\n")
    assert f"{home}/nowhere" in captured.stdout
    assert captured.stderr.startswith(f"steno: 1 of 2 given paths could not be read: {home}/nowhere\n  → ")


def test_a_problem_below_a_named_folder_is_shown_and_no_failure(steno, transcript, home):
    (home / "folder").mkdir()
    transcript(HELLO, name="folder/good.jsonl")
    (home / "folder" / "gone.jsonl").symlink_to(home / "nowhere")
    captured = steno("capture", home / "folder", "--source", "jsonl", "--json")
    found = json.loads(captured.stdout)
    assert (captured.exit_code, found["turns"]) == (0, 1)
    assert [problem["path"] for problem in found["problems"]] == [f"{home}/folder/gone.jsonl"]


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ([], "say what to read: a PATH (a transcript or a folder of them), or --all for the hosts' own places"),
        (["x", "--all"], "--all reads the hosts' own places: it takes no PATH"),
        ([""], "a path is empty"),
    ],
)
def test_wrong_use_says_what_to_do(steno, args, said):
    captured = steno("capture", *args)
    assert captured.exit_code == 2
    assert captured.stderr == f"steno: {said}\n  → see `steno capture --help`\n"


def test_an_unknown_source_lists_the_known_ones(steno, transcript):
    captured = steno("capture", transcript(HELLO), "--source", "nobody", "--json")
    known = "claude-code, codex, openclaw, pi, jsonl, notes, git"
    assert captured.exit_code == 2
    assert captured.stderr == f"steno: no source is called 'nobody'\n  → the known ones are {known}\n"


def test_all_reads_the_hosts_own_places(steno, home, monkeypatch):
    monkeypatch.setenv("STENO_SOURCES", "claude-code")
    folder = home / ".claude" / "projects" / "-shop"
    folder.mkdir(parents=True)
    line = {
        "type": "user", "uuid": "u-1", "parentUuid": None, "sessionId": "c-1", "cwd": "/shop", "version": "2.0.0",
        "isSidechain": False, "timestamp": "2026-03-01T10:00:00.000Z", "message": {"role": "user", "content": "Hello"},
    }  # fmt: skip
    (folder / "c-1.jsonl").write_text(json.dumps(line) + "\n")
    found = json.loads(steno("capture", "--all", "--json").stdout)
    assert found["sessions"] == [{"session": "c-1", "source": "claude-code", "turns": 1}]


def test_all_without_any_host_says_that_nothing_was_found(steno):
    captured = steno("capture", "--all")
    assert captured.stdout == "No transcripts found. `steno store settings` shows which hosts are read.\n"
    assert captured.exit_code == 0


def test_a_file_name_that_is_not_utf_8_is_still_valid_json(steno, home):
    name = os.path.join(os.fsencode(home), b"caf\xe9.jsonl")
    captured = steno("capture", os.fsdecode(name), "--source", "jsonl", "--json")
    found = json.loads(captured.stdout_bytes.decode("utf-8"))
    assert [problem["path"] for problem in found["problems"]] == [f"{home}/caf\\udce9.jsonl"]
    assert captured.exit_code == 1


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("inherited", [signal.SIG_DFL, signal.SIG_IGN], ids=["heard", "ignored before"])
def test_watch_tells_of_new_turns_until_it_is_ended(transcript, home, begin, ending, inherited):
    path = transcript(HELLO)
    command = [sys.executable, "-m", "steno", "capture", "--watch", "--json", "--source", "jsonl", str(home)]
    before = lambda: signal.signal(signal.SIGINT, inherited)  # noqa: E731
    watching = begin(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=before)
    first = json.loads(watching.stdout.readline())
    with path.open("a") as file:
        file.write(json.dumps({**HELLO, "id": "2"}) + "\n")
    second = json.loads(watching.stdout.readline())
    watching.send_signal(ending)
    rest = watching.communicate(timeout=PATIENCE)
    assert [first["turns"], second["turns"], second["lines_read"]] == [1, 1, 1]
    assert (watching.returncode, *rest) == (0, b"", b"")
