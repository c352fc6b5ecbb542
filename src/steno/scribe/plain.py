"""Whether a sentence says something plainly: a frozen list of patterns, kept as data beside sentences that must and
must not match (`patterns.toml`)."""

import re
from functools import cache
from importlib.resources import files
from typing import Final, Literal

import msgspec

from steno.vocabulary import Category

# A sentence of more words or characters is no plain statement.
_WORDS, _LONGEST = 90, 1_200
_QUOTED: Final = re.compile(r"`[^`]*`|[\"“„][^\"“”]{12,}[\"”“]|https?://\S+")
# Where a thought ends: doubt behind it is about something else.
_THOUGHT: Final = re.compile(r",\s*(?:but|aber)\b|[;:]|\s[–—-]\s|$")


class Pattern(msgspec.Struct, frozen=True):
    """A way of saying something plainly."""

    name: str
    category: Category
    words: str
    # Until when it holds: until a person ends it, or for its piece of work.
    reach: Literal["standing", "work"] = "work"
    # It forbids or orders in so many words: the gate may ask.
    binds: bool = False
    preference: bool = False
    # It counts in a long brief, too.
    in_briefs: bool = False
    # Sentences it must and must not be found in.
    must: tuple[str, ...] = ()
    mustnt: tuple[str, ...] = ()


class _Patterns(msgspec.Struct):
    pieces: dict[str, str]
    guards: dict[str, str]
    cues: dict[str, str]
    # What people say, and what agents state.
    pattern: list[Pattern]
    agent: list[Pattern]


@cache
def patterns() -> dict[str, tuple[Pattern, re.Pattern[str]]]:
    """All patterns, by name, in order."""
    return {one.name: (one, _compiled(one.words)) for one in _data().pattern}


@cache
def cue(name: str) -> re.Pattern[str]:
    """Words that tell something together with where they stand."""
    return _compiled(_data().cues[name])


@cache
def agents_patterns() -> list[tuple[Pattern, re.Pattern[str]]]:
    """What agents state, in order."""
    return [(one, _compiled(one.words)) for one in _data().agent]


def plainly(sentence: str, *, brief: bool = False) -> Pattern | None:
    """The first pattern that a sentence says plainly. In a long `brief` most sentences describe what is to be built."""
    if len(sentence) > _LONGEST or not (cue("quick look").search(sentence) and 1 < len(sentence.split()) <= _WORDS):
        return None
    bare = _QUOTED.sub(" Thing ", sentence)
    for pattern, words in patterns().values():
        if (pattern.in_briefs or not brief) and (found := words.search(bare)) and not _doubtful(bare, found):
            return pattern
    return None


def _doubtful(sentence: str, found: re.Match[str]) -> bool:
    """Whether a hedge, a question or a report stands in the thought that holds the words, or before it; or whether what
    stands before them is about somebody: "where we use git add but don't change the tree"."""
    thought = sentence[: _THOUGHT.search(sentence, found.end()).start()]  # type: ignore[union-attr]
    goes_on = cue("goes on").match(found[0])
    if goes_on and cue("about" if goes_on[1] == "but" else "tells").search(sentence[: found.start()]):
        return True
    asks = sentence.rstrip(" )*_").endswith(("?", "？"))
    return asks or any(guard.search(thought) for guard in _guards())


@cache
def _guards() -> list[re.Pattern[str]]:
    return [_compiled(words) for words in _data().guards.values()]


def _compiled(words: str) -> re.Pattern[str]:
    pieces = _data().pieces
    named = re.compile(r"\{(" + "|".join(pieces) + r")\}")
    while named.search(words):
        words = named.sub(lambda piece: pieces[piece[1]], words)
    return re.compile(words, re.IGNORECASE)


@cache
def _data() -> _Patterns:
    return msgspec.toml.decode(files("steno.scribe").joinpath("patterns.toml").read_bytes(), type=_Patterns)
