"""From a part of what an agent said to words that can be understood alone: summary, reason, what was not taken."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from steno.language.lexicon import lexicon
from steno.language.names import names
from steno.language.sentence import sentences
from steno.language.words import content_words, squeeze
from steno.scribe.passages import Moment, Part, plain

SUMMARY, CONTEXT, NAMES = 400, 140, 6
# How many sentences around a choice tell of it.
_NEAR: Final = 3
# Letters above which words give a sentence something to lean on.
LEANS_ON: Final = 8

_CLAUSE: Final = re.compile(r"[.,;:—–]")


def summary(part: Part, moment: Moment) -> str:
    """The part as a sentence, after what it leans on: the line above the list, the sentence before, the question."""
    words = plain(part.text)
    leans = lexicon("leans").search(words) is not None or part.span.kind != "prose" or not names(part.text)
    context = _context(part, moment) if leans else ""
    return (f"{context}: {words}" if context and context.lower() not in words.lower() else words)[:SUMMARY]


def _context(part: Part, moment: Moment) -> str:
    near = part.lead if part.span.kind != "prose" else part.before or part.lead
    for words in (plain(near), plain(part.heading)):
        if len(words) > LEANS_ON:
            return shortened(words, CONTEXT).rstrip(".")
    # A yes says nothing of what is reported.
    words = asked(moment) if moment.first_answer else ""
    return "" if lexicon("yes").covers(words) else plain(words)


def asked(moment: Moment) -> str:
    """What the person said that this answers, shortened: their question, or their first sentence."""
    return _asked(moment.human.turn.text[:1000]) if moment.human else ""


@lru_cache(maxsize=32)
def _asked(text: str) -> str:
    said = [span.text for span in sentences(text) if span.kind in ("prose", "item")]
    question = next((words for words in said if words.endswith("?")), said[0] if said else "")
    return shortened(squeeze(question), CONTEXT)


def shortened(text: str, length: int) -> str:
    """The text cut at a word, if it must be."""
    return text if len(text) <= length else text[:length].rsplit(" ", 1)[0] + " …"


def reasoning(part: Part) -> str:
    """The reason given in the sentence, behind a dash in it, or right after it."""
    if found := lexicon("reason").search(part.text):
        return shortened(plain(part.text[found.start :]), CONTEXT)
    _, dash, behind = part.text.partition(" — ")
    explains = lexicon("reason").opens(part.after) or part.after.startswith(("So ", "This ", "That "))
    return shortened(plain(behind if dash else part.after if explains else ""), CONTEXT)


def not_taken(part: Part) -> list[str]:
    """What a choice was made over, as far as the sentence says."""
    found = lexicon("instead_of").search(part.text)
    return [plain(_CLAUSE.split(part.text[found.end :].strip(), maxsplit=1)[0])] if found else []


def beside(name: str, part: Part, parts: Sequence[Part]) -> str:
    """The nearest sentence around a choice with a cue: what may go wrong, how it is undone."""
    at = next((place for place, one in enumerate(parts) if one.span.start == part.span.start), 0)
    near = sorted(parts[max(0, at - _NEAR) : at + _NEAR + 1], key=lambda one: abs(one.span.start - part.span.start))
    told = (one.text for one in near if not one.low.endswith("?") and lexicon(name).search(one.text))
    return shortened(plain(next(told, "")), CONTEXT)


def about(*texts: str) -> list[str]:
    """Names of things in texts."""
    return list(names("\n".join(texts))[:NAMES])


def subject(*texts: str) -> list[str]:
    """Words that say what texts are about."""
    return content_words(" ".join(texts), 8)
