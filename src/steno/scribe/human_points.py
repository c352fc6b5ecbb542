"""Answers that go point by point: "1. yes 2. no 3. later", "b. not a, because …", "c is a no-go. b feels hacky. a"."""

import re
from itertools import pairwise
from typing import Any, NamedTuple

from steno.scribe.human_choices import MILD, PICK_WORDS, YES_FIRST, approves
from steno.scribe.human_cues import SMALL_WORDS, first
from steno.scribe.human_doubt import SOFT_NO
from steno.scribe.human_hear import Heard, Said, normal
from steno.scribe.human_later import LATER, WAITS
from steno.scribe.human_no import HARD_NO
from steno.scribe.human_refer import Proposal, proposal, quote
from steno.scribe.human_write import Note, details
from steno.scribe.text import Span
from steno.terms import content_words, squeeze

# A label where a thought begins: at the start, after a stop, after "and" or "but".
_LABEL = re.compile(
    r"(?:^|(?<=[\s,;.:(]))(?:(?:option|number|nummer|plan|variant|point)[ \t]+|#)?(\d{1,2}|[a-h])(?:️?⃣|[.):=])?(?=$"
    r"|[\s,;!–-])",
    re.IGNORECASE,
)
_BEGINS = re.compile(r"(?:^|[,;.:(!?]|\band|\bbut|\bor)\s*$", re.IGNORECASE)
# The option somebody does not want, by its label.
_NOT_LABEL = re.compile(
    r"\b(?:not|no to|never|anything but|everything but|all but|except|forget|drop|skip|omit|without|minus|leave out"
    r"|nicht|ohne|außer)\s+(?:option |number |step |point |item |#|nummer )?(\d{1,2}|[a-h])"
    r"(?=$|\s*[,.;:!)–-]|\s+(?:because|since|as|cause|please|though|weil|at all|again)\b)",
    re.IGNORECASE,
)
_REASON = re.compile(r"^\s*(?:[,.;:)–—-]+\s*|(?:because|since|cause|weil|as)\b)", re.IGNORECASE)
_FLAT_NO = re.compile(
    r"^(?:(?:god|hell|heck|please|absolutely|definitely|oh)[ ,]+)*(?:no+|nope|nah|nein|nee|skip|not?)\b[\s,.;:!–-]*"
)
_STATES = re.compile(
    r"^(?:and \S+ )?(?:is|are|was|were|looks?|feels?|seems?|sounds?|has|have|would|will|can|does|ist|sind)\b"
)
_AFTER_PICK = re.compile(
    r"^(?:[,.;:!–—-]|(?:because|since|but|with|then|please|and|as|for|only|aber|weil|mit|bitte)\b)"
)
# "this not that" names what is wanted, too.
_INSTEAD = re.compile(r"^(?!not\b)(?:[\w./+-]+,? ){1,5}not [\w./+-]+")
_BUT = re.compile(r"[\s,;]+(?:but|aber|though|only)\s+(?=\w)", re.IGNORECASE)
_MOST = 12


class Point(NamedTuple):
    """What is said about one numbered thing."""

    option: Span
    said: Said
    # The words after the label.
    words: str
    # Its label stands as a list item: the line is about it.
    line: bool


def points(heard: Heard) -> tuple[list[Note], list[Said]]:
    """Decisions and rejections of a turn that answers by number or letter, and the sentences still to be read."""
    put = proposal(heard)
    if put is None or heard.document or heard.turn.turn.kind in ("answer", "denied"):
        return [], heard.said
    options = put.options if len(put.options) > 1 else _questions(put)
    if len(options) < 2:
        return [], heard.said
    notes: list[Note] = []
    rest: list[Said] = []
    for one in heard.said:
        these = _points(one, options) if len(notes) < _MOST else []
        if len(these) > 1 and all(_bare(point) for point in these):
            notes.append(_taken(these[0]._replace(said=one, words=""), put, options, [point.option for point in these]))
            continue
        found = [(point, _judge(point, put, options)) for point in these]
        notes += [note for _, judged in found for note in judged]
        if not any(judged for _, judged in found):
            rest.append(one)
            notes += _unwanted(one, put, options)
        rest += [said for point, judged in found if len(judged) == 1 for said in _left(point, judged[0])]
    return notes, rest


