"""How much of what a perfect note-taker would write down the scribe finds, and how fast.

    python benchmarks/notes.py --transcripts DIR --gold DIR [--aside NAME,NAME] [--misses]

Each labelled transcript is cut where its context was lost, captured and scribed in a store of its own. An entry covers
a labelled item when its quote overlaps the label's quote (one holds the other, or 24 characters in common), or when its
text holds one alternative of every group of the label's keys. `all` counts entries of any category, the columns after
it only those of the right one. `twice` is the share of a person's utterances that became more than one entry.
"""

import argparse
import json
import math
import os
import re
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
from measured import measured

import steno

# Nothing is recalled here, so no vectors are made.
os.environ["STENO_EMBEDDING"] = "off"
# Categories that count as the right drawer for a label's.
PLACES = {
    "rejected": {"rejected", "rule"},
    "decision": {"decision"},
    "rule": {"rule", "rejected"},
    "exclusion": {"exclusion", "learning"},
    "learning": {"learning", "rule"},
    "discovery": {"discovery", "fact", "learning"},
    "task": {"task", "commitment"},
    "context": {"context", "fact"},
}
CORE = ("rejected", "decision", "rule")
RUN = 24


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--transcripts", type=Path, required=True)
    parser.add_argument("--gold", type=Path, required=True)
    parser.add_argument("--aside", default="", help="labels whose figures are reported apart: they were not tuned on")
    parser.add_argument("--misses", action="store_true", help="print every label that was not found in place")
    options = parser.parse_args()
    aside = [name for name in options.aside.split(",") if name]
    pools: dict[str, Counter[str]] = {"tuned on": Counter(), "kept aside": Counter()}
    heads = ("entries", "all", "rejected", "decision", "rule", "exclus", "precise", "traps", "twice")
    print(f"{'transcript':32}", *(f"{head:>8}" for head in heads))
    for path in sorted(options.gold.glob("*.json")):
        label = json.loads(path.read_text("utf-8"))
        with tempfile.TemporaryDirectory(prefix="steno-notes-") as folder:
            counts = score(label, find(options.transcripts, label["source"]), Path(folder), misses=options.misses)
        show(path.stem, counts)
        pools["kept aside" if any(name in path.stem for name in aside) else "tuned on"] += counts
    for name, pool in pools.items():
        if pool:
            show(name, pool)
    together = sum(pools.values(), Counter())
    measured(labelled_items=together["items"], entries=together["entries"])
    show("together", together)
    speed(options.transcripts)
    return 0


def find(folder: Path, name: str) -> Path:
    return next(folder.rglob(name))


def score(label: dict[str, Any], transcript: Path, folder: Path, *, misses: bool) -> Counter[str]:
    """Counts for one labelled transcript."""
    cut = folder / transcript.name
    cut.write_bytes(b"".join(before_the_cut(transcript, label["cut_line"])))
    with steno.open(folder / "home") as memory:
        memory.capture(cut)
        memory.scribe()
        notes = [Note(entry) for entry in memory.entries()]
    return counted(label, notes, misses=misses)


def counted(label: dict[str, Any], notes: list["Note"], *, misses: bool = False) -> Counter[str]:
    """What of a label some notes hold, and how many of them hold nothing of it."""
    counts: Counter[str] = Counter(entries=len(notes))
    for item in label["items"]:
        found = [note for note in notes if note.covers(item)]
        placed = any(note.category in PLACES[item["category"]] for note in found)
        kind = item["category"]
        counts.update({"items": 1, f"{kind} items": 1, "found": bool(found), f"{kind} found": placed})
        if misses and not placed:
            where = "elsewhere" if found else "missed"
            print(f"  {where:9} {kind:9} line {item['line']}: {item['quote'][:100]!r}")
    counts["heard"] = len({place for note in notes for place in note.heard})
    counts["twice"] = sum(len(note.heard) > 0 for note in notes) - counts["heard"]
    core = [note for note in notes if note.category in CORE]
    counts["core"] = len(core)
    counts["core right"] = sum(any(note.covers(item) for item in label["items"]) for note in core)
    traps = label.get("traps", [])
    counts["traps"] = len(traps)
    counts["trapped"] = sum(any(note.claims(trap["quote"]) for note in core) for trap in traps)
    return counts


