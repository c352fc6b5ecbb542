"""How much of the state a compaction takes a briefing gives back, beside plain baselines and a ceiling.

    python benchmarks/recovery.py --transcripts DIR --gold DIR [--aside NAME,NAME] [--tier 0,1] [--misses] [--show]
        [--write FOLDER] [--beside PROGRAM]

Each labelled transcript is cut where its context was lost, captured and scribed in a house of its own, whose clock
stands at the last turn, and briefed. A text conveys a labelled thing when it holds, in any case and spacing, one
alternative of every group of its keys; a variable when it holds its value. `progress` is the last three things done and
all that come next, `last3` the three latest decisions, `imp3` what the label calls most important; what was superseded
counts nowhere but under `stale`, where less is better. Counts are pooled, so that a long transcript weighs more.

Beside it:
- the last 4,000 characters of all that people and agent said, and of what people said;
- the summary the host's own model wrote at that place, where there is one, with the briefings of the same transcripts;
- `ceiling`: the labels' own sentences, chosen to convey most within the tier's tokens. It is what a note-taker who knew
  the labels could do with their wording, found greedily (gain per token, the eight rows of the bar weighing alike): a
  guide to what fits, neither a proven optimum nor a bound for somebody who words things more tightly;
- `own best`: the same choice among what the store holds (summaries and first quotes of entries, lines of the
  checkpoint): what somebody who knew the keys could reach with what was written down. Short keys are easily met by
  chance, so that this is more than any honest choice will reach;
- `unlimited`: everything the store holds, however long: what is lacking here was never written down.

`--misses` tells for each label that was not conveyed what became of it: `never written`, `in other words` (an entry
quotes it but holds no alternative of its keys), `not chosen`, or `cut short` (chosen, but the part that says it was not
told). Labels kept aside are left out there and under `--show`, unless their names are given: `--misses NAME`. `--write`
puts the briefings of all of them into a folder, for readers. `--beside` measures what another program prints about each
transcript, cut as ours is.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

import msgspec
from measured import measured
from notes import before_the_cut, find, note, squeeze

from steno import Entry, Memory, tokens
from steno.testing import SteppingClock, all_turns, house
from steno.vocabulary.briefings import TIER_TOKENS, Briefing
from steno.vocabulary.details import as_stored

# The rows of the first bar, and what it asks of tier 0.
BAR = {
    "goal": 1.0, "progress": 0.85, "last3": 0.95, "rejected": 0.90,
    "rules": 0.90, "exclusions": 0.80, "variables": 0.60, "imp3": 0.85,
}  # fmt: skip
COLUMNS = (*BAR, "all", "stale")
TAIL = 4_000
# What filling up with labels outside the bar is worth beside one in it.
CRUMB = 0.001
# What a part of a label is worth beside the whole of it.
PART = 0.1
FATES = ("never written", "in other words", "not chosen", "cut short")
LAST, LAST_OF_PEOPLE, HOST, OTHER = (
    "last 4,000 characters", "last 4,000 of people", "host's summary", "the other program",
)  # fmt: skip
UNLIMITED, OWN_BEST, CEILING = "unlimited", "own best", "ceiling"
BESIDE = (LAST, LAST_OF_PEOPLE, HOST, OTHER, UNLIMITED, OWN_BEST, CEILING)


class Want(NamedTuple):
    """One labelled thing a briefing should convey."""

    kind: str
    text: str
    keys: list[list[str]]
    quote: str = ""
    importance: int | None = None

    def told_in(self, squeezed: str) -> bool:
        """Whether a squeezed text conveys it."""
        return all(any(key.lower() in squeezed for key in group) for group in self.keys)


class Score(NamedTuple):
    """What one text conveyed, by column, with the totals; pooled, the tokens and characters of several."""

    hits: Counter[str]
    totals: Counter[str]
    tokens: tuple[int, ...]
    characters: tuple[int, ...]


class Told(NamedTuple):
    """A text that stands for a lost context, and the entries it was made of."""

    text: str
    tokens: int
    entries: frozenset[str] = frozenset()


def wants(label: dict[str, Any]) -> dict[str, list[Want]]:
    """What a label asks for, by column."""
    live = [item for item in label["items"] if item["status_at_cut"] != "superseded"]
    state = label["task_state"]

    def of(category: str) -> list[Want]:
        return [_item(item) for item in live if item["category"] == category]

    def stands(*names: str) -> list[Want]:
        return [Want(name, part["text"], part["keys"]) for name in names for part in state.get(name, [])]

    decisions = sorted((item for item in live if item["category"] == "decision"), key=lambda item: int(item["line"]))
    goal = state.get("goal") or {}
    values = [str(variable.get("value", "")).strip() for variable in state.get("variables", [])]
    return {
        "goal": [Want("goal", goal["text"], goal["keys"])] if goal.get("keys") else [],
        "progress": stands("done")[-3:] + stands("next"),
        "last3": [_item(item) for item in decisions[-3:]],
        "rejected": of("rejected"),
        "rules": of("rule"),
        "exclusions": of("exclusion"),
        "variables": [Want("variable", value, [[squeeze(value)]]) for value in values if value],
        "imp3": [_item(item) for item in live if item["importance"] == 3],
        "all": [_item(item) for item in live],
        "stale": [_item(item) for item in label["items"] if item["status_at_cut"] == "superseded"],
    }


def _item(item: dict[str, Any]) -> Want:
    return Want(item["category"], item["summary"], item["keys"], item["quote"], item["importance"])


def measure(wanted: dict[str, list[Want]], told: Told) -> Score:
    """How much of what is wanted a text conveys."""
    text = squeeze(told.text)
    hits = Counter({column: sum(want.told_in(text) for want in those) for column, those in wanted.items()})
    totals = Counter({column: len(those) for column, those in wanted.items()})
    return Score(hits, totals, (told.tokens,), (len(text),))


def pooled(scores: Iterable[Score]) -> Score | None:
    """The counts of several texts together. None: there is no text."""
    every = list(scores)
    if not every:
        return None
    return Score(
        sum((score.hits for score in every), Counter()),
        sum((score.totals for score in every), Counter()),
        tuple(size for score in every for size in score.tokens),
        tuple(size for score in every for size in score.characters),
    )


def best(pieces: Iterable[str], wanted: dict[str, list[Want]], weights: dict[str, float], budget: int) -> str:
    """The pieces that convey most within so many tokens, one per line: greedily, by gain per token."""
    labels = [(want, weights[column]) for column in weights for want in wanted[column]]
    left = {piece: _parts(squeeze(piece), labels) for piece in dict.fromkeys(pieces)}
    costs = {piece: tokens.count(piece + "\n") for piece in left}
    chosen: list[str] = []
    have: frozenset[tuple[int, int]] = frozenset()
    while left:
        now = _worth(have, labels)
        gains = {piece: _worth(have | parts, labels) - now for piece, parts in left.items()}
        piece = max(left, key=lambda piece: gains[piece] / costs[piece])
        if gains[piece] <= 0:
            break
        parts = left.pop(piece)
        if tokens.count("\n".join([*chosen, piece])) <= budget:
            chosen.append(piece)
            have |= parts
    return "\n".join(chosen)


def _parts(text: str, labels: list[tuple[Want, float]]) -> frozenset[tuple[int, int]]:
    """Which groups of keys of which labels a text holds."""
    return frozenset(
        (number, place)
        for number, (want, _) in enumerate(labels)
        for place, group in enumerate(want.keys)
        if any(key.lower() in text for key in group)
    )


def _worth(parts: frozenset[tuple[int, int]], labels: list[tuple[Want, float]]) -> float:
    """What these groups of keys are worth: a part of a label a little, so that several pieces can make up one."""
    held = Counter(number for number, _ in parts)
    shares = {number: count / len(labels[number][0].keys) for number, count in held.items()}
    return sum(labels[number][1] * (1 if share == 1 else PART * share) for number, share in shares.items())


class Case:
    """One labelled transcript: what was written down of it, and the texts to measure."""

    def __init__(
        self, name: str, label: dict[str, Any], transcript: Path, tiers: Sequence[int], beside: Path | None = None
    ) -> None:
        self.name = name
        self.wanted = wants(label)
        self._label = label
        with tempfile.TemporaryDirectory(prefix="steno-recovery-") as folder:
            self._read(transcript, Path(folder), tiers)
            self.plain[OTHER] = None if beside is None else _printed(beside, Path(folder) / transcript.name)
            self.plain[HOST] = _host_summary(transcript, label["cut_line"], Path(folder) / "whole")

    def _read(self, transcript: Path, folder: Path, tiers: Sequence[int]) -> None:
        cut = folder / transcript.name
        cut.write_bytes(b"".join(before_the_cut(transcript, self._label["cut_line"])))
        clock = SteppingClock()
        with house(folder / "cut", clock=clock) as memory:
            memory.capture(cut)
            turns = [found.turn for found in all_turns(memory)]
            clock.now = max((turn.at for turn in turns if turn.at), default=clock.now)
            memory.scribe()
            self._notes = [(entry, note(entry)) for entry in memory.entries()]
            self._lines = list(_leaves(_checkpoint(memory)))
            self.briefings = {tier: _told(memory, tier) for tier in tiers}
        said = [turn for turn in turns if turn.by_human or (turn.role == "assistant" and turn.kind == "said")]
        self.plain: dict[str, Told | None] = {
            LAST: _tail(turn.text for turn in said),
            LAST_OF_PEOPLE: _tail(turn.text for turn in said if turn.by_human),
            UNLIMITED: _plain("\n".join([*self._lines, *(part for entry in self._live() for part in _whole(entry))])),
        }

    def own_pieces(self) -> list[str]:
        """What a briefing could be made of, as it was written down."""
        pairs = [(entry.summary, *(evidence.quote for evidence in entry.evidence[:1])) for entry in self._live()]
        return [*self._lines, *(piece for pair in pairs for piece in pair)]

    def _live(self) -> list[Entry]:
        return [entry for entry, _ in self._notes if entry.status != "superseded"]

    def gold_pieces(self) -> list[str]:
        """What the label's author wrote."""
        state = self._label["task_state"]
        parts = [part["text"] for name in ("done", "next", "blockers") for part in state.get(name, [])]
        wanted = [want.text for column in ("goal", "variables", "all") for want in self.wanted[column]]
        return [*wanted, *parts]

    def misses(self, told: Told) -> Iterator[tuple[str, Want, str, str]]:
        """What was not conveyed: the column, the label, what became of it, and where it stands."""
        text = squeeze(told.text)
        seen = set()
        for column in (*BAR, "all"):
            for want in self.wanted[column]:
                if not want.told_in(text) and (want.kind, want.text) not in seen:
                    seen.add((want.kind, want.text))
                    yield column, want, *self._fate(want, told.entries)

    def _fate(self, want: Want, chosen: frozenset[str]) -> tuple[str, str]:
        label = {"keys": want.keys, "quote": want.quote}
        found = [entry for entry, note in self._notes if note.covers(label)]
        # A quote in common says that it was noticed; only words that hold the keys could have told it.
        telling = [entry for entry, note in self._notes if note.covers({**label, "quote": ""})]
        for entry in telling:
            if entry.id in chosen:
                return "cut short", _card(entry)
        if (want.importance is None or not telling) and any(want.told_in(squeeze(line)) for line in self._lines):
            return "not chosen", "checkpoint"
        if telling:
            return "not chosen", _card(min(telling, key=lambda entry: entry.status == "superseded"))
        return ("in other words", _card(found[0])) if found else ("never written", "")


