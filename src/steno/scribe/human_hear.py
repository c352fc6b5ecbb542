"""What a person says in a turn in their own words, without what they pasted; and what went before it."""

import re
import sys
from bisect import bisect_right
from typing import NamedTuple

from steno.scribe.human_cues import FILE_FIRST, SMALL_WORDS
from steno.scribe.text import Span, sentences
from steno.vocabulary import JournalTurn, Window

# Of a longer turn only this much is examined: its head and its tail (people paste first and ask at the end).
_HEAD, _TAIL = 14_000, 6_000
# A turn of so many lines that has headings is a document, not chat.
_DOCUMENT_LINES = 25
_MACHINE = re.compile(
    r"\s*(?:Operation stopped by hook|\[Request interrupted|\[Pasted text|<system-reminder|<command-|<local-command"
    r"|<task-notification"
    r"|Caveat: The messages below|This session is being continued|Stop hook feedback|Note: .{0,80} was modified"
    r"|\[Image)"
)
_LOG = re.compile(
    r"\s*(?:\[?\d{4}-\d\d-\d\d[T ]|\[?\d\d:\d\d:\d\d|[A-Z][a-z]{2} {1,2}\d{1,2} \d\d:\d\d|at \S+ ?\(|at async "
    r"|File \"|Traceback \(|\{\"|\[\{|\+{3} |-{3} \S+/|@@ "
    r"|(?:ERROR|WARN(?:ING)?|INFO|DEBUG|FATAL|TRACE|panic|error TS\d+|npm (?:ERR|WARN)|E {3})[:!\] ]"
    r"|[✓✗✘×●⏺⎿❯➜▶│└├┌╭╰─]|\$ \S|\S+@\S+[:~ ].*[$#%] |[~/]\S* +[$%#❯] |(?:PASS|FAIL|---) {1,4}\S+[/:.]|ok[ \t]+(?:\d+"
    r" - |\S+/\S+[ \t]+\S)"
    r"|\w*(?:Error|Exception): |\d+ \| |Caused by|#\d+ 0x|diff --git|index [0-9a-f]{7}|[~/]\S*(?: \([\w./-]+\))?$"
    r"|goroutine \d|exit (?:code"
    r"|status))"
)
_FIELDS = re.compile(r"\b[\w.-]+=[^\s=]+")
_CODE = re.compile(
    r"[;{}]\s*$|^\s*(?:import|from|def|class|function|const|let|var|return|public|private|if \(|for \(|<\w+|</"
    r"|#include|func|type|package|export)\b.*[;:{(=>]|^\s*[\w.\[\]]+\s?[:+-]?= "
)
_PROSE = re.compile(
    r"\b(?:i|we|you|it|the|that|this|please|should|can|can't|why|not|don't|is|are|want|need|to|ich|wir|das|nicht"
    r"|ist|bitte)\b",
    re.IGNORECASE,
)
_INDENT = re.compile(r"(?: {4,}|\t+)\S")
# A question typed without its mark.
_ASKS = re.compile(
    r"^(?:what|where|when|who|which|how|why)(?:'?s|'re| (?:is|are|was|were|do|does|did|can|could|should|would|will|has"
    r"|have|else|many|much|long|to)) (?!.*[.;])|^(?:does|did|is|are|was|were|has) (?:it|this|that|there|we|you|they"
    r"|the)\b"
    r"|^do (?:we|you|they|i)\b"
)
# "1️⃣" is a 1.
_KEYCAP = {0xFE0F: None, 0x20E3: None}
_CONDITION = re.compile(
    r"^(?:if|when|unless|in case|falls|wenn)\b(?! (?:we (?:could|can)|you (?:ask me|want my)|possible))"
)


class Said(NamedTuple):
    """One sentence of the person."""

    span: Span
    # In lower case with straight apostrophes.
    low: str
    # The same without the small words in front.
    core: str

    @property
    def text(self) -> str:
        return self.span.text

    @property
    def asks(self) -> bool:
        return self.low.rstrip(" )\"'*_🤣😅🙂").endswith(("?", "？")) or bool(_ASKS.match(self.core))

    @property
    def conditional(self) -> bool:
        return bool(_CONDITION.match(self.core))


class Heard(NamedTuple):
    """A person's turn, made ready: their sentences and what they answer to."""

    turn: JournalTurn
    said: list[Said]
    # The last thing the assistant said before, if it spoke since the person's last words.
    reply_to: JournalTurn | None
    # The last tool call before.
    act: JournalTurn | None
    # The person stopped the agent or refused a call right before, or with, these words.
    stopped: bool
    # The turn is a written document (a plan, a specification), not chat.
    document: bool


