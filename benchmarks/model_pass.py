"""What a model makes of labelled sessions: its entries and tier 0, measured as the scribe's are.

    python benchmarks/model_pass.py --transcripts DIR --gold DIR --recordings DIR [--sessions NAME,NAME] [--write DIR]

A session is cut where its context was lost, captured, read by the scribe and then by a model, portion by portion.
Answers are looked up in the recordings: a file `SESSION.N.KEY.json`, where N counts the portions and KEY begins the
SHA-256 of the exact prompt. Where one is missing, the prompt is written beside it (`SESSION.N.KEY.prompt.txt`) and the
session waits: whoever reads the prompt writes the answer, and the next run goes on.
"""

import argparse
import hashlib
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from notes import before_the_cut, find

from steno import Memory, tokens
from steno.llm.base import Question
from steno.readings.answer import parsed
from steno.readings.ask import question
from steno.readings.note import kept
from steno.readings.portion import Portion, portion
from steno.testing import SteppingClock, all_turns, house
from steno.vocabulary.readings import NoteLine


class Waiting(Exception):
    """An answer nobody has given yet."""


class Recordings:
    """A model whose answers were written down."""

    def __init__(self, folder: Path, session: str) -> None:
        self._folder, self._session, self._asked = folder, session, 0
        self.tokens_in = 0
        # Answers that were given to a prompt that reads a little different now.
        self.others = 0

    def ask(self, asked: Question) -> Any:
        """The answer to exactly this prompt; else one to the same portion, as it was put before."""
        self._asked += 1
        prompt = f"{asked.instructions}\n\n{asked.text}\n"
        self.tokens_in += tokens.count(prompt)
        name = f"{self._session}.{self._asked}."
        exact = self._folder / f"{name}{hashlib.sha256(prompt.encode()).hexdigest()[:16]}.json"
        if not exact.exists():
            others = sorted(self._folder.glob(f"{name}*.json"))
            if not others:
                exact.with_suffix(".prompt.txt").write_text(prompt, "utf-8")
                raise Waiting(str(exact))
            exact, self.others = others[-1], self.others + 1
        return json.loads(exact.read_text("utf-8"))


def main() -> int:
    options = arguments()
    options.recordings.mkdir(parents=True, exist_ok=True)
    for path in sorted(options.gold.glob("*.json")):
        if options.sessions and path.stem not in options.sessions.split(","):
            continue
        label = json.loads(path.read_text("utf-8"))
        run(path.stem, label, find(options.transcripts, label["source"]), options)
    return 0


def run(name: str, label: dict[str, Any], transcript: Path, options: argparse.Namespace) -> None:
    recordings = Recordings(options.recordings, name)
    with tempfile.TemporaryDirectory(prefix="steno-model-") as folder:
        cut = Path(folder) / transcript.name
        cut.write_bytes(b"".join(before_the_cut(transcript, label["cut_line"])))
        with house(Path(folder) / "house", clock=SteppingClock()) as memory:
            memory.capture(cut)
            memory.scribe()
            session = f"{memory.sessions()[0].session.source}:{memory.sessions()[0].session.session}"
            turns = list(memory.turns(session))
            text = sum(tokens.count(turn.turn.text) for turn in turns)
            parts = list(portions(turns))
            note: tuple[NoteLine, ...] = ()
            for part in parts:
                heard = [one for one in memory.entries() if one.evidence and part.first <= one.evidence[0].turn <= part.last]
                try:
                    value = recordings.ask(question(part, heard=heard, rules=[], note=note))
                except Waiting as waiting:
                    print(f"{name}: {len(parts)} portions; waiting: {waiting}")
                    return
                answer = parsed(value)
                assert answer is not None
                lines = kept(answer.note, part, {turn.id: turn for turn in turns}, note)
                print(f"{name}: portion to t{part.last}: {len(answer.entries)} entries, note {len(lines)} of {len(answer.note)}")
                note = lines
            print(f"{name}: {len(parts)} portions; all answered; {recordings.tokens_in / text:.2f} of the text's tokens")


def portions(turns: list[Any]) -> Iterator[Portion]:
    after = 0
    while part := portion(turn for turn in turns if turn.id > after):
        yield part
        after = part.last


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--transcripts", type=Path, required=True)
    parser.add_argument("--gold", type=Path, required=True)
    parser.add_argument("--recordings", type=Path, required=True)
    parser.add_argument("--sessions", default="")
    return parser.parse_args()


if __name__ == "__main__":
    raise SystemExit(main())
