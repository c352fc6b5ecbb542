"""Who said what, and what it answered: the words an entry was made of."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from steno.cli.words import share

if TYPE_CHECKING:
    from steno.vocabulary import Entry

# What an agent said; `agent` alone is its name.
_AGENT: Final = "agent said"
# What a person's words answered.
_ANSWERED: Final = {
    "": _AGENT,
    "call": _AGENT,
    "option": "option",
    "question": "asked",
    "proposal": "proposed",
    "words": _AGENT,
}


def exchange(entry: "Entry") -> Iterator[tuple[str, str]]:
    """What came before, what was said, and what came of it, each with a word for who or what it is."""
    found = entry.detail.exchange
    words = found.said or next((said.quote for said in entry.evidence), "")
    stopped = f"{found.call.tool} {found.call.given}".rstrip() if found.call else ""
    if stopped:
        yield "stopped", stopped
    if found.answered not in ("", words, stopped):
        yield _ANSWERED[found.kind], found.answered
    for before in entry.evidence[1:]:
        if before.quote not in (found.answered, words) and before.quote not in stopped:
            yield _AGENT if before.role == "assistant" else before.role, before.quote
    if words:
        yield "said", words
    if found.afterwards:
        yield "afterwards", found.afterwards


def weighed(entry: "Entry") -> str:
    """How sure the scribe is of what words do, in words."""
    found = entry.detail.weight
    lasts = f"lasting {share(found.lasting)}, importance {share(found.importance)}"
    return f"{found.act} {share(found.probability)}, {lasts}"
