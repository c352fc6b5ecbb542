"""From acts to notes: what of a person's turn is written down, about what, and how surely. Pure.

One utterance makes one note, unless it plainly does two things. The object of a refusal is what its own words name;
only words that point ("no", "not that") take it from the scene, the stopped call first. Choosing X over Y is a decision
for X.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from steno.language.lexicon import lexicon
from steno.language.polarity import negated, opposes
from steno.language.sentence import Span
from steno.language.words import content_words, squeeze
from steno.scribe.cues import asks
from steno.scribe.hear import own_sentences
from steno.scribe.scene import Picked, Reference, Scene, answered, answers, is_asked, picked, points
from steno.scribe.weigh import Weighed, heard
from steno.vocabulary import Category, JournalTurn, Window
from steno.vocabulary.details import Act, Answered, Weight

# From this probability on an act is written down.
KEPT: Final[Mapping[Act, float]] = {
    "reject": 0.13, "instruct": 0.07, "choose": 0.13, "approve": 0.3, "correct": 0.3, "ask_do": 0.35, "report": 0.4,
    "inform": 0.3,
}  # fmt: skip
# These bind, so they are looked for first, as long as they have this share of what is most probable.
_BINDING: Final[tuple[Act, ...]] = ("reject", "instruct", "choose")
_SHARE: Final = 0.17
# What the answer to one of several questions may do.
_ANSWERING: Final[frozenset[Act]] = frozenset({"reject", "instruct", "choose", "approve", "correct"})
_CATEGORY: Final[Mapping[Act, Category]] = {
    "reject": "rejected", "instruct": "rule", "choose": "decision", "approve": "decision", "correct": "fact",
    "ask_do": "task", "report": "discovery", "inform": "context",
}  # fmt: skip
# From here on it still holds in a later session.
LASTS: Final = 0.35
# From here on a no that lasts is called an instruction.
_BOTH: Final = 0.12
# What says next to nothing is no task, no finding and no context.
_TELLING: Final = 2
# An order of so few words says nothing but what to do with what was proposed.
_BARE: Final = 4
# More from one turn is a document that was not recognised as one.
_MOST: Final = 12
# What a yes takes over: the points in so many letters at the end of a turn, so many of them; and so many sentences in
# which the agent says what it would do.
_PROPOSED, _LISTED, _RECOMMENDED = 1200, 8, 3
_OR: Final = re.compile(r",\s+(?:or|oder)\s.*[?？]")
# A question answered through a tool, by a letter, or by nothing but a yes or a no is settled. Whether what was advised
# is refused by taking something else, only its person knows.
_ANSWERED, _PICKED, _PLAIN, _AGAINST, _MATTERS = 0.95, 0.9, 0.8, 0.5, 0.5


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
    weighed = heard(turn.turn.text, said, before=place.before, stopped=place.stopped)
    if weighed is None:
        return [Note("context", tuple(said[:_MOST]), Weight(), answered(place, said[0].text))]
    found = [_heard(place, *one) for one in zip(said, weighed, strict=True)]
    notes = [note for run in _runs(found) for note in _notes(place, run)]
    return sorted(notes, key=lambda note: -note.weight.importance)[:_MOST] if len(notes) > _MOST else notes


def _answers(turn: JournalTurn, window: Window) -> list[Note]:
    """An answer given through a tool settles its question."""
    weight = Weight(act="choose", probability=_ANSWERED, importance=_MATTERS)
    found = answers(turn, window)[:_MOST]
    taken = [(asked, _not_taken(put, said), said) for (asked, put), said in found]
    chosen = [Note("decision", said, weight, asked, others) for asked, others, said in taken]
    return [*chosen, *(note for asked, others, said in taken for note in _passed_over(asked, others, said))]


def _not_taken(put: tuple[Span, ...], said: tuple[Span, ...]) -> tuple[Span, ...]:
    taken = squeeze(" ".join(span.text for span in said)).lower()
    return tuple(one for one in put if squeeze(one.text).lower() not in taken)


def _passed_over(asked: Reference, others: tuple[Span, ...], said: tuple[Span, ...]) -> Iterator[Note]:
    """Who takes another option than the one the agent recommends says no to that, for this piece of work."""
    advised = tuple(one for one in others if lexicon("recommends").search(one.text))
    if len(advised) == 1:
        weight = Weight("reject", _AGAINST, 0.0, _MATTERS)
        yield Note("rejected", said, weight, asked._replace(kind="option", spans=advised))


def _heard(place: Scene, span: Span, weighed: Weighed) -> _Heard:
    pick = picked(place, span.text)
    if (plainly := _plainly(place, span.text)) and not any(pick):
        act, weighed = plainly, weighed._replace(acts={**weighed.acts, plainly: max(weighed.acts[plainly], _PLAIN)})
    else:
        act = _act(place, span.text, weighed, pick)
    # "Implement the plan" is a yes to it.
    if act == "ask_do" and weighed.acts["approve"] >= KEPT["approve"] and len(content_words(span.text)) <= _BARE:
        act = "approve" if _proposed(place) else act
    return _Heard(span, act, weighed, pick)


def _act(place: Scene, text: str, weighed: Weighed, pick: Picked) -> Act:
    """What a sentence does above all. A no that lasts is an instruction."""
    if is_asked(pick.taken):
        act = _most_probable(place, text, weighed)
        return act if act in _ANSWERING else "choose"
    if pick.taken or pick.out:
        return "choose" if pick.taken else "reject"
    return _most_probable(place, text, weighed)


def _plainly(place: Scene, text: str) -> Act | None:
    """What nothing but a yes or a no does to what was asked."""
    if place.question is None:
        return None
    if lexicon("yes").covers(text):
        return "approve"
    if not lexicon("no").covers(text):
        return None
    if lexicon("turned_round").search(place.question.text):
        return "approve"
    return "inform" if lexicon("asks_fact").search(place.question.text) else "reject"


def _most_probable(place: Scene, text: str, weighed: Weighed) -> Act:
    if text.rstrip().endswith((":", "：")):
        # It only leads to what is said.
        weighed = weighed._replace(acts={**weighed.acts, **dict.fromkeys(_BINDING, 0.0)})
    kept = {act: weighed.acts[act] / KEPT[act] for act in KEPT if weighed.acts[act] >= KEPT[act]}
    if weighed.acts["instruct"] >= _BOTH and weighed.lasting >= LASTS:
        kept.pop("reject", None)
    if place.turn is None and place.call is None and (asks(text) or not (negated(text) and opposes(text))):
        # Nothing was said yet that could be refused.
        kept.pop("reject", None)
    if lexicon("pause").search(text) and not opposes(text):
        # Who stops the agent for a moment orders nothing by that, either.
        for halted in _BINDING if place.call is not None else _BINDING[:1]:
            kept.pop(halted, None)
    enough = _SHARE * max(weighed.acts.values())
    binding = [act for act in _BINDING if act in kept and kept[act] * KEPT[act] >= enough]
    act = max(binding or kept or ("other",), key=lambda act: kept.get(act, 0.0))
    if act == "reject" and place.call is None and lexicon("instead").opens(text) and not (negated(text) or asks(text)):
        # What is wanted in the place of something is no no, unless a call was stopped for it.
        return "choose"
    return "reject" if act in ("choose", "approve") and lexicon("no").covers(text) else act


def _runs(heard: Sequence[_Heard]) -> Iterator[list[_Heard]]:
    """Sentences that do the same, one after the other; a no, and what is wanted in its place. Every answer by a letter
    and whatever is to last is its own."""
    run: list[_Heard] = []
    for one in heard:
        if run and not _goes_with(run[-1], one):
            yield run
            run = []
        run.append(one)
    yield from filter(None, [run])


def _goes_with(before: _Heard, one: _Heard) -> bool:
    if any((*before.pick, *one.pick)) or any(lexicon("lasting").search(each.span.text) for each in (before, one)):
        return False
    if before.act == "reject" and one.act == "instruct":
        return lexicon("wanting").opens(one.span.text) is not None
    return before.act == one.act != "instruct"


def _notes(place: Scene, run: Sequence[_Heard]) -> Iterator[Note]:
    act, said = run[0].act, tuple(one.span for one in run)
    if act == "other":
        return
    words = " ".join(span.text for span in said)
    weight, little = _weight(run, act), len(content_words(words)) < _TELLING
    match act:
        case _ if is_asked(run[0].pick.taken):
            yield Note(_CATEGORY[act], said, weight, _reference(place, "question", run[0].pick.taken))
        case "choose" | "reject" if any(run[0].pick):
            yield from _by_label(place, run[0])
        case "approve":
            # A yes to nothing in particular settles nothing; an order to go on settles what stands there in points.
            if place.is_open or (run[0].weighed.acts["ask_do"] >= KEPT["ask_do"] and _proposed(place)):
                yield Note("decision", said, weight, _taken_over(place, answered(place, words)))
        case "reject" | "instruct" | "choose" | "correct" if little or points(words) or act == "reject":
            # Words that point at nothing say nothing.
            answers = answered(place, words)
            if answers.kind or content_words(words):
                yield Note(_CATEGORY[act], said, weight, answers)
        case "choose":
            yield Note("decision", said, weight, answered(place, words, asked=True))
        case _ if not little:
            # What says by itself what it is about needs nothing beside it.
            known = act == "inform" and weight.lasting >= LASTS
            yield Note("fact" if known else _CATEGORY[act], said, weight)


def _reference(place: Scene, kind: Answered, spans: tuple[Span, ...]) -> Reference:
    return Reference(kind, place.turn.id if place.turn is not None else 0, spans)


def _proposed(place: Scene) -> Sequence[Span]:
    """What an agent's last words propose: what it says it would do, or else the points of the list they end with."""
    stated = [one for one in place.spoken if not asks(one.text)]
    if recommended := [one for one in stated if lexicon("recommends").search(one.text)]:
        return recommended[-_RECOMMENDED:]
    start = place.spoken[-1].end - _PROPOSED if place.spoken else 0
    return [one for one in stated if one.kind == "item" and one.start >= start][-_LISTED:]


