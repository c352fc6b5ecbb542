"""What a session costs the scribe when its project has many: processor seconds per 1,000 sessions, and how they grow.

    python benchmarks/sessions.py [--sizes 250,500] [--ways "at once,one by one"] [--check 1.5] [--after]

Writes made-up sessions of one project, each a Claude Code transcript of 12 to 17 turns: a request, calls and their
results, a decision, a refusal, sometimes a standing instruction, tasks left for later, a lesson. Sentences are put
together from parts, so that most entries are new ones and some repeat older ones, as in real projects.

Every size has a store of its own, filled twice: at once (capture all, scribe once) and one by one (capture a session,
scribe, and again, as the daemon does). The last column is the cost of a session against the first size: 1.0 is linear.
With `--after`, what reads such a store is measured, too: rebuild, boot and gate.
"""

import argparse
import json
import random
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from steno.clock import as_text
from steno.memory import Memory
from steno.testing import SteppingClock, house, write_jsonl
from steno.vocabulary import Action

PROJECT = "/project"
FIRST = "2025-12-01T08:00:00.000Z"
NOW = "2026-03-01T12:00:00.000Z"
# Projects name things; three of these make such a name.
SYLLABLES = "ba cor del fen gri hol jin kar lum mon nor pel qui ros sil tam ver win xan zet".split()
PARTS = {
    "area": (
        "billing checkout search invoice upload session webhook export report email coupon refund shipping catalogue "
        "profile role audit backup import feed chart map alert metric login token theme draft comment tag basket "
        "warehouse supplier ledger payroll calendar booking ticket chat forum survey quota license gallery playlist "
        "newsletter auction contract inspection"
    ).split(),
    "piece": (
        "parser queue table cache index form page handler worker scheduler serializer validator client endpoint "
        "migration fixture template router middleware adapter store listener resolver poller batcher limiter"
    ).split(),
    "thing": (
        "redis kafka celery graphql mongodb webpack prettier jquery lodash terraform ansible rabbitmq memcached "
        "electron firebase supabase prisma sequelize tailwind bootstrap sqlite postgres nginx grpc protobuf avro "
        "parquet duckdb polars numpy vite esbuild deno bun flask django fastapi rails phoenix svelte"
    ).split(),
    "manner": (
        "nightly hourly lazily eagerly twice asynchronously incrementally atomically in-batches per-tenant per-region "
        "by-hand behind-a-flag without-downtime on-startup on-demand"
    ).split(),
    "check": "make lint|pytest -q|npm test|cargo test|go vet ./...|mypy src|ruff check .|tox -e unit".split("|"),
    "why": (
        "it lost rows|it was slow under load|nobody could debug it|it broke the mobile app|the licence forbids it|it "
        "hides errors|it doubles the memory|the vendor ends its support|it cannot be rolled back|it leaks connections"
    ).split("|"),
}
ASKED = (
    "Please add a {manner} {piece} to the {area} module, call it {name}.",
    "The {area} {piece} fails {manner} since we have {name}, can you find out why?",
    "Can you rewrite the {area} {piece} so that it runs {manner}? See {name}.",
)
DECIDED = (
    "Let's use {thing} for the {name} {piece}.",
    "We go with {thing} in the {manner} {area} {piece} of {name}, decided.",
    "OK, let's keep the {name} {piece} on {thing} and run it {manner}.",
)
REFUSED = (
    "No, don't use {thing} for the {name} {piece}, {why}.",
    "No {thing} in the {area} {piece} of {name} please, {why}.",
    "I don't want {thing} behind the {manner} {name} {piece}, {why}.",
)
INSTRUCTED = (
    "From now on always run `{check}` before you touch the {area} {piece}.",
    "Never change the {area} {piece} {manner} without asking me first.",
    "Always write a test for {name} before you change it.",
    "Always write a test for the {piece} before you change it.",
)
LEARNT = (
    "I found the cause: the {name} {piece} runs {manner}, and {why}. The root cause was {thing}.",
    "It turns out that {thing} drops the {area} {piece} of {name} when it runs {manner}.",
)
DONE = (
    "Done, {name} uses it now.",
    "I changed the {piece} of {name}, and the {check} run is green.",
    "The {area} {piece} works with it.",
)
UNDERSTOOD = (
    "Understood, I take {thing} out of {name} again.",
    "All right, no {thing} then: the {name} {piece} stays as it was.",
    "I removed it from the {area} {piece}.",
)
LATER = (
    "TODO: the {area} {piece} still needs {thing}, see {name}. I will do that next.",
    "Later we should move the {name} {piece} to {thing}.",
)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="250,500", help="numbers of sessions")
    parser.add_argument("--ways", default=",".join(WAYS), help="how they come in")
    parser.add_argument("--check", type=float, help="fail if a session of a larger store costs so many times as much")
    parser.add_argument("--after", action="store_true", help="rebuild, boot and gate, too")
    options = parser.parse_args()
    worst = 0.0
    print(
        f"{'sessions':>9}  {'':12}{'entries':>9}{'rules':>8}{'seconds':>9}{'s per 1,000':>13}{'growth':>8}{'memory':>9}"
    )
    for way in options.ways.split(","):
        first = None
        for size in map(int, options.sizes.split(",")):
            each = measure(size, way, first, after=options.after)
            first = first or each
            worst = max(worst, each / first)
    if options.check and worst > options.check:
        print(f"a session costs {worst:.2f} times as much in the larger store; at most {options.check} is allowed")
        return 1
    return 0


