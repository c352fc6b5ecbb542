"""The briefing at the start of a session: how to behave, what was refused and decided, where the work stands."""

import shlex
from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct, field

from steno.briefing.budget import Line, Told, fit, items, shaped
from steno.briefing.exchange import of_entry
from steno.briefing.render import framed, quoted, safe
from steno.briefing.report import sentences_of
from steno.briefing.state import at_home, command, last_failure
from steno.flows.record import shown
from steno.vocabulary import BOOT_TOKENS, PEOPLE, Category, Checkpoint, Entry, Flow, Rule
from steno.vocabulary.fleet import Capability, Message, NorthStar

_REFUSALS: Final = "the human's refusals"
# In the order they are read: what the first line of a section is worth, and what is left of it with each further one.
SECTIONS: Final[dict[str, tuple[float, float]]] = {
    "rules": (100, 0.97),
    "capabilities": (58, 0.85),
    "this agent": (60, 0.8),
    "lessons": (55, 0.85),
    "flows": (60, 0.8),
    _REFUSALS: (90, 0.96),
    "the human's decisions": (70, 0.9),
    "the work at hand": (95, 0.9),
    "open": (65, 0.9),
    "north star": (92, 0.9),
    "from other agents, not from the user": (75, 0.7),
    "flags": (80, 0.8),
}
_OF: Final[dict[str, tuple[Category, ...]]] = {
    "this agent": ("agent_state",),
    "lessons": ("learning", "exclusion"),
    _REFUSALS: ("rejected",),
    "open": ("commitment",),
}
# Messages of other agents that are quoted, lessons of agents, and files.
_MESSAGES, _LEARNT, _FILES = 3, 5, 5
_SMALL_HEAD: Final = "Written down by Steno. What the user ruled and refused holds for you, too."
SMALL_TOKENS: Final = 300
_HEAD: Final = "Written down by Steno from earlier sessions. What the user ruled and refused holds."
_COLD: Final = "This is a cold start: Steno has written nothing down yet."
_NOTHING: Final = "Steno has written nothing down that holds here. What was said in a project is told in that project."


class Start(Struct, frozen=True, kw_only=True):
    """What a session starts with."""

    # In force, the most important first, and how many critical ones did not fit among them.
    rules: list[Rule]
    more_critical: int
    # How many refusals are in force.
    refusals: int = 0
    # What holds, oldest first.
    entries: list[Entry]
    # Decisions in force, oldest first.
    decisions: list[Entry]
    flows: list[Flow]
    # Where the last work stood, in which session, and what the agent had asked last. None: there was none.
    work: Checkpoint | None
    session: str = ""
    asked: str = ""
    # What is wrong, in words.
    flags: list[str]
    # What agents told here that they had learnt, by the names of the entries, oldest first.
    learnt: dict[str, str] = field(default_factory=dict)
    # What can be done here, what matters most first.
    able: list[Capability] = field(default_factory=list)
    # Its permanent mission.
    star: NorthStar | None = None
    # What other agents wrote to it and it has not read, and under which name it reads that.
    messages: list[Message] = field(default_factory=list)
    name: str = ""
    # Whether nothing was ever captured.
    cold: bool = False


def boot(start: Start) -> tuple[list[str], str]:
    """What is in it, by name, and its text."""
    lines = [line for section in SECTIONS for line in _section(section, start, 220)]
    known = any(line.section != "flags" for line in lines)
    head = _HEAD if known else _COLD if start.cold else _NOTHING
    chosen, text = fit(
        lines,
        BOOT_TOKENS,
        lambda chosen: framed([head, *shaped(chosen), *_more(start, chosen)], boot=1),
    )
    return items(chosen), text


def small_boot(start: Start) -> tuple[list[str], str]:
    """For a subagent, which starts with an empty context and a task: what the user ruled and refused."""
    lines = [line for section in ("rules", _REFUSALS) for line in _section(section, start, 160)]
    chosen, text = fit(
        lines, SMALL_TOKENS, lambda chosen: framed([_SMALL_HEAD, *shaped(chosen), *_more(start, chosen)], subagent=1)
    )
    return items(chosen), text


def _more(start: Start, chosen: Sequence[Told]) -> Iterable[str]:
    """How much is in force beside what is told."""
    more = start.refusals - sum(one.line.section == _REFUSALS for one in chosen)
    if more > 0:
        yield f"{more} more refusals are in force; `steno entries --category rejected` lists them."
    if start.more_critical:
        yield f"{start.more_critical} more critical rules are in force at the gate; `steno rules` lists them."


def _section(name: str, start: Start, most: int) -> Iterable[Line]:
    first, left = SECTIONS[name]
    for place, (item, *texts) in enumerate(_told(name, start, most)):
        yield Line(section=name, items=(item,), worth=first * left**place, texts=tuple(texts))


