"""From an entry to what it stands against: the words of the no, the thing they answer, and what was wanted instead."""

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from steno.gates.common import telling
from steno.gates.direction import Pointed, clauses, negated, pointed, removed
from steno.gates.words import parts_of, words_of
from steno.vocabulary import Entry

_CONDITION: Final = re.compile(r"^(?:without|unless|until|before|if|when|while|ohne|wenn|bis|bevor)\b", re.IGNORECASE)
_REASON: Final = re.compile(
    r"^(?:too \w+|because|since|so that|otherwise|as it|due to|last time|weil|denn|they |people |everyone "
    r"|(?:it|that|this)(?:'s|'ll| is| was| will| would| just| only| lost| broke| makes?)"
    r"|nobody (?:reads|uses|used|needs)|we (?:have|had|are|got|tried|already)|i (?:have|had|just|already|review))",
    re.IGNORECASE,
)
_OPENING: Final = (
    r"^\W*(?:(?:please|just|and|but|so|ok|okay|no|nope|nah|well|also|hey|then|yeah|bitte|let'?s|a\)|b\))\W+)*"
)
# A no to something, not a statement of what is not so ("it doesn't help").
_REFUSES: Final = re.compile(
    _OPENING
    + r"(?:no|not|never|don'?t|do not|stop|avoid|instead of|rather than|without|hands off|forget|nein|nee|kein\w*"
    r"|nicht|nie|niemals|statt|ohne)\b(?! (?:sure|idea|worr\w+|problem|matter|need to worry|bad|only|yet|too bad))"
    r"|\b(?:never|(?<!they )(?<!these )(?<!those )don'?t|do not|i hate|i dislike|against|off.limits|leave \w+ alone"
    r"|should(?:n'?t| not| never)|must(?:n'?t| not| never)|may not|i'd rather not|nobody (?:here )?wants?"
    r"|keine?|nicht)\b",
    re.IGNORECASE,
)
# "I don't see it": what is reported, not refused.
_REPORTS: Final = re.compile(
    _OPENING + r"i (?:still |really |just )*(?:don'?t|didn'?t|do not|can'?t|cannot) (?:\w+ )?"
    r"(?:see|know|think|understand|remember|get|find|recall|mind|care)\b|\b(?:don'?t|not) worry\b|^(?:\w\) )?why\b",
    re.IGNORECASE,
)
# An order to take something away.
_ORDERS: Final = re.compile(
    _OPENING + r"(?:(?:can|could|would) (?:you|we) |you can |we should |i want you to |go |now )?"
    r"(?:remove|delete|drop|take|get rid|rip|strip|kill|revert|undo|clean|clear|disable|turn off|skip|replace|lösch\w*"
    r"|entfern\w*)\b",
    re.IGNORECASE,
)
_WANTED: Final = re.compile(
    r"\b(?:use|just|let'?s|prefer|go (?:with|for)|stick (?:with|to)|stay (?:on|with)|keep|should be|i want|we want"
    r"|make it|put it|take|do it|do an?|how about|i'?d (?:like|rather)|plenty|good enough|is enough|suffices|sondern"
    r"|lieber|nimm|reicht|reichen)\b",
    re.IGNORECASE,
)
# "Not in utils": the thing itself is not refused, but where, when or how it is done.
_PLACE: Final = re.compile(
    r"^\W*(?:no,? |nope,? |please )*not"
    r" (?:in|at|on|with|under|until|before|for|via|through|like|as|here|there|now|yet)\b",
    re.IGNORECASE,
)
_KEEP: Final = re.compile(
    r"^\W*(?:no,? |nope,? |nah,? |please )*(?:keep|leave|don'?t touch|hold on to)\b", re.IGNORECASE
)
# What an agent says around a proposal.
_PROPOSING: Final = re.compile(
    r"\b(?:shall i|should i|want me to|would you like(?: me to)?|do you want(?: that| me to)?|let me|how about|we could"
    r"|we can|next step|next|my plan|plan|sounds? good|soll ich|ich würde|simple solution|for now|while i'm here"
    r"|i(?:'ll|'d|'ve| will| would| have)? (?:also )?(?:suggest|propose|recommend|plan to|could|can|think)?"
    r"|since we're \w+ing [^,]*,)",
    re.IGNORECASE,
)
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+")
# A no without a word of what it is about.
_BARE_NO: Final = re.compile(
    r"^\W*(?:\w+\W+){0,2}(?:no|nope|nah|nein|not?|don'?t|stop|never)\b(?:\W+\w+){0,3}\W*$", re.IGNORECASE
)
# A proposal with fewer telling words ("Should I?") is looked for around it.
_FEW: Final = 2


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
    wanted: frozenset[str]
    # Where, when or how is refused, not the thing: both must be there again.
    placed: bool = False
    # Words that are parts of a longer name, which is there, too.
    parts: frozenset[str] = frozenset()
    # Words of the no that the proposal did not hold, where it held others.
    aside: frozenset[str] = frozenset()
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
        case "rule":
            found = _ban(quote, frozenset(wanted))
        case "decision":
            found = _keeping(quote, answered)
        case "exclusion":
            found = _failure(entry, quote)
        case _:
            return None
    return found if found.does.words() or found.undoes.words() else None


