"""Why something was asked, told or found, on one screen."""

from collections.abc import Mapping
from typing import Any, Final

from steno.cli.looks.acting import TONES
from steno.cli.show import cut, facts, laid_out, one_line, paragraph, say, width
from steno.cli.table import Column, Rows
from steno.cli.words import when

# Of what did not count a person sees the first; --json has all of it.
_LEFT_OUT: Final = 5
# Of the words of a turn a person sees the beginning.
_WORDS: Final = 600
_NOT_NOTED: Final = "why was not noted then"
_PARTS: Final = {"decided": "what decided", "told": "told beside it", "left out": "looked at, and did not count"}


def _gate(found: Any, given: Mapping[str, Any]) -> None:
    one = found.receipt
    say((f"gate {one.id}", "bold"), "  ", (one.verdict or "", TONES.get(one.verdict or "", "")), f"  {when(one.at)}")
    after = f", after turn #{one.turn}" if one.turn else ""
    known = {
        "agent": one.agent,
        "session": f"{one.session}{after}" if one.session else "",
        "tool": one.tool,
        "call": cut(one_line(found.call), 3 * width()) if found.call else one.call,
    }
    facts(known, 9)
    for part, title in _PARTS.items():
        things = [thing for thing in found.considered if thing.part == part]
        if things:
            say()
            say((title, "bold"))
        shown = things[:_LEFT_OUT] if laid_out() and part != "decided" else things
        for thing in shown:
            say(thing.thing.name, (f"  {thing.because or _NOT_NOTED}", "dim"))
            _words(thing.thing, whole=part == "decided")
        if len(shown) < len(things):
            say((f"  … {len(things) - len(shown)} more: in a pipe or with --json", "dim"))
    if not found.considered:
        say()
        say("Nothing that was known concerned this call.")


def _line(found: Any, given: Mapping[str, Any]) -> None:
    _thing(found.thing)
    Rows(_MENTIONS, "No briefing, boot or gate told it, or noted that it left it out.")(found.mentions)


def _hit(found: Any, given: Mapping[str, Any]) -> None:
    _thing(found.thing)
    Rows(_RECALLS, "No recall found it.")(found.recalls)


def _thing(thing: Any) -> None:
    say((thing.name, "bold"))
    _words(thing, whole=True)
    say()


def _words(thing: Any, *, whole: bool) -> None:
    if not thing.words:
        return
    by = "a person wrote" if thing.by == "edit" else thing.by
    said = f"  ({', '.join(filter(None, (by, when(thing.at)[:10])))})"
    if not whole:
        say(f"  {cut(one_line(thing.words), max(width() - len(said) - 2, 20))}", (said, "dim"))
        return
    words = thing.words if len(thing.words) <= _WORDS else f"{thing.words[:_WORDS]}…"
    paragraph(f"{words}{said}")


_MENTIONS: Final = (
    Column("receipt", "number"),
    Column("at", "time", "when"),
    Column("kind", of=lambda one: f"{one.kind} {one.verdict or ('' if one.tier is None else one.tier)}".rstrip()),
    Column("part", heading=""),
    Column("because", heading="why", telling=True, of=lambda one: one.because or _NOT_NOTED),
    Column("session", "id", spare=1),
)
_RECALLS: Final = (
    Column("at", "time", "when"),
    Column("place", "number"),
    Column("reason", heading="why", telling=True, of=lambda one: one.reason or _NOT_NOTED),
    Column("session", "id", "asked in", spare=1),
)
LOOKS: Final = {"why gate": _gate, "why line": _line, "why hit": _hit}