def hear(turn: JournalTurn, window: Window) -> Heard:
    """The turn with its sentences cut and pasted text left out."""
    text = turn.turn.text
    document = _is_document(text)
    said = [] if _MACHINE.match(text) or _said_before(turn, window) else _own_words(text, document)
    return Heard(turn, said, _reply_to(window), _last_call(window), _stopped(turn, window), document)


def is_pasted(line: str) -> bool:
    """Whether a line is shaped like output, code or a log rather than like something said."""
    if _LOG.match(line) or len(_FIELDS.findall(line[:400])) >= 3:
        return True
    if _INDENT.match(line) or _CODE.search(line[:400]):
        return len(_PROSE.findall(line[:400])) < 3
    letters = sum(c.isalpha() or c.isspace() for c in line[:200])
    return letters < 0.55 * len(line[:200]) and len(_PROSE.findall(line[:400])) < 2 and len(line) > 12


def normal(text: str) -> str:
    """Lower case, straight apostrophes, one line."""
    return " ".join(text.lower().replace("’", "'").replace("`", "").translate(_KEYCAP).split())


def _own_words(text: str, document: bool) -> list[Said]:
    pieces = [(0, len(text))] if len(text) <= _HEAD + _TAIL else [(0, _HEAD), (len(text) - _TAIL, len(text))]
    found: list[Said] = []
    for begin, end in pieces:
        piece = text[begin:end]
        pasted = _pasted_lines(piece)
        own = (span for span in sentences(piece) if _is_own(span, pasted, document))
        found.extend(_said(span._replace(start=span.start + begin, end=span.end + begin)) for span in own)
    return found


def _is_own(span: Span, pasted: list[tuple[int, int]], document: bool) -> bool:
    if span.kind in ("code", "table", "quote") or (span.kind == "heading" and not document):
        return False
    if not any(c.isalnum() or ord(c) > 0x2000 for c in span.text):
        return False
    at = bisect_right(pasted, (span.start, sys.maxsize)) - 1
    if at >= 0 and span.start < pasted[at][1]:
        return False
    return span.kind == "item" or not is_pasted(span.text)


def _pasted_lines(text: str) -> list[tuple[int, int]]:
    """Where pasted lines stand. A line between two pasted ones of a paragraph was pasted too, unless it is prose."""
    ranges: list[tuple[int, int]] = []
    at, paragraph = 0, list[tuple[int, int, bool]]()
    for line in [*text.splitlines(keepends=True), "\n"]:
        if line.strip():
            item = re.match(r"\s*(?:[-*•+]|\d{1,3}[.)]) ", line)
            paragraph.append((at, at + len(line), not item and is_pasted(line)))
        elif paragraph:
            shaped = [start for start, _, looks in paragraph if looks]
            for start, end, looks in paragraph:
                inside = bool(shaped) and shaped[0] < start < shaped[-1]
                if looks or (inside and len(_PROSE.findall(text[start : min(end, start + 300)])) < 3):
                    ranges.append((start, end))
            paragraph.clear()
        at += len(line)
    return ranges


def _said(span: Span) -> Said:
    text = re.sub(r"^(?:[-*•+]|\(?\w[.)])[ \t]+", "", span.text) if span.kind == "item" and span.label else span.text
    low = normal(text[:1000]).lstrip("*_ ")
    core = FILE_FIRST.sub("", SMALL_WORDS.sub("", low))
    return Said(span, low, core or low)


def _is_document(text: str) -> bool:
    if text.count("\n") < _DOCUMENT_LINES:
        return False
    head = text[:_HEAD]
    return (
        len(re.findall(r"(?m)^#{1,4} \S", head)) >= 2
        or len(re.findall(r"(?m)^ {0,3}(?:[-*]|\d+\.) \S", head)) >= _DOCUMENT_LINES
    )


def _said_before(turn: JournalTurn, window: Window) -> bool:
    """Whether this is a long prompt sent once more (a host that stops a prompt gives it back for sending again)."""
    text = turn.turn.text
    return len(text) > 400 and any(t.turn.by_human and t.turn.text == text for t in window.said)


def _reply_to(window: Window) -> JournalTurn | None:
    for before in reversed(window.said):
        if before.turn.role == "assistant" and before.turn.text.strip():
            return before
        if before.turn.by_human and before.turn.kind != "denied" and len(before.turn.text) > 200:
            return None
    return None


def _last_call(window: Window) -> JournalTurn | None:
    return next((t for t in reversed(window.done) if t.turn.kind == "call"), None)


def _stopped(turn: JournalTurn, window: Window) -> bool:
    if turn.turn.kind == "denied":
        return True
    last = next((t for t in reversed(window.said) if t.turn.kind != "boundary"), None)
    if last is not None and last.turn.kind in ("interrupted", "denied"):
        return True
    refused = next((t.id for t in reversed(window.done) if t.turn.kind == "denied"), None)
    return refused is not None and (last is None or refused > last.id)
