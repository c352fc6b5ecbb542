"""What a person said plainly, noted whole, beside what it answered, whole.

Structure finds what words answer: the refused call, the question and the option, the one offer the agent closed with;
otherwise it is the agent's closing words. Nothing is derived from the words, and nothing is cut off them.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from msgspec import structs

from steno.language.facts import frame
from steno.language.lexicon import lexicon
from steno.language.tool_call import read
from steno.language.words import content_words, squeeze
from steno.scribe.hear import BRIEF, HEAD, OWN, TAIL, Said, own_sentences, segments
from steno.scribe.plain import Pattern, cue, plainly
from steno.vocabulary import Candidate, Category, JournalTurn, Quote, Tag, Window
from steno.vocabulary.details import (
    DETAILS,
    Act,
    Answered,
    AnyDetail,
    Call,
    Decided,
    Exchange,
    Instructed,
    Known,
    Rejected,
    Stance,
    Weight,
)

# The agent's closing words: whole paragraphs, as many as fit.
CLOSING: Final = 900
# Options stand near the end of what the agent said.
_OPTIONS_IN: Final = 4_000
_MOST_OPTIONS: Final = 8
# An answer by letter or number is short, and names one of a few options.
_SHORT, _FEW = 60, 6
# How sure it is that somebody who said so plainly meant it.
_SURE: Final = 0.9
# A slash command with fewer words after its name says nothing.
_ARGUMENTS: Final = 4
# In so short a turn a laugh is about all of it.
_JOKING: Final = 300
# From this length on a sentence of the agent's that a person sends back is no word of theirs.
_ECHO: Final = 24
# The name of a slash command; what it is given is what the person says.
_COMMAND: Final = re.compile(r"^/[\w:.-]+\s+")
# Beside a pasted block of this length a sentence counts as part of a brief.
_PASTED: Final = 200
# Fewer words say nothing by themselves: they are shown with what they answer.
_TELLING: Final = 3
_SHORT_ANSWERS: Final = ("question", "proposal", "call")
# Longer words with a refused call are a report or a paste.
_WITH_CALL: Final = 400
# A yes or a no as a whole turn is short.
_WHOLE_TURN: Final = 90
_PART: Final = re.compile(r"[,.!;:\n–—-]+\s*|\s+(?=please\b|thanks\b|and please)")
# A turn of more characters or sentences describes a task, or was written elsewhere: of 123 rules and refusals of real
# sessions, 102 stand in shorter ones.
_LONG, _TASK = 600, 12
_TAGS: Final[dict[Category, list[Tag]]] = {
    "learning": ["lesson"],
    "discovery": ["surprise"],
    "agent_state": ["identity"],
}
_ACTS: Final[dict[Category, Act]] = {"rejected": "reject", "rule": "instruct", "decision": "choose", "task": "ask_do"}


class Scene(NamedTuple):
    """What stands before a person's words."""

    # The last thing the agent said.
    said: JournalTurn | None = None
    # The call the person refused with these words, or stopped right before them.
    call: JournalTurn | None = None

    @property
    def text(self) -> str:
        return self.said.turn.text if self.said else ""

    @property
    def kind(self) -> Answered:
        """What a person's words answer."""
        return "call" if self.call else "question" if self.question() else "words" if self.text else ""

    def stopped(self) -> Call | None:
        """The stopped call: its tool, and what it was given."""
        return call_of(self.call)

    def closing(self, most: int = CLOSING) -> str:
        """The agent's closing words: its last paragraphs, whole."""
        kept: list[str] = []
        for paragraph in reversed(re.split(r"\n\s*\n", self.text[-_OPTIONS_IN:].strip())):
            if kept and sum(map(len, kept)) + len(paragraph) > most:
                break
            kept.insert(0, paragraph)
        return "\n\n".join(kept)

    def question(self) -> str:
        """The question the agent closed with."""
        *_, last = re.split(r"(?<=[.!?？])\s+", self.text[-_OPTIONS_IN:].strip())
        return last if last.rstrip("*_ )").endswith(("?", "？")) else ""

    def offer(self) -> str:
        """The one thing the agent offered in its last sentences; nothing where it offered several."""
        last = re.split(r"\n\s*\n", self.text.strip())[-1]
        asked = [one for one in re.split(r"(?<=[.!?？])\s+", last) if one.strip()]
        if asked and cue("proposes").match(asked[-1]):
            return asked[-1]
        offers = [one for one in asked if cue("offer").search(one)]
        if len(offers) != 1 or cue("several").search(offers[0]) or not offers[0].rstrip("*_ )").endswith(("?", "？")):
            return ""
        return offers[0] if offers[0] in asked[-2:] and not cue("turned").search(offers[0]) else ""

    def options(self) -> dict[str, str]:
        """What the agent put under letters or numbers, by label: its lines, whole."""
        tail = self.text[-_OPTIONS_IN:]
        found = {mark[1].lower(): mark.start() for mark in cue("label").finditer(tail)}
        return {label: tail[at:].lstrip("\n").partition("\n")[0].strip() for label, at in found.items()}