def measure(size: int, way: str, first: float | None, *, after: bool) -> float:
    """Processor seconds a session costs, in a store of this many."""
    with tempfile.TemporaryDirectory(prefix="steno-sessions-") as folder:
        paths = list(write(Path(folder) / "in", size))
        with house(Path(folder), clock=SteppingClock(NOW)) as memory:
            began = time.process_time()
            WAYS[way](memory, paths)
            seconds = time.process_time() - began
            entries, rules = len(memory.entries()), memory.rules.all("critical") + memory.rules.all("active")
            growth = seconds / size / first if first else 1.0
            megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            print(
                f"{size:>9,}  {way:12}{entries:>9,}{len(rules):>8,}{seconds:>9.1f}{1000 * seconds / size:>13.2f}"
                f"{growth:>8.2f}{megabytes:>6.0f} MB",
                flush=True,
            )
            if after:
                read_again(memory)
    return seconds / size


def at_once(memory: Memory, paths: list[Path]) -> None:
    """Capture all, then scribe."""
    memory.capture(*paths)
    memory.scribe()


def one_by_one(memory: Memory, paths: list[Path]) -> None:
    """Capture a session, scribe, and again."""
    for path in paths:
        memory.capture(path)
        memory.scribe()


WAYS: dict[str, Callable[[Memory, list[Path]], None]] = {"at once": at_once, "one by one": one_by_one}


def read_again(memory: Memory) -> None:
    """What else works on all of a store: learning anew, the first briefing, the gate."""
    began = time.process_time()
    memory.rebuild()
    rebuilt = time.process_time() - began
    boots = [timed(lambda: memory.boot(project=PROJECT, given=False)) for _ in range(10)]
    chance = random.Random(11)
    gates = [timed(lambda: memory.before(action(chance))) for _ in range(300)]
    print(
        f"{'':11}rebuild {rebuilt:.1f} s; boot median {statistics.median(boots):.1f} ms, most {max(boots):.1f} ms; "
        f"gate median {statistics.median(gates):.2f} ms, p99 {sorted(gates)[296]:.2f} ms (processor time)"
    )


def timed(act: Callable[[], object]) -> float:
    began = time.process_time()
    act()
    return 1000 * (time.process_time() - began)


def action(chance: random.Random) -> Action:
    """Something an agent is about to do."""
    text = filled(chance.choice(DECIDED), chance).removeprefix("Let's ")
    command = {"command": f"npm install {chance.choice(PARTS['thing'])}"}
    return Action(agent="bench", text=text, tool="Bash", input=command, directory=PROJECT)


# -- made-up sessions --------------------------------------------------------------------------------------------------


def write(folder: Path, size: int) -> Iterator[Path]:
    """So many sessions, each in a file of its own, five an hour."""
    for number in range(size):
        yield write_jsonl(folder / f"session-{number:05}.jsonl", *session(number))


def session(number: int) -> list[dict[str, Any]]:
    """The lines of one session; the same for the same number."""
    chance = random.Random(number)

    def say(parts: tuple[str, ...]) -> str:
        return filled(chance.choice(parts), chance)

    turns: list[tuple[str, Any]] = [("user", say(ASKED)), ("assistant", "I look at the code first.")]
    turns += call(number, "Read", {"file_path": f"{PROJECT}/src/{chance.choice(PARTS['area'])}.py"}, "def run(): ...")
    turns += [("assistant", say(LEARNT)), ("user", say(DECIDED)), ("assistant", say(DONE))]
    turns += call(number, "Bash", {"command": chance.choice(PARTS["check"])}, "12 passed")
    turns += [("user", say(REFUSED)), ("assistant", say(UNDERSTOOD))]
    if chance.random() < 0.4:
        turns += [("user", say(INSTRUCTED)), ("assistant", "I will keep to that.")]
    if chance.random() < 0.5:
        turns += call(number, "Bash", {"command": "git add -A && git commit -m change && git push"}, "pushed")
    turns += [("assistant", say(LATER))]
    return [line(number, place, kind, content) for place, (kind, content) in enumerate(turns)]


def filled(sentence: str, chance: random.Random) -> str:
    name = "".join(chance.choice(SYLLABLES) for _ in range(3))
    return sentence.format(name=name, **{part: chance.choice(words) for part, words in PARTS.items()})


def call(number: int, tool: str, given: dict[str, str], answer: str) -> list[tuple[str, Any]]:
    """A call and its result."""
    id_ = f"call-{number}-{json.dumps(given)}"
    return [
        ("assistant", [{"type": "tool_use", "id": id_, "name": tool, "input": given}]),
        ("user", [{"type": "tool_result", "tool_use_id": id_, "content": answer, "is_error": False}]),
    ]


def line(number: int, place: int, kind: str, content: Any) -> dict[str, Any]:
    at = datetime.fromisoformat(FIRST) + timedelta(minutes=12 * number, seconds=place)
    return {
        "type": kind,
        "uuid": f"{number}-{place}",
        "sessionId": f"session-{number:05}",
        "cwd": PROJECT,
        "timestamp": as_text(at),
        "message": {"role": kind, "content": content},
    }


if __name__ == "__main__":
    sys.exit(main())
