"""Whose words a person's turn holds: what they typed, and what they pasted, quoted or handed over.

A turn is cut into segments by its form: fences, quotation marks, lines that introduce a block ("a customer wrote:"),
letterheads, speakers, logs. Where the form does not say where somebody else's text ends, it ends with the turn: words
that are not plainly a person's own bind nobody. Linear in the text.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from steno.language.sentence import Span, sentences

SegmentKind = Literal["typed", "list", "pasted", "quoted", "code", "template"]
# Of a person's turn: plainly their own, theirs or somebody else's, plainly somebody else's.
Whose = Literal["own", "unsure", "other"]

_OWN: Final = frozenset({"typed", "list"})
# More typed characters than this are as likely a text prepared elsewhere; a new paragraph counts as so many.
# On 123 rules and refusals of real sessions, 102 stand in turns below it.
_LONG, _PARAGRAPH = 600, 100
# A block after a colon that is longer than this, or has a blank line in it, is handed over, not said.
_BLOCK: Final = 300
# So many words in quotation marks are somebody's words; so many are a text, which may hold marks itself.
_WORDS, _TEXT = 3, 8
# Of a longer turn only its head and its tail are examined: people paste first and ask at the end.
HEAD, TAIL = 14_000, 6_000
# From here on signs say something, too: an emoji is an answer.
_SIGNS: Final = 0x2000
_NOT_SAID: Final = frozenset({"code", "table", "quote", "heading"})
# What hosts write in a person's name.
_MACHINE: Final = re.compile(
    r"\s*(?:Operation stopped by hook|\[Request interrupted|\[Pasted text|<system-reminder|<command-|<local-command"
    r"|<task-notification|Caveat: The messages below|This session is being continued|Stop hook feedback"
    r"|Note: .{0,80} was modified|\[Image)"
)
# As much of a line is looked at.
_LINE: Final = 400

_FENCE: Final = re.compile(r"[ \t]{0,8}(```+|~~~+)")
_ITEM: Final = re.compile(r"\s*(?:[-*•+–]|\d{1,3}[.)]|[a-zA-Z][.)])\s")
_HEADING: Final = re.compile(r"[ \t]{0,3}#{1,6}[ \t]\S")
# The head of a prompt file, a part to play, or the agent's own plan, which some hosts send back in a person's name.
_TEMPLATE: Final = re.compile(
    r"\s*(?:---[ \t]*\n\w[\w-]*:|you are (?:now )?(?:an?|the) [^\n.]{3,80}[.\n].{60}"
    r"|(?:implement the following plan|please implement this plan):\s*\n)",
    re.I | re.DOTALL,
)
# What other people's texts are called, in the languages people paste from.
_SOURCE: Final = (
    r"(?:issue|ticket|bug|report|e-?mail|mail|letter|message|comment|review|thread|post|article|page|site|docs?"
    r"|documentation|document|readme|file|log|output|error|trace|traceback|stack|transcript|conversation|chat|snippet|text"
    r"|prompt|quote|response|reply|paragraph|section|description|story|diff|dump|result|answer|blog|tweet|paste|fehler"
    r"|ausgabe|nachricht|kommentar|meldung|antwort|seite|artikel|beschreibung|protokoll|correo|mensaje|courriel|erreur"
    r"|commentaire|问题|邮件|日志|错误|消息)(?:e?s|en|e)?"
)
_NAMES_A_SOURCE: Final = re.compile(rf"https?://|\b(?:web)?{_SOURCE}\b|\b(?:slack|discord|jira|github|gitlab)\b")
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
_INTRODUCES: Final = re.compile(
    rf"\b{_POINTS}\b.{{0,60}}\b{_SOURCE}\b[^,;]{{0,40}}$"
    rf"|{_OWN_SPEECH}\b{_SAYS}\b[^,;]{{0,40}}$"
    rf"|^(?:\w+ ){{0,2}}{_SOURCE}(?: \w+)?$"
    r"|\b(?:this|these|that|the following|below|here|dies|folgendes|ceci|esto|以下|如下|这个)$"
    r"|^(?:pasted?|quot(?:e|ing|ed)|forwarded|fwd?|fw|re|aw|zitat)$"
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
    r"|(?!(?:note|rules?|important|reminder|fyi|also|ps|todo|btw|policy|convention|style|warning|nb|merke?)\b)\w{2,20}:\s)",
    re.I,
)
_COLON: Final = re.compile(r"[:：](?=\s|$)|：")
_SENTENCE: Final = re.compile(r"[.!?…。]\s+")
# "The customer said never to …": what follows on the line is reported.
_REPORTED: Final = re.compile(
    r"(?:^|[.!?,;:]\s|\b(?:and|but|so|because|since|that|aber|weil)\s)[ \t]*"
    r"(?:(?:he|she|they|it|someone|somebody|everyone|er|sie|jemand)|(?:the|an?|my|our|your|this|that|one|another|der|die|das|ein"
    r"e?|mein|unser)\s(?:[\w'-]+\s){0,2}[\w'-]+|(?!never|always|please)(?-i:[A-Z])[\w'-]+)\s(?:just\s|also\s|always\s)?"
    rf"{_SAYS}\b(?!\s*[?\"“„«])",
    re.I | re.M,
)
# A letterhead, a speaker with the time, or a role: what comes now was written for another place.
_LETTERHEAD: Final = re.compile(
    r"\s*\**(?:from|to|subject|sent|cc|date|received date|email_from|von|an|betreff|gesendet|de|para|asunto|objet)\**"
    r"\s*:\s*\S",
    re.I,
)
_GREETING: Final = re.compile(
    r"\s*(?:dear|hi|hello|hey|hallo|liebe[rs]?|sehr geehrte[rs]?|bonjour|hola)\b[^.!?:]{0,40},\s*$", re.I
)
_SPEAKER: Final = re.compile(
    r"\s*(?:\[?\(?\d{1,2}:\d\d(?::\d\d)?(?: ?[ap]m)?\)?\]?\s+)\W?[\w@][\w@. -]{0,30}:\s"
    r"|\s*(?:#+\s*|\*\*|\[)?(?:system(?: prompt| message)?|user|assistant|human|ai|bot|developer)(?:\*\*|\])?\s?[:\]]",
    re.I,
)
_ROLE: Final = re.compile(
    r"</?(?:system|user|assistant|human|instructions?)\b[^>\n]{0,40}>|<\|im_|\[/?inst\]|^\s*<!--", re.I
)
_NAMED: Final = re.compile(r"\s*(@?[\w.-]{2,24})(?: [A-Z][\w.-]{0,20})?:\s+\S")

_LOG: Final = re.compile(
    r"\s*(?:\[?\d{4}-\d\d-\d\d[T ]|\[?\d\d:\d\d:\d\d|[A-Z][a-z]{2} {1,2}\d{1,2} \d\d:\d\d|at \S+ ?\(|at async "
    r"|File \"|Traceback \(|\{\"|\[\{|\+{3} |-{3} \S+/|@@ "
    r"|(?:ERROR|WARN(?:ING)?|INFO|DEBUG|FATAL|TRACE|panic|error TS\d+|npm (?:ERR|WARN)|E {3})[:!\] ]"
    r"|[✓✗✘×●⏺⎿❯➜▶│└├┌╭╰─]|\$ \S|\S+@\S+[:~ ].*[$#%] |[~/]\S* +[$%#❯] |(?:PASS|FAIL|---) {1,4}\S+[/:.]|ok[ \t]+(?:\d+"
    r" - |\S+/\S+[ \t]+\S)"
    r"|\w*(?:Error|Exception): |\d+ \| |Caused by|#\d+ 0x|diff --git|index [0-9a-f]{7}|[~/]\S*(?: \([\w./-]+\))?$"
    r"|goroutine \d|exit (?:code"
    r"|status))"
)
_FIELDS: Final = re.compile(r"\b[\w.-]+=[^\s=]+")
_CODE: Final = re.compile(
    r"[;{}]\s*$|^\s*(?:import|from \S+ import|def|class|function|const|let|var|return|public|private|if \(|for \(|<\w+"
    r"|</|#include|func|type|package|export)\b.*[;:{(=>]|^\s*[\w.\[\]]+\s?[:+-]?= "
)
_PROSE: Final = re.compile(
    r"\b(?:i|we|you|it|the|that|this|please|should|can|can't|why|not|don't|is|are|want|need|to|ich|wir|das|nicht"
    r"|ist|bitte)\b",
    re.IGNORECASE,
)
_INDENT: Final = re.compile(r"(?: {4,}|\t+)\S")
# Pairs of quotation marks; the same mark on both sides is told by what stands beside it.
_PAIRS: Final = {"“": "”", "„": "“”", "«": "»", "»": "«", "「": "」", '"': '"', "'": "'", "`": "`", "‘": "’"}
_MARK: Final = re.compile("[“”„«»「」\"'`‘’]")


class Segment(NamedTuple):
    """A stretch of a turn: `text[start:end]`. Segments follow each other without gaps, from 0 to the end."""

    start: int
    end: int
    kind: SegmentKind


class _Line(NamedTuple):
    start: int
    end: int
    text: str
    # Shaped like output, code or a log, or between such lines.
    log: bool


@lru_cache(maxsize=4)
def segments(text: str) -> tuple[Segment, ...]:
    """The turn, cut by whose words and what kind of words they are."""
    if _TEMPLATE.match(text[:_LINE]):
        return (Segment(0, len(text), "template"),)
    if len(text) > HEAD + TAIL:
        head, tail = segments(text[:HEAD]), len(text) - TAIL
        end = (
            segment._replace(start=segment.start + tail, end=segment.end + tail) for segment in segments(text[tail:])
        )
        return tuple(_joined([*head, Segment(HEAD, tail, "pasted"), *end]))
    cut = _joined(_by_line(text))
    marked = sorted([*_quotations(text, cut), *_reported(text, cut)])
    return tuple(_joined(_laid_over(cut, marked)))


def whose(text: str, quote: str) -> Whose:
    """Whose words a quote from a turn is. Nothing a person did not plainly say themselves may bind anybody."""
    found, at = segments(text), text.find(quote)
    while at >= 0:
        begins = found[_place(text, at)]
        if begins.kind in _OWN:
            # A sentence that ends with a colon hands over what follows; it says nothing of its own that lasts.
            doubt = quote.endswith((":", "：")) or _mostly_others(found, at, at + len(quote)) or _is_long(text, found)
            return "unsure" if doubt or _is_dressed(quote) or _is_among_lines(text, found, at) else "own"
        at = text.find(quote, begins.end)
    return "other"


def _is_dressed(quote: str) -> bool:
    """Whether words stand in a tag or a comment, after a name, or after an order to do something with them."""
    found = _DRESSED.match(quote)
    return found is not None and not _MEANT.match(quote.lower())


def own_words(text: str, start: int, end: int) -> str:
    """What a person typed between two places, with nothing left of what others said."""
    found, pieces = segments(text), []
    for place in range(_place(text, start), len(found)):
        segment = found[place]
        if segment.start >= end:
            break
        if segment.kind in _OWN:
            pieces.append(text[max(start, segment.start) : min(end, segment.end)])
    return " ".join(pieces)


def own_sentences(text: str) -> list[Span]:
    """What a person said in a turn themselves, sentence by sentence."""
    if _MACHINE.match(text):
        return []
    pieces = [(0, len(text))] if len(text) <= HEAD + TAIL else [(0, HEAD), (len(text) - TAIL, len(text))]
    found: list[Span] = []
    for begin, end in pieces:
        for span in sentences(text[begin:end]):
            span = _until_introduced(text, span._replace(start=span.start + begin, end=span.end + begin))
            if span.kind not in _NOT_SAID and any(
                c.isalnum() or ord(c) > _SIGNS for c in own_words(text, span.start, span.end)
            ):
                found.append(span)
    return found


def _until_introduced(text: str, span: Span) -> Span:
    """A sentence without somebody else's text that it introduces: of "a customer wrote: never …" what stands before."""
    found, first = segments(text), _place(text, span.start)
    for segment in found[first + 1 :] if found[first].kind in _OWN else ():
        if segment.kind == "pasted" or segment.start >= span.end:
            own = text[span.start : min(span.end, segment.start)].rstrip()
            return span._replace(end=span.start + len(own), text=own)
    return span


