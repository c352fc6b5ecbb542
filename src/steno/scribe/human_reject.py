"""Rejections: what a person says no to, plainly, softly, by a question, or by stopping the agent."""

import re
from typing import Any

from steno.scribe.human_choices import NOT_WORKING, QUOTES_SOMEBODY, approves
from steno.scribe.human_cues import HEDGED, SMALL_WORDS, Cue, first, first_of
from steno.scribe.human_doubt import SOFT_NO
from steno.scribe.human_hear import Heard, Said
from steno.scribe.human_later import LATER
from steno.scribe.human_no import HARD_NO
from steno.scribe.human_object import TITLE, objection
from steno.scribe.human_refer import act_in_words, closest, proposal, shared_words
from steno.scribe.human_write import Note, details, verbatim
from steno.terms import content_words, squeeze

_TAG_QUESTION = re.compile(
    r"[\s,](?:no|right|yeah|yes|correct|or not|oder|nicht wahr|isn't it|doesn't it|don't we|huh|eh)\s*\?+"
)
_INFORMATION = re.compile(
    r"^(?:what|where|when|who|which|how (?:do|does|is|are|can|many|much|long|would|did|to)|is|are|does|do|did|will"
    r"|would it|has|have|was|were|can i|could i|wo|wer|wann|welche|wie)\b"
)
_GOES_ON = re.compile(
    r"^(?:continue|go on|carry on|proceed|resume|keep going|try again|retry|weiter|mach weiter|继续|sorry|my bad|oops"
    r"|never mind,? continue|implement the following)\b"
)
_ANAPHOR = re.compile(
    r"\b(?:that|this|it|those|these|them|das|es)\b|^\W*(?:no|nope|nah|nein|stop|wait|revert|undo)\W*$"
)
_HARMLESS = re.compile(
    r"\bno (?:problem|worries|rush|idea|doubt|matter|prob)\b|\b(?:don't|dont|do not) worry\b"
    r"|\bwhy (?:the \w+ )?not[\s.!?]*$|\bnot (?:only|bad|too bad)\b"
)
_PUSHBACK = Cue("a statement with a tag question, against what the agent said", 0.65, _TAG_QUESTION)
_STOPPED = Cue("words right after stopping the agent", 0.75, re.compile(""))
_DENIED = Cue("words given while refusing a tool call", 0.85, re.compile(""))
_WHY = re.compile(
    r"^(?:why|warum|wieso|weshalb)\b(?!.*\b(?:fail|error|crash|slow|break|broke|hang|time ?out|happen|missing|empty"
    r"|flak|not work|doesn't work|red)\w*)"
)
_ASKS_WHY = Cue("a why about what the agent did or proposed", 0.55, _WHY)
_FAILING = re.compile(
    r"\b(?:not|isn't|doesn't) (?:\w+ )?(?:work|working|fixed|passing|showing|loading|starting|there|compiling"
    r"|responding)\b"
)
_PROPOSED = re.compile(r"\b(?:option|approach|plan|idea|proposal|solution|suggestion)\b")
_LEAVING_OUT = ("drop", "remove", "delete", "kill", "skip", "omit", "ditch")
_OPENINGS = {
    _STOPPED.name: "The user stops the agent and says",
    _DENIED.name: "The user refuses the call and says",
}
# What these cues say may be about how the program behaves.
_ALSO_REPORTS = {
    "a denial of what was said",
    "a harsh judgement",
    "a correction: not this but that",
    "doubt about the proposal",
    "a wish to rather not",
}
# These answer something the agent said or did.
_ANSWERING = {
    "a denial of what was said",
    "doubt about the proposal",
    "harm foreseen",
    "something said to be there already",
}
_PUT_OFF = Cue("put off, or sent elsewhere", 0.7, LATER)
# What is judged inside a condition is no judgement of what was proposed.
_SUBORDINATE = re.compile(
    r"\b(?:whenever|every ?time|if|when|in case|unless|falls|wenn) [^,;:]{3,80}[,;:]|\bin case .{3,80}$"
)
# The work is gone through: what is asked and said is about it, though the agent said nothing right before.
_REVIEW = re.compile(
    r"\b(?:review|comments?|feedback|nits?|your (?:branch|pr|change|diff|commit|patch|code|work))\b", re.IGNORECASE
)
_IT_IS_NOT = re.compile(r"^(?:it's|its|it is|it isn't|it won't|it wouldn't) ")
_ECHO = Cue("the agent's own words asked back", 0.55, re.compile(""))
_FEW = 6
# What may begin after a "but": an order or a wish, not a piece of reasoning.
_IN_THE_MIDDLE = {
    "a plain no",
    "an order to stop",
    "something not wanted",
    "an order not to",
    "a correction: not this but that",
    "something called superfluous",
    "a wish to rather not",
}
_WEIGHED = re.compile(r"\b(?:an?|another|for|just|with|two|\d+)\b")
_TAKEN_IN = re.compile(r"\b(?:interesting|nice|cool|clever|neat|good|great|right|sense|ok(?:ay)?|i see|fun|funny)\b")
_BUT = re.compile(r"[,;]? ?\b(?:but|though|aber|however|so) |[，,]?但是?")
# An act so many turns before the agent's last words still belongs to them.
_NEAR = 4
_OF_ONESELF = re.compile(r"\b(?:i|i'm|i've|my|ich)\b")
_VERB = re.compile(
    r"^(?:and|or|so|what|where|when|who|which|how|is|are|do|does|did|can|could|will|would|should|has|have|any|the"
    r" (?:first|second|last))\b"
    r"|\b(?:is|are|was|do|does|did|can|could|will|would|should|has|have|it|we|you|i|right|ok|correct|done|ready"
    r"|already|too|also|next|now)\b"
)
_HESITANT = Cue("a hesitant question after a proposal", 0.65, HEDGED)


