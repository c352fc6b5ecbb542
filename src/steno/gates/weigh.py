"""How strongly an action goes against a refusal: what speaks for it is added up, what speaks against it divides."""

from collections.abc import Mapping
from typing import Final, NamedTuple

Weights = Mapping[str, float]

# So much of a refusal is enough to be found again: of the no itself, of what was proposed, of what stood around it.
_OF_CORE, _OF_THING, _OF_AROUND = 3.0, 4.0, 2.0
# Of a long one, this share: in a long text some words are always there.
_OF_MANY: Final = 0.6
# With a no that says to what: how much of it is there, whether that is much at all, a name in it, how much of the
# proposal it answered, and how much of the action is about it.
_SHARE, _MUCH, _NAME, _PROPOSAL, _ABOUT = 0.5, 0.2, 0.15, 0.1, 0.1
# With a bare no the proposal must say it all: whether much of it is there, which share, a name in it, how much of the
# action is about it, and whether it happens where the proposal would have.
_BARE_MUCH, _BARE_SHARE, _BARE_NAME, _BARE_ABOUT, _BARE_WHERE = 0.3, 0.2, 0.2, 0.2, 0.2
# Doing what was wanted instead speaks against, leaving it out speaks for it.
_MEANT, _LEFT = 3.0, 0.5
# What is left where it takes away what was refused, only looks or puts back, or tends to what is there.
_TAKEN_AWAY, _HARMLESS, _TENDS = 0.3, 0.25, 0.4
# A no that was asked or only meant.
_SOFT: Final = 0.4
# A proposal that was refused by a word it did not hold, and is there again.
_WHOLE: Final = 0.85
# So much of it must be there at least, besides half of it.
_WHOLE_LEAST: Final = 1.5
# So little is found by chance.
_CHANCE: Final = 0.3


class Way(NamedTuple):
    """The words of an action that point one way."""

    # How much each counts, with those found by another name. Without and with what is written into a file: that is
    # looked through for the words of a no, not for its subject.
    said: Weights
    done: Weights
    # The words themselves, with how telling each is.
    own: Weights


class There(NamedTuple):
    """What an action holds."""

    does: Way
    undoes: Way
    harmless: bool
    tends: bool


class Stood(NamedTuple):
    """What must not be done, or not be undone: words with how telling each is."""

    cores: tuple[Weights, ...]
    thing: Weights
    names: frozenset[str]


class Against(NamedTuple):
    """A refusal, ready to be compared."""

    does: Stood
    undoes: Stood
    around: Weights
    wanted: Weights
    placed: bool
    firm: bool


def strength(there: There, against: Against) -> float:
    """How strongly an action goes against a refusal, 0 to 1."""
    done = _found(against, against.does, there.does) * (1 - (1 - _TAKEN_AWAY) * _taken_away(against.does, there.undoes))
    found = max(done, _found(against, against.undoes, there.undoes))
    if not found:
        return 0.0
    meant, left = _hit(against.wanted, there.does.done), _hit(against.wanted, there.undoes.done)
    found *= (1 + _LEFT * min(1.0, left)) / (1 + _MEANT * min(2.0, meant))
    found *= _HARMLESS if there.harmless else 1.0
    found *= _TENDS if there.tends and (against.placed or not against.does.cores) else 1.0
    return min(1.0, found) * (1.0 if against.firm else _SOFT)


def _found(against: Against, stood: Stood, way: Way) -> float:
    """How much of what was refused is there again."""
    if not way.done:
        return 0.0
    if not stood.cores:
        return _bare(against, stood, way)
    cores = max(_core(core, stood, way, placed=against.placed) for core in stood.cores)
    # The whole proposal once more, without the words of the no.
    whole = _bare(against, stood, way) if not against.placed and _is_whole(stood.thing, way) else 0.0
    return max(cores, whole * _WHOLE)


def _taken_away(stood: Stood, undone: Way) -> float:
    """How much of what must not be done is undone."""
    refused = dict(stood.thing)
    for core in stood.cores:
        refused.update(core)
    return min(1.0, sum(weight for word, weight in refused.items() if word in undone.own))


def _core(core: Weights, stood: Stood, way: Way, *, placed: bool) -> float:
    hit = _hit(core, way.done)
    if not hit:
        return 0.0
    thing = _hit({word: weight for word, weight in stood.thing.items() if word not in core}, way.said)
    if hit + thing < _CHANCE or (placed and not thing):
        return 0.0
    named = max((way.done[word] for word in stood.names & core.keys() if word in way.done), default=0.0)
    return (
        _SHARE * _share(hit, _enough(core, _OF_CORE))
        + _MUCH * min(1.0, hit)
        + _NAME * named
        + _PROPOSAL * min(1.0, thing / 2)
        + _ABOUT * _about(way.own, {**stood.thing, **core})
    )


def _bare(against: Against, stood: Stood, way: Way) -> float:
    hit = _hit(stood.thing, way.said)
    hit += sum(weight * way.done[word] for word, weight in stood.thing.items() if _only_written(word, stood, way))
    if hit < _CHANCE:
        return 0.0
    named = max((way.done[word] for word in stood.names & stood.thing.keys() if word in way.done), default=0.0)
    return (
        _BARE_MUCH * min(1.0, hit / 2)
        + _BARE_SHARE * _share(hit, _enough(stood.thing, _OF_THING))
        + _BARE_NAME * named
        + _BARE_ABOUT * _about(way.own, stood.thing)
        + _BARE_WHERE * min(1.0, _hit(against.around, way.said) / _OF_AROUND)
    )


def _is_whole(thing: Weights, way: Way) -> bool:
    """Whether an action is the whole proposal, and little else."""
    hit = _hit(thing, way.said)
    return hit >= _WHOLE_LEAST and hit >= sum(thing.values()) / 2 and _about(way.own, thing) >= 1 / 2


def _only_written(word: str, stood: Stood, way: Way) -> bool:
    """Whether a name stands in what is written only."""
    return word in stood.names and word in way.done and word not in way.said


def _about(own: Weights, subject: Weights) -> float:
    """How much of an action is about a subject."""
    inside = sum(subject[word] for word in own if word in subject)
    return _share(inside, inside + sum(weight for word, weight in own.items() if word not in subject))


def _enough(words: Weights, most: float) -> float:
    """How much of words must be there again: of few all, of many a part."""
    mass = sum(words.values())
    return max(min(mass, most), mass * _OF_MANY)


def _hit(words: Weights, there: Weights) -> float:
    return sum(weight * there[word] for word, weight in words.items() if word in there)


def _share(part: float, whole: float) -> float:
    return min(1.0, part / whole) if whole else 0.0
