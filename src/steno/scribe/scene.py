"""What a person's words answer: the call they stopped, the question or proposal before them, the options with their
letters and numbers, and what "that", "b" or "2." stands for, in full. Pure."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from steno.language.lexicon import lexicon
from steno.language.polarity import negated
from steno.language.sentence import Span, lines_of, sentences
from steno.language.tool_call import read
from steno.language.words import content_words, squeeze, stems
from steno.scribe.cues import asks
from steno.vocabulary import JournalTurn, Window
from steno.vocabulary.details import Answered, Call

# So much of what the agent said is looked at, from its end; the question stands among the last sentences.
_TAIL, _LAST, _SHORT = 8000, 6, 8
# Telling words a reply must share with a sentence to be about it rather than about the last one.
_SHARED: Final = 2
_MOST_OPTIONS: Final = 20
# So few telling words with a "that" among them point at something that was said before.
_FEW: Final = 2
_NAMELESS: Final = frozenset("never always ever again anymore nie niemals immer wieder".split())
# Where one thought ends and another begins.
_BREAK: Final = re.compile(r"[,;.!?:–—]")
# How agents say what they are about to do, or would do.
_PROPOSING: Final = ("promise", "proposes", "offers")
_ASKED: Final = 20_000
_KIND: Final = r"(?:option|approach|plan|variant|step|ansatz|variante)\s+|(?:案|方案|選択肢|选项)\s*"
_LABELLED: Final = re.compile(rf"\|?\s*#*\s*\**(?:{_KIND})?#?(\d{{1,2}}|[a-h])\b\**\s*[|:：.)–—-]", re.I)
# A point of a list, or a paragraph, that begins with a label in bold letters: "- **A. In memory**".
_BOLD: Final = re.compile(rf"(?:[-*+•]\s+)?\*\*(?:{_KIND})?(\d{{1,2}}|[a-h])\b\**\s*[:：.)–—-]", re.I)
# Alternatives in running text: "a) … b) …", "(1) … or (2) …".
_INLINE: Final = re.compile(r"(?<![\w(])\(?([a-h]|[1-9])\)[ \t]+(?=\S)", re.I)
# What may stand between two labels.
_JOINED: Final = re.compile(r"[\s,&+]*(?:and|or|und|oder)?[\s,&+]*", re.I)
_JOINING: Final = re.compile(r"(?:[\s,;.]|\b(?:and|or|oder|und)$)+$")
# A label where a thought begins, and the same after a word that takes it out.
_LABEL: Final = re.compile(
    r"(?:^|(?<=[\s,;.:(&+]))(?:(?:option|number|nummer|plan|variant|point|step|item)\s+|#)?(\d{1,2}|[a-h])(?:\ufe0f?\u20e3|[.):=])?"
    r"(?=$|[\s,;!&+–-])",
    re.I,
)
# A script in which no space stands behind a label.
_UNSPACED: Final = re.compile(r"[\u3040-\u9fff]")
_ORDINALS: Final = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "former": 1, "latter": 2, "erste": 1, "zweite": 2, "dritte": 3,
}  # fmt: skip
_ORDINAL: Final = re.compile(
    rf"\b(?:the|das|die|den|der)\s+({'|'.join(_ORDINALS)})[nrs]?(?:\s+(?:one|option|approach|way|idea))?\b", re.I
)


class Scene(NamedTuple):
    """What stands before a person's words."""

    # The last thing the agent said, cut into sentences; its turn is None where it said nothing.
    turn: JournalTurn | None = None
    spoken: tuple[Span, ...] = ()
    # The question or offer it ended with.
    question: Span | None = None
    options: Mapping[str, Span] = {}
    # The call the person stopped or refused right before, or with, these words.
    call: JournalTurn | None = None

    @property
    def before(self) -> str:
        """The agent's last words."""
        return self.turn.turn.text[-_TAIL:] if self.turn is not None else ""

    @property
    def is_open(self) -> bool:
        """Whether the agent left something to be settled: it asked, or said what it would do."""
        last = self.spoken[-2:]
        return bool(self.question) or any(lexicon(name).search(one.text) for one in last for name in _PROPOSING)

    @property
    def stopped(self) -> str:
        """The stopped call in one line."""
        found = call_of(self.call)
        return f"{found.tool} {found.given}".strip() if found else ""


