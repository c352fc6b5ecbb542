"""What a person tells us to remember may be the opposite of what is known."""

from steno.store import Store


def hold_against(store: Store, entry: str, project: str | None) -> None:
    """Let what a person just told us take the place of what they told us before, or wait for their word."""
    from steno.pipeline.learn import Learn  # the scribe is large, and most who open a memory tell nothing

    Learn(store).told([(entry, project)])
