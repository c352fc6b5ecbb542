"""Typed rules at the gate: what it says to an act that keeps a rule, to one that breaks it, and to one that has nothing
to do with it; and how much of a page belongs there.

    python benchmarks/conditions.py [--rules FILE …] [--pages FILE …] [--misses]

A rule is typed with `steno rules add` into a house of its own, and each act is asked about as `steno gate before` asks.
Beside it, in the same run: a program that reminds where a rule and an act share two telling words; and the gate after a
person accepted the matcher it offers. A page is made from a house that knows everything in its file; a line counts as
missing where the file names it for a call and the page does not show it, as irrelevant where it does without.
"""

import argparse
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from measured import measured
from msgspec import structs

from steno.briefing.entries import WORDS
from steno.briefing.page import asks, page_text, said, verdict_name
from steno.language.common import telling
from steno.language.same_word import words_of
from steno.language.tool_call import texts
from steno.memory import Memory
from steno.pipeline.trial import Trials
from steno.rules.stance import has_condition
from steno.testing import SteppingClock, house
from steno.tokens import count
from steno.vocabulary import Action, Allow, Verdict, Warn

HERE = Path(__file__).parent / "conditions"
PROJECT = "/project"
KINDS = ("keeps", "breaks", "other")
HOPED_OTHERWISE = (("keeps", "asked"), ("breaks", "silent"), ("other", "asked"), ("other", "reminded"))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rules", type=Path, nargs="*", default=[HERE / "own.toml", HERE / "blind.toml"])
    parser.add_argument("--pages", type=Path, nargs="*", default=[HERE / "pages.toml", HERE / "blind_pages.toml"])
    parser.add_argument("--misses", action="store_true", help="print what was answered otherwise than hoped for")
    options = parser.parse_args()
    for path in options.rules:
        conditions(path, misses=options.misses)
    for path in options.pages:
        pages(path, misses=options.misses)
    return 0


# -- rules with an act that keeps, breaks, and has nothing to do with them ---------------------------------------------


def conditions(path: Path, *, misses: bool) -> None:
    rules = tomllib.loads(path.read_text("utf-8"))["rule"]
    counts: Counter[str] = Counter()
    for rule in rules:
        for kind in KINDS:
            for act in _several(rule[kind]):
                _one(rule["rule"], kind, act, counts, misses=misses)
    print(f"{path.name}: {len(rules)} rules")
    print(f"{'':38}{'acts':>6}{'asked':>8}{'reminded':>10}{'silent':>8}")
    for name in ("as typed", "with its matcher accepted", "two telling words in common"):
        for kind in KINDS:
            told = [counts[f"{name}, {kind}, {voice}"] for voice in ("asked", "reminded", "silent")]
            print(f"{name if kind == 'keeps' else '':28}{kind:10}{sum(told):>6}{told[0]:>8}{told[1]:>10}{told[2]:>8}")
    print(f"shown shorter than typed, up to {WORDS} tokens: {counts['shorter']} of {counts['shown']}\n")
    measured(rules=len(rules), acts_the_gate_spoke_up_at=counts["shown"])


def _one(words: str, kind: str, act: dict[str, Any], counts: Counter[str], *, misses: bool) -> None:
    with filled([{"category": "rule", "words": words}]) as memory:
        verdict = memory.before(action_of(act))
        voice = _voice(verdict)
        counts[f"as typed, {kind}, {voice}"] += 1
        if not isinstance(verdict, Allow) and count(words) <= WORDS:
            counts["shown"] += 1
            told = said(verdict) if isinstance(verdict, Warn) else asks(verdict)
            counts["shorter"] += words not in told or words not in page_text(verdict)
        if misses and (kind, voice) in HOPED_OTHERWISE:
            print(f"  {kind}, {voice}: {words!r}: {act}")
        accepted = _accept(memory)
        voice = _voice(memory.before(action_of(act))) if accepted else voice
        counts[f"with its matcher accepted, {kind}, {voice}"] += 1
    action = action_of(act)
    acted = words_of("\n".join((action.text, *texts(action.input))))
    voice = "reminded" if len(telling(words_of(words)) & acted) > 1 else "silent"
    counts[f"two telling words in common, {kind}, {voice}"] += 1


