"""Curation: what a day brought that is worth knowing for good, told as it stands now, with its reason.

It chooses among entries and claims nothing they do not. What was chosen is kept by name; the words are made from the
entry, here and again after a rebuild. A model may choose later: `chosen` is the place.
"""

import math
import re
from collections.abc import Iterable, Sequence, Set
from typing import Final

from msgspec import Struct

from steno.language.words import squeeze, stems
from steno.pipeline.owning import LEAD, line_of, why_of
from steno.store import Store
from steno.vocabulary import PEOPLE, Entry
from steno.vocabulary.accesses import NEVER, Access

# Rules, refusals, facts and lessons stand on pages of their own already, as what holds.
SOURCES: Final = ("decision", "discovery", "context")
# How the agent went about it, where something stood that day, what was being worked at: not worth knowing for good.
_MECHANICS: Final = re.compile(
    r"(?i)^(?:The approach: )?(?:(?:and|but|so|also|now|then|ok|okay|yes|no|wow|if|can|could|maybe|worth|let's|let me|"
    r"we now|completed|result|done|option|however|adds|starting|unfortunately|the (?:original|first|second|\d+\w*))\b"
    r"|[-*#\d])"
    r"|\b(?:I|I'm|I've|I'll|my|we just|you had|this (?:branch|pr|commit|session|test|file|change))\b"
    r"|#\d+|\bPR\b|\blines? ~?\d+|\w\.\w+:\d+|\b[0-9a-f]{7,40}\b|[✓✔✅❌]|^\S+ → \S+$|\?$|\?\.$"
)
_TELLING: Final = frozenset({"surprise", "lesson", "identity"})
# What speaks for an entry besides how much it matters: a reason, a tag that tells, what lasts, being used.
_REASON, _TAG, _LASTS, _USED, _MOST_USED = 0.25, 0.15, 0.4, 0.1, 0.3
# How much a person's plain words matter that nobody weighed.
_PLAINLY: Final = 0.4
# Of an agent's words nobody knows how much they matter: by how sure they are.
_SURE, _AT_LEAST = 0.8, 0.2
# A person's choice without a reason lasts, or is of that day.
_LASTING: Final = 0.3
_LEAST_SURE: Final = 0.5
_ENOUGH: Final = 0.3
# So many words of a line stand in one that is known: it is not new.
_KNOWN: Final = 0.6
_FEWEST_WORDS: Final = 5


class Choice(Struct, frozen=True):
    """An entry that is worth knowing for good, as it is told from now on."""

    entry: Entry
    line: str
    worth: float


def present(entry: Entry) -> str:
    """An entry as present state with its reason. Empty: it tells of a moment, of how somebody went about it, or needs
    what stood around it."""
    if entry.origin not in PEOPLE and not _stands_alone(entry):
        return ""
    line = line_of(entry, with_reason_only=False)
    return "" if _MECHANICS.search(LEAD.sub("", line)) or len(stems(line)) < _FEWEST_WORDS else line


def chosen(entries: Iterable[Entry], accesses: dict[str, Access], known: Sequence[str], most: int) -> list[Choice]:
    """Those worth most, none that says what is known, what a better one says, or what a later one says otherwise."""
    told = {entry.id: line for entry in entries if _may_be(entry) and (line := present(entry))}
    latest = _last_words([entry for entry in entries if entry.id in told])
    worth = {entry.id: _worth(entry, accesses.get(entry.id, NEVER)) for entry in latest}
    before = [stems(line) for line in known]
    found: list[Choice] = []
    for entry in sorted(latest, key=lambda one: (-worth[one.id], one.id)):
        words = stems(told[entry.id])
        novelty = 1 - _share(words, before)
        if len(found) < most and novelty > 1 - _KNOWN and worth[entry.id] * novelty >= _ENOUGH:
            found.append(Choice(entry, told[entry.id], worth[entry.id] * novelty))
            before.append(words)
    return found


def _last_words(entries: Sequence[Entry]) -> list[Entry]:
    """Those of which no later one says most."""
    later: list[frozenset[str]] = []
    found = []
    for entry in sorted(entries, key=lambda one: (one.created_at or "", one.id), reverse=True):
        words = frozenset(stems(entry.summary))
        if _share(words, later) < _KNOWN:
            found.append(entry)
        later.append(words)
    return found


def _share(words: Set[str], others: Iterable[Set[str]]) -> float:
    """How many of some words stand in the one of others that holds most of them."""
    return max((len(words & one) / len(words) for one in others), default=0.0) if words else 0.0


def put_again(store: Store) -> None:
    """What was chosen before is there again after everything was learnt anew."""
    for source in store.entries.some(store.curated.missing()):
        if line := present(source):
            store.curated.put(source, line)


def _may_be(entry: Entry) -> bool:
    if entry.category not in SOURCES or entry.status not in ("active", "done") or entry.certainty != "confirmed":
        return False
    # What people told outright is phrased as they want it.
    if entry.origin not in ("user", "assistant") or entry.confidence < _LEAST_SURE:
        return False
    lasts = bool(why_of(entry)) or entry.detail.weight.lasting >= _LASTING
    return lasts if entry.origin == "user" else entry.category == "discovery"


def _stands_alone(entry: Entry) -> bool:
    """Whether an agent's sentence was kept as it was said, from its beginning: what needs a heading, a question or the
    words before it does not."""
    said = entry.evidence[0].quote if entry.evidence else ""
    quote, summary = (squeeze(text.replace("*", "")).strip(" .") for text in (said, entry.summary))
    return quote == summary and not quote[:1].islower()


def _worth(entry: Entry, access: Access) -> float:
    weight = entry.detail.weight
    matters = (weight.importance or _PLAINLY) + _LASTS * weight.lasting
    if entry.origin not in PEOPLE:
        matters = _SURE * entry.confidence - _AT_LEAST
    used = math.log1p(access.count + 3 * access.used + entry.repeated)
    tags = len(_TELLING.intersection(entry.tags))
    return matters + _TAG * tags + _REASON * bool(why_of(entry)) + min(_MOST_USED, _USED * used)