def before_the_cut(transcript: Path, line: int) -> Iterable[bytes]:
    with transcript.open("rb") as lines:
        for number, raw in enumerate(lines, 1):
            if number > line or (number == line and (b"compact_boundary" in raw or b'"type":"compact' in raw)):
                return
            yield raw


class Note:
    """An entry as the measure sees it."""

    def __init__(self, entry: steno.Entry) -> None:
        self.category = entry.category
        self._quotes = [squeeze(evidence.quote) for evidence in entry.evidence]
        first = entry.evidence[:1] if entry.origin == "user" else []
        # The words of a person it rests on: two entries on the same words are one too many.
        self.heard = [(evidence.turn, evidence.quote) for evidence in first]
        # What the piece of work is called says nothing of what the entry holds.
        detail = {name: value for name, value in msgspec.to_builtins(entry.detail).items() if name != "task"}
        self._text = squeeze(" ".join([entry.summary, msgspec.json.encode(detail).decode(), *self._quotes]))

    def covers(self, item: dict[str, Any]) -> bool:
        told = all(any(key.lower() in self._text for key in group) for group in item["keys"])
        return told or self.quotes(item["quote"])

    def claims(self, quote: str) -> bool:
        """Whether it holds these words true. What a no quotes beside itself is what it says no to."""
        own = self._quotes[:1] if self.category == "rejected" else self._quotes
        return any(overlap(one, squeeze(quote)) for one in own)

    def quotes(self, quote: str) -> bool:
        return any(overlap(own, squeeze(quote)) for own in self._quotes)


def overlap(one: str, other: str) -> bool:
    if not one or not other:
        return False
    if one in other or other in one:
        return min(len(one), len(other)) >= 8
    return len(one) >= RUN and any(one[start : start + RUN] in other for start in range(0, len(one) - RUN + 1, 4))


def squeeze(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip().lower()


def show(name: str, counts: Counter[str]) -> None:
    def share(part: str, whole: str) -> str:
        return f"{counts[part] / counts[whole]:.2f}" if counts[whole] else "-"

    shares = [share("found", "items"), *(share(f"{kind} found", f"{kind} items") for kind in (*CORE, "exclusion"))]
    shares += [share("core right", "core"), share("trapped", "traps"), share("twice", "heard")]
    print(f"{name[:32]:32}", f"{counts['entries']:8}", *(f"{value:>8}" for value in shares))


def speed(folder: Path) -> None:
    """Megabytes of transcript per second on one core, and how the time grows with the length of one session."""
    largest = max(folder.rglob("*.jsonl"), key=lambda path: path.stat().st_size)
    times = {}
    for megabytes in (1, 4, 16):
        with tempfile.TemporaryDirectory(prefix="steno-speed-") as work:
            path = Path(work) / largest.name
            grow(largest, path, megabytes * 1_000_000)
            with steno.open(Path(work) / "home") as memory:
                memory.capture(path)
                start = time.process_time()
                measured(turns_read=memory.scribe().turns)
                times[megabytes] = time.process_time() - start
        print(f"scribe: {megabytes:3} MB in {times[megabytes]:.2f} s, {megabytes / times[megabytes]:.0f} MB/s")
    print(f"exponent from 1 to 16 MB: {math.log(times[16] / times[1]) / math.log(16):.2f}")


def grow(sample: Path, path: Path, size: int) -> None:
    """One session of so many bytes: the sample again and again, each time with ids of its own."""
    uuid = re.compile(rb'("(?:uuid|id)":")[0-9a-f]{4}')
    lines = sample.read_bytes().splitlines(keepends=True)
    done = repeat = 0
    with path.open("wb") as file:
        while done < size:
            for line in lines:
                done += file.write(uuid.sub(b"\\g<1>%04x" % repeat, line))
                if done >= size:
                    break
            repeat += 1


if __name__ == "__main__":
    raise SystemExit(main())