class Reference(NamedTuple):
    """What some words answer: verbatim pieces of a turn."""

    kind: Answered = ""
    turn: int = 0
    spans: tuple[Span, ...] = ()

    @property
    def text(self) -> str:
        return " / ".join(squeeze(span.text) for span in self.spans)


class Picked(NamedTuple):
    """Options named by their letters or numbers: taken, and taken out."""

    taken: tuple[Span, ...] = ()
    out: tuple[Span, ...] = ()


def scene(turn: JournalTurn, window: Window) -> Scene:
    """The scene of a person's turn."""
    call = _stopped(turn, window)
    said = _reply(window)
    if said is None:
        return Scene(call=call)
    spoken, question, options = _read(said.turn.text)
    return Scene(said, spoken, question, options, call)


def points(words: str) -> bool:
    """Whether words name nothing by themselves: "no", "never do that", "not this file"."""
    told = [word for word in content_words(words) if word not in _NAMELESS]
    return not told or (len(told) <= _FEW and lexicon("pointer").search(words) is not None)


def answered(place: Scene, words: str, *, asked: bool = False) -> Reference:
    """What words answer: the stopped call first. `asked`: they settle a question, or nothing that was said."""
    if place.call is not None:
        return Reference("call", place.call.id, (Span(0, 0, place.stopped),))
    if place.turn is None:
        return Reference()
    near = None if asked else _closest(words, place.spoken)
    if near is not None and near != place.question:
        return Reference("words", place.turn.id, (near,))
    if place.question is not None:
        return Reference("question", place.turn.id, _with_lead(place.spoken, place.question))
    return Reference() if asked else Reference("proposal", place.turn.id, place.spoken[-2:])


def picked(place: Scene, text: str) -> Picked:
    """The options a short answer names: "b", "1 and 3, skip 2", "the second one"."""
    ordinal = _ORDINAL.search(text := text[:400])
    options = place.options or (_counted(place) if ordinal else {})
    if ordinal and len(options) >= (place_of := _ORDINALS[ordinal[1].lower()]):
        text = text[: ordinal.start()] + list(options)[place_of - 1] + text[ordinal.end() :]
    marks = [mark for mark in _LABEL.finditer(text) if mark[1].lower() in options and not _is_article(text, mark)]
    if not marks or asks(text) or not _is_pick(place, text, marks):
        return Picked()
    out = {mark[1].lower() for mark in marks if _is_out(text[: mark.start()])}
    taken = dict.fromkeys(mark[1].lower() for mark in marks if mark[1].lower() not in out)
    return Picked(tuple(options[label] for label in taken), tuple(options[label] for label in sorted(out)))


def is_asked(options: tuple[Span, ...]) -> bool:
    """Whether what was put under labels were questions: then a label only says which is answered."""
    return bool(options) and all(asks(one.text) for one in options)


# A question asked through a tool, and what it offered.
Put = tuple[Reference, tuple[Span, ...]]


def questions(turn: JournalTurn, window: Window) -> list[Put]:
    """Questions the agent asked through a tool that this turn answers line by line, each with what it offered."""
    calls = [one for one in window.done if one.turn.kind == "call" and '"question' in one.turn.text[:_ASKED]]
    same = [one for one in calls if turn.turn.call is not None and one.turn.call == turn.turn.call]
    if not calls:
        return []
    call = (same or calls)[-1]
    return [
        (Reference("question", call.id, (Span(0, 0, one.text),)), tuple(Span(0, 0, label) for label in one.options))
        for one in read(call.turn.tool, call.turn.text).questions
    ]