def _place(text: str, at: int) -> int:
    """Which segment a place of the text lies in."""
    return bisect_right(_starts(text), at) - 1


@lru_cache(maxsize=4)
def _starts(text: str) -> list[int]:
    return [segment.start for segment in segments(text)]


def _is_long(text: str, found: tuple[Segment, ...]) -> bool:
    if len(text) > HEAD + TAIL:
        return True
    typed = [text[segment.start : segment.end].strip() for segment in found if segment.kind in _OWN]
    paragraphs = sum(len(re.findall(r"\n\s*\n", piece)) for piece in typed)
    headings = any(_HEADING.match(line) for piece in typed for line in piece.splitlines())
    return headings or sum(map(len, typed)) + _PARAGRAPH * paragraphs > _LONG


def _is_among_lines(text: str, found: tuple[Segment, ...], at: int) -> bool:
    """Whether other lines stand above or below, so that nobody can tell who speaks: a text that was pasted without a
    word begins and ends as it likes. A list is one thing, and what is quoted or fenced shows its end."""
    begin = len(text) - len(text.lstrip())
    first, line, end = text.find("\n", begin), text.rfind("\n", 0, at) + 1, text.find("\n", at)
    here = found[_place(text, at)].kind
    if not begin <= first < at:
        return here != "list" and end >= 0 and bool(own_words(text, end, len(text)).strip())
    others = {segment.kind for segment in found[: _place(text, at)]} - _OWN
    typed = own_words(text, begin, line).strip()
    if text[begin:first].rstrip().endswith(":") and "\n" not in typed:
        plain = others <= {"quoted"}
    else:
        plain = here == "list" and not others if typed else others <= {"quoted", "code"}
    return not plain or _NAMES_A_SOURCE.search(text[begin : min(first, begin + _LINE)].lower()) is not None


