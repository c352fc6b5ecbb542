"""What a compaction took: everything that was live before it, looked for in the host's summary and in what was given.

No model judges. A text carries an item if one passage of it holds enough of the item's telling words: names, numbers
and identifiers count double. One passage, because somewhere in eleven thousand characters every word occurs. What was
refused or failed must be told as such: "discussed the downgrade" does not carry a rejected downgrade.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Final

from msgspec import Struct

from steno.briefing.entries import said
from steno.language.words import content_words, squeeze, stems
from steno.vocabulary import Briefing, Checkpoint, Entry, Loss, LossItem
from steno.vocabulary.briefings import CUT, ENOUGH_KEPT, Fate

_DECISIONS: Final = 3
_STEPS: Final = 12
# Items of so many telling words are said in a sentence or two; longer ones are spread over a paragraph, and retold
# more freely. Of 131 labelled statements about three real summaries, 105 are judged as labelled with these shares, 19
# too strictly and 7 too kindly.
_SHORT: Final = 8
_NEAR, _WIDE = 3, 8
_SHARE_OF_SHORT, _SHARE_OF_LONG = 0.55, 0.4
# Telling words of an item that are looked for, and tokens of the words of an entry.
_MOST_WORDS, _WORDS = 40, 120
# A summary is looked at so far, for two seconds at most; the longest we have seen has 17,000 characters.
_MOST: Final = 100_000

# An address or a command, not a path.
_WHOLE: Final = re.compile(r"://|\s")
_UNIT: Final = re.compile(r"\n+|(?<=[.!?;])\s+")
_NAME: Final = re.compile(r"(?<=[\w,)] )[A-Z][\w-]+|\b\w*[a-z][A-Z]\w*|\b[A-Z]{2,}\b")
_REFUSED: Final = re.compile(
    r"\b(?:no|not|never|nor|without|avoid\w*|reject\w*|refus\w*|declin\w*|forb[ai]d\w*|veto\w*|against|instead|drop\w*|"
    r"exclud\w*|rul(?:ed|ing) out|stop\w*|unwanted|prohibit\w*|nicht|kein\w*|nie)\b|n['’]t\b",
    re.IGNORECASE,
)
_FAILED: Final = re.compile(
    rf"{_REFUSED.pattern}|\b(?:fail\w*|broke\w*|break\w*|error\w*|wrong\w*|crash\w*|useless|worse|revert\w*|undid|"
    r"abandon\w*|dead end)\b",
    re.IGNORECASE,
)
_MARKS: Final = {"rejected": _REFUSED, "exclusion": _FAILED}
# A choice that is told as turned down is told as its opposite.
_TURNED_DOWN: Final = re.compile(
    r"\b(?:reject\w*|refus\w*|declin\w*|rul(?:ed|ing) out|turned down|decided against|abandon\w*)\b", re.IGNORECASE
)
# Files that were looked at, and the folder of the session, are no values of the work.
_NO_DATA: Final = ("path", "directory")


class Live(Struct, frozen=True, kw_only=True):
    """One thing that was live before a compaction."""

    # As in `LossItem`.
    kind: str
    text: str
    entry: str | None = None
    critical: bool = False
    # Of a value or a file: it must be there as it is.
    literal: str = ""
    # What a receipt calls it: where one of these was handed over, so was this.
    names: tuple[str, ...] = ()


def live_of(point: Checkpoint, entries: Sequence[Entry]) -> list[Live]:
    """What was live, each once: where the work stood, and the entries in force, the oldest first."""
    found: dict[str, Live] = {}
    for item in (*_standing(point), *map(_remembered, _in_force(entries)), *_trail(point)):
        found.setdefault(item.text, item)
    return list(found.values())


def losses(live: Iterable[Live], summary: str, given: Briefing) -> list[LossItem]:
    """What became of each of them. `given`: everything that was handed over since, by name."""
    told, handed = Passages(summary), Passages(f"{given.text}\n{summary}")
    named = set(given.items) - {CUT}
    items = []
    for item in live:
        restored = not named.isdisjoint(item.names) or (named and handed.carry(item))
        fate: Fate = "present" if told.carry(item) else "restored" if restored else "missing"
        items.append(LossItem(kind=item.kind, text=item.text, entry=item.entry, critical=item.critical, fate=fate))
    return items


def is_flagged(loss: Loss) -> bool:
    """Whether too much of what work depends on is missing."""
    share = loss.share(critical=True)
    return share is not None and share < ENOUGH_KEPT


# -- what was live ---------------------------------------------------------------------------------------------------


def _standing(point: Checkpoint) -> Iterator[Live]:
    # A goal grows: what it was, and what it is about now.
    goals = {"goal": (point.goal or "").partition("\n")[0], "now": "".join(point.steps[-1:])}
    yield from (Live(kind="goal", text=text, critical=True, names=(name,)) for name, text in goals.items() if text)
    for text in (*point.done[-1:], *point.next[:1], *point.blockers[-1:]):
        yield Live(kind="progress", text=text, critical=True)


def _in_force(entries: Sequence[Entry]) -> list[Entry]:
    """The last decisions, and what holds until it is ended."""
    decisions = [entry for entry in entries if entry.category == "decision"][-_DECISIONS:]
    return [*decisions, *(entry for entry in entries if entry.category in ("rejected", "rule", "exclusion"))]


def _remembered(entry: Entry) -> Live:
    names = [f"{kind}:{entry.id}" for kind in ("entry", "rule", "reason")]
    names += [f"turn:{quote.turn}" for quote in entry.evidence[:1]]
    critical = entry.category != "exclusion"
    return Live(kind=entry.category, text=said(entry, _WORDS), entry=entry.id, critical=critical, names=tuple(names))


def _trail(point: Checkpoint) -> Iterator[Live]:
    """What is still to do, values the work needs, the last test, and what was changed."""
    trail, test = point.trail, point.trail.last_test
    yield from (Live(kind="to-do", text=one.text, critical=True) for one in trail.todos if one.state != "done")
    values = (value for kind, found in point.variables.items() if kind not in _NO_DATA for value in found)
    yield from (Live(kind="variable", text=value, literal=value) for value in values)
    if test:
        yield Live(kind="step", text=f"{test.command}: {test.result}")
    changed = sorted((file for file in trail.files if file.changed is not None), key=lambda file: file.turn)
    for file in changed[-_STEPS:]:
        yield Live(kind="step", text=f"{' and '.join(file.acts)} {file.path}", literal=file.path)


# -- whether a text carries it ---------------------------------------------------------------------------------------


class Passages:
    """A text as passages, in which items are looked for."""

    def __init__(self, text: str) -> None:
        self._units = [unit for unit in map(squeeze, _UNIT.split(text[:_MOST])) if unit]

    def carry(self, item: Live) -> bool:
        """Whether the text still tells this: a value as it is; else one passage holds enough of its telling words, what
        was refused or failed as such, and what was decided not as turned down."""
        if item.literal:
            return self._literally(item.literal)
        weights = telling(item.text)
        if not weights:
            return squeeze(item.text).casefold() in " ".join(self._units).casefold()
        few = len(weights) <= _SHORT
        needed = (_SHARE_OF_SHORT if few else _SHARE_OF_LONG) * sum(weights.values())
        marked = _MARKS.get(item.kind)
        turns = item.kind == "decision" and not _TURNED_DOWN.search(item.text)
        return any(
            sum(weight for word, weight in weights.items() if near.has(word)) >= needed
            and (marked is None or marked.search(near.text))
            and not (turns and _TURNED_DOWN.search(near.text))
            for near in (self._near if few else self._wide)
        )

    def _literally(self, value: str) -> bool:
        """Whether a value stands there as it is; of a path its last two parts will do."""
        parts = value.rstrip("/").split("/")
        wanted = "/".join(parts[-2:]) if len(parts) > 2 and not _WHOLE.search(value) else value
        pattern = re.compile(rf"(?<![\w-]){re.escape(squeeze(wanted))}(?![\w-])", re.IGNORECASE)
        return any(map(pattern.search, self._units))

    @cached_property
    def _near(self) -> "list[_Passage]":
        return self._passages(_NEAR)

    @cached_property
    def _wide(self) -> "list[_Passage]":
        return self._passages(_WIDE)

    def _passages(self, length: int) -> "list[_Passage]":
        starts = range(max(1, len(self._units) - length + 1))
        return [_Passage("\n".join(self._units[start : start + length])) for start in starts]


class _Passage:
    """A few sentences in a row."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._lower = text.casefold()

    @cached_property
    def _stems(self) -> frozenset[str]:
        return stems(self.text, limit=2000)

    def has(self, word: str) -> bool:
        """Whether a word stands here in one of its forms; of a path, its last part will do."""
        if word.isalpha():
            return bool(stems(word) & self._stems)
        end = word.rpartition("/")[2]
        return (end if len(end) > 3 else word) in self._lower


def telling(text: str) -> dict[str, int]:
    """The words of a text that say what it is about, with their weight: names, numbers and identifiers count double."""
    names = {name.casefold() for name in _NAME.findall(text)}
    return {word: 2 if word in names or not word.isalpha() else 1 for word in content_words(text, _MOST_WORDS)}