def _unwanted(one: Said, put: Proposal, options: dict[str, Span]) -> list[Note]:
    """Points taken out by their label: "go ahead, except 3"."""
    marks = [m for m in _NOT_LABEL.finditer(one.span.text[:400]) if m.group(1).lower() in options and not one.asks]
    return [
        _refused(Point(option, one, one.low, line=False), put, option, _REASON.sub("", one.span.text[mark.end() :]))
        for mark in marks
        for option in [options[mark.group(1).lower()]]
    ]


def _bare(point: Point) -> bool:
    """Whether only the label is said, with words that pick: "1 and 3"."""
    return not point.line and all(word in PICK_WORDS for word in re.split(r"[\s,.!&+]+", point.words) if word)


def _left(point: Point, note: Note) -> list[Said]:
    """What is said after an option is picked: "1, but without the badge"."""
    text = point.said.span.text
    turn = _BUT.search(text)
    if note.category != "decision" or turn is None or point.option.text.rstrip("*_ ").endswith("?"):
        return []
    start, piece = point.said.span.start + turn.end(), text[turn.end() :]
    low = normal(piece)
    return [Said(Span(start, start + len(piece), piece), low, SMALL_WORDS.sub("", low) or low)]


def _questions(put: Proposal) -> dict[str, Span]:
    """Questions nobody numbered are answered by number all the same."""
    asked = [span for span in put.spans if span.kind in ("prose", "item") and span.text.rstrip("*_ ").endswith("?")]
    return {str(number): span for number, span in enumerate(asked, start=1)}


def _points(one: Said, options: dict[str, Span]) -> list[Point]:
    text = one.span.text
    marks = [m for m in _LABEL.finditer(text[:400]) if m.group(1).lower() in options]
    several = len(marks) > 1 and marks[0].start() == 0 and _ascending([m.group(1) for m in marks])
    if one.span.label in options and not several:
        return [Point(options[one.span.label], one, one.low, line=True)]
    if not marks or not _small(text[: marks[0].start()]):
        return []
    kept = [marks[0]]
    counts = marks[0].group(1).isdigit() and _ascending([m.group(1) for m in marks])
    kept += [m for m in marks[1:] if counts or _BEGINS.search(text[: m.start()])]
    if (
        len(kept) == 1
        and kept[0].group(1).lower() == "a"
        and re.match(r"\s+\w", text[kept[0].end() :])
        and not _STATES.match(text[kept[0].end() :].strip().lower())
    ):
        return []
    ends = [m.start() for m in kept[1:]] + [len(text)]
    return [_part(one, m, end, options) for m, end in zip(kept, ends, strict=True)]


def _small(text: str) -> bool:
    return not SMALL_WORDS.sub("", normal(text) + " ").strip(" ,.:") or all(
        word in PICK_WORDS for word in normal(text).strip(" ,.:").split()
    )


def _ascending(labels: list[str]) -> bool:
    numbers = [int(label) for label in labels if label.isdigit()]
    return len(numbers) == len(labels) and all(one < other for one, other in pairwise(numbers))


def _part(one: Said, mark: re.Match[str], end: int, options: dict[str, Span]) -> Point:
    piece = one.span.text[mark.start() : end].rstrip(" ,;\n")
    piece = re.sub(r"[\s,;]+(?:and|but|or|und|aber)$", "", piece)
    start = one.span.start + mark.start()
    low = normal(one.span.text[mark.end() : mark.start() + len(piece)]).strip()
    said = Said(Span(start, start + len(piece), piece), low, SMALL_WORDS.sub("", low) or low)
    return Point(options[mark.group(1).lower()], said, low, line=False)


