"""Decisions: explicit choices, and short answers that settle what the agent proposed."""

import re
from typing import Any

from steno.scribe.human_asks import IMPERATIVE, LOOKING
from steno.scribe.human_choices import (
    CHOICES,
    FAVOURS,
    LEADS,
    MAPPING,
    MILD,
    NOT_WORKING,
    ONLY_ACK,
    QUESTION,
    QUOTES_SOMEBODY,
    STATED,
    TOGETHER,
    approves,
)
from steno.scribe.human_cues import Cue, first
from steno.scribe.human_hear import Heard, Said
from steno.scribe.human_refer import Proposal, closest, is_offer, proposal, quote, shared_words
from steno.scribe.human_settle import accepted, alternatives, announced, picked, says_yes
from steno.scribe.human_write import Note, details, verbatim
from steno.scribe.text import Span
from steno.terms import content_words, squeeze

_STILL_CHOOSES = re.compile(
    r"^(?:the |that )?(?:[\w./-]+ ){1,3}(?:yes|yep|ja|is fine|is good)\b|\b(?:nothing (?:fancy|more|else)|let's|lets"
    r"|i (?:actually )?want|should be|how about|just|use|instead|sondern)\b|^(?:[\w./+-]+,? ){1,4}not \S+[\s.!]*$"
    r"|^(?:[\w/-]+ ){1,4}first[\s.!]*$"
)
# A turn as short as this is quoted whole.
_SHORT_ANSWER = 160
_FEW_WORDS = 6
_FEW_SENTENCES = 4
_WHOLE_CLAUSE = re.compile(r"\b(?:i'll|i|my|is|are|was|were|returns?|would|has|have|had|think|see|got)\b|:$|^whats\b")
_ASSENT = re.compile(r"^(?:ok(?:ay|ey)?|k+|alright|fine|cool|right|gut|好)\b")
_IT_WORKS = re.compile(r"^(?:it |that |this |everything |all )?works?\b(?! for me)")
_UNSURE = re.compile(r"^(?:idk|dunno|well|i (?:guess|think|suppose)|maybe|probably|,| )+")
_IN_FAVOUR = Cue("a word in favour of one of the agent's alternatives", 0.65, FAVOURS)
_THIS_NOT_THAT = re.compile(
    r"^(?!not\b|no\b|that's|it's|its |i |you |we |this |that |there|why|it )[^,;?]{2,60}[,;]? not (?!sure|only|yet"
    r"|really|bad|to\b)\w+"
)
_CONTRAST = Cue("this, not that", 0.7, _THIS_NOT_THAT)
_WITH_REASON = re.compile(
    r"^((?!i |we |you |it |that |this |they |there )(?:[\w./+-]+ ){0,2}[\w./+-]+)(?:, (?:because |since |as )?|"
    r" because | since )"
    r"(?:we|it|it's|they|that|nobody|everyone|everybody|people|users|there|our|the) \w+"
)
_NAMED = Cue("one thing named, with a reason", 0.6, _WITH_REASON)
_AGAINST = Cue("an order that follows from a no or a conclusion", 0.6, IMPERATIVE)
_LOOKS = re.compile(rf"^(?:{LOOKING}|show|tell|explain|check|find|list|give|look)\b")
_CONCLUDES = re.compile(r"^(?:ok |ah |right |hm+ )?(?:so|then|therefore|which means|that means|also dann)\b")
_LED = Cue("an order that follows from agreeing", 0.65, LEADS)


def decisions(heard: Heard, rejected: set[int]) -> list[Note]:
    """Approvals, picked options, mappings, explicit choices. `rejected`: starts of sentences that say no."""
    if heard.document or heard.turn.turn.kind == "answer":
        return []
    put = proposal(heard)
    notes = _settled(heard, put)
    taken = {one.span.start for note in notes for one in note.said}
    notes += _mappings(heard, taken)
    for one in heard.said:
        if one.span.start in taken or one.conditional:
            continue
        cue = _choice(heard, one, rejected=one.span.start in rejected) or _after_no(heard, one, rejected)
        if cue is not None:
            notes.append(_chosen(heard, one, put, cue))
    return notes or _echo(heard, put, rejected)


