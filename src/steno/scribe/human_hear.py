"""What a person says in a turn in their own words, without what they pasted; and what went before it."""

import re
from typing import NamedTuple

from steno.scribe.hear import HEAD, TAIL, own_words
from steno.scribe.human_cues import FILE_FIRST, SMALL_WORDS
from steno.scribe.text import Span, sentences
from steno.vocabulary import JournalTurn, Window

# A turn of so many lines that has headings is a document, not chat.
_DOCUMENT_LINES = 25
_MACHINE = re.compile(
    r"\s*(?:Operation stopped by hook|\[Request interrupted|\[Pasted text|<system-reminder|<command-|<local-command"
    r"|<task-notification"
    r"|Caveat: The messages below|This session is being continued|Stop hook feedback|Note: .{0,80} was modified"
    r"|\[Image)"
)
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


def normal(text: str) -> str:
    """Lower case, straight apostrophes, one line."""
    return " ".join(text.lower().replace("’", "'").replace("`", "").translate(_KEYCAP).split())


def _own_words(text: str, document: bool) -> list[Said]:
    pieces = [(0, len(text))] if len(text) <= HEAD + TAIL else [(0, HEAD), (len(text) - TAIL, len(text))]
    found: list[Said] = []
    for begin, end in pieces:
        for span in sentences(text[begin:end]):
            if span.kind in ("code", "table", "quote") or (span.kind == "heading" and not document):
                continue
            span = span._replace(start=span.start + begin, end=span.end + begin)
            own = span.text if document else own_words(text, span.start, span.end)
            if any(c.isalnum() or ord(c) > 0x2000 for c in own):
                found.append(_said(span, own))
    return found


def _said(span: Span, own: str) -> Said:
    text = re.sub(r"^(?:[-*•+]|\(?\w[.)])[ \t]+", "", own) if span.kind == "item" and span.label else own
    low = normal(text[:1000]).lstrip("*_ ")
    core = FILE_FIRST.sub("", SMALL_WORDS.sub("", low))
    return Said(span, low, core or low)


def _is_document(text: str) -> bool:
    if text.count("\n") < _DOCUMENT_LINES:
        return False
    head = text[:HEAD]
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
