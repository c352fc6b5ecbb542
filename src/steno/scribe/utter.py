"""What a person said in a turn, whole, with what it answered: a row of the index that briefings and recall rank."""

from collections.abc import Iterator
from typing import Final

from steno.language.words import squeeze
from steno.scribe.hear import OWN, own_sentences, segments
from steno.scribe.note import answers, picked, scene
from steno.vocabulary import JournalTurn, Window
from steno.vocabulary.utterances import Sentence, Utterance

# A document that was not recognised as one has more sentences.
_MOST: Final = 40
# So much of the agent's closing words is kept beside a person's.
_ANSWERED: Final = 400
# Something of this length that is not the person's own was handed over.
_PASTED: Final = 120
_OPTIONS: Final = 4
# Who answers a question in a dialog settles it.
_SETTLED: Final = 0.95


def utterances(turn: JournalTurn, window: Window) -> Iterator[Utterance]:
    """A turn in a person's own words; each answer given in a dialog by itself. Nothing is weighed yet."""
    said = turn.turn
    if said.kind == "answer":
        for place, (question, options, words) in enumerate(answers(turn, window)):
            others = [one for one in options if squeeze(one) not in squeeze(words)]
            settled = Sentence(text=squeeze(words), acts={"choose": _SETTLED}, importance=0.5)
            yield Utterance(
                turn=turn.id, place=place, kind="answer", at=said.at, sentences=[settled],
                answers="question", answered=squeeze(question),
                # Who says something else took none of them.
                passed_over=others[:_OPTIONS] if len(others) < len(options) else [],
            )  # fmt: skip
        return
    own = own_sentences(said.text)[:_MOST]
    texts = [squeeze(one.text) for one in own] or ([said.text] if said.is_slash else [])
    if not texts:
        return
    around = scene(turn, window)
    taken = picked(said.text, around)
    option = " / ".join(squeeze(words) for words in taken)
    asked = around.question()
    yield Utterance(
        turn=turn.id,
        kind=said.kind,
        at=said.at,
        sentences=[Sentence(text=text, option=option if not place else "") for place, text in enumerate(texts)],
        pasted=any(one.kind not in OWN and one.end - one.start > _PASTED for one in segments(said.text)),
        answers="option" if taken else around.kind,
        answered=option or squeeze(asked or around.closing(_ANSWERED)),
        call=around.stopped(),
    )
