"""What short words settle: a yes, a number, an ordinal, against what the agent left open."""

import re

from steno.scribe.human_choices import ORDINALS, PICK, PICK_WORDS, YES_FIRST, YES_LAST, approves
from steno.scribe.human_hear import Said, normal
from steno.scribe.human_refer import Proposal, closest, is_offer
from steno.scribe.text import Span
from steno.terms import content_words

_CHOICE_LEFT = re.compile(r"\b(?:either|or|alternatively|versus|vs|oder)\b|; \S")
_ABOUT_TO = re.compile(
    r"\b(?:i'll|i will|i (?:suggest|recommend|propose)|my suggestion|i'd|i would|i can|i could|let's|we (?:can|could"
    r"|should)|ich (?:würde|werde|kann))\b"
)


def says_yes(one: Said, put: Proposal) -> bool:
    if approves(one.low):
        return True
    return is_offer(put.offer) and bool(YES_FIRST.match(one.low) or YES_LAST.search(one.low))


def announced(put: Proposal) -> bool:
    """Whether the agent ended by saying what it is about to do, or would do."""
    spoken = [span for span in put.spans if span.kind in ("prose", "item")]
    return put.advice is not None and put.advice in spoken[-2:] and bool(_ABOUT_TO.search(normal(put.advice.text)))


def would_do(put: Proposal) -> bool:
    """Whether the agent's last words say what it would do, in whatever form."""
    spoken = [span for span in put.spans if span.kind in ("prose", "item")]
    return any(_ABOUT_TO.search(normal(span.text)) for span in spoken[-2:])


def picked(lead: Said, put: Proposal) -> list[Span]:
    """The listed alternatives a letter or number stands for."""
    low = lead.low.strip(" !.?")
    options = put.options or _bullets(put)
    if not options or len(low) > 80:
        return []
    for word, label in ORDINALS.items():
        low = re.sub(
            rf"\b(?:the |das |die |den )?{word}[nrs]?(?: one| option| approach| thing| way| idea)\b|\b(?:the|das|die"
            rf"|den) {word}[nrs]?\b",
            label,
            low,
        )
    words = re.split(r"[\s,.&+!():#]+", low)
    if any(len(word) > 2 and word not in PICK_WORDS for word in words):
        return []
    bare = len([word for word in words if word]) <= 3
    labels = [found for found in PICK.findall(low) if found in options and (found != "a" or bare)]
    return [options[label] for label in dict.fromkeys(labels)]


def _bullets(put: Proposal) -> dict[str, Span]:
    """Points of a list without numbers, counted: "the second one"."""
    items = [span for span in put.spans if span.kind == "item" and span.label in ("-", "*", "•", "+")]
    return {str(number): span for number, span in enumerate(items[:9], start=1)} if is_offer(put.offer) else {}


def accepted(run: list[Said], put: Proposal) -> list[Span]:
    """The sentences agreed to: the closest in words, the advice, the offer; else the last thing the agent said."""
    spoken = [s for s in put.spans if s.kind in ("prose", "item")]
    words = " ".join(one.low for one in run)
    near = closest(words, spoken) if len(content_words(words)) >= 2 else None
    found = [s for s in (near, put.advice, put.offer) if s is not None] or spoken[-1:]
    return [span for index, span in enumerate(found) if span not in found[:index]]


def alternatives(put: Proposal) -> bool:
    """Whether the agent's last words leave a choice: "either … or", "one gives …; the other …"."""
    spoken = [span for span in put.spans if span.kind in ("prose", "item")]
    return any(_CHOICE_LEFT.search(normal(span.text)) for span in spoken[-2:])
