"""From an entry to what it stands against: the call that was refused, and the words and names of what was refused."""

from typing import Final, NamedTuple

from steno.gates.asked import Run, runs_of
from steno.gates.meanings import with_meanings
from steno.language.clauses import clauses
from steno.language.common import telling
from steno.language.polarity import Pointed, pointed, polarity
from steno.language.same_word import names_of, parts_of, words_of
from steno.rules.stance import binds, refused
from steno.vocabulary import PEOPLE, Action, Entry

# "Delete anything under uploads" is about the uploads.
_ALL_OF_IT: Final = words_of("anything everything")


class Against(NamedTuple):
    """What an entry stands against, by stems."""

    # What must not be done, and what must not be undone, by each no.
    ways: tuple[Pointed, ...]
    names: frozenset[str]
    # The refused call: its tool, what it ran or the file it was about, and its words.
    tool: str
    runs: frozenset[Run]
    file: str
    told: frozenset[str]
    # Sure, and for good.
    binds: bool

    def words(self) -> frozenset[str]:
        """Everything an action is found by."""
        return self.told.union(*(way.does | way.undoes for way in self.ways))


def against(entry: Entry) -> Against | None:
    """What an entry stands against; None where that is nothing, or was done later after all."""
    if entry.detail.exchange.afterwards == "ran later":
        return None
    match entry.category:
        case "rejected":
            found = _against(entry, refused(entry))
        case "rule" | "decision" if entry.origin in PEOPLE:
            found = _against(entry, refused(entry))
        case "exclusion":
            found = _against(entry, [entry.detail.what or ("" if entry.evidence else entry.summary)])
        case _:
            return None
    return found if telling(found.words()) else None


def _against(entry: Entry, texts: list[str]) -> Against:
    # The chosen option is not the refused one, though one sentence may speak of both.
    wanted = words_of(entry.detail.stance.wanted) if entry.category in ("rejected", "decision") else frozenset[str]()
    exchange = entry.detail.exchange
    call = exchange.call if exchange.kind == "call" and entry.category == "rejected" else None
    tool, given = (call.tool, call.given) if call is not None else ("", "")
    runs = runs_of(Action(agent="", text="", tool=tool, input={"command": given})) if tool else frozenset[Run]()
    # A bare no is to the call.
    texts = [text for text in texts if telling(words_of(text))] or ([given] if runs else [])
    return Against(
        ways=tuple(_way(text, wanted) for text in texts),
        names=telling(frozenset().union(*(names_of(text) - parts_of(text) for text in texts))),
        tool=tool,
        runs=runs,
        file=given.partition(" ")[0] if not runs else "",
        told=words_of(given),
        binds=binds(entry),
    )


def _way(text: str, wanted: frozenset[str]) -> Pointed:
    does, undoes = (words - wanted - _ALL_OF_IT for words in pointed(with_meanings(clauses(text)), by_no=False))
    match polarity(text, first=True):
        case "spares":
            # What is not to be changed at all is not to be taken away either.
            return Pointed(does | undoes, does | undoes)
        case "keeps":
            return Pointed(frozenset(), does | undoes)
    return Pointed(does, undoes)
