"""How a turn sounds that ends a discussion, or says something anew."""

import re
from collections.abc import Iterable
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
# Words of a change, and figures: what was settled is often a number, and what changes is the number. In small letters,
# which are looked through three times as fast as any.
_CHANGES: Final = re.compile(
    r"(?<!\w)(?:now|instead|no longer|(?:any|no) ?more|chang(?:e|ed)|moved?|replaced?|switch\w*|deleted?|removed?|gone|"
    r"goes?|out|left|dropp?\w*|raised?|new|then|since|from|make it|jetzt|statt|ab|neu(?:e[mnrs]?)?|nicht mehr|geändert|"
    r"ersetzt)\b"
)
_FIGURE: Final = re.compile(
    r"\d|(?<!\w)(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|half|zero|once|twice)\b"
)
# Numbers that are written as words, and what they are.
_NUMBERS: Final = {
    word.casefold(): figure
    for figure, words in {
        "0": "zero null", "1": "one once ein eins", "2": "two twice zwei", "3": "three drei", "4": "four vier",
        "5": "five fünf", "6": "six sechs", "7": "seven sieben", "8": "eight acht", "9": "nine neun",
        "10": "ten zehn", "11": "eleven elf", "12": "twelve zwölf", "13": "thirteen", "14": "fourteen",
        "15": "fifteen", "16": "sixteen", "17": "seventeen", "18": "eighteen", "19": "nineteen",
        "20": "twenty zwanzig", "30": "thirty dreißig", "40": "forty", "50": "fifty", "60": "sixty", "90": "ninety",
        "100": "hundred hundert", "1/2": "half", "12:00": "noon", "0:00": "midnight",
    }.items()
    for word in words.split()
}  # fmt: skip
_NUMBER: Final = re.compile(r"\d+(?:[.,:]\d+)*")
_TIME: Final = re.compile(
    r"(?<!\w)(?:yesterday|today|tomorrow|tonight|last|next|ago|week(?:end|s)?|months?|years?|morning|(?:mon|tues|wednes|"
    r"thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october|november|december|since|"
    r"until|20\d\d|\d{1,2}(?:am|pm|st|nd|rd|th))\b"
)


def changes(said: str) -> bool:
    """Whether a turn, in small letters, speaks of a change."""
    return _CHANGES.search(said) is not None


def asks_something(said: str) -> bool:
    """Whether a turn asks something, anywhere in it."""
    return "?" in said


def has_figure(said: str) -> bool:
    """Whether a turn, in small letters, names a number."""
    return _FIGURE.search(said) is not None


def figures(said: str, words: Iterable[str]) -> frozenset[str]:
    """The numbers a turn names, however they are written: in its text, and among its words in small letters."""
    return frozenset(_NUMBER.findall(said)).union(_NUMBERS[word] for word in _NUMBERS.keys() & set(words))


def names_time(said: str) -> bool:
    """Whether a turn, in small letters, says when something is."""
    return _TIME.search(said) is not None


def settles(role: str, text: str) -> bool:
    """Whether a turn looks like the end of a discussion."""
    return bool((_YES if role == "user" else _DONE).match(text.lstrip()[:60]))
