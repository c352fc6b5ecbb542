"""Speed and memory of recall on one core, at growing stores, with plain FTS5 over the same file in the same run.

    python benchmarks/recall_speed.py [--turns 10000,100000,1000000] [--keep FOLDER] [--queries 300]

The talk is made up by a seeded generator: our own sentences, with words put in whose frequencies fall like those of
real talk, some of them the session's own. Turns go in through the journal, entries through the store (no scribe), words
through the product's own indexer. Vectors of all turns would take hours: a few are real, and every turn gets two of
them with noise (cosine .7 to the original), because speed does not depend on what they mean.

Each size is measured in a process of its own, bound to one core. `paced` leaves a pause between two questions, as a
person does, so that what recall writes down behind the answer is done; `in a row` asks the next one at once; `cpu` is
the processor's time of the paced ones, which other work on the machine disturbs less. The times hold the embedding of
the question. Every tenth question names a time. FTS5 is asked for the words recall looks for, too: those that tell
something, joined by OR, the ten best by bm25.
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
from bisect import bisect
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from inspect import isfunction, isgeneratorfunction
from itertools import accumulate, islice, pairwise
from pathlib import Path
from statistics import fmean, median
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from measured import measured

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from steno.memory import Memory
    from steno.store import Store
    from steno.store.entries import Unread
    from steno.vocabulary import Batch, Read

# Goes up when what is filled in changes; kept stores of another version are filled anew.
VERSION: Final = 2
ONE_THREAD: Final = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
AIMS: Final = {100_000: 20.0, 1_000_000: 45.0}
MEMORY_AIM, FIRST_AIM, EMBEDDING_AIM = 1000.0, 60.0, 120.0
REAL_PIECES, PIECES_PER_TURN, ENTRIES, EMBEDDED = 2000, 2, 5000, 600
WARM_UP, PAUSE, FRESH, SLOW_BASELINE, MOST_STAGES = 30, 0.03, 9, 20, 24
PORTION: Final = 5000
START: Final = datetime(2024, 7, 1, 8, tzinfo=UTC)
YEARS: Final = timedelta(days=730)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", default="10000,100000,1000000", help="sizes of the stores, with commas between")
    parser.add_argument("--keep", type=Path, help="where filled stores are kept, and taken from the next time")
    parser.add_argument("--queries", type=int, default=300)
    parser.add_argument("--part", help=argparse.SUPPRESS)
    parser.add_argument("--home", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.part:
        os.environ.update(ONE_THREAD)
        parts: dict[str, Callable[[], dict[str, Any]]] = {
            "fill": lambda: fill(options.home, int(options.turns)),
            "recall": lambda: measure(options.home, options.queries),
            "plain": lambda: plain(options.home, options.queries),
            "embed": lambda: embedding_speed(options.home),
        }
        print(json.dumps(parts[options.part]()))
        return 0
    sizes = sorted({int(size) for size in options.turns.split(",")})
    if options.keep:
        options.keep.mkdir(parents=True, exist_ok=True)
        return compare(options.keep, sizes, options.queries)
    with tempfile.TemporaryDirectory(prefix="steno-bench-") as folder:
        return compare(Path(folder), sizes, options.queries)


def compare(folder: Path, sizes: Sequence[int], queries: int) -> int:
    missed = False
    seen: list[tuple[int, dict[str, Any]]] = []
    for size in sizes:
        home = filled(folder, size)
        found = part("recall", home, queries=queries)
        found["plain"] = part("plain", home, queries=queries if size <= 100_000 else SLOW_BASELINE)
        found["first"] = first_answers(home)
        missed |= tell(size, found)
        seen.append((size, found))
    for (small, before), (large, after) in pairwise(seen):
        tell_growth(small, before, large, after)
    speed = part("embed", folder)
    print()
    missed |= line("turns embedded a second", speed["turns"], "", EMBEDDING_AIM, least=True)
    print(f"{'':26} {speed['worked']:8.1f} a second of the processor's time; {speed['per_turn']:.2f} pieces each")
    return int(missed)


def part(name: str, home: Path, **values: object) -> dict[str, Any]:
    """Run one part in a process of its own."""
    options = [text for option, value in values.items() for text in (f"--{option}", str(value))]
    command = [sys.executable, __file__, "--part", name, "--home", str(home), *options]
    environment = {**os.environ, **ONE_THREAD, "STENO_EMBEDDING": "minilm"}
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE)
    if done.returncode:
        raise SystemExit(f"{name} failed")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


# -- telling ---------------------------------------------------------------------------------------------------------


def tell(size: int, found: dict[str, Any]) -> bool:
    """Everything about one size; whether an aim was missed."""
    print(f"\n{size:,} turns: {found['pieces']:,} vectors, {found['entries']:,} entries, {found['megabytes']:,.0f} MB")
    print(f"{'':26} {'p50':>8}{'p95':>8}{'p99':>8}   ms")
    for name, times in {**found["times"], "plain FTS5": found["plain"]["times"]}.items():
        print(f"{name:26} {quantile(times, 0.5):8.2f}{quantile(times, 0.95):8.2f}{quantile(times, 0.99):8.2f}")
    base, ours = found["plain"]["worked"], found["times"]["turns, cpu"]
    print(f"{'recall of turns / FTS5':26} {quantile(ours, 0.5) / quantile(base, 0.5):8.2f} at p50, by the processor")
    first, worked, whole = found["first"]
    missed = [
        line(f"{name}, p99", quantile(found["times"][name], 0.99), "ms", AIMS.get(size)) for name in PACED
    ]  # fmt: skip
    missed.append(line("anonymous memory", found["memory"], "MB", MEMORY_AIM))
    missed.append(line("first answer, by words", first, "ms", FIRST_AIM))
    print(f"{'':26} {worked:8.1f} ms of the processor's time; {whole:.1f} ms with the start and the end of the process")
    print(f"where a recall of everything spends its {found['total']:.1f} ms of the processor's time:")
    for name, spent in found["stages"].items():
        print(f"  {name:38} {spent:7.2f} ms {100 * spent / found['total']:5.1f} %")
    return any(missed)


def tell_growth(small: int, before: dict[str, Any], large: int, after: dict[str, Any]) -> None:
    print(f"\nfrom {small:,} to {large:,} turns, {large / small:g} times as many:")
    for name in (*PACED, "turns, cpu", "all, cpu"):
        for share in (0.5, 0.99):
            one, other = (quantile(found["times"][name], share) for found in (before, after))
            slope, growth = (other - one) / (large - small) * 100_000, other / one
            print(
                f"{name + f', p{share * 100:.0f}':26} {slope:8.2f} ms per 100,000 more; "
                f"{growth:.2f} times the time, {growth / (large / small):.2f} of the growth of size"
            )


def line(name: str, value: float, unit: str, aim: float | None, *, least: bool = False) -> bool:
    """A figure beside its aim; whether it was missed."""
    missed = aim is not None and (value < aim if least else value > aim)
    beside = "" if aim is None else f"aim {'≥' if least else '≤'} {aim:g}   {'MISSED' if missed else 'ok'}"
    print(f"{name:26} {value:8.1f} {unit:3} {beside}".rstrip())
    return missed


def quantile(values: Sequence[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


class Progress:
    """A line on standard error that counts, if a person looks."""

    def __init__(self, what: str, whole: int) -> None:
        self._what, self._whole, self._done = what, whole, 0
        self._start = time.monotonic()

    def __call__(self, more: int) -> None:
        self._done += more
        if sys.stderr.isatty():
            seconds = time.monotonic() - self._start
            end = "\n" if self._done >= self._whole else ""
            print(f"\r{self._what}: {self._done:,} of {self._whole:,}, {seconds:.0f} s ", end=end, file=sys.stderr)


# -- measuring -------------------------------------------------------------------------------------------------------

PACED: Final = ("turns, paced", "all, paced")


def measure(home: Path, queries: int) -> dict[str, Any]:
    """Warm recalls in this process, on one core; its memory afterwards; then once more with a watch on every stage."""
    on_one_core()
    import steno
    from steno.daemon.health import give_back

    asked = questions(home, queries + WARM_UP)
    warm, asked = asked[:WARM_UP], asked[WARM_UP:]
    with steno.open(home) as memory:
        # A kept store may be of an older version: bring up to date what is derived.
        memory.embed()
        hits = sum(len(memory.recall(query, k=10)) for query in warm)
        # As the daemon does once it is warm.
        give_back()
        time.sleep(1)
        ways: dict[str, Callable[[str], Any]] = {
            "turns": lambda query: memory.recall(query, k=10, within="turns"),
            "all": lambda query: memory.recall(query, k=10),
        }
        times: dict[str, list[float]] = {}
        for name, way in ways.items():
            times[f"{name}, paced"], times[f"{name}, cpu"] = timed(way, asked, PAUSE)
        for name, way in ways.items():
            times[f"{name}, in a row"], _ = timed(way, asked)
        used = anonymous_megabytes()
        stages, total = watched(memory, asked[: max(50, queries // 3)])
        pieces = memory.home.store.vectors.count() * PIECES_PER_TURN
        entries = len(memory.home.store.vectors.entries())
        near = sum(spent for name, spent in stages.items() if name.startswith("VectorIndex."))
        measured(questions=len(asked), hits=hits, vectors=pieces, entries=entries, time_spent_on_vectors=near)
    size = sum(file.stat().st_size for file in home.rglob("*") if file.is_file()) / 1e6
    found = {"times": times, "memory": used, "stages": stages, "total": total}
    return {**found, "pieces": pieces, "entries": entries, "megabytes": size}


def timed(way: Callable[[str], Any], asked: Sequence[str], pause: float = 0.0) -> tuple[list[float], list[float]]:
    """Milliseconds of each question, and those of them the processor worked for it."""
    times, worked = [], []
    for query in asked:
        start, work = time.perf_counter(), time.thread_time()
        way(query)
        times.append((time.perf_counter() - start) * 1000)
        worked.append((time.thread_time() - work) * 1000)
        time.sleep(pause)
    return times, worked


def watched(memory: "Memory", asked: Sequence[str]) -> tuple[dict[str, float], float]:
    """Milliseconds of a recall that each stage takes, without what the stages inside it take, and of the whole."""
    from steno.pipeline.derived import Derived
    from steno.recall import recall, vectors
    from steno.recall.meaning import StoredMeaning
    from steno.recall.search import Search
    from steno.recall.words import WordIndex
    from steno.store.sqlite import SqliteDatabase

    watch = Watch()
    for owner in (recall, vectors, recall.Recall, Search, WordIndex, StoredMeaning, vectors.VectorIndex):
        for name, value in list(vars(owner).items()):
            own = isfunction(value) and value.__module__.startswith("steno.recall") and not name.startswith("__")
            if own and not isgeneratorfunction(value):
                watch.put_on(owner, name)
    watch.put_on(Derived, "meaning")
    watch.put_on(SqliteDatabase, "rows", lambda _, query, *__: f"query {query}")
    _, times = timed(lambda query: memory.recall(query, k=10), asked, PAUSE)
    ranked = sorted(watch.own.items(), key=lambda one: -one[1])
    spent = {name: seconds * 1000 / len(asked) for name, seconds in ranked[:MOST_STAGES]}
    return {**spent, "everything else": fmean(times) - sum(spent.values())}, fmean(times)


class Watch:
    """Measures functions while they run; what one takes inside another is counted once. Only the thread that asks."""

    def __init__(self) -> None:
        self.own: defaultdict[str, float] = defaultdict(float)
        self._inside: list[float] = []

    def put_on(self, owner: Any, name: str, called: Callable[..., str] | None = None) -> None:
        """Watch a function; each call may be given a name of its own."""
        function = getattr(owner, name)
        plainly = f"{owner.__name__.rpartition('.')[2]}.{name}"

        def measured(*values: Any, **named: Any) -> Any:
            if threading.current_thread() is not threading.main_thread():
                return function(*values, **named)
            self._inside.append(0.0)
            start = time.thread_time()
            try:
                return function(*values, **named)
            finally:
                seconds = time.thread_time() - start
                self.own[plainly if called is None else called(*values)] += seconds - self._inside.pop()
                if self._inside:
                    self._inside[-1] += seconds

        setattr(owner, name, measured)


def plain(home: Path, queries: int) -> dict[str, Any]:
    """The same questions to the store's own full-text index, through SQLite alone."""
    on_one_core()
    import apsw

    from steno.recall.question import ask, expression

    asked = [expression(ask(query, "2026-07-01T00:00:00.000Z").words, 32) for query in questions(home, queries)]
    database = apsw.Connection(str(home / "steno.db"), flags=apsw.SQLITE_OPEN_READONLY)
    database.execute("PRAGMA cache_size = -16384")
    ranked = "SELECT rowid FROM turns_text WHERE turns_text MATCH ? ORDER BY rank LIMIT 10"
    measured(hits_of_plain_FTS5=sum(len(list(database.execute(ranked, (words,)))) for words in asked[:5]))
    times, worked = timed(lambda words: list(database.execute(ranked, (words,))), asked)
    return {"times": times, "worked": worked}


