"""What a person refers to: names near the words, the assistant's proposal, the option a letter stands for."""

import re
from functools import lru_cache
from itertools import chain, islice
from typing import NamedTuple

from steno.scribe.human_hear import Heard, Said, normal
from steno.scribe.text import Span, sentences
from steno.terms import content_words, squeeze
from steno.vocabulary import Quote

_TICKED = re.compile(r"(?<!\w)`([^`\s][^`\n]{0,78}[^`\s])`(?!\w)")
_NAME = re.compile(
    r"(?:#\d{1,6}\b|\b[A-Z]{2,6}-\d{1,6}\b|(?<![\w./-])[@~]?/?(?:[\w.-]+/)+[\w.-]+\w|\b[\w-]+\.(?:[a-z]{1,4}|json"
    r"|yaml|toml|jsonl)\b|\b[a-z]+(?:[A-Z][a-z0-9]+)+\b|\b(?:[A-Z][a-z0-9]+){2,}\b"
    r"|\b[a-z]{2,}(?:_[a-z0-9]+)+\b|\b[A-Z]{2,}[0-9]+\b|\b\w+\(\))"
)
_INPUT = re.compile(
    r'"(?:file_path|path|notebook_path|command|description|url|pattern|subject|skill)"\s*:\s*"([^"\\]{1,200})'
)
_OFFER = re.compile(
    r"\b(?:want(?: me)? to|shall (?:i|we)|should (?:i|we|it|this|that|these)|would you (?:like|prefer|rather)"
    r"|do you want|may i|can i|ready to (?:start|proceed|go|begin|implement|merge|commit)|proceed|sound good"
    r"|go ahead"
    r"|ok(?:ay)? to|look(?:s)? (?:good|right|ok)|make sense|which (?:one|option|approach|of|way|do)|prefer(?:ence)?"
    r"|agree|(?:ok(?:ay)?|fine|acceptable|good enough|worth it) ?\?|let me know|your (?:call|take|thoughts|choice)"
    r"|(?:do|would) you think|thoughts|happy to|soll ich"
    r"|möchtest du|sollen wir|darf ich|passt das|oder lieber)\b|\b(?:ok(?:ay)?|fine|acceptable|good enough|worth it"
    r"|then|instead|next|first)\s*\?|要不要|是否"
)
_ADVICE = re.compile(
    r"\b(?:i'd (?:say|suggest|recommend|go|lean|just|do|propose|keep)|i (?:recommend|suggest|propose|would)"
    r"|my (?:recommendation|suggestion|take|vote|preference)|recommend(?:ed|ation)?|i'm thinking|i think (?:we|it"
    r"|the)|should (?:just |probably |be |go |also )|let's"
    r"|the (?:cleanest|best|simplest|proper|right|natural|immediate|minimal|easiest|safest) (?:\w+ )?(?:fix|way"
    r"|approach|option|choice|place|home|move|path)|much cleaner|natural home|next (?:is|step|up)|the (?:plan"
    r"|pattern|idea|strategy|approach|fix|change)(?: here)? (?:is|would|goes)|we (?:can|could|should|then)"
    r"|i(?:'ll| will| can| could)|would (?:be|need|mean|keep|let)|ich (?:schlage|würde|empfehle)|建议)\b"
)
# A question that wants to know something, rather than to be allowed something.
_FOR_INFORMATION = re.compile(
    r"(?:^|[,;:.–—-] (?:and |but |so )?)(?:\w+ ){0,2}(?:what|where|when|who|why|how|is|are|was|were|does|do|did|has"
    r"|have|had|can you|could you"
    r"|will|would|which|wer|wo|wann|warum|wie|was|ist|sind|hat|gibt)\b"
)
_JOINT = re.compile(r"[_./:@#-]+")
_MAX_ABOUT = 10
# Alternatives in running text: "a) … b) …", "(1) … or (2) …".
_INLINE = re.compile(r"(?<![\w(])\(?([a-h]|[1-9])\)[ \t]+(?=\S)", re.IGNORECASE)
_HEADED = re.compile(
    r"#+\s*\**(?:(?:option|approach|plan|variant|alternative|choice|solution)\s+)?#?(\d{1,2}|[a-h])\b\**\s*[:.)–—-]",
    re.IGNORECASE,
)


class Proposal(NamedTuple):
    """What the assistant put to the person."""

    turn: int
    # The question or offer at the end, if there is one.
    offer: Span | None
    # The sentence that says what it advises or is going to do.
    advice: Span | None
    # Labelled alternatives, by label.
    options: dict[str, Span]
    spans: list[Span]


def proposal(heard: Heard) -> Proposal | None:
    """The proposal this turn may answer."""
    return None if heard.reply_to is None else _proposal(heard.reply_to.id, heard.reply_to.turn.text)


@lru_cache(maxsize=8)
def _proposal(turn: int, text: str) -> Proposal:
    cut = max(0, len(text) - 8000)
    spans = [s._replace(start=s.start + cut, end=s.end + cut) for s in sentences(text[cut:]) if s.kind != "code"]
    spoken = [s for s in spans if s.kind in ("prose", "item") and len(s.text) > 8]
    offer = next((s for s in reversed(spoken[-6:]) if "?" in s.text and _OFFER.search(normal(s.text))), None)
    if offer is None:
        offer = next((s for s in reversed(spoken[-3:]) if s.text.rstrip("*_ ").endswith(("?", "？"))), None)
    advising = [
        s
        for s in spoken[-12:]
        if s is not offer and not s.text.rstrip().endswith("?") and _ADVICE.search(normal(s.text))
    ]
    return Proposal(turn, offer, advising[-1] if advising else None, _options(text, spans), spans)