def _after_no(heard: Heard, one: Said, rejected: set[int]) -> Cue | None:
    """What is to be done in place of what was just refused: "that would only delay it. fix the leak"."""
    before = [other for other in heard.said if other.span.end <= one.span.start][-1:]
    if not before or one.span.start in rejected or one.asks or heard.reply_to is None:
        return None
    follows = before[0].span.start in rejected or (_CONCLUDES.match(before[0].low) and not before[0].asks)
    return _AGAINST if follows and IMPERATIVE.match(one.core) and not _LOOKS.match(one.core) else None


def _echo(heard: Heard, put: Proposal | None, rejected: set[int]) -> list[Note]:
    """A few words that repeat some of an open question answer it: "the column only", "accounts for now"."""
    if put is None or heard.stopped or not 0 < len(heard.said) <= _FEW_SENTENCES:
        return []
    open_choice = alternatives(put)
    if not is_offer(put.offer) and not open_choice:
        return []
    few = 2 * _FEW_WORDS if open_choice else _FEW_WORDS
    last = [s for s in put.spans if s.kind in ("prose", "item")][-8:]
    for one in heard.said[:3]:
        low = _UNSURE.sub("", one.low)
        if one.asks or one.span.start in rejected or len(low.split()) > few or _WHOLE_CLAUSE.search(low):
            continue
        near = closest(one.low, last)
        if near:
            return [_agreement(heard, [one], put, [near], "a few words that answer the question")._replace(sure=0.6)]
    return []


def taken_up(heard: Heard, one: Said) -> Note | None:
    """A request that takes up what the agent offered settles it."""
    put = proposal(heard)
    offer = None if put is None else put.offer or (put.advice if announced(put) else None)
    if put is None or offer is None or heard.stopped or one.conditional:
        return None
    last = [s for s in put.spans if s.kind in ("prose", "item")][-8:]
    if not (shared_words(one.low, offer.text) or shared_words(one.low, " ".join(s.text for s in last)) >= 2):
        return None
    spans = [closest(one.low, last) or offer]
    return _agreement(heard, [one], put, spans, "a request that takes up the agent's offer")._replace(sure=0.6)


def _settled(heard: Heard, put: Proposal | None) -> list[Note]:
    """A short answer that settles what was proposed."""
    if put is None or not heard.said or heard.turn.turn.kind == "denied":
        return []
    options = picked(heard.said[0], put)
    if options:
        return [_agreement(heard, heard.said[:1], put, options, "an option picked from the agent's list")]
    at = next((i for i, one in enumerate(heard.said[:3]) if not one.asks and says_yes(one, put)), None)
    if at is None:
        mild = MILD.match(heard.said[0].low.strip(" !"))
        if not mild or not (
            (is_offer(put.offer) and len(heard.said) == 1) or (_ASSENT.match(heard.said[0].low) and announced(put))
        ):
            return []
        at = 0
    if not _settles(heard, put, heard.said[at]):
        return []
    run = [heard.said[at]]
    for one in heard.said[at + 1 : at + 4]:
        if one.asks or not approves(one.low):
            break
        run.append(one)
    before = heard.said[:at]
    if before and run[-1].span.end - before[0].span.start <= _SHORT_ANSWER and not any(one.asks for one in before):
        run = before + run
    return [_agreement(heard, run, put, accepted(run, put), "an answer that settles the agent's proposal")]


def _settles(heard: Heard, put: Proposal, one: Said) -> bool:
    """A yes to a question for information settles nothing, nor does going on after an interruption."""
    if is_offer(put.offer) or put.options:
        return True
    if heard.stopped or any(other.asks for other in heard.said):
        return False
    if (ONLY_ACK.match(one.low) or _IT_WORKS.match(one.core)) and not announced(put):
        return False
    return put.offer is None or len(content_words(one.low)) > 1