def _mostly_others(found: tuple[Segment, ...], start: int, end: int) -> bool:
    own = sum(max(0, min(end, one.end) - max(start, one.start)) for one in found if one.kind in _OWN)
    return 2 * own < end - start


# -- by line -----------------------------------------------------------------------------------------------------------


def _by_line(text: str) -> Iterator[Segment]:
    fence, others = "", False
    kind: SegmentKind = "typed"
    speakers: dict[str, int] = {}
    lines = list(_lines(text))
    for place, line in enumerate(lines):
        mark = _FENCE.match(line.text)
        if fence or mark:
            kind = "code"
            if mark and (not fence or mark[1].startswith(fence)):
                fence = "" if fence else mark[1]
        elif not line.text.strip():
            kind = kind if kind in _OWN or others else "typed"
        elif line.text.lstrip().startswith(">"):
            kind = "quoted"
        elif others or _is_others(line.text, lines, place, speakers):
            kind, others = "pasted", True
        elif line.log:
            # "error: …" is a log's own word, but a line may be dressed up as one.
            kind, others = "pasted", not _LOG.match(line.text) and _introduction(text, lines, place) is not None
        else:
            kind = "list" if _ITEM.match(line.text) else "typed"
            colon = _introduction(text, lines, place)
            if colon is not None:
                yield Segment(line.start, colon, kind)
                kind, others = "pasted", True
                yield Segment(colon, line.end, kind)
                continue
        yield Segment(line.start, line.end, kind)


