"""What is proposed for a file that somebody else owns."""

from msgspec import Struct


class Proposal(Struct, frozen=True, kw_only=True):
    """A change to one file."""

    path: str
    # As `diff -u` writes it.
    diff: str
    # Entries whose words stand there afterwards.
    entries: list[str]
    # Why it cannot be written. Empty: it can.
    held: str = ""
    written: bool = False
