"""Talk between two people who give no orders: how much is noted, how fast, and how much room it takes.

    python benchmarks/plain_talk.py --talk FILE

FILE holds conversations as LoCoMo publishes them (`locomo10.json`). One speaker is taken for the person, the other for
the agent. Baseline in the same run: the same lines written to a SQLite table of their own with nothing but their text.
"""

import argparse
import json
import os
import sqlite3
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from measured import measured

import steno

os.environ["STENO_EMBEDDING"] = "off"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--talk", type=Path, required=True)
    parser.add_argument("--show", action="store_true", help="print what was noted")
    options = parser.parse_args()
    lines = [line for talk in json.loads(options.talk.read_text("utf-8")) for line in spoken(talk)]
    size = sum(len(line["text"].encode()) for line in lines)
    measured(turns=len(lines))
    with tempfile.TemporaryDirectory(prefix="steno-talk-") as folder:
        path = Path(folder) / "talk.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
        start = time.process_time()
        with sqlite3.connect(Path(folder) / "bare.db") as bare:
            bare.execute("CREATE TABLE lines (text TEXT)")
            bare.executemany("INSERT INTO lines VALUES (?)", [(line["text"],) for line in lines])
        written = time.process_time() - start
        with steno.open(Path(folder) / "home") as memory:
            start = time.process_time()
            memory.capture(path, source="jsonl")
            captured = time.process_time() - start
            start = time.process_time()
            memory.scribe()
            scribed = time.process_time() - start
            entries = memory.entries()
        store = sum(file.stat().st_size for file in (Path(folder) / "home").glob("steno.db*"))
        room = store / (Path(folder) / "bare.db").stat().st_size
    for entry in entries if options.show else ():
        print(f"  {entry.category}: {entry.summary[:100]}")
    print(f"{len(lines):,} turns, {size / 1e6:.2f} MB of words")
    print(f"entries {len(entries)}, {len(entries) / len(lines):.3f} a turn")
    print(
        f"scribe {size / 1e6 / scribed:.2f} MB/s, {1e3 * scribed / len(lines):.2f} ms a turn; capture {captured:.1f} s"
    )
    print(f"store {store / size:.1f} times the words, {room:.1f} times a bare table (written in {written:.2f} s)")
    return 0


def spoken(talk: dict[str, Any]) -> list[dict[str, str]]:
    """The lines of a conversation in the generic format."""
    conversation = talk["conversation"]
    names = sorted(
        (name for name in conversation if name.startswith("session_") and not name.endswith("date_time")),
        key=lambda name: int(name.split("_")[1]),
    )
    person = conversation["speaker_a"]
    return [
        {
            "session": f"{talk['sample_id']}-{name}", "id": str(place), "at": "2026-05-01T10:00:00Z",
            "role": "user" if line["speaker"] == person else "assistant", "text": line["text"],
        }
        for name in names
        for place, line in enumerate(conversation[name])
    ]  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
