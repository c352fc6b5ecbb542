"""A command line that is only read is read as the program itself reads it."""

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from msgspec.structs import asdict

from steno.cli import answering, tree
from steno.verbs import VERBS
from steno.verbs.call import checked
from steno.verbs.table import Verb
from steno.verbs.words import TYPED, TYPED_ACTS, act

from ..golden.machine import HERE, lines

MORE = [
    ["rules", "add", "--domain=WEB", "never", "push", "--everywhere", "--", "--help"],
    ["rules", "add", "always", "lint", "--domain", "--help", "--project", "../shop"],
    ["flows", "edit", "deploy", "--step", "make", "--step", "make push", "--no-needs-approval"],
    ["forget", "--turn", "#12", "--since", "2026-01-01", "--yes"],
    ["agents", "set", "bob", "--project", ".", "--project", "~/x", "--json"],
    ["capture", "exclude", "~/private", "*/secret/*", "here/*"],
    ["capture", "old.jsonl", "--source", "claude-code"],
    ["entries", "share", "rules", "--with", "../web"],
    ["review", "answer", "3f2a", "reword", "always", "lint first"],
    ["sessions", "work", "end", "--dropped"],
    ["capabilities", "check", "--seconds", "3"],
    ["entries", "backtest", "a", "b", "--apply"],
    ["notebook", "propose", "--apply"],
    ["agents", "pulse", "run"],
]
ACTS = [words for words in (*lines(HERE / "commands.txt"), *MORE) if words[-1] != "cat" and act(words, "/")]


@pytest.mark.parametrize("words", [words for words in ACTS if words[0] not in TYPED_ACTS], ids=" ".join)
def test_an_act_is_given_what_the_program_would_be_given(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[Verb, dict[str, Any]]] = []
    monkeypatch.setattr(answering, "ask", lambda verb, given, **_: asked.append((verb, given)))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    told = CliRunner().invoke(tree.program, words)
    found = act(words, str(tmp_path))
    assert found is not None
    if told.exit_code == 2:
        assert found[1] is None
    else:
        [(verb, given)] = asked[-1:]
        assert (found[0], _told(verb, found[1] or {})) == (verb.name, _told(verb, given))


def _told(verb: Verb, given: dict[str, Any]) -> dict[str, Any]:
    """What was given, without what means nothing."""
    return {name: value for name, value in asdict(checked(verb, given)).items() if value not in (None, [], (), False)}


def test_every_act_of_authority_has_a_command_line_here() -> None:
    typed = {name for name, verb in VERBS.items() if verb.authority and "cli" in verb.doors}
    assert typed <= {found[0] for words in ACTS if (found := act(words, "/"))}
    assert TYPED_ACTS.keys() < TYPED.keys()


@pytest.mark.parametrize(
    "line",
    """
    rules|rules retire 3f2a --help|rules retire 3f2a -h|recall rules retire 3f2a|--help rules retire 3f2a|pauses
    install|install codex --dry-run|uninstall codex --help|capture --all|capture --watch|capture old.jsonl --dry-run
    forget --text x --only-count|upkeep run all --dry-run|notebook propose|entries backtest old.jsonl|up|hook codex Stop
    entries remember x|flags raise x|relay send bob x|gate after bot pass x|scribe|agents beat bob|archive 3f2a
    """.strip().replace("\n", "|").split("|"),
)  # fmt: skip
def test_what_reads_notes_or_only_tells_is_no_act(line: str) -> None:
    assert act(line.split(), "/") is None


@pytest.mark.parametrize(
    "line", ["rules retire", "rules retire a b", "pause maybe", "forget --turn x", "rules add x --y"]
)
def test_an_act_that_cannot_be_read_is_one_all_the_same(line: str) -> None:
    found = act(line.split(), "/")
    assert found is not None
    assert found[1] is None
