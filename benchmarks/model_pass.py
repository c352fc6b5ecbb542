"""What a model makes of labelled sessions: its entries and tier 0, measured as the scribe's are.

    python benchmarks/model_pass.py --transcripts DIR --gold DIR (--recordings DIR | --model NAME)
        [--sessions NAME,NAME] [--write DIR] [--misses]

A session is cut where its context was lost, captured, read by the scribe and then by a model, portion by portion, in a
house of its own whose clock stands at the last turn. Printed are `notes.py`'s table and `recovery.py`'s of tier 0, each
before and after the pass; what the model was sent in tokens, beside the tokens of the transcript's own text; how many
lines of its notes code let stand; and how many entries rest on a quote that was not said, which must be none.

Answers are looked up in the recordings: a file `SESSION.N.KEY.json`, where N counts the portions and KEY begins the
SHA-256 of the exact prompt. Where one is missing, the prompt is written beside it (`SESSION.N.KEY.prompt.txt`) and the
session waits: whoever reads the prompt writes the answer, and the next run goes on. An answer that was given to the
same portion under another prompt is taken, and counted. With `--model` the answers are asked for, as the
settings of a home name a model, and kept as recordings where a folder for them is named.
"""

import argparse
import hashlib
import json
import re
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

from measured import measured
from notes import HEADS, before_the_cut, counted, find, note
from notes import row as show_notes
from recovery import COLUMNS, Score, Told, measure, pooled, wants

from steno import Memory, tokens
from steno.llm.base import Question, Reply, Used
from steno.pipeline.model_pass import Ask
from steno.readings.answer import parsed
from steno.store import SECRET_BYTES
from steno.store.readings import ToRead
from steno.testing import SteppingClock, all_turns, house
from steno.vocabulary.errors import ModelFailed

# How a prompt lists an entry: its id, and its words.
LISTED = re.compile(r"^- ([0-9a-f]{12}) (.*)$", re.MULTILINE)
# Ids of entries are made with it where a host gives its turns none.
SECRET = b"the same in every run".ljust(SECRET_BYTES, b"!")[:SECRET_BYTES]


class Waiting(ModelFailed):
    """An answer nobody has given yet."""


class Recordings:
    """A model whose answers were written down; `asked` gives those that are missing, if anybody can."""

    def __init__(self, folder: Path, session: str, asked: Ask | None) -> None:
        self._folder, self._session, self._ask = folder, session, asked
        self.counts: Counter[str] = Counter()

    def ask(self, asked: Question, about: ToRead) -> Reply:
        """The answer to exactly this prompt; else one to the same portion, as it was put before."""
        self.counts["portions"] += 1
        prompt = f"{asked.instructions}\n\n{asked.text}\n"
        used = Used("recorded", tokens.count(prompt), 0)
        self.counts["sent"] += used.tokens_in
        value = self._found(prompt, asked, about)
        self.counts["lines"] += len(answer.note) if (answer := parsed(value)) else 0
        return Reply(value, used)

    def _found(self, prompt: str, asked: Question, about: ToRead) -> Any:
        name = f"{self._session}.{self.counts['portions']}."
        exact = self._folder / f"{name}{hashlib.sha256(prompt.encode()).hexdigest()[:16]}.json"
        if not exact.exists():
            others = sorted(self._folder.glob(f"{name}*.json"))
            if not others and self._ask is not None:
                exact.write_text(json.dumps(self._ask(asked, about).value, ensure_ascii=False), "utf-8")
            elif not others:
                exact.with_suffix(".prompt.txt").write_text(prompt, "utf-8")
                raise Waiting(str(exact))
            else:
                return self._given_before(prompt, others[-1])
        return json.loads(exact.read_text("utf-8"))

    def _given_before(self, prompt: str, file: Path) -> Any:
        """An answer to a prompt that reads different; entries of the same words may only be called different there."""
        answer, beside = file.read_text("utf-8"), file.with_suffix(".prompt.txt")
        before = beside.read_text("utf-8") if beside.exists() else ""
        called = {words: id_ for id_, words in LISTED.findall(prompt)}
        for id_, words in LISTED.findall(before):
            answer = answer.replace(id_, called.get(words, id_))
            before = before.replace(id_, called.get(words, id_))
        self.counts["other"] += before != prompt
        return json.loads(answer)


class Case(NamedTuple):
    """One session before and after the pass."""

    notes: tuple[Counter[str], Counter[str]]
    told: tuple[Score, Score]
    counts: Counter[str]
    text: str


def main() -> int:
    options = arguments()
    options.recordings.mkdir(parents=True, exist_ok=True)
    named, cases = [name for name in options.sessions.split(",") if name], {}
    for path in sorted(options.gold.glob("*.json")):
        if not named or any(name in path.stem for name in named):
            label = json.loads(path.read_text("utf-8"))
            case = read(path.stem, label, find(options.transcripts, label["source"]), options)
            if case is not None:
                cases[path.stem] = case
                if options.write:
                    (options.write / f"{path.stem}.txt").write_text(case.text + "\n", "utf-8")
    if cases:
        show(cases, [name for name in options.aside.split(",") if name])
    return 0


