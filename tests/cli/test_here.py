"""Here: every command that can be about a project means the one somebody stands in, and they all mean the same one."""

import json
import subprocess
from datetime import UTC, datetime, timedelta

import pytest

from steno.testing import said
from steno.verbs import VERBS

# Commands that are about a project, by their verbs.
COMMANDS = {
    "brief": "brief",
    "brief boot": "boot",
    "brief handoff": "brief handoff",
    "sessions list": "sessions",
    "sessions show": "turns latest",
    "sessions checkpoint": "checkpoint",
    "sessions loss": "sessions loss",
    "sessions work list": "sessions work",
    "sessions work show": "sessions work show",
    "rules list": "rules",
    "gate before": "gate before bot x --tool Write --input {}",
    "entries list": "entries",
    "entries believes": "believes tabs",
}
ABOUT = {verb: line for verb, line in COMMANDS.items() if verb in VERBS and verb != "gate before"}
# A briefing is about one session: the latest of all, where no project is meant. What holds in a project is told to
# nobody who starts in none.
OF_ONE = ("brief", "sessions show", "sessions checkpoint", "sessions loss", "sessions work show", "brief boot")


def git(*words, at):
    given = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "init.defaultBranch=main"]
    subprocess.run(["git", *given, *words], cwd=at, check=True, capture_output=True)


def talk(name, what, project, minutes):
    """A session in which somebody asks for something and makes a rule."""
    at = [(datetime.now(UTC) - timedelta(minutes=minutes - n)).isoformat() for n in range(3)]
    return [
        said(f"fix the {what}", id="1", session=name, at=at[0], project=project),
        said("I look into it.", role="assistant", id="2", session=name, at=at[1]),
        said(f"never use tabs in the {what}", id="3", session=name, at=at[2]),
    ]


@pytest.fixture
def places(home, steno, transcript):
    """Repositories `shop`, with a linked worktree `aside`, and `blog`; folders without git, with a session and without.
    The blog was worked on last, the notes first."""
    found = {name: home / "code" / name for name in ("shop", "blog", "notes", "plain")}
    for folder in found.values():
        (folder / "src").mkdir(parents=True)
    for name in ("shop", "blog"):
        git("init", "--quiet", at=found[name])
    git("commit", "--quiet", "--allow-empty", "-m", "begin", at=found["shop"])
    found["aside"] = home / "code" / "aside"
    git("worktree", "add", "--quiet", str(found["aside"]), at=found["shop"])
    turns = [
        *talk("notes-1", "diary", str(found["notes"]), 50),
        *talk("shop-1", "checkout", str(found["shop"]), 40),
        *talk("blog-1", "article", str(found["blog"]), 30),
    ]
    assert steno("capture", transcript(*turns), "--source", "jsonl").exit_code == 0
    assert steno("scribe").exit_code == 0
    return {name: str(folder) for name, folder in found.items()}


@pytest.fixture
def seen(steno, monkeypatch):
    """Which of the sessions a command tells of, asked from a folder."""

    def look(verb, *more, at):
        monkeypatch.chdir(at)
        done = steno(*ABOUT[verb].split(), *more)
        told = done.stdout + done.stderr
        words = {"shop": ("checkout", "shop-1"), "blog": ("article", "blog-1"), "notes": ("diary", "notes-1")}
        return {name for name, of in words.items() if any(word in told for word in of)}

    return look


@pytest.mark.parametrize("verb", ABOUT)
def test_a_command_is_about_the_project_one_stands_in(places, seen, verb):
    assert seen(verb, at=places["shop"]) == {"shop"}
    assert seen(verb, at=places["shop"] + "/src") == {"shop"}
    assert seen(verb, at=places["aside"]) == {"shop"}
    # Without git it is the folder, if sessions were captured there.
    assert seen(verb, at=places["notes"]) == {"notes"}


@pytest.mark.parametrize("verb", ABOUT)
def test_another_project_is_named_by_its_name_or_by_a_folder_of_it(places, seen, verb):
    for name in ("blog", places["blog"], places["blog"] + "/src", "../blog"):
        assert seen(verb, "--project", name, at=places["shop"]) == {"blog"}


@pytest.mark.parametrize("verb", ABOUT)
def test_everywhere_and_nowhere_mean_all_projects(places, seen, verb):
    expected = {"shop", "blog", "notes"}
    if verb in OF_ONE:
        # Of several pieces of work at hand, none is meant.
        expected = {"blog"} - ({"blog"} if verb in ("brief boot", "sessions work show") else set())
    assert seen(verb, "--everywhere", at=places["shop"]) == expected
    assert seen(verb, at=places["plain"]) == expected


