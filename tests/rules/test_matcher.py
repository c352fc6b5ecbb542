"""Matchers: what an action must look like for a rule to fire on it."""

from typing import Any

import pytest

from steno.rules.matcher import check, fires
from steno.rules.seen import seen
from steno.vocabulary import Action, Matcher
from steno.vocabulary.errors import WrongUse

FORCE = Matcher(command=r"git push .*(--force|-f)\b")
NPM = Matcher(command=r"^npm\b")
VENDOR = Matcher(path=r"(^|/)vendor/")


def act(tool: str | None = "Bash", text: str = "", **given: Any) -> Action:
    return Action(agent="main", text=text, tool=tool, input=given)


def bash(command: str) -> Action:
    return act("Bash", command=command)


@pytest.mark.parametrize(
    "command",
    [
        "git push --force",
        "cd x && git push --force",
        "make test || git push origin main -f",
        "git -C ../shop --no-pager push --force origin",
        "sudo GIT_TRACE=1 /usr/bin/git push --force",
        'bash -lc "cd x && git push --force"',
        "echo done; (git push --force)",
        'url="$(git push --force 2>&1)"',
        "bash <<EOF\ngit push --force\nEOF",
        "if make; then git push --force; fi",
        "timeout 60 git push \\\n  --force",
        "echo it's late && git push --force",
    ],
)
def test_a_command_is_found_wherever_it_runs(command: str) -> None:
    found = fires(FORCE, bash(command))
    assert found is not None
    assert found.startswith("git push")


@pytest.mark.parametrize(
    "command",
    [
        'echo "git push --force"',
        'git commit -m "never git push --force again"',
        "git commit -m \"$(cat <<'EOF'\nIt's done: git push --force\nEOF\n)\"",
        "grep -rn 'git push --force' docs",
        "cat > notes.md <<EOF\ngit push --force\nEOF",
        "git push # not with --force",
        "git push",
        "gh pr comment 9 --body 'use git push --force'",
    ],
)
def test_what_is_only_said_does_not_run(command: str) -> None:
    assert fires(FORCE, bash(command)) is None


def test_each_host_has_its_own_shell() -> None:
    calls = [
        act("Bash", command="npm ci", description="install"),
        act("bash", command="npm ci"),
        act("exec_command", cmd="npm ci", workdir="/shop"),
        act("shell", command=["bash", "-lc", "cd web && npm ci"]),
        act("shell", command=["npm", "ci"]),
        act("exec", command="npm ci"),
        act("mcp__desk__run_command", command="npm ci"),
        act(None, "npm ci"),
        act("Bash", "npm ci"),
    ]
    assert [fires(NPM, call) for call in calls] == ["npm ci"] * len(calls)
    assert fires(NPM, act("Write", file_path="a.md", content="npm ci")) is None
    assert fires(NPM, act(None, "explain what npm ci does")) is None


@pytest.mark.parametrize(
    ("action", "paths"),
    [
        (act("Edit", file_path="/shop/vendor/a.c", old_string="a", new_string="b"), ["/shop/vendor/a.c"]),
        (act("MultiEdit", file_path="vendor/a.c", edits=[{"old_string": "a"}]), ["vendor/a.c"]),
        (act("NotebookEdit", notebook_path="vendor/a.ipynb"), ["vendor/a.ipynb"]),
        (act("read_many_files", paths=["a.c", "vendor/b.c"]), ["a.c", "vendor/b.c"]),
        (
            act("apply_patch", input="*** Begin Patch\n*** Update File: vendor/a.c\n@@\n*** Add File: b.c\n"),
            ["vendor/a.c", "b.c"],
        ),
        (bash("rm -rf vendor/a"), ["vendor/a"]),
        (bash("cd vendor/x && sed -i 's/a b/c/' a.c"), ["vendor/x/a.c"]),
        (bash("make > vendor/log.txt 2>&1"), ["vendor/log.txt"]),
        (bash("git checkout vendor/a.c"), ["vendor/a.c"]),
    ],
)
def test_a_path_is_one_the_action_touches(action: Action, paths: list[str]) -> None:
    assert [path.decode() for path in seen(action).paths] == paths
    assert "vendor/" in (fires(VENDOR, action) or "")


