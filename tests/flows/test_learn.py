"""Learning flows: what went well again and again becomes a candidate; nothing else does."""

from collections.abc import Callable
from pathlib import Path

import pytest

from steno.flows.commands import steps_of
from steno.testing import house
from steno.vocabulary import Flow

Worked = Callable[..., Path]

RELEASE = ("make lint", "pytest -q tests/unit", "git add -A && git commit -m 'release' && git push")
STEPS = ["make lint", "pytest", "git add", "git commit", "git push"]


def learnt(tmp_path: Path, *paths: Path) -> list[Flow]:
    with house(tmp_path) as memory:
        memory.capture(*paths)
        memory.learn()
        memory.flows.settle()
        return memory.flows.all()


def test_what_went_well_in_three_sessions_becomes_a_candidate(tmp_path: Path, worked: Worked) -> None:
    requests = ("ship the shop", "please ship it to the shop", "ship the shop again")
    paths = [worked(f"s{n}", request, "edit", *RELEASE, day=f"2026-03-0{n}") for n, request in enumerate(requests, 1)]
    [flow] = learnt(tmp_path, *paths)
    assert flow == Flow(
        name="lint-pytest-commit-push",
        domain="GENERAL",
        agent=None,
        project="/work/shop",
        triggers=["ship shop"],
        steps=STEPS,
        status="candidate",
        origin="assistant",
        created_at=flow.created_at,
        changed_at=flow.created_at,
    )
    assert flow.created_at.startswith("2026-03-03T10:00:")


@pytest.mark.parametrize(
    ("sessions", "why"),
    [
        ([RELEASE, RELEASE], "seen in two sessions only"),
        ([RELEASE, RELEASE, ("make lint", "!pytest", "git push")], "it failed in the third"),
        ([("make lint", "!make docs", "pytest")] * 3, "what failed stands between its steps"),
        ([("git add -A && git commit -m x && git push",)] * 3, "every agent knows how to push"),
        ([("ls", "cat a.py", "git status", "grep x y | head")] * 3, "looking around is no procedure"),
        ([("make lint",)] * 3, "one step is no procedure"),
        ([("edit", "edit", "make lint", "edit")] * 3, "edits are no steps"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_no_procedure_is_not_learnt(
    tmp_path: Path, worked: Worked, sessions: list[tuple[str, ...]], why: str
) -> None:
    paths = [worked(f"s{n}", "go on", *commands) for n, commands in enumerate(sessions)]
    assert learnt(tmp_path, *paths) == [], why


def test_three_days_of_one_session_count_like_three_sessions(tmp_path: Path, worked: Worked) -> None:
    paths = [worked("long", "go on", *RELEASE, day=f"2026-03-0{day}") for day in (1, 2, 3)]
    assert [flow.steps for flow in learnt(tmp_path, paths[-1])] == [STEPS]


def test_another_projects_sessions_do_not_count(tmp_path: Path, worked: Worked) -> None:
    paths = [worked(f"s{n}", "go on", *RELEASE, project=f"/work/{n}") for n in range(3)]
    assert learnt(tmp_path, *paths) == []


def test_the_same_procedure_in_two_projects_has_two_names(tmp_path: Path, worked: Worked) -> None:
    paths = [worked(f"{p}{n}", "go on", *RELEASE, project=f"/work/{p}") for p in ("blog", "shop") for n in range(3)]
    assert [(flow.name, flow.project) for flow in learnt(tmp_path, *paths)] == [
        ("lint-pytest-commit-push", "/work/blog"),
        ("lint-pytest-commit-push-in-shop", "/work/shop"),
    ]


def test_editing_and_testing_until_it_is_green_is_testing(tmp_path: Path, worked: Worked) -> None:
    rounds = ("edit", "pytest", "edit", "pytest", "edit", "pytest", "make docs")
    paths = [worked(f"s{n}", "go on", *rounds) for n in range(3)]
    assert [flow.steps for flow in learnt(tmp_path, *paths)] == [["pytest", "make docs"]]


def test_one_candidate_stands_for_a_family(tmp_path: Path, worked: Worked) -> None:
    full, shorter = ("make lint", "pytest", "make docs", "make release"), ("pytest", "make docs", "make publish")
    paths = [worked(f"s{n}", "go on", *full) for n in range(4)] + [worked(f"t{n}", "go", *shorter) for n in range(3)]
    assert [flow.steps for flow in learnt(tmp_path, *paths)] == [list(full)]


def test_learning_twice_gives_the_same_and_a_rebuild_too(tmp_path: Path, worked: Worked) -> None:
    paths = [worked(f"s{n}", "ship the shop", *RELEASE, day=f"2026-03-0{n}") for n in range(1, 5)]
    with house(tmp_path) as memory:
        memory.capture(*paths)
        memory.learn()
        memory.flows.settle()
        before = memory.flows.all()
        memory.flows.settle()
        assert memory.flows.all() == before
        memory.rebuild()
        memory.flows.settle()
        assert memory.flows.all() == before
        assert len(before) == 1


def test_a_journal_that_has_hardly_grown_is_not_learnt_from_again(tmp_path: Path, worked: Worked) -> None:
    with house(tmp_path) as memory:
        memory.capture(*[worked(f"s{n}", "go on", *RELEASE) for n in range(2)])
        memory.learn()
        memory.flows.settle()
        memory.capture(worked("s2", "go on", *RELEASE))
        memory.learn()
        memory.flows.settle()
        assert memory.flows.all() == []
        memory.capture(worked("s3", "go on", *["make lint"] * 100))
        memory.learn()
        memory.flows.settle()
        assert [flow.steps for flow in memory.flows.all()] == [STEPS]


@pytest.mark.parametrize(
    ("command", "steps"),
    [
        ("cd /x && mise run lint 2>&1 | tail -20", ["mise run lint"]),
        ("npm --prefix web run build && npm run test:ci -- --watch=false", ["npm run build", "npm run test:ci"]),
        ('git commit -m "$(cat <<\'EOF\'\nfix: it && that; rm "x"\nEOF\n)" && git push --force-with-lease',
         ["git commit", "git push --force-with-lease"]),
        ("FOO=1 sudo timeout 60 ./scripts/deploy.sh prod", ["scripts/deploy.sh"]),
        ("uv run pytest -q tests/test_a.py::test_b", ["pytest"]),
        ("python -m build && python -c 'print(1)' && sh tools/gen.sh out", ["python -m build", "sh tools/gen.sh"]),
        ("gh pr view 3 && gh pr create --fill && gh api x", ["gh pr create"]),
        ("n=$(git rev-parse HEAD); echo $n", []),
        ("git -C sub add . && git fetch origin \\\n  main", ["git add", "git fetch"]),
        ("make lint test docs", ["make lint test docs"]),
        ("docker compose up -d && kubectl get pods", ["docker compose up"]),
        ("tool --help; git commit -m \"a message that was cut; so deploy it", ["git commit"]),
        ("", []),
    ],
)  # fmt: skip
def test_a_command_is_known_by_its_program_subcommand_and_telling_flags(command: str, steps: list[str]) -> None:
    assert steps_of(command) == steps
