"""Standing instructions, requests, promises, and what the person says about the situation."""

import re

from steno.scribe.human_asks import IMPERATIVE, REQUEST, RULES
from steno.scribe.human_choices import NOT_WORKING, QUOTES_SOMEBODY
from steno.scribe.human_cues import Cue, first_of
from steno.scribe.human_hear import Heard, Said
from steno.scribe.human_later import LATER, WAITS
from steno.scribe.human_refer import act_in_words, proposal
from steno.scribe.human_rules import HABITS
from steno.scribe.human_write import Note, details, due
from steno.terms import content_words, squeeze

_PROMISE = re.compile(
    r"\b(?:i'll|ill|i will|i'm going to|i am going to|i'm gonna|im gonna|im going to|imma|we'll|ich werde"
    r"|ich mach(?:e)?|我会"
    r"|我来)\b(?! (?:need you|want you|never|be (?:back|honest)))"
)
_FOUND = re.compile(
    r"\b(?:turns out|it seems|looks like|i (?:just |also |still )?(?:see|saw|found|noticed|checked|tested|ran|tried"
    r"|think it'?s|already see|got|get|can see|suspect)|apparently|the (?:issue|problem|bug|cause|reason) (?:is|was"
    r"|seems)|because|was (?:charged|called|created|deleted|sent|caused)|did (?:fire|work|run|happen)|we may have"
    r"|there(?:'s| is) an? \w+ (?:bug|issue|problem)|works (?:now|fine|great|again)|is fixed|that fixed"
    r"|is (?:coming|caused) (?:from|by)|its coming|it's coming)\b|原来|发现"
)
_SITUATION = re.compile(
    r"\b(?:got|we have|we've got|there(?:'s| is| are)|i'm (?:getting|seeing|on|in|using|running|working|testing"
    r"|tired|stuck|busy|back)|i am (?:on|in|using|running)|testing|we're|we are|i just|i've|i have|fyi|for context"
    r"|context:|deadline|release|demo|customer|production|staging|today|tomorrow|this week|friday|monday|is pushed"
    r"|is merged|is deployed|merge conflicts?|this is the|here(?:'s| is) (?:the|my)|wir haben|ich bin|我在|我们有)\b"
)
# Time, people, surroundings, limits, priorities, mood.
_LASTING = re.compile(
    r"\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|april|june|july|august|september|october"
    r"|november|december"
    r"|\d{1,2}(?:st|nd|rd|th|am|pm)|o'clock|noon|midnight|until|till|by (?:the|next|then|noon)|sprint|quarter|freeze"
    r"|launch|holidays?|vacation|meeting"
    r"|team|boss|manager|cto|ceo|board|finance|legal|security|marketing|sales|ops|designers?|clients?|users?"
    r"|colleagues?|investors?|auditors?|reviewers?"
    r"|on call|oncall|server|cluster|database|prod|laptop|windows|linux|macos|ubuntu|docker|kubernetes|aws|gcp|azure"
    r"|vpn|version|hosted|legacy|our"
    r"|gb|tb|cores|cpu|gpu|ram|budget|quota|limit(?:ed|s)?|licen[cs]e|compliance|gdpr|embargo|nda|audit(?:ed)?|costs?"
    r"|expensive|cheap|bucks|euros?|dollars?"
    r"|only (?:have|got|one|two)|can't|cannot|not allowed|no access|have no|without access|priority|matters?"
    r"|important|urgent|critical|in a hurry"
    r"|tired|exhausted|frustrat\w+|stressed|worried|annoyed|confused|nervous|excited|happy|scared|fed up|burn(?:ed|t)"
    r" out|panicking"
    r"|heute|morgen|bis|montag|dienstag|mittwoch|donnerstag|freitag|kunde[n]?|kollegen|chef|buchhaltung|wir|unser\w*"
    r"|müde|nur)\b|[$€£]\s?\d|今天|明天|周[一二三四五六日]|我们"
)
_ONLY_PLEASANT = re.compile(
    r"^(?:thanks|thank you|thx|great job|good job|nice work|well done|hello|hi|hey|good morning|lol|haha|danke"
    r"|hallo|谢谢|你好)\b.{0,40}$"
)
_INFORMATION = re.compile(
    r"^(?:what(?!'s wrong| about| if)|where|when|who|which|how (?!about)|is|are (?!there)|does|do|did|will|has|have"
    r"|was|were|why|or)\b"
)
_EVER = re.compile(r"\b(?:always|never|every|each|from now|going forward|don't|dont|do not|no)\b")
# "If you touch money code you write a test first": what to do whenever something is the case.
_HABIT = re.compile(
    r"^(?:if|when|before|after) (?:you|u|we) (?!(?:are|'re)? ?(?:done|finish|ready)|want|need|like|can|could|find"
    r"|have|think|agree|see)\w+ .{2,80}?"
    r"(?:, | )(?:you|then you|always|never|please always|make sure|it's)\b (?!can|could|may|might|want|will)\w+"
)
# "If in doubt, ask": a condition that is no case of its own.
_STANDING_IF = re.compile(
    r"^(?:(?:if|when) in doubt|unless (?:i|we) (?:say|tell|ask|specify|explicitly)"
    r"|(?:when|if) (?:you \w+ (?:an?|any|each|every|something|anything)|\w+ing))\b"
)
# A question whether something may be, or a memory called up, instructs nobody.
_ASKS_LEAVE = re.compile(r"^(?:(?:can|could|may|should|shall) (?:we|i) (?!please|always|never|not)|remember\b)")
_ALWAYS = HABITS + RULES
# What is expected to happen is not asked for.
_EXPECTED = re.compile(r"^(?:\w+ ){1,3}should (?:all |now )?(?:pass|work|be (?:fine|green|ok|passing|gone|done))\b")
_WHEN_YOU = Cue("what to do whenever something is the case", 0.75, _HABIT)
_FOR_NOW = re.compile(r"\b(?:yet|for now|right now|just now|for the moment|this time)\b")
_PARTS = re.compile(r", (?:so |and |please )*| - |\b(?:so|and then) ")
_ORDER = re.compile(r"^(?:the )?(?:[\w./-]+ ){1,4}(?:first|next|afterwards|zuerst|danach)\b")
# Sentences longer than this explain rather than say when.
_SHORT = 16
_JEST = re.compile(r"\b(?:i hope|i guess|i suppose|i wonder|kidding|joking)\b")