def _card(entry: Entry) -> str:
    return f"{entry.id} {entry.category} {entry.status}: {entry.summary[:120]}"


def _whole(entry: Entry) -> list[str]:
    return [entry.summary, *_leaves(as_stored(entry.detail)), *(evidence.quote for evidence in entry.evidence)]


def _plain(text: str) -> Told:
    return Told(text, tokens.count(text))


def _tail(texts: Iterable[str]) -> Told:
    return _plain("\n".join(texts)[-TAIL:])


def _told(memory: Memory, tier: int) -> Told:
    briefing: Briefing = memory.brief(tier=tier, session="latest")
    return Told(briefing.text, briefing.tokens, frozenset(briefing.entries))


def _printed(program: Path, transcript: Path) -> Told:
    """What another program tells of a transcript."""
    done = subprocess.run([sys.executable, program, transcript], capture_output=True, text=True, check=True)
    return _plain(done.stdout.strip())


def _checkpoint(memory: Memory) -> dict[str, Any]:
    """The checkpoint without what only its fold needs."""
    found: dict[str, Any] = msgspec.to_builtins(memory.checkpoint())
    return {name: value for name, value in found.items() if name not in ("state", "turn")}


def _leaves(value: Any) -> Iterator[str]:
    """Every text in a value made of JSON, however deep."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _leaves(part)


def _host_summary(transcript: Path, line: int, folder: Path) -> Told | None:
    """What the host's model wrote when it compacted at the cut, if it did."""
    with house(folder) as memory:
        memory.capture(transcript)
        after = [found.turn for found in all_turns(memory) if (found.turn.line or 0) >= line]
    return next((_plain(turn.text) for turn in after if turn.kind == "summary"), None)


