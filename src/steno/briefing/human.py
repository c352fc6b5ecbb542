"""What the human said: how it began, the last words, and every other word along the way.

Their words stand whole, or in whole sentences of them. What they answered is told where the session shows it: a stopped
call, a dialog, the line of an option, the question right before. An outcome is one that calls gave.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from msgspec import Struct, structs

from steno.briefing.agent import report
from steno.briefing.budget import Line
from steno.briefing.entries import is_edited, told
from steno.briefing.render import quoted, safe
from steno.briefing.sentences import Unit, picked, size
from steno.briefing.state import When, at, command, outcome
from steno.language.lexicon import lexicon
from steno.language.watch import Watch
from steno.vocabulary import Checkpoint, Entry, TrailResult
from steno.vocabulary.utterances import Utterance

ALONG: Final = "the human along the way (in brackets: to what; →: then seen)"
BEGAN: Final = "how it began"
# Letters of their words that are told whole, of the last ones and of all; of a shorter form; and at the most.
_LAST, WHOLE, SHORT, _LONGEST, _READ = 900, 450, 220, 4_000, 16_000
# Letters of what they answered.
_ANSWERED: Final = 240
# Letters of what the agent said to it, and for how many turns back.
_REPLY, _LATELY = 160, 5
# Of so many turns before the last words one may be the step at hand.
_NEAR: Final = 8
# Shorter pieces of a long message say nothing by themselves; a message of so many sentences is a written brief.
_FRAGMENT, _MANY, _LITTLE = 25, 6, 0.05
# Longer words are understood without what they answer, unless they point at it right away; a shorter
# question says nothing.
_ALONE, _POINTING, _SAYS = 60, 25, 12
# What was said so often is how they work. By so many letters what is sent again is known.
_OFTEN, _SAME = 4, 24
# So many turns are looked at in full. The first is worth as much as the state, the last as what is at hand.
_MOST, _FLOOR, _SPAN = 60, 4.4, 5.0
_CORRECTS: Final = Watch("corrects")


class Said(Struct, frozen=True, kw_only=True):
    """What a person said in one turn, and what is known of it."""

    # Several where it answers several questions of a dialog.
    utterances: Sequence[Utterance]
    # How often the same was said.
    times: int = 1
    # What rests on it and is in force.
    entries: Sequence[Entry] = ()
    # The turn in which a person spoke next, and the agent's closing words before that.
    until: int = 0
    closing: str = ""

    @property
    def turn(self) -> int:
        return self.utterances[0].turn

    @property
    def kind(self) -> str:
        return self.utterances[0].kind

    @property
    def words(self) -> str:
        """The words on one line, as far as they are looked at."""
        return " ".join(one.said for one in self.utterances)[:_READ].replace("’", "'")

    @property
    def asks(self) -> bool:
        """Whether it is a question."""
        return self.words.rstrip().endswith(("?", "？"))

    @property
    def is_pasted(self) -> bool:
        """Whether something pasted stood beside it."""
        return any(one.pasted for one in self.utterances)

    def holds(self, text: str) -> bool:
        """Whether a text that was kept of it begins within it."""
        return _key(text) in _key(self.words, _LONGEST)

    @property
    def goes_on(self) -> bool:
        """Whether all of it is a yes, or says that the agent may go on."""
        is_short = size(self.words) <= _ALONE
        return is_short and any(lexicon(name).covers(self.words) for name in ("yes", "go_on"))

    def texts(self, lead: str, after: str, lengths: Sequence[int]) -> tuple[str, ...]:
        """A line in several lengths, as far as whole sentences fit into them; as a person edited it, if they did."""
        if edited := next((entry for entry in self.entries if is_edited(entry)), None):
            return (f"{lead}{told(edited, edited.created_at or '')}",)
        found = dict.fromkeys(filter(None, (self._told(most) for most in lengths))) or [self._told(_LONGEST)]
        often = f" (said {self.times} times)" if self.times > 1 else ""
        whole, *shorter = (f"{lead}{text}{often}" for text in found)
        # The words come before what came of them.
        return tuple(dict.fromkeys([f"{whole}{after}", whole, *shorter]))

    def _told(self, most: int) -> str:
        words = [(answered(one, self.entries), _words_of(one, most)) for one in self.utterances]
        return "; ".join(f"{to}{told}" for to, told in words) if all(told for _, told in words) else ""


def still_said(every: Sequence[Said]) -> list[Said]:
    """What people said, without what they took back right after, or sent again before anybody answered."""
    kept: list[Said] = []
    for one in every:
        before = kept[-1] if kept else None
        if before is not None and "answer" not in (one.kind, before.kind):
            if one.utterances[0].answered == before.utterances[0].answered and not before.closing:
                # The agent had not spoken since: it was answered already.
                first = structs.replace(one.utterances[0], answers="", answered="")
                one = structs.replace(one, utterances=[first])
            again = one.words.lower().startswith(before.words[:_SAME].lower()) and not before.closing
            if lexicon("takes_back").opens(one.words) or again:
                kept.pop()
        kept.append(one)
    return kept


def last_words(one: Said, when: When) -> Line:
    """What the human said last."""
    texts = one.texts(at(when, one.turn, "the human's last words: "), "", (_LAST, WHOLE, SHORT))
    return Line(section="", items=("last", *_items(one)), worth=10.0, texts=texts, share=0.25, why="last words")


def begun(said: Sequence[Said], point: Checkpoint, last: int, when: When) -> Iterator[Line]:
    """What the session or the work began with, and the last step that was taken up before the last words."""
    before = [one for one in said if one.turn < last]
    goal = (point.goal or "").split("\n")[0]
    steps = (one for step in reversed(point.steps) for one in before[-_NEAR:] if one.holds(step) and not one.is_pasted)
    told = {"before the last words": next(steps, None)}
    if goal and not any(one.holds(goal) for one in said):
        text = f"the work began with: {quoted(picked(goal, WHOLE, _human_worth))}"
        yield Line(section=BEGAN, items=("goal",), worth=9.1, texts=(text,), why="what the work began with")
    elif before:
        told = {"the session's first words": before[0], **told}
    for lead, one in told.items():
        if one is not None and (one is not before[0] or lead != "before the last words"):
            worth = 8.4 if one is not before[0] else 9.1 if size(one.words) > _SAME else 3.5
            came = came_of(one, point.trail.results)
            texts = one.texts(at(when, one.turn, f"{lead}: "), came, (WHOLE, SHORT))
            yield Line(section=BEGAN, items=_items(one, goal), worth=worth, texts=texts, why=lead)


def along(said: Sequence[Said], point: Checkpoint, above: Collection[str], shown: str, when: When) -> Iterator[Line]:
    """Everything else the human said in this session, in the order it was said; `shown`: what is told already."""
    goal = (point.goal or "").split("\n")[0]
    found: dict[int, float] = {}
    once: set[str] = set()
    for place, one in reversed(list(enumerate(said))):
        to = answered(one.utterances[0], one.entries)
        # The same short answer to another question is another answer.
        key = _key(f"{one.words} {to if size(one.words) <= _SAME else ''}", _LONGEST)
        says = not one.goes_on or one.times >= _OFTEN or to
        if _items(one)[0] not in above and key and key not in once and says:
            found[place] = _worth(one, place / len(said))
        once.add(key)
    best = sorted(found, key=lambda place: -found[place])[:_MOST]
    for place in sorted(best):
        one = said[place]
        came = came_of(one, point.trail.results)
        # Of what was said in one go the last has the agent's answer.
        is_last = place + 1 < len(said) and said[place + 1].closing != one.closing
        if is_last and len(said) - place <= _LATELY and not came:
            came = _reply(one, shown)
        texts = one.texts(at(when, one.turn, ""), came, (_LAST, WHOLE, SHORT))
        worth = _FLOOR + _SPAN * max(found[place], 0.0) / max(found[best[0]], 1.0)
        why = "in force" if one.entries else "said in this work"
        yield Line(section=ALONG, items=_items(one, goal), worth=worth, texts=texts, why=why)


def _worth(one: Said, late: float) -> float:
    """What it is worth to whoever goes on: corrections and what is in force first, then what was said late."""
    corrects = bool(_CORRECTS.heard(one.words.lower()))
    worth = late**2 + min(0.8, size(one.words) / 400) + 2.0 * corrects + 1.4 * bool(one.entries)
    # How much the encoder thinks that whoever goes on would miss it: nothing where it did not hear it.
    worth += 2.0 * max(heard.worth for heard in one.utterances)
    worth += 0.7 * (one.kind in ("denied", "answer", "queued") or one.utterances[0].call is not None)
    return worth - (1.7 if one.asks and not corrects else 1.0 if one.goes_on else 0.0)


def _words_of(one: Utterance, most: int) -> str:
    """A person's words, whole or the sentences that count; empty: none of them fits."""
    text = "\n".join(sentence.text for sentence in one.sentences)
    words = picked(text, most, _human_worth, announcements=True)
    return f"{quoted(words)}{' [with a pasted text]' if one.pasted else ''}" if words else ""


