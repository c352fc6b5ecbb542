"""What the agent tells of its work: what it decided and found lately, what failed and why. Labelled as its words."""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from steno.briefing.budget import Line
from steno.briefing.exchange import is_idle, of_entry, plain, sentences_of, telling_words
from steno.briefing.said import TELLING, Passages
from steno.briefing.state import Cut, command
from steno.language.watch import Watch
from steno.language.words import stems
from steno.scribe.work.shell import kind_of
from steno.vocabulary import Checkpoint, Entry

LATELY: Final = "what the agent decided and found lately, in its words"
FAILED: Final = "what failed, and causes that were found, by the agent's words and its tools"
# Told at most, and what it is worth: less than where it stood, more than any single thing that was said.
_LATELY, _FAILURES, _WORTH = 3, 3, 45.0
_WORDS: Final = 180
# So many more are told where room is left over.
_MORE: Final = 3
_OWN: Final = ("decision", "discovery", "learning")
_RUN: Final = re.compile(r"`([^`]+)`")
_CAUSE: Final = Watch("cause")


class Told(NamedTuple):
    """What the agent says, by what it is: what it decided or found, and where something that went wrong came from."""

    found: list[Entry]
    causes: list[Entry]


def told_by_agent(entries: Sequence[Entry]) -> Told:
    """What an agent says of its work that says something."""
    own = [entry for entry in entries if entry.category in _OWN and _says(entry)]
    causes = [entry for entry in own if entry.category == "discovery" and _CAUSE.heard(_quote(entry).lower())]
    names = {entry.id for entry in causes}
    return Told([entry for entry in own if entry.id not in names], causes)


def lately(told: Told, cut: Cut, since: int) -> Iterator[Line]:
    """What the agent decided and found since the human spoke last, else since a turn before that; not what its last
    words tell, or those before the human's."""
    there, spoke = Passages(f"{cut.agent}. {cut.before}"), cut.human.id if cut.human else 0
    late = [entry for entry in told.found if _turn(entry) > spoke]
    late = [entry for entry in late or told.found if _turn(entry) > since and not there.hold(_quote(entry))]
    best = {entry.id for entry in sorted(late, key=_weight)[-_LATELY:]}
    others = sorted((entry for entry in told.found if entry.id not in best), key=_weight)[-_MORE:]
    more = {entry.id for entry in others if not there.hold(_quote(entry))}
    for entry in told.found:
        if entry.id in best or entry.id in more:
            texts = tuple(f"“{_words(entry, most)}”" for most in (_WORDS, _WORDS // 2))
            yield _line(LATELY, entry, texts, spare=entry.id in more)


def failed(entries: Sequence[Entry], told: Told, point: Checkpoint) -> Iterator[Line]:
    """What was tried here and barred or given up, and the causes that were found, the latest."""
    tried = [
        entry
        for entry in entries
        if entry.category == "exclusion"
        and _is_lesson(entry)
        and not _is_mended(entry, point)
        and not (point.failure and point.failure.command in entry.detail.what)
    ]
    kept: list[tuple[Entry, frozenset[str]]] = []
    for entry in sorted([*tried, *told.causes], key=_turn, reverse=True):
        own = stems(of_entry(entry))
        if not any(len(own & other) > len(own) / 2 for _, other in kept):
            kept.append((entry, own))
        if len(kept) == _FAILURES + _MORE:
            break
    for place, (entry, _) in reversed(list(enumerate(kept))):
        texts = tuple(of_entry(entry, most) for most in (_WORDS, _WORDS // 2))
        yield _line(FAILED, entry, texts, spare=place >= _FAILURES)


def _line(section: str, entry: Entry, texts: tuple[str, ...], *, spare: bool = False) -> Line:
    return Line(section=section, items=(f"entry:{entry.id}",), worth=_WORTH, texts=texts, spare=spare)


def _weight(entry: Entry) -> tuple[bool, float, int]:
    return entry.category == "decision", entry.confidence, _turn(entry)


def _quote(entry: Entry) -> str:
    return entry.evidence[0].quote if entry.evidence else ""


def _turn(entry: Entry) -> int:
    return entry.evidence[0].turn if entry.evidence else 0


def _words(entry: Entry, most: int) -> str:
    return sentences_of(plain(_quote(entry)), most)


def _says(entry: Entry) -> bool:
    said = plain(_quote(entry))
    return telling_words(said) >= TELLING and not said.endswith((":", "：")) and not is_idle(said)


def _is_lesson(entry: Entry) -> bool:
    run = _RUN.search(entry.detail.what)
    unfinished = run is not None and kind_of(run[1]) in ("test", "check")
    return not unfinished and telling_words(of_entry(entry)) >= TELLING


def _is_mended(entry: Entry, point: Checkpoint) -> bool:
    """Whether the same command, or a change of the same file, went through afterwards, and nobody said what stood in
    the way: a reason, or a hook, may come back."""
    if entry.detail.why or entry.cue == "hook":
        return False
    turn, run = _turn(entry), _RUN.search(entry.detail.what)
    tried = command(run[1]) if run else ""
    if tried and any(one.turn > turn and one.failed is False and tried in one.command for one in point.trail.commands):
        return True
    later = (file.path.split("/")[-1] for file in point.trail.files if (file.changed or 0) > turn)
    return any(name in entry.detail.what for name in later)
