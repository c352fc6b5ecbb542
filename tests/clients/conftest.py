"""The real clients, one at a time, each on a machine of its own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from .machine import ClaudeCode, Client, Codex, Machine, program
from .model import Model


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything in this folder is marked."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.clients)


@pytest.fixture
def model() -> Iterator[Model]:
    """The stand-in. Afterwards nobody may have asked it for anything it does not know, or for another network."""
    with Model() as stand_in:
        yield stand_in
    assert stand_in.problems == []


@pytest.fixture
def machine(tmp_path: Path, model: Model) -> Machine:
    """A machine on which nobody has worked yet."""
    return Machine(tmp_path, model)


@pytest.fixture(params=[ClaudeCode, Codex], ids=lambda host: host.name)
def client(request: pytest.FixtureRequest, machine: Machine) -> Client:
    """Each host in turn."""
    _needs(request.param)
    host: Client = request.param(machine)
    return host


@pytest.fixture
def claude_code(machine: Machine) -> ClaudeCode:
    """Claude Code, for what only it has."""
    _needs(ClaudeCode)
    return ClaudeCode(machine)


@pytest.fixture
def codex(machine: Machine) -> Codex:
    """Codex, for what only it has."""
    _needs(Codex)
    return Codex(machine)


@pytest.fixture
def at_work(client: Client, machine: Machine) -> Iterator[Client]:
    """A host that has our hooks, and the daemon that answers them."""
    machine.steno("install", client.name, "--yes")
    with machine.daemon():
        yield client


def _needs(host: type[ClaudeCode] | type[Codex]) -> None:
    if program(host.pattern) is None:
        pytest.skip(f"{host.name} is not installed: `make setup-clients` installs it")