def test_a_command_that_only_looks_touches_nothing() -> None:
    looks = [bash(f"{look} vendor/a.c") for look in ("cat", "grep -n x", "ls", "sed -n 1,9p", "git diff")]
    assert [fires(VENDOR, look) for look in looks] == [None] * len(looks)


def test_a_text_is_found_anywhere_in_the_input() -> None:
    deep = act("Write", file_path="a.py", edits=[{"new": {"lines": ["import os", "import Lodash"]}}])
    assert fires(Matcher(text=r"\blodash\b"), deep) == "a.py import os import Lodash"
    assert fires(Matcher(text=r"\blodash\b"), act(None, "add lodash to the page")) == "add lodash to the page"
    assert fires(Matcher(text=r"\blodash\b"), act("Write", content="lodashes")) is None


def test_every_pattern_that_is_given_must_be_found() -> None:
    action = act("Bash", command="cd vendor && rm vendor/a.c")
    assert fires(Matcher(tool="bash|shell", command="^rm", path="vendor/"), action) == "rm vendor/a.c"
    assert fires(Matcher(command="^rm", path="src/"), action) is None
    assert fires(Matcher(command="^mv", path="vendor/"), action) is None
    assert fires(Matcher(tool="Edit", command="^rm"), action) is None
    assert fires(Matcher(), action) is None


def test_a_tool_is_matched_by_its_whole_name() -> None:
    edit = act("MultiEdit", file_path="a")
    assert fires(Matcher(tool="edit"), edit) is None
    assert fires(Matcher(tool="edit|multiedit"), edit) == "MultiEdit"
    # In words there is no tool: the other patterns decide, and a tool alone cannot be found.
    assert fires(Matcher(tool="Bash", command="^npm"), act(None, "npm ci")) == "npm ci"
    assert fires(Matcher(tool="Bash"), act(None, "npm ci")) is None


@pytest.mark.parametrize(
    ("matcher", "message"),
    [
        (Matcher(command="git (push"), r"the pattern 'git \(push' cannot be read: missing \)"),
        (Matcher(path="(?=a)b"), r"the pattern '\(\?=a\)b' cannot be read"),
        (Matcher(text=".*"), "the text pattern '.*' fires on everything"),
        (Matcher(), "a matcher without a pattern would fire on nothing"),
    ],
)
def test_a_matcher_that_cannot_work_is_refused_by_name(matcher: Matcher, message: str) -> None:
    with pytest.raises(WrongUse, match=message):
        check(matcher)


def test_what_it_fired_on_is_short_and_on_one_line() -> None:
    found = fires(Matcher(text="needle"), act("Write", content="hay\n" * 1000 + "needle" + "\nhay" * 1000))
    assert found is not None
    assert "needle" in found
    assert len(found) <= 200
    assert "\n" not in found


@pytest.mark.parametrize(
    "action",
    [
        act("Bash", command="'" * 100_000),
        act("Bash", command='"$(' * 50_000),
        act("Bash", command="<<A\n" * 50_000),
        act("Bash", command="a " * 500_000),
        act("Bash", command="\ud800 \x00"),
        act("Bash", command=7),
        act("Bash", command=[1, ["x"]]),
        act("Edit", file_path=None, path={"a": 1}, paths=[1, None]),
        act("Write", content="\ud800\udfff" * 10_000),
        act("", ""),
    ],
    ids=["quotes", "substitutions", "documents", "words", "surrogate", "number", "list", "paths", "halves", "nothing"],
)
def test_nothing_an_agent_writes_stops_the_gate(action: Action) -> None:
    # What is quadratic in it does not come back.
    assert fires(FORCE, action) is None
    assert fires(VENDOR, action) is None


def test_an_input_nested_without_end_is_read_without_recursion() -> None:
    nested: Any = "needle"
    for _ in range(50_000):
        nested = [nested]
    assert fires(Matcher(text="needle"), act("Write", content=nested)) == "needle"


def test_a_family_fires_on_the_part_that_does_it() -> None:
    family = Matcher(family="discarding-changes")
    assert fires(family, bash("git fetch && git reset --hard origin/x")) == "git reset --hard origin/x"
    assert fires(family, bash("git reset HEAD a.c")) is None
    with pytest.raises(WrongUse, match="no command family is called 'dancing'"):
        check(Matcher(family="dancing"))
