"""How well a gate tells a refused idea proposed again from an action that is fine, and how fast it answers.

    python benchmarks/gates.py --data DIR [--aside] [--misses]
    python benchmarks/gates.py --cases FILE [--embedding] [--misses]
    python benchmarks/gates.py --speed [--entries 5000] [--rules 500] [--actions 500]

Real refusals. DIR holds labelled sessions (`transcripts`); `questions/real_refusals.jsonl` says for each refusal, by
its line, what would propose it again and what is near and fine. Everything is asked at the door of the hooks, as a host
would: a re-proposal in a session of its own, words as a plan. "Shown" means that the right refusal, by its line, is
among what the agent is reminded of or the human is asked about. Then every session is gone through again as it grew,
and each call that nobody refused is asked about after what was known by then: how many are reminded of something, and
how many asked about. People kept aside are only measured with `--aside`.

Invented dialogues. FILE is a JSON list of labelled cases: `id`, `dialogue` (turns with `role`, `text`, sometimes `tool`
and `input`), `again` (actions that propose the refused thing again, in the same and in other words) and `fine` (actions
near it that nobody refused: doing what was asked for instead, undoing it, looking at it). Each case is captured and
scribed in a house of its own, and every action asked at the door. Then all dialogues go into one house, as sessions of
one project, so that every refusal has a chance to speak up at the wrong action.

Speed. A store of made-up entries and rules; the gate is asked in a row, warm, without a model. Beside it, in the same
run and on the same store, a plain FTS5 match of the action's words over the entries.
"""

import argparse
import json
import random
import re
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from measured import measured
from refusals_measure import real

from steno.memory import Memory
from steno.testing import house, write_jsonl
from steno.vocabulary import Action, Allow

PROJECT = "/project"
KINDS = ("again", "fine")
SUBJECTS = (
    "billing checkout search invoices uploads sessions webhooks exports reports emails coupons refunds shipping "
    "catalogue profiles roles audit backups imports feeds charts maps alerts metrics logins tokens themes "
    "drafts comments tags"
).split()
THINGS = (
    "redis kafka celery graphql mongodb webpack prettier jquery lodash terraform ansible rabbitmq memcached electron "
    "firebase supabase prisma sequelize tailwind bootstrap"
).split()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="labelled sessions")
    parser.add_argument("--aside", action="store_true", help="the people kept aside, instead of the others")
    parser.add_argument("--cases", type=Path, help="labelled cases")
    parser.add_argument("--embedding", action="store_true", help="with the model that comes along, too")
    parser.add_argument("--misses", action="store_true", help="print every action that was answered wrongly")
    parser.add_argument("--speed", action="store_true")
    parser.add_argument("--entries", type=int, default=5000)
    parser.add_argument("--rules", type=int, default=500)
    parser.add_argument("--actions", type=int, default=500)
    options = parser.parse_args()
    if options.cases is not None:
        quality(json.loads(options.cases.read_text("utf-8")), options)
    if options.data is not None:
        real(options.data, aside=options.aside, misses=options.misses)
    if options.speed or (options.cases is None and options.data is None):
        speed(options)
    return 0


# -- quality -----------------------------------------------------------------------------------------------------------


def quality(cases: list[dict[str, Any]], options: argparse.Namespace) -> None:
    again, fine = (sum(len(case[kind]) for case in cases) for kind in KINDS)
    measured(cases=len(cases), actions_proposed_again=again, fine_actions=fine)
    print(f"{len(cases)} cases, {again} proposed again, {fine} fine")
    print(f"{'':34}{'again: ask':>12}{'ask or warn':>12}{'fine: ask':>12}{'ask or warn':>12}")
    for embedding in ("off", "minilm") if options.embedding else ("off",):
        name = "by words" if embedding == "off" else "by words and meaning"
        show(f"{name}, a house per case", alone(cases, embedding, options.misses))
        show(f"{name}, all in one house", together(cases, embedding))


def alone(cases: list[dict[str, Any]], embedding: str, misses: bool) -> list[tuple[str, str]]:
    """Verdicts where each case has a house of its own: kind of action, and what the gate said."""
    found = []
    for case in cases:
        with filled([case], embedding) as memory:
            found += [(kind, told) for kind, told in answers(memory, case, case["id"], misses)]
    return found


def together(cases: list[dict[str, Any]], embedding: str) -> list[tuple[str, str]]:
    with filled(cases, embedding) as memory:
        return [answer for case in cases for answer in answers(memory, case, None, misses=False)]


@contextmanager
def filled(cases: list[dict[str, Any]], embedding: str) -> Iterator[Memory]:
    """A house in which these dialogues were captured and read."""
    with (
        tempfile.TemporaryDirectory(prefix="steno-gates-") as folder,
        house(Path(folder), embedding=embedding) as memory,
    ):
        path = write_jsonl(Path(folder) / "talk.jsonl", *(line for case in cases for line in lines(case)))
        memory.capture(path, source="jsonl")
        memory.scribe()
        memory.rules.settle()
        if embedding != "off":
            memory.embed()
        yield memory


