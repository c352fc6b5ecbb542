"""Files of the notebook, as somebody reads them."""

from msgspec import Struct


class Page(Struct, frozen=True, kw_only=True):
    """A file of the notebook that may be read."""

    # As people call it: the path below the notebook.
    name: str
    bytes: int
    changed_at: str


class PageText(Struct, frozen=True, kw_only=True):
    """What stands in it."""

    name: str
    text: str
