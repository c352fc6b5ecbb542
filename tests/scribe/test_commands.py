"""What commands are for is data, and each line of it is shown by a command."""

import re
from typing import Any

import pytest

from steno.scribe.work.results import results
from steno.scribe.work.shell import TOLD, Went, begins, kind_of

BEFORE = {"kinds": "{{before}}", "results": "{{prefix}}"}
ROWS = [(group, told) for group in BEFORE for told in TOLD[group].values()]


def fits(group: str, told: dict[str, Any], command: str) -> re.Match[str] | None:
    return begins(told, BEFORE[group]).match(command)


@pytest.mark.parametrize(("group", "told"), ROWS)
def test_every_pattern_is_shown_by_a_command(group: str, told: dict[str, Any]) -> None:
    for pattern in told["patterns"]:
        assert any(fits(group, {**told, "patterns": [pattern]}, command) for command in told["yes"]), pattern
    assert [command for command in told["no"] if fits(group, told, command)] == []
    assert all("{{" not in begins(told, before).pattern for before in BEFORE.values())


@pytest.mark.parametrize("name", TOLD["kinds"])
def test_a_command_is_of_the_kind_it_shows(name: str) -> None:
    assert {command: kind_of(command) for command in TOLD["kinds"][name]["yes"]} == dict.fromkeys(
        TOLD["kinds"][name]["yes"], name
    )


@pytest.mark.parametrize("name", TOLD["results"])
def test_a_command_achieves_what_it_shows(name: str) -> None:
    for command in TOLD["results"][name]["yes"]:
        asked = f"{command} -f query=mutation" if "graphql" in command else command
        assert [one.kind for one in results(asked, Went(failed=False), "", 1)] == [name], command
