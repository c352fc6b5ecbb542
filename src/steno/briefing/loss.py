"""What a compaction took: everything that was live before it, looked for in the host's summary and in what was given.

No model judges. A text carries an item if one passage of it holds enough of the item's telling words: names, numbers
and identifiers count double. One passage, because somewhere in eleven thousand characters every word occurs. What was
refused or failed must be told as such: "discussed the downgrade" does not carry a rejected downgrade.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Final

from msgspec import Struct

from steno.language.words import content_words, squeeze, stems
from steno.vocabulary import Briefing, Checkpoint, Entry, Loss, LossItem
from steno.vocabulary.briefings import CUT, ENOUGH_KEPT

_DECISIONS: Final = 3
_STEPS: Final = 12
# Items of so many telling words are said in a sentence or two; longer ones are spread over a paragraph, and retold
# more freely. Of 131 labelled statements about three real summaries, 105 are judged as labelled with these shares, 19
# too strictly and 7 too kindly.
_SHORT: Final = 8
_NEAR, _WIDE = 3, 8
_SHARE_OF_SHORT, _SHARE_OF_LONG = 0.55, 0.4
_WORDS: Final = 40
# A summary is looked at so far, for two seconds at most; the longest we have seen has 17,000 characters.
_MOST: Final = 100_000

# An address or a command, not a path.
_WHOLE: Final = re.compile(r"://|\s")
_UNIT: Final = re.compile(r"\n+|(?<=[.!?;])\s+")
# How the scribe opens the summary of somebody's words: who speaks is not what it is about.
_OPENING: Final = re.compile(r"The (?:user|agent) [\w ]{1,40}(?: \([^)]*\))?: ")
_NAME: Final = re.compile(r"(?<=[\w,)] )[A-Z][\w-]+|\b\w*[a-z][A-Z]\w*|\b[A-Z]{2,}\b")
_REFUSED: Final = re.compile(
    r"\b(?:no|not|never|nor|without|avoid\w*|reject\w*|refus\w*|declin\w*|forb[ai]d\w*|veto\w*|against|instead|drop\w*|"
    r"exclud\w*|rul(?:ed|ing) out|stop\w*|unwanted|prohibit\w*|nicht|kein\w*|nie)\b|n['’]t\b",
    re.IGNORECASE,
)
_FAILED: Final = re.compile(
    r"\b(?:fail\w*|broke\w*|break\w*|error\w*|wrong\w*|crash\w*|useless|worse|revert\w*|undid|abandon\w*|dead end)\b",
    re.IGNORECASE,
)
_PRESENT: Final = re.compile(
    r"\b(?:current\w*|now|next|phase|status|state|pending|ongoing|in progress|working on|remain\w*|at the moment)\b",
    re.IGNORECASE,
)
_PHASES: Final = {
    "planning": re.compile(r"\b(?:plan\w*|design\w*|propos\w*|brainstorm\w*)\b", re.IGNORECASE),
    "executing": re.compile(
        r"\b(?:execut\w*|implement\w*|build\w*|writ(?:e|ing)|add(?:ing)?|creat\w*)\b", re.IGNORECASE
    ),
    "debugging": re.compile(r"\b(?:debug\w*|fix\w*|fail\w*|bugs?|error\w*|investigat\w*)\b", re.IGNORECASE),
    "reviewing": re.compile(r"\b(?:review\w*|verif\w*|check\w*|audit\w*|test(?:s|ing)?)\b", re.IGNORECASE),
}


class Live(Struct, frozen=True, kw_only=True):
    """One thing that was live before a compaction."""

    # As in `LossItem`.
    kind: str
    text: str
    # Of a file: it must be there as it is.
    path: str = ""
    # What a decision rests on: without it, it is not carried.
    reason: str = ""
    entry: str | None = None
    # The turn an entry was said in.
    turn: int | None = None
    critical: bool = False
    # What a briefing calls it, where it cannot hold it without telling it.
    name: str = ""


def live_of(checkpoint: Checkpoint, entries: Sequence[Entry]) -> list[Live]:
    """What was live: where the work stood, and the entries in force, the oldest first."""
    return [*_standing(checkpoint), *_remembered(entries), *_values(checkpoint), *_steps(checkpoint)]


def losses(live: Iterable[Live], summary: str, given: Briefing) -> list[LossItem]:
    """What became of each of them. `given`: everything that was handed over since, by name."""
    told, words = Passages(summary), Passages(f"{given.text}\n{summary}")
    named = set(given.items)
    return [
        LossItem(
            kind=item.kind,
            text=item.text,
            entry=item.entry,
            critical=item.critical,
            fate="present" if told.carry(item) else "restored" if _is_given(item, named, words) else "missing",
        )
        for item in live
    ]


def is_flagged(loss: Loss) -> bool:
    """Whether too much of what work depends on is missing."""
    share = loss.share(critical=True)
    return share is not None and share < ENOUGH_KEPT


def _is_given(item: Live, named: set[str], words: "Passages") -> bool:
    """Whether it was handed over: by its name, or by its words if anything of its kind was."""
    if item.entry is not None:
        names = {f"{kind}:{item.entry}" for kind in ("entry", "rule", "reason")} | {f"turn:{item.turn}"}
        is_named = not named.isdisjoint(names) and (not item.reason or words.hold(item.reason))
    else:
        is_named = item.name in named
    return is_named or (bool(named - {CUT}) and words.carry(item))


# -- what was live ---------------------------------------------------------------------------------------------------


def _standing(checkpoint: Checkpoint) -> list[Live]:
    progress = [*checkpoint.done[-1:], *checkpoint.next[:1], *checkpoint.blockers[-1:]]
    # A goal grows: what it was, and what it is about now.
    goals = [("goal", text) for text in (checkpoint.goal or "").splitlines()[:1]]
    goals += [("now", text) for text in checkpoint.steps[-1:]]
    found = [Live(kind="goal", text=text, critical=True, name=name) for name, text in goals]
    if checkpoint.goal:
        # Work does not suffer without it.
        found.append(Live(kind="phase", text=checkpoint.phase, name="phase"))
    told = {text for _, text in goals}
    return found + [
        Live(kind="progress", text=text, critical=True) for text in dict.fromkeys(progress) if text not in told
    ]


def _remembered(entries: Sequence[Entry]) -> list[Live]:
    decisions = [entry for entry in entries if entry.category == "decision"][-_DECISIONS:]
    others = [entry for entry in entries if entry.category in ("rejected", "rule", "exclusion")]
    return [
        Live(
            kind=entry.category,
            text=entry.summary,
            reason=entry.detail.why if entry.category == "decision" else "",
            entry=entry.id,
            turn=entry.evidence[0].turn if entry.evidence else None,
            critical=entry.category != "exclusion",
        )
        for entry in [*decisions, *others]
    ]


def _values(checkpoint: Checkpoint) -> list[Live]:
    values = dict.fromkeys(value for kind in checkpoint.variables.values() for value in kind)
    return [Live(kind="variable", text=value) for value in values]


def _steps(checkpoint: Checkpoint) -> list[Live]:
    """The trail's end: what was changed, the last test, what is still to do."""
    trail = checkpoint.trail
    changed = [file for file in trail.files if set(file.acts) - {"read"}]
    latest = sorted(changed, key=lambda file: file.turn)[-_STEPS:]
    tests = [f"{trail.last_test.command}: {trail.last_test.result}"] if trail.last_test else []
    to_do = [item.text for item in trail.todos if item.state != "done"]
    return [
        *(Live(kind="step", text=f"{' and '.join(file.acts)} {file.path}", path=file.path) for file in latest),
        *(Live(kind="step", text=text) for text in [*tests, *to_do]),
    ]


