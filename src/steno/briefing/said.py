"""What the human said, as lines: what surely binds, what they agreed to or chose, and the rest, each once."""

from collections.abc import Collection, Iterator, Sequence
from typing import Final

from msgspec import structs

from steno.briefing.budget import Line
from steno.briefing.exchange import AROUND, WHOLE, of_utterance, picks, worth_of
from steno.briefing.render import quoted
from steno.briefing.report import ALONE, closed, gist, reported, telling_words
from steno.briefing.shown import (
    DECIDED,
    FEW,
    REFUSED,
    RULED,
    SAID,
    SURE,
    TELLING,
    Passages,
    Shown,
    answers,
    asks,
    lasts,
    stands,
)
from steno.language.words import normal
from steno.vocabulary.utterances import Utterance

# Newer words come a little before older ones. Below the least it helps no one.
_LATE, _LEAST = 0.2, 0.45
# What an agreement or an answer is worth at least, more the later it was given: an early one may be over. Of one in few
# words, or given through a tool, no more is known.
_AGREED: Final = 0.5
# What became of it may be that it is over: worth less then.
_OVER: Final = ("ran later", "redone", "reverted")
_DONE: Final = 0.6
# How much the length of a line counts against it.
_THRIFT: Final = 0.3
# So many are weighed against everything else.
_MOST: Final = 20
# Characters of a line, the longest first: of the words, and of what stands around them.
_LENGTHS: Final = ((2 * WHOLE, AROUND), (WHOLE, AROUND), (WHOLE, AROUND // 3))


def exchanges(shown: Sequence[Shown], *, above: Collection[int], above_text: str, summary: str) -> Iterator[Line]:
    """What the human said, by section, without the turns told above, and what the host's summary tells. What holds for
    good within a longer message is told by itself, unless the text above has it."""
    there = Passages(summary)
    lacked = [one for one in shown if one.rules or one.refuses or not there.hold(one.utterance.said)]
    rest, ruled = _parted(lacked, normal(above_text))
    told = [one for one in rest if one.utterance.turn not in above and (one.rules or one.refuses or _says(one))]
    told = [_closed(one, then) for one, then in zip(told, [*told[1:], None], strict=False)]
    lines = [_line(one, worth) for one, worth in _weighed(told)]
    for section in (RULED, REFUSED, DECIDED, SAID):
        yield from (line for line in lines if line.section == section and line.texts)
        if section == RULED:
            yield from ruled


def _parted(told: Sequence[Shown], above: str) -> tuple[list[Shown], list[Line]]:
    """Long messages without the standing instructions within them, and these by themselves."""
    rest, ruled = [], []
    for one in told:
        said = one.utterance
        is_long = not one.rules and len(said.said) > WHOLE
        standing = [found for found in said.sentences if is_long and stands(found)]
        others = [found for found in said.sentences if found not in standing]
        if not standing or not others:
            rest.append(one)
            continue
        rest.append(structs.replace(one, utterance=structs.replace(said, sentences=others)))
        for found in standing:
            if normal(found.text) not in above:
                worth = (found.worth() + SURE) / (max(len(found.text), 40) / 100) ** _THRIFT
                ruled.append(Line(section=RULED, items=one.items, worth=worth, texts=(quoted(found.text, WHOLE),)))
    return rest, ruled


def _weighed(told: Sequence[Shown]) -> list[tuple[Shown, float]]:
    """Each with its worth, in their order; of many those that are worth most."""
    first, last = (told[0].utterance.turn, told[-1].utterance.turn) if told else (0, 0)
    found = []
    for one in told:
        late = (one.utterance.turn - first) / max(1, last - first)
        worth = _worth(one.utterance) + _LATE * late + SURE * one.rules + SURE * one.refuses
        if one.section == DECIDED or answers(one.utterance):
            unweighed = one.utterance.kind == "answer" or telling_words(one.utterance.said) < FEW
            worth = max(0.0 if unweighed else worth, _AGREED + SURE * late) + SURE * (len(picks(one.utterance)) > 1)
        if one.utterance.afterwards in _OVER or one.against == "undo":
            worth *= _DONE
        found.append((one, worth / ((_much(one) + AROUND / 2) / 100) ** _THRIFT))
    least = sorted((worth for _, worth in found), reverse=True)[:_MOST][-1:]
    return [(one, worth) for one, worth in found if worth >= least[0]]


def _worth(one: Utterance) -> float:
    return max((worth_of(found, stops=one.call is not None) for found in one.sentences), default=0.0)


def _much(one: Shown) -> int:
    """About how long a line it makes."""
    said = one.utterance
    around = "".join(found.option for found in picks(said)) or one.agreed or (said.call.given if said.call else "")
    return min(len(said.said), WHOLE // 2) + min(len(around), AROUND)


def _line(one: Shown, worth: float) -> Line:
    said, section = one.utterance, one.section
    if len(one.agreed) > len(said.answered):
        said = structs.replace(said, answered=one.agreed)
    # What was asked for once is told with what came of it, with room to spare; what was only asked, with its answer;
    # a bare "stop", with how it was taken.
    over = bool(one.reply) and not lasts(one.utterance) and not answers(one.utterance)
    bare = said.call is None and telling_words(said.said) < 2
    spare = section == SAID and (over or bare or not _helps(one.utterance))
    texts = []
    for most, around in _LENGTHS:
        then = gist(closed(reported(one.reply)), max(around, AROUND // 2) * 4 // 3)
        told = telling_words(then) > 1
        if told or one.done or not spare:
            times = 1 if section == DECIDED else one.times
            text = of_utterance(said, times, most=most, around=around, reply=then if told else "")
            texts.append(f"{text}{one.but if told else one.outcome}")
    if section == DECIDED and telling_words(texts[0]) < FEW:
        # A yes to what says nothing says nothing.
        texts = []
    return Line(section=section, items=one.items, worth=worth, texts=tuple(dict.fromkeys(texts)), spare=spare)


def _closed(one: Shown, then: Shown | None) -> Shown:
    """With what the agent said to it, where that is needed: how it took a correction that says little by itself; what
    it answered a question; what came of a request that was made once. Not what the human's next words agree to."""
    said, reply = one.utterance.sentences, ""
    if one.section == SAID and _settles(one.utterance) >= SURE and telling_words(one.utterance.said) < ALONE:
        # It was taken so at once: what they said later is about what came then.
        return structs.replace(one, reply=one.answer, against="", is_reported=False)
    if one.utterance.call is None and not (then and then.agreed):
        wants = max(found.acts.get("ask_do", 0.0) + found.acts.get("ask_know", 0.0) for found in said) >= SURE
        once = wants and one.section == SAID and not lasts(one.utterance)
        reply = one.reply if once or any(map(asks, said)) else ""
    ends = not one.binds
    over = one.is_reported and ends and one.section == SAID and _orders(one.utterance)
    return structs.replace(one, reply=reply, done=one.done if ends else "", is_reported=over)


def _orders(one: Utterance) -> bool:
    """Whether it asks for something to be done, or takes up an offer to do it."""
    takes_up = one.answers == "question" and any(found.acts.get("approve", 0.0) >= SURE for found in one.sentences)
    return takes_up or max(found.acts.get("ask_do", 0.0) for found in one.sentences) >= SURE


def _says(shown: Shown) -> bool:
    """Whether it says something, not only that the agent may go on or what was pasted below."""
    one = shown.utterance
    few = telling_words(one.said)
    goes_on = few < FEW and one.answers in ("", "words", "proposal") and _settles(one) < SURE and not _orders(one)
    return shown.section == DECIDED or not (goes_on or (one.said.endswith(":") and few < TELLING))


def _helps(one: Utterance) -> bool:
    """Whether whoever goes on would miss it. What is only asked is answered by now."""
    only_asks = _settles(one) < SURE / 2 and all(map(asks, one.sentences))
    return answers(one) or (_worth(one) >= _LEAST and not only_asks)


def _settles(one: Utterance) -> float:
    """How surely it stops, corrects or chooses."""
    return 1.0 if one.call else max(max(found.corrects, found.acts.get("choose", 0.0)) for found in one.sentences)