def _lines(text: str) -> Iterator[_Line]:
    """Lines, with what is shaped like a log: a line between two such of a paragraph is one, too, unless it is prose."""
    at, paragraph = 0, list[tuple[int, int, bool]]()
    for line in [*text.splitlines(keepends=True), ""]:
        if line.strip():
            paragraph.append((at, at + len(line), not _ITEM.match(line) and _is_log(line)))
        else:
            shaped = [start for start, _, looks in paragraph if looks]
            for start, end, looks in paragraph:
                inside = bool(shaped) and shaped[0] < start < shaped[-1]
                looks = looks or (inside and len(_PROSE.findall(text[start : min(end, start + _LINE)])) < 3)
                yield _Line(start, end, text[start : min(end, start + _LINE)], looks)
            paragraph.clear()
            if line:
                yield _Line(at, at + len(line), "", log=False)
        at += len(line)


def _is_log(line: str) -> bool:
    """Whether a line is shaped like output, code or a log rather than like something said."""
    line = line[:_LINE].rstrip("\r\n")
    if _LOG.match(line) or len(_FIELDS.findall(line)) >= 3:
        return True
    if _INDENT.match(line) or _CODE.search(line):
        return len(_PROSE.findall(line)) < 3
    letters = sum(c.isalpha() or c.isspace() for c in line[:200])
    return letters < 0.55 * len(line[:200]) and len(_PROSE.findall(line)) < 2 and len(line) > 12


def _is_others(line: str, lines: list[_Line], place: int, speakers: dict[str, int]) -> bool:
    """Whether a line opens a letter, a record of a conversation or another machine's prompt."""
    if _SPEAKER.match(line) or _ROLE.search(line):
        return True
    following = next((one.text for one in lines[place + 1 : place + 4] if one.text.strip()), "")
    if _LETTERHEAD.match(line):
        return "|" in line or bool(_LETTERHEAD.match(following))
    if _GREETING.match(line):
        return bool(following)
    if named := _NAMED.match(line):
        speakers[named[1]] = speakers.get(named[1], 0) + 1
        return speakers[named[1]] > 1 and len(speakers) > 1
    return False


