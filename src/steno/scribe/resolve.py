"""From acts to notes: what of a person's turn is written down, about what, and how surely. Pure.

One utterance makes one note, unless it plainly does two things. The object of a refusal is what its own words name;
only words that point ("no", "not that") take it from the scene, the stopped call first. Choosing X over Y is a decision
for X.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from steno.language.lexicon import lexicon
from steno.language.sentence import Span, lines_of
from steno.language.words import content_words, squeeze
from steno.scribe.hear import own_sentences
from steno.scribe.scene import Picked, Reference, Scene, answered, picked, questions
from steno.scribe.weigh import Unheard, Weighed, weigh
from steno.vocabulary import Category, JournalTurn, Window
from steno.vocabulary.details import Act, Weight

# From this probability on an act is written down.
KEPT: Final[Mapping[Act, float]] = {
    "reject": 0.13, "instruct": 0.12, "choose": 0.13, "approve": 0.3, "correct": 0.3, "ask_do": 0.35, "report": 0.4,
    "inform": 0.3,
}  # fmt: skip
# These bind, so they are looked for first; then whatever is most probable.
_BINDING: Final[tuple[Act, ...]] = ("reject", "instruct", "choose")
_CATEGORY: Final[Mapping[Act, Category]] = {
    "reject": "rejected", "instruct": "rule", "choose": "decision", "approve": "decision", "correct": "fact",
    "ask_do": "task", "report": "discovery", "inform": "context",
}  # fmt: skip
# From here on it still holds in a later session.
LASTS: Final = 0.35
# How much more likely words of that kind make an instruction: of 17 sentences between .4 and .9 that the encoder was
# taught on, 14 were one.
_CUED: Final = 2.7
# What says next to nothing is no task, no finding and no context.
_TELLING: Final = 2
# More from one turn is a document that was not recognised as one.
_MOST: Final = 12
# A question answered through a tool is settled.
_ANSWER, _ANSWERED, _PICKED = 4000, 0.95, 0.9


class Note(NamedTuple):
    """What is to be written down about some sentences of a turn."""

    category: Category
    said: tuple[Span, ...]
    weight: Weight
    answers: Reference = Reference()
    # Options that were put beside the one taken.
    others: tuple[Span, ...] = ()


class _Heard(NamedTuple):
    span: Span
    act: Act
    weighed: Weighed
    pick: Picked


def resolve(turn: JournalTurn, window: Window, place: Scene) -> list[Note]:
    """The notes a person's turn gives rise to."""
    if turn.turn.kind == "answer":
        return _answers(turn, window)
    said = own_sentences(turn.turn.text)
    if not said:
        return []
    try:
        weighed = weigh(
            turn.turn.text, [(one.start, one.end) for one in said], before=place.before, stopped=place.stopped
        )
    except Unheard:
        return [Note("context", tuple(said[:_MOST]), Weight(), answered(place, said[0].text, points=True))]
    heard = [_heard(place, one, found) for one, found in zip(said, weighed, strict=True)]
    notes = [note for run in _runs(heard) for note in _notes(place, run)]
    return sorted(notes, key=lambda note: -note.weight.importance)[:_MOST] if len(notes) > _MOST else notes


def _answers(turn: JournalTurn, window: Window) -> list[Note]:
    """An answer given through a tool: what stands below a quoted question settles it. Where none is quoted, each line
    answers one, if there are as many."""
    asked = questions(turn, window)
    lines = [one for one in lines_of(turn.turn.text[:_ANSWER]) if one.text.strip()]
    quoted = {f"> {squeeze(put[0].text)}": put for put in asked}
    found: list[tuple[tuple[Reference, tuple[Span, ...]], list[Span]]] = []
    for line in lines:
        if put := quoted.get(squeeze(line.text)):
            found.append((put, []))
        elif found:
            found[-1][1].append(line)
    if not found:
        paired = asked if len(asked) == len(lines) else [(Reference(), ())] * len(lines)
        found = [(put, [line]) for put, line in zip(paired, lines, strict=True) if not line.text.startswith("> ")]
    weight = Weight("choose", _ANSWERED, _ANSWERED, LASTS)
    return [Note("decision", tuple(said), weight, *put) for put, said in found[:_MOST] if said]