def is_offer(span: Span | None) -> bool:
    """Whether a question leaves something to the person, rather than asking for information."""
    return span is not None and _offers(span.text)


@lru_cache(maxsize=32)
def _offers(text: str) -> bool:
    low = normal(text)
    if _OFFER.search(low):
        return True
    # "Thursday?", "One table per tenant, or a column?"
    return low.rstrip("*_ )").endswith(("?", "？")) and not _FOR_INFORMATION.search(low)


def about(heard: Heard, said: list[Said], *, context: bool = True) -> list[str]:
    """Names the words are about: their own first, then those of what they answer to, then of the last act."""
    found: dict[str, None] = {}
    for one in said:
        _take(_names(one.text), found)
    if context and heard.reply_to is not None:
        text = heard.reply_to.turn.text
        _take(_names(text[-700:]), found)
        if len(found) < _MAX_ABOUT:
            _take(_names(text[-2500:-700]), found)
    if context and heard.stopped and heard.act is not None:
        call: dict[str, None] = dict.fromkeys(_INPUT.findall(heard.act.turn.text[:4000])[:2])
        found = {**dict(list(found.items())[: _MAX_ABOUT - 2]), **call}
    return list(found)[:_MAX_ABOUT]


def act_in_words(heard: Heard) -> str:
    """The last tool call as a phrase: what was stopped."""
    if heard.act is None:
        return ""
    given = _INPUT.findall(heard.act.turn.text[:4000])
    return squeeze(f"{heard.act.turn.tool or 'tool'} {' '.join(given[:2])}")[:200]


def shared_words(text: str, other: str) -> int:
    """How many telling words two texts have in common; a word and its inflection count as the same."""
    low = other.lower()
    ours = [stem for stem in _stem_list(text) if stem[:4] in low]
    if not ours:
        return 0
    theirs = _stems(other, 400)
    return sum(stem in theirs for stem in ours)


@lru_cache(maxsize=256)
def _stems(text: str, limit: int) -> frozenset[str]:
    words = content_words(text, limit)
    # "linear" is in TRANS_LINEAR, "retry" in retry.go.
    parts = (part for word in words for part in _JOINT.split(word) if len(part) > 2)
    return frozenset(_stem(word) for word in (*words, *parts))


@lru_cache(maxsize=64)
def _stem_list(text: str) -> tuple[str, ...]:
    return tuple(_stem(word) for word in content_words(text, 40))


def _stem(word: str) -> str:
    return word.replace("ies", "y")[:5]


def closest(said: str, spans: list[Span]) -> Span | None:
    """The sentence of the proposal that shares the most telling words, if any does."""
    count, _, best = max(((shared_words(said, s.text), s.start, s) for s in spans[-40:]), default=(0, 0, None))
    return best if count else None


def quote(turn: int, span: Span) -> Quote:
    return Quote(turn, span.text)


def _take(names: tuple[str, ...], found: dict[str, None]) -> None:
    for name in names:
        if len(found) < _MAX_ABOUT:
            found[name] = None


@lru_cache(maxsize=64)
def _names(text: str) -> tuple[str, ...]:
    ticked = (match.group(1) for match in _TICKED.finditer(text[:4000]))
    named = (match.group() for match in _NAME.finditer(text[:4000]))
    names = dict.fromkeys(name.strip("@.,:") for name in chain(ticked, named))
    return tuple(islice((name for name in names if len(name) > 1), 4 * _MAX_ABOUT))


def _options(text: str, spans: list[Span]) -> dict[str, Span]:
    options: dict[str, Span] = {}
    for span in spans:
        label = span.label
        if span.kind == "table":
            cell = re.match(r"\|\s*\**#?(\d{1,2}|[A-Za-z])\**\s*\|", span.text)
            label = cell.group(1).lower() if cell else ""
        elif span.kind == "heading":
            headed = _HEADED.match(span.text)
            label = headed.group(1).lower() if headed else ""
        if label and label.isalnum():
            options[label] = span
    at = max(0, len(text) - 4000)
    for line in text[at:].splitlines(keepends=True):
        for label, piece in _inline(line, at):
            options.setdefault(label, piece)
        at += len(line)
    for match in re.finditer(r"#(\d{1,2}) \(([^()\n]{4,120})\)", text[-2000:]):
        start = max(0, len(text) - 2000) + match.start()
        options.setdefault(match.group(1), Span(start, start + len(match.group()), match.group()))
    return options


def _inline(line: str, at: int) -> list[tuple[str, Span]]:
    """Alternatives named by letters or numbers in running text, at least two of them in order."""
    marks = list(_INLINE.finditer(line[:2000]))
    labels = [mark.group(1).lower() for mark in marks]
    if len(marks) < 2 or labels != sorted(set(labels)):
        return []
    ends = [mark.start() for mark in marks[1:]] + [_sentence_end(line, marks[-1].end())]
    found = []
    for mark, label, end in zip(marks, labels, ends, strict=True):
        piece = re.sub(r"(?:[\s,;.]|\b(?:and|or|oder|und)$)+$", "", line[mark.start() : end].rstrip())
        start = at + mark.start()
        found.append((label, Span(start, start + len(piece), piece, "item", label)))
    return found


def _sentence_end(line: str, at: int) -> int:
    stop = re.compile(r"[.!?](?=\s)").search(line, at)
    return stop.start() if stop else len(line.rstrip())
