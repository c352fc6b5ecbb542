"""What a sentence claims: what it wants, what it refuses, of what it says how much; and whether two go together.

Being wrong here lays aside what somebody meant, so two sentences are about the same thing only if their words agree.
What cannot be told is `doubtful`, for a person to decide.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from steno.language.clauses import clauses
from steno.language.kinds import kin
from steno.language.lexicon import lexicon
from steno.language.polarity import Polarity, negated, pointed, polarity, removed
from steno.language.rivals import has_versions, rivals_of
from steno.language.same_word import one_word, words_of
from steno.language.sentence import sentences
from steno.language.words import content_words, key, normal, pairs
from steno.vocabulary.entries import Compared

# How a sentence stands to another.
Relation = Literal[
    "apart",  # they speak of different things, or go together
    "same",  # they say the same
    "opposed",  # one wants what the other refuses, names another value, or chooses another thing for the same place
    "doubtful",  # they may be opposed
]

# Whose entries are held against each other: how to behave, what was decided, what is so.
BEHAVIOUR: Final = frozenset({"rule", "rejected"})
# Which categories may contradict one of a category.
OPPONENTS: Final = {
    "rule": BEHAVIOUR,
    "rejected": BEHAVIOUR | {"decision"},
    "decision": frozenset({"decision", "rejected"}),
    "fact": frozenset({"fact"}),
}
COMPARED: Final = frozenset(OPPONENTS)
# So much of a text is read: it is past any sentence.
_MOST: Final = 1_000
# A subject of fewer words is none; a narrower object may have so many words more than the wider one.
_TELLING: Final = 2
_NARROWER: Final = 2
# Small sets are found word by word; of two larger ones, one of which holds the other, this share is common.
_FEW: Final = 5
_SHARED: Final = 0.6
# Words that give weight, not meaning.
_WEIGHT: Final = words_of(
    "always ever every each ensure remember important time all any both really must should again everybody anyone "
    "future forward from now on going make sure want prefer please now instead rather than immer bitte stets jedes "
    "lieber statt"
)
_VALUE: Final = re.compile(
    r"`[^`\n]{1,80}`|https?://\S+|\bv?\d[\w.:,/%-]*|(?<!\w)--?[a-z][\w-]*|\b[a-z]\w*_\w+"
    r"|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b"
    r"|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|hundred)\b",
    re.IGNORECASE,
)
# A value that says how much, when or which, and not which of many things is meant: "on port 80", but "table 7".
_SET: Final = re.compile(
    rf"(?:^|\b(?:to|at|on|is|are|of|by|use|with|set|under|than|after|for|every|over|in|within|from|be|most|least|called"
    rf"|named|mit|auf|am|um|unter|nach|alle)\s+|[=:]\s*)({_VALUE.pattern})",
    re.IGNORECASE,
)
_NAME: Final = re.compile(r"(?<=[a-z,] )[A-Z][\w.+-]+")
# A number behind the name of something that has versions.
_VERSION: Final = re.compile(r"\b([A-Za-z]\w+)\s+(v?\d[\d.]*)")
# Words whose two sides must not be changed over.
_DIRECTED: Final = re.compile(r"\b(?:to|from|into|over|than|before|after|from|vor|nach)\b", re.IGNORECASE)
_PREFERS: Final = re.compile(r"\bprefer\w*\b(.+?)\b(?:over|to)\b(.+)", re.IGNORECASE)
# A choice of something for something.
_CHOICE: Final = re.compile(
    r"\b(?:us(?:e|ing)|go(?:ing)? (?:with|for)|take|pick|choose|chose|(?:switch|move)(?:ing)? to|stick (?:with|to)"
    r"|stay (?:on|with)|decided? (?:on|for)|nimm|nehmen wir)\s+(.{1,80}?)\s+(?:for|as|behind|für|als)\s+(.{1,80})$",
    re.IGNORECASE,
)


class Claim(NamedTuple):
    """A sentence taken apart, by stems."""

    wants: frozenset[str]
    refuses: frozenset[str]
    # When and how it holds: "until Monday", "without tests".
    limits: frozenset[str]
    # Numbers, days, addresses, options; names; everything else as a set and as it stands.
    values: frozenset[str]
    # Those of the values that it sets.
    sets: frozenset[str]
    names: frozenset[str]
    frame: frozenset[str]
    around: str
    # The words in order, where their order matters.
    order: tuple[str, ...]
    negated: bool
    # "use A for B": A and B.
    chosen: frozenset[str]
    place: frozenset[str]

    @property
    def about(self) -> frozenset[str]:
        """Everything it wants or refuses."""
        return self.wants | self.refuses


@lru_cache(maxsize=4096)
def claim(text: str, *, refusing: bool = False) -> Claim:
    """A sentence taken apart. `refusing`: it is what somebody said no to, whether it says no itself or not."""
    whole_words = text if len(text) <= _MOST else text[:_MOST].rpartition(" ")[0]
    text = _without_lead(whole_words.replace("’", "'")).strip(' "“”.!')
    parts = [(part, polarity(part, first=not at)) for at, part in enumerate(clauses(text))]
    wants, refuses = _sides(parts)
    if refusing and not refuses:
        wants, refuses = frozenset(), wants
    main = " ".join(part for part, way in parts if way != "explains")
    found_names = _NAME.findall(_VALUE.sub(" ", main))
    names = words_of(" ".join(found_names))
    chosen, place = next(filter(None, (_choice(part) for part, _ in parts)), (frozenset(), frozenset()))
    return Claim(
        wants=wants,
        refuses=refuses,
        limits=frozenset[str]().union(*(words_of(part) for part, way in parts if way == "limits")),
        values=_plain(_VALUE.findall(main)),
        sets=_plain([*_SET.findall(main), *(number for name, number in _VERSION.findall(main) if has_versions(name))]),
        names=names,
        frame=words_of(_VALUE.sub(" ", main)) - _WEIGHT - names,
        around=normal(_NAME.sub("#", _VALUE.sub("#", main))),
        order=tuple(map(one_word, content_words(main, _MOST))) if _DIRECTED.search(main) else (),
        negated=negated(main),
        chosen=chosen,
        place=place,
    )


def relation(one: Claim, other: Claim) -> Relation:
    """How two sentences stand to each other."""
    if _said(one) == _said(other):
        return "same" if one.about or one.values else "apart"
    framed = _same_frame(one, other)
    if framed and one.values != other.values:
        differ = one.values ^ other.values
        set_both = one.values and other.values and differ <= one.sets | other.sets
        return "opposed" if set_both and one.names == other.names else "apart"
    if found := {_opposed(one, other), _chosen_otherwise(one, other), _rival(one, other)} - {None}:
        return "opposed" if "opposed" in found else "doubtful"
    return "doubtful" if framed and one.names and other.names and not one.names & other.names else "apart"


def claims_of(entry: Compared) -> list[Claim]:
    """What an entry claims; then the sentences it says yes to, each as somebody else may have claimed it."""
    agreed = sentences(entry.detail.exchange.answered[:_MOST]) if entry.category == "decision" else []
    return [claim(entry.said, refusing=entry.category == "rejected"), *(claim(sentence.text) for sentence in agreed)]


def keys(one: Claim, *, widely: bool) -> list[int]:
    """Numbers that two sentences share if they may be the same or opposed. `widely`: also what is narrower or wider."""
    sides = [sorted(side) for side in (one.wants, one.refuses) if side]
    found: list[tuple[object, ...]] = [("side", *side) for side in (*sides, sorted(one.about)) if side]
    if one.values or one.names:
        found += [("frame", *sorted(one.frame)), ("around", one.around)]
    if one.place:
        found.append(("place", *sorted(one.place)))
    found += [("rival", kind, *sorted(one.wants - {word})) for word in one.wants if (kind := rivals_of(word))]
    if widely:
        found += [("word", word) for side in sides if len(side) <= _FEW for word in side]
        found += [("pair", *pair) for side in sides if len(side) >= _FEW - _NARROWER for pair in pairs(side, _SHARED)]
    return list(dict.fromkeys(key(*parts) for parts in found))


def _without_lead(text: str) -> str:
    """A sentence without words that only say that it was said before: "I told you: …"."""
    lead = lexicon("said_before").opens(text)
    rest = text[lead.end :].lstrip(" ,;:.!–—-") if lead else ""
    return rest if content_words(rest) else text


def _said(one: Claim) -> tuple[object, ...]:
    return one.wants, one.refuses, one.limits, one.values, one.order


def _same_frame(one: Claim, other: Claim) -> bool:
    """Whether two sentences are the same but for values and names."""
    if one.around == other.around:
        return bool(one.frame) or (bool(one.names) and one.names == other.names)
    return one.frame == other.frame and one.negated == other.negated and len(one.frame) >= _TELLING


def _opposed(one: Claim, other: Claim) -> Relation | None:
    """Whether one wants what the other refuses: the same, or something narrower."""
    if one.values - other.values and other.values - one.values:
        return None
    found: set[Relation] = set()
    for wanted, refused in ((one.wants, other.refuses), (other.wants, one.refuses)):
        if wanted and wanted == refused:
            found.add("opposed" if one.limits == other.limits else "doubtful")
        elif wanted and refused and (wanted < refused or refused < wanted) and len(wanted ^ refused) <= _NARROWER:
            found.add("doubtful")
    return "opposed" if "opposed" in found else next(iter(found), None)


def _rival(one: Claim, other: Claim) -> Relation | None:
    """Whether two want the same but for one thing, of which only one can stand in its place."""
    mine, theirs = one.wants - other.wants, other.wants - one.wants
    if len(mine) != 1 or len(theirs) != 1 or (one.refuses, one.limits) != (other.refuses, other.limits):
        return None
    kind = rivals_of(next(iter(mine)))
    return "opposed" if kind and kind == rivals_of(next(iter(theirs))) and one.values == other.values else None


def _chosen_otherwise(one: Claim, other: Claim) -> Relation | None:
    """Whether something else was chosen for the same place: of one kind it takes the place, else who knows."""
    if not one.place or one.place != other.place or one.chosen & other.chosen or not (one.chosen and other.chosen):
        return None
    if any(kin(this) & kin(that) for this in one.chosen for that in other.chosen):
        return "opposed"
    return "doubtful" if len(one.place) >= _TELLING else None


def _sides(parts: Iterable[tuple[str, Polarity]]) -> tuple[frozenset[str], frozenset[str]]:
    """What clauses want, and what they refuse. To take something away is to refuse it."""
    wants: set[str] = set()
    refuses: set[str] = set()
    for part, way in parts:
        match way:
            case "limits" | "explains":
                continue
            case "refuses" | "spares":
                refuses |= words_of(part)
            case "keeps":
                wants |= words_of(removed(part) or part)
            case "undoes":
                refuses |= words_of(removed(part) or part)
            case _:
                for side, found in zip((wants, refuses), _turned(part), strict=True):
                    side |= found
    return frozenset(wants - refuses - _WEIGHT), frozenset(refuses - _WEIGHT)


def _turned(part: str) -> Iterator[frozenset[str]]:
    """Both sides of a clause that may turn in the middle: "tabs, not spaces", "prefer tabs over spaces"."""
    if found := _PREFERS.search(part):
        yield from (words_of(found[1]), words_of(found[2]))
    else:
        yield from pointed([part]) if negated(part) else (words_of(part), frozenset())


def _choice(part: str) -> tuple[frozenset[str], frozenset[str]] | None:
    found = _CHOICE.search(part)
    return (words_of(found[1]) - _WEIGHT, words_of(found[2]) - _WEIGHT) if found else None


def _plain(values: Iterable[str]) -> frozenset[str]:
    return frozenset(found.strip("`.,:").lower() for found in values)
