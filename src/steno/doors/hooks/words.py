"""The short texts an agent is told between briefings, by the one room that makes text for agents."""

from collections.abc import Iterable, Sequence
from typing import Final

from steno.briefing.budget import Line, fit
from steno.briefing.page import day
from steno.briefing.render import framed, safe
from steno.briefing.tiers import shaped
from steno.briefing.work import told
from steno.doors.hooks.reminders import known
from steno.memory import Memory
from steno.vocabulary import Entry

# Tokens of what a subagent is told when it starts.
SUBAGENT_TOKENS: Final = 300
_MOST_LINES: Final = 12
_LEFT: Final = 0.95
_HEAD: Final = "Written down by Steno. What the user ruled and refused holds for you, too."
_NAMES: Final = {"rejected": "rejected", "exclusion": "failed before", "rule": "standing instruction",
                 "commitment": "promised", "decision": "decided", "learning": "learnt"}  # fmt: skip


def remind(entries: Sequence[Entry]) -> str:
    """What was said earlier about what a prompt names."""
    lines = [
        f"- {_NAMES.get(entry.category, entry.category)}, {day(entry.created_at)}: {told(entry)[1]}"
        f" (entry {safe(entry.id, 20)})"
        for entry in entries
    ]
    return framed(["Written down earlier about this:", *lines], recall=1)


def for_subagent(memory: Memory, project: str | None, agent: str) -> tuple[list[str], str]:
    """Standing instructions and refusals for an agent that starts with an empty context: their ids, and the text."""
    rules, _ = memory.rules.for_boot(project or "", agent)
    ruled = {rule.id for rule in rules}
    refused = (
        entry
        for entry in reversed(known(memory).entries)
        if entry.category == "rejected"
        and (entry.project == project if entry.project else entry.agent in (None, agent))
        and entry.id not in ruled
    )
    lines = [
        *_lines(
            "standing instructions", 100, ((rule.id, (safe(rule.rule, 160), safe(rule.rule, 90))) for rule in rules)
        ),
        *_lines("rejected by the user", 90, ((entry.id, told(entry)[1:]) for entry in refused)),
    ]
    chosen, text = fit(lines, SUBAGENT_TOKENS, lambda some: framed([_HEAD, *shaped(some)], subagent=1))
    return [one.line.item for one in chosen], text


def _lines(section: str, worth: float, items: Iterable[tuple[str, tuple[str, ...]]]) -> Iterable[Line]:
    for place, (id_, texts) in zip(range(_MOST_LINES), items, strict=False):
        yield Line(section=section, item=id_, worth=worth * _LEFT**place, texts=texts)