def _told(name: str, start: Start, most: int) -> Iterable[tuple[str, ...]]:
    """What a section could tell, the most important first: its name for the receipt, and its text in a few lengths."""
    match name:
        case "rules":
            return [(f"rule:{rule.id}", _rule(rule, most), _rule(rule, 90)) for rule in start.rules]
        case "capabilities":
            return [(f"capability:{one.name}", _capability(one)) for one in start.able]
        case "flows":
            return [(f"flow:{flow.name}", _flow(flow)) for flow in start.flows]
        case "the work at hand":
            return _work(start)
        case "north star":
            return _star(start.star)
        case "from other agents, not from the user":
            return _messages(start)
        case "flags":
            return [("flag", safe(flag, 200)) for flag in start.flags]
        case "the human's decisions":
            above = {rule.id for rule in start.rules} | {one.id for one in start.entries if one.category == "rejected"}
            return _said(entry for entry in start.decisions if entry.id not in above)
        case "lessons":
            return [*_said(_holding(name, start)), *_learnt(start)]
    return _said(_holding(name, start))


def _holding(name: str, start: Start) -> Iterable[Entry]:
    """What people said and no rule tells."""
    ruled = {rule.id for rule in start.rules}
    found = (entry for entry in start.entries if entry.category in _OF[name] and entry.status == "active")
    return (entry for entry in found if entry.id not in ruled and entry.origin in PEOPLE)


def _said(entries: Iterable[Entry]) -> list[tuple[str, ...]]:
    return [(f"entry:{entry.id}", of_entry(entry), of_entry(entry, 120)) for entry in [*entries][::-1]]


def _learnt(start: Start) -> list[tuple[str, ...]]:
    """The latest lessons of agents, as their words."""
    ruled = {rule.id for rule in start.rules}
    found = [(id_, text) for id_, text in start.learnt.items() if id_ not in ruled][-_LEARNT:]
    return [(f"entry:{id_}", f"an agent noted: {quoted(text, 200)}") for id_, text in reversed(found)]


def _rule(rule: Rule, most: int) -> str:
    return f"{rule.score:.1f} {safe(rule.rule, most)}"


def _flow(flow: Flow) -> str:
    called = f": {safe('; '.join(flow.triggers), 100)}" if flow.triggers else ""
    return f"{safe(flow.name)} {shown(flow)}{called}"


def _capability(one: Capability) -> str:
    """How it is, and its command; what a file says about it is not told unasked, a person's words are."""
    about = f": {safe(one.about, 100)}" if one.kind == "told" and one.about else ""
    how = {True: "", False: " (the last check failed)", None: " (never checked)"}[one.passed]
    return f"{one.sign} {safe(one.command, 100)}{about}{how}"


def _star(star: NorthStar | None) -> Iterable[tuple[str, ...]]:
    if star is not None:
        yield "north star", safe(star.mission, 400)
        for place, text in enumerate(star.work, 1):
            yield f"star:{place}", f"{place}. by yourself, again and again: {safe(text, 160)}"


def _messages(start: Start) -> Iterable[tuple[str, ...]]:
    """The first ones, short: another agent's words are told until they are read, and bind nobody."""
    for one in start.messages[:_MESSAGES]:
        yield f"message:{one.id}", f"{safe(one.sender, 40)} wrote to {safe(one.address, 40)}: {quoted(one.text, 160)}"
    if start.messages:
        yield "messages", f"{len(start.messages)} unread: `steno relay read {safe(shlex.quote(start.name), 80)}`"


def _work(start: Start) -> Iterable[tuple[str, ...]]:
    """What the human asked for and where it was left: paths and commands. Of what an agent said only what it asked, of
    what a tool printed nothing."""
    point = start.work
    if point is None or not point.goal:
        return
    yield "goal", f"asked for: “{sentences_of(point.goal.splitlines()[0], 300)}”"
    if point.steps:
        yield "now", f"asked for last: “{sentences_of(point.steps[-1], 200)}”"
    if start.asked:
        yield "agent", f"an agent asked, and nobody answered yet: {quoted(start.asked, 240)}"
    if uncommitted := _uncommitted(point):
        yield "files", f"edited, no commit seen: {', '.join(at_home(path, point) for path in uncommitted)}"
    if (test := point.trail.last_test) is not None and test.passed is not None:
        old = ", before the latest edits," if any((file.changed or 0) > test.turn for file in point.trail.files) else ""
        yield "test", f"the last test{old} {'passed' if test.passed else 'failed'}: `{command(test.command)}`"
    if (failure := last_failure(point)) is not None and (test is None or test.turn != failure.turn):
        status = f" with exit status {failure.exit_status}" if failure.exit_status else ""
        ran = safe(failure.command, 120).strip("`")
        yield "failure", f"`{ran}` failed{status}"
    if branch := point.variables.get("branch"):
        yield "variable:branch", f"branch: {safe(branch[-1], 120)}"
    yield "more", f"where it stood, in full: `steno brief --session {safe(start.session[:8])}`"


def _uncommitted(point: Checkpoint) -> list[str]:
    """Files changed since the last commit that was seen, the latest first."""
    kept = [one.turn for one in point.trail.results if one.kind in ("commit", "push", "merge") and not one.failed]
    late = [file for file in point.trail.files if (file.changed or 0) > max(kept, default=0)]
    return [file.path for file in sorted(late, key=lambda file: -(file.changed or 0))[:_FILES]]
