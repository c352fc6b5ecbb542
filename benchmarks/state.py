"""What the trail says of where a piece of work stood, against what careful readers found in the same transcript.

    python benchmarks/state.py --transcripts DIR [--people NAME,…] [--beside NAME=COMMAND …] [--misses]
    python benchmarks/state.py --seal FOLDER

Readers wrote down, before any parser was made, what is true at three places of each session: repository, branch, HEAD,
whether the remote has it, the pull request, uncommitted paths, the last test run, what runs in the background and the
to-do list. Null: it cannot be known there, or does not exist. `--seal` keeps what they wrote in `benchmarks/state`;
every value is there as a part of its SHA-256 only.

Each transcript is cut after the line, captured and scribed in a house of its own. Its trail is compared field by field:
`known` by the label; `right` of what was stated about it; `stated` of what is known; `beyond`: stated where the label
says that it cannot be known. A run counts for itself, everything else once a cut. Two runs are the same when at least
half of the words of the shorter name are in the other, two test commands when more than half are. Paths are compared by
name; an untracked folder stands for the files in it. A stated path that the label does not hold is wrong, also where
the label does not claim to hold all. The sum leaves out what stands below it.

`--beside`: a program that prints a text about the same turns. `{turns}` in its command is a file of what `steno turns
SESSION --json` prints, `{meta}` the folder and the branch of the session's record, `{budget}` a number of tokens. The
text is read for the shapes such programs have: `folder F, branch B`; `commit HASH subject`, `push A -> B`, `gh pr …`,
the latest first; `commands that worked:`; `started in the background`. The last is never held to be wrong: it says that
the runs may have ended.

`--misses` prints what is wrong, beyond or missing; never for people who are kept unseen.
"""

import argparse
import json
import re
import shlex
import subprocess
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
from measured import measured

from steno import Memory
from steno.briefing.state import worked_on
from steno.testing import house
from steno.vocabulary.checkpoints import Checkpoint, Trail

LABELS = Path(__file__).parent / "state"
# Nobody who works on the parsers looks at these.
UNSEEN = ("Safecast", "codyborders", "dougnukem", "entire_", "savekirk")
FIELDS = (
    "repository", "branch", "head", "pushed", "pr", "uncommitted", "last test", "counts", "running", "to-do",
)  # fmt: skip
APART = ("subject", "ended")
COUNTS = ("known", "stated", "right", "told", "beyond")
BUDGET = "1000"
LONGEST_COMMAND = 600
HALF = 0.5

# A row as a reader writes it, and the same with its values sealed.
Row = dict[str, Any]
# By field and count: `told` is how much of what is known was stated at all.
Tally = Counter[tuple[str, str]]


# -- sealing -----------------------------------------------------------------------------------------------------------


def seal(text: str) -> str:
    """What stands for a text in the project: the same for any case and spacing."""
    return sha256(" ".join(text.split()).casefold().encode()).hexdigest()[:16]


def sealed(row: Row) -> Row:
    """A row without anybody's words."""
    checks = [row[name] for name in ("last_test", "last_check") if row.get(name)]
    requests = [row[name] for name in ("pr",) if row.get(name)] + row.get("pr_also", [])
    return {
        "repository": _sealed(row.get("folder"), _base),
        "branch": _sealed(row.get("branch")),
        "head": _sealed(row.get("head"), lambda head: head[:7]),
        "subject": _sealed(row.get("subject")),
        "pushed": row.get("pushed"),
        "requests": [[request["number"], request["state"]] for request in requests],
        "uncommitted": _each(row.get("uncommitted"), _parts),
        "complete": bool(row.get("uncommitted_complete")),
        "tests": [_test(check) for check in checks],
        "running": _each(row.get("running"), _run),
        "ended": _each(row.get("ended"), _run),
        "todo": _list(row.get("todo")),
    }


def _sealed(text: str | None, part: Callable[[str], str] = str) -> str | None:
    return seal(part(text)) if text else None


def _each(values: Iterable[Any] | None, made: Callable[[Any], Any]) -> list[Any] | None:
    return None if values is None else [made(value) for value in values]


def _base(path: str) -> str:
    return re.split(r"[/\\]", path.rstrip("/\\"))[-1]


def _parts(path: str) -> list[str]:
    """The names in a path, its own last."""
    return [seal(part) for part in re.split(r"[/\\]", path) if part]


def _words(text: str) -> list[str]:
    """The words of a command or a name."""
    return sorted({seal(word) for word in re.findall(r"\w+", text[:LONGEST_COMMAND])})


