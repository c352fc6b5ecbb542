"""The last turns before the human's last words: what they said, and what the agent reported at the end."""

from collections.abc import Iterator, Sequence
from itertools import groupby, islice
from typing import Final

from msgspec import structs

from steno.briefing.budget import Line
from steno.briefing.exchange import WHOLE, in_a_row, picks, settles
from steno.briefing.report import ALONE, closed, gist, reported, telling_words
from steno.briefing.shown import FEW, SURE, TELLING, Passages, Shown, lasts
from steno.briefing.state import Cut
from steno.language.words import normal
from steno.vocabulary.utterances import Utterance

LATELY: Final = "the turns before, newest first: what the human said → what the agent reported"
# Turns told at most. The first is worth less than where it stood and more than any single thing that was said, the
# others at least as much as one of these.
_TURNS: Final = 3
_FIRST, _OTHERS = 45.0, 0.9
# Characters of a report, of the last one and of those before, the longest first.
_LAST, _LATER = (340, 220), (200, 120)


def turns_before(shown: Sequence[Shown], cut: Cut) -> list[list[Shown]]:
    """The last turns before the human's last words, each with all they said in it; what nobody reported on, once. What
    binds, or settles several things, stands elsewhere."""
    last = cut.uttered[0].turn if cut.uttered else cut.human.id if cut.human else 0
    before = [one for one in shown if one.utterance.turn < last]
    words = [normal(one.utterance.said) for one in before]
    once = [one for at, one in enumerate(before) if reported(one.reply) or words[at] not in words[at + 1 :]]
    turns = [list(group) for _, group in groupby(once, key=lambda one: one.reply or one)]
    ended = ([one for one in group if not _is_elsewhere(one)] for group in reversed(turns) if _matters(group))
    return list(islice(filter(None, ended), _TURNS))[::-1]


def _matters(group: Sequence[Shown]) -> bool:
    """Whether more came of a turn than a short answer to what was only asked."""
    asked = all(found.acts.get("ask_know", 0.0) >= SURE for one in group for found in one.utterance.sentences)
    return not asked or sum(map(telling_words, reported(group[0].reply))) >= ALONE


def _is_elsewhere(one: Shown) -> bool:
    said = one.utterance
    settled = one.binds or said.kind == "answer" or len(picks(said)) > 1 or (said.kind == "queued" and lasts(said))
    little = not reported(one.reply) and telling_words(said.said) < FEW
    return settled or said.said.endswith(":") or little


def lately(turns: Sequence[Sequence[Shown]]) -> Iterator[Line]:
    """What the human said in these turns and what was reported at their end, newest first; a report that a newer one
    repeats only once. Those before the last one are told without their reports where room is short."""
    newer = ""
    for place, said in enumerate(reversed(turns)):
        older = turns[-place - 2][0].reply if place + 1 < len(turns) else ""
        whole = reported(said[0].reply)
        report, words = (
            closed(whole) if place else whole,
            in_a_row([gone_on(one.utterance, older) for one in said], WHOLE),
        )
        reports = [gist(report, most) for most in (_LATER if place else _LAST)]
        texts = [] if Passages(newer).hold_all(reports[0]) else [f"{words} → “{one}”{said[-1].but}" for one in reports]
        if (place or not texts) and telling_words(words) >= (TELLING if report else FEW):
            texts.append(f"{words}{said[0].outcome}")
        newer += f"{said[0].reply}\n"
        if texts:
            worth = max(_OTHERS, *(one.utterance.worth for one in said)) if place else _FIRST
            items = tuple(dict.fromkeys(item for one in said for item in one.items))
            yield Line(section=LATELY, items=items, worth=worth, texts=tuple(texts), spare=place > 1)


def gone_on(one: Utterance, older: str) -> Utterance:
    """Words that only go on, without what they answer: that is told below them."""
    answers = one.answers in ("question", "option") or settles(one)
    return one if answers or normal(one.answered) not in normal(older) else structs.replace(one, answered="")
