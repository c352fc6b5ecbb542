"""Labelled turns of people, read from where they lie, and cut into sentences as the product cuts them."""

import json
import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from steno.language.sentence import sentences

# Sessions labelled before turns were. Everybody else in `gold` is a newcomer: no weights that ship have seen them.
OLD_SESSIONS: Final = ("entire-skills", "entire_", "pi-mono")
# Of longer turns only sentences with a label count: nobody labels every line of a pasted document.
_LABELLED_WHOLE: Final = 25
_LONGEST: Final = 1500
# People who are never learnt from, but choose and calibrate.
_ASIDE: Final = 25
_SEED: Final = 12
_SPOKE_MOST: Final = 300
_TRAINING: Final = Path(__file__).parents[1] / "training"
# As much of the agent's words as `silver` keeps.
_BEFORE: Final = 600


@dataclass
class Sentence:
    """A sentence and what it does."""

    start: int
    end: int
    acts: set[str] = field(default_factory=set)
    lasting: bool = False
    # 0 to 1; None where nobody said.
    importance: float | None = None
    counts: bool = True


@dataclass
class Turn:
    """What a person said, and what it answered."""

    person: str
    text: str
    before: str
    stopped: str
    sentences: list[Sentence]


def silver(data: Path) -> list[Turn]:
    """Turns labelled one by one, with what a second reading said of them. Of newcomers the first reading stands."""
    rows = _lines(data / "silver" / "turns.jsonl")
    matters = {row["row"]: row["importance"] / 3 for row in _lines(_TRAINING / "importance.jsonl")}
    strangers = newcomers(data)
    for found in _lines(_TRAINING / "corrections.jsonl"):
        row = rows[found["row"]]
        if row["person"] not in strangers:
            row["acts"] = [{**act, "span": row["text"][act["start"] : act["end"]]} for act in found["acts"]]
    return [_turn(row, matters.get(at)) for at, row in enumerate(rows)]


def invented(path: Path) -> list[Turn]:
    """Turns written for cases that real ones lack."""
    return [_turn(row, None) for row in _lines(path)]


def gold(data: Path) -> Iterator[Turn]:
    """Turns of sessions that were labelled whole."""
    for path in sorted((data / "gold").glob("*.json")):
        label = json.loads(path.read_text("utf-8"))
        transcript = next((data / "transcripts").rglob(label["source"]), None)
        if "turns" not in label or transcript is None:
            continue
        lines = transcript.read_text("utf-8", "replace").split("\n")
        for turn in label["turns"]:
            said, stopped = _said(lines, turn)
            row = {
                "person": path.stem.split("_")[0],
                "text": said,
                "before": _before(lines, turn["line"]),
                "stopped": stopped,
                "acts": turn["acts"],
            }
            yield _turn(row, None)


def newcomers(data: Path) -> set[str]:
    """People of sessions labelled later, who are left out for good."""
    names = [path.stem for path in (data / "gold").glob("*.json") if not path.stem.startswith(OLD_SESSIONS)]
    return {name.split("_")[0] for name in names}


def split(turns: Iterable[Turn], left_out: set[str]) -> tuple[list[Turn], list[Turn]]:
    """Turns to learn from, and those of some people to choose and calibrate with. Nobody is on both sides."""
    turns = [turn for turn in turns if turn.person not in left_out]
    spoken = Counter(turn.person for turn in turns)
    # Two people said a fifth of everything: without them there is little to learn from.
    people = sorted(spoken)
    random.Random(_SEED).shuffle(people)
    aside = set([person for person in people if spoken[person] < _SPOKE_MOST][:_ASIDE])
    return [t for t in turns if t.person not in aside], [t for t in turns if t.person in aside]


def language(text: str) -> str:
    """A guess, good enough to count by."""
    scripts = (("Japanese", "\u3040-\u30ff"), ("Chinese", "\u4e00-\u9fff"), ("other", "\uac00-\ud7a3\u0400-\u04ff"))
    for name, signs in scripts:
        if re.search(f"[{signs}]", text):
            return name
    words = set(re.findall(r"\w+", text.lower()))
    if words & set("nicht ist das und bitte wir ich die der ein kein keine immer nie mach auch noch nein ja".split()):
        english = words & set("the is and of to it i a this that you for in be not no".split())
        return "German" if not english else "English"
    if words & set("não você que para por uma el los las une les est pas il della".split()) and not words & {"the"}:
        return "other"
    return "English"