def read(name: str, label: dict[str, Any], transcript: Path, options: argparse.Namespace) -> Case | None:
    """A session read by scribe and model. None: an answer is missing."""
    with tempfile.TemporaryDirectory(prefix="steno-model-") as folder:
        cut = Path(folder) / transcript.name
        cut.write_bytes(b"".join(before_the_cut(transcript, label["cut_line"])))
        clock = SteppingClock()
        chosen = {"model": options.model, "model_tokens_a_day": "100000000"} if options.model else {}
        with house(Path(folder) / "house", clock=clock, **chosen) as memory:
            memory.home.adopt_secret(SECRET)
            memory.capture(cut)
            turns = [found.turn for found in all_turns(memory)]
            clock.now = max((turn.at for turn in turns if turn.at), default=clock.now)
            memory.scribe()
            before = judged(memory, label)
            recordings = Recordings(options.recordings, name, asking(memory) if options.model else None)
            done = memory.read_with_model("latest", at_once=True, ask=recordings.ask)
            if done.why_not:
                print(f"{name}: {recordings.counts['portions'] - 1} portions read; waiting: {done.why_not}")
                return None
            notes, score, text = judged(memory, label, misses=options.misses)
            recordings.counts["text"] = sum(tokens.count(turn.text) for turn in turns)
            recordings.counts["not said"] = not_said(memory)
            recordings.counts["entries"] = done.entries
            for reason, times in done.refused.items():
                recordings.counts[f"refused: {reason}"] += times
            return Case((before[0], notes), (before[1], score), recordings.counts, text)


def asking(memory: Memory) -> Ask:
    """The model the settings name, within its budget."""

    def ask(question: Question, about: ToRead) -> Reply:
        return memory.spending.ask(question, session_id=about.id, project=about.project, agent=about.agent)

    return ask


def judged(memory: Memory, label: dict[str, Any], *, misses: bool = False) -> tuple[Counter[str], Score, str]:
    """How much of a label the entries and tier 0 hold; what was laid aside is no entry any more."""
    notes = [note(entry) for entry in memory.entries() if entry.status != "archived"]
    briefing = memory.brief(session="latest")
    wanted, told = wants(label), Told(briefing.text, briefing.tokens)
    if misses:
        text = " ".join(briefing.text.split()).lower()
        for column in COLUMNS[:-1]:
            for want in wanted[column]:
                if not want.told_in(text):
                    print(f"  {column:10} not told: {want.text}")
    return counted(label, notes, misses=misses), measure(wanted, told), briefing.text


def not_said(memory: Memory) -> int:
    """Entries whose words are not in the turn they rest on."""
    said = {found.id: found.turn.text for found in all_turns(memory)}
    return sum(quote.quote not in said[quote.turn] for entry in memory.entries() for quote in entry.evidence)


def show(cases: dict[str, Case], aside: list[str]) -> None:
    """Print the tables, each session and pooled."""
    pools = {"together": list(cases)}
    if aside:
        apart = [name for name in cases if any(part in name for part in aside)]
        pools = {"tuned on": [name for name in cases if name not in apart], "kept aside": apart, **pools}
    print(f"\n{'notes':24}", *(f"{head:>10}" for head in HEADS))
    for name, case in cases.items():
        show_notes(name, case.notes[1], "", "")
    for name, names in pools.items():
        for place, when in enumerate(("before", "after")):
            show_notes(f"{name}, {when}", sum((cases[one].notes[place] for one in names), Counter()), "", "")
    print(f"\n{'tier 0':32}", *(f"{column:>10}" for column in COLUMNS), f"{'tokens':>7}")
    for name, case in cases.items():
        show_told(name, case.told[1])
    for name, names in pools.items():
        for place, when in enumerate(("before", "after")):
            show_told(f"{name}, {when}", pooled(cases[one].told[place] for one in names))
    together = sum((case.counts for case in cases.values()), Counter())
    measured(sessions=len(cases), portions=together["portions"], text=together["text"])
    print(f"\n{len(cases)} sessions, {together['portions']} portions, {together['entries']} new entries")
    print(
        f"tokens sent: {together['sent'] / together['text']:.2f} of those of the transcripts' text; by session", end=" "
    )
    print(", ".join(f"{case.counts['sent'] / case.counts['text']:.2f}" for case in cases.values()))
    print(f"entries whose quote was not said: {together['not said']}")
    print(f"answers that were given to another prompt: {together['other']}")
    print("; ".join(f"{name}: {times}" for name, times in together.items() if name.startswith("refused")))


def show_told(name: str, score: Score | None) -> None:
    if score:
        cells = (
            f"{score.hits[column] / score.totals[column]:.2f}" if score.totals[column] else "-" for column in COLUMNS
        )
        print(f"{name[:32]:32}", *(f"{cell:>10}" for cell in cells), f"{max(score.tokens):7}")


def arguments() -> argparse.Namespace:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--transcripts", type=Path, required=True)
    parser.add_argument("--gold", type=Path, required=True)
    parser.add_argument("--recordings", type=Path, required=True)
    parser.add_argument("--model", default="", help="asks this one where a recording is missing, as `model` is set")
    parser.add_argument("--sessions", default="", help="only labels whose name holds one of these")
    parser.add_argument("--aside", default="", help="labels whose figures are reported apart")
    parser.add_argument("--write", type=Path, metavar="FOLDER", help="write tier 0 of each session there, for readers")
    parser.add_argument("--misses", action="store_true", help="print what was not found or told")
    return parser.parse_args()


if __name__ == "__main__":
    raise SystemExit(main())
