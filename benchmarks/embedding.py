"""Speed and memory of turning text into vectors on one core, as ratios against the unquantised model in the same run.

    python benchmarks/embedding.py [--texts 300] [--queries 200]

Each model runs in a process of its own, one text at a time, as Steno runs it. Short turns have 5 to 25 words, long ones
150 to 400 (the model reads their first 128 tokens). RSS is anonymous memory after the run, less what it was before.
"""

import argparse
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from measured import measured

WORDS = (
    "please look at the payments table before you change anything and tell me why the retry failed last night because "
    "customers saw two charges we decided to keep one writer and a queue in front of it never edit migrations by hand "
    "run tests again with verbose output then commit only what belongs to this fix the index grows slowly while vacuum "
    "waits for idempotency keys in request_log.py and settings.toml"
).split()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--texts", type=int, default=300)
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--part", nargs=2, metavar=("MODEL", "FOLDER"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.part:
        print(json.dumps(measure(options.part[0], Path(options.part[1]), options.texts, options.queries)))
        return
    with tempfile.TemporaryDirectory(prefix="steno-bench-") as folder:
        part("int8", folder)  # makes the quantised file, so that the next one only loads it
        small, full = part("int8", folder), part("fp32", folder)
    print(f"{'':28}{'int8':>10}{'fp32':>10}{'ratio':>8}")
    for name, value in small.items():
        print(f"{name:28}{value:10.1f}{full[name]:10.1f}{value / full[name]:8.2f}")


def part(model: str, folder: str) -> dict[str, float]:
    command = [sys.executable, __file__, *sys.argv[1:], "--part", model, folder]
    done = subprocess.run(command, stdout=subprocess.PIPE)
    if done.returncode:
        raise SystemExit(f"{model} failed")
    found: dict[str, float] = json.loads(done.stdout)
    return found


def measure(model: str, folder: Path, texts: int, queries: int) -> dict[str, float]:
    from steno.embedding import Choice, load, minilm

    measured(texts=texts // 3, queries=queries // 2)
    before, started = memory(), time.perf_counter()
    assets = minilm.carrier()
    loaded = (
        load(Choice("minilm"), folder)
        if model == "int8"
        else minilm.running(assets / "onnx/model.onnx", "fp32", assets)
    )
    found = {"load, ms": (time.perf_counter() - started) * 1e3}
    chance = random.Random(7)
    for kind, low, high, count in (("short", 5, 25, texts), ("long", 150, 400, texts // 3)):
        turns = [" ".join(chance.choices(WORDS, k=chance.randint(low, high))) for _ in range(count)]
        started = time.perf_counter()
        rows = loaded.embed(turns)
        measured(vectors=float(abs(rows).sum(axis=1).min()) if len(rows) == count else 0)
        found[f"{kind} turns, texts/s"] = count / (time.perf_counter() - started)
    times = []
    for _ in range(queries):
        started = time.perf_counter()
        loaded.embed([" ".join(chance.choices(WORDS, k=8))])
        times.append((time.perf_counter() - started) * 1e3)
    cuts = statistics.quantiles(times, n=20)
    return found | {"query p50, ms": cuts[9], "query p95, ms": cuts[18], "RSS added, MB": memory() - before}


def memory() -> float:
    status = Path("/proc/self/status").read_text()
    return int(status.partition("RssAnon:")[2].split()[0]) / 1024


if __name__ == "__main__":
    main()