def _rejection(entry: Entry, quote: str, answered: str, more: frozenset[str]) -> Refused:
    words = _parsed(quote)
    what = _text(entry, "what")
    thing = _proposal(_text(entry, "stopped") or (what if what not in quote else ""))
    if len(telling(thing.does | thing.undoes)) < _FEW:
        around = _proposal(answered)
        thing = Pointed(thing.does | around.does, thing.undoes | around.undoes)
    proposed = thing.does | thing.undoes
    here = words_of(_text(entry, "scope"))
    cores = _cores([words - here for words in words.against], words.rest, proposed)
    core = frozenset[str]().union(*cores)
    wanted = words.wanted | words_of(_text(entry, "instead")) | words_of(_text(entry, "then")) | more
    only_undoes = bool(thing.undoes) and not telling(thing.does)
    return Refused(
        Side(cores, thing.does),
        Side((*words.kept, *(cores if only_undoes else ())), thing.undoes),
        wanted - core - thing.does,
        placed=bool(_PLACE.match(quote)),
        parts=parts_of(f"{quote} {what} {answered}"),
        aside=core - proposed if telling(core & proposed) else frozenset(),
        firm=bool(words.against or words.kept or not entry.evidence or _is_bare_no(quote)),
        conditional=words.conditional,
    )


def _is_bare_no(quote: str) -> bool:
    return bool(_BARE_NO.match(quote)) and not quote.rstrip().endswith("?")


def _cores(
    against: Iterable[frozenset[str]], rest: frozenset[str], proposed: frozenset[str]
) -> tuple[frozenset[str], ...]:
    """What the no is about: its own words; none where they tell nothing and the proposal says it all."""
    said = tuple(words for words in against if telling(words))
    return said if said or telling(proposed) else (rest,)


def _proposal(text: str) -> Pointed:
    return pointed(clauses(_PROPOSING.sub(" ", text)), by_no=False)


def _failure(entry: Entry, quote: str) -> Refused:
    """What was tried. Unless a person wrote it down, it is the act before somebody said that it fails: a guess."""
    if not entry.evidence:
        return Refused(Side((words_of(quote),)), Side(), frozenset())
    return Refused(Side((), words_of(_text(entry, "approach"))), Side(), frozenset(), firm=False)


def _keeping(quote: str, answered: str) -> Refused:
    """ "Keep the column for now", said to a proposal to drop it: what is kept must not be taken away."""
    proposed = _proposal(answered)
    if not _KEEP.match(quote) or not telling(proposed.undoes):
        return Refused(Side(), Side(), frozenset())
    return Refused(Side(), Side((), proposed.undoes | proposed.does), frozenset(), parts=parts_of(answered))


def _ban(quote: str, more: frozenset[str]) -> Refused:
    words = _parsed(quote)
    wanted = (words.wanted | more).difference(*words.against)
    against, kept = Side(words.against), Side(words.kept)
    return Refused(against, kept, wanted, parts=parts_of(quote), conditional=words.conditional)


class _Parsed(NamedTuple):
    # Of each clause that says no to doing something, and of each that says no to taking something away.
    against: tuple[frozenset[str], ...]
    kept: tuple[frozenset[str], ...]
    wanted: frozenset[str]
    rest: frozenset[str]
    conditional: bool


def _parsed(quote: str) -> _Parsed:
    """A person's words, clause by clause."""
    against: list[frozenset[str]] = []
    kept: list[frozenset[str]] = []
    wanted: set[str] = set()
    rest: set[str] = set()
    conditional = False
    for clause, asks in _said(quote):
        words, taken = words_of(clause), removed(clause)
        if _CONDITION.match(clause):
            conditional = conditional or bool(against or kept)
        elif _REASON.match(clause) and (against or kept or rest):
            continue
        elif asks or _REPORTS.search(clause):
            rest |= words
        elif _REFUSES.search(clause):
            (against if taken is None else kept).append(words if taken is None else words_of(taken))
        elif taken is not None and _ORDERS.match(clause):
            against.append(words_of(taken))
        elif _WANTED.search(clause):
            wanted |= words
        else:
            rest |= words
    return _Parsed(tuple(against), tuple(kept), frozenset(wanted), frozenset(rest), conditional)


def _said(quote: str) -> Iterator[tuple[str, bool]]:
    """The clauses of a text, and whether each stands in a question."""
    for sentence in _SENTENCE.split(quote):
        for clause in clauses(sentence):
            yield clause, sentence.rstrip().endswith("?")


def wanted_words(entry: Entry) -> frozenset[str]:
    """What an entry asks to be done: said in the same breath as a no, it is what to do instead."""
    if entry.category not in ("decision", "task") or not entry.evidence:
        return frozenset()
    parts = clauses(entry.evidence[0].quote)
    return frozenset[str]().union(
        *(words_of(part) for part in parts if not negated(part) and not _CONDITION.match(part))
    )


def _text(entry: Entry, name: str) -> str:
    value = entry.detail.get(name)
    return value if isinstance(value, str) else ""
