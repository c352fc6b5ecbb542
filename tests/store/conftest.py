"""Here a store is what it is: made by its migrations, every commit on disk."""

import pytest


@pytest.fixture(autouse=True)
def quick_stores() -> None:
    """None."""
