"""What the scribe notes of labelled sessions, how it ranks the rest, what each pattern is worth, and how fast it is.

    python benchmarks/notes.py --transcripts DIR --gold DIR [--beside NAME=COMMAND …] [--misses]
    python benchmarks/notes.py --transcripts DIR --gold DIR --ablate [--turns FILE]

Each labelled transcript is cut where its context was lost, captured and scribed in a store of its own. An entry covers
a labelled item when its quote overlaps the label's quote (one holds the other, or 24 characters in common), or when its
text holds one alternative of every group of the label's keys.

`--beside`: another program in the same run. It reads what `steno turns SESSION --json` prints, and writes one entry a
line with `category`, `summary` and `evidence`. The baseline `cue words` notes every sentence that holds one of a dozen.

The rank: sentences of people by the weight they have, as many as .8 a turn; the share of labelled items among them.
`patterns`: by what is said plainly alone; `encoder`: without the patterns; `worth`: as briefings weigh it.

`--ablate` switches off each pattern and each guard. `--turns`: labelled single turns, where `right` is the share of
entries whose words were labelled as saying no, instructing, choosing, approving or setting right.
"""

import argparse
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import msgspec
from labelled import OLD_SESSIONS
from measured import measured

import steno
from steno.scribe import DONE_BEFORE, SAID_BEFORE, plain, propose, weigh
from steno.scribe.hear import own_sentences
from steno.scribe.note import scene
from steno.vocabulary import HUMAN_KINDS, Candidate, JournalTurn, Turn, Window
from steno.vocabulary.utterances import Sentence

# Nothing is recalled here, so no vectors are made.
os.environ["STENO_EMBEDDING"] = "off"
# Categories that count as the right drawer for a label's.
PLACES = {
    "rejected": {"rejected", "rule"}, "decision": {"decision"}, "rule": {"rule", "rejected"},
    "exclusion": {"exclusion", "learning"}, "learning": {"learning", "rule"},
    "discovery": {"discovery", "fact", "learning"}, "task": {"task", "commitment"}, "context": {"context", "fact"},
}  # fmt: skip
CORE = ("rejected", "decision", "rule")
RUN = 24
# Sentences a turn that a rank may keep.
KEPT = 0.8
SETTLING = {"reject", "instruct", "choose", "approve", "correct"}
HEADS = ("entries", "a turn", "median", "refused", "of imp. 3", "rules", "decided", "failed", "precise", "traps")
CUE_WORDS = re.compile(r"\b(?:don'?t|do not|never|always|instead|no need|must not|from now on|prefer|stop)\b", re.I)


class Note(NamedTuple):
    """An entry as the measure sees it."""

    category: str
    quotes: list[str]
    text: str
    by_person: bool

    def covers(self, item: dict[str, Any]) -> bool:
        told = all(any(key.lower() in self.text for key in group) for group in item["keys"])
        return told or any(overlap(quote, squeeze(item["quote"])) for quote in self.quotes)

    def claims(self, quote: str) -> bool:
        """Whether it holds these words true. What a no quotes beside itself is what it says no to."""
        return any(overlap(own, squeeze(quote)) for own in self.quotes[: 1 if self.category == "rejected" else None])


class Session(NamedTuple):
    """A labelled session: its label, and its turns up to the cut."""

    name: str
    label: dict[str, Any]
    turns: list[JournalTurn]
    notes: list[Note]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--transcripts", type=Path, required=True)
    parser.add_argument("--gold", type=Path, required=True)
    parser.add_argument("--beside", action="append", default=[], metavar="NAME=COMMAND")
    parser.add_argument("--misses", action="store_true", help="print every label that was not found in place")
    parser.add_argument("--ablate", action="store_true")
    parser.add_argument("--turns", type=Path, help="labelled single turns, one JSON object a line")
    options = parser.parse_args()
    sessions = [read(path, options.transcripts) for path in sorted(options.gold.glob("*.json"))]
    measured(labelled_items=sum(len(one.label["items"]) for one in sessions))
    if options.ablate:
        ablate(sessions, options.turns)
        return 0
    print(f"{'':24}", *(f"{head:>10}" for head in HEADS))
    show("said plainly", sessions, lambda one: one.notes, misses=options.misses)
    show("cue words", sessions, by_cue_words)
    for named in options.beside:
        name, _, command = named.partition("=")
        show(name, sessions, lambda one, command=command: beside(one, command))  # type: ignore[misc]
    ranked(sessions)
    speed(options.transcripts)
    return 0


