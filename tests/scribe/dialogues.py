"""How well the scribe takes notes of the invented dialogues beside this file.

python tests/scribe/dialogues.py [--half a|b] [--misses] [--noise]
"""

import argparse
import json
from collections import deque
from collections.abc import Callable, Iterable
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any, Final, Literal

import msgspec

from steno.vocabulary.entries import Candidate, Category, Window
from steno.vocabulary.turns import JournalTurn, Turn

FOLDER: Final = Path(__file__).with_suffix("")
SEEN: Final = 16  # turns of each sort the scribe sees before a turn
SHORT: Final = 8  # quotes shorter than this must be equal
COMMON: Final = 24  # characters two quotes must share when neither holds the other
JUDGED: Final = ("rejected", "decision", "rule")
# Where an item of a category may stand.
PLACES: Final[dict[str, tuple[str, ...]]] = {
    "rejected": ("rejected", "rule"),
    "decision": ("decision",),
    "rule": ("rule", "rejected"),
    "exclusion": ("exclusion", "learning"),
    "learning": ("learning", "rule"),
    "discovery": ("discovery", "fact", "learning"),
    "task": ("task", "commitment"),
    "context": ("context", "fact"),
}

Propose = Callable[[JournalTurn, Window], list[Candidate]]


class Item(msgspec.Struct, frozen=True):
    """What a good note-taker writes down."""

    turn: int
    category: Category
    quote: str
    keys: list[list[str]]
    importance: Literal[1, 2, 3]


class Trap(msgspec.Struct, frozen=True):
    """Words that are no rejection, decision or rule."""

    turn: int
    quote: str


class Dialogue(msgspec.Struct, frozen=True):
    """A conversation and what is to be noted of it."""

    name: str
    turns: list[Turn]
    items: list[Item]
    traps: list[Trap]


def load(half: str | None = None) -> list[Dialogue]:
    """All dialogues, or the odd-numbered (a) or even-numbered (b) ones."""
    paths = [
        path for path in sorted(FOLDER.glob("*.json")) if half is None or (int(path.name[:2]) % 2 == 1) == (half == "a")
    ]
    return [msgspec.json.decode(path.read_bytes(), type=Dialogue) for path in paths]


def score(dialogues: Iterable[Dialogue], propose: Propose) -> dict[str, Any]:
    """Figures per dialogue (`dialogues`) and for all together (`pooled`)."""
    each = {dialogue.name: _score(dialogue, propose) for dialogue in dialogues}
    pooled = _empty()
    for figures in each.values():
        for category, found in figures["recall"].items():
            _add(pooled["recall"][category], found)
        for name in ("in_place", "anywhere", "important", "precision", "traps"):
            _add(pooled[name], figures[name])
        pooled["misses"] += figures["misses"]
        pooled["noise"] += figures["noise"]
        pooled["fallen"] += figures["fallen"]
    return {"pooled": pooled, "dialogues": each}


def entries_of(dialogue: Dialogue, propose: Propose) -> list[Candidate]:
    """What the scribe proposes, turn by turn. The number of a turn is its place, from 1."""
    said: deque[JournalTurn] = deque(maxlen=SEEN)
    done: deque[JournalTurn] = deque(maxlen=SEEN)
    entries: list[Candidate] = []
    for number, turn in enumerate(dialogue.turns, start=1):
        journal_turn = JournalTurn(id=number, source="dialogues", session=dialogue.name, turn=turn)
        entries += propose(journal_turn, Window(tuple(said), tuple(done)))
        acted = turn.role == "tool" or turn.kind == "call"
        (done if acted else said).append(journal_turn)
    return entries


def covers(entry: Candidate, item: Item) -> bool:
    """Whether an entry is about an item: by its quotes or by its words."""
    if any(_overlap(quote.quote, quote.turn, item) for quote in entry.evidence):
        return True
    detail = json.dumps(entry.detail, ensure_ascii=False, default=str)
    text = _plain(" ".join([entry.summary, detail, *(quote.quote for quote in entry.evidence)]))
    return all(any(_plain(word) in text for word in group) for group in item.keys)


