"""A model the user named, and how it is reached."""

from msgspec import Struct


class Named(Struct, frozen=True):
    """A model, where its server is, and the key for that."""

    # `KIND:NAME`, or a word that says it all.
    model: str
    # Where the server is; empty: where it always is, or nowhere.
    url: str = ""
    # What the server wants to see. Never shown.
    key: str = ""

    def __repr__(self) -> str:
        """Everything but the key, so that no log or traceback can hold it."""
        return f"Choice(model={self.model!r}, url={self.url!r}, key={'***' if self.key else ''!r})"

    @property
    def name(self) -> str:
        """What stands behind the colon of `model`."""
        return self.model.partition(":")[2].strip()
