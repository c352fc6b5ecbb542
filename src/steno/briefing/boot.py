"""The briefing at the start of a session: how to behave, what was refused, where the work stands."""

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct

from steno.briefing.budget import Line, Told, fit
from steno.briefing.render import framed, safe
from steno.briefing.tiers import shaped
from steno.briefing.work import told
from steno.flows.record import shown
from steno.vocabulary import BOOT_TOKENS, Category, Checkpoint, Entry, Flow, Rule

# Worth of the first line of a section, and what is left of it with each further one.
_WORTH: Final[dict[str, tuple[float, float]]] = {
    "rules": (100, 0.97),
    "rejected by the user": (90, 0.96),
    "the work": (95, 0.8),
    "flows": (60, 0.8),
    "lessons": (55, 0.85),
    "this agent": (60, 0.8),
    "open": (65, 0.9),
    "flags": (80, 0.8),
}
_SMALL_HEAD: Final = "Written down by Steno. What the user ruled and refused holds for you, too."
SMALL_TOKENS: Final = 300
_HEAD: Final = "Written down by Steno from earlier sessions. What the user ruled and refused holds."
_COLD: Final = "This is a cold start: Steno has written nothing down yet."
_NOTHING: Final = "Steno has written nothing down that holds here. What was said in a project is told in that project."


class Start(Struct, frozen=True, kw_only=True):
    """What a session starts with."""

    # In force, the most important first, and how many critical ones did not fit among them.
    rules: Sequence[Rule]
    more_critical: int
    # What holds, oldest first.
    entries: Sequence[Entry]
    flows: Sequence[Flow]
    # Where the last work stood. None: there was none.
    work: Checkpoint | None
    # What is wrong, in words.
    flags: Sequence[str]
    # Whether nothing was ever captured.
    cold: bool = False


def boot(start: Start) -> tuple[list[str], str]:
    """What is in it, by name, and its text."""
    ruled = {rule.id for rule in start.rules}
    lines = [
        *_section("rules", ((f"rule:{rule.id}", (_rule(rule, 220), _rule(rule, 120))) for rule in start.rules)),
        *_section("rejected by the user", _of(start, ruled, "rejected")),
        *_section("the work", _work(start.work)),
        *_section("flows", ((f"flow:{flow.name}", (_flow(flow),)) for flow in start.flows)),
        *_section("lessons", _of(start, ruled, "learning", "exclusion")),
        *_section("this agent", _of(start, ruled, "agent_state")),
        *_section("open", _of(start, ruled, "commitment")),
        *_section("flags", (("flag", (safe(flag, 200),)) for flag in start.flags)),
    ]
    more = start.more_critical
    foot = [f"{more} more critical rules are in force at the gate; `steno rules` lists them."] if more else []
    known = any(line.section != "flags" for line in lines)
    head = _HEAD if known else _COLD if start.cold else _NOTHING
    chosen, text = fit(lines, BOOT_TOKENS, lambda chosen: framed([head, *shaped(chosen), *foot], boot=1))
    return _items(chosen), text


def small_boot(start: Start) -> tuple[list[str], str]:
    """For a subagent, which starts with an empty context and a task: what the user ruled and refused."""
    ruled = {rule.id for rule in start.rules}
    lines = [
        *_section("rules", ((f"rule:{rule.id}", (_rule(rule, 160), _rule(rule, 90))) for rule in start.rules)),
        *_section("rejected by the user", _of(start, ruled, "rejected")),
    ]
    chosen, text = fit(lines, SMALL_TOKENS, lambda chosen: framed([_SMALL_HEAD, *shaped(chosen)], subagent=1))
    return _items(chosen), text


def _items(chosen: Iterable[Told]) -> list[str]:
    return list(dict.fromkeys(one.line.item for one in chosen))


def _section(name: str, items: Iterable[tuple[str, tuple[str, ...]]]) -> Iterable[Line]:
    first, left = _WORTH[name]
    for place, (item, texts) in enumerate(items):
        yield Line(section=name, item=item, worth=first * left**place, texts=texts)


def _rule(rule: Rule, most: int) -> str:
    return f"{rule.score:.1f} {safe(rule.rule, most)}"


def _of(start: Start, ruled: set[str], *categories: Category) -> Iterable[tuple[str, tuple[str, ...]]]:
    """Entries of some categories that no rule above tells already, the latest first."""
    for entry in reversed(start.entries):
        if entry.category in categories and entry.id not in ruled and entry.status == "active":
            yield f"entry:{entry.id}", told(entry)


def _flow(flow: Flow) -> str:
    called = f": {safe('; '.join(flow.triggers), 100)}" if flow.triggers else ""
    return f"{safe(flow.name)} {shown(flow)}{called}"


def _work(point: Checkpoint | None) -> Iterable[tuple[str, tuple[str, ...]]]:
    if point is None or not point.goal:
        return
    yield "goal", (f"goal ({point.phase}): {safe(point.goal or '', 300)}",)
    for item, title, texts in (
        ("next", "next", point.next[:4]),
        ("blockers", "blocked", point.blockers[:2]),
        ("done", "done", point.done[-3:]),
    ):
        if texts:
            yield item, (f"{title}: {'; '.join(safe(text, 120) for text in texts)}",)
    if branch := point.variables.get("branch"):
        yield "variable:branch", (f"branch: {safe(branch[-1], 120)}",)
