"""Recall is tested without anything that goes on behind it."""

import pytest


@pytest.fixture(autouse=True)
def nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """What would be done behind is done when a test asks for it."""
    monkeypatch.setattr("steno.pipeline.behind._QUIET", 3600)