def _run(run: str | dict[str, str]) -> Row:
    if isinstance(run, str):
        return {"words": _words(run), "how": ""}
    how = run.get("outcome") or run.get("how") or ""
    return {"words": _words(" ".join(run.get(part) or "" for part in ("id", "name", "what"))), "how": how}


def _test(check: Row) -> Row:
    # What a pipe does with the output does not tell two runs apart.
    command = re.split(r"(?:2>&1)?\s{0,9}\|", check["command"], maxsplit=1)[0]
    return {"words": _words(command), **{name: check.get(name) for name in ("outcome", "passed", "failed")}}


def _list(todo: Row | None) -> Row | None:
    if todo is None:
        return None
    return {"open": sorted(seal(re.sub(r"\W+", " ", text)) for text in todo["open"]), "done": todo["done"]}


def seal_folder(folder: Path) -> None:
    """Keep what readers wrote."""
    LABELS.mkdir(exist_ok=True)
    for path in sorted(folder.glob("*.json")):
        rows = json.loads(path.read_text("utf-8"))
        lines = [json.dumps({"line": row["line"], **sealed(row)}, separators=(",", ":")) for row in rows]
        (LABELS / path.name).write_text("[\n" + ",\n".join(lines) + "\n]\n", "utf-8")


# -- what is stated ----------------------------------------------------------------------------------------------------


def stated(trail: Trail) -> Row:
    """A trail as a reader would write it down."""
    here = trail.repositories[-1] if trail.repositories else None
    request = max(worked_on(trail), key=lambda request: request.turn, default=None)
    known_list = trail.todos or trail.listed is not None
    return {
        "folder": here and here.folder,
        "branch": here and here.branch,
        "head": here and here.head,
        "subject": here and here.subject,
        "pushed": here and here.pushed,
        "pr": request and {"number": request.number, "state": request.state},
        "uncommitted": here and here.changed,
        "last_test": trail.last_test and _last_test(trail),
        "running": [f"{run.id} {run.what}" for run in trail.runs if run.ended is None],
        "ended": [{"id": run.id, "name": run.what, "how": run.how} for run in trail.runs if run.ended is not None],
        "todo": _todo(trail) if known_list else None,
    }


def _last_test(trail: Trail) -> Row:
    test = trail.last_test
    assert test is not None
    outcome = {True: "passed", False: "failed", None: "unknown"}[test.passed]
    return {
        "command": test.command,
        "outcome": outcome,
        "passed": test.counts.get("passed"),
        "failed": test.counts.get("failed"),
    }


def _todo(trail: Trail) -> Row:
    done = sum(item.state == "done" for item in trail.todos)
    return {"open": [item.text for item in trail.todos if item.state != "done"], "done": done}


COMMIT = re.compile(r"\bcommit ([0-9a-f]{7,40}) ([^;]{1,200})")
PUSH = re.compile(r"\bpush \S{1,200} -> \S")
REQUEST = re.compile(r"\bgh pr (create|merge)([^→\n]{0,200})→([^;\n]{0,200})")
META = re.compile(r"^- folder (?P<folder>[^,\n]{1,300}), branch (?P<branch>[^\n]{1,200})$", re.MULTILINE)
WORKED = re.compile(r"^- commands that worked: ([^;\n]{1,300})", re.MULTILINE)
BACKGROUND = re.compile(r"^- started in the background[^:\n]{0,80}: ([^\n]{1,600})", re.MULTILINE)


def printed(text: str) -> Row:
    """What a text by another program states, as a reader would write it down."""
    row: Row = {"hedged": True}
    if meta := META.search(text):
        row |= {"folder": meta["folder"], "branch": meta["branch"]}
    commit, push = COMMIT.search(text), PUSH.search(text)
    if commit:
        row |= {"head": commit[1], "subject": commit[2]}
    # The latest comes first.
    if push and (not commit or push.start() < commit.start()):
        row["pushed"] = True
    if (request := REQUEST.search(text)) and (
        number := re.search(r"(?:/pull/|#|\s)(\d{1,7})\b", request[3] + request[2])
    ):
        made = "draft" if "--draft" in request[2] else "open"
        row["pr"] = {"number": int(number[1]), "state": made if request[1] == "create" else "merged"}
    if worked := WORKED.search(text):
        row["last_test"] = {"command": worked[1], "outcome": "passed"}
    if background := BACKGROUND.search(text):
        row["running"] = background[1].split("; ")
    return row


