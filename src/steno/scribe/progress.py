"""Progress of an agent: lists of what is done and what is left, and commits."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby, islice
from typing import Final, Literal

from msgspec.structs import replace

from steno.scribe.passages import Moment, Part, lead_signs, plain
from steno.scribe.wording import SUMMARY, about, shortened, subject
from steno.vocabulary import Candidate, JournalTurn, Quote, Window
from steno.vocabulary.details import Todo

State = Literal["open", "done"]
QUOTE: Final = 900
CONFIDENCE: Final = 0.6
# Only the beginning of a call is read: a message stands before its attachments.
READ: Final = 6000
# Where git says which commit it made: before or after what its hooks print.
HEAD, TAIL = 600, 1200

# The first line of a commit message, as it stands in the call's JSON: after -m, or in a here-document after it.
_COMMIT: Final = re.compile(
    r"git commit\b[^\n]{0,200}?-a?m (?:\\\"\$\(cat <<-? ?(?:\\\")?'?EOF'?(?:\\\")?\\n\s*|\\\"|')"
    r"((?:[^\\\"'\n]|\\(?![n\"])){12,300})"
)
_MADE: Final = re.compile(r"\[[^\[\]\n]{1,120} ([0-9a-f]{7,12})\] [^\n]{1,200}")


def progress(turn: JournalTurn, parts: Sequence[Part], moment: Moment) -> list[Candidate]:
    """Tasks a turn lists as done or open: the first two lists."""
    return list(islice(_lists(turn, parts, moment), 2))


def _lists(turn: JournalTurn, parts: Sequence[Part], moment: Moment) -> Iterator[Candidate]:
    listed = [part for part in parts if part.span.kind in ("item", "table")]
    for _, run in groupby(listed, key=lambda part: (part.lead_at, part.section)):
        block = list(run)
        state = _list_state(block, moment)
        if state is not None and not all(part.low.endswith("?") for part in block):
            yield _list_task(turn, block, state)


def _list_state(block: Sequence[Part], moment: Moment) -> State | None:
    first = block[0]
    if moment.proposes or len(block) < 2:
        return None
    if "lead_open" in lead_signs(first.lead or first.heading):
        return "open"
    done = "lead_done" in lead_signs(first.lead) | lead_signs(first.section)
    return "done" if done and not moment.goes_on else None


def _list_task(turn: JournalTurn, block: Sequence[Part], state: State) -> Candidate:
    first = block[0]
    start = first.lead_at if first.lead_at >= 0 else first.span.start
    end = max((part.span.end for part in block if part.span.end - start <= QUOTE), default=first.span.end)
    items = [plain(part.text) for part in block if part.span.label or part.span.kind == "table"]
    title = plain(first.lead or first.heading)
    words = f"{title}: {'; '.join(items)}" if title else "; ".join(items)
    quote = turn.turn.text[start : max(end, first.span.end)]
    return _task(turn, quote, shortened(words, SUMMARY), state, "list")


def from_commit(result: JournalTurn, window: Window) -> list[Candidate]:
    """The commit a call made, once its result says it did not fail: the words are the agent's, from the call."""
    done = result.turn
    if done.failed or done.call is None:
        return []
    made = window.call_of(done)
    match = _COMMIT.search(made.turn.text[:READ]) if made and "git commit" in made.turn.text[:READ] else None
    if made is None or match is None:
        return []
    proof = _MADE.search(done.text[:HEAD]) or _MADE.search(done.text[-TAIL:])
    words = f"Committed{f' as {proof.group(1)}' if proof else ''}: {match.group(1)}"
    found = _task(made, match.group(1), words, "done", "commit")
    return [replace(found, evidence=[*found.evidence, Quote(result.id, proof.group())]) if proof else found]


def _task(turn: JournalTurn, quote: str, words: str, state: State, cue: str) -> Candidate:
    return Candidate(
        category="task",
        summary=words,
        evidence=[Quote(turn.id, quote)],
        detail=Todo(owner="agent", about=about(quote)),
        status="done" if state == "done" else "active",
        confidence=CONFIDENCE,
        tags=["decision"] if state == "open" else [],
        subject=subject(words),
        cue=cue,
    )