FIRST: Final = """
import time; start, worked = time.perf_counter(), time.process_time()
import sys, steno
memory = steno.open(sys.argv[1])
hits = memory.recall(sys.argv[2])
print((time.perf_counter() - start) * 1000, (time.process_time() - worked) * 1000, len(hits))
memory.close()
"""


def first_answers(home: Path) -> tuple[float, float, float]:
    """Milliseconds of the first answer by words in a fresh process, those the processor worked, and of all of it."""
    found = []
    for query in questions(home, FRESH + 1):
        start = time.perf_counter()
        output = subprocess.run(
            [sys.executable, "-c", FIRST, str(home), query],
            env={**os.environ, **ONE_THREAD, "STENO_EMBEDDING": "off"},
            preexec_fn=on_one_core,
            stdout=-1,
            check=True,
        ).stdout
        whole = (time.perf_counter() - start) * 1000
        first, worked, hits = map(float, output.split())
        measured(hits_of_a_first_answer=hits)
        found.append((first, worked, whole))
        time.sleep(PAUSE)
    first, worked, whole = map(median, zip(*found[1:], strict=True))
    return first, worked, whole


def embedding_speed(folder: Path) -> dict[str, Any]:
    """Turns a second through the real model, in a store of their own."""
    on_one_core()
    import steno

    with tempfile.TemporaryDirectory(dir=folder) as home, steno.open(home) as memory:
        put_turns(memory.home.store, EMBEDDED + 8)
        memory.derived.index()
        memory.derived._load()
        start, work = time.perf_counter(), time.process_time()
        done = memory.embed()
        seconds, worked = time.perf_counter() - start, time.process_time() - work
        pieces = sum(len(row.pieces) for row in memory.home.store.vectors.after(0, 10 * EMBEDDED)) // 384
        measured(turns_embedded=done, vectors=pieces)
    return {"turns": done / seconds, "worked": done / worked, "per_turn": pieces / done}


