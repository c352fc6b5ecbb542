"""Where a person hands over to somebody else: "a customer wrote: …", "look at this issue", "she said never to …"."""

import re
from typing import Final, NamedTuple

from steno.scribe.lines import ITEM, LINE, PAIRS, Line

# A block after a colon that is longer than this, or has a blank line in it, is handed over, not said.
_BLOCK: Final = 300
# What other people's texts are called, in the languages people paste from.
_SOURCE: Final = (
    r"(?:issue|ticket|bug|report|e-?mail|mail|letter|message|comment|review|thread|post|article|page|site|docs?"
    r"|documentation|document|readme|file|log|output|error|trace|traceback|stack|transcript|conversation|chat|snippet|text"
    r"|prompt|quote|response|reply|paragraph|section|description|story|diff|dump|result|answer|blog|tweet|paste|fehler"
    r"|ausgabe|nachricht|kommentar|meldung|antwort|seite|artikel|beschreibung|protokoll|correo|mensaje|courriel|erreur"
    r"|commentaire|问题|邮件|日志|错误|消息)(?:e?s|en|e)?"
)
NAMES_A_SOURCE: Final = re.compile(rf"https?://|\b(?:web)?{_SOURCE}\b|\b(?:slack|discord|jira|github|gitlab)\b")
_POINTS: Final = (
    r"(?:here(?:'s| is| are)?|this|these|that|those|below|following|from|see|look|read|got|get|received|found|per|their"
    r"|his|her|customer'?s?|user'?s?|hier|diese[mnrs]?|folgende[mnrs]?|aus|vom|von|laut|siehe|voici|cet(?:te)?|este|esta|del?)"
)
_SAYS: Final = (
    r"(?:wrote|writes|said|says?|replied|replies|commented|posted|reported|reports|asked|asks|answered|stated?|states|reads"
    r"|complain(?:s|ed)|mentioned|claims?|claimed|suggest(?:s|ed)|told (?:me|us|him|her|them)|sent (?:me|us)|schrieb"
    r"|schreibt|sagt|sagte|meint|meinte|meldet|meldete|antwortet|antwortete|fragt|fragte|écrit|dit|demande|escribió|escribe|dice"
    r"|dijo|scritto|scrive|пишет|написал\w?)"
)
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
# "Remember this: …" is how people begin what they mean themselves.
_MEANT: Final = re.compile(
    r"^(?:(?:ok|and|also|so|but|please|always|now|you must|you should|i want you to|just|bitte)\W+)*"
    r"(?:do|follow|obey|apply|use|remember|note|keep|respect|know|i want|i need|we need|we want|i mean|i meant|my|our"
    r"|merk|beachte|mach)\b"
)
# "Look at this issue", and nothing more on the line.
_LOOK: Final = re.compile(
    rf"^(?:\w+ ){{0,3}}(?:look at|see|read|check(?: out)?|summari[sz]e|translate|review|regarding|schau dir)"
    rf" (?:this|these|the following|diese[mnrs]?|das) (?:\w+ ){{0,2}}{_SOURCE}(?: an)?\W*$"
)
_DRESSED: Final = re.compile(
    r"\s*(?:</?\w|//|/\*|\(from\b|(?:please )?(?:translate|summari[sz]e|rephrase|rewrite|explain)\b[^.:]{0,60}:"
    r"|(?!(?:note|rules?|decisions?|important|reminder|fyi|also|ps|todo|btw|policy|convention|style|warning|nb|merke?)\b)\w{2,20}:\s)",
    re.I,
)
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
    """Whether words stand in a tag or a comment, after a name, or after an order to do something with them."""
    found = _DRESSED.match(quote)
    return found is not None and not _MEANT.match(quote.lower())


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
        named, block = _NAMED.search(lead), not line.text[colon.end() :].strip() and _is_block(text, after)
        if block or ((named or _POINTED.search(lead)) and not _MEANT.match(lead)):
            return Introduced(after, named=bool(named) and not _MEANT.match(lead))
        begin = colon.end()
    return Introduced(line.end, named=True) if _LOOK.match(line.text.lower()) and line.end < len(text) else None


def _is_block(text: str, after: int) -> bool:
    """Whether what follows a colon at a line's end is handed over as a whole: long, or of several paragraphs."""
    rest = text[after : after + 2 * _BLOCK].strip()
    return not ITEM.match(rest) and (len(rest) > _BLOCK or "\n\n" in rest)
