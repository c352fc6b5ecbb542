"""Cues in an assistant's sentence, each with a name a person understands.

All but IDENTIFIER are searched in lower-case text: ignoring case in a pattern costs three times as much.
"""

import re
from functools import lru_cache
from typing import NamedTuple


class Cue(NamedTuple):
    """A trait of a sentence, and what it speaks for (above 0) or against (below)."""

    name: str
    pattern: str
    weight: float
    # One of the cues without which the sum does not matter.
    key: bool = False


def cue(name: str, weight: float, *patterns: str, key: bool = False) -> Cue:
    return Cue(name, "|".join(f"(?:{pattern})" for pattern in patterns), weight, key)


# Names of things in code: `ticked`, file.ext, snake_case, CamelCase, CAPS_CASE, calls(), #12, paths/with/slashes.
IDENTIFIER = re.compile(
    r"`[^`\n]{2,80}`|\b[\w-]{1,80}\.(?:ts|tsx|js|jsx|mjs|py|go|rs|java|rb|c|h|cpp|cs|md|json|jsonl|toml|yaml|yml|"
    r"sh|sql|html|css|lock)\b"
    r"|\b[A-Za-z]{1,60}_\w+|\b[a-z]{1,60}[A-Z]\w+|\b(?:[A-Z][a-z0-9]{1,40}){2,8}\b|\b\w{1,80}\(\)|"
    r"(?<!\w)#\d+\b|\b[A-Z]{2,}-?\d+\b|(?:\b|~|\.)/?[\w.-]{1,80}/[\w./-]{1,200}"
)
# Words that may hold such a name. Plain words, nearly all of a text, are told apart without a pattern.
_TOKEN = re.compile(r"`[^`\n]{2,80}`|[\w.~/#-][\w./()#-]*")


@lru_cache(maxsize=512)
def identifiers(text: str) -> tuple[str, ...]:
    """The names of things in code, in order: what IDENTIFIER finds, in half the time."""
    found: list[str] = []
    for token in _TOKEN.findall(text):
        if token[0] == "`":
            found.append(token)
        elif not token.isalpha() or not token[1:].islower():
            found.extend(IDENTIFIER.findall(token))
    return tuple(found)


# Doubt: what it touches is a hypothesis.
HEDGES = re.compile(
    r"\b(?:likely|probably|presumably|perhaps|maybe|might|may be|may not|could be|could have|possibly|i think|"
    r"i believe|i suspect|"
    r"i guess|suspicion|seems?|appears? to|looks? like|suggests?|assum(?:e|ing|ption)|not sure|unclear|"
    r"i'd guess|my (?:guess|theory|hypothesis|bet)|most likely|should work|vermutung|verdacht|"
    r"almost certainly|vermutlich|wahrscheinlich)\b",
)
CONFIRMS = re.compile(r"\b(?:confirmed|confirms|verified|proven|reproduced|there it is|found it|definitely|indeed)\b")
REASON = re.compile(
    r"\b(?:because|since|so that|due to|as a result|therefore|which means|so it|so the|so we|so you|hence|thus|"
    r"to avoid|in order to)\b|, so\b"
)
NEGATED = re.compile(
    r"n't\b|\b(?:not|never|none|nobody|nothing|neither|nor|without|no longer|no more|missing|ignores?d?|"
    r"lacks?|no \w+)\b"
)
# Announces work.
NARRATES = re.compile(
    r"(?:(?:ok|okay|good|great|right|alright|perfect|excellent|sure|yes|done|clean|hmm|wait|actually|"
    r"so)\b[\s,.!—–-]+)*(?:now|first|next|then|also|before [^,]{1,40},|to \w[^,]{1,40},)?[\s,:]*"
    r"(?:let me|let's|let us|i'll|i will|i'm going to|i am going to|i need to|we need to|i now|now i|"
    r"i can now|now to|"
    r"i want to|time to|starting with|checking|looking|continuing|proceeding|i'm (?:now )?\w+ing|next,? i|"
    r"update|add|create|read|run|fix|"
    r"remove|check|verify|replace|commit|push|see|need to|running|moving on|on to|onto)\b",
)
PERSONS = re.compile(r"\b(?:i|i'll|i'm|i've|i'd|we|we'll|we've|we're|you|you'll|let's|my)\b")
