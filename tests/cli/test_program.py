"""The program as a whole: help, start-up, errors, pipes."""

import json
import os
import subprocess
import sys

import pytest

from steno import __version__
from steno.cli.tree import EVERY_DAY, GROUPS

from ..conftest import PATIENCE

HEAVY = {"rich", "msgspec", "apsw", "watchfiles", "re2", "zstandard", "steno.memory", "steno.vocabulary"}


def test_the_version_is_printed(new_process):
    said = new_process("--version")
    assert (said.returncode, said.stdout, said.stderr) == (0, f"steno {__version__}\n", "")


@pytest.mark.parametrize("args", [["--version"], ["--help"], ["capture", "--help"]])
def test_help_and_version_import_nothing_heavy(args):
    code = (
        "import sys, atexit\n"
        f"atexit.register(lambda: print(sorted({HEAVY!r} & set(sys.modules)), file=sys.stderr))\n"
        f"sys.argv = ['steno', *{args!r}]\n"
        "from steno.cli.tree import main; main()"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (said.returncode, said.stderr) == (0, "[]\n")


def test_the_help_page_fits_a_screen_and_says_of_every_word_at_the_top_what_it_is_for(steno):
    page = steno("--help").stdout.splitlines()
    assert [word for word in (*EVERY_DAY, *GROUPS) if not any(line.split()[:1] == [word] for line in page)] == []
    assert (len(page) <= 40, [line for line in page if len(line) > 80]) == (True, [])
    assert len(EVERY_DAY) + len(GROUPS) <= 28


@pytest.mark.parametrize(
    "args",
    [
        ["frobnicate"],
        ["turns"],
        ["recall", "x", "-k", "0"],
        ["status", "--nonsense"],
        ["rules", "frob"],
        ["--nonsense"],
    ],
)
def test_wrong_use_leaves_with_2_and_a_hint(steno, args):
    said = steno(*args)
    assert (said.exit_code, said.stdout) == (2, "")
    problem, hint = said.stderr.splitlines()
    assert (problem[:7], hint[:15]) == ("steno: ", "  → see `steno ")


def test_a_command_that_is_nearly_one_is_recognised(steno):
    assert steno("sesions").stderr == (
        "steno: there is no command 'sesions'; did you mean `steno sessions`?\n  → see `steno --help`\n"
    )


@pytest.mark.parametrize(
    "args", [[], ["--help"], ["status"], ["recall", "x"], ["sessions"], ["entries"], ["brief"], ["capture", "/nope"]]
)
def test_the_first_steps_are_told_wherever_somebody_begins(steno, args):
    said = steno(*args)
    assert "steno capture --all" in said.stdout + said.stderr


@pytest.mark.parametrize("words", [[], ["review"], ["rules", "add"]])
def test_the_short_form_asks_for_help_everywhere(steno, words):
    assert steno(*words, "-h").stdout == steno(*words, "--help").stdout != ""


def test_without_a_command_the_help_is_shown(steno):
    said = steno()
    assert said.exit_code == 2
    assert said.stderr.startswith("Usage: steno ")


@pytest.mark.parametrize("columns", ["", "80"])
def test_a_reader_who_leaves_early_ends_it_silently(steno, transcript, begin, columns):
    # More than fits into a pipe; by a tool, so that the scribe has little to do.
    turns = [{"session": "long", "role": "tool", "text": f"{n} " + "word " * 200} for n in range(400)]
    steno("capture", transcript(*turns), "--source", "jsonl")
    for more in ([], ["--json"]):
        command = [sys.executable, "-m", "steno", "turns", "long", *more]
        environment = os.environ | {"COLUMNS": columns}
        running = begin(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment)
        assert running.stdout.readline()
        running.stdout.close()
        assert (running.stderr.read(), running.wait(PATIENCE)) == (b"", 0)


def test_a_full_disk_behind_the_output_is_an_error_in_words(talk):
    with open("/dev/full", "wb") as full:
        command = [sys.executable, "-m", "steno", "sessions", "--json"]
        said = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
    assert said.returncode == 1
    assert said.stderr.startswith("steno: the system says no: [Errno 28] No space left on device\n  → ")
    assert "Traceback" not in said.stderr


def test_json_is_utf_8_whatever_the_locale_says(new_process, transcript, steno):
    path = transcript({"session": "s", "role": "user", "text": "Grüße 🦉"})
    steno("capture", path, "--source", "jsonl")
    said = new_process(
        "turns", "s", "--json", LC_ALL="C", PYTHONUTF8="0", PYTHONIOENCODING="latin-1", PYTHONCOERCECLOCALE="0"
    )
    assert json.loads(said.stdout)["text"] == "Grüße 🦉"
    said = new_process("turns", "s", PYTHONIOENCODING="ascii")
    assert (said.returncode, said.stdout) == (0, "user  #1\n  Gr??e ?\n\n")


def test_a_bug_is_called_a_bug_and_shows_its_traceback_only_when_asked(steno, monkeypatch):
    def status(self):
        raise ZeroDivisionError("by\x1b[31m zero")

    monkeypatch.setattr("steno.memory.Memory.status", status)
    said = steno("status")
    assert (said.exit_code, said.stdout) == (1, "")
    assert said.stderr == (
        "steno: this is a bug in Steno: ZeroDivisionError: by␛[31m zero\n"
        "  → STENO_DEBUG=1 shows where it happened; please report it with that\n"
    )
    monkeypatch.setenv("STENO_DEBUG", "1")
    assert steno("status").stderr.startswith("Traceback (most recent call last)")


def test_ctrl_c_leaves_with_130(steno, monkeypatch):
    def status(self):
        raise KeyboardInterrupt

    monkeypatch.setattr("steno.memory.Memory.status", status)
    said = steno("status")
    assert (said.exit_code, said.stderr) == (130, "\nsteno: interrupted\n")


def test_a_home_that_cannot_be_made_is_explained(steno, monkeypatch):
    monkeypatch.setenv("STENO_HOME", "/proc/steno")
    said = steno("status", "--json")
    assert (said.exit_code, said.stdout) == (1, "")
    assert said.stderr.startswith("steno: cannot ")
    assert "\n  → " in said.stderr


def test_a_closed_output_is_no_bug(talk):
    said = subprocess.run(
        ["/bin/sh", "-c", f"{sys.executable} -m steno status --json >&- <&-"],
        stderr=subprocess.PIPE,
        env=os.environ,
    )
    assert (said.returncode, said.stderr) == (0, b"")
