"""Speed and memory of capture, as ratios against a floor measured in the same run.

    python benchmarks/capture.py [--megabytes 500] [--transcripts DIR] [--appends 200]

The floor is a loop that only decodes each wanted line with the same JSON decoder and inserts role, time and text into
a bare table with the same full-text index, committing as often. Everything else is what capture adds: telling who said
it, keys, redaction, facts of sessions, watermarks.
"""

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from measured import measured

SAMPLES = Path(__file__).parent.parent / "samples" / "transcripts" / "claude-code"
UUID = re.compile(rb"[0-9a-f]{4}([0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})")
AIMS = {"ratio": 2.5, "again": 0.02, "memory": 150.0, "append": 200.0}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--megabytes", type=int, default=500)
    parser.add_argument("--transcripts", type=Path, help="make the history from these Claude Code transcripts instead")
    parser.add_argument("--appends", type=int, default=200)
    parser.add_argument("--part", help=argparse.SUPPRESS)
    parser.add_argument("--history", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--home", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.part:
        print(json.dumps({"floor": floor, "capture": capture}[options.part](options.history, options.home)))
        return 0
    with tempfile.TemporaryDirectory(prefix="steno-bench-") as folder:
        return compare(Path(folder), options)


def compare(folder: Path, options: argparse.Namespace) -> int:
    history = folder / "history"
    size, files = make_history(history, options.megabytes * 1_000_000, options.transcripts)
    source = options.transcripts or "the samples, with made-up prose"
    print(f"history: {size / 1e6:.0f} MB in {files} files, made from {source}")
    base = part("floor", history, folder / "floor")
    first = part("capture", history, folder / "home")
    again = part("capture", history, folder / "home")
    latencies = append_latencies(folder, options.appends)
    measured(
        turns_at_the_floor=base["turns"], captured_turns=first["turns"], appends=len(latencies),
        anonymous_memory=first["memory_mb"],
    )  # fmt: skip
    ratio, share = first["seconds"] / base["seconds"], again["seconds"] / first["seconds"]
    for name, found in (("floor", base), ("capture", first)):
        speed = size / 1e6 / found["seconds"]
        print(f"{name:24} {found['seconds']:8.2f} s   {found['turns']:,} turns, {speed:.0f} MB/s")
    rows = [
        ("capture / floor", ratio, "x", AIMS["ratio"]),
        ("captured again / first", share, "", AIMS["again"]),
        ("peak anonymous memory", first["memory_mb"], "MB", AIMS["memory"]),
        ("append → stored, p99", quantile(latencies, 0.99), "ms", AIMS["append"]),
    ]
    middle, most = quantile(latencies, 0.5), quantile(latencies, 0.95)
    print(f"{'append → stored':24} p50 {middle:.1f}  p95 {most:.1f} ms, {len(latencies)} appends")
    for name, value, unit, aim in rows:
        print(f"{name:24} {value:8.3g} {unit:3} aim ≤ {aim:g}   {'ok' if value <= aim else 'MISSED'}")
    return 0 if all(value <= aim for _, value, _, aim in rows) and again["turns"] == 0 else 1


def part(name: str, history: Path, home: Path) -> dict[str, Any]:
    """Run one part in a process of its own; its seconds and turns, and the peak of its anonymous memory."""
    command = [sys.executable, __file__, "--part", name, "--history", str(history), "--home", str(home)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    peak = 0.0
    while process.poll() is None:
        peak = max(peak, anonymous_megabytes(process.pid))
        time.sleep(0.01)
    assert process.stdout is not None
    output = process.stdout.read()
    if process.returncode:
        raise SystemExit(f"{name} failed")
    return {**json.loads(output), "memory_mb": peak}


def anonymous_megabytes(pid: int) -> float:
    try:
        text = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0.0
    found = re.search(r"RssAnon:\s+(\d+) kB", text)
    return int(found[1]) / 1024 if found else 0.0


def capture(history: Path, home: Path) -> dict[str, float]:
    import steno

    with steno.open(home) as memory:
        start = time.perf_counter()
        result = memory.capture(history, source="claude-code")
        return {"seconds": time.perf_counter() - start, "turns": result.turns}


def floor(history: Path, home: Path) -> dict[str, float]:
    import apsw

    home.mkdir()
    database = apsw.Connection(str(home / "floor.db"))
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA synchronous = FULL")
    database.execute(
        "CREATE TABLE bare (id INTEGER PRIMARY KEY, role TEXT, at TEXT, text TEXT);"
        "CREATE VIRTUAL TABLE bare_text USING fts5 (text, content = 'bare', content_rowid = 'id',"
        " tokenize = 'porter unicode61 remove_diacritics 2');"
        "CREATE TRIGGER bare_insert AFTER INSERT ON bare BEGIN"
        " INSERT INTO bare_text (rowid, text) VALUES (new.id, new.text); END;"
    )
    start, turns = time.perf_counter(), 0
    for path in sorted(history.iterdir()):
        for rows in portions(path):
            turns += len(rows)
            with database:
                database.executemany("INSERT INTO bare (role, at, text) VALUES (?, ?, ?)", rows)
    return {"seconds": time.perf_counter() - start, "turns": turns}


def portions(path: Path) -> Iterator[list[tuple[Any, Any, str]]]:
    """Role, time and text of the wanted lines, in portions as large as capture's transactions."""
    import msgspec

    decode = msgspec.json.Decoder().decode
    rows: list[tuple[Any, Any, str]] = []
    size = 0
    with path.open("rb") as file:
        for line in file:
            size += len(line)
            if b'"type":"user"' in line or b'"type":"assistant"' in line:
                try:
                    rows += bare_rows(decode(line))
                except msgspec.DecodeError:
                    continue
            if size > 2 << 20:
                yield rows
                rows, size = [], 0
    yield rows


def bare_rows(value: dict[str, Any]) -> Iterator[tuple[Any, Any, str]]:
    """The rows of one line."""
    import msgspec

    message = value.get("message") or {}
    content = message.get("content")
    for block in content if isinstance(content, list) else [{"text": content}]:
        text = next((block[name] for name in ("text", "thinking", "content", "input") if block.get(name)), "")
        words = text if isinstance(text, str) else msgspec.json.encode(text).decode()
        yield message.get("role"), value.get("timestamp"), words


def append_latencies(folder: Path, appends: int) -> list[float]:
    """Milliseconds from the end of a write to the turn being in the store, with a watch running."""
    import steno
    from steno.testing import said, write_jsonl

    path = write_jsonl(folder / "watched" / "t.jsonl", said("the first line"))
    arrived, stop = threading.Semaphore(0), threading.Event()
    latencies = []
    with steno.open(folder / "watching") as memory:
        told = Arrivals(arrived)
        thread = threading.Thread(target=lambda: memory.watch(path.parent, told=told, stop=stop.is_set))
        thread.start()
        arrived.acquire()
        time.sleep(1.5)
        for number in range(appends):
            write_jsonl(path, said(f"line {number}"))
            start = time.perf_counter()
            if not arrived.acquire(timeout=10):
                raise SystemExit("an appended line did not arrive")
            latencies.append((time.perf_counter() - start) * 1000)
            time.sleep(random.uniform(0, 0.02))
        stop.set()
        thread.join()
    return latencies


class Arrivals:
    """Lets one waiter through for each new turn."""

    def __init__(self, arrived: threading.Semaphore) -> None:
        self._arrived = arrived

    def __call__(self, result: Any) -> None:
        if result.turns:
            self._arrived.release(result.turns)


def quantile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def make_history(folder: Path, size: int, transcripts: Path | None) -> tuple[int, int]:
    """Copies of the transcripts, each with ids of its own, until there are so many bytes."""
    folder.mkdir()
    originals = [path.read_bytes() for path in sorted((transcripts or SAMPLES).glob("*.jsonl"))]
    measured(transcripts=len(originals))
    prose = Prose(random.Random(7)) if transcripts is None else None
    done = files = 0
    while done < size:
        for original in originals:
            data = original if prose is None else prose.enlarge(original)
            data = UUID.sub(b"%04x\\1" % (files // len(originals)), data)
            (folder / f"{files:06}.jsonl").write_bytes(data)
            done, files = done + len(data), files + 1
            if done >= size:
                break
    return done, files


class Prose:
    """Made-up words with the frequencies of real ones, so that the full-text index has real work."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        syllables = [a + b for a in "bcdfghklmnprstvz" for b in ("a", "e", "i", "o", "u", "an", "er", "is", "ot")]
        self._words = ["".join(chance.choices(syllables, k=chance.randint(1, 4))) for _ in range(30_000)]
        self._weights = [1 / (rank + 3) for rank in range(30_000)]

    def enlarge(self, sample: bytes, repeats: int = 60) -> bytes:
        """A long session: the sample's lines again and again, each with ids and words of its own."""
        lines = []
        for repeat in range(repeats):
            for line in sample.splitlines():
                value = json.loads(line)
                if "uuid" in value:
                    value["uuid"] = f"{self._chance.getrandbits(32):08x}-{repeat:04x}{value['uuid'][13:]}"
                self._fill(value)
                lines.append(json.dumps(value, separators=(",", ":")).encode())
            lines.append(b'{"type":"progress","data":{"output":"%s"}}' % (b"x" * self._chance.randint(200, 9000)))
        return b"\n".join(lines) + b"\n"

    def _fill(self, value: dict[str, Any]) -> None:
        content = value.get("message", {}).get("content")
        for block in content if isinstance(content, list) else []:
            name = "content" if block.get("type") == "tool_result" else block.get("type")
            if isinstance(block.get(name), str):
                number = int(self._chance.lognormvariate(4, 1.3))
                block[name] += " " + " ".join(self._chance.choices(self._words, self._weights, k=number))


if __name__ == "__main__":
    os.environ.setdefault("STENO_HOME", "/nonexistent")
    raise SystemExit(main())
