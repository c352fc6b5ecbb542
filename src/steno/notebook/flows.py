"""A flow as a page: its name, its steps, what calls for it, its record; and what a person made of that page."""

import re
from typing import Final

from msgspec import Struct

from steno.notebook.parse import Block, Sheet, Stretch, parse
from steno.notebook.text import as_line, as_words, file_name
from steno.vocabulary import Flow

FLOWS: Final = "flows"
STEPS, CALLED, RECORD = "Steps", "Called by", "Record"
_STEP: Final = re.compile(r" {0,3}(?:\d{1,3}[.)]|[-*+])[ \t]+(.*)")


class Procedure(Struct, frozen=True):
    """What a person can change of a flow."""

    steps: tuple[str, ...]
    triggers: tuple[str, ...]


def procedure(flow: Flow) -> Procedure:
    """What its page says of a flow."""
    said = (tuple(as_words(as_line(text)) for text in texts) for texts in (flow.steps, flow.triggers))
    return Procedure(*said)


def read_flow(text: str) -> Procedure:
    """What a page says; a page without the heading has its steps wherever lines are numbered or listed."""
    sheet = parse(text)
    titles = {stretch.title.casefold() for stretch in sheet.stretches}
    steps = [
        step
        for stretch in sheet.stretches
        for step in _listed(stretch)
        if stretch.title.casefold() == STEPS.casefold()
        or (STEPS.casefold() not in titles and stretch.title.casefold() not in (CALLED.casefold(), RECORD.casefold()))
    ]
    called = [step for one in sheet.stretches if one.title.casefold() == CALLED.casefold() for step in _listed(one)]
    return Procedure(tuple(steps), tuple(called))


def flow_page(flow: Flow, record: str, now: str = "") -> str:
    """The page of a flow, laid over the one that is there."""
    sheet, wanted, found = parse(now), procedure(flow), read_flow(now)
    ends = sheet.newline
    parts = {
        STEPS: None if found.steps == wanted.steps else _numbered(wanted.steps, ends),
        CALLED: None if found.triggers == wanted.triggers else _bulleted(wanted.triggers, ends),
        RECORD: f"{as_line(record)}{ends}",
    }
    stretches = list(sheet.stretches) if now.strip() else [Stretch(None, [_line(f"# {flow.name}{ends}{ends}")])]
    for title, text in parts.items():
        if text is not None:
            _set(stretches, title, text, ends)
    return Sheet(stretches, ends, sheet.bom).text.rstrip() + ends


def flow_name(file: str) -> str:
    """What a file in the folder of flows is called."""
    return re.sub(r"[^a-z0-9]+", "-", file_name(file.removesuffix(".md"))).strip("-")


def _set(stretches: list[Stretch], title: str, text: str, ends: str) -> None:
    at = next((n for n, one in enumerate(stretches) if one.title.casefold() == title.casefold()), None)
    heading = stretches[at].heading if at is not None else _line(f"## {title}{ends}")
    new = Stretch(heading, [_line(f"{ends}{text}{ends}")] if text else [_line(ends)])
    if at is not None:
        stretches[at] = new
    elif text:
        if not Sheet(stretches).text.endswith("\n\n"):
            stretches.append(Stretch(None, [_line(ends)]))
        stretches.append(new)


def _line(raw: str) -> Block:
    return Block(kind="prose", raw=raw)


def _listed(stretch: Stretch) -> list[str]:
    lines = (line.rstrip() for block in stretch.blocks for line in block.raw.split("\n"))
    return [as_words(found[1]) for line in lines if (found := _STEP.fullmatch(line)) and found[1].strip()]


def _numbered(steps: tuple[str, ...], ends: str) -> str:
    return "".join(f"{number}. {as_line(step)}{ends}" for number, step in enumerate(steps, 1))


def _bulleted(triggers: tuple[str, ...], ends: str) -> str:
    return "".join(f"- {as_line(trigger)}{ends}" for trigger in triggers)