# -- the table ---------------------------------------------------------------------------------------------------------

# A line of it. No score: there was nothing to measure.
Line = tuple[str, Score | None]


class Table(NamedTuple):
    """A tier's figures: our briefings by transcript, and what they are compared with, each by transcript."""

    ours: dict[str, Score]
    beside: dict[str, dict[str, Score]]

    def pools(self, aside: Sequence[str]) -> list[Line]:
        """Our briefings together."""
        apart = {name: score for name, score in self.ours.items() if _is_named(name, aside)}
        tuned = {name: score for name, score in self.ours.items() if name not in apart}
        parts = {"tuned on": tuned, "kept aside": apart, "together": self.ours}
        return [(name, pooled(scores.values())) for name, scores in parts.items()]

    def compared(self) -> list[Line]:
        """What our briefings are compared with; below the hosts' summaries the briefings of the same transcripts."""
        lines: list[Line] = []
        for name, scores in self.beside.items():
            lines.append((name, pooled(scores.values())))
            if name == HOST:
                lines.append(("briefings of the same", pooled(self.ours[each] for each in scores)))
        return lines


def table_of(cases: list[Case], tier: int) -> Table:
    """Measure everything at one tier."""
    totals = Counter({column: sum(len(case.wanted[column]) for case in cases) for column in (*BAR, "all")})
    weights = {column: 1 / total for column, total in totals.items() if total and column in BAR}
    if totals["all"]:
        weights["all"] = CRUMB / totals["all"]
    told: dict[str, dict[Case, Told | None]] = {name: {} for name in BESIDE}
    for case in cases:
        pieces = {OWN_BEST: case.own_pieces(), CEILING: case.gold_pieces()}
        chosen = {name: _plain(best(those, case.wanted, weights, TIER_TOKENS[tier])) for name, those in pieces.items()}
        for name in BESIDE:
            told[name][case] = {**case.plain, **chosen}[name]
    return Table(
        {case.name: measure(case.wanted, case.briefings[tier]) for case in cases},
        {
            name: {case.name: measure(case.wanted, text) for case, text in texts.items() if text}
            for name, texts in told.items()
        },
    )


