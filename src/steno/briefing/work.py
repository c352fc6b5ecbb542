"""Where the work stands, as lines that are worth something: what tier 0 chooses from.

It shows rather than tells: where the session stood, what was asked for, and what the human said along the way, whole,
with what it answered. Only what is sure is called an instruction or a refusal.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import Final

from msgspec import Struct, structs

from steno.briefing.budget import Line
from steno.briefing.exchange import WHOLE, of_entry, of_utterance, telling, understood
from steno.briefing.hand import HAND, at_hand, each_word
from steno.briefing.lately import LATELY, gone_on, lately, turns_before
from steno.briefing.noted import Note, noted
from steno.briefing.render import quoted
from steno.briefing.report import ALONE, closed, gist, kept, reported, telling_words
from steno.briefing.said import exchanges
from steno.briefing.shown import (
    DECIDED,
    REFUSED,
    RULED,
    SAID,
    SURE,
    TELLING,
    Passages,
    Shown,
    each_once,
    in_turn,
    lasts,
    with_outcomes,
)
from steno.briefing.state import FIRST, Cut, state
from steno.briefing.state import TITLE as STATE
from steno.briefing.tried import FAILED, FOUND, complaints, failed, found_since
from steno.language.words import normal
from steno.vocabulary import Checkpoint, Entry, JournalTurn
from steno.vocabulary.details import Act
from steno.vocabulary.utterances import Utterance

ASKED: Final = "asked for"
TITLES: Final = (STATE, LATELY, FOUND, ASKED, RULED, REFUSED, DECIDED, SAID, FAILED, HAND)
# Where words cost many tokens, what was said would have no room else.
SHARES: Final = {STATE: 0.34, LATELY: 0.34, FOUND: 0.1, ASKED: 0.2, DECIDED: 0.3, FAILED: 0.2, HAND: 0.09}
# An assignment is told whole up to so many characters.
_SHORT: Final = 200
# So many of the human's words back is still lately.
_BACK: Final = 3
# Characters of it.
_ASSIGNED: Final = 320
# What was asked for between the first and the last may be over: it is worth what most is that was said.
_THEN: Final = 1.0
# What mattered less when it was asked for is no assignment.
_MATTERS: Final = 0.6
# Words a question needs to be an assignment, and a report to say what came of one.
_FEW: Final = 3


class Work(Struct, frozen=True, kw_only=True):
    """Everything known of a piece of work."""

    checkpoint: Checkpoint
    cut: Cut = Cut()
    # What the human said that still holds, oldest first.
    shown: Sequence[Shown] = ()
    # What binds or failed and was not said in this session, or not by the human.
    entries: Sequence[Entry] = ()
    # The last things said, oldest first.
    said: Sequence[JournalTurn] = ()
    session: str | None = None
    # How much was said, by whom, from when to when.
    head: str = ""
    # The host's own summary, where the agent has it.
    summary: str = ""
    # What a model noted, where one reads along.
    note: Note | None = None


def lines(work: Work) -> list[Line]:
    """Everything that could be told, in the order it is read."""
    own = _own(work)
    if work.note is None or not work.note.lines:
        return own
    last = work.cut.human.id if work.cut.human else 0
    return noted(work.note, own, is_fresh=work.checkpoint.turn <= work.note.turn, last=last)


def _own(work: Work) -> list[Line]:
    said, begun = with_outcomes(in_turn(work.shown), work.checkpoint.trail.results), _begun(work)
    first, summary = begun.utterance.turn if begun else 0, Passages(work.summary)
    # What nobody reported on is told unless the host's summary tells it.
    lacked = [one for one in said if one.is_reported or not summary.hold(one.utterance.said)]
    turns = turns_before([one for one in lacked if one.utterance.turn != first], work.cut)
    late = {one.utterance.turn for group in turns for one in group}
    latest = _latest(work, said, late)
    late |= {one.turn for one in work.cut.uttered}
    then = _then(work, said, late | {latest.utterance.turn} if latest else late)
    # Assignments that are nothing more, however often they were sent, and the last words.
    sent = {normal(one.utterance.said) for one in (begun, then, latest) if one and _is_told(one, begun)}
    above = late | {one.utterance.turn for one in said if normal(one.utterance.said) in sent}
    replies = ["", *(group[0].reply for group in turns)]
    # What they answer, as far as nothing was said to it before.
    answered = {(one.utterance.turn, one.utterance.place): one.utterance.answered for one in said}
    spoken = [
        structs.replace(one, answered=answered.get((one.turn, one.place), one.answered)) for one in work.cut.uttered
    ]
    last = structs.replace(work.cut, uttered=[gone_on(one, replies[-1]) for one in spoken])
    stood, recent = list(state(work.checkpoint, last)), list(lately(turns))
    there = Passages("\n".join([work.cut.agent, *(line.texts[0] for line in stood), *replies]))
    asked = list(_asked(work, begun, [("then", _THEN, then), ("last before that", FIRST - 11, latest)], there))
    # As it is shown at the least: a long report is not shown whole.
    shown = "\n".join(line.texts[-1] for line in (*stood, *recent, *asked))
    complained, others, explained = complaints(each_once(said), above)
    return [
        *stood,
        *recent,
        *found_since(work.entries, work.cut, there),
        *asked,
        *exchanges(others, above=above, above_text=shown, summary=work.summary),
        *_elsewhere(work),
        *failed(complained, work.entries, Passages(f"{shown}\n{explained}")),
        *at_hand(work.checkpoint, work.cut.human.id if work.cut.human else 0, each_word(stood)),
    ]


def _is_told(one: Shown, begun: Shown | None) -> bool:
    """Whether an assignment needs no other place: it does not bind, or it is the first and told whole."""
    binds = one.rules or one.refuses
    return not binds or (one is begun and not one.refuses and len(one.utterance.said) <= _SHORT)


def _begun(work: Work) -> Shown | None:
    """The assignment at the start as it was said."""
    wanted = _key(_wanted(work))
    return next((one for one in work.shown if wanted and _key(one.utterance.said) == wanted), None)


def _asked(
    work: Work, same: Shown | None, since: Sequence[tuple[str, float, Shown | None]], there: Passages
) -> Iterator[Line]:
    """The assignment, and what was asked for `since`, as far as it was not said of late; with what was reported of it,
    unless that stands `there` already."""
    if text := _wanted(work):
        first = same is None or same is work.shown[0]
        lead = "at the start" if first else "this piece of work began with"
        lead = f"{lead}, to hold from then on" if same and same.rules else lead
        texts = tuple(f"{lead}: {_words(same, text, most)}" for most in (400, 240, 120))
        yield Line(section=ASKED, items=("goal", *(same.items if same else ())), worth=FIRST - 10, texts=texts)
    for lead, worth, one in since:
        if one:
            said = understood(one.utterance)
            text = f"{lead}: {of_utterance(said, most=_ASSIGNED)}"
            came = _came(one, _ASSIGNED // 3, there)
            texts = (f"{text}{came or one.outcome}", f"{text}{one.outcome}")
            yield Line(section=ASKED, items=one.items, worth=worth, texts=texts)


def _then(work: Work, said: Sequence[Shown], late: Collection[int]) -> Shown | None:
    """The weightiest that was asked for since the assignment, and nothing more; not what was said of `late`, nor what
    the host's summary tells."""
    early = [one for one in said[1:] if one.utterance.turn not in late and one.section == SAID]
    asked = [one for one in early if _asks(one.utterance) and not lasts(one.utterance)]
    there = Passages(work.summary)
    matters = {
        one.utterance.turn: max(found.importance for found in one.utterance.sentences)
        for one in asked
        if telling_words(one.utterance.said) >= ALONE and not there.hold(one.utterance.said)
    }
    weightiest = max(matters, key=lambda turn: matters[turn], default=0)
    return next((one for one in asked if one.utterance.turn == weightiest and matters[weightiest] >= _MATTERS), None)