def _introduction(text: str, lines: list[_Line], place: int) -> int | None:
    """Where somebody else's words begin after this line or in it. None: they do not, or show their end themselves."""
    line = lines[place]
    begin = 0
    for colon in list(_COLON.finditer(line.text))[:4]:
        lead = _SENTENCE.split(line.text[begin : colon.start()])[-1].strip(" *_-\t").lower()[-160:]
        after = line.start + colon.end()
        rest = text[after : after + _LINE].lstrip()
        if not rest or rest.startswith((">", "```", "~~~", *_PAIRS)):
            continue
        if _INTRODUCES.search(lead) and not _MEANT.match(lead):
            return after
        if not line.text[colon.end() :].strip() and _is_block(text, after):
            return after
        begin = colon.end()
    return line.end if _LOOK.match(line.text.lower()) and line.end < len(text) else None


def _is_block(text: str, after: int) -> bool:
    """Whether what follows a colon at a line's end is handed over as a whole: long, or of several paragraphs."""
    rest = text[after : after + 2 * _BLOCK].strip()
    return not _ITEM.match(rest) and (len(rest) > _BLOCK or "\n\n" in rest)


# -- inside lines ------------------------------------------------------------------------------------------------------


def _quotations(text: str, cut: list[Segment]) -> Iterator[Segment]:
    """What stands in quotation marks. A quoted text may hold marks itself, so all up to the last mark belongs to it."""
    found = list(_marked(text, cut))
    told = [(start, end) for start, end in found if _count_words(text[start:end]) >= _WORDS or _alone(text, start, end)]
    if any(_count_words(text[start:end]) >= _TEXT for start, end in told):
        told = [(told[0][0], max(end for _, end in found))]
    return (Segment(start, end, "code" if text[start] == "`" else "quoted") for start, end in told)


def _marked(text: str, cut: list[Segment]) -> Iterator[tuple[int, int]]:
    """Outermost pairs of marks outside of fences and quoted lines; what lies between two of them belongs to the pair.

    A mark at a line's start or after a colon that is never closed goes on to the end.
    """
    opened: list[tuple[int, str]] = []
    marks = (
        match for one in cut if one.kind not in ("code", "quoted") for match in _MARK.finditer(text, one.start, one.end)
    )
    for match in marks:
        at, mark = match.start(), match.group()
        before, after = text[at - 1 : at] or "\n", text[at + 1 : at + 2] or " "
        closing = next((n for n in range(len(opened) - 1, -1, -1) if mark in _PAIRS[opened[n][1]]), None)
        if closing is not None and (mark not in _PAIRS or not (after.isalnum() or before.isspace())):
            del opened[closing + 1 :]
            start, _ = opened.pop()
            if not opened:
                yield start, at + 1
        elif (
            mark in _PAIRS and len(opened) < _TEXT and not before.isalnum() and (before == "\n" or not after.isspace())
        ):
            opened.append((at, mark))
    for start, mark in opened[:1]:
        before = text[max(0, start - _LINE) : start].rstrip(" \t")
        if mark not in "'`‘" and (not before or before[-1] in "\n:"):
            yield start, len(text)


def _alone(text: str, start: int, end: int) -> bool:
    """Whether nothing but the quotation stands on its lines."""
    before, after = text[max(0, start - _LINE) : start].rpartition("\n")[2], text[end : end + _LINE].partition("\n")[0]
    return not before.strip() and not after.strip(" .,!?")


def _reported(text: str, cut: list[Segment]) -> Iterator[Segment]:
    for segment in cut:
        if segment.kind in _OWN:
            for match in _REPORTED.finditer(text, segment.start, segment.end):
                end = text.find("\n", match.end(), segment.end)
                yield Segment(match.end(), segment.end if end < 0 else end, "quoted")


def _count_words(text: str) -> int:
    return len(text.split())


# -- putting together --------------------------------------------------------------------------------------------------


def _laid_over(cut: list[Segment], marked: list[Segment]) -> Iterator[Segment]:
    """The segments, with what is marked inside a person's own cut out of them."""
    place = 0
    for segment in cut:
        at = segment.start
        while place < len(marked) and marked[place].start < segment.end:
            mark = marked[place]
            start, end = max(at, mark.start), min(segment.end, mark.end)
            if segment.kind in _OWN and start < end:
                if at < start:
                    yield Segment(at, start, segment.kind)
                yield Segment(start, end, mark.kind)
                at = end
            if mark.end > segment.end:
                break
            place += 1
        if at < segment.end:
            yield Segment(at, segment.end, segment.kind)


def _joined(cut: Iterable[Segment]) -> list[Segment]:
    """Neighbours of one kind as one."""
    found: list[Segment] = []
    for segment in cut:
        if segment.start == segment.end:
            continue
        if found and found[-1].kind == segment.kind:
            found[-1] = found[-1]._replace(end=segment.end)
        else:
            found.append(segment)
    return found
