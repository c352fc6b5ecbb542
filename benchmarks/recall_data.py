"""Conversations with questions about them, read from the published files and from our own.

A data set is some stores; a store is the turns that lie in one memory, and the questions asked of it. Every question
knows the turns and the sessions that answer it. What cannot be measured is left out and counted.
"""

import itertools
import json
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Literal, NamedTuple

import steno

# A turn's address: its session and its id within it.
Key = tuple[str, str]
Unit = Literal["turns", "sessions", "all"]
# Every other conversation or question was tuned on; the rest was kept aside.
HALVES = ("tuned", "aside")
CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
LOCOMO_TIME, LONGMEMEVAL_TIME = "%I:%M %p on %d %B, %Y", "%Y/%m/%d (%a) %H:%M"
EVIDENCE = re.compile(r"D\d+:\d+")
REAL = Path(__file__).parent / "questions" / "real_sessions.jsonl"
# What was said, and is no call, no result and no thought.
SAID = frozenset({"said", "queued", "answer", "command"})


class Turn(NamedTuple):
    """One line of the transcript that is captured."""

    session: str
    id: str
    role: str
    text: str
    at: str
    project: str

    @property
    def key(self) -> Key:
        return self.session, self.id


class Question(NamedTuple):
    """A question and where its answer stands."""

    text: str
    type: str
    turns: frozenset[Key]
    sessions: frozenset[str]
    half: str
    # Turns that say what was amended later.
    stale: frozenset[Key] = frozenset()
    # The moment of asking. None: the data set does not say.
    asked_at: str | None = None
    # Whether each piece of evidence answers by itself, so that one is as good as all.
    any_will_do: bool = False
    # The project it is asked in. None: in none.
    project: str | None = None


class Store(NamedTuple):
    """What lies in one memory, and what is asked of it."""

    name: str
    turns: list[Turn]
    questions: list[Question]
    # The transcripts it is captured from; without any, its turns are all there is. Turns of a transcript are called by
    # their lines.
    transcripts: Sequence[Path] = ()

    @property
    def talk(self) -> str:
        """All turns as a transcript."""
        return "".join(json.dumps(turn._asdict()) + "\n" for turn in self.turns)

    def key(self, session: str, native_id: str | None, line: int | None) -> Key:
        """The address of a turn that was captured."""
        return session, str(line) if self.transcripts else native_id or ""

    def captured(self, memory: steno.Memory, talks: Path) -> None:
        """Take it in, through Steno's own doors."""
        talks.write_text(self.talk, "utf-8")
        for path in self.transcripts or [talks]:
            memory.capture(path, source=None if self.transcripts else "jsonl")


class DataSet(NamedTuple):
    stores: list[Store]
    # How many questions were left out, by reason.
    left_out: Counter[str]


def locomo(path: Path) -> DataSet:
    """LoCoMo: a store per conversation; every other conversation is kept aside."""
    stores, left_out = [], Counter[str]()
    for number, sample in enumerate(json.loads(path.read_bytes())):
        turns = list(locomo_turns(sample["conversation"], sample["sample_id"]))
        where = {turn.id: turn.key for turn in turns}
        questions = []
        for asked in sample["qa"]:
            named = EVIDENCE.findall(" ".join(asked["evidence"]))
            if not named:
                left_out["no evidence"] += 1
            elif any(id_ not in where for id_ in named):
                left_out["evidence that does not exist"] += 1
            else:
                keys = frozenset(where[id_] for id_ in named)
                type_, half = CATEGORIES[asked["category"]], HALVES[number % 2]
                questions.append(Question(asked["question"], type_, keys, sessions_of(keys), half))
        stores.append(Store(sample["sample_id"], turns, questions))
    return DataSet(stores, left_out)


def locomo_turns(conversation: dict[str, Any], project: str) -> Iterator[Turn]:
    sessions = {name: said for name, said in conversation.items() if isinstance(said, list)}
    for session, said in sessions.items():
        start = conversation[f"{session}_date_time"]
        for minute, one in enumerate(said):
            role = "user" if one["speaker"] == conversation["speaker_a"] else "assistant"
            photo = f" [photo: {one['blip_caption']}]" if "blip_caption" in one else ""
            text = f"{one['speaker']}: {one['text']}{photo}"
            yield Turn(f"{project}_{session}", one["dia_id"], role, text, moment(start, LOCOMO_TIME, minute), project)


def longmemeval(path: Path) -> DataSet:
    """LongMemEval, pooled: the sessions of all questions in one store; every other question is kept aside."""
    turns: dict[Key, Turn] = {}
    questions = []
    for place, asked in enumerate(json.loads(path.read_bytes())):
        haystack = zip(asked["haystack_session_ids"], asked["haystack_dates"], asked["haystack_sessions"], strict=True)
        keys = set()
        for session, date, said in haystack:
            for number, one in enumerate(said):
                at = moment(date, LONGMEMEVAL_TIME, number)
                turn = Turn(session, f"{number}", one["role"], one["content"], at, path.stem)
                # A session met again under another date stays where it was met first.
                turns.setdefault(turn.key, turn)
                if one["has_answer"]:
                    keys.add(turn.key)
        sessions, now = frozenset(asked["answer_session_ids"]), moment(asked["question_date"], LONGMEMEVAL_TIME)
        type_ = asked["question_type"]
        half = HALVES[place % 2]
        questions.append(Question(asked["question"], type_, frozenset(keys), sessions, half, asked_at=now))
    unlabelled = sum(not question.turns for question in questions)
    left_out = Counter({"no labelled turn (they count for sessions)": unlabelled})
    return DataSet([Store(path.stem, list(turns.values()), questions)], left_out)