def _lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def _turn(row: dict[str, Any], importance: float | None) -> Turn:
    text, call = row["text"], row["stopped"]
    stopped = f"{call.get('name', '')} {_plain(call.get('input', ''))}" if isinstance(call, dict) else str(call or "")
    found = [Sentence(span.start, span.end) for span in sentences(text) if span.kind not in ("code", "table")]
    for act in row["acts"]:
        for start, end in _places(text, act["span"]):
            for sentence in found:
                if _same(sentence, start, end):
                    sentence.acts.add(act["act"])
                    sentence.lasting |= bool(act.get("lasting"))
    for sentence in found:
        sentence.counts = (
            1 < sentence.end - sentence.start < _LONGEST
            and text[sentence.start] != "<"
            and (len(found) <= _LABELLED_WHOLE or bool(sentence.acts))
        )
        if sentence.acts:
            sentence.importance = importance
    return Turn(row["person"], text, row["before"][-_BEFORE:], stopped, found)


def _plain(given: str) -> str:
    """The input of a call without its JSON."""
    return re.sub(r'[{}"\[\]]|\\[nrt"]', " ", given)


def _places(text: str, span: str) -> Iterator[tuple[int, int]]:
    """Where a labelled span stands: the first place with whole words, whatever the blanks in between."""
    words = span.split()
    if not words:
        return
    pattern = r"\s+".join(re.escape(word) for word in words)
    whole = re.search(rf"(?<!\w){pattern}(?!\w)", text, re.I) or re.search(pattern, text, re.I)
    if whole:
        yield whole.span()
        return
    # A labeller left something out: each of its lines by itself.
    for line in span.splitlines():
        at = text.find(line.strip()) if len(line.strip()) > 20 else -1
        if at >= 0:
            yield at, at + len(line.strip())


def _same(sentence: Sentence, start: int, end: int) -> bool:
    common = min(sentence.end, end) - max(sentence.start, start)
    return common * 2 >= min(sentence.end - sentence.start, end - start)


def _said(lines: list[str], turn: dict[str, Any]) -> tuple[str, str]:
    """The words of a labelled line, and the call they refused or interrupted."""
    spans = [_squeezed(act["span"]) for act in turn["acts"]]
    texts = list(_strings(json.loads(lines[turn["line"] - 1])))
    text = max(texts, key=lambda text: (sum(span in _squeezed(text) for span in spans), -len(text)), default="")
    words, refused, after = text.partition("the user said:")
    lately = " ".join(lines[max(0, turn["line"] - 5) : turn["line"] - 1])
    stopped = refused or "[Request interrupted by user" in lately
    return after if refused else words, _call(lines, turn["line"]) if stopped else ""


def _call(lines: list[str], number: int) -> str:
    for content in _contents(lines, number):
        for block in content if isinstance(content, list) else []:
            if isinstance(block, dict) and block.get("type") == "tool_use":
                return f"{block.get('name', '')} {_plain(json.dumps(block.get('input'), ensure_ascii=False)[:160])}"
    return ""


def _before(lines: list[str], number: int) -> str:
    for content in _contents(lines, number, "assistant"):
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content or []
        texts = [b.get("text") or "" for b in blocks if isinstance(b, dict) and "text" in str(b.get("type"))]
        if said := "\n".join(texts).strip():
            return said
    return ""


def _contents(lines: list[str], number: int, role: str = "") -> Iterator[Any]:
    """Contents of messages before a line, nearest first."""
    for line in reversed(lines[max(0, number - 200) : number - 1]):
        try:
            event = json.loads(line)
        except ValueError:
            continue
        inner = next((event[k] for k in ("message", "payload") if isinstance(event.get(k), dict)), event)
        if not role or role == (inner.get("role") or event.get("type")):
            yield inner.get("content")


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, dict)):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _strings(part)


def _squeezed(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip().lower()


def count(turns: Iterable[Turn]) -> tuple[int, int, int]:
    """Turns, sentences that count, people."""
    turns = list(turns)
    return len(turns), sum(s.counts for t in turns for s in t.sentences), len({t.person for t in turns})