def scene(turn: JournalTurn, window: Window) -> Scene:
    """What stands before a person's turn."""
    said = window.reply
    if turn.turn.kind == "denied":
        return Scene(said, window.call_of(turn.turn))
    # A command of the host's own, or one for the shell, is said to nobody.
    spoken = (one.id for one in window.said if one.turn.by_human and (one.turn.kind != "command" or one.turn.is_slash))
    spoke = max(spoken, default=0)
    if said is not None and said.id < spoke:
        # Who goes on speaking answers nothing, nor does who stopped what they had said and says it otherwise.
        said = None
    since = sorted((one for one in (*window.said, *window.done) if one.id > spoke), key=lambda one: one.id)
    halts = [one for one in since if one.turn.kind in ("interrupted", "denied")]
    if not halts or (said is not None and said.id > halts[-1].id):
        return Scene(said)
    calls = [one for one in since if one.turn.kind == "call"]
    refused = window.call_of(halts[-1].turn) if halts[-1].turn.kind == "denied" else None
    return Scene(said, refused or (calls[-1] if calls else None))


def call_of(turn: JournalTurn | None) -> Call | None:
    """A tool call on one line: the tool, and the command, path or first words it was given."""
    if turn is None:
        return None
    tool, text = turn.turn.tool or "tool", turn.turn.text
    return Call(tool, squeeze(read(tool, text).line if text.lstrip().startswith("{") else text)[:CLOSING])


def notes(turn: JournalTurn, window: Window) -> list[Candidate]:
    """What a person's turn says plainly."""
    text = turn.turn.text
    if not text.strip() or cue("machine").match(text):
        return []
    place = scene(turn, window)
    match turn.turn.kind:
        case "answer":
            return list(_answered(turn, window))
        case "denied":
            return list(_refused_call(turn, place))
        case "command" if len(text.split()) <= _ARGUMENTS or not turn.turn.is_slash:
            return []
    if place.call and says_only("no", text):
        return list(_refused_call(turn, place))
    if whole := _whole_turn(turn, place):
        return whole
    # "b. and never log the key": a choice, and what is said plainly beside it.
    return [*_pick(turn, place), *_sentences(turn, place, window)]


def answers(turn: JournalTurn, window: Window) -> Iterator[tuple[str, tuple[str, ...], str]]:
    """Answers in a question dialog: the question, its options, and what was picked or typed."""
    call = window.call_of(turn.turn)
    asked = {squeeze(one.text): one.options for one in read(call.turn.tool, call.turn.text).questions} if call else {}
    blocks = re.split(r"(?m)^> ", turn.turn.text)
    if len(blocks) == 1 and len(asked) == 1:
        blocks = ["", f"{next(iter(asked))}\n{turn.turn.text}"]
    for block in blocks[1:]:
        question, _, words = block.partition("\n")
        if words.strip() and (not asked or squeeze(question) in asked):
            yield question.strip(), asked.get(squeeze(question), ()), words.strip()


def _answered(turn: JournalTurn, window: Window) -> Iterator[Candidate]:
    """An option is the agent's wording; the choice is the person's."""
    for question, options, words in answers(turn, window):
        if words.endswith("?"):
            continue
        is_option = any(squeeze(one) in squeeze(words) for one in options)
        others = [one for one in options if squeeze(one) not in squeeze(words)][:_MOST_OPTIONS] if is_option else []
        exchange = Exchange(said=squeeze(words), kind="option" if is_option else "question", answered=question)
        detail = Decided(exchange=exchange, question=question, options=others)
        yield _candidate(turn, words, "decision", detail, cue="answer")