@pytest.mark.parametrize("verb", ABOUT)
def test_an_unknown_name_is_an_error_that_lists_the_projects(places, steno, verb):
    missed = steno(*ABOUT[verb].split(), "--project", "shoop")
    assert (missed.exit_code, missed.stdout) == (2, "")
    assert missed.stderr == "steno: no project is called 'shoop'\n  → the projects are blog, shop, notes\n"


@pytest.mark.parametrize("verb", ABOUT)
def test_a_project_and_everywhere_contradict_each_other(places, steno, verb):
    wrong = steno(*ABOUT[verb].split(), "--project", "shop", "--everywhere")
    assert (wrong.exit_code, wrong.stdout) == (2, "")
    assert "contradict" in wrong.stderr


def test_a_session_that_is_named_may_be_of_another_project(places, steno, monkeypatch):
    monkeypatch.chdir(places["shop"])
    assert "article" in steno("checkpoint", "--session", "blog-1").stdout
    assert "article" in steno("brief", "--session", "blog").stdout


def test_a_project_without_a_session_has_none_to_tell_of(places, steno, monkeypatch):
    git("init", "--quiet", at=places["plain"])
    monkeypatch.chdir(places["plain"])
    missed = steno("brief")
    assert (missed.exit_code, missed.stdout) == (1, "")
    assert missed.stderr == f"steno: no session was captured here yet\n  → asked from {places['plain']}\n"
    assert steno("sessions").stdout.startswith("No sessions here yet.")


def test_the_briefing_of_an_earlier_time_is_of_this_project_then(places, steno, transcript, monkeypatch):
    later = transcript(said("add a gift card", id="9", session="shop-2", project=places["shop"]), name="later.jsonl")
    steno("capture", later, "--source", "jsonl")
    then = (datetime.now(UTC) - timedelta(minutes=10)).isoformat()
    monkeypatch.chdir(places["shop"])
    assert json.loads(steno("brief", "--at", then, "--json").stdout)["session"] == "shop-1"


def test_a_rule_binds_the_project_one_stands_in_and_says_so(places, steno, monkeypatch):
    def holds_in(name):
        told = steno("rules", "--project", name, "--json").stdout
        return {rule["rule"] for rule in map(json.loads, told.splitlines())}

    monkeypatch.chdir(places["aside"])
    assert steno("rules", "add", "Only short names").stdout.startswith("In force in shop: ")
    assert steno("rules", "add", "Only long names", "--project", "blog").stdout.startswith("In force in blog: ")
    assert steno("rules", "add", "Be kind", "--everywhere").stdout.startswith("In force everywhere: ")
    assert {"Only short names", "Be kind"} <= holds_in("shop")
    assert {"Only long names", "Be kind"} <= holds_in("blog")
    assert not {"Only short names", "Only long names"} & holds_in("notes")
    head, *_ = steno("rules", "--everywhere").stdout.splitlines()
    assert "project" in head.split()


@pytest.mark.parametrize("add", [("rules", "add", "Be kind"), ("flows", "add", "be-kind", "--step", "smile")])
def test_what_binds_nothing_asks_where_it_is_to_hold(places, steno, monkeypatch, add):
    monkeypatch.chdir(places["plain"])
    refused = steno(*add)
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert refused.stderr == (
        "steno: this folder belongs to no project\n  → say where it holds: --project NAME or --everywhere\n"
    )


def test_the_gate_and_the_work_at_hand_are_those_of_the_folder(places, steno, monkeypatch):
    steno("rules", "add", "never run make deploy", "--project", "shop")
    asked = ("gate", "before", "bot", "deploy", "--tool", "Bash", "--input", '{"command": "make deploy"}', "--json")
    verdicts = {}
    for name in ("shop", "aside", "blog"):
        monkeypatch.chdir(places[name])
        verdicts[name] = json.loads(steno(*asked).stdout)["verdict"]
    assert verdicts == {"shop": "ask", "aside": "ask", "blog": "allow"}
    monkeypatch.chdir(places["aside"])
    assert "fix the checkout" in steno("sessions", "work", "end").stdout
    assert "fix the checkout" not in steno("brief", "handoff").stdout
