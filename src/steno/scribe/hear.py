"""Whose words a person's turn holds: what they typed, and what they pasted, quoted or handed over.

Words that are not plainly a person's own bind nobody.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, Literal

from steno.language.lexicon import lexicon
from steno.language.sentence import Span, sentences
from steno.language.words import content_words
from steno.scribe.cues import says_it_lasts
from steno.scribe.introduced import NAMES_A_SOURCE, asks_about, hands_over, is_dressed, only_asks_about
from steno.scribe.lines import LINE
from steno.scribe.segments import HEAD, HEARD, OWN, TAIL, Segment, SegmentKind, segments

# Of a person's turn: plainly their own, theirs or somebody else's, plainly somebody else's.
Whose = Literal["own", "unsure", "other"]
# More typed characters than this are as likely a text prepared elsewhere; a new paragraph counts as so many.
# On 123 rules and refusals of real sessions, 102 stand in turns below it.
_LONG, _PARAGRAPH = 600, 100
# From here on signs say something, too: an emoji is an answer.
_SIGNS: Final = 0x2000
_NOT_SAID: Final = frozenset({"code", "table", "quote", "heading"})
# What hosts write in a person's name.
_MACHINE: Final = re.compile(
    r"\s*(?:Operation stopped by hook|\[Request interrupted|\[Pasted text|<system-reminder|<command-|<local-command"
    r"|<task-notification|Caveat: The messages below|This session is being continued|Stop hook feedback"
    r"|Note: .{0,80} was modified|\[Image)"
)
# Where something is added to what was said; so much must stand before it to be said by itself.
_ALSO: Final = re.compile(
    r"[,;]?\s(?:and|but|also|und|aber)\s(?:(?:btw|by the way|also|please|übrigens|bitte),?\s)?", re.IGNORECASE
)
_TELLING: Final = 2
_HEADING: Final = re.compile(r"[ \t]{0,3}#{1,6}[ \t]\S")


def whose(text: str, quote: str) -> Whose:
    """Whose words a quote from a turn is. Nothing a person did not plainly say themselves may bind anybody."""
    found, at = segments(text), text.find(quote)
    while at >= 0:
        begins = found[_place(text, at)]
        if begins.kind == "handed":
            return "unsure"
        if begins.kind in OWN and only_asks_about(own_words(text, at, at + len(quote), OWN)):
            return "other"
        if begins.kind in OWN:
            # A sentence that ends with a colon hands over what follows; it says nothing of its own that lasts.
            doubt = quote.endswith((":", "：")) or _mostly_others(found, at, at + len(quote)) or _is_long(text, found)
            doubt = doubt or is_dressed(quote) or asks_about(own_words(text, 0, len(text), OWN))
            doubt = doubt or hands_over(own_words(text, text.rfind("\n\n", 0, at) + 1, at, OWN))
            return "unsure" if doubt or _is_among_lines(text, found, at) else "own"
        at = text.find(quote, begins.end)
    return "other"


def own_words(text: str, start: int, end: int, kinds: frozenset[SegmentKind] = HEARD) -> str:
    """What a person typed between two places, with nothing left of what others said."""
    found, pieces = segments(text), []
    for place in range(_place(text, start), len(found)):
        segment = found[place]
        if segment.start >= end:
            break
        if segment.kind in kinds:
            pieces.append(text[max(start, segment.start) : min(end, segment.end)])
    return " ".join(pieces)


def own_sentences(text: str) -> list[Span]:
    """What a person said in a turn themselves, sentence by sentence."""
    if _MACHINE.match(text):
        return []
    pieces = [(0, len(text))] if len(text) <= HEAD + TAIL else [(0, HEAD), (len(text) - TAIL, len(text))]
    found: list[Span] = []
    for begin, end in pieces:
        for span in (part for one in sentences(text[begin:end]) for part in _apart(one)):
            span = _until_introduced(text, span._replace(start=span.start + begin, end=span.end + begin))
            own = own_words(text, span.start, span.end)
            if span.kind not in _NOT_SAID and any(c.isalnum() or ord(c) > _SIGNS for c in own):
                # "don't push. ever.": what only says for how long belongs to the sentence before it.
                if found and lexicon("lasting").covers(span.text):
                    before = found.pop()
                    span = before._replace(end=span.end, text=text[before.start : span.end])
                found.append(span)
    return found


def _apart(span: Span) -> Iterator[Span]:
    """A sentence, cut before what it orders for good in passing: "rename it in api.py, and btw always run mypy"."""
    for joint in _ALSO.finditer(span.text[:LINE]):
        before, rest = span.text[: joint.start()], span.text[joint.end() :]
        told = len(content_words(before)) >= _TELLING and not (
            says_it_lasts(before) or lexicon("condition").opens(before)
        )
        if told and lexicon("commands").opens(rest) and not lexicon("pointer").search(rest):
            yield span._replace(end=span.start + joint.start(), text=before)
            span = span._replace(start=span.start + joint.end(), text=rest)
            break
    yield span


def _until_introduced(text: str, span: Span) -> Span:
    """A sentence without somebody else's text that it introduces: of "a customer wrote: never …" what stands before."""
    found, first = segments(text), _place(text, span.start)
    for segment in found[first + 1 :] if found[first].kind in HEARD else ():
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
    typed = [text[segment.start : segment.end].strip() for segment in found if segment.kind in OWN]
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
        return here != "list" and end >= 0 and bool(own_words(text, end, len(text), OWN).strip())
    others = {segment.kind for segment in found[: _place(text, at)]} - OWN
    typed = own_words(text, begin, line, OWN).strip()
    if text[begin:first].rstrip().endswith(":") and "\n" not in typed:
        plain = others <= {"quoted"}
    else:
        plain = here == "list" and not others if typed else others <= {"quoted", "code"}
    return not plain or NAMES_A_SOURCE.search(text[begin : min(first, begin + LINE)].lower()) is not None


def _mostly_others(found: tuple[Segment, ...], start: int, end: int) -> bool:
    """Whether words run into what may be somebody else's, or hold more of what is."""
    common = [(one.kind, max(0, min(end, one.end) - max(start, one.start))) for one in found]
    own = sum(length for kind, length in common if kind in OWN)
    return 2 * own < end - start or any(length for kind, length in common if kind == "handed")
