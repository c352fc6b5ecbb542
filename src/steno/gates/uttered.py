"""What a person said and the scribe noted no refusal of, as the gate compares it: it can remind, and nothing more.

A third of what people refuse is not heard as a refusal; that it was said is known all the same. Only words that are
plainly their own are told, as what they are: words that were said.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from steno.gates.against import Against, against
from steno.vocabulary import PEOPLE, Entry, Evidence
from steno.vocabulary.details import Exchange, Known, Weight
from steno.vocabulary.utterances import Sentence, Utterance

Candidate = tuple[Entry, Against]
# How probable it must be that words say no, set right or settle something: a request is none of that.
_LEAST: Final = 0.1
# Below this, words that begin with a yes set nothing right.
_SETS_RIGHT: Final = 0.2
# Of more sentences only these are compared and told.
_WHOLE: Final = 6


def candidates(
    entries: Iterable[Entry], calls: Mapping[str, Mapping[str, Any]], said: Iterable[Entry],
    before: Iterable[Candidate] = (),
) -> Iterator[Candidate]:  # fmt: skip
    """What stands against something: entries, with the inputs of refused calls, and words where no entry does.

    `before`: what came out the last time; what is still the same is not read again.
    """
    known = {entry.id: (entry, one) for entry, one in before}

    def read(entry: Entry, given: Mapping[str, Any] | None = None, *, uttered: bool = False) -> Against | None:
        was, one = known.get(entry.id, (None, None))
        is_same = one is not None and was == entry and (not one.tool or one.given == given)
        return one if is_same else against(entry, given, uttered=uttered)

    heard: set[int] = set()
    for entry in entries:
        if (one := read(entry, calls.get(entry.id))) is not None:
            heard.update(found.turn for found in entry.evidence[:1] if entry.origin in PEOPLE)
            yield entry, one
    for entry in said:
        settles = entry.detail.weight.probability >= _LEAST and entry.evidence[0].turn not in heard
        if settles and (one := read(entry, uttered=True)) is not None:
            yield entry, one


def as_entry(one: Utterance, session: str, project: str | None, agent: str | None) -> Entry:
    """Words as an entry nobody keeps; of many the ones that may settle something."""
    sentences = one.sentences
    if len(sentences) > _WHOLE:
        sentences = [found for found in sentences if _settles(found) >= _LEAST]
    said = " … ".join(found.text for found in sentences) if len(sentences) < len(one.sentences) else one.said
    options = [found.option for found in sentences if found.option]
    # What is approved is not what the words go against.
    answered = "" if _approves(one) else " ".join([*options, one.answered])
    exchange = Exchange(said=said, kind=one.answers, answered=answered, call=one.call, afterwards=one.afterwards)
    weight = Weight(
        probability=max(map(_settles, sentences), default=0.0),
        lasting=max((found.lasting for found in sentences), default=0.0),
        importance=max((found.importance for found in sentences), default=0.0),
    )
    return Entry(
        id=f"turn:{one.turn}", category="context", status="active", certainty="hypothesis", confidence=0.0,
        summary=said, detail=Known(exchange=exchange, weight=weight), origin="user", tags=[], domain="GENERAL",
        subject=[], session=session, project=project, agent=agent, created_at=one.at, superseded_by=None, repeated=0,
        cue="uttered", evidence=[Evidence(session=session, turn=one.turn, line=None, role="user", quote=said)],
    )  # fmt: skip


def _settles(found: Sentence) -> float:
    return max(found.corrects, found.acts.get("choose", 0.0))


def _approves(one: Utterance) -> bool:
    first = one.sentences[0].acts if one.sentences else {}
    says_yes = bool(first) and max(first, key=first.__getitem__) == "approve"
    return says_yes and all(found.corrects < _SETS_RIGHT for found in one.sentences)