def on_one_core() -> None:
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def anonymous_megabytes() -> float:
    found = re.search(r"^Anonymous:\s+(\d+) kB", Path("/proc/self/smaps_rollup").read_text(), re.MULTILINE)
    assert found is not None
    return int(found[1]) / 1024


# -- filling ---------------------------------------------------------------------------------------------------------


def filled(folder: Path, size: int) -> Path:
    """The home with so many turns, filled now unless it was kept."""
    home = folder / f"{size}-{VERSION}"
    if not (home / "filled.json").exists():
        seconds = part("fill", home, turns=size)
        print("filled " + ", ".join(f"{name} in {value:.0f} s" for name, value in seconds.items()), file=sys.stderr)
    return home


def fill(home: Path, size: int) -> dict[str, float]:
    """Turns, entries and vectors of a store; seconds of each step."""
    import steno

    seconds: dict[str, float] = {}

    def step(name: str, work: Callable[[], object]) -> None:
        start = time.monotonic()
        work()
        seconds[name] = time.monotonic() - start

    with steno.open(home) as memory:
        store, derived = memory.home.store, memory.derived
        step("turns", lambda: put_turns(store, size))
        measured(turns=store.searched.last_turn())
        step("entries", lambda: put_entries(store))
        # Beginning counts as an erasure, which the index of words would notice: vectors first.
        step("vectors", lambda: put_vectors(memory, size))
        step("words", lambda: derived.index(Progress("words", size)))
        # All have theirs: what is left is to lay them out. A turn embedded here would have been dropped above.
        step("files", memory.embed)
        measured(vectors=store.vectors.count() == size, vectors_of_entries=len(store.vectors.entries()))
    (home / "filled.json").write_text(json.dumps(seconds))
    return seconds