def _is_named(name: str, names: Sequence[str]) -> bool:
    return any(part in name for part in names)


def show_table(tier: int, table: Table, aside: Sequence[str]) -> None:
    """Print a tier's table."""
    print(f"\n{f'tier {tier}':32}", *(f"{column:11}" for column in COLUMNS), f"{'max':>6} {'mean':>6} {'chars':>6}")
    for part in (table.ours.items(), table.pools(aside), table.compared()):
        for name, score in part:
            if score:
                cells = (f"{_cell(score, column):11}" for column in COLUMNS)
                print(f"{name[:32]:32}", *cells, f"{max(score.tokens):6} {fmean(score.tokens):6.0f}", end=" ")
                print(f"{fmean(score.characters):6.0f}")
        print()
    if tier == 0:
        cells = (f"{BAR[column]:.2f}" if column in BAR else "" for column in COLUMNS)
        print(f"{'the bar':32}", *(f"{cell:11}" for cell in cells), f"{TIER_TOKENS[0]:6}")


def _cell(score: Score, column: str) -> str:
    hits, total = score.hits[column], score.totals[column]
    return f"{hits / total:.2f} {f'{hits}/{total}':>6}" if total else "-"


def show_misses(cases: list[Case], tier: int, named: Sequence[str]) -> None:
    """Print what was not conveyed, and how often each fate befell it."""
    fates: dict[str, Counter[str]] = defaultdict(Counter)
    for case in cases:
        for column, want, fate, where in case.misses(case.briefings[tier]):
            fates[column][fate] += 1
            if case.name in named:
                importance = f" {want.importance}" if want.importance else ""
                print(f"{case.name[:14]:14} {fate:14} {column:10} {want.kind}{importance}: {want.text}")
                if where:
                    print(f"{'':30}-> {where}")
    print(f"\nnot conveyed, tier {tier} (each once)", *(f"{fate:>15}" for fate in FATES))
    for column, counts in fates.items():
        print(f"{'others' if column == 'all' else column:34}", *(f"{counts[fate]:15}" for fate in FATES))


