"""What a hook costs an agent: the whole command as a host runs it, and the daemon's share of it.

    python benchmarks/hooks.py [--turns 100000] [--runs 200] [--calls 500] [--keep FOLDER]

A store of so many turns is made by a seeded generator: sessions of 250 turns in twenty projects, in which a person
asks, refuses, decides and lays down rules. It is captured and read by the scribe like any other, then a real daemon is
started on it, without an embedding model and with nothing to watch.

End to end: the command that `steno hook --show` prints, run as a process with a host's JSON on its standard input,
until it has ended; beside it, in turns and by the same interpreter, `python -I -S -c pass`. The daemon's own time is
measured from this process over the same socket: from connecting to the last byte of the answer.
"""

import argparse
import json
import os
import random
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from measured import measured

from steno import client
from steno.daemon import control
from steno.memory import Memory
from steno.testing import said, write_jsonl

AIMS: Final = {"p50": 1.6, "p95": 2.0}
PER_SESSION, STRETCH = 250, 50
SUBJECTS: Final = (
    "billing checkout search invoices uploads sessions webhooks exports reports emails coupons refunds shipping "
    "catalogue profiles roles audit backups imports feeds charts maps alerts metrics logins tokens themes drafts "
    "comments tags"
).split()
THINGS: Final = (
    "redis kafka celery graphql mongodb webpack prettier jquery lodash terraform ansible rabbitmq memcached electron "
    "firebase supabase prisma sequelize tailwind bootstrap"
).split()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=100_000)
    parser.add_argument("--runs", type=int, default=200, help="processes per kind")
    parser.add_argument("--calls", type=int, default=500, help="questions to the daemon per kind")
    parser.add_argument("--keep", type=Path, help="keep the store here, or use the one that is here")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="steno-hooks-") as folder:
        place = options.keep or Path(folder)
        made(place, options.turns)
        home = place / "home"
        environment = {**os.environ, "STENO_HOME": str(home), "STENO_EMBEDDING": "off", "HOME": str(place / "nobody")}
        with running(home, environment):
            end_to_end(place, environment, options.runs)
            own_time(place, options.calls)
    return 0


# -- the store ---------------------------------------------------------------------------------------------------------


def made(place: Path, turns: int) -> None:
    """Make the store, unless it is there."""
    home = place / "home"
    if not (place / "made").exists():
        began = time.perf_counter()
        for number in range(20):
            (place / f"project-{number}" / ".git").mkdir(parents=True, exist_ok=True)
        write_jsonl(place / "talk.jsonl", *talk(place, turns))
        with Memory(home, environment={"STENO_EMBEDDING": "off", "HOME": str(place / "nobody")}) as memory:
            memory.capture(place / "talk.jsonl", source="jsonl")
            memory.scribe()
        (place / "made").write_text(f"{time.perf_counter() - began:.0f} s")
    with Memory(home, environment={"STENO_EMBEDDING": "off"}) as memory:
        status, rules = memory.status(), len(memory.rules.all())
        measured(turns=status.turns, entries=status.entries, rules=rules)
        print(f"{status.turns:,} turns, {status.entries:,} entries, {rules:,} rules in force, "
              f"{len(status.sessions)} sessions; made in {(place / 'made').read_text()}")  # fmt: skip


