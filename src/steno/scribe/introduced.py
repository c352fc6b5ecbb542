"""Where a person hands over to somebody else: "a customer wrote: …", "look at this issue", "she said never to …"."""

import re
from typing import Final, NamedTuple

from steno.language.lexicon import lexicon
from steno.language.polarity import negated
from steno.language.sentence import sentences
from steno.language.words import table
from steno.scribe.cues import says_it_lasts
from steno.scribe.lines import ITEM, LINE, PAIRS, Line

# A block after a colon that is longer than this, or has a blank line in it, is handed over, not said.
_BLOCK: Final = 300


def _any_of(name: str) -> str:
    return "|".join(part for line in table(name) for part in line.split("  "))


# What other people's texts are called, words that point at one, and how it is said that somebody said something.
_SOURCE: Final = rf"(?:{_any_of('texts')})(?:e?s|en|e)?"
NAMES_A_SOURCE: Final = re.compile(rf"https?://|\b(?:web)?{_SOURCE}\b|\b(?:slack|discord|jira|github|gitlab)\b")
_POINTS: Final = rf"(?:{_any_of('pointing')})"
_SAYS: Final = rf"(?:{_any_of('saying')})"
_OWN_SPEECH: Final = r"(?<!\bi )(?<!\bwe )(?<!\bich )(?<!\bwir )(?<!\bi just )(?<!\bi have )(?<!\bi already )"
_NAMED: Final = re.compile(
    rf"\b{_POINTS}\b.{{0,60}}\b{_SOURCE}\b[^,;]{{0,40}}$"
    rf"|{_OWN_SPEECH}\b{_SAYS}\b[^,;]{{0,40}}$"
    r"|^(?:pasted?|quot(?:e|ing|ed)|forwarded|fwd?|fw|re|aw|zitat)$"
)
# "Error: …" and "see this: …" may as well begin what a person wrote out themselves: "File: create …", "on error: …".
_POINTED: Final = re.compile(
    rf"^(?:\w+ ){{0,2}}{_SOURCE}(?: \w+)?$"
    r"|\b(?:this|these|that|the following|below|here|dies|folgendes|ceci|esto|以下|如下|这个)$"
)
# "Look at this issue", and nothing more on the line.
_LOOK: Final = re.compile(
    rf"^(?:\w+ ){{0,3}}(?:look at|see|read|check(?: out)?|summari[sz]e|translate|review|regarding|schau dir)"
    rf" (?:this|these|the following|diese[mnrs]?|das) (?:\w+ ){{0,2}}{_SOURCE}(?: an)?\W*$"
)
# Words in a tag or a comment; and what stands before a colon.
_TAGGED: Final = re.compile(r"\s*(?:</?\w|//|/\*)")
_LEAD: Final = re.compile(r"\s*((?:[^.!?:\n]|[.!?](?=\w)){2,160}):\s")
# A word in capitals in the middle of a sentence.
_CAPITAL: Final = re.compile(r"(?<=[a-zäöüß] )[A-Z]")
# Before a colon after which people go on in their own words.
_LEADS: Final = ("own_lead", "said_before")
# What tells that a text is only asked about; so much of a person's own words is searched for it.
_ABOUT: Final = ("asks_about", "attributed")
_OWN: Final = 2000
_COLON: Final = re.compile(r"[:：](?=\s|$)|：")
_SENTENCE: Final = re.compile(r"[.!?…。]\s+")
# "The customer said never to …": what follows on the line is reported.
REPORTED: Final = re.compile(
    r"(?:^|[.!?,;:]\s|\b(?:and|but|so|because|since|that|aber|weil)\s)[ \t]*"
    r"(?:(?:he|she|they|it|someone|somebody|everyone|er|sie|jemand)|(?:the|an?|my|our|your|this|that|one|another|der|die|das|ein"
    r"e?|mein|unser)\s(?:[\w'-]+\s){0,2}[\w'-]+|(?!never|always|please)(?-i:[A-Z])[\w'-]+)\s(?:just\s|also\s|always\s)?"
    rf"{_SAYS}\b(?!\s*[?\"“„«])",
    re.I | re.M,
)


def is_dressed(quote: str) -> bool:
    """Whether words stand in a tag or a comment, or behind something they may be only an example of.

    A name with a colon is enough. More words before a colon, or an order that begins in the middle of a sentence with a
    capital, cast doubt on what would hold for good: "put this on the poster: Never …", "grep for Always …".
    """
    if _TAGGED.match(quote):
        return True
    if lead := _lead(quote):
        rest = quote[lead.end() :]
        ordered = rest[:1].isupper() and lexicon("commands").opens(rest)
        return " " not in lead[1].strip() or says_it_lasts(rest) or bool(ordered)
    return any(lexicon("commands").opens(quote[found.start() :]) for found in _CAPITAL.finditer(quote[:_OWN]))


def hands_over(own: str) -> bool:
    """Whether words lead to a text that may be somebody else's, so that whatever follows in the paragraph may be, too:
    "ticket #88: Please ask first. Never …". After a colon people go on in small letters, a text begins with a
    capital."""
    return any(
        is_dressed(words) or ((lead := _lead(words)) and words[lead.end() : lead.end() + 1].isupper())
        for words in _sentences(own)
    )


def _lead(words: str) -> re.Match[str] | None:
    """What stands before a colon, if people do not go on in their own words after it."""
    lead = _LEAD.match(words)
    return None if lead is None or any(lexicon(name).opens(lead[1]) for name in _LEADS) else lead


def asks_about(own: str) -> bool:
    """Whether a person's words ask about a text, or say whose it is: then they do not order what it says."""
    return any(lexicon(name).search(words) for words in _sentences(own) for name in _ABOUT)


def only_asks_about(own: str) -> bool:
    """Whether words do that and forbid or order nothing themselves: "what do you think of this:", "from the ticket"."""
    return asks_about(own) and not any(map(_orders, _sentences(own)))


def _orders(words: str) -> bool:
    for name in _ABOUT:
        words = lexicon(name).without(words)
    return negated(words) or says_it_lasts(words)


def _sentences(own: str) -> list[str]:
    return [span.text.strip(" \t()[]-–—*_^>") for span in sentences(own[:_OWN])]


class Introduced(NamedTuple):
    """Where other words begin, and whether it is said whose they are: "a customer wrote:", "from the ticket:"."""

    at: int
    named: bool


def introduction(text: str, lines: list[Line], place: int) -> Introduced | None:
    """Where somebody else's words may begin after this line or in it. None: they do not, or show their end
    themselves."""
    line = lines[place]
    begin = 0
    for colon in list(_COLON.finditer(line.text))[:4]:
        lead = _SENTENCE.split(line.text[begin : colon.start()])[-1].strip(" *_-\t").lower()[-160:]
        after = line.start + colon.end()
        rest = text[after : after + LINE].lstrip()
        if not rest or rest.startswith((">", "```", "~~~", *PAIRS)):
            continue
        meant = lexicon("own_lead").opens(lead) is not None
        named, block = _NAMED.search(lead), not line.text[colon.end() :].strip() and _is_block(text, after)
        if block or ((named or _POINTED.search(lead)) and not meant):
            return Introduced(after, named=bool(named) and not meant)
        begin = colon.end()
    return Introduced(line.end, named=True) if _LOOK.match(line.text.lower()) and line.end < len(text) else None


def _is_block(text: str, after: int) -> bool:
    """Whether what follows a colon at a line's end is handed over as a whole: long, or of several paragraphs."""
    rest = text[after : after + 2 * _BLOCK].strip()
    return not ITEM.match(rest) and (len(rest) > _BLOCK or "\n\n" in rest)