def lines(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A dialogue as a generic transcript; a call is told in words and by its input."""
    for place, turn in enumerate(case["dialogue"]):
        line = {"session": case["id"], "role": turn["role"], "text": turn.get("text", ""), "id": str(place)}
        line |= {"at": f"2025-12-31T10:{place:02d}:00Z", "project": PROJECT}
        if turn.get("tool"):
            line["text"] += f"\n{turn['tool']}: {json.dumps(turn.get('input', {}))}"
        yield line


def answers(memory: Memory, case: dict[str, Any], name: str | None, misses: bool) -> Iterator[tuple[str, str]]:
    for kind in KINDS:
        for given in case[kind]:
            action = Action(
                agent="bench", text=given["text"], tool=given.get("tool"), input=given.get("input") or {},
                directory=PROJECT,
            )  # fmt: skip
            answer = memory.before(action)
            told = type(answer).__name__.lower()
            if misses and (told != "allow") != (kind == "again"):
                why = "" if isinstance(answer, Allow) else answer.reasons[0].quote[:70]
                print(f"  {name} {kind:5} {told:5} {given['text'][:110]!r} {why!r}")
            yield kind, told


def show(name: str, found: list[tuple[str, str]]) -> None:
    measured(action_the_gate_spoke_up_at=sum(verdict != "allow" for _, verdict in found))
    shares = []
    for kind in KINDS:
        told = [verdict for of, verdict in found if of == kind]
        asked = sum(verdict in ("ask", "block") for verdict in told)
        warned = sum(verdict != "allow" for verdict in told)
        shares += [asked / len(told), warned / len(told)]
    print(f"{name:34}" + "".join(f"{share:>12.1%}" for share in shares))


# -- speed -------------------------------------------------------------------------------------------------------------


def speed(options: argparse.Namespace) -> None:
    with tempfile.TemporaryDirectory(prefix="steno-gates-") as folder, house(Path(folder)) as memory:
        began = time.perf_counter()
        fill(memory, options.entries, options.rules, str(Path(folder) / "work"))
        entries, rules = memory.home.store.entries.count(), len(memory.rules.all())
        print(f"{entries:,} entries, {rules:,} rules in force, made in {time.perf_counter() - began:.0f} s")
        workshop(Path(folder) / "work")
        chance = random.Random(7)
        actions = [action(chance, str(Path(folder) / "work")) for _ in range(options.actions)]
        began = time.perf_counter()
        memory.before(actions[0])
        print(f"first answer        {(time.perf_counter() - began) * 1e3:8.1f} ms (everything read from the store)")
        spoke = sum(not isinstance(memory.before(one), Allow) for one in actions[:50])
        hits = sum(matched(memory, one.text) for one in actions[:50])
        measured(entries=entries, rules=rules, actions=len(actions), action_it_spoke_up_at=spoke, hits_of_FTS5=hits)
        began = time.process_time()
        gate = timed(lambda one: memory.before(one), actions)
        print(f"processor time      {(time.process_time() - began) / len(actions) * 1e3:8.2f} ms an answer, warm")
        plain = timed(lambda one: matched(memory, one.text), actions)
    told("gate, warm", gate)
    told("plain FTS5 match", plain)
    print(f"ratio of medians    {gate[len(gate) // 2] / plain[len(plain) // 2]:8.1f}")


def fill(memory: Memory, entries: int, rules: int, project: str) -> None:
    """Entries of all kinds, a tenth of them refusals, with some matchers among the rules."""
    chance, store = random.Random(3), memory.home.store
    for number in range(entries):
        thing, subject, other = chance.choice(THINGS), chance.choice(SUBJECTS), chance.choice(SUBJECTS)
        if number < rules:
            category = "rejected" if number % 2 else "rule"
            # Every tenth is plain enough to come again.
            whose = f" of customer {number}" if number % 10 else ""
            text = f"never use {thing} for the {subject}{whose} because the {other} broke"
        else:
            category = chance.choice(("decision", "fact", "discovery", "task", "context", "exclusion"))
            text = f"the {subject} service number {number} works with {thing} and feeds the {other}"
        where = project if chance.random() < 0.7 else None
        store.entries.remember(text, category, project=where, agent=None, now=memory.home.clock())
    memory.rules.settle()
    for place, rule in enumerate(memory.rules.all()[:100]):
        matcher = {"tool": "Bash", "command": rf"\b{THINGS[place % len(THINGS)]}-{place}\b"}
        store.entries.tell("rule", rule.id, {"do": "matcher", "matcher": matcher}, memory.home.clock())
    memory.rules.settle()


def workshop(folder: Path) -> None:
    """A directory with tools in it."""
    (folder / "scripts").mkdir(parents=True)
    for name in SUBJECTS:
        (folder / "scripts" / f"{name}.sh").write_text(f"#!/bin/sh\n# Do the {name}.\n")
    (folder / "Makefile").write_text("".join(f"{name}: ## make the {name}\n\ttrue\n" for name in SUBJECTS))


def action(chance: random.Random, directory: str) -> Action:
    words = chance.sample(SUBJECTS, 3)
    thing = chance.choice(THINGS)
    return Action(
        agent="bench", text=f"set up {thing} for the {words[0]} and move {words[1]} to {words[2]}", tool="Bash",
        input={"command": f"npm install {thing} && ./scripts/{words[0]}.sh --force"}, directory=directory,
    )  # fmt: skip


def matched(memory: Memory, text: str) -> int:
    """The baseline: the action's words, joined by OR, in the store's own index of entries."""
    words = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", text))
    query = "SELECT rowid FROM entries_text WHERE entries_text MATCH ? ORDER BY rank LIMIT 10"
    return len(list(memory.home.store._database._connection.execute(query, (words,))))  # type: ignore[attr-defined]


def timed(call: Any, actions: list[Action]) -> list[float]:
    times = []
    for one in actions:
        began = time.perf_counter()
        call(one)
        times.append((time.perf_counter() - began) * 1e3)
    return sorted(times)


def told(name: str, times: list[float]) -> None:
    p50, p95, p99 = (times[min(len(times) - 1, int(len(times) * share))] for share in (0.5, 0.95, 0.99))
    print(f"{name:20}p50 {p50:6.2f} ms   p95 {p95:6.2f} ms   p99 {p99:6.2f} ms")


if __name__ == "__main__":
    sys.exit(main())
