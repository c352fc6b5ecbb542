"""What a person tells us to remember may be the opposite of what is known."""

import re
from typing import Final

from steno.notebook.pages import topic_of_fact, topic_of_field
from steno.store import Store
from steno.vocabulary.errors import WrongUse

_FIELD: Final = re.compile(r"[A-Z][A-Z0-9-]{0,39}")


def hold_against(store: Store, entry: str, project: str | None) -> None:
    """Let what a person just told us take the place of what they told us before, or wait for their word."""
    from steno.pipeline.learn import Learn  # the scribe is large, and most who open a memory tell nothing

    store.entries.make_keys()
    Learn(store).told([(entry, project)])


def topic_of(category: str, words: str, field: str | None) -> str | None:
    """The topic of what somebody tells: the field of work they named, else what a fact is about."""
    return topic_of_field(field) if field else topic_of_fact(category, words)


def field_of(named: str | None) -> str | None:
    """The field of work a person names: one word, since a page of the notebook is called so."""
    field = None if named is None else named.strip().upper()
    if field is not None and not _FIELD.fullmatch(field):
        raise WrongUse(f"{named!r} is no field of work", hint="name it in one word, such as WEB")
    return field
