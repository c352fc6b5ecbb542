"""Facts said in so many words: what a sentence is about, and what it says of that (`facts.toml`)."""

import re
from functools import cache
from typing import Final, NamedTuple

from steno.language.sentence import sentences
from steno.language.words import data, normal, squeeze

_LONGEST: Final = 200
# What is asked, supposed, denied, told of the past or wished for is no fact.
_NOT_SO: Final = re.compile(
    r"\?|\b(?:if|when|maybe|perhaps|i (?:think|guess|believe)|probably|might|should|could|would|seems?|suppose|assume"
    r"|imagine|pretend|let's|for example|not|\w+n't|never|no longer|was|were|used to|ago|also|another|please|want|can"
    r" you"
    r"|vielleicht|glaube|denke|wahrscheinlich|wenn|falls|nicht|kein\w*|nie|war|waren|auch|bitte|soll\w*)\b",
    re.IGNORECASE,
)
_MARKUP: Final = re.compile(r"[`*\"“”]")


class Frame(NamedTuple):
    """A fact: of two with the same name and subject only one can hold."""

    name: str
    # Subject and relation, normalised.
    about: str
    value: str


def stated(text: str) -> Frame | None:
    """The first fact a text states."""
    return frame(text) or next(filter(None, (frame(sentence.text) for sentence in sentences(text))), None)


def frame(sentence: str) -> Frame | None:
    """The fact a sentence states, if it plainly states one."""
    said = squeeze(_MARKUP.sub("", sentence.replace("’", "'"))).rstrip(".!")
    if len(said) > _LONGEST or _NOT_SO.search(said):
        return None
    found = ((name, pattern.fullmatch(said)) for name, pattern in _patterns())
    return next((Frame(name, normal(one["about"]), normal(one["value"])) for name, one in found if one), None)


@cache
def _patterns() -> list[tuple[str, re.Pattern[str]]]:
    """The patterns of all frames, in order."""
    told = data("facts")
    parts: dict[str, str] = {}
    for name, part in told["parts"].items():
        parts[name] = _filled(part, parts)
    whole = "{lead}(?:%s){tail}"
    return [
        (frame["name"], re.compile(_filled(whole % pattern, parts)))
        for frame in told["frame"]
        for pattern in frame["patterns"]
    ]


def _filled(pattern: str, parts: dict[str, str]) -> str:
    """A pattern with the parts it names."""
    return re.sub(r"\{([a-z]+)\}", lambda named: parts[named[1]], pattern)
