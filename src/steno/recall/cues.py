"""How a turn sounds that ends a discussion, or says something anew."""

import re
from typing import Final

# How a turn begins that ends a discussion: a person's word, or an agent's report that it was done.
_YES: Final = re.compile(
    r"(?:lol|haha|hm+|well|great|perfect|good|nice|cool)?[\s,.!]*(?:ok(?:ay)?|yes|yeah|yep|yup|right|sure|fine|agreed|deal|"
    r"both|all (?:of|three|four|that)|go (?:with|for|ahead)|do (?:it|that|so|b|a|c)|then|no|nope|not|never|don'?t|"
    r"let'?s|use|keep|make|take|[a-d1-4](?=[\s.,!)]|$)|the (?:first|second|third|last|other)|ja|nein|genau|gut|mach)\b",
    re.IGNORECASE,
)
_DONE: Final = re.compile(
    r"(?:done|built|fixed|implemented|added|changed|in|set|switched|moved|removed|agreed|decided|so|as you said|"
    r"understood|will do|noted|recorded|fertig|erledigt|from now on)\b[\s:,.]",
    re.IGNORECASE,
)
# Words of a change, and of what is wrong with what was: in small letters, which are looked through three times as fast
# as any. So many different ones are enough.
_CHANGES: Final = re.compile(
    r"(?<!\w)(?:now|instead|rather|actually|after all|on second thoughts?|no longer|(?:any|no) ?more|not enough|enough|"
    r"plenty|too (?:much|many|long|short|slow|tight|small|big|high|low|few|late|early)|chang(?:e|es|ed)|moved?|moves|"
    r"replace[sd]?|switch\w*|deleted?|removed?|scrap\w*|forget|gone|goes?|out|left|dropp?\w*|raised?|lower(?:ed)?|bump\w*|"
    r"cut|cap(?:ped)?|half|double[ds]?|(?:up|down) to|only|new|then|since|from|as of|let'?s (?:go|make|do|use|take)|"
    r"make (?:it|that|the)|(?:went|going) with|takes? over|jetzt|künftig|ab|statt|lieber|doch|neu(?:e[mnrs]?)?|"
    r"nicht mehr|reicht|zu (?:viel|lang|kurz|teuer|spät|früh)|geändert|ersetzt)\b"
)
_ENOUGH: Final = 3
_QUESTION: Final = re.compile(r"[^.!?\n]*\?\s*")
_TIME: Final = re.compile(
    r"(?<!\w)(?:yesterday|today|tomorrow|tonight|last|next|ago|week(?:end|s)?|months?|years?|morning|(?:mon|tues|wednes|"
    r"thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october|november|december|since|"
    r"until|20\d\d|\d{1,2}(?:am|pm|st|nd|rd|th))\b"
)


def changes(said: str) -> float:
    """How much a turn, in small letters, speaks of a change: a share."""
    return min(_ENOUGH, len(set(_CHANGES.findall(said)))) / _ENOUGH


def only_asks(said: str) -> bool:
    """Whether a turn is one question and nothing else."""
    return _QUESTION.fullmatch(said) is not None


def asks_something(said: str) -> bool:
    """Whether a turn asks something, anywhere in it."""
    return "?" in said


def names_time(said: str) -> bool:
    """Whether a turn, in small letters, says when something is."""
    return _TIME.search(said) is not None


def settles(role: str, text: str) -> bool:
    """Whether a turn looks like the end of a discussion."""
    return bool((_YES if role == "user" else _DONE).match(text.lstrip()[:60]))