def figures(table: Table, aside: Sequence[str]) -> dict[str, Any]:
    """A tier's table as JSON: everything by transcript, and pooled."""
    pools = dict([*table.pools(aside), *table.compared()])
    by_name = {"briefing": table.ours, **table.beside, "pooled": {name: pool for name, pool in pools.items() if pool}}
    return {name: {each: _figure(score) for each, score in scores.items()} for name, scores in by_name.items()}


def _figure(score: Score) -> dict[str, Any]:
    counts = {column: [score.hits[column], score.totals[column]] for column in COLUMNS}
    return {**counts, "tokens": score.tokens, "characters": score.characters}


def main() -> int:
    options = arguments()
    aside = _names(options.aside)
    tiers = [int(tier) for tier in options.tier.split(",")]
    labels = {path.stem: json.loads(path.read_text("utf-8")) for path in sorted(options.gold.glob("*.json"))}
    cases = [
        Case(name, label, find(options.transcripts, label["source"]), tiers, options.beside)
        for name, label in labels.items()
    ]
    labelled = sum(len(wanted) for case in cases for wanted in case.wanted.values())
    words = sum(len(told.text) for case in cases for told in case.briefings.values())
    measured(labelled_transcripts=len(cases), labels=labelled, tiers=len(tiers), words_in_the_briefings=words)
    tables = {tier: table_of(cases, tier) for tier in tiers}
    for tier, table in tables.items():
        if options.show is not None:
            for case in _chosen(cases, options.show, aside):
                print(f"== {case.name}, tier {tier}\n{case.briefings[tier].text}\n")
        if options.misses is not None:
            show_misses(cases, tier, [case.name for case in _chosen(cases, options.misses, aside)])
        show_table(tier, table, aside)
    if options.write:
        for case in cases:
            (options.write / f"{case.name}.txt").write_text(case.briefings[tiers[0]].text + "\n", "utf-8")
    if options.json:
        written = {tier: figures(table, aside) for tier, table in tables.items()}
        options.json.write_text(json.dumps(written, indent=1) + "\n", "utf-8")
    return 0


def arguments() -> argparse.Namespace:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--transcripts", type=Path, required=True)
    parser.add_argument("--gold", type=Path, required=True)
    parser.add_argument("--aside", default="", help="labels whose figures are reported apart: they were not tuned on")
    parser.add_argument("--tier", default="0")
    for option, help_ in (
        ("--misses", "print every label that was not conveyed, and what became of it"),
        ("--show", "print the briefings"),
    ):
        parser.add_argument(option, nargs="?", const="", metavar="NAME,NAME", help=help_)
    parser.add_argument("--write", type=Path, metavar="FOLDER", help="write the briefings of the first tier there")
    parser.add_argument("--beside", type=Path, metavar="PROGRAM", help="measure what it prints about a transcript, too")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures there")
    return parser.parse_args()


def _chosen(cases: list[Case], asked: str, aside: Sequence[str]) -> list[Case]:
    """The cases named, or all that are not kept aside."""
    names = _names(asked)
    return [case for case in cases if (_is_named(case.name, names) if names else not _is_named(case.name, aside))]


def _names(text: str) -> list[str]:
    return [name for name in text.split(",") if name]


if __name__ == "__main__":
    raise SystemExit(main())
