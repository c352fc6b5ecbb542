"""What the agent tells of its work: what it decided and found lately, what failed and why. Labelled as its words."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from steno.briefing.budget import Line
from steno.briefing.exchange import is_idle, of_entry, plain, sentences_of, telling_words
from steno.briefing.said import TELLING, Passages
from steno.briefing.state import Cut, command
from steno.language.watch import Watch
from steno.language.words import stems
from steno.scribe.work.shell import kind_of
from steno.vocabulary import Checkpoint, Entry

LATELY: Final = "what the agent decided and found lately, in its words"
FAILED: Final = "what failed and why, by the agent's words and its tools"
# Told at most, and what it is worth: less than where it stood, more than any single thing that was said.
_LATELY, _FAILURES, _WORTH = 3, 4, 45.0
_WORDS: Final = 180
# So many more are told where room is left over.
_MORE: Final = 3
_OWN: Final = ("decision", "discovery", "learning")
_RUN: Final = re.compile(r"`([^`]+)`")
_CAUSE: Final = Watch("cause")


def lately(entries: Sequence[Entry], cut: Cut, since: int) -> Iterator[Line]:
    """What the agent decided and found since the human spoke last, else since a turn before that; not what its last
    words tell, nor what failed."""
    there = Passages(cut.agent)
    news = [entry for entry in entries if entry.category in _OWN and _says(entry) and not there.hold(_quote(entry))]
    news = [entry for entry in news if not _is_cause(entry)]
    spoke = cut.human.id if cut.human else 0
    late = [entry for entry in news if _turn(entry) > spoke] or [entry for entry in news if _turn(entry) > since]
    best = sorted(late, key=_weight)[-_LATELY:]
    others = sorted((entry for entry in news if entry not in best), key=_weight)[-_MORE:]
    for entry in sorted([*best, *others], key=_turn):
        texts = tuple(f"“{_words(entry, most)}”" for most in (_WORDS, _WORDS // 2))
        yield _line(LATELY, entry, texts, spare=entry not in best)


def failed(entries: Sequence[Entry], point: Checkpoint) -> Iterator[Line]:
    """What was tried here and barred or given up, and the causes that were found, the latest."""
    told = {point.failure.command} if point.failure else set()
    found = [
        entry
        for entry in entries
        if _is_cause(entry)
        or (
            entry.category == "exclusion"
            and _is_lesson(entry)
            and not _is_mended(entry, point)
            and not any(one in entry.detail.what for one in told)
        )
    ]
    kept: list[Entry] = []
    for entry in sorted(found, key=_turn, reverse=True):
        own = stems(of_entry(entry))
        if len(kept) < _FAILURES and not any(len(own & stems(of_entry(one))) > len(own) / 2 for one in kept):
            kept.append(entry)
    for entry in reversed(kept):
        yield _line(FAILED, entry, tuple(of_entry(entry, most) for most in (_WORDS, _WORDS // 2)))


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


def _is_cause(entry: Entry) -> bool:
    """Whether the agent says where something that went wrong came from."""
    return entry.category == "discovery" and _says(entry) and "cause" in _CAUSE.heard(_quote(entry).lower())


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
