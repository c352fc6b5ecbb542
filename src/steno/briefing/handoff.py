"""The handoff: work in hand, what is open, what is new, what is wrong. For whoever goes on, on one page."""

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct

from steno.briefing.render import framed, safe
from steno.vocabulary import Checkpoint, Entry
from steno.vocabulary.details import Todo

_GOAL: Final = 300
_LINE: Final = 240
# In the one-line form each part gets so many characters.
_PART: Final = 120
_NEXT: Final = 3
_BLOCKERS: Final = 3


class InWork(Struct, frozen=True, kw_only=True):
    """A session, and where its work stands."""

    # As `steno sessions` names it, with its source.
    session: str
    project: str | None
    agent: str | None
    at: str | None
    checkpoint: Checkpoint


class Page(Struct, frozen=True, kw_only=True):
    """What a handoff is made of."""

    written_at: str
    # The latest of each project, the latest first.
    work: Sequence[InWork] = ()
    # Pieces of work besides, which nobody ended or went on with.
    more_work: int = 0
    # Tasks and commitments that are open, the newest first.
    open: Sequence[Entry] = ()
    # What was learnt in the last hours, the newest first.
    recent: Sequence[Entry] = ()
    # Unresolved warnings, in words for a person.
    flags: Sequence[str] = ()


def handoff(page: Page) -> str:
    """The page as Markdown."""
    lines = ["# Handoff", f"written at {page.written_at}"]
    lines += ["", "## Active work"]
    for work in page.work:
        lines += _work(work)
    if page.more_work:
        lines += [f"- {'besides' if page.work else 'none lately'}, not ended (`steno sessions work`): {page.more_work}"]
    lines += [] if page.work or page.more_work else ["none"]
    lines += section("Open commitments and tasks", map(_open, page.open))
    lines += section("New in the last 4 hours", map(_recent, page.recent))
    lines += section("Flags", page.flags)
    return framed(lines, page="handoff") + "\n"


def inline(checkpoint: Checkpoint, decision: Entry | None) -> str:
    """Where the work stands on one line, for agents without files."""
    begun, last = asked(checkpoint)
    parts = {
        "Task": f"{safe(begun, _PART // 2)}; now: {last}" if last else begun or "none",
        "Phase": checkpoint.phase,
        "Next": checkpoint.next[0] if checkpoint.next else "none",
        "Last decision": decision.summary if decision else "none",
    }
    return "[STATE] " + " | ".join(f"{name}: {safe(text, _PART).replace('|', '¦')}" for name, text in parts.items())


def asked(point: Checkpoint) -> tuple[str, str]:
    """What a piece of work began with, and what was asked for last since then."""
    return (point.goal or "").split("\n")[0], point.steps[-1] if point.steps else ""


def goals(point: Checkpoint) -> list[str]:
    """Both as lines: a goal that grew must not be cut before what is asked for now."""
    begun, last = asked(point)
    now = [f"- asked for last: {safe(last, _GOAL)}"] if last else []
    return [f"- goal: {safe(begun or 'not named', _GOAL)}", *now]


def section(title: str, texts: Iterable[str | tuple[str, str]]) -> list[str]:
    """A heading and its lines, or a word that there are none. Of a pair the first part is ours, and stays as it is."""
    pairs = (("", text) if isinstance(text, str) else text for text in texts)
    lines = [f"- {ours}{safe(text, _LINE)}" for ours, text in pairs]
    return ["", f"## {title}", *(lines or ["none"])]


def _work(work: InWork) -> list[str]:
    point = work.checkpoint
    agent = f", agent {safe(work.agent, 60)}" if work.agent else ""
    heard = f", last heard at {work.at}" if work.at else ""
    return [
        f"### {safe(work.project or 'no project', 120)} ({safe(work.session, 100)}{agent}{heard})",
        *goals(point),
        f"- phase: {point.phase}",
        *(f"- done last: {safe(text, _LINE)}" for text in point.done[-1:]),
        *(f"- next: {safe(text, _LINE)}" for text in point.next[:_NEXT]),
        *(f"- blocked: {safe(text, _LINE)}" for text in point.blockers[:_BLOCKERS]),
    ]


def _open(entry: Entry) -> str:
    """A task with whose it is and when it is due, as far as that was said."""
    told = {"owner": entry.detail.owner, "due": entry.detail.due} if isinstance(entry.detail, Todo) else {}
    facts = [f"{name} {value}" for name, value in told.items() if value]
    more = f" ({', '.join(facts)})" if facts else ""
    return f"{entry.category}{more}: {entry.summary}"


def _recent(entry: Entry) -> tuple[str, str]:
    return f"{(entry.created_at or '')[11:16]} {tagged(entry)}", entry.summary


def tagged(entry: Entry) -> str:
    """Why it is worth keeping, and what it is: `[decision] [human] rule: `."""
    return "".join(f"[{tag}] " for tag in entry.tags) + f"{entry.category}: "