def _accept(memory: Memory) -> bool:
    """A person accepts the matcher that is offered: they try it, and let it ask where the rule has no
    condition."""
    [rule] = memory.rules.all()
    if rule.matcher is None:
        return False
    Trials(memory.home, memory.rules).trial(rule.id)
    if not has_condition(rule.rule):
        memory.rules.raise_(rule.id, "ask")
    return True


# -- what is on the page -----------------------------------------------------------------------------------------------


def pages(path: Path, *, misses: bool) -> None:
    told = tomllib.loads(path.read_text("utf-8"))
    names = {known["words"]: known["id"] for known in told["known"]}
    counts: Counter[str] = Counter()
    with filled(told["known"]) as memory:
        for call in told["call"]:
            verdict = memory.before(action_of(call))
            page, text = verdict.page, page_text(verdict)
            entries = (*page.rejected, *page.excluded, *page.said, *page.active)
            on_it = {names[words] for words in (*(one.summary for one in entries), *(one.rule for one in page.rules))}
            fine = {*call["relevant"], *call.get("optional", ())}
            must = fine - {*call.get("optional", ())}
            counts += Counter(
                lines=len(on_it), irrelevant=len(on_it - fine), wanted=len(must), missing=len(must - on_it)
            )  # fmt: skip
            counts["longest page"] = max(counts["longest page"], count(text))
            counts["nothing in the way, beside a rule"] += isinstance(verdict, Allow) and bool(
                page.rules or page.rejected
            )
            if misses and (on_it - fine or must - on_it):
                print(f"  {call.get('text') or call}: too much {sorted(on_it - fine)}, missing {sorted(must - on_it)}")
    print(f"{path.name}: {len(told['call'])} calls")
    print(f"irrelevant {counts['irrelevant']} of {counts['lines']} lines", end=", ")
    print(f"missing {counts['missing']} of {counts['wanted']}, longest page {counts['longest page']} tokens")
    print(f"nothing in the way beside a rule: {counts['nothing in the way, beside a rule']}\n")
    measured(calls=len(told["call"]), lines=counts["lines"])


@contextmanager
def filled(known: list[dict[str, Any]]) -> Iterator[Memory]:
    """A house in which a person wrote this down nine days ago."""
    clock = SteppingClock("2026-03-01T10:00:00.000Z")
    with tempfile.TemporaryDirectory(prefix="steno-conditions-") as folder, house(Path(folder), clock=clock) as memory:
        for one in known:
            if one.get("category", "rule") == "rule":
                memory.rules.add(one["words"], project=PROJECT)
            else:
                memory.remember(one["words"], category=one["category"], project=PROJECT)
        clock.now = "2026-03-10T10:00:00.000Z"
        yield memory


def action_of(act: dict[str, Any] | str) -> Action:
    """An act as a file tells it: words, a command, or what a tool is given."""
    if isinstance(act, str):
        act = {"text": act}
    command = act.get("run")
    given = {"command": command} if command else act.get("input") or {}
    tool = act.get("tool") or ("Bash" if command else None)
    # Where a file lies in a home, the project is the folder there.
    path = str(given.get("file_path", ""))
    action = Action(agent="bot", text=act.get("text") or "", tool=tool, input=given, directory=PROJECT)
    if not path.startswith("/home/"):
        return action
    folder = "/".join(path.split("/")[:4])
    return structs.replace(action, input=given | {"file_path": path.replace(folder, PROJECT)})


def _voice(verdict: Verdict) -> str:
    return {"allow": "silent", "warn": "reminded", "ask": "asked", "block": "asked"}[verdict_name(verdict)]


def _several(acts: Any) -> list[Any]:
    return acts if isinstance(acts, list) else [acts]


if __name__ == "__main__":
    raise SystemExit(main())
