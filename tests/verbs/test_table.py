"""One suite for every verb: its page, its JSON, the same answer by every door, bad input, and whom it is open to."""

import asyncio
import fcntl
import os
import re
import sys
from pathlib import Path
from typing import Any

import click
import msgspec
import pytest
from click.testing import CliRunner

from steno.cli import tree
from steno.cli.commands import look_module
from steno.verbs import VERBS
from steno.verbs.call import given_type, public_type
from steno.verbs.table import HANDED, Param, Verb

from ..golden.machine import HERE, lines, machine
from .doors import Asked, over_http, through_all

EVERY = list(VERBS.values())
TYPED = [verb for verb in EVERY if "cli" in verb.doors]
SERVED = [verb for verb in EVERY if "http" in verb.doors]
# What writes and is open to agents in their own scope; everything else that writes belongs to people.
OPEN = {
    "agents beat", "capture", "entries learn", "entries remember", "flags raise", "gate after", "relay", "relay read",
    "relay send",
}  # fmt: skip
# What there is on the machine gives them nothing to do.
REFUSED = {"notebook commit", "review undo", "upkeep undo"}
# Their answers depend on the machine, or nobody can ask them twice.
NOT_ASKED = {"agents pulse run"}
BAD = {
    "a megabyte": "x" * 1_000_000,
    "control characters": "\x1b]0;owned\x07\r\n\x9b31m",
    "half a character": "\udc80",
}
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="the machine's programs are those of Linux")


def name_of(verb: Verb) -> str:
    return verb.name


