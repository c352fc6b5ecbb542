"""An exchange on one line: somebody's words, and in brackets what they answered and what came of it."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from msgspec import structs

from steno.briefing.render import quoted, safe
from steno.briefing.report import ALONE, gist, kept, plain, sentences_of, spoken, telling_words, tells
from steno.language.lexicon import lexicon
from steno.language.names import names
from steno.language.words import normal
from steno.scribe.work.shell import kind_of
from steno.vocabulary import PEOPLE, Entry
from steno.vocabulary.details import Act, Afterwards, Call
from steno.vocabulary.utterances import Sentence, Utterance

# Characters of words that are told whole; of longer ones the sentences that matter most are told.
WHOLE: Final = 280
AROUND: Final = 120
_CALL, _ITEM = 80, 90
# Answers to points of a list have no more telling words on the average.
_ANSWER: Final = 8
# From here on words say no or set right, and nobody understands them without what they were said to.
_SURELY: Final = 0.5
_CAME_OF: Final[dict[Afterwards, str]] = {
    "ran later": "it was run later after all",
    "redone": "it was done later in another form",
    "reverted": "it was undone",
    "said again": "the human had to say it again",
}
# So many telling words are understood beside a report, unless they point at something.
_BESIDE: Final = 3
_SETTLES: Final[tuple[Act, ...]] = ("approve", "choose", "reject")
_POINTS: Final = re.compile(r"\b(?:it|that|this|those|these|them|such)\b", re.IGNORECASE)
_INTO: Final = re.compile(r"^cd \S+ (?:&&|;) ")
_TAIL: Final = 4_000
# Code that was taken apart; and a word that tells of another way.
_BROKEN: Final = re.compile(r"'''|```")
_OTHER: Final = re.compile(r"\binstead\b|代わり|\bstatt\b", re.IGNORECASE)
# Between two sentences that were answered; and the least that is told of one.
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])")
_LEAST: Final = 100
_FOLDERS: Final = re.compile(r"(?:/[\w.@-]+){2,}/(?=[\w.@-])")


def of_utterance(
    one: Utterance, times: int = 1, *, most: int = WHOLE, around: int = AROUND, reply: str = ""
) -> str:  # fmt: skip
    """A person's words, whole or in the sentences that matter, with what they answered, of which so much is told as
    stands `around` them, and what the agent said to it."""
    options, then = picks(one), f" → “{reply}”" if reply else ""
    if len(options) > 1:
        each = max(_ITEM, most // len(options))
        pairs = (f"{quoted(kept(found.text, each))}{_bracket([_option(found, _ITEM)])}" for found in options)
        return f"{'; '.join(pairs)}{then}"
    words = quoted(telling(one.sentences, most))
    if one.kind == "command" and telling_words(one.said) < ALONE:
        words = f"the command {words}"
    pasted = " (with a longer text)" if one.pasted else ""
    answered = [*_answered(one, max(around, min(most - len(words), 2 * AROUND))), *_not_taken(one.passed_over)]
    return f"{words}{pasted}{_bracket([*answered, *_often(times), *_came_of(one.afterwards)])}{then}"


def understood(one: Utterance) -> Utterance:
    """Without what it answered, where the words say enough beside the report of the turn, and point at nothing."""
    answers = one.answers == "option" or one.kind == "answer" or (one.answers == "question" and settles(one))
    if answers or telling_words(one.said) < _BESIDE or _POINTS.search(one.said):
        return one
    return structs.replace(one, answered="")


def settles(one: Utterance) -> bool:
    """Whether it surely says yes or no, or chooses."""
    return any(found.acts.get(act, 0.0) >= _SURELY for found in one.sentences for act in _SETTLES)


def in_a_row(uttered: Sequence[Utterance], most: int) -> str:
    """Words said one after another in a turn; what they answer is told once."""
    known = [one.answered if one.kind != "answer" else "" for one in uttered]
    rest = [
        structs.replace(one, answered="") if known[place] in known[:place] else understood(one)
        for place, one in enumerate(uttered)
    ]
    return "; ".join(of_utterance(one, most=most) for one in rest)


def picks(one: Utterance) -> list[Sentence]:
    """Sentences that name something put to the person by a letter or a number. Who makes a list of their own says more
    in each point than an answer would."""
    options = [found for found in one.sentences if found.option]
    return options if sum(telling_words(found.text) for found in options) <= _ANSWER * len(options) else []


def of_entry(entry: Entry, most: int = WHOLE) -> str:
    """What an entry rests on: a person's words with what they answered; else its sentence."""
    exchange = entry.detail.exchange
    if entry.origin not in PEOPLE:
        said = entry.evidence[0].quote if entry.evidence else ""
        return f"the agent: {stated(said if telling_words(said) >= ALONE else entry.summary, most)}"
    if not exchange.said:
        return sentences_of(plain(entry.summary), most)
    answered = _call(exchange.call) if exchange.kind == "call" else _to(exchange.answered, exchange.said)
    if exchange.kind == "words" and telling_words(exchange.answered) < _BESIDE:
        answered = []
    return quoted(kept(exchange.said, most)) + _bracket(
        [*answered, *_often(entry.repeated + 1), *_came_of(exchange.afterwards)]
    )


def worth_of(sentence: Sentence, *, stops: bool = False) -> float:
    """How much whoever goes on would miss a sentence. Who forbids corrects, also where the encoder heard none of it."""
    return sentence.worth(stops=stops or forbids(sentence.text))


