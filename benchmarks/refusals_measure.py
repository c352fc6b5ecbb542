"""What the gate says at real refusals that come again, at what is near them, and at calls that were let pass."""

import json
from collections import Counter
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from measured import measured
from msgspec import structs
from refused import Case, Session, accepted, call_of, read, sessions

from steno.doors.hooks import Said, answer
from steno.gates.asked import asked
from steno.gates.match import Index
from steno.memory import Memory
from steno.testing import SteppingClock, all_turns, house
from steno.vocabulary import Action, Entry, JournalTurn

_numbers = count()


class Desk:
    """A desk that is always up to date."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self.said = Said()

    def flush(self, path: str, session: str | None, seconds: float) -> None:
        """Nothing is behind."""

    def before_compact(self, session: str) -> None:
        """Nobody reads along."""

    def later(self, path: str | None, session: str | None = None, *, urgent: bool = False) -> None:
        """Nothing is behind."""


class Told(NamedTuple):
    """What a host was told before a call: the voice, and the entries it named."""

    voice: str
    ids: frozenset[str]


def real(data: Path, *, aside: bool, misses: bool) -> None:
    """The table."""
    counts: Counter[str] = Counter()
    for session in sessions(data):
        if session.aside == aside:
            if session.cases:
                counts += refusals(session, misses=misses)
            counts += passed(session)
    measured(sessions=len(sessions(data)), **{name.replace(" ", "_"): total for name, total in counts.items()})
    rows = (
        ("refused for good, the same call again: ask", "same asked", "same", "95 %"),
        ("re-proposed another way or in words: shown", "shown", "again", "40 %"),
        ("  of refusals that were heard", "shown", "again heard", ""),
        ("  spoken to at all", "spoke", "again", ""),
        ("near but fine: ask", "fine asked", "fine", "2 %"),
        ("near but fine: reminded", "fine reminded", "fine", ""),
        ("accepted calls after a refusal: ask", "passed asked", "passed", ".2 %"),
        ("accepted calls after a refusal: reminded", "passed reminded", "passed", "4 %"),
    )
    print(f"{'people kept aside' if aside else 'people tuned on':48}{'share':>8}{'of':>7}   bar")
    for name, part, whole, bar in rows:
        share = f"{counts[part] / counts[whole]:.1%}" if counts[whole] else "-"
        print(f"{name:48}{share:>8}{counts[whole]:>7}   {bar}")
    for name, total in counts.most_common():
        if name.startswith("missed: "):
            print(f"{name:48}{total / counts['again']:>8.1%}{counts['again']:>7}")


def refusals(session: Session, *, misses: bool) -> Counter[str]:
    """Each refusal that comes again, and what is near it."""
    counts: Counter[str] = Counter()
    with read(session.transcript) as (memory, turns):
        desk, known = Desk(memory), memory.entries()
        entries = [entry for entry in known if entry.status == "active"]
        project = next((found.session.project for found in memory.sessions() if found.session.project), "/")
        for case in session.cases:
            right = frozenset(entry.id for entry in entries if _line(entry) == case.line)
            # Words of which no refusal was noted are told by their turn.
            right |= {f"turn:{turn.id}" for turn in turns if turn.turn.line == case.line}
            in_store = any(_line(entry) == case.line for entry in known) or any(
                f"turn:{one.utterance.turn}" in right for one in memory.home.store.gates.uttered(1)
            )
            counts += _case(desk, case, right, project, session.name if misses else "", in_store=in_store)
        counts += same_calls(memory, turns, entries)
    return counts


def _case(
    desk: Desk, case: Case, right: frozenset[str], project: str, name: str, *, in_store: bool
) -> Counter[str]:  # fmt: skip
    counts: Counter[str] = Counter()
    for action in case.again:
        told = ask(desk, action, f"new-{next(_numbers)}", project)
        shown = bool(right & told.ids)
        spoke = told.voice != "silence"
        counts.update(
            {
                "again": 1,
                "again heard": not all(id_.startswith("turn:") for id_ in right),
                "shown": shown,
                "spoke": spoke,
            }
        )
        if name and not shown:
            why = _lost(desk.memory, action, right, project) if in_store else "not in the store"
            counts[f"missed: {why}"] += 1
            print(f"  {name} {case.line} {why}: {_in_short(action)!r}")
    for action in case.fine:
        told = ask(desk, action, f"new-{next(_numbers)}", project)
        counts.update({"fine": 1, "fine asked": told.voice in ("ask", "deny"), "fine reminded": told.voice == "remind"})
        if name and told.voice in ("ask", "deny"):
            print(f"  {name} {case.line} asked: {_in_short(action)!r}")
    return counts


def _lost(memory: Memory, action: Action, right: frozenset[str], project: str) -> str:
    """Where the right refusal was lost on its way to a reminder."""
    told = structs.replace(action, directory=project)
    words, index = asked(told), memory.gate.index
    known = [one for one in index.said if one.entry.id in right]
    if not known:
        return "not a candidate"
    if words.harmless or words.every_day:
        return "silenced, it only looks or is run every day"
    if not any(one.words & (words.brings | words.undoes) for one in known):
        return "no word in common"
    found = index.concerning(told, words, lambda _: True)
    return "ranked low" if any(match.entry.id in right for match in found) else "below the level"


def same_calls(memory: Memory, turns: list[JournalTurn], entries: list[Entry]) -> Counter[str]:
    """Calls that were refused, as they were made, with each refusal taken for one that is sure and for good.

    Whether it is so, the scribe says; here is measured what the gate makes of it.
    """
    counts: Counter[str] = Counter()
    given = memory.home.store.gates.refused_calls()
    for entry in entries:
        call = entry.detail.exchange.call
        if entry.category != "rejected" or call is None or entry.detail.exchange.afterwards == "ran later":
            continue
        said = next(turn for turn in turns if turn.id == entry.evidence[0].turn)
        calls = [turn for turn in turns if turn.id < said.id and turn.turn.kind == "call"]
        # The one that was denied, else the last one of that tool.
        made = [
            turn for turn in calls if turn.turn.tool == call.tool and said.turn.call in (None, turn.turn.call)
        ]  # fmt: skip
        if made:
            index, action = Index([_for_good(entry)], given), call_of(made[-1])
            found = index.concerning(action, asked(action), lambda _: True)
            harmless = asked(action).harmless
            counts.update({"same": not harmless, "same asked": not harmless and any(match.sure for match in found)})
    return counts


def _for_good(entry: Entry) -> Entry:
    stance = structs.replace(entry.detail.stance, reach="standing")
    return structs.replace(entry, certainty="confirmed", detail=structs.replace(entry.detail, stance=stance))


def passed(session: Session) -> Counter[str]:
    """Every call that nobody refused, asked about as the session grew."""
    counts: Counter[str] = Counter()
    with read(session.transcript) as (_, turns):
        calls = {turn.turn.line: action for _, turn, action in accepted(turns)}
        spoken = sorted({turn.turn.line for turn in turns if turn.turn.by_human and turn.turn.line})
    lines, clock = session.transcript.read_bytes().splitlines(keepends=True), SteppingClock()
    with TemporaryDirectory(prefix="steno-passed-") as folder, house(Path(folder), clock=clock) as memory:
        desk, grown = Desk(memory), Path(folder) / session.transcript.name
        for begin, end in zip([0, *spoken], [*spoken, len(lines)], strict=True):
            if any(_is_refusal(entry) for entry in memory.entries()):
                name, project = _where(memory)
                for line in (line for line in sorted(filter(None, calls)) if begin < line <= end):
                    told = ask(desk, calls[line], name, project)
                    stopped = told.voice in ("ask", "deny")
                    counts.update({"passed": 1, "passed asked": stopped, "passed reminded": told.voice == "remind"})
            with grown.open("ab") as file:
                file.writelines(lines[begin:end])
            memory.capture(grown)
            clock.now = max((turn.turn.at for turn in all_turns(memory) if turn.turn.at), default=clock.now)
            memory.scribe()
            memory.rules.settle()
    return counts


def ask(desk: Desk, action: Action, session: str, project: str) -> Told:
    """Ask as Claude Code does before a tool."""
    call = {"tool_name": action.tool, "tool_input": action.input, "tool_use_id": session}
    payload = {"session_id": session, "cwd": project, **call}
    told = answer(desk, "claude-code", "PreToolUse", json.dumps(payload).encode())
    if not told.text:
        return Told("silence", frozenset())
    if told.handed is not None:
        told.handed()
    output = json.loads(told.text)["hookSpecificOutput"]
    last = desk.memory.home.store.gates.last("claude-code", None)
    items = last.items if last is not None else []
    named = frozenset(item.partition(":")[2] for item in items if item.startswith(("reminder:", "reason:")))
    return Told(output.get("permissionDecision", "remind"), named)


def _where(memory: Memory) -> tuple[str, str]:
    found = memory.sessions()[0].session
    return found.session, found.project or "/"


def _is_refusal(entry: Entry) -> bool:
    return entry.category == "rejected" and entry.status == "active"


def _in_short(action: Action) -> str:
    return str(action.input.get("plan", action.text))[:110]


def _line(entry: Entry) -> int | None:
    return entry.evidence[0].line if entry.evidence else None