def answers(turn: JournalTurn, window: Window) -> list[tuple[Put, tuple[Span, ...]]]:
    """What was answered through a tool, with its question: it stands below that, also where the call is out of sight.
    Where no question is quoted, each line answers one, if there are as many."""
    asked = questions(turn, window)
    lines = [one for one in lines_of(turn.turn.text[:_ASKED]) if one.text.strip()]
    quoted = {f"> {squeeze(put[0].text)}": put for put in asked}
    found: list[tuple[Put, list[Span]]] = []
    is_unseen = bool(lines) and squeeze(lines[0].text) not in quoted
    for line in lines:
        if squeeze(line.text) in quoted or (is_unseen and line.text.startswith("> ")):
            unseen = Reference("question", turn.id, (Span(0, 0, line.text[2:]),))
            found.append((quoted.get(squeeze(line.text), (unseen, ())), []))
        elif found:
            found[-1][1].append(line)
    if not found:
        paired = asked if len(asked) == len(lines) else [(Reference(), ())] * len(lines)
        found = [(put, [line]) for put, line in zip(paired, lines, strict=True) if not line.text.startswith("> ")]
    return [(put, tuple(said)) for put, said in found if said]


def call_of(turn: JournalTurn | None) -> Call | None:
    """A tool call in one line: the tool, and the command, path or first words it was given."""
    if turn is None:
        return None
    tool, text = turn.turn.tool or "tool", turn.turn.text
    return Call(tool, squeeze(read(tool, text).line if text.lstrip().startswith("{") else text[:200])[:200])


def _stopped(turn: JournalTurn, window: Window) -> JournalTurn | None:
    """The call a person refused with these words, or stopped right before them."""
    calls = [one for one in window.done if one.turn.kind == "call"]
    if turn.turn.kind == "denied":
        same = [one for one in calls if turn.turn.call is not None and one.turn.call == turn.turn.call]
        return next(reversed(same or calls), None)
    last = next((one for one in reversed(window.said) if one.turn.kind != "boundary"), None)
    refused = next((one for one in reversed(window.done) if one.turn.kind == "denied"), None)
    stopped = last is not None and last.turn.kind in ("interrupted", "denied")
    if not stopped and (refused is None or (last is not None and refused.id < last.id)):
        return None
    since = max((one.id for one in window.said if one.turn.by_human and one is not last), default=0)
    return next((one for one in reversed(calls) if one.id > since), None)


def _reply(window: Window) -> JournalTurn | None:
    spoken = (one for one in reversed(window.said) if one.turn.role == "assistant" and one.turn.text.strip())
    return next(spoken, None)


@lru_cache(maxsize=8)
def _read(text: str) -> tuple[tuple[Span, ...], Span | None, Mapping[str, Span]]:
    cut = max(0, len(text) - _TAIL)
    spans = [one._replace(start=one.start + cut, end=one.end + cut) for one in sentences(text[cut:])]
    spoken = tuple(one for one in spans if one.kind in ("prose", "item") and (len(one.text) > _SHORT or asks(one.text)))
    question = next((one for one in reversed(spoken[-_LAST:]) if asks(one.text) or _is_offer(one.text)), None)
    return spoken, question, _options(text, spans)


def _is_offer(text: str) -> bool:
    """Whether a sentence says what would be done: "if you want, I can apply these changes", not "let me know"."""
    return lexicon("offers").search(text) is not None and len(content_words(text)) >= _FEW