def _refused_call(turn: JournalTurn, place: Scene) -> Iterator[Candidate]:
    """Words given with a refused call, if they are a no, or say what is wrong with it and ask nothing."""
    words = turn.turn.text.strip()
    handed = any(one.kind not in OWN and one.end - one.start > _WHOLE_TURN for one in segments(words))
    is_plan = place.call is not None and (place.call.turn.tool or "").lower().startswith("exitplan")
    refuses = (cue("refuses a plan") if is_plan else cue("refuses")).search(words) and len(words.split()) >= _TELLING
    passing = "?" in words or cue("pause").search(words) or cue("joke").search(words)
    is_no = says_only("no", words)
    if len(words) > _WITH_CALL or handed or not (is_no or (refuses and not passing)):
        return
    found, call = plainly(words), place.stopped()
    exchange = Exchange(
        said=squeeze(words), kind="call", answered=f"{call.tool} {call.given}".strip() if call else "", call=call
    )
    stance = _no(words) if is_no or cue("for good").search(words) else Stance()
    if found is not None and found.category == "rule" and found.reach == "standing":
        # It says how work is done, whatever becomes of the call.
        detail = Instructed(exchange=exchange, stance=_stance(found, words))
        yield _candidate(turn, words, "rule", detail, cue=found.name)
        return
    if found is not None and found.category == "rejected":
        stance = _stance(found, words)
    yield _candidate(turn, words, "rejected", Rejected(exchange=exchange, stance=stance), cue="refused call")


def _whole_turn(turn: JournalTurn, place: Scene) -> list[Candidate]:
    """A turn that as a whole is a yes or a no to the one offer before it."""
    words, offer = turn.turn.text.strip(), place.offer()
    if not offer or place.said is None:
        return []
    quotes = [Quote(place.said.id, offer)]
    exchange = Exchange(said=squeeze(words), kind="proposal", answered=squeeze(place.closing()))
    if says_only("yes", words) and not cue("routine").search(offer):
        return [_candidate(turn, words, "decision", Decided(exchange=exchange), cue="yes", quotes=quotes)]
    if says_only("no", words):
        detail = Rejected(exchange=exchange, stance=_no(words))
        return [_candidate(turn, words, "rejected", detail, cue="no", quotes=quotes)]
    return []


def says_only(name: str, text: str) -> bool:
    """Whether all of a short turn is a yes, or a no."""
    if len(text) >= _WHOLE_TURN:
        return False
    parts = [squeeze(one) for one in _PART.split(text.strip(" !.\n")) if one.strip()]
    # "Thanks" and "now" go with either, and are none.
    return bool(parts and cue(f"a {name}").search(text)) and all(map(cue(name).match, parts))


def picked(text: str, place: Scene) -> list[str]:
    """The options a short answer names by their letters or numbers, or opens with ("b. not a, that one broke"): the
    agent's lines, whole."""
    first, *others = text.strip().split("\n")
    found = cue("pick").match(first.strip()) if len(first) < _SHORT else None
    found = found or (None if others else cue("opens with an option").match(first.strip()))
    options = place.options() if found else {}
    labels = list(dict.fromkeys(re.findall(r"\b(?:[a-d]|\d)\b", found["labels"].lower()))) if found else []
    return [options[label] for label in labels] if set(labels) <= set(options) and 2 <= len(options) <= _FEW else []


def _pick(turn: JournalTurn, place: Scene) -> list[Candidate]:
    """A turn that picks options of a list the agent closed with."""
    text = turn.turn.text.strip()
    taken = picked(text, place)
    if not taken or place.said is None:
        return []
    others = [words for words in place.options().values() if words not in taken]
    exchange = Exchange(said=squeeze(text), kind="option", answered=" / ".join(taken))
    words = text if len(text) < _WHOLE_TURN else text.split("\n")[0].strip()
    quotes = [Quote(place.said.id, one) for one in taken]
    detail = Decided(exchange=exchange, options=others[:_MOST_OPTIONS])
    return [_candidate(turn, words, "decision", detail, cue="option", quotes=quotes)]