def read(path: Path, transcripts: Path) -> Session:
    """A labelled session as the product captures and notes it."""
    label = json.loads(path.read_text("utf-8"))
    transcript = find(transcripts, label["source"])
    with tempfile.TemporaryDirectory(prefix="steno-notes-") as folder:
        cut = Path(folder) / transcript.name
        cut.write_bytes(b"".join(before_the_cut(transcript, label["cut_line"])))
        with steno.open(Path(folder) / "home") as memory:
            memory.capture(cut)
            memory.scribe()
            names = [f"{one.session.source}:{one.session.session}" for one in memory.sessions()]
            turns = [turn for name in names for turn in memory.turns(name)]
            return Session(path.stem, label, turns, [note(entry) for entry in memory.entries()])


def find(folder: Path, name: str) -> Path:
    return next(folder.rglob(name))


def before_the_cut(transcript: Path, line: int) -> Iterable[bytes]:
    with transcript.open("rb") as lines:
        for number, raw in enumerate(lines, 1):
            if number > line or (number == line and (b"compact_boundary" in raw or b'"type":"compact' in raw)):
                return
            yield raw


def note(entry: steno.Entry | Candidate) -> Note:
    detail = {name: value for name, value in msgspec.to_builtins(entry.detail).items() if name != "task"}
    quotes = [squeeze(one.quote) for one in entry.evidence]
    text = squeeze(" ".join([entry.summary, msgspec.json.encode(detail).decode(), *quotes]))
    return Note(entry.category, quotes, text, by_person=getattr(entry, "origin", "user") == "user")