def _heard(place: Scene, span: Span, weighed: Weighed) -> _Heard:
    pick, weighed = picked(place, span.text), _with_cue(weighed, span.text)
    return _Heard(span, _act(weighed, pick), weighed, pick)


def _with_cue(weighed: Weighed, text: str) -> Weighed:
    """With what "never" and "from now on" add to an instruction, unless they stand in a question."""
    if text.rstrip().endswith(("?", "？")) or not lexicon("lasting").search(text):
        return weighed
    instruct = _raised(weighed.acts["instruct"])
    return weighed._replace(acts={**weighed.acts, "instruct": instruct}, lasting=_raised(weighed.lasting))


def _raised(probability: float) -> float:
    odds = probability / max(1e-6, 1 - probability) * _CUED
    return odds / (1 + odds)


def _act(weighed: Weighed, pick: Picked) -> Act:
    """What a sentence does above all. A no that lasts is an instruction."""
    if pick.taken or pick.out:
        return "choose" if pick.taken else "reject"
    kept = {act: weighed.acts[act] / least for act, least in KEPT.items() if weighed.acts[act] >= least}
    if "instruct" in kept and weighed.lasting >= LASTS:
        kept.pop("reject", None)
    binding = [act for act in _BINDING if act in kept]
    return max(binding or kept or ("other",), key=lambda act: kept.get(act, 0.0))


def _runs(heard: Sequence[_Heard]) -> Iterator[list[_Heard]]:
    """Sentences that do the same, one after the other. Every choice by a letter and every instruction is its own."""

    def together(one: tuple[int, _Heard]) -> tuple[Act, int]:
        at, found = one
        return found.act, at if found.act == "instruct" or any(found.pick) else -1

    for (act, _), run in groupby(enumerate(heard), key=together):
        if act != "other":
            yield [one for _, one in run]


def _notes(place: Scene, run: Sequence[_Heard]) -> Iterator[Note]:
    act, said = run[0].act, tuple(one.span for one in run)
    words = " ".join(span.text for span in said)
    weight, points = _weight(run, act), len(content_words(words)) < _TELLING
    match act:
        case "choose" | "reject" if any(run[0].pick):
            yield from _by_label(place, run[0])
        case "approve":
            # A yes to nothing in particular settles nothing.
            if place.is_open:
                yield Note("decision", said, weight, answered(place, words, points=False))
        case "reject" | "instruct" | "choose" | "correct" if points or act == "reject":
            # Words that point at nothing say nothing.
            answers = answered(place, words, points=points)
            if answers.kind or content_words(words):
                yield Note(_CATEGORY[act], said, weight, answers)
        case "choose":
            yield Note("decision", said, weight, answered(place, words, points=False, asked=True))
        case _ if not points:
            # What says by itself what it is about needs nothing beside it.
            yield Note(_category(act, weight), said, weight)


def _category(act: Act, weight: Weight) -> Category:
    return "fact" if act == "inform" and weight.lasting >= LASTS else _CATEGORY[act]


def _by_label(place: Scene, heard: _Heard) -> Iterator[Note]:
    """An answer by letter or number: the options taken, and those taken out, which are passed over and not banned."""
    turn = place.turn.id if place.turn is not None else 0
    (taken, out), weighed = heard.pick, heard.weighed
    if taken:
        others = tuple(one for one in place.options.values() if one not in taken)
        sure = Weight("choose", max(weighed.acts["choose"], _PICKED), weighed.lasting, weighed.importance)
        yield Note("decision", (heard.span,), sure, Reference("option", turn, taken), others)
    if out:
        passed = Weight("reject", _probability(weighed, "reject"), 0.0, weighed.importance)
        yield Note("rejected", (heard.span,), passed, Reference("option", turn, out))


def _probability(weighed: Weighed, act: Act) -> float:
    """That it is so. "Never do that" is a no and an instruction: whichever it is called, it binds."""
    found = weighed.acts.get(act, 0.0)
    if act not in ("reject", "instruct"):
        return found
    return 1 - (1 - weighed.acts["reject"]) * (1 - weighed.acts["instruct"])


def _weight(run: Sequence[_Heard], act: Act) -> Weight:
    return Weight(
        act,
        round(max(_probability(one.weighed, act) for one in run), 3),
        round(max(one.weighed.lasting for one in run), 3),
        round(max(one.weighed.importance for one in run), 3),
    )