def _sentences(turn: JournalTurn, place: Scene, window: Window) -> Iterator[Candidate]:
    """Sentences that name their own subject and settle or forbid in so many words."""
    if len(turn.turn.text) > HEAD + TAIL or turn.turn.text.startswith(">"):
        # Nobody types so much in one go, and who opens with a quotation may speak for others.
        return
    text, own = turn.turn.text, own_sentences(turn.turn.text)
    handed = any(one.kind == "pasted" and one.end - one.start > _PASTED for one in segments(text))
    brief = len(text) > BRIEF or handed
    plain = [(said, plainly(_COMMAND.sub("", said.whole), brief=brief)) for said in own if not said.text.endswith(":")]
    plain = [(said, found) for said, found in plain if found or frame(said.text)]
    if not plain or (len(text) < _JOKING and cue("joke").search(text)) or _asks_about(own):
        return
    told = _words(" ".join(one.turn.text for one in window.said if one.turn.role == "assistant"))
    long = len(text) > _LONG or len(own) > _TASK
    answered = squeeze(place.closing()) if place.said else ""
    for said, found in plain:
        dressed = cue("dressed").search(said.text) and not lexicon("own_lead").opens(said.text)
        sent_back = len(said.text) >= _ECHO and _words(said.text) in told
        if dressed or sent_back or (found is None and cue("made up").search(text)):
            continue
        exchange = Exchange(said=squeeze(said.whole), kind="words" if answered else "", answered=answered)
        if found is None:
            yield _candidate(turn, said.text, "fact", Known(exchange=exchange), cue="fact")
            continue
        detail = DETAILS[found.category](exchange=exchange, stance=_stance(found, said.whole, long=long))
        if isinstance(detail, Instructed):
            detail = structs.replace(detail, preference=found.preference)
        lead = [Quote(turn.id, said.lead)] if said.lead else []
        yield _candidate(turn, said.text, found.category, detail, cue=found.name, quotes=lead)


def _words(text: str) -> str:
    """Words alone, for finding what a person sends back of the agent's."""
    return " ".join(re.findall(r"\w+", text.lower()))


def _asks_about(own: Sequence[Said]) -> bool:
    """Whether a person asks about a text, or says whose it is: then they order nothing of what it says."""
    told = [said.text.strip(" \t()[]-–—*_^>") for said in own]
    return any(lexicon(name).search(words) for words in told for name in ("asks_about", "attributed"))


def _no(words: str) -> Stance:
    """How far a no reaches that names nothing: until a person ends it, unless it says otherwise."""
    if cue("for good").search(words):
        return Stance(reach="standing", binds=True)
    return Stance(reach="work" if cue("step").search(words) else "standing")


def _stance(pattern: Pattern, words: str, *, long: bool = False) -> Stance:
    """How far plain words reach, and whether they bind. In a long turn they hold for the work at hand: it describes a
    task, or was written elsewhere."""
    firm = pattern.binds or pattern.category == "rule"
    ends = long or cue("for now" if firm else "step").search(words)
    standing = pattern.reach == "standing" and not ends
    return Stance(reach="standing" if standing else "work", binds=pattern.binds and standing)


def _candidate(
    turn: JournalTurn, words: str, category: Category, detail: AnyDetail, *, cue: str, quotes: Sequence[Quote] = ()
) -> Candidate:
    """What is kept of a person's words: with what they answer beside them, where they do not speak for themselves."""
    exchange = detail.exchange
    weight = Weight(act=_ACTS.get(category, "inform"), probability=1.0)
    short = len(content_words(exchange.said)) < _TELLING
    answers = exchange.kind == "option" or (short and exchange.kind in _SHORT_ANSWERS)
    to = squeeze(quotes[0].quote if quotes and exchange.kind == "proposal" else exchange.answered)
    return Candidate(
        category=category,
        summary=f"{exchange.said} (to: “{to}”)" if answers and to else exchange.said,
        evidence=[Quote(turn.id, words), *quotes],
        detail=structs.replace(detail, weight=weight),
        confidence=_SURE,
        tags=_TAGS.get(category, []),
        subject=content_words(f"{exchange.said} {to if answers else ''}"),
        cue=cue,
    )
