"""The briefing at the start of a session: how to behave, what was refused and decided, where the work stands."""

import shlex
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from steno.briefing.entries import told, whole
from steno.briefing.render import framed, quoted, safe
from steno.flows.record import shown
from steno.tokens import count
from steno.vocabulary import BOOT_TOKENS, Entry, Flow
from steno.vocabulary.fleet import Capability, Message, NorthStar

SMALL_TOKENS: Final = 300
RULES: Final = "rules"
REFUSALS: Final = "the human's refusals"
_SMALL: Final = (RULES, REFUSALS)
# Lines of a section, at most.
MOST: Final = 20
_MESSAGES: Final = 3
_HEAD: Final = "Written down by Steno from earlier sessions. What the user ruled and refused holds."
_SMALL_HEAD: Final = "Written down by Steno. What the user ruled and refused holds for you, too."
COLD: Final = "This is a cold start: Steno has written nothing down yet."
NEW: Final = "This is a cold start here: nothing was said in this project yet. Other projects are told in theirs."
QUIET: Final = "No rule, refusal or decision is in force here. `steno recall` finds what else was said."


class Told(NamedTuple):
    """A line, and its name in the receipt."""

    name: str
    text: str


# Titles in the order in which they are read, each with its lines, the most important first.
Sections = Mapping[str, Sequence[Told]]


class Boot(NamedTuple):
    """What is told at a start, and why each thing is in it or not, by name."""

    items: list[str]
    text: str
    because: dict[str, str]


def boot(sections: Sections, more: Mapping[str, int], otherwise: str) -> Boot:
    """All of it. `more`: how many are in force besides; `otherwise`: what is said where nothing is known."""
    known = any(lines for title, lines in sections.items() if title != "flags")
    return _within(BOOT_TOKENS, _HEAD if known else otherwise, sections, more, "boot")


def small_boot(sections: Sections, more: Mapping[str, int]) -> Boot:
    """For a subagent, which starts with an empty context and a task: what the user ruled and refused."""
    return _within(SMALL_TOKENS, _SMALL_HEAD, {title: sections[title] for title in _SMALL}, more, "subagent")


def entries(kind: str, found: Iterable[Entry], now: str) -> list[Told]:
    """Entries by what the receipt calls them."""
    return [Told(f"{kind}:{entry.id}", told(entry, now)) for entry in found]


def flow(one: Flow) -> Told:
    """A flow with its record and what calls for it."""
    called = f": {safe('; '.join(one.triggers), 100)}" if one.triggers else ""
    return Told(f"flow:{one.name}", f"{safe(one.name)} {shown(one)}{called}")


def capability(one: Capability) -> Told:
    """How it is, and its command; what a file says about it is not told unasked, a person's words are."""
    about = f": {safe(one.about, 100)}" if one.kind == "told" and one.about else ""
    how = {True: "", False: " (the last check failed)", None: " (never checked)"}[one.passed]
    return Told(f"capability:{one.name}", f"{one.sign} {safe(one.command, 100)}{about}{how}")


def north_star(star: NorthStar | None) -> list[Told]:
    """A permanent mission, and what it begins by itself."""
    if star is None:
        return []
    own = [
        Told(f"star:{place}", f"{place}. by yourself, again and again: {whole(text)}")
        for place, text in enumerate(star.work, 1)
    ]
    return [Told("north star", whole(star.mission, 100)), *own]


def messages(found: Sequence[Message], name: str) -> list[Told]:
    """The first ones: another agent's words are told until they are read, and bind nobody."""
    lines = [
        Told(f"message:{one.id}", f"{safe(one.sender, 40)} wrote to {safe(one.address, 40)}: {quoted(whole(one.text))}")
        for one in found[:_MESSAGES]
    ]
    read = Told("messages", f"{len(found)} unread: `steno relay read {safe(shlex.quote(name), 80)}`")
    return [*lines, read] if found else []


def _within(budget: int, head: str, sections: Sections, more: Mapping[str, int], trait: str) -> Boot:
    """As much as the budget holds: of each section the first so many lines, and how many more there are."""
    for most in range(MOST, 0, -1):
        told = {title: lines[:most] for title, lines in sections.items()}
        text = framed([head, *_lines(told, sections, more)], **{trait: 1})
        if count(text) <= budget:
            break
    items = [line.name for lines in told.values() for line in lines]
    because = {line.name: "no room at a start" for lines in sections.values() for line in lines}
    because |= {line.name: f"at a start: {title.partition(' (')[0]}" for title in told for line in told[title]}
    return Boot(items, text, because)


def _lines(told: Sections, sections: Sections, more: Mapping[str, int]) -> Iterable[str]:
    for title, lines in told.items():
        besides = more.get(title, 0) + len(sections[title]) - len(lines)
        if lines or besides:
            yield f"{title}:"
            yield from (f"- {line.text}" for line in lines)
        if besides:
            yield f"- and {besides} more" + ("; the gate holds to them" if title in _SMALL else "")
