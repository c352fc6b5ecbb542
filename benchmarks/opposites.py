"""Dialogues from which a careless reader would conclude the opposite, and plain ones that must be noted.

    python benchmarks/opposites.py [--misses]

`benchmarks/opposites/*.jsonl` hold them: of an opposite `never` names words of which no entry of some categories may
be made, of a control `must` names words that an entry of one of some categories has to quote. Each dialogue is
captured and scribed in a home of its own, through the same door as a real transcript. The sealed sets were written
from the specification alone and stayed closed until the patterns were frozen; docs/numbers.md has the first results.
"""

import argparse
import json
import os
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from measured import measured

import steno

os.environ["STENO_EMBEDDING"] = "off"
FOLDER = Path(__file__).parent / "opposites"
REFUSED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the "
    "new_string was NOT written to the file). To tell you how to proceed, the user said:\n"
)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=FOLDER)
    parser.add_argument("--misses", action="store_true", help="print what went wrong")
    options = parser.parse_args()
    total: Counter[str] = Counter()
    for path in sorted(options.folder.glob("*.jsonl")):
        counts: Counter[str] = Counter()
        for line in path.read_text("utf-8").splitlines():
            counts += score(json.loads(line), misses=options.misses)
        print(f"{path.stem:16}", "  ".join(f"{name} {counts[name]}" for name in sorted(counts)))
        total += counts
    measured(dialogues=total["opposites"] + total["controls"])
    wrong = f"{total['opposites wrong']} of {total['opposites']} wrong"
    print(f"opposites        {wrong}, {total['in force']} of them in force")
    print(f"controls         {total['controls noted']} of {total['controls']} noted")
    return 0


def score(dialogue: dict[str, Any], *, misses: bool) -> Counter[str]:
    """What was made of one dialogue."""
    entries = noted(dialogue)
    texts = [turn["text"] for turn in dialogue["turns"]]
    if dialogue["must"]:
        found = [
            any(entry.category in one["as"] and quotes(entry, one, texts) for entry in entries)
            for one in dialogue["must"]
        ]
        if misses and not all(found):
            print(f"  missed {dialogue['name']}: {dialogue['must']}")
        return Counter({"controls": 1, "controls noted": all(found)})
    wrong = [
        entry
        for one in dialogue["never"]
        for entry in entries
        if entry.category in one["as"] and quotes(entry, one, texts)
    ]
    in_force = any(entry.status == "active" and entry.category in ("rule", "rejected") for entry in wrong)
    for entry in wrong if misses else ():
        print(f"  wrong {dialogue['name']}: {entry.category} ({entry.status}, {entry.cue}) {entry.summary[:150]!r}")
    return Counter({"opposites": 1, "opposites wrong": bool(wrong), "in force": in_force})


def quotes(entry: steno.Entry, named: dict[str, Any], texts: list[str]) -> bool:
    """Whether an entry rests on the named words first of all."""
    quote, words = entry.evidence[0].quote, named["quote"]
    return quote in texts[named["turn"]] and (words in quote or quote in words)


def noted(dialogue: dict[str, Any]) -> list[steno.Entry]:
    """What is noted of a dialogue."""
    with tempfile.TemporaryDirectory(prefix="steno-opposites-") as folder:
        path = Path(folder) / "session.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in lines(dialogue["turns"])), "utf-8")
        with steno.open(Path(folder) / "home") as memory:
            memory.capture(path, source="claude-code")
            memory.scribe()
            return list(memory.entries())


def lines(turns: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The dialogue as Claude Code writes it."""
    before = ""
    for place, turn in enumerate(turns):
        line: dict[str, Any] = {
            "uuid": f"u{place}",
            "sessionId": "s",
            "timestamp": f"2026-05-04T10:{place:02}:00.000Z",
            "cwd": "/work/shop",
        }
        kind, call, text = (
            turn["kind"],
            turn.get("call") or (before if turn["kind"] != "call" else f"c{place}"),
            turn["text"],
        )
        before = call if kind == "call" else before
        block: dict[str, Any] = {"type": "text", "text": text}
        match kind:
            case "call":
                block = {"type": "tool_use", "id": call, "name": turn.get("tool", "Bash"), "input": json.loads(text)}
            case "result":
                block = {
                    "type": "tool_result",
                    "tool_use_id": call,
                    "content": text,
                    "is_error": bool(turn.get("failed")),
                }
            case "denied":
                block = {"type": "tool_result", "tool_use_id": call, "content": REFUSED + text, "is_error": True}
                line["toolUseResult"] = f"Error: {REFUSED}{text}"
            case "answer":
                block = {"type": "tool_result", "tool_use_id": call, "content": "User has answered your questions."}
                asked = [part.partition("\n") for part in text.removeprefix("> ").split("\n> ")]
                line["toolUseResult"] = {"answers": {question: picked for question, _, picked in asked}}
            case "command":
                name, _, arguments = text.partition(" ")
                said = f"<command-name>{name}</command-name>\n<command-args>{arguments}</command-args>"
                block = {"type": "text", "text": said}
        role = "assistant" if turn["role"] == "assistant" else "user"
        yield {**line, "type": role, "message": {"id": f"m{place}", "role": role, "content": [block]}}


if __name__ == "__main__":
    raise SystemExit(main())