# -- comparing ---------------------------------------------------------------------------------------------------------


def compared(label: Row, row: Row) -> Tally:
    """How a row stands against a label, both sealed."""
    tally: Tally = Counter()
    for field in ("repository", "branch", "head", "subject", "pushed"):
        _once(tally, field, label[field], row[field], right=label[field] == row[field])
    request = row["requests"][0] if row["requests"] else None
    _once(tally, "pr", label["requests"] or None, request, right=request in label["requests"])
    paths, changed = label["uncommitted"], row["uncommitted"]
    covered = paths is not None and changed is not None and _same_paths(paths, changed, complete=label["complete"])
    _once(tally, "uncommitted", paths, changed, right=covered)
    _test_compared(tally, label["tests"], row["tests"])
    _once(tally, "to-do", label["todo"], row["todo"], right=label["todo"] == row["todo"])
    for field in ("running", "ended"):
        _runs_compared(tally, field, label[field], row[field] or [], hedged=bool(row.get("hedged")))
    return tally


def _once(tally: Tally, field: str, known: Any, told: Any, *, right: bool) -> None:
    """A field with one value."""
    tally[field, "known"] += known is not None
    if told is None:
        return
    if known is None:
        tally[field, "beyond"] += 1
        return
    for count in ("stated", "told"):
        tally[field, count] += 1
    tally[field, "right"] += right


def _same_paths(label: list[list[str]], told: list[list[str]], *, complete: bool) -> bool:
    """Whether no path is wrong, and none is missing that a complete label holds. Nothing at all says: clean."""
    right = all(any(_same_path(path, other) for other in label) for path in told)
    every = all(any(_same_path(path, other) for other in told) for path in label)
    return right and (every if complete else bool(told) == bool(label))


def _same_path(one: list[str], other: list[str]) -> bool:
    return bool(one and other) and (one[-1] in other or other[-1] in one)


def _test_compared(tally: Tally, labels: list[Row], told: list[Row]) -> None:
    test = told[0] if told else None
    same = next((label for label in labels if test and _same_command(label["words"], test["words"])), None)
    known = same or (labels[0] if labels else None)
    outcome = None if known is None or known["outcome"] == "unknown" else known["outcome"]
    said = None if test is None or test["outcome"] == "unknown" else test["outcome"]
    _once(tally, "last test", outcome, said, right=same is not None and said == outcome)
    counts, numbers = _counts(known), _counts(test)
    both = [name for name in counts if name in numbers]
    right = same is not None and bool(both) and all(counts[name] == numbers[name] for name in both)
    _once(tally, "counts", counts or None, numbers or None, right=right)


def _counts(test: Row | None) -> dict[str, int]:
    return {name: test[name] for name in ("passed", "failed") if test and test.get(name) is not None}


def _runs_compared(tally: Tally, field: str, labels: list[Row] | None, told: list[Row], *, hedged: bool) -> None:
    if labels is None:
        tally[field, "beyond"] += 0 if hedged else len(told)
        return
    left = list(labels)
    right = 0
    for run in told:
        if same := next((label for label in left if _same_run(label, run)), None):
            left.remove(same)
            right += 1
    tally[field, "known"] += len(labels)
    tally[field, "stated"] += right if hedged else len(told)
    for count in ("right", "told"):
        tally[field, count] += right


def _same_run(label: Row, run: Row) -> bool:
    return _shared(label["words"], run["words"]) >= HALF and label["how"] in ("", run["how"])


def _same_command(label: list[str], told: list[str]) -> bool:
    # `npm test` and `npm run` have half of their words in common.
    return _shared(label, told) > HALF


def _shared(one: list[str], other: list[str]) -> float:
    """How many of the words of the shorter are in the longer, from 0 to 1."""
    return len(set(one) & set(other)) / (min(len(one), len(other)) or 1)


# -- measuring ---------------------------------------------------------------------------------------------------------


class Cut:
    """A labelled place of a session, and what was said of it, by who said it. Plain beside sealed, to look at."""

    def __init__(self, session: str, label: Row, rows: dict[str, Row]) -> None:
        self.session, self.line = session, label["line"]
        self.rows = rows
        kept = {name: {**sealed(row), "hedged": row.get("hedged")} for name, row in rows.items()}
        self.tallies = {name: compared(label, row) for name, row in kept.items()}

    @property
    def unseen(self) -> bool:
        """Whether it is one of a person nobody looks at."""
        return self.session.startswith(UNSEEN)

    def misses(self) -> Iterator[str]:
        """What our trail says wrong, beyond what can be known, or not at all."""
        tally, row = self.tallies[OURS], self.rows[OURS]
        plain = {"repository": "folder", "last test": "last_test", "counts": "last_test", "to-do": "todo"}
        for field in (*FIELDS, *APART):
            known, stated, right, told, beyond = (tally[field, count] for count in COUNTS)
            wrong = (("wrong", stated - right), ("beyond", beyond), ("missing", known - told))
            for what, number in wrong:
                if number:
                    yield f"{self.session}:{self.line} {field} {what}: {row.get(plain.get(field, field))}"