def own(path: Path) -> DataSet:
    """Our own sets. A file is one store, of which every other question, or what it says, is kept aside; or several
    small ones, of which every other is. These are asked alone, and again all of a half in one store."""
    stores, small = [], []
    for file in sorted(path.glob("*.json")) if path.is_dir() else [path]:
        data = json.loads(file.read_bytes())
        if "stores" in data:
            halves = zip(data["stores"], itertools.cycle(HALVES), strict=False)
            small += [own_store(f"{file.stem}_{one['name']}", one, half) for one, half in halves]
        # The cases of the gate lie beside them.
        elif "questions" in data:
            stores.append(own_store(file.stem, data))
    of = {half: [one for one in small if one.questions[0].half == half] for half in HALVES if small}
    return DataSet([*stores, *small, *(pooled(f"pooled_{half}", some) for half, some in of.items())], Counter())


def pooled(name: str, stores: Sequence[Store]) -> Store:
    """Several stores in one. What one of them cannot answer another may, so that is not asked."""
    turns, questions = [], []
    for store in stores:
        moved = {one.key: (f"{store.name}.{one.session}", f"{store.name}.{one.id}") for one in store.turns}
        for one in store.turns:
            session, id_ = moved[one.key]
            turns.append(one._replace(session=session, id=id_, project=name))
        for asked in store.questions:
            right, stale = (frozenset(moved[key] for key in keys) for keys in (asked.turns, asked.stale))
            if right:
                questions.append(asked._replace(turns=right, stale=stale, sessions=sessions_of(right)))
    return Store(name, turns, questions)


def own_store(name: str, data: dict[str, Any], half: str | None = None) -> Store:
    said = ((talk, one) for talk in data["sessions"] for one in talk["turns"])
    turns = [Turn(talk["session"], project=talk.get("project", name), **one) for talk, one in said]
    where = {turn.id: turn.key for turn in turns}
    halves = itertools.cycle(HALVES if half is None else (half,))
    return Store(name, turns, [own_question(*one, where) for one in zip(data["questions"], halves, strict=False)])


def own_question(asked: dict[str, Any], half: str, where: dict[str, Key]) -> Question:
    keys = frozenset(where[id_] for id_ in asked["evidence"])
    stale = frozenset(where[id_] for id_ in asked.get("stale", ()))
    now, project = asked.get("asked_at"), asked.get("project")
    half = asked.get("half", half)
    return Question(asked["question"], asked["kind"], keys, sessions_of(keys), half, stale, now, True, project)


def real(path: Path) -> DataSet:
    """Real sessions of people with their agents: a store per person. The transcripts are not part of the project; the
    questions about them are, and name what answers them by file and line."""
    asked: dict[str, list[dict[str, Any]]] = {}
    for line in REAL.read_text("utf-8").splitlines():
        one = json.loads(line)
        asked.setdefault(one["who"], []).append(one)
    files = {who: sorted(path.rglob(f"{who}_*.jsonl")) for who in asked}
    left_out = Counter({f"no transcript of {who}": len(asked[who]) for who, found in files.items() if not found})
    return DataSet([real_store(who, files[who], some) for who, some in asked.items() if files[who]], left_out)


def real_store(who: str, transcripts: Sequence[Path], asked: Iterable[dict[str, Any]]) -> Store:
    turns: list[Turn] = []
    sessions: dict[str, str] = {}
    known: set[str] = set()
    with tempfile.TemporaryDirectory() as home, steno.open(Path(home)) as memory:
        for path in transcripts:
            memory.capture(path)
            for session in sorted({one.session.session for one in memory.sessions()} - known):
                known.add(session)
                sessions[path.stem] = session
                said = [one.turn for one in memory.turns(session) if one.turn.kind in SAID]
                turns += [Turn(session, str(one.line), one.role, one.text, one.at or "", who) for one in said]
    questions = [real_question(one, sessions) for one in asked]
    return Store(who, turns, questions, transcripts)


def real_question(asked: dict[str, Any], sessions: Mapping[str, str]) -> Question:
    keys, stale = (
        frozenset((sessions[file], str(line)) for file, line in asked.get(which, ())) for which in ("evidence", "stale")
    )
    return Question(asked["question"], asked["kind"], keys, sessions_of(keys), asked["half"], stale, any_will_do=True)


def sessions_of(keys: Iterable[Key]) -> frozenset[str]:
    return frozenset(session for session, _ in keys)


def moment(written: str, form: str, minutes: int = 0) -> str:
    """So many minutes after a time written in a data set's own form."""
    return f"{datetime.strptime(written, form) + timedelta(minutes=minutes):%Y-%m-%dT%H:%M:%SZ}"


READERS: dict[str, Callable[[Path], DataSet]] = {
    "locomo": locomo,
    "longmemeval": longmemeval,
    "questions": own,
    "real": real,
}