def show(
    name: str, sessions: list[Session], notes_of: Callable[[Session], list[Note]], *, misses: bool = False
) -> Counter[str]:
    """A line of the table: what some notes of all sessions hold."""
    counts: Counter[str] = Counter()
    sizes = []
    for one in sessions:
        notes = notes_of(one)
        sizes.append(len(notes))
        counts += counted(one.label, notes, misses=misses)
    turns = sum(turn.by_human for one in sessions for turn in one.turns)
    row(name, counts, f"{counts['entries'] / turns:.2f}", str(sorted(sizes)[len(sizes) // 2]))
    return counts


def row(name: str, counts: Counter[str], *per: str) -> None:
    """Print counts as a line of the table; `per`: entries a turn and a session."""
    kinds = ("rejected", "rejected 3", "rule", "decision", "exclusion")
    figures = [f"{counts[f'{kind} found'] / max(1, counts[kind]):.2f}" for kind in kinds]
    precise = f"{counts['core right'] / max(1, counts['core']):.2f}"
    traps = f"{counts['trapped']}/{counts['traps']}"
    print(f"{name:24}", *(f"{one:>10}" for one in (counts["entries"], *per, *figures, precise, traps)))


def counted(label: dict[str, Any], notes: list[Note], *, misses: bool = False) -> Counter[str]:
    """What of a label some notes hold, and how many of them hold nothing of it."""
    counts: Counter[str] = Counter(entries=len(notes))
    for item in label["items"]:
        placed = any(found.covers(item) for found in notes if found.category in PLACES[item["category"]])
        for kind in (item["category"], f"{item['category']} {item['importance']}"):
            counts.update({kind: 1, f"{kind} found": placed})
        if misses and not placed:
            print(f"  missed {item['category']:9} line {item['line']}: {item['quote'][:100]!r}")
    core = [found for found in notes if found.category in CORE]
    traps = label.get("traps", [])
    counts["core"] = len(core)
    counts["core right"] = sum(any(found.covers(item) for item in label["items"]) for found in core)
    counts["traps"] = len(traps)
    counts["trapped"] = sum(any(found.claims(trap["quote"]) for found in core) for trap in traps)
    return counts


def by_cue_words(one: Session) -> list[Note]:
    """The simplest baseline: every sentence of a person with a cue word, as a refusal."""
    words = (said.text for turn in one.turns if turn.by_human for said in own_sentences(turn.turn.text))
    return [
        Note("rejected", [squeeze(text)], squeeze(text), by_person=True) for text in words if CUE_WORDS.search(text)
    ]


def beside(one: Session, command: str) -> list[Note]:
    """What another program notes of the same turns."""
    lines = [{"id": turn.id, "session": turn.session, **msgspec.to_builtins(turn.turn)} for turn in one.turns]
    given = "".join(json.dumps(line) + "\n" for line in lines)
    done = subprocess.run(shlex.split(command), input=given, capture_output=True, text=True, check=True, timeout=600)
    found = [json.loads(line) for line in done.stdout.splitlines() if line.strip()]
    plainly = [entry for entry in found if entry.get("class", "plain") == "plain"]
    return [
        Note(
            entry["category"],
            quotes := [squeeze(piece["quote"]) for piece in entry["evidence"]],
            squeeze(" ".join([entry["summary"], str(entry.get("answers", "")), *quotes])),
            by_person=True,
        )
        for entry in plainly
    ]


def windows(turns: Iterable[JournalTurn]) -> Iterator[tuple[JournalTurn, Window]]:
    """Each turn with what the scribe sees before it."""
    said: deque[JournalTurn] = deque(maxlen=SAID_BEFORE)
    done: deque[JournalTurn] = deque(maxlen=DONE_BEFORE)
    for turn in turns:
        yield turn, Window(tuple(said), tuple(done))
        if turn.turn.role == "tool" or turn.turn.kind == "call":
            done.append(turn)
        elif turn.turn.kind in HUMAN_KINDS | {"interrupted", "boundary"}:
            said.append(turn)


def ranked(sessions: list[Session]) -> None:
    """What people said, ranked by its weight: the share of labelled items among the first."""
    new = [one for one in sessions if not one.name.startswith(OLD_SESSIONS)]
    for who, some in (("all", sessions), ("people the encoder was not taught on", new)):
        print(f"\n{'rank at ' + str(KEPT) + ' a turn, ' + who:60} {'refused':>8} {'rules':>8} {'own decisions':>14}")
        for name in ("patterns", "encoder", "both", "worth"):
            hits: Counter[str] = Counter()
            for one in some:
                hits += found_among_the_first(one, name)
            shares = [hits[f"{kind} found"] / max(1, hits[kind]) for kind in ("rejected", "rule", "decision")]
            print(f"  {name:58} {shares[0]:8.2f} {shares[1]:8.2f} {shares[2]:14.2f}")


def found_among_the_first(one: Session, name: str) -> Counter[str]:
    """Labelled items of a person, and how many of them are among the sentences with the most weight."""
    found, turns = list[tuple[float, str]](), 0
    answered = [squeeze(turn.turn.text) for turn in one.turns if turn.by_human and turn.turn.kind == "answer"]
    for turn, window in windows(one.turns):
        if turn.by_human and turn.turn.kind != "answer":
            turns += 1
            found += weighed(turn, window, name)
    kept = [text for _, text in sorted(found, key=lambda pair: -pair[0])[: round(KEPT * turns)]]
    hits: Counter[str] = Counter()
    for item in one.label["items"]:
        if item["category"] in CORE and item["role"] == "user":
            told = any(overlap(text, squeeze(item["quote"])) for text in [*kept, *answered])
            hits.update({item["category"]: 1, f"{item['category']} found": told})
    return hits


def weighed(turn: JournalTurn, window: Window, name: str) -> Iterator[tuple[float, str]]:
    """The weight of each sentence of a turn: by patterns, by the encoder, by both, and as briefings weigh it."""
    own, around = own_sentences(turn.turn.text), scene(turn, window)
    call, spans = around.stopped(), [(said.start, said.end) for said in own]
    found = []
    if name != "patterns":
        with patch.object(weigh, "plainly", (lambda *_: None) if name == "encoder" else plain.plainly):
            weigh._weighed.cache_clear()
            stopped = f"{call.tool} {call.given}" if call else ""
            found = weigh.weigh(turn.turn.text, spans, before=around.text, stopped=stopped)
    for place, said in enumerate(own):
        if name == "patterns":
            yield float(plain.plainly(said.whole) is not None), squeeze(said.text)
            continue
        one = found[place]
        if name == "worth":
            sentence = Sentence(text="", acts=dict(one.acts), lasting=one.lasting, importance=one.importance)
            yield sentence.worth(stops=call is not None), squeeze(said.text)
        else:
            does = [1 - one.acts[act] for act in ("reject", "instruct", "choose")]
            yield 1 - does[0] * does[1] * does[2], squeeze(said.text)


def ablate(sessions: list[Session], turns: Path | None) -> None:
    """Each pattern and each guard switched off."""
    rows = [json.loads(line) for line in turns.read_text("utf-8").splitlines()] if turns else []
    data = plain._data()
    print(f"{'without':24} {'entries':>8} {'refused':>8} {'rules':>8} {'traps':>8} {'| turns':>8} {'right':>8}")

    def line(name: str) -> None:
        for cached in (plain.patterns, plain.agents_patterns, plain._guards):
            cached.cache_clear()
        found: Counter[str] = Counter()
        for one in sessions:
            notes = [note(new) for turn, window in windows(one.turns) for new in propose(turn, window)]
            found += counted(one.label, notes)
        entries, right = labelled(rows)
        shares = (f"{found[f'{kind} found'] / max(1, found[kind]):.3f}" for kind in ("rejected", "rule"))
        told = (found["entries"], *shares, found["trapped"], entries, f"{right / max(1, entries):.2f}")
        print(f"{name:24}", *(f"{one:>8}" for one in told), flush=True)

    line("nothing")
    patterns, guards = list(data.pattern), dict(data.guards)
    for pattern in patterns:
        data.pattern = [one for one in patterns if one is not pattern]
        line(pattern.name)
    data.pattern = patterns
    for name in guards:
        data.guards = {other: words for other, words in guards.items() if other != name}
        line(f"guard: {name}")
    data.guards = guards


def labelled(rows: list[dict[str, Any]]) -> tuple[int, int]:
    """Entries of labelled single turns, and how many of them rest on words that were labelled as settling something."""
    entries = right = 0
    for row in rows:
        turn = JournalTurn(id=2, source="x", session="s", turn=Turn(role="user", kind="said", text=row["text"]))
        said = JournalTurn(id=1, source="x", session="s", turn=Turn(role="assistant", kind="said", text=row["before"]))
        for new in propose(turn, Window((said,) if row["before"] else ())):
            entries += 1
            quote = squeeze(new.evidence[0].quote)
            right += any(act["act"] in SETTLING and overlap(squeeze(act["span"]), quote) for act in row["acts"])
    return entries, right


def overlap(one: str, other: str) -> bool:
    if not one or not other:
        return False
    if one in other or other in one:
        return min(len(one), len(other)) >= 8
    return len(one) >= RUN and any(one[start : start + RUN] in other for start in range(0, len(one) - RUN + 1, 4))


def squeeze(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip().lower()


def speed(folder: Path) -> None:
    """Megabytes of agent transcripts a second on one core, and how the time grows with the length of one session."""
    largest = max(folder.rglob("*.jsonl"), key=lambda path: path.stat().st_size)
    times = {}
    for megabytes in (1, 4, 16):
        with tempfile.TemporaryDirectory(prefix="steno-speed-") as work:
            path = Path(work) / largest.name
            grow(largest, path, megabytes * 1_000_000)
            with steno.open(Path(work) / "home") as memory:
                memory.capture(path)
                start = time.process_time()
                measured(turns_read=memory.scribe().turns)
                times[megabytes] = time.process_time() - start
        print(f"scribe: {megabytes:3} MB in {times[megabytes]:.2f} s, {megabytes / times[megabytes]:.1f} MB/s")


def grow(sample: Path, path: Path, size: int) -> None:
    """One session of so many bytes: the sample again and again, each time with ids of its own."""
    uuid = re.compile(rb'("(?:uuid|id)":")[0-9a-f]{4}')
    lines = sample.read_bytes().splitlines(keepends=True)
    done = repeat = 0
    with path.open("wb") as file:
        while done < size:
            for line in lines:
                done += file.write(uuid.sub(b"\\g<1>%04x" % repeat, line))
                if done >= size:
                    break
            repeat += 1


if __name__ == "__main__":
    sys.exit(main())