def _judge(point: Point, put: Proposal, options: dict[str, Span]) -> list[Note]:
    words = point.words.strip(" ,:)")
    unwanted = _NOT_LABEL.search(point.said.span.text)
    if unwanted and unwanted.group(1).lower() in options and options[unwanted.group(1).lower()] is not point.option:
        why = point.said.span.text[unwanted.end() :]
        refused = _refused(point, put, options[unwanted.group(1).lower()], _REASON.sub("", why))
        return [_taken(point, put, options), refused]
    return [] if point.said.asks and words else _verdict(point, put, options, words)


def _verdict(point: Point, put: Proposal, options: dict[str, Span], words: str) -> list[Note]:
    question = point.option.text.rstrip("*_ ").endswith("?")
    bare = SMALL_WORDS.sub("", words) or words
    no = _FLAT_NO.match(words) or _FLAT_NO.match(bare)
    lead = _BUT.split(f" {words}")[0].strip(" ,.")
    if not question and not point.line and (not lead or approves(lead)):
        return [_taken(point, put, options)]
    if WAITS.search(bare) and len(bare.split()) < _MOST and not no:
        what = {"what": squeeze(point.option.text)[:300], "owner": "agent", "state": "open", "due": words[:80]}
        put_off = Note(
            "task",
            [point.said],
            "The user puts off",
            "a point of the agent's list put off",
            0.7,
            what,
            point.option.text,
        )
        return [put_off]
    if no or LATER.search(bare) or _against(words):
        rest = words[no.end() :] if no else ""
        also = (
            [_taken(point, put, options)]
            if question and (_INSTEAD.match(words) or content_words(rest)) and not _because(rest)
            else []
        )
        return [_refused(point, put, point.option, _after_comma(point.said.span.text)), *also]
    if _picks(point, words, question=question):
        return [_taken(point, put, options)]
    return []


def _picks(point: Point, words: str, *, question: bool) -> bool:
    if not words or approves(words) or YES_FIRST.match(words) or MILD.match(words):
        return True
    if _STATES.match(words):
        return False
    if question or (point.line and len(words.split()) <= _MOST):
        return True
    after = point.said.span.text[len(point.said.span.text) - len(point.words) :] if point.words else ""
    return bool(_AFTER_PICK.match(point.words) or _AFTER_PICK.match(after)) or all(
        word in PICK_WORDS for word in re.split(r"[\s,.!]+", words) if word
    )


def _against(words: str) -> bool:
    return any(first(table, words) or first(table, f"it {words}") for table in (HARD_NO, SOFT_NO))


def _because(text: str) -> bool:
    return bool(re.match(r"^(?:because|since|cause|weil|we |it |that |they |i )", text))


def _after_comma(text: str) -> str:
    return text.partition(",")[2]


def _taken(point: Point, put: Proposal, options: dict[str, Span], several: list[Span] | None = None) -> Note:
    taken = several or [point.option]
    thing = " / ".join(span.text for span in taken)
    given = details(point.said.span.text)
    detail: dict[str, Any] = {
        "choice": squeeze(f"{thing} / {point.words}" if point.words else thing)[:500],
        "options": [squeeze(span.text)[:160] for span in options.values()][:8],
        "reasoning": given["why"],
    }
    cue = "an answer to one point of the agent's list"
    return Note(
        "decision", [point.said], "The user picks", cue, 0.85, detail, thing, [quote(put.turn, span) for span in taken]
    )


def _refused(point: Point, put: Proposal, option: Span, why: str) -> Note:
    given = details(point.said.span.text)
    detail = {**given, "what": squeeze(option.text)[:300], "by": "user", "why": given["why"] or squeeze(why)[:240]}
    cue = "a point of the agent's list turned down"
    return Note("rejected", [point.said], "The user rejects", cue, 0.85, detail, option.text, [quote(put.turn, option)])