def put_turns(store: "Store", size: int) -> None:
    """Sessions of about fifty turns, several to a transaction, through the journal."""
    from steno.store import key_of
    from steno.vocabulary import Batch, Watermark

    now, progress, done = START.isoformat(), Progress("turns", size), 0
    known = store.journal.transcript("claude-code", "/made/up.jsonl", now)
    talk = Talk(random.Random(11), size)
    while done < size:
        batch = next_batch(talk, Batch, Watermark, size - done)
        keys = [key_of("claude-code", read, store.secret) for read in batch.turns]
        known, _ = store.journal.append(known, batch, keys, redacted={}, now=now)
        done += len(keys)
        progress(len(keys))


def next_batch(talk: "Talk", batch: type["Batch"], watermark: type[Any], most: int) -> "Batch":
    reads: list[Read] = []
    sessions = []
    while len(reads) < min(PORTION, most):
        session, turns = talk.session()
        sessions.append(session)
        reads += turns
    return batch(turns=reads[:most], sessions=sessions, watermark=watermark())


def put_entries(store: "Store") -> None:
    """Entries that rest on turns all over the journal; every twelfth took another one's place."""
    from steno.vocabulary import CATEGORIES, Candidate, Checkpoint, Quote
    from steno.vocabulary.details import detail_of

    chance, last = random.Random(12), store.searched.last_turn()
    numbers = sorted(chance.sample(range(1, last + 1), min(ENTRIES, last // 2)))
    found = store.searched.turns(numbers)
    unread = session_of(store)
    before: str | None = None
    with store.entries.write():
        # As if the scribe had read everything: nothing is left for it to do before an answer.
        for session in store.entries.unread():
            store.entries.put_checkpoint(session, session.mark, Checkpoint(turn=last), work=None, turns=0, spoken=0)
        for number in numbers:
            turn = found[number].turn
            quote = turn.text.split(". ")[0]
            category = chance.choice(CATEGORIES)
            said = [Quote(number, quote)]
            detail = detail_of(category, {})
            candidate = Candidate(category=category, summary=quote, evidence=said, detail=detail, cue="benchmark")
            origin: Any = turn.role
            entry = store.entries.put(candidate, origin, turn.at, session=unread, work=None)
            if entry and before and chance.random() < 1 / 12:
                store.entries.supersede(before, entry)
            before = entry


def session_of(store: "Store") -> "Unread":
    from steno.store.entries import Unread

    return Unread(1, "claude-code", "session-0", "main", "/work/project-0", None, None, None, 0)


def put_vectors(memory: "Memory", size: int) -> None:
    """A few real vectors; for every turn and entry some of them with noise."""
    import numpy as np

    store, model = memory.home.store, memory.derived._load()
    real = model.embed(list(islice(some_pieces(store), REAL_PIECES)))
    chance, progress = np.random.default_rng(13), Progress("vectors", size)
    store.vectors.begin(model.name)
    # The store takes only what it wanted: vectors of other turns would be dropped.
    while turns := [turn for turn, *_ in store.vectors.wanted(PORTION)]:
        store.vectors.put(list(zip(turns, noisy(real, len(turns), PIECES_PER_TURN, chance), strict=True)))
        progress(len(turns))
    store.vectors.finished()
    while wanted := store.vectors.entries_wanted(PORTION):
        store.vectors.put_entries([
            (entry, numbers)
            for (entry, *_), numbers in zip(wanted, noisy(real, len(wanted), 1, chance), strict=True)
        ])  # fmt: skip


def some_pieces(store: "Store") -> Iterator[str]:
    from steno.recall.pieces import pieces

    for turn in store.searched.to_index(0, REAL_PIECES):
        yield from pieces(turn.text)


def noisy(
    real: "NDArray[np.float32]", count: int, pieces: int, chance: "np.random.Generator"
) -> Iterator[bytes]:  # fmt: skip
    """So many turns' vectors as the store keeps them."""
    import numpy as np

    from steno.recall.vectors import compact

    size = real.shape[1]
    noise = chance.standard_normal((count * pieces, size), np.float32) / np.float32(size**0.5)
    numbers = compact(real[chance.integers(0, len(real), count * pieces)] + noise)
    step = size * pieces
    return (numbers[place : place + step] for place in range(0, len(numbers), step))


# -- talk ------------------------------------------------------------------------------------------------------------

# Our own sentences; a word or a name goes into each gap.
SEEDS: Final = """
Can you look at the {} before we {} the {}|I think the {} should {} whenever a {} comes in|No, leave {} as it is and
{} the {} instead|The {} failed again because {} was not {}|Let us use {} for the {} and keep {} out of it|We tried {}
last week and it broke the {} on {}|Yes, go ahead with {}|{} told me that the {} needs a {} by Friday|I looked into {}
and found that {} never calls {}|The reason is that {} holds the {} while {} waits|Please never {} the {} without
asking {} first|There are three ways to {} this: a {}, a {} or plain {}|My sister {} likes {} and a good {} in the
evening|The test for {} is green now, the one for {} still needs {}|How long does the {} take when {} is {}|I moved {}
into {} and renamed the {}|That is odd, {} should have been {} by the {}|From now on every {} gets a {} of its
own|What would happen to {} if the {} were {}|I booked the {} for {} and the {} is paid|Nothing in {} depends on {}
any more|The {} in {} is off by one, so the last {} gets lost|Give me a short list of {} with {} and {}|We decided
against {} since the {} costs too much {}|Here is the plan: first {}, then {}, and {} at the end|The numbers for {}
look better than those of {}|Remember that {} lives next to the {} and hates {}|I would rather {} the {} than wait for
{}|Everything about {} stands in the {} document|The {} ran out of {} during the night|Thanks, the {} works and {} is
happy with it|Why does {} write to {} twice|The old {} is still used by {} and two other {}|I have a call with {}
about the {} tomorrow|Make the {} smaller and put {} beside the {}|It takes {} seconds to {} one {}|You were right
about {}, it was the {} all along|The doctor said {} helps against {}|Only {} may read the {}; everyone else sees
{}|Add a {} to {} so that we notice when {} stops|{}
"""
COMMON: Final = """
server table queue build deploy cache index query report invoice customer payment migration branch commit review
release schema worker backup restore token session login password form button page menu chart export import upload
download file folder script config setting flag feature bug patch fix test suite runner pipeline container image
cluster node region budget price contract client vendor partner meeting agenda slide draft letter article book chapter
recipe dinner lunch coffee garden kitchen window door car train flight hotel ticket trip holiday weekend school
teacher lesson exam project idea plan goal risk issue ticket story sprint board design layout color font logo photo
camera video sound music guitar piano song band concert movie series actor game match team coach score run race bike
marathon gym doctor medicine sleep diet weight walk dog cat horse bird fish tree flower rain snow storm summer winter
spring autumn market shop bread cheese apple orange lemon sugar salt pepper rice pasta soup salad sauce oven pan knife
plate glass bottle wine beer water tea merge split copy move rename delete create update check measure compare count
sort filter group join cut paste print send open close start stop pause resume retry skip block allow deny limit raise
lower grow shrink clean wash paint repair build broken slow fast large small empty full early late cheap costly simple
hard quiet loud bright dark warm cold fresh stale parser lexer compiler linker loader thread process lock mutex
channel socket packet header payload buffer stream batch signal event handler callback hook plugin module package
library version license readme changelog issue milestone
""".split()
ASKING: Final = (
    "what did we decide about {}|why was it that {}|how does it work with {}|when did I say that {}"
    "|who told me about {}|do you remember {}|what was the problem with {}|which one did we choose for {}"
).split("|")
TIMES: Final = ("last month", "in March 2026", "two weeks ago", "last year", "in October 2025")
SYLLABLES: Final = [a + b for a in "bcdfghklmnprstvz" for b in ("a", "e", "i", "o", "u", "an", "er", "is", "ot", "el")]
# A gap holds a common word, a rare one (a name, an identifier), or one of the session's own.
COMMON_WORDS, RARE_WORDS, OWN_WORDS = 4000, 200_000, 12
RARE_SHARE, OWN_SHARE = 0.12, 0.3
# In English the words that tell something begin at about this rank; the fillers stand in the seeds.
FIRST_RANK: Final = 60


class Words(NamedTuple):
    """Words and the sums of their weights, which fall with the rank."""

    words: list[str]
    sums: list[float]

    def some(self, chance: random.Random, count: int) -> list[str]:
        whole = self.sums[-1]
        return [self.words[bisect(self.sums, chance.random() * whole)] for _ in range(count)]


class Talk:
    """Sessions of made-up talk, spread over two years."""

    def __init__(self, chance: random.Random, turns: int) -> None:
        self._chance = chance
        self._seeds = [" ".join(seed.split()) for seed in SEEDS.split("|")]
        self._gaps = [seed.count("{}") for seed in self._seeds]
        made = (self._made_up() for _ in range(COMMON_WORDS))
        self._common = ranked([*dict.fromkeys(COMMON), *made])
        self._rare = ranked([self._name() for _ in range(RARE_WORDS)])
        self._apart = YEARS / (turns / 50 + 1)
        self._count = 0

    def session(self) -> "tuple[Any, list[Read]]":
        """The next session and its turns."""
        from steno.vocabulary import Read, Session, Turn

        chance, name = self._chance, f"session-{self._count}"
        at = START + self._apart * self._count
        own = self._rare.some(chance, OWN_WORDS // 2) + self._common.some(chance, OWN_WORDS // 2)
        reads = []
        for number in range(chance.randint(30, 70)):
            at += timedelta(seconds=chance.randint(5, 300))
            when = at.isoformat(timespec="milliseconds").replace("+00:00", "Z")
            text, unique = self._turn(own), f"{name}-{number}"
            role: Any = "assistant" if number % 2 else "user"
            turn = Turn(role=role, kind="said", text=text, at=when, line=number + 1, native_id=unique)
            reads.append(Read(name, turn, unique))
        session = Session(source="claude-code", session=name, project=f"/work/project-{self._count % 20}")
        self._count += 1
        return session, reads

    def _turn(self, own: list[str]) -> str:
        """One to four sentences."""
        chance, sentences = self._chance, []
        for _ in range(chance.randint(1, 4)):
            which = int(chance.random() * len(self._seeds))
            sentence = self._seeds[which].format(*(self._word(own) for _ in range(self._gaps[which])))
            sentences.append(sentence[0].upper() + sentence[1:])
        return ". ".join(sentences) + "."

    def _word(self, own: list[str]) -> str:
        which = self._chance.random()
        if which < OWN_SHARE:
            return own[int(which / OWN_SHARE * len(own))]
        source = self._rare if which < OWN_SHARE + RARE_SHARE else self._common
        return source.words[bisect(source.sums, self._chance.random() * source.sums[-1])]

    def _made_up(self) -> str:
        return "".join(self._chance.choices(SYLLABLES, k=self._chance.randint(2, 4)))

    def _name(self) -> str:
        """A name, an identifier, a file or a number of something."""
        one, other = self._made_up(), self._made_up()
        form = self._chance.choice(("{0}", "{0}", "{0}_{1}", "{0}.py", "{2}-{3}", "{0}{3}"))
        return form.format(one.capitalize(), other, one[:4].upper(), self._chance.randint(1, 9999))


def ranked(words: list[str]) -> Words:
    return Words(words, list(accumulate(1 / (rank + FIRST_RANK) for rank in range(len(words)))))


def questions(home: Path, count: int) -> list[str]:
    """Questions of 8 to 15 words about turns of a store, always the same ones; every tenth names a time."""
    import apsw

    chance = random.Random(14)
    database = apsw.Connection(str(home / "steno.db"), flags=apsw.SQLITE_OPEN_READONLY)
    last = next(database.execute("SELECT max(id) FROM turns"))[0]
    asked: list[str] = []
    while len(asked) < count:
        text = next(database.execute("SELECT text FROM turns WHERE id = ?", (chance.randint(1, last),)))[0]
        frame, words = chance.choice(ASKING), re.findall(r"[\w.-]*\w", text)
        time_named = f" {chance.choice(TIMES)}" if len(asked) % 10 == 9 else ""
        room = chance.randint(8, 15) - len(f"{frame}{time_named}".split()) + 1
        if len(words) >= room:
            start = chance.randint(0, len(words) - room)
            asked.append(frame.format(" ".join(words[start : start + room]).lower()) + time_named)
    database.close()
    return asked


if __name__ == "__main__":
    os.environ.setdefault("STENO_HOME", "/nonexistent")
    raise SystemExit(main())
