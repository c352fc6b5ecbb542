"""Where the work stands, as lines that are worth something: what tier 0 chooses from.

It shows rather than tells: where the session stood, what was asked for, and what the human said along the way, whole,
with what it answered. Only what is sure is called an instruction or a refusal.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from steno.briefing.budget import Line
from steno.briefing.exchange import WHOLE, of_entry, of_utterance, sentences_of
from steno.briefing.noted import Note, noted
from steno.briefing.render import safe
from steno.briefing.state import FIRST, Cut, at_home, command, state
from steno.briefing.state import TITLE as STATE
from steno.language.words import content_words, normal, stems
from steno.scribe.work.shell import kind_of
from steno.vocabulary import Checkpoint, Entry, JournalTurn
from steno.vocabulary.utterances import Utterance

ASKED: Final = "asked for"
RULED: Final = "the human's standing instructions"
REFUSED: Final = "the human's refusals"
SAID: Final = "what the human said, oldest first"
FAILED: Final = "tried and failed"
HAND: Final = "at hand"
TITLES: Final = (STATE, ASKED, RULED, REFUSED, SAID, FAILED, HAND)
# Where words cost many tokens, what was said would have no room else.
SHARES: Final = {STATE: 0.42, ASKED: 0.15, FAILED: 0.12, HAND: 0.1}
# What is sure comes before what is only shown; newer words a little before older ones. Below the least it helps no one.
_SURE, _LATE, _LEAST = 0.5, 0.2, 0.45
# How much the length of a line counts against it.
_THRIFT: Final = 0.3
# Failures told at most, and what they are worth.
_FAILURES, _FAILURE = 3, 45.0
# Told only if so many words say what it is.
_TELLING, _FEW = 5, 3
_RUN: Final = re.compile(r"`([^`]+)`")
# Values told, and how many of each.
_FILES, _KINDS = 5, {"branch": 1, "pr": 3, "issue": 2, "url": 1, "command": 2, "id": 1}
# A text of whose telling words so many stand in one passage of another is told there.
_TOLD_THERE: Final = 0.75


class Shown(Struct, frozen=True, kw_only=True):
    """An utterance with what is known of it."""

    utterance: Utterance
    times: int = 1
    # Ids of the entries that rest on it.
    entries: tuple[str, ...] = ()
    # Whether it surely binds, and how.
    rules: bool = False
    refuses: bool = False

    @property
    def items(self) -> tuple[str, ...]:
        """Names, for the receipt."""
        return f"turn:{self.utterance.turn}", *(f"entry:{id_}" for id_ in self.entries)


class Work(Struct, frozen=True, kw_only=True):
    """Everything known of a piece of work."""

    checkpoint: Checkpoint
    cut: Cut = Cut()
    # What the human said that still holds, oldest first.
    shown: Sequence[Shown] = ()
    # What binds or failed and was not said in this session, or not by the human.
    entries: Sequence[Entry] = ()
    # The last things said, oldest first.
    said: Sequence[JournalTurn] = ()
    session: str | None = None
    # How much was said, by whom, from when to when.
    head: str = ""
    # The host's own summary, where the agent has it.
    summary: str = ""
    # What a model noted, where one reads along.
    note: Note | None = None


def lines(work: Work) -> list[Line]:
    """Everything that could be told, in the order it is read."""
    told = _own(work)
    if work.note is None or not work.note.lines:
        return told
    return noted(work.note, told, is_fresh=work.checkpoint.turn <= work.note.turn)


def _own(work: Work) -> list[Line]:
    return [
        *state(work.checkpoint, work.cut),
        *_asked(work),
        *_exchanges(work),
        *_failures(work),
        *_at_hand(work.checkpoint),
    ]


def _asked(work: Work) -> Iterator[Line]:
    """The assignment at the start, unless these were the last words."""
    text = _wanted(work)
    if text:
        same = next((one for one in work.shown if _key(one.utterance.said) == _key(text)), None)
        texts = tuple(f"at the start: {_words(same, text, most)}" for most in (400, 240, 120))
        yield Line(section=ASKED, items=("goal", *(same.items if same else ())), worth=FIRST - 10, texts=texts)


def _words(one: Shown | None, text: str, most: int) -> str:
    """An assignment from its beginning; one that says little by itself, with what it answered."""
    answered = one is not None and len(content_words(text)) < _TELLING
    return of_utterance(one.utterance) if one and answered else f"“{sentences_of(text, most)}”"


def _wanted(work: Work) -> str:
    """The assignment, as far as it is not the last words."""
    spoken = _key(" ".join(one.said for one in work.cut.uttered), 1000)
    first = (work.checkpoint.goal or "").split("\n")[0]
    return "" if spoken and _key(first) in spoken else first


def _key(text: str, most: int = 100) -> str:
    """By which a text is found again though its end was cut off."""
    return normal(text.removesuffix("…"))[:most]


def _exchanges(work: Work) -> Iterator[Line]:
    """What the human said: under what it surely is, else as what was said."""
    told = [one for one in _each_once(work) if not _is_told_above(one, work)]
    there = _Passages(work.summary)
    told = [
        one
        for one in told
        if one.rules or one.refuses or (_helps(one.utterance) and not there.hold(one.utterance.said))
    ]
    first, last = (told[0].utterance.turn, told[-1].utterance.turn) if told else (0, 0)
    found: dict[str, list[Line]] = {RULED: [], REFUSED: [], SAID: []}
    for one in told:
        section = RULED if one.rules else REFUSED if one.refuses else SAID
        late = (one.utterance.turn - first) / max(1, last - first)
        worth = one.utterance.worth + _LATE * late + _SURE * (section != SAID)
        texts = tuple(of_utterance(one.utterance, one.times, most=most) for most in (2 * WHOLE, WHOLE, WHOLE // 2))
        worth /= (len(texts[1]) / 100) ** _THRIFT
        found[section].append(Line(section=section, items=one.items, worth=worth, texts=texts))
    for entry in work.entries:
        if entry.category in ("rule", "rejected"):
            section = RULED if entry.category == "rule" else REFUSED
            line = Line(
                section=section, items=(f"entry:{entry.id}",), worth=1 + _SURE, texts=(of_entry(entry, WHOLE // 2),)
            )
            found[section].append(line)
    for those in found.values():
        yield from those


def _helps(one: Utterance) -> bool:
    """Whether it says something, not only that the agent may go on or what was pasted below."""
    few = len(content_words(one.said))
    settles = max(max(found.corrects, found.acts.get("choose", 0.0)) for found in one.sentences)
    goes_on = few < _FEW and one.answers in ("", "words", "proposal") and settles < _SURE
    # What is only asked is answered by now, and the question tells nobody how.
    asks = settles < _SURE / 2 and all(found.text.rstrip().endswith(("?", "？")) for found in one.sentences)
    return one.worth >= _LEAST and not (goes_on or asks) and not (one.said.endswith(":") and few < _TELLING)


def _is_told_above(one: Shown, work: Work) -> bool:
    """Whether it is the last thing said, or an assignment and nothing more."""
    asked = _key(one.utterance.said) == _key(_wanted(work))
    last = any(one.utterance.turn == last.turn for last in work.cut.uttered)
    return last or (asked and not (one.rules or one.refuses))


def _each_once(work: Work) -> list[Shown]:
    """What was sent again, perhaps in slightly other words, is told once: as it was said last."""
    kept: list[Shown] = []
    for one in work.shown:
        words = stems(one.utterance.said)
        before = stems(kept[-1].utterance.said) if kept else frozenset()
        if len(before) > 3 and len(before & words) >= _TOLD_THERE * len(before) and len(words) <= 2 * len(before):
            kept.pop()
        kept = [old for old in kept if normal(old.utterance.said) != normal(one.utterance.said)]
        kept.append(one)
    return kept


def _failures(work: Work) -> Iterator[Line]:
    """What was tried here and barred, or given up, the latest; tests and builds that failed are mended by now."""
    failure = work.checkpoint.failure
    found = [
        entry
        for entry in work.entries
        if entry.category == "exclusion"
        and _is_lesson(entry)
        and not _went_well_later(entry, work.checkpoint)
        and not (failure and failure.command in entry.detail.what)
    ]
    for entry in {of_entry(entry): entry for entry in found[-_FAILURES:]}.values():
        yield Line(section=FAILED, items=(f"entry:{entry.id}",), worth=_FAILURE, texts=(of_entry(entry, 200),))


def _is_lesson(entry: Entry) -> bool:
    run = _RUN.search(entry.detail.what)
    unfinished = run is not None and kind_of(run[1]) in ("test", "check")
    return not unfinished and len(content_words(of_entry(entry))) >= _TELLING


def _went_well_later(entry: Entry, point: Checkpoint) -> bool:
    """Whether the same command, or a change of the same file, went through afterwards."""
    turn, run = entry.evidence[0].turn if entry.evidence else 0, _RUN.search(entry.detail.what)
    tried = command(run[1]) if run else ""
    if tried and any(one.turn > turn and one.failed is False and tried in one.command for one in point.trail.commands):
        return True
    later = (file.path.split("/")[-1] for file in point.trail.files if (file.changed or 0) > turn)
    return any(name in entry.detail.what for name in later)


def _at_hand(point: Checkpoint) -> Iterator[Line]:
    """Files in work and values, each kind on one line."""
    changed = [file for file in point.trail.files if file.changed]
    latest = sorted(changed, key=lambda file: -(file.changed or 0))[:_FILES]
    if latest:
        names = [at_home(file.path, point) for file in latest]
        yield Line(
            section=HAND, items=("files",), worth=FIRST / 2,
            texts=tuple(f"files: {', '.join(names[:most])}" for most in (_FILES, 2)),
        )  # fmt: skip
    values = [(kind, many) for kind, most in _KINDS.items() if (many := _values(point, kind)[:most])]
    if values:
        shown = {"command": command}
        texts = [f"{kind} {', '.join(shown.get(kind, safe)(value) for value in many)}" for kind, many in values]
        yield Line(
            section=HAND, items=tuple(f"variable:{kind}" for kind, _ in values), worth=FIRST / 2 - 1,
            texts=("; ".join(texts), "; ".join(texts[:2])),
        )  # fmt: skip


def _values(point: Checkpoint, kind: str) -> list[str]:
    """Values of a kind, the latest first; of commands, pull requests and issues those with which something was done:
    texts name others, too."""
    found = point.variables.get(kind, [])[::-1]
    if kind not in ("command", "pr", "issue"):
        return found
    ran = [one.command for one in point.trail.commands if kind != "command" or one.failed is not True]
    ran += [one.text for one in point.trail.results]
    return [value for value in found if any(value.lstrip("#") in one for one in ran)]


class _Passages:
    """A text in which other texts are looked for: three sentences in a row at a time."""

    def __init__(self, text: str) -> None:
        units = [unit for unit in safe(text[:20_000]).replace("? ", "?. ").split(". ") if unit] if text else []
        self._found = [stems(" ".join(units[at : at + 3]), 200) for at in range(len(units))]

    def hold(self, text: str) -> bool:
        """Whether it is told there."""
        own = stems(text)
        return len(own) > 2 and any(len(own & near) >= _TOLD_THERE * len(own) for near in self._found)
