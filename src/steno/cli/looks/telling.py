"""What agents are told, and what was said and done in sessions."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from steno.cli.show import Piece, laid_out, one_line, paragraph, say
from steno.cli.table import Cell, Column, Rows, table
from steno.cli.words import many, share, when

_FATES: Final = ("present", "restored", "missing")
_STYLES: Final = {"user": "bold green", "assistant": "bold cyan", "tool": "yellow", "system": "magenta"}
# Of a tool's input or output a person on a terminal wants the beginning.
_LONG: Final = ("call", "result", "thinking")
_LINES, _CHARACTERS = 12, 1200
# More of a list than this helps nobody on a terminal; the latest are shown.
_ROWS: Final = 20
# Of commands that went well, only the last ones tell where the work stands.
_LAST: Final = 5


# -- what an agent is told -------------------------------------------------------------------------------------------


def _briefing(told: Any, given: Mapping[str, Any]) -> None:
    for line in told.text.split("\n"):
        title = laid_out() and not line.startswith(("- ", "<", "[STATE]"))
        say((line, "bold") if title else line)
    if laid_out():
        say((f"{told.tokens:,} tokens", "dim"))


def _page(told: Any, given: Mapping[str, Any]) -> None:
    for line in told.text.splitlines():
        say((line, "bold") if line.startswith("#") else line)


def _receipts(found: Any, given: Mapping[str, Any]) -> None:
    nobody = "Nothing was given to anybody yet. `steno install` lets agents be briefed by themselves."
    session = given.get("session")
    Rows(_RECEIPTS, f"Nothing was given to session {session!r}." if session else nobody)(found, given)


def _what(one: Any) -> str:
    return f"{one.kind} {one.verdict or ('' if one.tier is None else one.tier)}".rstrip()


def _holds(one: Any) -> str:
    """`3 rules, 2 entries, goal, next`: what has an id is counted, --json has each."""
    counts = Counter(item.partition(":")[0] for item in one.items if ":" in item)
    named = dict.fromkeys(item for item in one.items if ":" not in item)
    return ", ".join([*(many(number, kind) for kind, number in counts.items()), *named])


# -- turns -----------------------------------------------------------------------------------------------------------


def _turns(found: Any, given: Mapping[str, Any]) -> None:
    for turn in found:
        _turn(turn)


def _turn(said: Any) -> None:
    outcome = " failed" if said.failed else ""
    status = f" exit {said.exit_status}" if said.exit_status is not None else ""
    who = "file" if said.kind == "note" else said.role
    kind = "" if said.kind == "said" else f" {said.kind}"
    at = when(said.at) if laid_out() else said.at or ""
    tool = f" {said.tool}" if said.tool else ""
    say((who, _STYLES.get(who, "")), kind, tool, (outcome + status, "red"), (f"  #{said.id}  {at}".rstrip(), "dim"))
    if laid_out() and said.kind in _LONG:
        shown = "\n".join(said.text[:_CHARACTERS].split("\n")[:_LINES])
        if shown:
            paragraph(shown)
        if len(shown) < len(said.text):
            say((f"  … {len(said.text) - len(shown):,} more characters: in a pipe or with --json", "dim"))
    elif said.text:
        paragraph(said.text)
    say()


def _fill(found: Any) -> str:
    window, used = found.context_window, found.context_tokens
    # More than fits shows that the window is not the one we think of.
    return share(used / window) if used is not None and window and used <= window else ""


# -- where work stands -----------------------------------------------------------------------------------------------


def _checkpoint(found: Any, given: Mapping[str, Any]) -> None:
    if found.turn:
        _stands(found)
    else:
        say("Nothing is known of this session yet. `steno entries learn` reads it.")


def _stands(found: Any) -> None:
    """Where work stands, and the trail."""
    goal, _, more = (found.goal or "No goal was named.").partition("\n")
    say((one_line(goal), "bold"))
    if more:
        paragraph(more)
    if found.phase:
        say(("phase  ", "dim"), found.phase)
    for title in ("done", "next", "blockers"):
        _section(title, [["- ", one_line(text)] for text in getattr(found, title)])
    width = max(map(len, found.variables), default=0)
    kinds = found.variables.items()
    _section("variables", [[(f"{kind:<{width}}  ", "dim"), one_line(", ".join(values))] for kind, values in kinds])
    _trail(found.trail)


def _trail(trail: Any) -> None:
    _section("repositories", [_repository(one) for one in trail.repositories])
    _section("requests", [[(f"{one.state:<8} ", "dim"), one.url or f"#{one.number}"] for one in trail.requests])
    _section("in the background", [[(f"{one.how or 'goes on':<9} ", "dim"), one_line(one.what)] for one in trail.runs])
    _section("files", [[(f"{', '.join(file.acts):<16} ", "dim"), one_line(file.path)] for file in trail.files])
    failed = sum(1 for command in trail.commands if command.failed)
    told = [c for place, c in enumerate(trail.commands) if c.failed or place >= len(trail.commands) - _LAST]
    count = f": {len(trail.commands):,} run, {failed:,} failed" if trail.commands else ""
    _section(f"commands{count}", [_command(command) for command in told])
    if test := trail.last_test:
        style = {True: ("passed   ", "green"), False: ("failed   ", "red"), None: ("unknown  ", "dim")}[test.passed]
        _section(f"last {test.kind}", [[style, one_line(test.command)], ["         ", (one_line(test.result), "dim")]])
    items = {"to do": [item for item in trail.todos if item.state != "done"], "plans": trail.plans}
    for title, found in items.items():
        _section(title, [[(f"{one_line(item.state):<8} ", "dim"), one_line(item.text)] for item in found])
    asked = trail.questions
    _section("questions", [[one_line(item.text), ("  → ", "dim"), one_line(item.state)] for item in asked])


def _section(title: str, rows: Sequence[Sequence[Piece]]) -> None:
    if not rows:
        return
    say()
    say((title, "bold"))
    shown = rows[-_ROWS:] if laid_out() else rows
    if len(shown) < len(rows):
        say((f"  … {many(len(rows) - len(shown), 'earlier one')}: in a pipe or with --json", "dim"))
    for row in shown:
        say("  ", *row)


def _repository(one: Any) -> list[Piece]:
    """Where a repository stands, as far as somebody saw it."""
    told = [f"branch {one.branch}" if one.branch else "", f"{one.head or ''} {one.subject}".strip()]
    if one.pushed is not None:
        told.append("pushed" if one.pushed else "not pushed")
    if one.changed is not None:
        told.append(many(len(one.changed), "path") + " uncommitted" if one.changed else "nothing uncommitted")
    return [one_line(one.folder), ("  " + one_line(", ".join(filter(None, told))), "dim")]


def _command(command: Any) -> list[Piece]:
    if command.refused:
        mark = ("refused  ", "yellow")
    elif command.held:
        mark = ("held     ", "yellow")
    elif command.failed:
        mark = (f"{'failed' if command.exit_status is None else f'exit {command.exit_status}':<8} ", "red")
    else:
        mark = ("unknown  ", "dim") if command.failed is None else ("ok       ", "green")
    return [mark, one_line(command.command)]


# -- what a compaction took ------------------------------------------------------------------------------------------


def _loss(found: Any, given: Mapping[str, Any]) -> None:
    at = when(found.at) if laid_out() else found.at or ""
    size = found.summary_characters
    summary = f"a summary of {size:,} characters" if size else "no summary that can be read"
    say(f"Session {found.session} was compacted{f' at {at}' if at else ''}. Its host left {summary}.")
    say("A briefing was given since." if found.given else "No briefing was given since: nothing is restored.")
    say()
    table(_LOSS, [_of_kind(found, kind) for kind in found.kept])
    missing = sorted((item for item in found.items if item.fate == "missing"), key=lambda item: not item.critical)
    if missing:
        say()
        say(("missing", "bold"))
    shown = missing[: _ROWS if laid_out() else None]
    for item in shown:
        text = one_line(item.text)
        text = text if len(text) <= 200 or not laid_out() else f"{text[:199]}…"
        say("  ", (f"{item.kind:<9} ", "red" if item.critical else "dim"), text)
    if len(shown) < len(missing):
        say((f"  … {len(missing) - len(shown)} more: in a pipe or with --json", "dim"))
    say()
    kinds = ", ".join(dict.fromkeys(item.kind for item in found.items if item.critical))
    if found.kept_critical is None:
        say("Nothing that work depends on was live.")
    elif found.flag:
        say(("Flag: ", "red"), f"only {found.kept_critical:.0%} of what work depends on ({kinds}) is still there.")
        say((f"`steno brief --session {found.session} --given` prints what to hand to the agent", "dim"))
    else:
        say((f"{found.kept_critical:.0%}", "green"), f" of what work depends on ({kinds}) is still there.")


def _of_kind(found: Any, kind: str) -> list[Cell]:
    fates = [item.fate for item in found.items if item.kind == kind]
    return [kind, len(fates), *(fates.count(fate) or None for fate in _FATES), share(found.kept[kind])]


# -- pieces of work --------------------------------------------------------------------------------------------------


def _work(one: Any, given: Mapping[str, Any]) -> None:
    ended = f" until {when(one.ended_at)}" if one.ended_at else ""
    say((one.id, "bold"), f"  {one.status}, since {when(one.begun_at)}{ended}, {many(one.sessions, 'session')}")
    _stands(one.checkpoint)
    if one.entries:
        say()
        say(("learnt in it", "bold"))
        Rows(_LEARNT)(one.entries)


def _first(one: Any) -> tuple[str, str]:
    return one.goal.splitlines()[0], "" if one.status == "active" else "dim"


_RECEIPTS: Final = (
    Column("id", "number"),
    Column("when", "time", of=lambda one: one.at),
    Column("what", of=_what),
    Column("why", spare=3),
    Column("session", "id", spare=2),
    Column("agent", spare=1),
    Column("tokens", "number"),
    Column("holds", telling=True, of=_holds),
)
_LOSS: Final = (
    Column("", telling=True),
    Column("live", "number"),
    *(Column(fate, "number") for fate in _FATES),
    Column("kept", "right"),
)
_LEARNT: Final = (
    Column("id", "id"),
    Column("category", spare=1),
    Column("status", spare=2),
    Column("summary", telling=True),
)

LOOKS: Final = {
    "brief": _briefing,
    "brief boot": _briefing,
    "brief handoff": _page,
    "brief capsule": _page,
    "brief receipts": _receipts,
    "sessions list": Rows(
        (
            Column("last_at", "time", "last turn"),
            Column("source", spare=2),
            Column("session", "id"),
            Column("kind", spare=1),
            Column("project", "path", telling=True),
            Column("turns", "number"),
            Column("context", "right", of=_fill),
        ),
        "No sessions here yet. --everywhere lists all; `steno capture --all` reads the whole history.",
    ),
    "sessions show": _turns,
    "sessions checkpoint": _checkpoint,
    "sessions loss": _loss,
    "sessions work list": Rows(
        (
            Column("id", "id"),
            Column("status", spare=1),
            Column("begun_at", "time", "since", spare=3),
            Column("done", "number", of=lambda one: len(one.checkpoint.done)),
            Column("next", "number", of=lambda one: len(one.checkpoint.next)),
            Column("sessions", "number", spare=4),
            Column("project", "path", spare=5),
            Column("goal", telling=True, of=_first),
        ),
        "No pieces of work here yet. --everywhere lists all; `steno capture --all` reads the whole history.",
    ),
    "sessions work show": _work,
    "sessions work end": lambda one, given: say((one.status.capitalize(), "green"), f" {one.id}: {_first(one)[0]}"),
}
