"""Progress of an agent: lists of what is done and what is left, milestones, open questions, commits, its task list."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final, Literal

from msgspec.structs import replace

from steno.language.lexicon import lexicon
from steno.language.names import names
from steno.language.words import content_words
from steno.scribe.passages import Moment, Part, lead_signs, plain
from steno.scribe.wording import SUMMARY, about, shortened, subject, summary
from steno.vocabulary import Candidate, JournalTurn, Quote, Window
from steno.vocabulary.details import Todo

State = Literal["open", "doing", "done", "asked"]
QUOTE: Final = 900
# Letters a report has at least, and words that say something, without which it reports nothing.
SHORTEST, TELLING = 14, 4
CONFIDENCE: Final[dict[State, float]] = {"done": 0.6, "open": 0.6, "doing": 0.5, "asked": 0.35}
# Only the beginning of a call is read: a message stands before its attachments.
READ: Final = 6000
# Where git says which commit it made: before or after what its hooks print.
HEAD, TAIL = 600, 1200

# An item that tells its own state, whatever the list is about.
_OPEN_ITEM: Final = re.compile(
    r"\W*(?:still )?(?:open|to-?do|missing|pending|remaining|left|not (?:yet )?done)\b[^:]{0,20}:|"
    r"[^:]{2,80}: (?:still )?(?:open|pending|to-?do|missing|not done)\W*$"
)
_CLOSES: Final = re.compile(r"(?:done|finished|all done|complete|fertig|erledigt)[.!]?$", re.I)
_BOX: Final = re.compile(r"^\s*[-*]\s+\[ \]")
# The first line of a commit message, as it stands in the call's JSON: after -m, or in a here-document after it.
_COMMIT: Final = re.compile(
    r"git commit\b[^\n]{0,200}?-a?m (?:\\\"\$\(cat <<-? ?(?:\\\")?'?EOF'?(?:\\\")?\\n\s*|\\\"|')"
    r"((?:[^\\\"'\n]|\\(?![n\"])){12,300})"
)
_MADE: Final = re.compile(r"\[[^\[\]\n]{1,120} ([0-9a-f]{7,12})\] [^\n]{1,200}")
_SUBJECT: Final = re.compile(r'"(?:subject|title)" ?: ?"((?:[^"\\]|\\.){6,300})"')
_DESCRIPTION: Final = re.compile(r'"description" ?: ?"((?:[^"\\]|\\.){6,900})"')
_STATUS: Final = re.compile(r'"status" ?: ?"(\w+)"')
_STATES: Final[dict[str, State]] = {"completed": "done", "in_progress": "doing"}


def progress(turn: JournalTurn, parts: Sequence[Part], moment: Moment) -> list[Candidate]:
    """Tasks a turn reports as done, open or asked about: the firmest few."""
    grouped = list(_groups(turn, parts, moment))
    covered = {part.block for block, _ in grouped for part in block}
    opening = {part.lead_at for block, _ in grouped for part in block}
    free = [part for part in parts if part.block not in covered and part.span.start not in opening]
    single = {task.status: task for part in reversed(free) for task in _single(turn, part, moment)}
    return [task for _, task in grouped][:2] + list(single.values()) + _question(turn, parts, moment)


def _groups(turn: JournalTurn, parts: Sequence[Part], moment: Moment) -> Iterator[tuple[list[Part], Candidate]]:
    listed = [part for part in parts if part.span.kind in ("item", "table")]
    for _, run in groupby(listed, key=_place):
        block = [part for part in run if part.span.label == "" or not _OPEN_ITEM.match(part.low)]
        if not block or all(part.low.endswith("?") for part in block):
            continue
        state = _list_state(block, moment)
        if state is not None:
            yield block, _list_task(turn, block, state)


def _place(part: Part) -> tuple[int, str]:
    """Where a list item belongs: to its list, or to the whole section where that tells what was done."""
    return (-1 if "lead_done" in lead_signs(part.section) else part.lead_at), part.section


def _list_state(block: Sequence[Part], moment: Moment) -> State | None:
    first = block[0]
    if any(_BOX.match(part.text) for part in block):
        return "open"
    if moment.proposes or len(block) < 2:
        return None
    if "lead_open" in lead_signs(first.lead or first.heading):
        return "open"
    done = "lead_done" in lead_signs(first.lead) | lead_signs(first.section)
    return "done" if done and not moment.goes_on else None


def _list_task(turn: JournalTurn, block: Sequence[Part], state: State) -> Candidate:
    first = next((part for part in block if _BOX.match(part.text)), block[0])
    start = first.lead_at if first.lead_at >= 0 and first is block[0] else first.span.start
    end = max((part.span.end for part in block if part.span.end - start <= QUOTE), default=first.span.end)
    items = [plain(part.text) for part in block if part.span.label or part.span.kind == "table"]
    title = plain(first.lead or first.heading)
    words = f"{title}: {'; '.join(items)}" if title else "; ".join(items)
    quote = turn.turn.text[start : max(end, first.span.end)]
    return _task(turn, quote, shortened(words, SUMMARY), state, "list")


def _single(turn: JournalTurn, part: Part, moment: Moment) -> Iterator[Candidate]:
    if not part.states or moment.proposes or moment.goes_on or lexicon("promise").search(part.low):
        return
    if "still_open" in part.signs:
        yield _task(turn, part.text, summary(part, moment), "open", "still_open")
    elif "negated" not in part.signs and _reached(part, moment):
        yield _task(turn, part.text, summary(part, moment), "done", "reached")


def _reached(part: Part, moment: Moment) -> bool:
    """Whether a sentence tells of work that is done and worth telling."""
    if part.signs >= {"reached", "milestone"}:
        return True
    if "proven" in part.signs and moment.brief and part.span.kind == "prose":
        asked_for = moment.reports and len(part.text) > SHORTEST
        return asked_for or bool(names(part.text)) or len(content_words(part.text, TELLING)) == TELLING
    if moment.offers:
        return False
    if _CLOSES.match(part.before) and len(part.text) > SHORTEST and part.text[0].isalnum():
        return True
    return part.text[:1].isupper() and part.span.kind == "prose" and "acted" in part.signs


def _question(turn: JournalTurn, parts: Sequence[Part], moment: Moment) -> list[Candidate]:
    """The question a turn ends with, where it names what would be done: open until the person answers."""
    last = parts[-1]
    if not moment.offers or moment.proposes or not last.text.endswith("?") or "offers" not in last.signs:
        return []
    if ", or " in last.low or len(content_words(last.text)) < TELLING or not names(last.text):
        return []
    return [_task(turn, last.text, f"Asked, answer open: {plain(last.text)}", "asked", "asked")]


def from_commit(result: JournalTurn, window: Window) -> list[Candidate]:
    """The commit a call made, once its result says it did not fail: the words are the agent's, from the call."""
    done = result.turn
    if done.failed or done.call is None:
        return []
    made = next((one for one in reversed(window.done) if one.turn.kind == "call" and one.turn.call == done.call), None)
    match = _COMMIT.search(made.turn.text[:READ]) if made and "git commit" in made.turn.text[:READ] else None
    if made is None or match is None:
        return []
    proof = _MADE.search(done.text[:HEAD]) or _MADE.search(done.text[-TAIL:])
    words = f"Committed{f' as {proof.group(1)}' if proof else ''}: {match.group(1)}"
    found = _task(made, match.group(1), words, "done", "commit")
    return [replace(found, evidence=[*found.evidence, Quote(result.id, proof.group())]) if proof else found]


def from_task_list(turn: JournalTurn) -> list[Candidate]:
    """What an agent writes into its host's task list."""
    text = turn.turn.text[:READ]
    if "task" not in (turn.turn.tool or "").lower() or '"prompt"' in text:
        return []
    status, more = _STATUS.search(text), _DESCRIPTION.search(text)
    match = _SUBJECT.search(text) or (more if status else None)
    if match is None:
        return []
    state: State = _STATES.get(status.group(1), "open") if status else "open"
    words = match.group(1) if more is None or more is match else f"{match.group(1)}: {more.group(1)}"
    return [_task(turn, match.group(1), shortened(words, SUMMARY), state, "task_list")]


def _task(turn: JournalTurn, quote: str, words: str, state: State, cue: str) -> Candidate:
    return Candidate(
        category="task",
        summary=words,
        evidence=[Quote(turn.id, quote)],
        detail=Todo(owner="agent", about=about(quote)),
        status="done" if state == "done" else "active",
        confidence=CONFIDENCE[state],
        tags=["decision"] if state == "open" else [],
        subject=subject(words),
        cue=cue,
    )