def _human_worth(one: Unit, at: int, many: int) -> float:
    """What a sentence of a person's longer message is worth; of a long brief how it begins, and what it forbids."""
    corrects = bool(_CORRECTS.heard(one.alone.lower().replace("’", "'")))
    if at and size(one.alone) < _FRAGMENT:
        return 0.0
    worth = 1 + 1.5 * corrects - len(one.alone) / 500
    return max(_LITTLE, worth + ((2.5 if many > _MANY else 1.3) if at == 0 else 0.8 * (at == many - 1)))


def answered(one: Utterance, entries: Sequence[Entry]) -> str:
    """In brackets what the words answered, where the session shows it."""
    if one.call is not None:
        is_path = one.call.given.startswith(("/", "~")) and " " not in one.call.given
        given = safe("/".join(one.call.given.split("/")[-2:])) if is_path else command(one.call.given)
        return f"({'refusing' if one.kind == 'denied' else 'stopping the agent at'} {safe(one.call.tool)} {given}) "
    lead, text = "to", ""
    begins = one.said[:_POINTING]
    points = size(one.said) <= _ALONE or begins[:1].isdigit() or lexicon("pointer").search(begins)
    offers = [entry.detail.exchange.answered for entry in entries if entry.detail.exchange.kind == "proposal"]
    if one.answers == "option":
        lead, text = "that is", " / ".join(dict.fromkeys(found.option for found in one.sentences if found.option))
    elif one.kind == "answer" or (one.answers == "question" and points):
        # What stands before a block of code is not part of the question.
        text = one.answered.rpartition("```")[2]
    elif size(one.said) <= _SAME:
        lead, text = "after", one.answered.rpartition("```")[2]
    if offers and points:
        lead, text = "to", offers[0]
    # An option says what it is at its beginning, a message what it wants to know at its end.
    to = picked(text, _ANSWERED, _option_worth if lead == "that is" else _question_worth)
    others = f"; not taken: {'; '.join(map(safe, one.passed_over))}" if one.passed_over else ""
    return f"({lead}: {safe(to)}{others}) " if size(to) > _SAYS else ""


def _option_worth(_: Unit, at: int, many: int) -> float:
    return float(many - at)


def _question_worth(unit: Unit, at: int, _: int) -> float:
    return at + 1 + 10.0 * unit.text.endswith(("?", "？"))


def came_of(one: Said, results: Sequence[TrailResult]) -> str:
    """What calls achieved before the human spoke again."""
    seen = outcome(results, one.turn, one.until) if one.kind != "queued" else ""
    return f" → {seen}" if seen else ""


def _reply(one: Said, shown: str) -> str:
    """What the agent said to it in the end, unless it is shown above."""
    told = report(one.closing, _REPLY).removeprefix("… ") if size(one.closing) > _ALONE else ""
    return f" → the agent: {quoted(told)}" if size(told) > _ALONE / 2 and told[:_SAME] not in shown else ""


def _items(one: Said, goal: str = "") -> tuple[str, ...]:
    """What a line of it tells, for the receipt."""
    named = ["goal"] if goal and one.holds(goal) else []
    return (*named, f"turn:{one.turn}", *(f"entry:{entry.id}" for entry in one.entries))


def _key(text: str, most: int = 80) -> str:
    """By which the same words are found again."""
    return " ".join(re.findall(r"\w+", text[: 2 * most].lower()))[:most]