def rejections(heard: Heard) -> list[Note]:
    """One note for each run of sentences that say no."""
    if heard.document:
        return []
    runs: list[tuple[Cue, list[Said]]] = []
    after = heard.stopped
    for one in heard.said:
        cue = _cue(heard, one, after=after)
        if cue is None:
            after = after and not one.asks and len(content_words(one.low)) < 3
            continue
        if runs and _adjoins(heard, runs[-1][1][-1], one):
            runs[-1][1].append(one)
        else:
            runs.append((cue, [one]))
        after = heard.turn.turn.kind == "denied"
    return [_note(heard, cue, run) for cue, run in runs]


def _cue(heard: Heard, one: Said, *, after: bool) -> Cue | None:
    if one.conditional or one.core.startswith("if ") or QUOTES_SOMEBODY.match(one.core) or TITLE.match(one.core):
        return None
    if after and not _GOES_ON.match(one.core):
        return _DENIED if heard.turn.turn.kind == "denied" else _STOPPED
    core, low = _opinion(one.core), _opinion(one.low).lstrip("(….- ")
    for table in (HARD_NO, SOFT_NO):
        cue = first_of(table, core, low) or _after_but(heard, table, low)
        if cue is not None:
            return None if _reports(heard, one, cue) or _only_asks(one, cue) else cue
    if heard.reply_to is not None and not one.asks and _PUT_OFF.pattern.search(core):
        return _PUT_OFF
    return _by_asking(heard, one) or objection(heard, one)


def _after_but(heard: Heard, table: tuple[Cue, ...], low: str) -> Cue | None:
    """A no that begins in the middle: "lovely, though not in this file"."""
    parts = _BUT.split(low) if heard.reply_to is not None else []
    found = (first(table, SMALL_WORDS.sub("", part) or part) for part in parts[1:])
    return next((cue for cue in found if cue is not None and cue.name in _IN_THE_MIDDLE), None)


def _opinion(low: str) -> str:
    return _SUBORDINATE.sub(" ", _HARMLESS.sub("", low)).strip()


def _by_asking(heard: Heard, one: Said) -> Cue | None:
    """A question about what the agent just did or proposed."""
    if _TAG_QUESTION.search(one.low) and _contradicts(heard, one):
        return _PUSHBACK
    if _WHY.match(one.core) and (_about_reply(heard, one) or _reviews(heard)):
        return _ASKS_WHY
    told = one.asks or (
        _about_reply(heard, one)
        and not approves(one.low)
        and not _OF_ONESELF.search(one.low)
        and not _TAKEN_IN.search(one.low)
    )
    if HEDGED.match(one.low) and told and heard.reply_to is not None and len(content_words(one.low)) >= 2:
        return _HESITANT
    if one.asks and _echoes(heard, one):
        return _ECHO
    return None