def _taken_over(place: Scene, answers: Reference) -> Reference:
    """What a yes answers, with the points it is a yes to: of "shall I do this, or that?" it takes the first."""
    if answers.kind == "call":
        return answers
    proposed = _proposed(place)
    # What the agent says it would do tells what a bare question is about.
    asked = answers.spans[-1:] if proposed and answers.kind == "question" else answers.spans
    spans = {span.start: span for span in (*map(_first_way, asked), *proposed)}
    return answers._replace(spans=tuple(spans[start] for start in sorted(spans)))


def _first_way(span: Span) -> Span:
    found = _OR.search(span.text)
    return span._replace(end=span.start + found.start(), text=span.text[: found.start()]) if found else span


def _by_label(place: Scene, heard: _Heard) -> Iterator[Note]:
    """An answer by letter or number: the options taken, and those taken out, which are passed over and not banned."""
    (taken, out), weighed = heard.pick, heard.weighed
    if taken:
        others = tuple(one for one in place.options.values() if one not in taken)
        sure = Weight("choose", max(weighed.acts["choose"], _PICKED), weighed.lasting, weighed.importance)
        yield Note("decision", (heard.span,), sure, _reference(place, "option", taken), others)
    if out:
        passed = Weight("reject", _probability(weighed, "reject"), 0.0, weighed.importance)
        yield Note("rejected", (heard.span,), passed, _reference(place, "option", out))


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
