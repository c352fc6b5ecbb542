"""Flows through the library: what people and outcomes tell us, versions, records, and forgetting."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec import structs

from steno.flows.fold import Record, fold
from steno.flows.record import health, shown
from steno.testing import SteppingClock, house
from steno.vocabulary import Flow, FlowRecord
from steno.vocabulary.errors import StenoError, UnknownFlow, WrongUse

NOON = "2026-01-01T12:00:00.000Z"
STEPS = ["back up the target", "build", "hand to QA"]
CANARY = "canary-8f3a"


def files_with(home: Path, text: str) -> list[str]:
    return [str(file) for file in home.rglob("*") if file.is_file() and text.encode() in file.read_bytes()]


def made(**fields: object) -> Flow:
    base = Flow(
        name="deploy", domain="GENERAL", agent=None, project=None, triggers=[], steps=STEPS, created_at=NOON,
        changed_at=NOON,
    )  # fmt: skip
    return structs.replace(base, **fields)


def test_a_flow_is_kept_as_it_was_made(tmp_path: Path) -> None:
    with house(tmp_path) as memory:
        memory.flows.add(
            "deploy", STEPS, ["ship  the\nblog"], domain="web", agent="bot", project="/blog", needs_approval=True
        )
    with house(tmp_path) as memory:
        assert memory.flows.all() == [
            made(triggers=["ship the blog"], domain="web", agent="bot", project="/blog", needs_approval=True)
        ]


def test_outcomes_make_the_record(tmp_path: Path) -> None:
    clock = SteppingClock()
    with house(tmp_path, clock=clock) as memory:
        memory.flows.add("deploy", STEPS)
        clock.now = "2026-01-02T12:00:00.000Z"
        for passed in (True, True, False):
            flow = memory.flows.outcome("deploy", passed, "as said")
        assert flow == memory.flows.one("deploy") == made(used_at=clock.now, succeeded=2, failed=1)
        assert shown(flow) == "66 % (2 of 3)"


def test_other_steps_make_a_new_version_and_keep_the_old_record(tmp_path: Path) -> None:
    clock = SteppingClock()
    with house(tmp_path, clock=clock) as memory:
        memory.flows.add("deploy", STEPS)
        memory.flows.outcome("deploy", False)
        clock.now = "2026-01-03T12:00:00.000Z"
        assert memory.flows.edit("deploy", triggers=["ship it"]).version == 1
        flow = memory.flows.edit("deploy", steps=["build", "ask"], needs_approval=True)
        memory.flows.outcome("deploy", True)
    old = FlowRecord(version=1, steps=STEPS, succeeded=0, failed=1)
    assert flow == made(
        steps=["build", "ask"], triggers=["ship it"], needs_approval=True, version=2, changed_at=clock.now,
        used_at=NOON, history=[old],
    )  # fmt: skip


def test_a_rebuild_and_another_time_give_the_same_flows(tmp_path: Path) -> None:
    clock = SteppingClock()
    with house(tmp_path, clock=clock) as memory:
        memory.flows.add("deploy", STEPS)
        clock.now = "2026-01-03T12:00:00.000Z"
        memory.flows.edit("deploy", steps=["build"])
        memory.flows.retire("deploy")
        before = memory.flows.all()
        memory.rebuild()
        memory.flows.settle()
        assert memory.flows.all() == before
        assert memory.flows.all(at="2026-01-02T00:00:00.000Z") == [made()]
        assert memory.flows.all(at="2025-01-01T00:00:00.000Z") == []


def test_another_memory_on_the_same_home_sees_what_is_told(tmp_path: Path) -> None:
    with house(tmp_path) as one, house(tmp_path) as other:
        assert other.flows.all() == []
        one.flows.add("deploy", STEPS)
        assert other.flows.all() == [made()]
        other.flows.outcome("deploy", True)
        assert one.flows.one("deploy").succeeded == 1


def test_only_flows_in_force_are_found_and_only_where_they_hold(tmp_path: Path) -> None:
    with house(tmp_path) as memory:
        memory.flows.add("deploy-the-shop", STEPS, project="/shop")
        memory.flows.add("deploy-anything", STEPS)
        memory.flows.add("deploy-by-hand", STEPS)
        memory.flows.retire("deploy-by-hand")
        assert [flow.name for flow, _ in memory.flows.find("deploy", "/blog")] == ["deploy-anything"]
        assert {flow.name for flow, _ in memory.flows.find("deploy")} == {"deploy-anything", "deploy-the-shop"}
        assert [flow.name for flow in memory.flows.all(project="/blog")] == ["deploy-anything", "deploy-by-hand"]
        assert [flow.name for flow in memory.flows.all("retired")] == ["deploy-by-hand"]


# -- candidates ------------------------------------------------------------------------------------------------------


@pytest.fixture
def candidate(worked: Callable[..., Path]) -> list[Path]:
    """Sessions from which one flow is learnt."""
    return [worked(f"s{n}", f"ship the {CANARY}", "make lint", "pytest", day=f"2025-03-0{n}") for n in range(1, 4)]


def test_a_candidate_is_in_force_when_a_person_says_so(tmp_path: Path, candidate: list[Path]) -> None:
    with house(tmp_path) as memory:
        memory.capture(*candidate)
        memory.learn()
        memory.flows.settle()
        [learnt] = memory.flows.all("candidate")
        assert memory.flows.find("ship the canary, lint and pytest") == []
        memory.flows.outcome("lint-pytest", True)
        flow = memory.flows.activate("lint-pytest")
        assert flow == structs.replace(
            learnt, status="active", origin="edit", changed_at=NOON, used_at=NOON, succeeded=1
        )
        memory.rebuild()
        memory.flows.settle()
        assert memory.flows.all() == [flow]


def test_a_person_changes_a_candidate_and_it_is_theirs(tmp_path: Path, candidate: list[Path]) -> None:
    with house(tmp_path) as memory:
        memory.capture(*candidate)
        memory.learn()
        memory.flows.settle()
        flow = memory.flows.edit("lint-pytest", steps=["lint", "test", "tell the team"])
        assert (flow.status, flow.origin, flow.version) == ("active", "edit", 2)
        memory.rebuild()
        memory.flows.settle()
        assert memory.flows.all() == [flow]


def test_a_retired_candidate_does_not_come_up_again(tmp_path: Path, candidate: list[Path]) -> None:
    with house(tmp_path) as memory:
        memory.capture(*candidate)
        memory.learn()
        memory.flows.settle()
        memory.flows.retire("lint-pytest")
        memory.rebuild()
        memory.flows.settle()
        assert [(flow.name, flow.status) for flow in memory.flows.all()] == [("lint-pytest", "retired")]


# -- forgetting and secrets ------------------------------------------------------------------------------------------


def test_a_forgotten_text_is_in_no_flow_and_no_record(tmp_path: Path, candidate: list[Path]) -> None:
    with house(tmp_path) as memory:
        memory.capture(*candidate)
        memory.learn()
        memory.flows.settle()
        assert CANARY in str(memory.flows.all())
        memory.flows.add("feed", [f"feed the {CANARY}", "wait"])
        memory.flows.edit("feed", steps=["feed it", "wait"])
        memory.flows.add(CANARY, ["sing"])
        memory.flows.outcome(CANARY, True)
        memory.flows.add("deploy", STEPS)
        memory.flows.outcome("deploy", True, f"told the {CANARY}")
        memory.forget(text=CANARY)
        memory.flows.settle()
        assert [(flow.name, flow.steps, flow.triggers, flow.used) for flow in memory.flows.all()] == [
            ("deploy", STEPS, [], 0),
            ("feed", ["feed it", "wait"], [], 0),
            ("lint-pytest", ["make lint", "pytest"], [], 0),
        ]
        # Closing the store would empty its log; another process looks, for reading an open store here drops its locks.
        assert subprocess.run(["grep", "-rl", CANARY, tmp_path / "steno"], capture_output=True).stdout == b""
    assert files_with(tmp_path / "steno", CANARY) == []


def test_a_forgotten_session_takes_its_candidate_along(tmp_path: Path, candidate: list[Path]) -> None:
    with house(tmp_path) as memory:
        memory.capture(*candidate)
        memory.learn()
        memory.flows.settle()
        for name in ("s1", "s2", "s3"):
            memory.forget(session=name)
        memory.flows.settle()
        assert memory.flows.all() == []
    assert files_with(tmp_path / "steno", CANARY) == []


def test_a_new_pattern_reaches_flows_that_were_made_before(tmp_path: Path) -> None:
    with house(tmp_path) as memory:
        memory.flows.add("feed", [f"feed the {CANARY}"])
    with house(tmp_path, redact_patterns="canary-[0-9a-f]+") as memory:
        memory.redact()
        memory.flows.settle()
        assert CANARY not in str(memory.flows.all())
        assert len(memory.flows.all()) == 1
        assert subprocess.run(["grep", "-rl", CANARY, tmp_path / "steno"], capture_output=True).stdout == b""


def test_secrets_are_taken_out_of_everything_that_is_told(tmp_path: Path) -> None:
    secret = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"
    with house(tmp_path) as memory:
        flow = memory.flows.add("deploy", [f"export TOKEN={secret}"], [f"use {secret}"])
        memory.flows.outcome("deploy", True, f"with {secret}")
        assert secret not in str(flow)
    assert files_with(tmp_path / "steno", secret) == []


# -- wrong use -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["", "Deploy", "a b", "-a", "a--b", "../x", "ü", "a" * 65, "a\n"])
def test_a_name_is_lower_case_with_hyphens(tmp_path: Path, name: str) -> None:
    with house(tmp_path) as memory, pytest.raises(WrongUse, match="cannot be a flow's name"):
        memory.flows.add(name, STEPS)


def test_a_name_is_given_once(tmp_path: Path) -> None:
    with house(tmp_path) as memory:
        memory.flows.add("deploy", STEPS)
        with pytest.raises(WrongUse, match="already") as wrong:
            memory.flows.add("deploy", STEPS)
        assert wrong.value.hint == "`steno flows edit deploy`"


@pytest.mark.parametrize("steps", [[], ["", "  "], ["x"] * 51, ["x" * 501]])
def test_steps_must_be_few_and_short(tmp_path: Path, steps: list[str]) -> None:
    with house(tmp_path) as memory, pytest.raises(WrongUse):
        memory.flows.add("deploy", steps)


def test_an_unknown_flow_is_answered_with_those_near_it(tmp_path: Path) -> None:
    with house(tmp_path) as memory:
        with pytest.raises(UnknownFlow) as unknown:
            memory.flows.one("deploy")
        assert unknown.value.hint == "there is none yet; `steno flows add` makes one"
        for name in ("deploy-blog", "deploy-shop", "rotate-keys"):
            memory.flows.add(name, STEPS)
        for act in (memory.flows.one, memory.flows.retire, memory.flows.activate):
            with pytest.raises(UnknownFlow) as unknown:
                act("deploy-blok")
            assert unknown.value.hint.startswith("near it: deploy-blog, deploy-shop;")
        with pytest.raises(StenoError):
            memory.flows.outcome("nothing", True)
        with pytest.raises(WrongUse, match="nothing is to be changed"):
            memory.flows.edit("deploy-blog")
        with pytest.raises(WrongUse, match="no flow can be"):
            memory.flows.all("broken")


# -- pure ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("succeeded", "failed", "on", "says"),
    [
        (19, 1, "01-02", "proven"), (5, 0, "01-02", "proven"), (4, 0, "09-09", "working"), (94, 6, "01-02", "working"),
        (2, 3, "01-02", "broken"), (40, 60, "01-02", "broken"), (1, 3, "01-02", "working"),
        (41, 59, "01-02", "working"), (0, 0, "01-30", "working"), (0, 0, "01-31", "unused"),
    ],
)  # fmt: skip
def test_the_record_says_how_a_flow_is(succeeded: int, failed: int, on: str, says: str) -> None:
    assert health(made(succeeded=succeeded, failed=failed), f"2026-{on}T12:00:00.000Z") == says


def test_a_new_version_of_a_flow_that_was_used_is_not_unused() -> None:
    assert health(made(version=2, used_at=NOON), "2026-09-09T12:00:00.000Z") == "working"


def test_a_record_is_shown_with_its_runs() -> None:
    assert shown(made(succeeded=32, failed=2)) == "94 % (32 of 34)"
    assert shown(made(succeeded=999, failed=1)) == "99 % (999 of 1000)"
    assert shown(made()) == "never used"
    assert shown(made(succeeded=2, failed=3)) == "40 % (2 of 5), broken"


@pytest.mark.parametrize(
    "value",
    ["", "{", "[]", "{}", "null", '{"do":"add"}', '{"do":"add","name":"x","steps":"y"}', '{"flow":3,"passed":true}',
     '{"flow":"x"}', "[" * 100_000],
)  # fmt: skip
def test_a_record_nobody_can_read_is_passed_over(value: str) -> None:
    assert fold([Record(NOON, act, "x", value) for act in ("flow", "outcome")]) == {}


def test_records_are_folded_in_order_of_time() -> None:
    acts = (("2026-01-01", "add"), ("2026-01-02", "retire"))
    told = [Record(at, "flow", "x", f'{{"do":"{do}","name":"x","steps":["a"]}}') for at, do in acts]
    assert fold(told) == fold(told[::-1])
    assert fold(told)["x"].status == "retired"
