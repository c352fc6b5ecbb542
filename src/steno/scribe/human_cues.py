"""What a cue is, and the small words in front of a sentence. The tables are in the modules beside this one.

English first, German, a little Chinese. A table is a list of (what the cue is, in plain words; how sure; patterns).
Patterns see a sentence in lower case, with
straight apostrophes; "^" is where it begins once small words ("ok so hmm …") are taken off. None nests repetitions.
"""

import re
from typing import NamedTuple

_TOKEN = re.compile(r"\\.|[\[\]()|]", re.DOTALL)


class Cue(NamedTuple):
    """Why a sentence is taken for what it is."""

    name: str
    sure: float
    pattern: re.Pattern[str]


def table(*rows: tuple[str, float, tuple[str, ...]]) -> tuple[Cue, ...]:
    """Cues in the order in which they are tried."""
    return tuple(Cue(name, sure, re.compile(factored("|".join(parts)))) for name, sure, parts in rows)


def factored(pattern: str) -> str:
    """The same pattern, tried faster: what begins a sentence or a word is gathered behind one "^" and one "\\b"."""
    kinds: dict[str, list[str]] = {"^": [], r"\b": [], "": []}
    for choice in _choices(pattern):
        kind = next(kind for kind in kinds if choice.startswith(kind))
        kinds[kind].append(choice[len(kind) :])
    return "|".join(f"{kind}(?:{'|'.join(choices)})" for kind, choices in kinds.items() if choices)


def _choices(pattern: str) -> list[str]:
    """What stands between the outermost bars."""
    found, depth, start, inside = [], 0, 0, False
    for token in _TOKEN.finditer(pattern):
        mark = token.group()
        if mark == "[" or mark == "]":
            inside = mark == "["
        elif not inside and mark in "()":
            depth += 1 if mark == "(" else -1
        elif not inside and mark == "|" and depth == 0:
            found.append(pattern[start : token.start()])
            start = token.end()
    return [*found, pattern[start:]]


def first(cues: tuple[Cue, ...], low: str) -> Cue | None:
    """The first cue of the table that is in the sentence."""
    for cue in cues:
        if cue.pattern.search(low):
            return cue
    return None


def first_of(cues: tuple[Cue, ...], core: str, low: str) -> Cue | None:
    """The first cue in the sentence without its small words, else in its beginning with them."""
    lead = len(low) - len(core)
    return first(cues, core) or (first(cues, low[: lead + _OVERLAP]) if lead > 0 else None)


# As much of a sentence as a cue that begins in its small words may reach into.
_OVERLAP = 60
# Words in front that carry mood but no content, and a file named before the request.
_SMALL = (
    r"(?:ok(?:ay|ey)?|k|so|well|alright|right|and|but|also|then|now|btw|oh+|ah+|hey|hi|ugh|um+|uh+m*|h+m+|eh+|er+m*"
    r"|actually"
    r"|please|pls|plz|just|wait|cool|great|nice|thanks|thank you|i mean|tbh|imo|imho|honestly|basically|maybe|perhaps"
    r"|however|anyway|crap|damn|shit|fuck|god|gosh|jesus|christ|omg|jeez|sorry|look|listen|dude|man|bro|again|ach"
    r"|bitte|na ja|naja|first|next|finally"
    r"|one more thing|one thing|quick(?:ly)?|claude|codex|gemini|though|yeah|obviously|really|still"
    r"|lol|haha+|rofl|dann)"
)
_LEAD = r"[\s(\[*_…,.:;!~–—-]"
SMALL_WORDS = re.compile(rf"^{_LEAD}*(?:{_SMALL}\b{_LEAD}*)+|^{_LEAD}+")
FILE_FIRST = re.compile(
    r"^(?:@?(?:[\w.~-]*/[\w./-]+|[\w-]+\.[a-z]{1,4})(?::\d+(?:-\d+)?)?[,:]? )+(?:[-–—] )?(?=[a-z]+ \w)"
)
HEDGED = re.compile(r"^[\s(…,.*-]*(?:h+m+|eh+|meh|u+h+m*|u+m+|ugh|er+m*|ew+|yikes|sigh|oof|nah|argh?|naja|wait|huh)\b")