def _overlap(quote: str, number: int, sought: Item | Trap) -> bool:
    one, other = _plain(quote), _plain(sought.quote)
    if min(len(one), len(other)) < SHORT:
        return one == other and number == sought.turn + 1
    if one in other or other in one:
        return True
    return SequenceMatcher(None, one, other, autojunk=False).find_longest_match().size >= COMMON


def _fell(entry: Candidate, dialogue: Dialogue, trap: Trap) -> bool:
    first = entry.evidence[0]
    if entry.category not in JUDGED or first.turn != trap.turn + 1 or not _overlap(first.quote, first.turn, trap):
        return False
    # A long quote may hold an item beside the trap.
    return not any(item.turn == trap.turn and _overlap(first.quote, first.turn, item) for item in dialogue.items)


def _score(dialogue: Dialogue, propose: Propose) -> dict[str, Any]:
    entries = entries_of(dialogue, propose)
    figures = _empty()
    for item in dialogue.items:
        covering = [entry for entry in entries if covers(entry, item)]
        in_place = any(entry.category in PLACES[item.category] for entry in covering)
        _add(figures["recall"][item.category], [in_place, 1])
        _add(figures["in_place"], [in_place, 1])
        _add(figures["anywhere"], [bool(covering), 1])
        if item.importance == 3:
            _add(figures["important"], [in_place, 1])
        if not in_place:
            elsewhere = ", ".join(sorted({entry.category for entry in covering}))
            figures["misses"].append((dialogue.name, item.turn, item.category, item.quote, elsewhere))
    for entry in entries:
        if entry.category in JUDGED:
            good = any(covers(entry, item) for item in dialogue.items)
            _add(figures["precision"], [good, 1])
            if not good:
                first = entry.evidence[0]
                figures["noise"].append((dialogue.name, first.turn - 1, entry.category, first.quote, entry.cue))
    for trap in dialogue.traps:
        fallen = any(_fell(entry, dialogue, trap) for entry in entries)
        _add(figures["traps"], [fallen, 1])
        if fallen:
            figures["fallen"].append((dialogue.name, trap.turn, "trap", trap.quote, ""))
    return figures


def _empty() -> dict[str, Any]:
    counts: dict[str, Any] = {name: [0, 0] for name in ("in_place", "anywhere", "important", "precision", "traps")}
    return {"recall": {category: [0, 0] for category in PLACES}, **counts, "misses": [], "noise": [], "fallen": []}


def _add(total: list[int], more: list[int]) -> None:
    total[0] += int(more[0])
    total[1] += more[1]


def _plain(text: str) -> str:
    return " ".join(text.lower().split())


def _share(pair: list[int]) -> str:
    return f"{100 * pair[0] / pair[1]:3.0f}% ({pair[0]}/{pair[1]})" if pair[1] else "  – (0/0)"


def _main() -> None:
    from steno.scribe import propose

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--half", choices=("a", "b"), help="a: odd-numbered, for tuning; b: even-numbered, held out")
    parser.add_argument("--misses", action="store_true", help="list the items not found in place")
    parser.add_argument(
        "--noise", action="store_true", help="list the entries that cover nothing, and traps fallen into"
    )
    options = parser.parse_args()
    result = score(load(options.half), propose)
    for name, figures in (*result["dialogues"].items(), ("pooled", result["pooled"])):
        print(
            f"{name:28} in place {_share(figures['in_place']):16} anywhere {_share(figures['anywhere']):16}"
            f" precision {_share(figures['precision']):16} traps fallen {_share(figures['traps'])}"
        )
    pooled = result["pooled"]
    print(f"\n{'importance 3, in place':28} {_share(pooled['important'])}")
    for category, found in pooled["recall"].items():
        print(f"{category:28} {_share(found)}")
    for wanted, titles in ((options.misses, ("misses",)), (options.noise, ("noise", "fallen"))):
        for title in titles if wanted else ():
            print(f"\n{title}")
            for dialogue, turn, what, quote, note in pooled[title]:
                print(f"  {dialogue} #{turn} {what}: {quote!r}" + (f" [{note}]" if note else ""))


if __name__ == "__main__":
    _main()