def _options(text: str, spans: list[Span]) -> Mapping[str, Span]:
    """Things put to the person under letters or numbers, by label; the last list wins."""
    options: dict[str, Span] = {}
    for span, after in zip(spans, [*spans[1:], None], strict=True):
        label = span.label
        labelled = _LABELLED if span.kind in ("table", "heading") else _BOLD
        if not label.isalnum() and (found := labelled.match(span.text)):
            label = found[1].lower()
        if label.isalnum() and span.kind != "code":
            # What follows a dash is part of it.
            joined = after is not None and not after.label and span.text.endswith(("–", "—"))
            end = after.end if after and joined else span.end
            options[label] = span._replace(end=end, text=text[span.start : end])
    at = max(0, len(text) - _TAIL // 2)
    for line in text[at:].splitlines(keepends=True):
        for label, piece in _inline(line, at):
            options.setdefault(label, piece)
        at += len(line)
    return dict(list(options.items())[-_MOST_OPTIONS:])


def _inline(line: str, at: int) -> Iterator[tuple[str, Span]]:
    """Alternatives named by letters or numbers in running text, at least two of them in order."""
    marks = list(_INLINE.finditer(line[:2000]))
    labels = [mark[1].lower() for mark in marks]
    if len(marks) < 2 or labels != sorted(set(labels)):
        return
    ends = [mark.start() for mark in marks[1:]] + [len(line.rstrip())]
    for mark, label, end in zip(marks, labels, ends, strict=True):
        piece = _JOINING.sub("", line[mark.start() : end])
        start = at + mark.start()
        yield label, Span(start, start + len(piece), piece, "item", label)


def _counted(place: Scene) -> dict[str, Span]:
    """Points of a list that nobody numbered, counted: "the second one"."""
    items = [one for one in place.spoken if one.kind == "item" and not one.label.isalnum()]
    return {str(number): one for number, one in enumerate(items[:9], start=1)} if place.question is not None else {}


def _is_out(before: str) -> bool:
    """Whether a label is taken out by what stands before it: "not 2", "I don't like 2"."""
    return lexicon("leaves_out").search(before.rstrip()) is not None or negated(_BREAK.split(before)[-1])


def _is_pick(place: Scene, text: str, marks: list[re.Match[str]]) -> bool:
    """Whether a label is what is said, and not an article or a number in a sentence."""
    rest = _LABEL.sub(" ", text)
    first = marks[0]
    labelled = first[0].rstrip()[-1:] in ".):=\u20e3" or len(first[0].strip()) > len(first[1])
    behind = text[_end(text, marks) :].lstrip()
    spoken_of = first.start() == 0 and first[1] != "a" and _is_of_label(behind)
    if not labelled and ((content_words(rest) and not place.is_open) or (_counts(text, first) and not spoken_of)):
        return False
    article = len(marks) == 1 and first[1].lower() == "a" and not labelled
    few = len(content_words(rest)) <= (0 if article else 2)
    closed = labelled or spoken_of or behind[:1] in ",;.:–—-!"
    return few or (first.start() == 0 and closed)


def _is_of_label(behind: str) -> bool:
    """Whether what stands right behind a label is said of the option: "1 does seem better", not "1 minute"."""
    return lexicon("of_label").opens(behind) is not None or _UNSPACED.match(behind) is not None


def _end(text: str, marks: list[re.Match[str]]) -> int:
    """Where the labels end that stand together at the beginning: "1 and 3"."""
    end = marks[0].end()
    for mark in marks[1:]:
        if not _JOINED.fullmatch(text[end : mark.start()]):
            break
        end = mark.end()
    return end


def _is_article(text: str, mark: re.Match[str]) -> bool:
    """Whether a letter is the word before a thing: "b, with a cleanup"."""
    behind = text[mark.end() :].split(maxsplit=1)
    return mark[0] == "a" and mark.start() > 0 and bool(behind) and bool(content_words(behind[0]))


def _counts(text: str, mark: re.Match[str]) -> bool:
    """Whether a number says how many: "2 minutes"."""
    behind = text[mark.end() :].split(maxsplit=1)
    return mark[1].isdigit() and bool(behind) and bool(content_words(behind[0])) and text[mark.end()] == " "


def _closest(words: str, spoken: tuple[Span, ...]) -> Span | None:
    """The sentence that shares the most telling words with a reply, if it shares enough."""
    own = stems(words[:1000])
    if len(own) < _SHARED:
        return None
    count, _, best = max(((len(own & stems(one.text)), one.start, one) for one in spoken[-40:]), default=(0, 0, None))
    return best if count >= _SHARED else None


def _with_lead(spoken: tuple[Span, ...], question: Span) -> tuple[Span, ...]:
    """A question, with the sentence before it where it says nothing by itself: "Shall I proceed?"."""
    lead = next((one for one in reversed(spoken[: spoken.index(question)]) if one.kind != "item"), None)
    bare = len(content_words(question.text)) < 3
    return (lead, question) if bare and lead else (question,)
