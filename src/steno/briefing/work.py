"""Where the work stands, as lines that are worth something: what tier 0 chooses from.

It shows rather than tells: where the session stood, what was asked for, and what the human said along the way, whole, with
what it answered. Only what is sure is called an instruction or a refusal.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from steno.briefing.budget import Line
from steno.briefing.exchange import WHOLE, of_entry, of_utterance, sentences_of
from steno.briefing.render import quoted, safe
from steno.briefing.state import FIRST, Cut, at_home, state
from steno.language.words import content_words, normal, stems
from steno.vocabulary import Checkpoint, Entry, JournalTurn
from steno.vocabulary.utterances import Utterance

ASKED, RULED, REFUSED, SAID, FAILED, HAND = (
    "asked for", "standing instructions of the human", "refused by the human", "said by the human, oldest first",
    "tried and failed", "at hand",
)  # fmt: skip
TITLES: Final = (ASKED, RULED, REFUSED, SAID, FAILED, HAND)
# What is sure comes before what is only shown; newer words a little before older ones.
_SURE, _LATE = 0.5, 0.3
# Failures told at most, and what they are worth beside what was said.
_FAILURES, _FAILURE = 4, 1.2
_FILES, _KINDS = 6, ("branch", "pr", "issue", "url", "command", "id", "name")
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


def lines(work: Work) -> list[Line]:
    """Everything that could be told, in the order it is read."""
    return [
        *state(work.checkpoint, work.cut),
        *_asked(work),
        *_exchanges(work),
        *_failures(work),
        *_at_hand(work.checkpoint),
    ]


def _asked(work: Work) -> Iterator[Line]:
    """The assignment at the start, and the latest one unless these were the last words."""
    point = work.checkpoint
    first = (point.goal or "").split("\n")[0]
    last = point.steps[-1] if point.steps else ""
    spoken = normal(" ".join(one.said for one in work.cut.uttered))
    for item, lead, text, worth in (("goal", "at the start", first, 80.0), ("now", "last", last, 79.0)):
        if text and not (spoken and normal(text.removesuffix("…"))[:120] in spoken):
            texts = tuple(f"{lead}: “{sentences_of(text, most)}”" for most in (400, 200))
            yield Line(section=ASKED, items=(item,), worth=worth, texts=texts)


def _exchanges(work: Work) -> Iterator[Line]:
    """What the human said: under what it surely is, else as what was said."""
    told = [one for one in _each_once(work) if not _is_told_above(one.utterance, work)]
    first, last = (told[0].utterance.turn, told[-1].utterance.turn) if told else (0, 0)
    there = _Passages(work.summary)
    found: dict[str, list[Line]] = {RULED: [], REFUSED: [], SAID: []}
    for one in told:
        section = RULED if one.rules else REFUSED if one.refuses else SAID
        late = (one.utterance.turn - first) / max(1, last - first)
        worth = one.utterance.worth + _LATE * late + _SURE * (section != SAID) - there.hold(one.utterance.said)
        items = (f"turn:{one.utterance.turn}", *(f"entry:{id_}" for id_ in one.entries))
        texts = tuple(of_utterance(one.utterance, one.times, most=most) for most in (WHOLE, WHOLE // 2))
        found[section].append(Line(section=section, items=items, worth=worth, texts=texts))
    for entry in work.entries:
        if entry.category in ("rule", "rejected"):
            section = RULED if entry.category == "rule" else REFUSED
            line = Line(section=section, items=(f"entry:{entry.id}",), worth=1 + _SURE, texts=(of_entry(entry, WHOLE // 2),))
            found[section].append(line)
    for those in found.values():
        yield from those


def _is_told_above(one: Utterance, work: Work) -> bool:
    """Whether it is the last thing said, or the assignment."""
    goal = normal((work.checkpoint.goal or "").split("\n")[0].removesuffix("…"))[:120]
    return any(one.turn == last.turn for last in work.cut.uttered) or bool(goal and normal(one.said).startswith(goal))


def _each_once(work: Work) -> list[Shown]:
    """What was sent twice is told once, at the place where it was said last."""
    latest = {normal(one.utterance.said): one for one in work.shown}
    return [one for one in work.shown if latest[normal(one.utterance.said)] is one]


def _failures(work: Work) -> Iterator[Line]:
    found = [entry for entry in work.entries if entry.category == "exclusion"][-_FAILURES:]
    for entry in found:
        yield Line(section=FAILED, items=(f"entry:{entry.id}",), worth=_FAILURE, texts=(of_entry(entry),))


def _at_hand(point: Checkpoint) -> Iterator[Line]:
    """Files in work and values, each kind on one line."""
    changed = [file for file in point.trail.files if set(file.acts) & {"edited", "created"}]
    latest = sorted(changed, key=lambda file: -file.turn)[:_FILES]
    if latest:
        names = [at_home(file.path, point) for file in latest]
        yield Line(
            section=HAND, items=("files",), worth=FIRST / 2,
            texts=tuple(f"files: {', '.join(names[:most])}" for most in (_FILES, _FILES // 2)),
        )  # fmt: skip
    values = [(kind, point.variables[kind][::-1][:3]) for kind in _KINDS if point.variables.get(kind)]
    if values:
        texts = [f"{kind} {', '.join(safe(value, 120) for value in many[: 1 if kind == 'branch' else 3])}" for kind, many in values]
        yield Line(
            section=HAND, items=tuple(f"variable:{kind}" for kind, _ in values), worth=FIRST / 2 - 1,
            texts=("; ".join(texts), "; ".join(texts[:2])),
        )  # fmt: skip


class _Passages:
    """A text in which other texts are looked for: three sentences in a row at a time."""

    def __init__(self, text: str) -> None:
        units = [unit for unit in safe(text[:20_000]).replace("? ", "?. ").split(". ") if unit] if text else []
        self._found = [stems(" ".join(units[at : at + 3]), 200) for at in range(len(units))]

    def hold(self, text: str) -> bool:
        """Whether it is told there."""
        own = stems(text)
        return len(own) > 2 and any(len(own & near) >= _TOLD_THERE * len(own) for near in self._found)