@lru_cache(maxsize=1024)
def forbids(text: str) -> bool:
    """Whether it says in plain words that something is not to be."""
    return not text.rstrip().endswith(("?", "？")) and lexicon("forbidding").search(text[:_TAIL]) is not None


def telling(said: Sequence[Sentence], most: int) -> str:
    """The words, whole if they are short enough; else the sentence that matters most, the first one, what a colon
    announces, and the others by how much they matter, as far as they fit, in their order."""
    whole = " ".join(one.text for one in said)
    if len(whole) <= most or kept(whole, most) == whole:
        return whole
    best, *others = sorted(range(len(said)), key=lambda place: -worth_of(said[place]))
    told = {best: kept(said[best].text, most)}
    announced = [at + 1 for at in (best, *others) if at + 1 < len(said) and said[at].text.rstrip().endswith(":")]
    for place in (0, *announced, *others):
        if place not in told and sum(len(text) + 3 for text in told.values()) + len(said[place].text) <= most:
            told[place] = said[place].text
    if len(told) > 1 and told[max(told)].rstrip().endswith(":"):
        told.pop(max(told))
    pieces = [("… " if place and place - 1 not in told else "") + told[place] for place in sorted(told)]
    return " ".join(pieces) + (" …" if max(told) < len(said) - 1 else "")


def _answered(one: Utterance, most: int) -> list[str]:
    if one.call is not None or one.kind == "command":
        return [] if _only_interrupts(one) else _call(one.call)
    if options := picks(one):
        return [_option(options[0], max(most, _ITEM))]
    much, says_no = telling_words(one.said), max(found.corrects for found in one.sentences) >= _SURELY
    by_the_way = (one.kind == "queued" or one.answers == "words") and not settles(one)
    if by_the_way and not says_no and (much >= _BESIDE or not _POINTS.search(one.said)):
        # What was typed while the agent was at work, or after it had told something, answers nothing but that.
        return []
    few = much < ALONE
    told = one.answers == "question" or few or (says_no and much < 2 * ALONE)
    return _to(one.answered, one.said, most if few else min(most, AROUND)) if told else []


def _only_interrupts(one: Utterance) -> bool:
    """Whether words that say enough came in while the agent only looked or checked: they are about something else."""
    looks = one.call is not None and kind_of(one.call.given) != "other"
    return looks and one.kind != "denied" and telling_words(one.said) >= ALONE


def _not_taken(options: Sequence[str]) -> list[str]:
    return [f"not taken: {', '.join(quoted(one, _ITEM) for one in options)}"] if options else []


def _option(sentence: Sentence, most: int) -> str:
    return f"that is {quoted(plain(sentence.option), most)}"


def _to(answered: str, said: str, most: int = AROUND) -> list[str]:
    words = normal(plain(answered))
    return [f"to {quoted(_pieces(plain(answered), most))}"] if words and words not in normal(said) else []


def _pieces(answered: str, most: int) -> str:
    """Words that were answered, whole if they are short enough; else what was asked, else the sentence that says most;
    if that says little, with what stands before it and then the others, as far as they fit."""
    if len(answered) <= most:
        return answered
    every = [one for one in _SENTENCE.split(answered) if not one.endswith(":")] or [answered]
    asks = [one.endswith(("?", "？")) for one in every]
    asked = max(range(len(every)), key=lambda at: (asks[at], at if asks[at] else telling_words(every[at])))
    told = {asked: sentences_of(every[asked], max(most, _LEAST))}
    others = dict.fromkeys([max(asked - 1, 0), *range(len(every))]) if telling_words(every[asked]) < ALONE else ()
    for at in others:
        room = most - sum(len(text) + 1 for text in told.values())
        room = max(room, _LEAST) if at == asked - 1 else room
        if at not in told and (len(every[at]) <= room or room >= _LEAST // 2):
            told[at] = sentences_of(every[at], room)
    return " ".join(("… " if at and at - 1 not in told else "") + told[at] for at in sorted(told))


def _call(call: Call | None) -> list[str]:
    if call is None:
        return []
    given = safe(_FOLDERS.sub("…/", _INTO.sub("", call.given[:2000])), _CALL)
    return [f"stopping {safe(call.tool, 40)}{f' {given}' if given else ''}"]


def _often(times: int) -> list[str]:
    return [f"said {times} times"] if times > 1 else []


def _came_of(afterwards: Afterwards) -> list[str]:
    return [_CAME_OF[afterwards]] if afterwards in _CAME_OF else []


def _bracket(parts: Sequence[str]) -> str:
    return f" [{'; '.join(parts)}]" if parts else ""


def stated(text: str, most: int) -> str:
    """How an agent's words begin and end: what went wrong, and what was done about it. Not that something is about to
    be done, where nobody learns what; nor words about code that is not whole."""
    said = [one for one in spoken(text) if one.count("`") % 2 == 0 and not _BROKEN.search(one)]
    while len(said) > 1 and not names(said[-1]) and _is_idle(said[-1]):
        said.pop()
    return gist(said, most) or sentences_of(plain(text), most)


def _is_idle(text: str) -> bool:
    """Whether it only says that something is about to be done."""
    other = _OTHER.search(text) is not None
    return not tells(text, of_choice=other) or (not other and telling_words(text) < _BESIDE)
