"""Docs that cannot lie."""

import ast
import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from rich.cells import cell_len

from steno import __version__
from steno.cli import tree
from steno.cli.tree import program

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")
PAGES = [ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md")] + sorted(
    (ROOT / "docs").glob("*.md")
)


def test_the_reference_is_what_the_program_says(tmp_path: Path) -> None:
    # In a process of its own: a command that was called before by itself keeps what it said of itself then.
    page, readme = tmp_path / "reference.md", tmp_path / "README.md"
    readme.write_text(README, "utf-8")
    subprocess.run([sys.executable, ROOT / "docs" / "make_reference.py", page, readme], check=True)
    assert (ROOT / "docs" / "reference.md").read_text("utf-8") == page.read_text("utf-8"), "run `make docs`"
    assert readme.read_text("utf-8") == README, "run `make docs`"


def test_every_word_at_the_top_is_in_the_glossary() -> None:
    glossary = (ROOT / "docs" / "glossary.md").read_text("utf-8").casefold()
    words = program.list_commands(click.Context(program))
    assert [word for word in words if f"**{word.removesuffix('s')}" not in glossary] == []


def test_every_option_says_what_it_does() -> None:
    commands = {name: tree.made(name) for name in tree.every_name()}
    options = [(name, one) for name, made in commands.items() if made for one in made.params]
    assert [(name, one.name) for name, one in options if isinstance(one, click.Option) and not one.help] == []


# As people are told of a command: between backticks, in quotation marks, or on a line of its own.
TOLD = re.compile(r"`(?:\$ )?steno ([^`]*)`|\"steno ([^\"\n]*)\"|^\s*(?:\$ )?steno (\S.*)$", re.MULTILINE)
HISTORY = {"CHANGELOG.md", "tried.md", "corrections.md"}
SOURCES = [path for path in sorted((ROOT / "src").rglob("*")) if path.suffix in (".py", ".md", ".toml", ".sql")]
TEXTS = [path for path in (*PAGES, *SOURCES, *sorted((ROOT / "samples").glob("*.sh"))) if path.name not in HISTORY]


def test_every_command_that_people_are_told_of_exists_and_has_those_options() -> None:
    told = {(path.relative_to(ROOT), line) for path in TEXTS for text in texts(path) for line in commands_in(text)}
    assert len(told) > 300
    assert [(str(path), line, wrong) for path, line in sorted(told) if (wrong := wrong_with(line))] == []


def texts(path: Path) -> Iterator[str]:
    """What people may read of a file: of a program, what it prints and its comments."""
    text = path.read_text("utf-8")
    if path.suffix != ".py":
        yield text
        return
    yield "\n".join(line for line in text.splitlines() if line.lstrip().startswith("#"))
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.JoinedStr):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "…" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def commands_in(text: str) -> Iterator[str]:
    """What stands behind `steno`, without what the shell does with it and without what is said between quotes."""
    for found in TOLD.finditer(text):
        line = re.sub(r"\"[^\"]*(\"|$)", '"…"', found[found.lastindex or 0])
        yield " ".join(re.split(r"\s#|[|<>;&]", line)[0].split())


def wrong_with(line: str) -> str:
    """Why nobody can type that; empty: they can."""
    words = line.split()
    named = next((at for at, word in enumerate(words) if not re.fullmatch(r"[a-z][a-z-]*", word)), len(words))
    if not named:  # `steno --help`, or any command
        return ""
    try:
        name, command, _ = program.resolve_command(click.Context(program), words[:named])
    except click.UsageError as error:
        return error.message
    assert command is not None
    if name in tree.ALIASES and name != "up":
        return f"it is `steno {tree.ALIASES[name]}`"
    known = {"-h", "--help"}.union(*((*one.opts, *one.secondary_opts) for one in command.params))
    strange = [word for word in words if re.match(r"--?[a-z]", word) and re.split("[=…]", word)[0] not in known]
    return f"it has no {' '.join(strange)}" if strange else ""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text("utf-8"))
    assert [target for target in targets if not (page.parent / target).exists()] == []


def test_files_named_in_the_architecture_exist() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    named = re.findall(r"`((?:tests|docs|src)/[\w/.]+)`", text)
    assert named
    assert [name for name in named if not (ROOT / name).exists()] == []


@pytest.fixture(scope="module")
def demo() -> str:
    """What `make demo` prints into a pipe."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("STENO_", "COLUMNS"))}
    environment["PATH"] = f"{Path(sys.executable).parent}:{environment['PATH']}"
    ran = subprocess.run(["bash", ROOT / "samples" / "demo.sh"], capture_output=True, encoding="utf-8", env=environment)
    assert (ran.returncode, ran.stderr) == (0, "")
    return ran.stdout


def test_the_demo_fits_eighty_columns_and_has_no_escape_codes_in_a_pipe(demo: str) -> None:
    assert [line for line in demo.splitlines() if cell_len(line) > 80] == []
    assert "\x1b" not in demo


def test_the_demo_finds_what_it_asks_for_by_meaning(demo: str) -> None:
    asked = demo.split("# Found again by meaning")[1].split("# The store checks itself")[0]
    assert "never change the payments table by hand" in asked
    assert "words:" not in asked


def test_the_readme_shows_what_the_demo_prints(demo: str) -> None:
    [shown] = re.findall(r"(?<=see …\):\n\n)```\n(.*?)```", README, re.DOTALL)
    assert [part for part in shown.split("…\n") if part not in demo] == []


def test_the_readme_example_runs_on_the_samples_and_asks_where_the_command_line_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    [code] = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("STENO_EMBEDDING", "off")
    monkeypatch.setenv("STENO_HOME", str(tmp_path / "library"))
    exec(compile(code, "README.md", "exec"), {})
    first, *rest, verdict = capsys.readouterr().out.splitlines()
    refusal = "2026-03-02T09:03:41.177Z user never change the payments table by hand, last time it cost us a weekend."
    assert first.startswith(refusal)
    briefing = rest[rest.index('<steno tier="0">') :]
    assert briefing[-1] == "</steno>"
    # It is of the latest session, and that was read by the scribe.
    assert "where it stood:" in briefing

    monkeypatch.setenv("STENO_HOME", str(tmp_path / "program"))
    [text], [directory] = re.findall(r'text="(.*?)"', code), re.findall(r'directory="(.*?)"', code)
    for command in (["capture", "samples/transcripts"], ["gate", "before", "bot", text, "--directory", directory]):
        done = CliRunner().invoke(program, [*command, "--json"])
        assert done.exit_code == 0, done.output
    assert (verdict, json.loads(done.stdout)["verdict"]) == ("Ask", "ask")


def test_what_is_installed_is_called_the_same_everywhere() -> None:
    """The package index knows something else by the name of the command."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    known = {f"{project['name']}[{extra}]" for extra in project["optional-dependencies"]}
    sources = [path for path in (ROOT / "src").rglob("*.*") if path.suffix in (".py", ".md", ".toml")]
    texts = [path.read_text("utf-8") for path in (ROOT / "README.md", *(ROOT / "docs").glob("*.md"), *sources)]
    named = {name for text in texts for name in re.findall(r"[\w-]*steno[\w-]*\[\w+\]", text)}
    assert named == known - {f"{project['name']}[dev]"}
    installed = {name for text in texts for name in re.findall(r"pip install[^\n]*?[ '\"](steno[\w-]*)", text)}
    assert installed == {"steno-memory"}
    assert version(project["name"]) == __version__ == project["version"]
