"""What the agent found since the human spoke last, and what failed and why."""

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from msgspec import structs

from steno.briefing.budget import Line
from steno.briefing.exchange import WHOLE, of_entry, of_utterance
from steno.briefing.report import gist, plain, reported, sentences_of, telling_words, tells
from steno.briefing.shown import TELLING, Passages, Shown, complains
from steno.briefing.state import Cut, command, last_failure
from steno.language.watch import Watch
from steno.language.words import stems
from steno.scribe.work.shell import kind_of
from steno.vocabulary import Checkpoint, Entry
from steno.vocabulary.details import Failed

FOUND: Final = "what the agent decided and found since then, in its words"
FAILED: Final = "what failed, and what was said of it"
# Told at most. The first is worth as much as most that was said; what is over by now, less than the rest.
_FINDINGS, _FAILURES = 2, 4
_FIRST, _OTHERS, _OVER = 1.2, 0.9, 0.7
_WORDS: Final = 180
_OWN: Final = ("decision", "discovery", "learning")
# What is not there or not allowed stays so.
_BARRED: Final = ("absent", "barred")
_RUN: Final = re.compile(r"`([^`]+)`")
_WRONG: Final = Watch("cause", "reason", "failed", "barred")
_EXPLAINS: Final = Watch("cause", "defect", "failed", "barred", "finished")
_CHOSEN: Final = Watch("chosen_over", "instead_of")
# "Reason: …" explains what stood above it; a point of a list weighs one way against others.
_LABEL: Final = re.compile(r"\w+: |[-*] ")


