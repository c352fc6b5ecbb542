"""What ends tasks and promises: an agent's report, a person's word. Pure.

A turn is read for what it may end, and whoever keeps entries holds that against what is open. Only what is plain ends
anything: a task that is left open costs less than one that is lost.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from steno.language.clauses import clauses
from steno.language.deeds import deeds, dropped, is_dropped, says_done, speak_of, tell_of_all
from steno.language.lexicon import lexicon
from steno.language.polarity import polarity
from steno.language.sentence import sentences
from steno.language.words import content_words, squeeze
from steno.scribe.work.goal import is_assent, request
from steno.scribe.work.message import Message, stated
from steno.vocabulary import Candidate, JournalTurn, Window
from steno.vocabulary.entries import EntryStatus, Pending

# What a person says who is not content with what was reported.
_DOUBTS: Final = frozenset({"reject", "report", "correct"})
# Letters of an answer that is one.
_ANSWER: Final = 300


class Ends(NamedTuple):
    """What a turn may end."""

    # The request that was answered last before it, and what the agent said of it in the end, if that is good.
    request: JournalTurn | None = None
    over: tuple[str, ...] = ()
    # It was answered at length, and the person goes on.
    answered: bool = False
    # Clauses that tell of something done; the first of them, where the turn opens with it; to-dos that were ticked off.
    done: tuple[str, ...] = ()
    opening: str = ""
    ticked: tuple[str, ...] = ()
    # Clauses by which a person puts something aside; what an agent said and they said no to.
    dropped: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    # Reports a person is not content with.
    doubted: tuple["Ends", ...] = ()


def ends(turn: JournalTurn, window: Window, found: Sequence[Candidate]) -> Ends:
    """What a turn may end, given what was found in it."""
    if turn.turn.role == "assistant" and turn.turn.kind == "said":
        return _reported(turn, _requested(window))
    return _spoken(turn, window, found) if turn.turn.by_human else Ends()


def becomes(one: Pending, by: Ends) -> EntryStatus | None:
    """What becomes of a task or a promise by a turn after it; None: it stays as it is."""
    if one.status == "done":
        again = one._replace(status="active")
        return "active" if any(becomes(again, report) == "done" for report in by.doubted) else None
    asked = deeds(one.words)
    if any(is_dropped(said, asked) for said in by.dropped) or any(_is_in(one.words, said) for said in by.refused):
        return "archived"
    if tell_of_all(by.done, asked) or one.words in by.ticked:
        return "done"
    if not one.by_person or by.request is None or not one.is_asked_in(by.request):
        return None
    told = by.answered and _asks_for_words(one.words)
    return "done" if told or says_done(by.opening, asked) or speak_of(by.over, asked) else None


def _reported(turn: JournalTurn, asked: JournalTurn | None) -> Ends:
    """What an agent's words say is done."""
    text = turn.turn.text
    told = stated(text)
    opens = bool(told) and text.lstrip("*#-• \n").startswith(told[0])
    return Ends(asked, done=tuple(told), opening=told[0] if opens else "")


def _spoken(turn: JournalTurn, window: Window, found: Sequence[Candidate]) -> Ends:
    """What a person's words end, and what they leave open by going on."""
    words, asked, told = request(turn.turn), _requested(window), _since(window)
    refusals = [one for one in found if one.category == "rejected" and one.certainty == "confirmed"]
    put_aside = Ends(
        asked,
        dropped=(*_aside(dropped(words)), *(part for one in refusals for part in _aside(_refusing(one)))),
        refused=tuple(one.detail.exchange.answered for one in refusals if _points_back(one)),
    )
    if any(one.detail.weight.act in _DOUBTS for one in found):
        return put_aside._replace(doubted=tuple(_reported(one, asked) for one in told))
    last = Message(told[-1].turn.text) if told else None
    is_good = last is not None and (_confirms(words, last) or _is_over(last))
    answered = any(len(one.turn.text) >= _ANSWER for one in told)
    return put_aside._replace(over=tuple(stated(told[-1].turn.text)) if is_good else (), answered=answered)


def _asks_for_words(words: str) -> bool:
    """Whether a request is seen to by an answer."""
    parts = [part for part in clauses(words) if content_words(part) and not is_assent(part)]
    return bool(parts) and all(lexicon("telling").search(part) for part in parts)


def _requested(window: Window) -> JournalTurn | None:
    """The last turn in which a person asked for something, or told it: assent and praise are passed over."""
    for said in reversed(window.said):
        words = request(said.turn) if said.turn.by_human else ""
        if words and not is_assent(words) and not lexicon("satisfied").covers(words):
            return said
    return None


def _since(window: Window) -> list[JournalTurn]:
    """What the agent said since a person spoke."""
    last = max((one.id for one in window.said if one.turn.by_human), default=0)
    return [one for one in window.said if one.id > last and one.turn.role == "assistant" and one.turn.kind == "said"]


def _confirms(words: str, last: Message) -> bool:
    """Whether a person says that it is good, and nothing was put to them that they would say yes to."""
    first = next((one.text for one in sentences(words)), "")
    return not last.asked and lexicon("satisfied").covers(first)


def _is_over(last: Message) -> bool:
    """Whether an agent's last words tell of work that is done, and of none that is left."""
    return last.finished and not (last.to_do or last.asked or last.held_up or last.intent)


def _aside(parts: Sequence[str]) -> list[str]:
    """What is put aside for good, not for a while."""
    later = ("pause", "until", "passing")
    return [part for part in parts if not any(lexicon(name).search(part) for name in later)]


def _refusing(one: Candidate) -> list[str]:
    said = clauses(one.evidence[0].quote)
    return [part for at, part in enumerate(said) if polarity(part, first=not at) in ("refuses", "undoes")]


def _points_back(one: Candidate) -> bool:
    """Whether a no takes what it refuses from what the agent said."""
    exchange = one.detail.exchange
    return bool(exchange.answered) and one.detail.stance.refused == exchange.answered


def _is_in(words: str, said: str) -> bool:
    return squeeze(words) in said or said in squeeze(words)