def rules(heard: Heard) -> list[Note]:
    """Standing instructions and preferences."""
    notes = []
    for one in heard.said:
        cue = first_of(_ALWAYS, one.core, one.low)
        if cue is None and _HABIT.match(one.core):
            cue = _WHEN_YOU
        if (
            cue is None
            or (one.conditional and not (_HABIT.match(one.core) or _STANDING_IF.match(one.core)))
            or heard.document
            or QUOTES_SOMEBODY.match(one.core)
            or (due(one.text) and not _EVER.search(one.low))
            or _FOR_NOW.search(one.low)
            or _EXPECTED.match(one.core)
            or (one.asks and (_INFORMATION.match(one.core) or _ASKS_LEAVE.match(one.core)))
        ):
            continue
        detail = {"instruction": squeeze(one.text)[:400], **details(one.text)}
        detail.pop("instead")
        opening = "The user prefers" if cue.name == "a preference" else "The user instructs"
        notes.append(Note("rule", [one], opening, cue.name, cue.sure, detail))
    return notes


def requests(heard: Heard) -> list[Note]:
    """Work asked for, and work the person takes on."""
    notes = []
    for one in heard.said:
        if one.conditional or heard.document or _ONLY_PLEASANT.match(one.low):
            continue
        if _PROMISE.search(one.low) and not one.asks:
            detail = {"what": squeeze(one.text)[:300], "owner": "user", "state": "open", "due": due(one.text)}
            notes.append(Note("commitment", [one], "The user takes on", "a promise of the person", 0.7, detail))
        if len(content_words(one.low)) < 2 and len(heard.said) > 2:
            continue
        asked = bool(REQUEST.search(one.low)) and not _INFORMATION.match(one.core)
        if asked or IMPERATIVE.match(one.core) or _orders_later(one):
            detail = {"what": squeeze(one.text)[:300], "owner": "agent", "state": "open", "due": due(one.text)}
            cue = "a request" if asked else "an order"
            notes.append(Note("task", [one], "The user asks", cue, 0.7, detail))
        elif not one.asks and _waits(heard, one):
            detail = {
                "what": squeeze(one.text)[:300],
                "owner": "agent",
                "state": "open",
                "due": due(one.text) or "later",
            }
            notes.append(Note("task", [one], "The user puts off", "work put off, or put in an order", 0.55, detail))
    return notes


def _orders_later(one: Said) -> bool:
    """Whether a later part of the sentence is an order: "the fixture is old, update it"."""
    return not one.asks and any(IMPERATIVE.match(part) and " " in part for part in _PARTS.split(one.core)[1:])


def _waits(heard: Heard, one: Said) -> bool:
    """Whether work is put off or put in an order, in answer to the agent: "sound first", "the domain once we can"."""
    if heard.reply_to is None or len(one.low.split()) > _SHORT:
        return False
    return bool(LATER.search(one.core) or WAITS.search(one.core) or _ORDER.match(one.core))


def situation(heard: Heard, taken: set[int]) -> list[Note]:
    """What the person reports or lets one know, in sentences nothing else was found in."""
    notes: list[Note] = []
    if heard.document:
        return notes
    for one in heard.said:
        if (
            one.span.start in taken
            or one.conditional
            or not content_words(one.low)
            or QUOTES_SOMEBODY.match(one.core)
            or _JEST.search(one.low)
            or _ONLY_PLEASANT.match(one.low)
        ):
            continue
        note = _report(heard, one)
        if note is not None and len(notes) < 4:
            notes.append(note)
    return notes


def _report(heard: Heard, one: Said) -> Note | None:
    what = squeeze(one.text)[:300]
    telling = len(content_words(one.low))
    if NOT_WORKING.search(one.low) and not (one.asks and _INFORMATION.match(one.core)):
        put = proposal(heard)
        tried = put.advice.text if put is not None and put.advice is not None else act_in_words(heard)
        detail = {"symptom": what, "approach": squeeze(tried)[:240]}
        cue = "a report that it does not work"
        return Note("exclusion", [one], "The user reports that it does not work", cue, 0.6, detail)
    if one.asks:
        return None
    if _FOUND.search(one.low) and (telling > 1 or len(heard.said) == 1):
        cue = "something the person found out"
        return Note("discovery", [one], "The user reports", cue, 0.6, {"what": what})
    if telling >= 2 and (_SITUATION.search(one.low) or _LASTING.search(one.low) or due(one.text)):
        cue = "the situation the person describes"
        return Note("context", [one], "The user says", cue, 0.55, {"what": what, "due": due(one.text)})
    return None