def _agreement(heard: Heard, run: list[Said], put: Proposal, spans: list[Span], cue: str) -> Note:
    words = verbatim(heard, run)
    detail: dict[str, Any] = {"choice": squeeze(" / ".join(s.text for s in spans))[:500], **details(words)}
    detail["reasoning"] = detail.pop("why")
    options = [squeeze(span.text)[:160] for span in put.options.values()][:8]
    detail["options"] = options if len(options) >= 2 else []
    sure = 0.85 if is_offer(put.offer) or put.options else 0.65
    thing = " ".join(s.text for s in spans)
    return Note("decision", run, "The user agrees to", cue, sure, detail, thing, [quote(put.turn, s) for s in spans])


def _mappings(heard: Heard, taken: set[int]) -> list[Note]:
    """Lines of the form "this, that -> there", taken together."""
    lines = [one for one in heard.said if MAPPING.match(one.text) and one.span.start not in taken]
    if not lines or len(lines[0].text) > 300:
        return []
    taken.update(one.span.start for one in lines)
    choice = squeeze(verbatim(heard, lines))[:500]
    return [Note("decision", lines, "The user decides", "a list of what goes where", 0.8, {"choice": choice})]


def _choice(heard: Heard, one: Said, *, rejected: bool) -> Cue | None:
    if one.text.rstrip().endswith(":") or QUOTES_SOMEBODY.match(one.core) or len(content_words(one.low)) < 1:
        return None
    if one.asks and QUESTION.match(one.core):
        return None
    if rejected and not one.asks and _THIS_NOT_THAT.match(one.core):
        return _CONTRAST
    if rejected and not _STILL_CHOOSES.search(one.low):
        return None
    if (
        heard.reply_to is not None
        and not one.asks
        and _led(heard, one)
        and (IMPERATIVE.match(LEADS.sub("", one.low)) or IMPERATIVE.match(one.core))
    ):
        return _LED
    cue = None if one.asks else first(CHOICES, one.low) or _by_answering(heard, one, rejected=rejected)
    return (
        cue
        or (first(TOGETHER, one.low) if heard.reply_to is not None else None)
        or (first(CHOICES[:1], one.low) if one.asks else None)
    )


def _by_answering(heard: Heard, one: Said, *, rejected: bool) -> Cue | None:
    """A statement that chooses because of what the agent said before it."""
    if heard.reply_to is None:
        return None
    stated = None if NOT_WORKING.search(one.low) else first(STATED, one.low)
    if stated is not None or rejected:
        return stated
    if _favours(heard, one):
        return _IN_FAVOUR
    return _NAMED if _names_one(heard, one) else None


def _names_one(heard: Heard, one: Said) -> bool:
    """A thing named with a reason, where something was proposed: "Gravity Forms, we already pay for it"."""
    named = _WITH_REASON.match(one.core)
    put = proposal(heard)
    if named is None or put is None or heard.said[0] is not one or not content_words(named.group(1)):
        return False
    return not (MILD.match(named.group(1)) or approves(named.group(1))) and (is_offer(put.offer) or announced(put))


def _favours(heard: Heard, one: Said) -> bool:
    """Whether a sentence speaks for one of the things the agent left open."""
    put = proposal(heard)
    if put is None or not FAVOURS.search(one.low) or not (is_offer(put.offer) or put.options or alternatives(put)):
        return False
    return bool(shared_words(one.low, " ".join(span.text for span in put.spans[-8:])))


def _led(heard: Heard, one: Said) -> bool:
    """Whether agreement stands before this: in the sentence or as the sentence before."""
    before = [other for other in heard.said if other.span.end <= one.span.start]
    return bool(
        LEADS.match(one.low) or (before and (MILD.match(before[-1].low.strip(" !")) or ONLY_ACK.match(before[-1].low)))
    )


def _chosen(heard: Heard, one: Said, put: Proposal | None, cue: Cue) -> Note:
    near = None
    if put is not None and len(content_words(one.text)) < 6:
        near = closest(one.text, [s for s in put.spans if s.kind in ("prose", "item")])
    detail = {"choice": squeeze(one.text)[:300], **details(one.text)}
    detail["reasoning"] = detail.pop("why")
    opening = "The user proposes" if cue.name == "a suggestion of the person" else "The user decides"
    settles = [quote(put.turn, near)] if put is not None and near is not None else []
    return Note("decision", [one], opening, cue.name, cue.sure, detail, near.text if near else "", settles)
