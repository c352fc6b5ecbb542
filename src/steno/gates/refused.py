"""From an entry to what it stands against: the words of the no, the thing they answer, and what was wanted instead."""

from collections.abc import Iterable
from typing import NamedTuple

from steno.gates.common import telling
from steno.gates.proposed import Proposed, proposed
from steno.gates.said import Said, asked_for, said
from steno.gates.words import names_of, parts_of, words_of
from steno.vocabulary import Entry


class Side(NamedTuple):
    """Words of what must not be done, or not be undone."""

    # Under the no itself; where no is said several times, each is enough.
    cores: tuple[frozenset[str], ...] = ()
    # Of what the no was said to.
    thing: frozenset[str] = frozenset()

    def words(self) -> frozenset[str]:
        """All of them."""
        return self.thing.union(*self.cores)


class Refused(NamedTuple):
    """What an entry stands against."""

    does: Side
    undoes: Side
    wanted: frozenset[str] = frozenset()
    # Words that stood around the thing: where, when, what for.
    around: frozenset[str] = frozenset()
    # Where, when or how is refused, not the thing: both must be there again.
    placed: bool = False
    # Words that are parts of a longer name, which is there, too.
    parts: frozenset[str] = frozenset()
    # Words that are written as names somewhere in it.
    names: frozenset[str] = frozenset()
    # Said plainly: not asked, not only meant.
    firm: bool = True
    # It holds unless something else is done first: no plain no.
    conditional: bool = False


def refused(entry: Entry, answered: str = "", wanted: Iterable[str] = ()) -> Refused | None:
    """What an entry stands against, or None where it forbids nothing.

    `answered` is what an agent had said before it, `wanted` are words the person asked for in the same breath.
    """
    quote = entry.evidence[0].quote if entry.evidence else entry.summary
    match entry.category:
        case "rejected":
            found = _rejection(entry, quote, answered, frozenset(wanted))
        case "rule" | "decision" if entry.origin in ("user", "edit"):
            found = _ban(quote, answered, frozenset(wanted))
        case "exclusion":
            found = _failure(entry, quote)
        case _:
            return None
    return found if found.does.words() or found.undoes.words() else None


def wanted_words(entry: Entry) -> frozenset[str]:
    """What an entry asks to be done."""
    if entry.category == "rejected":
        return asked_for(_text(entry, "instead"))
    if entry.category not in ("decision", "task") or not entry.evidence:
        return frozenset()
    return asked_for(entry.evidence[0].quote)


def _rejection(entry: Entry, quote: str, answered: str, more: frozenset[str]) -> Refused:
    """A no to something: the scribe says to what, or what was said before it does."""
    what = _text(entry, "stopped") or _text(entry, "what")
    words = said(quote)
    # A no in passing says nothing about what was proposed before.
    thing = proposed(answered, what if what not in quote else "") if words.answers or not words.plain else Proposed()
    cores = _cores(words, thing, words_of(_text(entry, "scope")))
    wanted = words.wanted | words_of(_text(entry, "instead")) | words_of(_text(entry, "then")) | more
    return _against(words, cores, thing, wanted, f"{quote} {what} {answered}", firm=words.plain or not entry.evidence)


def _ban(quote: str, answered: str, more: frozenset[str]) -> Refused:
    """A rule, or a decision: only its own no counts."""
    words = said(quote)
    thing = proposed(answered) if words.answers else Proposed()
    if words.keeps and telling(thing.undoes):
        parts = parts_of(answered)
        return Refused(
            Side(), Side((), thing.words() | thing.around), parts=parts, names=telling(names_of(answered) - parts)
        )
    if words.keeps and not words.against:
        # "Keep the old endpoint until March": whatever else is done, it is not taken away.
        return Refused(Side(), Side((words.wanted | words.rest,)), names=telling(names_of(quote)), conditional=True)
    if not (words.against or words.kept):
        return Refused(Side(), Side())
    return _against(words, words.against, thing, words.wanted | more, f"{quote} {answered}")


def _against(
    words: Said, cores: tuple[frozenset[str], ...], thing: Proposed, wanted: frozenset[str], text: str,
    *, firm: bool = True,
) -> Refused:  # fmt: skip
    core, parts = frozenset[str]().union(*cores), parts_of(text)
    only_undoes = bool(thing.undoes) and not telling(thing.does)
    names = telling(names_of(text) - parts)
    # "Free space by removing old uploads": what else the proposal does is not what was refused.
    does = Side(cores, thing.does & names if telling(thing.undoes) else thing.does)
    return Refused(
        does,
        Side((*words.kept, *(cores if only_undoes or words.untouched else ())), thing.undoes),
        wanted - core - thing.words(),
        around=thing.around,
        placed=words.placed,
        parts=parts,
        names=names,
        firm=firm,
        conditional=words.conditional,
    )


def _cores(words: Said, thing: Proposed, here: frozenset[str]) -> tuple[frozenset[str], ...]:
    """What the no is about: its own words; none where they tell nothing and the proposal says it all."""
    own = tuple(core - here for core in words.against if telling(core - here))
    if words.placed:
        # "Not before the launch": the proposal did not speak of it, and the next one need not either.
        own = tuple(core for core in own if telling(core & (thing.words() | thing.around)))
    return own if own or telling(thing.words()) else (words.rest,)


def _failure(entry: Entry, quote: str) -> Refused:
    """What was tried. Unless a person wrote it down, it is the act before somebody said that it fails: a guess."""
    if not entry.evidence:
        return Refused(Side((words_of(quote),)), Side(), names=names_of(quote))
    approach = _text(entry, "approach")
    return Refused(Side((), words_of(approach)), Side(), names=names_of(approach), firm=False)


def _text(entry: Entry, name: str) -> str:
    value = entry.detail.get(name)
    return value if isinstance(value, str) else ""