def _echoes(heard: Heard, one: Said) -> bool:
    """A few of the agent's own words asked back, without a verb: "a facade? for one caller?"."""
    if len(one.low.split()) > _FEW or _VERB.search(one.core) or not _about_reply(heard, one):
        return False
    if len(heard.said) == 1 and not _WEIGHED.search(one.low):
        return False
    put = proposal(heard)
    return put is None or not (put.options or (put.offer is not None and " or " in put.offer.text))


def _about_reply(heard: Heard, one: Said) -> bool:
    """Whether words are shared with what the agent said last, or with its last act."""
    if heard.reply_to is None:
        return False
    act = heard.act.turn.text[:3000] if heard.act is not None and heard.act.id > heard.reply_to.id - _NEAR else ""
    return bool(shared_words(one.low, heard.reply_to.turn.text[-3000:]) or (act and shared_words(one.low, act)))


def _reviews(heard: Heard) -> bool:
    """Whether the turn is a review: a list of remarks on the agent's work."""
    items = sum(one.span.kind == "item" and bool(one.span.label) for one in heard.said)
    return items > 1 and bool(_REVIEW.search(heard.turn.turn.text[:600]))


def _reports(heard: Heard, one: Said, cue: Cue) -> bool:
    """A description of what goes wrong is no opinion about a proposal; before the agent has spoken nothing is."""
    if heard.reply_to is None and not heard.stopped and cue.name in _ANSWERING and not _reviews(heard):
        return True
    if cue.name == "a denial of what was said" and _IT_IS_NOT.match(one.core) and not _about_reply(heard, one):
        return bool(content_words(one.low))
    if cue.name == "a plain no" and NOT_WORKING.search(one.low) and not cue.pattern.match(one.core):
        return True
    put = proposal(heard)
    if cue.name == "something called superfluous" and put is not None and not heard.stopped:
        asked = " ".join(span.text for span in (put.offer, put.advice) if span is not None).lower()
        return any(verb in one.core.split()[:1] and verb in asked for verb in _LEAVING_OUT)
    if _PROPOSED.search(one.low) or cue.name not in _ALSO_REPORTS:
        return False
    return bool(_FAILING.search(one.low) or (NOT_WORKING.search(one.low) and not cue.pattern.match(one.core)))


def _only_asks(one: Said, cue: Cue) -> bool:
    """A question for information may hold a word like "not" or "wrong" without saying no."""
    if not one.asks or cue.name.startswith(("a question", "a reminder", "an order to undo", "doubt", "a complaint")):
        return False
    return bool(_INFORMATION.match(one.core))


def _contradicts(heard: Heard, one: Said) -> bool:
    """A tag question pushes back when it is about something the agent just spoke of."""
    if heard.reply_to is None or _INFORMATION.match(one.core):
        return False
    return len(content_words(one.low)) >= 3 and shared_words(one.low, heard.reply_to.turn.text[-3000:]) >= 1


def _adjoins(heard: Heard, before: Said, one: Said) -> bool:
    gap = heard.turn.turn.text[before.span.end : one.span.start]
    return not gap.strip() and gap.count("\n") < 2 and one.span.kind == before.span.kind == "prose"


def _note(heard: Heard, cue: Cue, run: list[Said]) -> Note:
    words = verbatim(heard, run)
    detail: dict[str, Any] = {"what": squeeze(words)[:300], "by": "user", **details(words)}
    thing = ""
    if heard.stopped and heard.act is not None:
        detail["stopped"] = act_in_words(heard)
    if len(content_words(words)) < 6 or _ANAPHOR.search(run[0].low):
        thing = _thing(heard, words)
        if thing:
            detail["what"] = thing
    rest = [one for one in heard.said if one.span.start >= run[-1].span.end]
    if rest and _adjoins(heard, run[-1], rest[0]) and not rest[0].asks:
        detail["instead" if not detail["instead"] else "then"] = squeeze(rest[0].text)[:240]
    return Note("rejected", run, _OPENINGS.get(cue.name, "The user rejects"), cue.name, cue.sure, detail, thing)


def _thing(heard: Heard, words: str) -> str:
    """What "that" is: the sentence of the agent closest in words, else its offer or what it was doing."""
    put = proposal(heard)
    if put is None:
        return ""
    near = closest(words, [s for s in put.spans if s.kind in ("prose", "item")])
    chosen = near or put.offer or put.advice or (put.spans[-1] if put.spans else None)
    return squeeze(chosen.text)[:300] if chosen is not None else ""