def _came(one: Shown | None, most: int, there: Passages) -> str:
    """What the agent reported of it before the human spoke again."""
    told = gist(closed(reported(one.reply)), most) if one else ""
    return f" → “{told}”{one.but}" if one and telling_words(told) >= _FEW and not there.hold_all(told) else ""


def _words(one: Shown | None, text: str, most: int) -> str:
    """An assignment from its beginning; one that says little by itself, with what it answered."""
    answered = one is not None and telling_words(text) < TELLING
    if one is None:
        return quoted(kept(text, most))
    return of_utterance(one.utterance) if answered else quoted(telling(one.utterance.sentences, most))


def _wanted(work: Work) -> str:
    """The assignment, as far as it is not the last words."""
    spoken = _key(" ".join(one.said for one in work.cut.uttered), 1000)
    first = (work.checkpoint.goal or "").split("\n")[0]
    return "" if spoken and _key(first) in spoken else first


def _key(text: str, most: int = 100) -> str:
    """By which a text is found again though its end was cut off."""
    return normal(text.removesuffix("…"))[:most]


def _latest(work: Work, shown: Sequence[Shown], late: Collection[int]) -> Shown | None:
    """What was asked for last, where neither the last words nor what was said of `late` tells what it is about. What
    binds or settles is told as that."""
    if not work.cut.uttered or any(telling_words(one.said) >= TELLING for one in work.cut.uttered):
        return None
    last, said = work.cut.uttered[0].turn, {normal(one.said) for one in work.cut.uttered}
    before = [one for one in shown[-2 * _BACK :] if one.utterance.turn < last and _asks(one.utterance)]
    asked = [one for one in before if normal(one.utterance.said) not in said]
    latest = asked[-1] if asked else None
    if latest is None or latest.section != SAID:
        return None
    return None if latest.utterance.turn in late or latest.utterance.said[:100] in _wanted(work) else latest


def _asks(one: Utterance, *acts: Act) -> bool:
    asks = max(found.acts.get(act, 0.0) for found in one.sentences for act in acts or ("ask_do", "ask_know"))
    return asks >= SURE and telling_words(one.said) >= _FEW


def _elsewhere(work: Work) -> Iterator[Line]:
    """What binds and was said elsewhere."""
    for category, section in (("rule", RULED), ("rejected", REFUSED)):
        for entry in work.entries:
            if entry.category == category:
                text = of_entry(entry, WHOLE // 2)
                yield Line(section=section, items=(f"entry:{entry.id}",), worth=1 + SURE, texts=(text,))
