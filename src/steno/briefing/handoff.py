"""Where work stands, and the pages that are saved of it: on one line, as lines of a briefing, as Markdown."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from msgspec import structs

from steno.briefing.entries import age, dated, told, whole
from steno.briefing.render import framed, quoted, safe
from steno.briefing.state import state
from steno.store.lately import Worked
from steno.vocabulary import Checkpoint, Entry

# In the one-line form each part gets so many tokens.
_PART: Final = 30
# Of each list the latest.
_FEW: Final = 3


class Standing(NamedTuple):
    """A session, and where its work stands."""

    work: Worked
    # What the agent asked last, if nobody answered.
    asked: str = ""
    # Calls that Steno held and nobody has allowed, in words.
    held: Sequence[str] = ()


def goals(point: Checkpoint) -> list[str]:
    """What work began with, and what was asked for last since then."""
    return [text for text in ((point.goal or "").partition("\n")[0], *point.steps[-1:]) if text]


def standing(one: Standing, now: str) -> Iterator[tuple[str, str]]:
    """Where a piece of work stands, line by line, each with its name in a receipt. Of one that was left weeks ago only
    what was asked for: what else was true then need not be now."""
    point = one.work.checkpoint
    for name, how, text in zip(("goal", "now"), ("for", "for last"), goals(point), strict=False):
        yield name, f"asked {how}: {quoted(whole(text))}"
    if age(one.work.last_at, now):
        return
    if one.asked:
        yield "asked", f"the agent asked, and nobody answered yet: {quoted(whole(one.asked))}"
    if point.phase:
        yield "phase", f"phase: {point.phase}"
    yield from (("blocked", f"blocked: {whole(text)}") for text in point.blockers[:_FEW])
    yield from (("held", text) for text in one.held)
    for line in state(_unprinted(point), lambda turn: "", point.turn, 0, ""):
        if line.items[0] != "held":
            yield line.items[0], line.texts[0]


def _unprinted(point: Checkpoint) -> Checkpoint:
    """Without what tools printed: of their words nothing is told at a start, or in a file that is always read."""
    trail, failure, test = point.trail, point.failure, point.trail.last_test
    bare = structs.replace(
        trail,
        last_test=test and structs.replace(test, result=""),
        repositories=[structs.replace(one, subject="") for one in trail.repositories],
    )
    if failure and test and failure.turn == test.turn:
        # The test says that already.
        failure = None
    return structs.replace(point, trail=bare, failure=failure and structs.replace(failure, printed=""))


def inline(point: Checkpoint, decisions: Iterable[Entry], now: str) -> str:
    """Where the work stands on one line, for agents without files."""
    parts = {
        "Task": "; now: ".join(whole(text, _PART) for text in goals(point)) or "none",
        "Phase": point.phase,
        "Next": whole(point.next[0], _PART) if point.next else "none",
        "Last decision": next((told(one, now, _PART) for one in decisions), "none"),
    }
    return "[STATE] " + " | ".join(f"{name}: {text.replace('|', '¦')}" for name, text in parts.items() if text)


def stands(one: Standing, now: str) -> list[str]:
    """The lines of a page on a session: which one it is, when it was heard of last, and where its work stands."""
    work = one.work
    agent = f", agent {safe(work.agent, 60)}" if work.agent else ""
    heard = f", last here {dated(work.last_at, now)}" if work.last_at else ""
    title = f"### {safe(work.project or 'no project', 120)} ({work.source}:{safe(work.session, 100)}{agent}{heard})"
    return [title, *(f"- {text}" for _, text in standing(one, now))]


def noted(found: Iterable[Entry], now: str) -> list[str]:
    """Entries as lines of a page: `- [human] rule: “…”, 3 March`."""
    return [f"- {what(entry)}{told(entry, now)}" for entry in found]


def what(entry: Entry) -> str:
    """Why an entry is worth keeping, and of which category it is."""
    return "".join(f"[{tag}] " for tag in entry.tags) + f"{entry.category}: "


def page(name: str, now: str, sections: Mapping[str, Sequence[str]]) -> str:
    """A page as Markdown; what nobody knows is not on it."""
    lines = [f"# {name.replace('-', ' ').capitalize()}", f"written at {now}"]
    for title, inside in sections.items():
        lines += ["", f"## {title}", *inside] if inside else []
    return framed(lines, page=name) + "\n"