OURS = "the trail"


def read(session: str, label: Row, transcript: Path, beside: dict[str, str]) -> Cut:
    """What a trail and other programs state at a labelled place."""
    with tempfile.TemporaryDirectory(prefix="steno-state-") as folder:
        cut = Path(folder) / transcript.name
        with transcript.open("rb") as lines:
            cut.write_bytes(b"".join(islice(lines, label["line"])))
        with house(Path(folder) / "house") as memory:
            memory.capture(cut)
            memory.scribe()
            checkpoint: Checkpoint = memory.checkpoint()
            rows = {OURS: stated(checkpoint.trail)}
            for name, command in beside.items():
                rows[name] = printed(_text(memory, command, Path(folder) / "turns.jsonl"))
    return Cut(session, label, rows)


def _text(memory: Memory, command: str, path: Path) -> str:
    """What another program prints about the session."""
    turns = list(memory.turns("latest"))
    lines = [{"id": turn.id, "session": turn.session, **msgspec.to_builtins(turn.turn)} for turn in turns]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    session = next(item.session for item in memory.sessions() if item.session.kind == "main")
    given = {"turns": str(path), "meta": f"folder {session.directory}, branch {session.branch}", "budget": BUDGET}
    words = [word.format(**given) for word in shlex.split(command)]
    return subprocess.run(words, capture_output=True, text=True, check=True, timeout=600).stdout


def show(name: str, cuts: list[Cut]) -> None:
    """Print the table of one program."""
    groups = {
        "seen": [cut for cut in cuts if not cut.unseen],
        "unseen": [cut for cut in cuts if cut.unseen],
        "together": cuts,
    }
    for group, those in groups.items():
        if not those or (group == "together" and len(those) in (len(groups["seen"]), len(groups["unseen"]))):
            continue
        tally: Tally = sum((cut.tallies[name] for cut in those), Counter())
        title = f"{name}, {group}: {len(those)} cuts"
        print(f"\n{title:32} known  stated  right  right of stated  stated of known  beyond")
        for field in FIELDS:
            _line(field, *(tally[field, count] for count in COUNTS))
        _line("all", *(sum(tally[field, count] for field in FIELDS) for count in COUNTS))
        for field in APART:
            _line(f"({field})", *(tally[field, count] for count in COUNTS))


def _line(field: str, known: int, stated: int, right: int, told: int, beyond: int) -> None:
    of_stated, of_known = (f"{part / whole:.3f}" if whole else "-" for part, whole in ((right, stated), (told, known)))
    print(f"{field:32} {known:5} {stated:7} {right:6} {of_stated:>16} {of_known:>16} {beyond:7}")


def main() -> int:
    """Seal, or measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--transcripts", type=Path, metavar="DIR")
    parser.add_argument("--people", default="", metavar="NAME,…", help="only sessions whose names begin so")
    parser.add_argument("--beside", action="append", default=[], metavar="NAME=COMMAND")
    parser.add_argument("--misses", action="store_true")
    parser.add_argument("--seal", type=Path, metavar="FOLDER", help="keep the labels readers wrote there")
    options = parser.parse_args()
    if options.seal:
        seal_folder(options.seal)
        return 0
    if not options.transcripts:
        parser.error("--transcripts or --seal")
    beside = dict(named.split("=", 1) for named in options.beside)
    people = tuple(name for name in options.people.split(",") if name)
    cuts = []
    for path in sorted(LABELS.glob("*.json")):
        if not people or path.stem.startswith(people):
            transcript = next(options.transcripts.rglob(f"{path.stem}.json*"))
            labels = json.loads(path.read_text("utf-8"))
            cuts += [read(path.stem, label, transcript, beside) for label in labels]
    measured(labelled_places=len(cuts))
    if options.misses:
        for cut in cuts:
            if not cut.unseen:
                print(*cut.misses(), sep="\n")
    for name in (OURS, *beside):
        show(name, cuts)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
