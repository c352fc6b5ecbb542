"""Steno, the court stenographer for AI agents.

import steno
memory = steno.open()          # STENO_HOME
memory.capture("transcripts/")
memory.recall("why SQLite", within="turns")
memory.brief(tier=0).text      # what an agent must know after its context was lost
memory.before(steno.Action(agent="main", text="deploy to production"))
"""

__version__ = "0.1.0"

# As type checkers know it; `typing` itself takes as long to import as the rest of a thin client.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from steno.memory import Memory as Memory
    from steno.memory import open as open
    from steno.vocabulary import Action as Action
    from steno.vocabulary import Allow as Allow
    from steno.vocabulary import Ask as Ask
    from steno.vocabulary import Block as Block
    from steno.vocabulary import Briefing as Briefing
    from steno.vocabulary import Entry as Entry
    from steno.vocabulary import Hit as Hit
    from steno.vocabulary import Outcome as Outcome
    from steno.vocabulary import StenoError as StenoError
    from steno.vocabulary import Warn as Warn

_WORDS = ("Action", "Allow", "Ask", "Block", "Briefing", "Entry", "Hit", "Outcome", "StenoError", "Warn")
_WHERE = {"Memory": "memory", "open": "memory"} | dict.fromkeys(_WORDS, "vocabulary")


def __getattr__(name: str) -> "Any":
    """Import the library on first use: `steno --version`, the program and the hook client need none of it."""
    if name in _WHERE:
        from importlib import import_module

        return getattr(import_module(f"steno.{_WHERE[name]}"), name)
    raise AttributeError(f"module 'steno' has no attribute {name!r}")