@pytest.fixture(scope="session")
def asked(tmp_path_factory: pytest.TempPathFactory) -> list[Asked]:
    """Every command line of the golden table, asked through every door once, by one worker for all of them."""
    place = tmp_path_factory.getbasetemp()
    shared = place.parent if "PYTEST_XDIST_WORKER" in os.environ else place
    with (shared / "doors.json").open("a+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        if not (known := file.read()):
            with machine() as one:
                found = [through_all(one, words) for words in lines(HERE / "commands.txt") if words[-1] != "cat"]
            file.write(known := msgspec.json.encode([answer for answer in found if answer]))
    return msgspec.json.decode(known, type=list[Asked])


# -- the same by every door ------------------------------------------------------------------------------------------


@on_linux
@pytest.mark.parametrize("verb", [verb for verb in SERVED if verb.name not in NOT_ASKED], ids=name_of)
def test_a_verb_answers_the_same_by_command_line_http_and_mcp(verb: Verb, asked: list[Asked]) -> None:
    mine = [one for one in asked if one.verb == verb.name]
    assert mine, "no command line of tests/golden/commands.txt asks it"
    assert verb.name in REFUSED or [one.line for one in mine if one.code == 0]
    assert verb.authority or verb.name == "capture" or all(one.over_http is not None for one in mine)
    # What is remembered over HTTP is an agent's word.
    answered = [one for one in mine if one.over_http is not None and verb.name != "entries remember"]
    assert [(one.line, one.over_http) for one in answered] == [(one.line, one.typed) for one in answered]
    by_tool = [one for one in mine if one.over_mcp is not None]
    assert by_tool or not verb.tool or verb.does != "reads"
    assert [(one.line, _sentence(one.over_mcp)) for one in by_tool] == [
        (one.line, _sentence(one.over_http)) for one in by_tool
    ]


@on_linux
@pytest.mark.parametrize("verb", SERVED, ids=name_of)
def test_an_answer_that_was_written_down_is_the_same_answer(verb: Verb, asked: list[Asked]) -> None:
    assert [one.line for one in asked if one.verb == verb.name and not one.comes_back] == []


@on_linux
@pytest.mark.parametrize("verb", [verb for verb in SERVED if verb.does == "reads"], ids=name_of)
def test_a_verb_that_reads_changes_nothing_but_what_was_given_and_used(verb: Verb, asked: list[Asked]) -> None:
    changed = {name for one in asked if one.verb == verb.name for name in one.changed}
    assert changed <= {"accesses", "exchanges", "links", "losses", "receipts", "uses"}


def _sentence(answer: Any) -> Any:
    """An error as its words, however a door lays them out."""
    return " ".join(re.findall(r"\w+", answer)) if isinstance(answer, str) else answer


# -- what stands in the table ------------------------------------------------------------------------------------------


def test_every_verb_only_reads_is_open_to_agents_or_belongs_to_people() -> None:
    assert {verb.name for verb in EVERY if verb.does == "notes"} == OPEN
    assert [verb.name for verb in EVERY if verb.authority and (verb.held or verb.tool)] == []
    assert {verb.does for verb in EVERY} == {"reads", "notes", "rules"}


@pytest.mark.parametrize("verb", EVERY, ids=name_of)
def test_a_verb_says_what_it_takes_and_answers(verb: Verb) -> None:
    assert verb.summary.endswith("."), verb.summary
    assert public_type(verb.name) is not None
    schema = msgspec.json.schema(given_type(verb.name))
    assert schema
    options = [one.name for one in verb.params() if not one.is_argument and not one.arg.help]
    assert options == [], "every option says what it does"
    assert verb.handed == [name for name in HANDED if name in verb.handed] or set(verb.handed) <= set(HANDED)


def test_a_tool_takes_what_its_verb_takes() -> None:
    for verb in EVERY:
        known = {one.name for one in verb.params()} | ({"project", "directory"} if "where" in verb.handed else set())
        assert {*verb.tool_params} <= known, verb.name


# -- pages -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", tree.every_name())
def test_a_page_fits_eighty_columns_and_shows_an_example_that_is_the_command(name: str) -> None:
    page = CliRunner(env={"COLUMNS": "80"}).invoke(tree.program, [*name.split(), "--help"], terminal_width=80)
    assert page.exit_code == 0
    assert [line for line in page.output.splitlines() if len(line) > 80] == []
    if name in VERBS:
        [example] = re.findall(r"^ *\$ steno (.*)$", page.output, re.MULTILINE)
        context = click.Context(tree.program)
        called, found, _ = tree.program.resolve_command(context, re.findall(r'"[^"]*"|\S+', example))
        assert found is not None
        assert found.name == name, f"{example!r} calls {called!r}"


@pytest.mark.parametrize("verb", TYPED, ids=name_of)
def test_a_verb_has_a_look_and_takes_json(verb: Verb) -> None:
    assert verb.name in look_module(verb).LOOKS
    command = tree.made(verb.name)
    assert command is not None
    assert "--json" in [word for param in command.params for word in param.opts]


@pytest.mark.parametrize("group", tree.GROUPS)
def test_a_bare_group_lists_or_shows_its_page_and_a_stranger_below_it_is_refused(group: str, home: Path) -> None:
    assert CliRunner().invoke(tree.program, [group, "frobnicate-it", "--json"]).exit_code in (1, 2)
    assert CliRunner().invoke(tree.program, [group, "--help"]).exit_code == 0


@pytest.mark.parametrize(
    ("typed", "meant"), [("rules retrie", "rules retire"), ("agents pulse of", "agents pulse off"), ("recal", "recall")]
)
def test_a_typo_names_the_closest_verb(typed: str, meant: str) -> None:
    told = CliRunner().invoke(tree.program, [*typed.split(), "x"])
    assert (told.exit_code, told.stdout) == (2, "")
    assert told.stderr.splitlines()[0].endswith(f"; did you mean `steno {meant}`?")


@pytest.mark.parametrize(("old", "new"), tree.MOVED.items())
def test_a_word_of_before_says_its_new_name(old: str, new: str) -> None:
    told = CliRunner().invoke(tree.program, [old, "whatever"])
    assert (told.exit_code, told.stdout) == (2, "")
    assert told.stderr.splitlines()[0] == f"steno: `steno {old}` is `steno {new}` now"
    assert tree.program.get_command(click.Context(tree.program), new.removesuffix(" off")) is not None


# -- bad input ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine on which nobody has worked yet."""
    for name in [name for name in os.environ if name.startswith("STENO_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("STENO_HOME", str(tmp_path / "steno"))
    monkeypatch.setenv("STENO_EMBEDDING", "off")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("bad", BAD, ids=str)
@pytest.mark.parametrize("verb", [verb for verb in TYPED if not verb.slow], ids=name_of)
def test_whatever_is_typed_is_refused_in_a_sentence_or_taken(verb: Verb, bad: str, home: Path) -> None:
    given = [BAD[bad] for one in verb.params() if one.is_argument and one.is_required]
    told = CliRunner().invoke(tree.program, [*verb.name.split(), *(given or ["--project", BAD[bad]]), "--json"])
    assert told.exit_code in (0, 1, 2)
    assert "bug in Steno" not in told.output
    assert "Traceback" not in told.output
    assert "\x1b" not in told.output
    if told.exit_code:
        assert told.stderr.startswith("steno: ")
        assert len(told.stderr) < 2_000


@pytest.mark.parametrize("verb", TYPED, ids=name_of)
def test_an_unknown_option_or_a_missing_argument_is_wrong_use(verb: Verb, home: Path) -> None:
    for words in (["--frobnicate"], []) if any(one.is_required for one in verb.params()) else (["--frobnicate"],):
        told = CliRunner().invoke(tree.program, [*verb.name.split(), *words])
        assert (told.exit_code, told.stdout) == (2, "")
        problem, hint = told.stderr.splitlines()
        assert (problem[:7], hint[:15]) == ("steno: ", "  → see `steno ")


@pytest.mark.parametrize("verb", SERVED, ids=name_of)
def test_over_http_what_nobody_takes_is_refused_in_a_sentence(verb: Verb, home: Path) -> None:
    status, told = asyncio.run(over_http(verb, {"frobnicate": "1"}))
    assert (status, sorted(told)) == (400, ["error", "hint"])
    if any(one.is_required for one in verb.params()):
        assert asyncio.run(over_http(verb, {}))[0] == 400
    if words := [one.name for one in verb.params() if one.type is str]:
        assert asyncio.run(over_http(verb, dict.fromkeys(words, "a\0b")))[0] == 400


@pytest.mark.parametrize("verb", SERVED, ids=name_of)
def test_over_http_an_agent_is_refused_what_is_not_open_to_it(verb: Verb, home: Path) -> None:
    given: dict[str, Any] = {one.name: _sample(one) for one in verb.params() if one.is_required}
    status, told = asyncio.run(over_http(verb, given, **{"Steno-Project": "/shop", "Steno-Agent": "ada"}))
    if verb.authority:
        held = told["error"].startswith("This waits for a person: `steno ")
        assert (status, held) == (403, True) or status == 400 or verb.when is not None
    elif not (verb.held or verb.tool):
        assert (status, told["error"]) == (403, f"only a person asks for `{verb.name}`")
    elif "where" in verb.handed:
        other, told = asyncio.run(over_http(verb, {**given, "project": "/blog"}, **{"Steno-Project": "/shop"}))
        assert other in (400, 403), told
        everywhere, _ = asyncio.run(over_http(verb, {**given, "everywhere": True}, **{"Steno-Project": "/shop"}))
        assert everywhere in (400, 403)


def _sample(param: Param) -> Any:
    kinds: dict[str, Any] = {"int": 1, "float": 1.0, "bool": True}
    return next((value for kind, value in kinds.items() if kind in str(param.type)), "pass")
