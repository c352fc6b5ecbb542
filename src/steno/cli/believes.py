"""`steno believes`: what holds on a topic, what was believed before, whose words it rests on, and who was told."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

import click

import steno
from steno.cli.show import json_option, laid_out, one_line, paragraph, print_json, say, short_ids
from steno.cli.where import project_option
from steno.cli.words import in_use, many, when

if TYPE_CHECKING:
    from steno.vocabulary.beliefs import Against, Belief, Change, Given, Held

_ACTS: Final = {"revise": "corrected by a person", "archive": "laid aside by a person", "review": "settled by a person"}
_ENDS: Final = {"replaced": "newer words took its place", "settled": "a person chose the other", "laid aside": ""}
# So many of those who were told are named.
_NAMED: Final = 3


@click.command(short_help="Say what holds on a topic, what it replaced, and whose words it rests on.")
@click.argument("topic", nargs=-1, required=True)
@click.option("-k", "most", type=click.IntRange(min=1), default=10, show_default=True, help="How many entries to find.")
@project_option("Only what was said in this project.")
@click.option("--agent", metavar="A", help="Only what was said with this agent.")
@json_option
def believes(topic: tuple[str, ...], most: int, project: str | None, agent: str | None, as_json: bool) -> None:
    """Say what is believed about TOPIC: what holds since when, what it took the place of and why, and the exact words.

    What holds comes first, then what files say, then guesses with how sure they are, then what was laid aside. ✓ marks
    a quote that was found in the journal just now, word for word. Below stand what it contradicts and who was told.
    """
    with steno.open() as memory:
        found = memory.believes(" ".join(topic), k=most, project=project, agent=agent)
    if as_json:
        print_json(*found)
        return
    sessions = _Sessions(found)
    for belief in found:
        _print(belief, sessions)
    _proof([held for belief in found for held in (belief.last, *belief.before)])
    if not found:
        say("Nothing is known about this. `steno recall` looks through everything that was said.")


class _Sessions:
    """Names of sessions: for a person as short as tells them apart."""

    def __init__(self, beliefs: "Iterable[Belief]") -> None:
        every = [held for belief in beliefs for held in (belief.last, *belief.before)]
        said = {said.session for held in every for said in held.entry.evidence}
        told = {given.session for held in every for given in held.given if given.session}
        self._short = short_ids(said | told) if laid_out() else {}

    def name(self, session: str) -> str:
        return one_line(self._short.get(session, session))


def _print(belief: "Belief", sessions: _Sessions) -> None:
    entry = belief.last.entry
    stands = (belief.in_words, "green" if belief.holds else "yellow")
    say(stands, "  ", (entry.category, "bold"), (f"  {entry.id}  {_times(belief.last)}", "dim"))
    paragraph(entry.summary)
    _words(belief.last, sessions)
    for held in belief.before:
        say("  ", ("before  ", "yellow"), (f"{held.entry.id}  {_times(held)}", "dim"))
        say("    ", one_line(held.entry.summary))
        _words(held, sessions)
    for against in belief.against:
        _print_against(against)
    say()


def _words(held: "Held", sessions: _Sessions) -> None:
    """Whose words it rests on, what people did with it, how it ended, and who was told."""
    from steno.vocabulary import TELLERS

    for said, found in held.quotes:
        mark = ("✓", "green") if found else ("✗ not in the journal:", "red")
        line = f" line {said.line}" if said.line is not None else ""
        place = f"{said.role}, {sessions.name(said.session)}{line}, turn {said.turn}"
        if said.quote not in held.entry.summary:
            say((f"    {said.role}: ", "dim"), f"“{one_line(said.quote)}”")
        say("    ", mark, " ", (place, "dim"))
    if not held.entry.evidence:
        say((f"    told by {TELLERS[held.entry.origin]}", "dim"))
    for change in held.changes:
        say("    ", (_changed(change, held.entry.summary), "dim"))
    if held.ended and (how := _ENDS[held.ended]):
        why = f": “{one_line(held.because)}”" if held.because else ""
        say("    ", (f"{how}{why}", "dim"))
    if held.access.recalled or held.access.used:
        say("    ", (in_use(held.access), "dim"))
    for given in held.given[:_NAMED]:
        say("    ", (f"given {_time(given.at)} {_to(given, sessions)}", "dim"))
    if (more := held.times_given - len(held.given[:_NAMED])) > 0:
        say("    ", (f"given {many(more, 'time')} before", "dim"))


def _changed(change: "Change", now: str) -> str:
    """What a person did, and the words from before; those they gave it stand above unless they gave it others since."""
    was = f": was “{one_line(change.was)}”" if change.was else ""
    became = f", then “{one_line(change.summary)}”" if change.summary and change.summary != now else ""
    return f"{_ACTS[change.act]} {_time(change.at)}{was}{became}"


def _to(given: "Given", sessions: _Sessions) -> str:
    whom = f"to {one_line(given.agent)}" if given.agent else "to an agent"
    where = f", session {sessions.name(given.session)}" if given.session else ""
    return f"{whom} ({given.kind}{f', {given.why}' if given.why else ''}){where}"


def _print_against(against: "Against") -> None:
    settled = f"settled: {against.answer}" if against.answer else "not settled, `steno review` asks"
    say("  ", ("against ", "yellow"), (f"{against.id}  {against.category}, {settled}", "dim"))
    say("    ", one_line(against.summary))
    say("    ", (one_line(against.reason), "dim"))


def _proof(every: "list[Held]") -> None:
    """What the marks are worth."""
    found = [found for held in every for found in held.verified]
    if not found:
        return
    if all(found):
        whole = "1 quote was" if len(found) == 1 else f"All {len(found)} quotes were"
        say(("✓ ", "green"), (f"{whole} found in the journal just now, word for word.", "dim"))
    else:
        missing = f"{found.count(False)} of {many(len(found), 'quote')} not found in the journal: `steno doctor`"
        say(("✗ ", "red"), missing)


def _times(held: "Held") -> str:
    until = f" until {_time(held.until)}" if held.until else ""
    return f"since {_time(held.since)}{until}"


def _time(at: str | None) -> str:
    return "some day" if at is None else when(at) if laid_out() else at
