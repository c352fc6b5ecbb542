"""Objections by a fact: where something is proposed, a constraint or a flaw is named and nothing is agreed to."""

import re

from steno.scribe.human_asks import IMPERATIVE
from steno.scribe.human_choices import approves
from steno.scribe.human_cues import Cue
from steno.scribe.human_hear import Heard, Said
from steno.scribe.human_refer import is_offer, proposal
from steno.scribe.human_settle import announced, would_do

# "We support 15 until March", "zero deps is the whole selling point", "we had only Euler in class".
_CONSTRAINT = Cue(
    "a constraint set against the proposal",
    0.65,
    re.compile(
        r"\b(?:we|they|users?|customers?|clients?|some of us) (?:still |also |only |just |all )?(?:(?:support"
        r"|target|run on"
        r"|are on|are stuck)(?:s|ed)? (?:on |with )?(?:only |just |still |(?:\w+ )?\d|\S+ (?:until|till|through)\b)"
        r"|(?:have|had|use|get|know|run) (?:only|just)\b)|\bselling point\b|^zero \w+ is\b"
        r"|\b(?:is|was|that's) the (?:whole|entire) (?:point|idea|reason)\b|\b(?:would|will|'d|'ll) never"
        r" (?:allow|approve|accept|sign|let|find|agree|use|fly|pass)\b|\bcan of worms\b|\brabbit hole\b"
        r"|\bslippery slope\b"
        r"|\b(?:we|i)(?:'ve| have)? (?:already )?tried (?:that|it|this)\b|\b(?:isn't|is not|not) (?:available "
        r"|installed"
        r" |allowed )?on (?:our|the|their) (?:build|prod|ci|customers?|servers?|machines?|cluster|targets?)\w*"
    ),
)
# "It swallows the error. Use do/catch": a flaw, then what to do instead.
_FLAW = Cue(
    "a flaw named, then what to do instead",
    0.65,
    re.compile(
        r"\b(?:swallow|hide|leak|block|clobber|shadow|mask|duplicate|defeat|lose|obscure|bypass|allocate|mutate"
        r"|overwrite|pollute|couple|assume|ignore)s (?:the|our|all|every|its|any|on|an?|that|us|everything)\b"
    ),
)
# "What I do not need", above a list.
TITLE = re.compile(r"^what (?:i|we) (?:do not|don't) (?:need|want)\W*$")
_INSTEAD = re.compile(r"^(?:use|make|go|take|put|switch|return|throw|wrap|let|pass|move|do)\b")


def objection(heard: Heard, one: Said) -> Cue | None:
    """Why a plain statement is a no here, if it is."""
    if one.asks or heard.reply_to is None or any(approves(other.low) for other in heard.said):
        return None
    if _FLAW.pattern.search(one.low) and _next_is_order(heard, one):
        return _FLAW
    put = proposal(heard)
    if put is None or not (is_offer(put.offer) or announced(put) or would_do(put)) or one not in heard.said[:2]:
        return None
    return _CONSTRAINT if _CONSTRAINT.pattern.search(one.low) and not IMPERATIVE.match(one.core) else None


def _next_is_order(heard: Heard, one: Said) -> bool:
    after = [other for other in heard.said if other.span.start >= one.span.end]
    return bool(after) and bool(_INSTEAD.match(after[0].core))
