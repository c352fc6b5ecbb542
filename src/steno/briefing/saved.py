"""What is saved at every boundary for whoever reads files: the state of sessions, the long form of it all, days."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec import Struct

from steno.briefing.handoff import InWork, asked, goals, section, tagged
from steno.briefing.render import framed, quoted, safe
from steno.vocabulary import PEOPLE, Checkpoint, Entry, Rule

_LINE: Final = 240
# Of each list the latest, in the state of a session and in the shorter form of it.
_MANY, _FEW = 12, 5


class Session(Struct, frozen=True, kw_only=True):
    """A session, where its work stands, and what was learnt in it, the oldest first."""

    work: InWork
    entries: Sequence[Entry] = ()
    # Share of its context in use, in percent. None: nobody knows.
    fill: int | None = None


class Wake(Struct, frozen=True, kw_only=True):
    """What the long form is made of; each the most important or the newest first."""

    written_at: str
    work: Sequence[InWork] = ()
    rules: Sequence[Rule] = ()
    # Entries by the title they stand under.
    known: dict[str, Sequence[Entry]]
    sessions: Sequence[InWork] = ()
    flags: Sequence[str] = ()


def session_state(sessions: Sequence[Session], written_at: str) -> str:
    """Where each session stands, with what was decided and refused in it."""
    lines = ["# Session state", f"written at {written_at}"]
    for one in sessions:
        lines += ["", _title(one.work), *standing(one.work.checkpoint, _MANY), *_trail(one.work.checkpoint)]
        held = [entry for entry in one.entries if _is_held(entry)]
        lines += [f"- {ours}{safe(text, _LINE)}" for ours, text in map(_entry, held[-_MANY:])]
    return framed(lines, page="session-state") + "\n"


def wake_state(wake: Wake) -> str:
    """Who, what, why and where it stands, for a mind that wakes without any of it."""
    lines = ["# Wake state", f"written at {wake.written_at}", "", "## Work in hand"]
    for work in wake.work:
        lines += [_title(work), *standing(work.checkpoint, _FEW), *_trail(work.checkpoint)]
    lines += [] if wake.work else ["none"]
    lines += section("Rules in force", (f"{rule.score:.1f} {rule.rule}" for rule in wake.rules))
    for title, entries in wake.known.items():
        lines += section(title, map(_entry, entries))
    lines += section("Last sessions", map(_session, wake.sessions))
    lines += section("Flags", wake.flags)
    return framed(lines, page="wake-state") + "\n"


def day_file(day: str, sessions: Sequence[Session], told: Sequence[Entry]) -> str:
    """What happened on a day: each session, where it stood, and what was learnt in it that day."""
    lines = [f"# {day}"]
    for one in sessions:
        fill = "" if one.fill is None else f", {one.fill} % of its context"
        lines += ["", f"## {(one.work.at or '')[11:16]} session {safe(one.work.session, 120)}{fill}"]
        lines += [*standing(one.work.checkpoint, _FEW), *_dated(one.entries)]
    lines += ["", "## Told", *_dated(told)] if told else []
    return "\n".join(lines) + "\n"


def standing(point: Checkpoint, most: int) -> list[str]:
    """Where a piece of work stands, line by line."""
    return [
        *goals(point),
        f"- phase: {point.phase}",
        *(f"- done: {safe(text, _LINE)}" for text in point.done[-most:]),
        *(f"- next: {safe(text, _LINE)}" for text in point.next[:most]),
        *(f"- blocked: {safe(text, _LINE)}" for text in point.blockers[:most]),
    ]


def _trail(point: Checkpoint) -> Iterator[str]:
    if failure := point.failure:
        yield f"- last failure: {safe(failure.command, 120)}: {quoted(failure.printed, _LINE)}"
    for kind, values in point.variables.items():
        yield f"- {safe(kind, 40)}: {safe(', '.join(values[-_FEW:]), _LINE)}"
    changed = sorted((one for one in point.trail.files if set(one.acts) - {"read"}), key=lambda one: one.turn)
    for file in changed[-_MANY:]:
        yield f"- {' and '.join(file.acts)}: {safe(file.path, _LINE)}"
    if test := point.trail.last_test:
        yield f"- last test: {safe(test.command, 120)}: {safe(test.result, 120)}"
    for item in point.trail.todos:
        if item.state != "done":
            yield f"- to do: {safe(item.text, _LINE)}"


def _session(work: InWork) -> str:
    return f"{(work.at or '')[:16]} {'; then: '.join(filter(None, asked(work.checkpoint)))}"


def _title(work: InWork) -> str:
    agent = f", agent {safe(work.agent, 60)}" if work.agent else ""
    heard = f", last heard at {work.at}" if work.at else ""
    return f"### {safe(work.project or 'no project', 120)} ({safe(work.session, 100)}{agent}{heard})"


def _is_held(entry: Entry) -> bool:
    held = entry.category in ("decision", "rejected", "rule", "exclusion", "commitment")
    return held and entry.status == "active" and entry.origin in PEOPLE


def _entry(entry: Entry) -> tuple[str, str]:
    why = f" (why: {entry.detail.why})" if entry.detail.why and entry.detail.why not in entry.summary else ""
    return tagged(entry), f"{entry.summary}{why}"


def _dated(entries: Iterable[Entry]) -> Iterator[str]:
    for entry in entries:
        whose = "" if entry.origin in PEOPLE else f" ({entry.origin})"
        yield f"- {(entry.created_at or '')[11:16]} {tagged(entry)}{safe(entry.summary, _LINE)}{whose}"