def talk(place: Path, turns: int) -> Iterator[dict[str, Any]]:
    for number in range(turns):
        session, within = divmod(number, PER_SESSION)
        day, second = divmod(session * 4_000 + within * 15, 86_400)
        at = f"2026-{1 + day // 28:02}-{1 + day % 28:02}T{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}Z"
        role, text = line(random.Random(number // STRETCH), within % STRETCH)
        project = str(place / f"project-{session % 20}")
        yield said(text, role=role, id=f"{number}", session=f"s{session}", at=at, project=project)


def line(chance: random.Random, place: int) -> tuple[str, str]:
    """One turn of a stretch. In each, a person says four that are worth remembering; the rest is work."""
    subject, thing, number = chance.choice(SUBJECTS), chance.choice(THINGS), chance.randrange(400)
    path = f"src/{subject}/{thing}_{number}.py"
    match place:
        case 0:
            return "user", f"please fix the {subject} page, case {number} fails"
        case 20:
            return "assistant", f"Shall I bring in {thing} for the {subject}?"
        case 21:
            return "user", f"no, no {thing} for the {subject}."
        case 40 if number % 4 == 0:
            return "user", f"Always run `make {subject}-{number}` before you touch {path}."
        case 41:
            return "user", f"Let's go with {thing} number {number} for the {subject}, because it is smaller."
        case _ if place % 2:
            return "assistant", f"Reading {path}, line {place}."
        case _:
            return "tool", f"{path}:{place}: def {subject}_{thing}(order, total): return total * {number}"


# -- the daemon --------------------------------------------------------------------------------------------------------


class running:  # noqa: N801
    """A real daemon, from the moment it answers; its process."""

    def __init__(self, home: Path, environment: dict[str, str]) -> None:
        self._home = home
        self._environment = environment

    def __enter__(self) -> int:
        environment = {**self._environment, **control.environment(self._home)}
        self._process = subprocess.Popen(control.command(), env=environment, stderr=subprocess.DEVNULL)
        ask(self._home, "StatusLine", {}, until=time.monotonic() + 60)
        # What a day of work would have warmed up.
        for number in range(20):
            ask(self._home, "PreToolUse", tool(self._home.parent, number))
        return self._process.pid

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait(30)


def ask(home: Path, event: str, given: dict[str, Any], until: float = 0.0) -> bytes:
    """The daemon's answer over its socket; while it starts, as soon as there is one."""
    while True:
        try:
            answer = client.call(str(home), "hook", "claude-code", event, json.dumps(given).encode(), 10.0)
        except (OSError, ValueError):
            if time.monotonic() > until:
                raise
        else:
            if answer or time.monotonic() > until:
                return answer
        time.sleep(0.05)


# -- what hosts tell ---------------------------------------------------------------------------------------------------


def base(place: Path, number: int) -> dict[str, Any]:
    return {
        "session_id": f"new-{number % 40}",
        "transcript_path": str(place / "nobody" / f"new-{number % 40}.jsonl"),
        "cwd": str(place / f"project-{number % 20}"),
    }


def tool(place: Path, number: int) -> dict[str, Any]:
    chance = random.Random(number)
    subject, thing = chance.choice(SUBJECTS), chance.choice(THINGS)
    commands = (f"pip install {thing}", f"git status -- src/{subject}", f"make {subject}-{number}", "ls -la")
    if number % 3:
        used = {"tool_name": "Bash", "tool_input": {"command": commands[number % 4]}}
    else:
        edit = {"old_string": f"return {subject}", "new_string": f"return {subject} * total  # by {thing}"}
        used = {"tool_name": "Edit", "tool_input": {"file_path": f"src/{subject}/{thing}_{number}.py", **edit}}
    return base(place, number) | used | {"hook_event_name": "PreToolUse", "tool_use_id": f"call-{number}"}


def prompt(place: Path, number: int) -> dict[str, Any]:
    chance = random.Random(number)
    text = f"please make the {chance.choice(SUBJECTS)} page faster, see src/{chance.choice(SUBJECTS)}/app_{number}.py"
    return base(place, number) | {"hook_event_name": "UserPromptSubmit", "prompt": text}


def start(place: Path, number: int) -> dict[str, Any]:
    return base(place, number) | {"hook_event_name": "SessionStart", "source": "startup"}


def compacted(place: Path, number: int) -> dict[str, Any]:
    # Sessions of the store; each is compacted once, so that nothing is held back.
    session = number % 300
    given = {"session_id": f"s{session}", "cwd": str(place / f"project-{session % 20}")}
    return given | {"hook_event_name": "SessionStart", "source": "compact"}


Given = Callable[[Path, int], dict[str, Any]]
KINDS: Final[dict[str, tuple[str, Given]]] = {
    "at a start": ("SessionStart", start),
    "at a prompt": ("UserPromptSubmit", prompt),
    "before a tool": ("PreToolUse", tool),
}
# A prompt that calls nothing to mind is answered by silence, and these may not.
QUIET: Final = "at a prompt"


# -- measuring ---------------------------------------------------------------------------------------------------------


def end_to_end(place: Path, environment: dict[str, str], runs: int) -> None:
    bare = [sys.executable, "-I", "-S", "-c", "pass"]
    commands = {name: shown(event, environment) for name, (event, _) in KINDS.items()}
    times: dict[str, list[float]] = {"python -I -S -c pass": [], **{name: [] for name in commands}}
    answered = dict.fromkeys(commands, 0)
    for number in range(runs):
        times["python -I -S -c pass"].append(timed(bare, b"{}")[0])
        for name, command in commands.items():
            taken, answer = timed(command, json.dumps(KINDS[name][1](place, number)).encode())
            times[name].append(taken)
            answered[name] += bool(answer)
    measured(runs=runs, **{f"answer {name}": count for name, count in answered.items() if name != QUIET})
    floor = {share: at(times["python -I -S -c pass"], share) for share in (50, 95)}
    print(f"\nend to end, {runs} processes each{'p50 ms':>17}{'p95 ms':>9}{'ratio':>8}{'ratio':>8}   answered")
    for name, taken_each in times.items():
        middle, late = at(taken_each, 50), at(taken_each, 95)
        ratios = f"{middle / floor[50]:8.2f}{late / floor[95]:8.2f}"
        print(f"{name:<32}{middle:15.1f}{late:9.1f}{ratios}{answered.get(name, ''):>11}")
    print(f"aim before a tool and at a prompt: ratios of {AIMS['p50']} and {AIMS['p95']} at most")


def shown(event: str, environment: dict[str, str]) -> list[str]:
    command = [sys.executable, "-m", "steno", "hook", "--show", "claude-code", event]
    return shlex.split(subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout)


def timed(command: list[str], given: bytes) -> tuple[float, bytes]:
    began = time.perf_counter()
    done = subprocess.run(command, input=given, capture_output=True)
    return (time.perf_counter() - began) * 1e3, done.stdout


def own_time(place: Path, calls: int) -> None:
    print(
        f"\nthe daemon's own time, {calls} calls each{'p50 ms':>9}{'p95 ms':>9}{'p99 ms':>9}{'aim p99':>9}   answered"
    )
    kinds = {**KINDS, "after a compaction": ("SessionStart", compacted)}
    for name, (event, given) in kinds.items():
        times, answered = [], 0
        for number in range(calls if given is not compacted else min(calls, 300)):
            payload = given(place, number)
            began = time.perf_counter()
            answered += bool(ask(place / "home", event, payload))
            times.append((time.perf_counter() - began) * 1e3)
        measured(calls=len(times), **({} if name == QUIET else {f"answer {name}": answered}))
        aim = 25 if event == "SessionStart" else 10
        print(f"{name:<32}{at(times, 50):15.1f}{at(times, 95):9.1f}{at(times, 99):9.1f}{aim:9}{answered:>11}")


def at(times: list[float], share: int) -> float:
    return sorted(times)[min(len(times) - 1, len(times) * share // 100)]


if __name__ == "__main__":
    sys.exit(main())