def found_since(entries: Sequence[Entry], cut: Cut, above: Passages) -> Iterator[Line]:
    """What the agent decided and found since the human spoke last, and is not told above."""
    spoke = cut.human.id if cut.human else 0
    late = [entry for entry in entries if entry.category in _OWN and _turn(entry) > spoke and _says(entry)]
    lacked = [entry for entry in late if not above.hold(_quote(entry))]
    for place, entry in enumerate(sorted(lacked, key=_weight)[: -_FINDINGS - 1 : -1]):
        texts = tuple(f"“{sentences_of(plain(_quote(entry)), most)}”" for most in (_WORDS, _WORDS // 2))
        worth = _OTHERS if place else _FIRST
        yield Line(section=FOUND, items=(f"entry:{entry.id}",), worth=worth, texts=texts)


def complaints(shown: Sequence[Shown], above: Collection[int]) -> tuple[list[Shown], list[Shown]]:
    """What the human found not to work and the agent then explained; and the rest, without what did not hold: where
    they complain again right away, what they were told before."""
    found, rest = [], []
    for one, then in zip(shown, [*shown[1:], None], strict=False):
        held = not (then and complains(then.utterance))
        if not complains(one.utterance):
            rest.append(one)
        elif held and one.utterance.turn not in above and _explained(one, _WORDS):
            found.append(one)
        else:
            rest.append(one if held else structs.replace(one, reply=""))
    return found, rest


def _explained(one: Shown, most: int) -> str:
    """Why it was so, and that it was mended, in the agent's words at the end of the turn."""
    report = reported(one.reply)
    return gist([told for told in report if _EXPLAINS.heard(told.lower())] or report, most)


def failed(complained: Sequence[Shown], entries: Sequence[Entry], point: Checkpoint, above: Passages) -> Iterator[Line]:
    """What the human found not to work, and what was tried and barred or given up, each with what it came from; what
    still bars the way first, then the latest. Not what is told above."""
    lines = [(_turn(entry), _way(entry, point)) for entry in _lessons(entries, point, above)]
    lines += [(one.utterance.turn, _complaint(one)) for one in complained]
    latest = [line for _, line in sorted(lines, key=lambda pair: (-pair[1].worth, -pair[0]))][:_FAILURES]
    yield from (structs.replace(line, worth=line.worth if place else _FIRST) for place, line in enumerate(latest))


def _complaint(one: Shown) -> Line:
    lengths = (2 * _WORDS, _WORDS)
    texts = tuple(of_utterance(one.utterance, most=WHOLE // 2, reply=_explained(one, most)) for most in lengths)
    return Line(section=FAILED, items=one.items, worth=_OTHERS, texts=texts)


def _way(entry: Entry, point: Checkpoint) -> Line:
    is_over = entry.cue != "given_up" and _is_mended(entry, point)
    then = " [it went through later]" if is_over else ""
    texts = tuple(f"{of_entry(entry, most)}{then}" for most in (2 * _WORDS, _WORDS * 4 // 3))
    return Line(section=FAILED, items=(f"entry:{entry.id}",), worth=_OVER if is_over else _OTHERS, texts=texts)


def _lessons(entries: Sequence[Entry], point: Checkpoint, above: Passages) -> list[Entry]:
    """What was tried and is worth knowing, the latest of what is alike; not what is told above."""
    tried = [entry for entry in entries if entry.category == "exclusion" and _is_lesson(entry, point)]
    kept: list[tuple[Entry, frozenset[str]]] = []
    for entry in sorted(tried, key=_turn, reverse=True):
        own = stems(_quote(entry))
        alike = any(
            entry.detail.what == one.detail.what or len(own & other) > min(len(own), len(other)) / 2
            for one, other in kept
        )
        if not alike and not any(map(above.hold, _words(entry))):
            kept.append((entry, own))
    return [entry for entry, _ in kept]


def _words(entry: Entry) -> tuple[str, ...]:
    """Words by which it is found again where it was told."""
    return (_quote(entry), entry.detail.symptom) if isinstance(entry.detail, Failed) else (_quote(entry),)


def _weight(entry: Entry) -> tuple[bool, float, int]:
    return entry.category == "decision", entry.confidence, _turn(entry)


def _quote(entry: Entry) -> str:
    return entry.evidence[0].quote if entry.evidence else ""


def _turn(entry: Entry) -> int:
    return entry.evidence[0].turn if entry.evidence else 0


def _says(entry: Entry) -> bool:
    """Whether it says how something is, or which of two ways was taken."""
    said = plain(_quote(entry))
    if telling_words(said) < TELLING or said.endswith((":", "：")):
        return False
    return tells(said, of_choice=bool(_CHOSEN.heard(said.lower())))


def _is_lesson(entry: Entry, point: Checkpoint) -> bool:
    """Whether something was tried whose outcome is named, and that may come back. A check that fails is work at hand,
    unless it is not there at all; what went through later needs a reason, or a hook that refused it; so does a way that
    was left, else it was a slip."""
    run = _RUN.search(entry.detail.what)
    at_work = run is not None and kind_of(run[1]) in ("test", "check") and entry.cue not in _BARRED
    last = last_failure(point)
    is_last = last is not None and last.command in entry.detail.what
    looks = run is not None and kind_of(run[1]) == "look"
    if at_work or looks or is_last or telling_words(of_entry(entry)) < TELLING:
        return False
    if entry.cue == "given_up":
        said = _quote(entry)
        heard = _WRONG.heard(said.lower())
        explained = bool(entry.detail.why or heard & {"cause", "reason"} or "`" in said)
        return bool(heard & {"failed", "barred"}) and explained and not _LABEL.match(said)
    return not _is_mended(entry, point) or bool(entry.detail.why) or (run is not None and entry.cue == "hook")


def _is_mended(entry: Entry, point: Checkpoint) -> bool:
    """Whether the same command, or a change of the same file, went through afterwards."""
    turn, run = min((one.turn for one in entry.evidence), default=0), _RUN.search(entry.detail.what)
    tried = command(run[1]) if run else ""
    if tried and any(one.turn > turn and one.failed is False and tried in one.command for one in point.trail.commands):
        return True
    later = (file.path.split("/")[-1] for file in point.trail.files if (file.changed or 0) > turn)
    return any(name in entry.detail.what for name in later)