# -- whether a text carries it ---------------------------------------------------------------------------------------


class Passages:
    """A text as passages, in which items are looked for."""

    def __init__(self, text: str) -> None:
        self._units = [unit for unit in map(squeeze, _UNIT.split(text[:_MOST])) if unit]
        self._cut: dict[int, list[_Passage]] = {}

    def carry(self, item: Live) -> bool:
        """Whether the text still tells this."""
        match item.kind:
            case "phase":
                return any(
                    _PRESENT.search(near.text) and _PHASES[item.text].search(near.text) for near in self._of(_NEAR)
                )
            case "variable":
                return self._literally(item.text)
            case "rejected":
                return self.hold(item.text, _REFUSED)
            case "exclusion":
                return self.hold(item.text, _FAILED) or self.hold(item.text, _REFUSED)
            case "step" if item.path:
                return self._literally(item.path)
        return self.hold(item.text) and (not item.reason or self.hold(item.reason))

    def hold(self, text: str, marked: re.Pattern[str] | None = None) -> bool:
        """Whether one passage holds enough of a text's telling words, and a mark of how it was meant."""
        weights = telling(text)
        if not weights:
            return squeeze(text).casefold() in " ".join(self._units).casefold()
        few = len(weights) <= _SHORT
        needed = (_SHARE_OF_SHORT if few else _SHARE_OF_LONG) * sum(weights.values())
        return any(
            sum(weight for word, weight in weights.items() if near.has(word)) >= needed
            and (marked is None or marked.search(near.text) is not None)
            for near in self._of(_NEAR if few else _WIDE)
        )

    def _literally(self, value: str) -> bool:
        """Whether a value stands there as it is; of a path its last two parts will do."""
        parts = value.rstrip("/").split("/")
        wanted = "/".join(parts[-2:]) if len(parts) > 2 and not _WHOLE.search(value) else value
        pattern = re.compile(rf"(?<![\w-]){re.escape(squeeze(wanted))}(?![\w-])", re.IGNORECASE)
        return any(pattern.search(unit) for unit in self._units)

    def _of(self, length: int) -> "list[_Passage]":
        if length not in self._cut:
            starts = range(max(1, len(self._units) - length + 1))
            self._cut[length] = [_Passage("\n".join(self._units[start : start + length])) for start in starts]
        return self._cut[length]


class _Passage:
    """A few sentences in a row."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def _lower(self) -> str:
        return self.text.casefold()

    @cached_property
    def _stems(self) -> frozenset[str]:
        return stems(self.text, limit=2000)

    def has(self, word: str) -> bool:
        """Whether a word stands here in one of its forms; of a path, its last part will do."""
        if not word.isalpha():
            end = word.rpartition("/")[2]
            return (end if len(end) > 3 else word) in self._lower
        return bool(stems(word) & self._stems)


def telling(text: str) -> dict[str, int]:
    """The words of a text that say what it is about, with their weight: names, numbers and identifiers count double."""
    text = _OPENING.sub("", text, count=1)
    names = {name.casefold() for name in _NAME.findall(text)}
    words = content_words(text, _WORDS)
    return {word: 2 if word in names or not word.isalpha() else 1 for word in words}
