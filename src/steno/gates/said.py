"""A person's words, clause by clause: what they say no to, what they want kept, and what they want instead."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from steno.gates.common import telling
from steno.gates.direction import clauses, removed
from steno.gates.words import words_of

_CONDITION: Final = re.compile(
    r"^(?:without|unless|until|before|if|when|while|only after|ohne|wenn|bis|bevor)\b", re.IGNORECASE
)
_REASON: Final = re.compile(
    r"^(?:too \w+|because|since|so that|otherwise|as it|due to|last time|weil|denn|they |people |everyone "
    r"|(?:it|that|this)(?:'s|'ll| is| was| will| would| just| only| lost| broke| makes?| \w+s\b)"
    r"|nobody |we (?:have|had|are|got|tried|already)|i (?:have|had|just|already|review))",
    re.IGNORECASE,
)
_OPENING: Final = (
    r"^\W*(?:(?:please|just|and|but|so|ok|okay|no|nope|nah|well|also|hey|hm+|ugh|then|yeah|wait|bitte|let'?s|a\)|b\))"
    r"\W+)*"
)
# A no to something, not a statement of what is not so ("it doesn't help").
_REFUSES: Final = re.compile(
    _OPENING + r"(?:no|not|never|don'?t|do not|stop|avoid|instead of|rather than|without|forget|nein|nee|nö|kein\w*"
    r"|nicht|nie|niemals|statt|ohne)\b(?! (?:sure|idea|worr\w+|problem|matter|need to worry|bad|only|yet|too bad))"
    r"|\b(?:never|(?<!they )(?<!these )(?<!those )don'?t|do not|i hate|i dislike|against|off.limits|leave \w+ alone"
    r"|hands off|nothing (?:gets|goes|may|must|should|is to)|rather not"
    r"|should(?:n'?t| not| never)|must(?:n'?t| not| never)|may not|nobody (?:here )?wants?|keine?[nmrs]?|nicht)\b"
    r"|不要|别|不用|不能|禁止|勿",
    re.IGNORECASE,
)
# "I don't see it": what is reported, not refused.
_REPORTS: Final = re.compile(
    _OPENING + r"(?:i (?:guess|think|thought) )?(?:i|we) (?:still |really |just )*"
    r"(?:don'?t|didn'?t|do not|can'?t|cannot) (?:\w+ )?"
    r"(?:see|know|think|understand|remember|get|find|recall|mind|care|have|forget)\b"
    r"|\b(?:don'?t|not) worry\b|^(?:\w\) )?why\b",
    re.IGNORECASE,
)
# An order to take something away.
_ORDERS: Final = re.compile(
    _OPENING + r"(?:(?:can|could|would) (?:you|we) |you can |we should |i want you to |go |now )?"
    r"(?:remove|delete|drop|take|get rid|rip|strip|kill|revert|undo|clean|clear|disable|turn off|skip|replace"
    r"|leave out|lösch\w*|entfern\w*)\b",
    re.IGNORECASE,
)
_KEEPS: Final = re.compile(
    _OPENING + r"(?:(?:we|you) (?:must|should|need to|have to|want to) )?"
    r"(?:keep|leave(?! out)|don'?t touch|hold on to)\b",
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
    _OPENING + r"not (?:in|at|on|with|under|until|before|for|via|through|like|as|here|there|now|yet)\b", re.IGNORECASE
)
# A no that stands for itself, and a thing found fault with: plain without a word of what they are about.
_PLAIN_NO: Final = re.compile(
    r"(?:^|[,;.!?:] *)(?:\w+\W+)?(?:no|nope|nah|nein|nö|nee|stop|never|not|don'?t)\b(?:\W+\w+){0,3}\W*(?:[,;.!]|$)"
    r"|\b(?:way |much |far )?too (?!bad|much about)\w+\b|\bzu (?:teuer|laut|groß|viel|langsam)\b",
    re.IGNORECASE,
)
_SHORT: Final = 10
_UNTOUCHED: Final = re.compile(
    r"\b(?:never|don'?t|do not|must not|mustn'?t|nobody|no one|nie|nicht)\b[^.!?;,]{0,20}"
    r"\b(?:chang|touch|modif|edit|alter|mess|tamper|fiddl|änder|anfass|anrühr)\w*|\bhands off\b|\boff.limits\b"
    r"|\bleave \S+(?: \S+)? alone\b",
    re.IGNORECASE,
)
_HANDS_OFF: Final = re.compile(r"\bhands off\b|\boff.limits\b", re.IGNORECASE)
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+")


class Said(NamedTuple):
    """What a person's words stand against."""

    # Of each clause that says no to doing something, and of each that says no to taking something away.
    against: tuple[frozenset[str], ...]
    kept: tuple[frozenset[str], ...]
    wanted: frozenset[str]
    rest: frozenset[str]
    conditional: bool
    # What there is stays as it is: nothing is said of what.
    keeps: bool
    # It must not be changed at all: taking it away is the worst change.
    untouched: bool
    placed: bool
    # Said plainly: not asked, not only meant.
    plain: bool
    # It begins with its no, or is little else: it answers what was said before.
    answers: bool


def said(quote: str) -> Said:
    """A person's words, clause by clause."""
    against: list[frozenset[str]] = []
    kept: list[frozenset[str]] = []
    wanted: set[str] = set()
    rest: set[str] = set()
    conditional, answers, last = False, len(quote.split()) <= _SHORT, frozenset[str]()
    for place, (clause, asks) in enumerate(_clauses(quote)):
        words, taken = words_of(clause), removed(clause)
        if _CONDITION.match(clause):
            conditional = conditional or bool(against or kept)
        elif _REASON.match(clause) and (against or kept or rest):
            continue
        elif asks or _REPORTS.search(clause):
            rest |= words
        elif _REFUSES.search(clause):
            # "vendor is third party code, hands off": the thing stands before.
            words = words_of(_HANDS_OFF.sub(" ", clause)) or last
            (against if taken is None else kept).append(words if taken is None else words_of(taken))
            answers = answers or not place
        elif taken is not None and _ORDERS.match(clause):
            against.append(words_of(taken))
        elif _WANTED.search(clause):
            wanted |= words
        else:
            rest |= words
        last = words
    return Said(
        tuple(against),
        tuple(kept),
        frozenset(wanted),
        frozenset(rest),
        conditional,
        keeps=bool(_KEEPS.match(quote)),
        untouched=bool(_UNTOUCHED.search(quote)),
        placed=bool(_PLACE.match(quote)),
        answers=answers or bool(_PLACE.match(quote)) or _is_plain(quote),
        plain=bool(any(map(telling, (*against, *kept))) or _PLACE.match(quote) or _is_plain(quote)),
    )


def _is_plain(quote: str) -> bool:
    """Whether words are a no that stands for itself: short, or a no from the beginning."""
    short = len(quote.split()) <= _SHORT
    return bool((_PLAIN_NO.search if short else _PLAIN_NO.match)(quote)) and not quote.rstrip().endswith("?")


def asked_for(quote: str) -> frozenset[str]:
    """What words ask to be done: said in the same breath as a no, it is what to do instead."""
    parts = (part for part in clauses(quote) if not _REFUSES.search(part) and not _CONDITION.match(part))
    return frozenset[str]().union(*map(words_of, parts))


def _clauses(quote: str) -> Iterator[tuple[str, bool]]:
    """The clauses of a text, and whether each stands in a question."""
    for sentence in _SENTENCE.split(quote):
        for clause in clauses(sentence):
            yield clause, sentence.rstrip().endswith("?")
