"""The house itself: imports point down the floors, modules stay readable, words mean one thing."""

import ast
import re
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from steno.fleet.fitness import DIMENSIONS
from steno.store.database import named_queries

ROOT = Path(__file__).parent.parent
SOURCES = sorted((ROOT / "src" / "steno").rglob("*.py"))
GLOSSARY = (ROOT / "docs" / "glossary.md").read_text("utf-8")
# Longer than the outer bound, with the reason.
LONG_MODULES: dict[str, str] = {
    "src/steno/memory.py": "every verb of the library stands here",
    "src/steno/verbs/answers.py": "every type a verb answers with stands here",
}
LONG_FUNCTIONS: dict[str, str] = {}


def test_imports_point_down_the_floors() -> None:
    # In a process of its own: it silences every logger of the one it runs in.
    linter = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([linter, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_modules_and_functions_stay_readable(path: Path) -> None:
    text = path.read_text("utf-8")
    name = str(path.relative_to(ROOT))
    assert len(text.splitlines()) <= 500 or name in LONG_MODULES
    tree = ast.parse(text)
    assert ast.get_docstring(tree), "a module says what it is for"
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or 0) - node.lineno + 1
            assert length <= 80 or f"{name}:{node.name}" in LONG_FUNCTIONS, f"{node.name} has {length} lines"


def test_no_pattern_walks_over_empty_lines_from_each_of_them() -> None:
    """The beginning of a line and then any blanks: 20,000 empty lines took 18 seconds inside one call of C."""
    walks = re.compile(r"(?<![\\\[])\^(?:\[[^\]]*\\[sWD][^\]]*\]|\\[sWD])[*+]")
    calls = [node for path in SOURCES for node in ast.walk(ast.parse(path.read_text("utf-8"))) if _by_lines(node)]
    assert len(calls) > 10
    assert [found for call in calls if walks.search(found := ast.unparse(call).replace("\\\\", "\\"))] == []


def _by_lines(node: ast.AST) -> bool:
    """Whether a pattern is compiled whose `^` stands for every line."""
    is_pattern = isinstance(node, ast.Call) and ast.unparse(node.func) == "re.compile"
    return is_pattern and re.search(r"\bre\.M(?:ULTILINE)?\b", ast.unparse(node)) is not None


def test_every_table_is_in_the_glossary() -> None:
    schema = (ROOT / "src/steno/store/schema/schema.sql").read_text("utf-8")
    tables = re.findall(r"^CREATE (?:VIRTUAL )?TABLE (\w+)", schema, re.MULTILINE)
    assert [table for table in tables if f"`{table}`" not in GLOSSARY] == []
    assert "turns" in tables


def test_every_query_says_what_it_is_for() -> None:
    queries = named_queries("queries")
    assert [name for name, body in queries.items() if not body.startswith("-- ")] == []


def test_every_query_is_used() -> None:
    code = "\n".join(path.read_text("utf-8") for path in SOURCES if "store" in path.parts)
    measured = {one.source for one in DIMENSIONS.values()}
    assert [name for name in named_queries("queries") if f'"{name}"' not in code and name not in measured] == []


def test_no_sql_stands_outside_the_store() -> None:
    verbs = re.compile(r"\b(SELECT .* FROM|INSERT INTO|UPDATE \w+ SET|DELETE FROM|PRAGMA \w+)\b")
    offenders = [
        str(path.relative_to(ROOT))
        for path in SOURCES
        if "store" not in path.parts and "openclaw" not in path.name and verbs.search(path.read_text("utf-8"))
    ]
    assert offenders == []


def test_the_standard_library_is_not_used_for_sqlite() -> None:
    """Two copies of SQLite in one process drop each other's locks."""
    assert sqlite3.sqlite_version  # the tests may look into a store with it, in another process
    assert [path for path in SOURCES if re.search(r"^\s*(import|from) sqlite3", path.read_text("utf-8"), re.M)] == []
