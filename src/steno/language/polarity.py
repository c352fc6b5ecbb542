"""Which way words point: what a clause says no to, what it takes away, what it wants kept or done.

What stands under a no or a verb of removal points the other way: "replace Redis with a table" does a table and undoes
Redis.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from typing import Final, Literal, NamedTuple

from steno.language.clauses import clauses
from steno.language.lexicon import Cued, lexicon
from steno.language.same_word import words_of
from steno.language.watch import Watch
from steno.language.words import plain

# What a clause does.
Polarity = Literal[
    "wants",  # something is to be done, or taken: "use the pool"
    "refuses",  # a no to doing something: "no mocks", "don't push"
    "undoes",  # an order to take something away: "remove the flag"
    "keeps",  # a no to taking something away: "don't delete the logs", "keep the name"
    "spares",  # a no to any change: "hands off vendor/", "don't touch the lock file"
    "limits",  # when or how it holds: "until Monday", "without tests"
    "explains",  # why: "because it is slow"
    "tells",  # none of these, also what only sounds like a no: "I don't see it"
]

_NO: Final = ("refusal", "forbidding", "negation")
_REMOVAL: Final = ("removal", "removed")
# "replace A with B", "migrate from A to B": from here on it is done again. "Disable A with B" only says how.
_DONE_AGAIN: Final = re.compile(r"\b(?:to|into|onto|in favou?r of|for|so)\b", re.IGNORECASE)
_REPLACED: Final = re.compile(r"\b(?:with|by|durch|to|into|onto|in favou?r of|for|so)\b", re.IGNORECASE)
# In a command line the verb may stand behind its object: "docker volume prune".
_COMMAND_LINE: Final = re.compile(
    r"\W*(?:\w+: )?\W*(?:command|cmd)?\W*(?:sudo |cd \S+ )?(?:docker|git|kubectl|helm|npm|yarn|pnpm|find|psql|mysql|aws"
    r"|gcloud|redis-cli|terraform|brew|systemctl|alter)\b"
)


class Pointed(NamedTuple):
    """What a text does and undoes, by stems."""

    does: frozenset[str]
    undoes: frozenset[str]


def polarity(clause: str, *, first: bool = False) -> Polarity:
    """What a clause does. The first of a text explains nothing: there is nothing yet to explain."""
    if lexicon("condition").opens(clause):
        return "limits"
    if not first and (lexicon("reason").opens(clause) or lexicon("statement").opens(clause)):
        return "explains"
    if lexicon("reporting").opens(clause):
        return "tells"
    if lexicon("sparing").search(clause):
        return "spares"
    if lexicon("keeping").opens(clause):
        return "keeps"
    if lexicon("refusal").opens(clause) or lexicon("forbidding").search(clause):
        return "keeps" if _removal(clause) else "refuses"
    if lexicon("removal").opens(clause) or lexicon("undo").opens(clause):
        return "undoes"
    return "wants" if lexicon("wanting").search(clause) else "tells"


def negated(clause: str) -> bool:
    """Whether a clause says no."""
    return _no(clause) is not None


def opposes(text: str) -> bool:
    """Whether a clause of a text says no to doing something, or takes it back; "there is none" only tells."""
    return any(polarity(part, first=not at) in ("refuses", "spares", "undoes") for at, part in enumerate(clauses(text)))


def removed(clause: str) -> str | None:
    """What a clause takes away: the clause without the verb; None where it takes nothing away."""
    left = lexicon("removed").without(lexicon("removal").without(clause))
    return left if left != clause else None


def pointed(parts: Iterable[str], *, by_no: bool = True) -> Pointed:
    """What clauses do, and what they undo. `by_no`: what stands under a no is undone, too."""
    does: set[str] = set()
    undoes: set[str] = set()
    for part in parts:
        for piece, against in _pieces(part, by_no):
            (undoes if against else does).update(words_of(piece))
    return Pointed(frozenset(does - undoes), frozenset(undoes))


def _pieces(clause: str, by_no: bool) -> Iterator[tuple[str, bool]]:
    """A clause cut where its direction turns: before what undoes, behind it, and from "with" or "to" on again."""
    removal = _removal(clause)
    turn = _first(removal, _no(clause) if by_no else None)
    if turn is None:
        yield clause, False
        return
    if turn is removal and _COMMAND_LINE.match(clause):
        yield clause, True
        return
    verb, rest = clause[turn.start : turn.end].lower().lstrip(), clause[turn.end :]
    # "find uploads -delete", "die Uploads löschen": what stands before is what goes.
    yield clause[: turn.start], not rest.strip(" .!?") or verb.startswith("-")
    again = (_REPLACED if verb.startswith("repl") else _DONE_AGAIN).search(rest)
    yield rest[: again.start() if again else len(rest)], True
    if again:
        yield rest[again.end() :], False


def _no(clause: str) -> Cued | None:
    return _cued(clause, _NO)


def _removal(clause: str) -> Cued | None:
    return _cued(clause, _REMOVAL)


def _cued(clause: str, names: tuple[str, ...]) -> Cued | None:
    """The first cue of some lexicons. Most clauses have none, which is quick to see where letters are plain."""
    heard = _heard(clause) if clause.isascii() else names
    return _first(*(lexicon(name).search(clause) for name in names if name in heard))


@lru_cache(16)
def _heard(clause: str) -> frozenset[str]:
    return _watch().heard(plain(clause))


@cache
def _watch() -> Watch:
    return Watch(*_NO, *_REMOVAL)


def _first(*cues: Cued | None) -> Cued | None:
    return min((cue for cue in cues if cue), key=lambda cue: cue.start, default=None)
