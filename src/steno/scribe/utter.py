"""What a person said in a turn, whole, with what it answered: kept whatever it is, for briefings to show. Pure."""

from collections.abc import Iterator, Sequence
from typing import Final

from steno.language.sentence import Span
from steno.language.words import squeeze
from steno.scribe.hear import own_sentences
from steno.scribe.scene import Scene, answered, answers, call_of, picked
from steno.scribe.segments import HEARD, segments
from steno.scribe.weigh import Weighed, heard
from steno.vocabulary import JournalTurn, Window
from steno.vocabulary.utterances import Sentence, Utterance

# A document that was not recognised as one has more sentences, or longer ones.
_MOST, _LONGEST, _FIELD = 40, 600, 400
# Less is not worth keeping of what a sentence does.
_PROBABLE: Final = 0.1
# Something of this length that is not the person's own was handed over.
_PASTED: Final = 120
_ANSWERED: Final = 0.95
# Options of a question that are kept.
_OPTIONS: Final = 4


def utterances(turn: JournalTurn, window: Window, place: Scene) -> list[Utterance]:
    """A turn in a person's own words; each answer given through a tool by itself."""
    if turn.turn.kind == "answer":
        return list(_answers(turn, window))
    said = own_sentences(turn.turn.text)[:_MOST]
    if not said and turn.turn.is_slash:
        # The bare name of a command looks like a path.
        said = [Span(0, len(turn.turn.text), turn.turn.text)]
    if not said:
        return []
    words = " ".join(one.text for one in said)
    found = answered(place._replace(call=None), words)
    pieces = segments(turn.turn.text)
    found_acts = heard(turn.turn.text, said, before=place.before, stopped=place.stopped)
    weighed: Sequence[Weighed | None] = found_acts or [None] * len(said)
    return [
        Utterance(
            turn=turn.id,
            kind=turn.turn.kind,
            at=turn.turn.at,
            sentences=[_sentence(place, *one) for one in zip(said, weighed, strict=True)],
            pasted=any(one.kind not in HEARD and one.end - one.start > _PASTED for one in pieces),
            answers="call" if place.call is not None else found.kind,
            answered=found.text[:_FIELD],
            call=call_of(place.call),
        )
    ]


def _sentence(place: Scene, span: Span, weighed: Weighed | None) -> Sentence:
    option = " / ".join(squeeze(one.text) for one in _named(place, span))[:_FIELD]
    text = squeeze(span.text)[:_LONGEST]
    if weighed is None:
        return Sentence(text=text, option=option)
    acts = {act: round(found, 2) for act, found in weighed.acts.items() if found >= _PROBABLE}
    return Sentence(
        text=text, acts=acts, lasting=round(weighed.lasting, 2), importance=round(weighed.importance, 2), option=option
    )


def _named(place: Scene, span: Span) -> tuple[Span, ...]:
    """What a sentence names by a letter or a number. A point of a list answers the point of that number where something
    was asked; else the list is the person's own."""
    if span.label.isalnum() and span.label in place.options and place.is_open:
        return (place.options[span.label],)
    pick = picked(place, span.text)
    return (*pick.taken, *pick.out)


def _answers(turn: JournalTurn, window: Window) -> Iterator[Utterance]:
    """Answers given through a tool, each with the question it settles."""
    for place, ((asked, offered), said) in enumerate(answers(turn, window)[:_MOST]):
        text = squeeze(" ".join(line.text for line in said))[:_LONGEST]
        others = [label for one in offered if (label := squeeze(one.text)) and label not in text]
        yield Utterance(
            turn=turn.id, place=place, kind="answer", at=turn.turn.at,
            sentences=[Sentence(text=text, acts={"choose": _ANSWERED}, importance=0.5)],
            answers=asked.kind, answered=asked.text[:_FIELD],
            # Who says something else took none of them.
            passed_over=others[:_OPTIONS] if len(others) < len(offered) else [],
        )  # fmt: skip
