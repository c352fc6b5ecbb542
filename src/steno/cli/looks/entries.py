"""Entries, what is believed, and who may see what."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import click

from steno.cli.show import cut, facts, laid_out, one_line, paragraph, say, short_ids, width, wrapped
from steno.cli.table import Column, Rows
from steno.cli.words import ago, in_use, many, share, when

# So many are listed, each in so many lines; who wants more says so.
_LISTED: Final = 20
_LINES, _TO_LINES = 6, 2
# What narrows a list: then it shows whatever fits, whoever said it.
_CHOICES: Final = ("category", "status", "session", "domain", "unused")
_OVER: Final = {"done": "done", "superseded": "replaced", "archived": "archived", "forgotten": "forgotten"}
# What has more than this left of its weight has not begun to lose it.
_FADING: Final = 0.9
_REACH: Final = {"standing": "standing: until a person says otherwise", "work": "for the piece of work at hand"}


class Once:
    """What one view has shown: no quote stands in it twice."""

    def __init__(self) -> None:
        self._shown: list[str] = []

    def is_new(self, text: str) -> bool:
        """Whether nothing that was shown holds these words; from now on something does."""
        words = one_line(text).casefold()
        is_known = not words or any(words in shown for shown in self._shown)
        self._shown.append(words)
        return not is_known

    def has(self, text: str) -> bool:
        """Whether just this was shown."""
        return one_line(text).casefold() in self._shown


# -- entries ---------------------------------------------------------------------------------------------------------

_ALL: Final = "All of them: also what agents said, and what is over."
OPTIONS: Final = {"entries list": [click.Option(["--all", "every"], is_flag=True, help=_ALL)]}


def _list(given: dict[str, Any], *, as_json: bool) -> bool:
    """Ask, and show the last ones, or all."""
    from steno.cli.answering import ask
    from steno.verbs import VERBS

    every = given.pop("every")
    ask(VERBS["entries list"], given, as_json=as_json, look=lambda found, given: entries(found, given, every=every))
    return False


def entries(found: Any, given: Mapping[str, Any], *, every: bool = False) -> None:
    """What people said and holds, or all that was chosen, the newest first and no words twice."""
    from steno.vocabulary import PEOPLE

    is_chosen = any(given[name] for name in _CHOICES) or given["resolved"] is not None
    # Of the same words the last; what is put in again moves to the end.
    newest: dict[str, Any] = {}
    for one in sorted(found, key=_last_said):
        newest.pop(words_of(one), None)
        newest[words_of(one)] = one
    wanted = [
        one for one in reversed(newest.values())
        if every or is_chosen or (one.origin in PEOPLE and one.status == "active")
    ]  # fmt: skip
    listed = wanted if every else wanted[:_LISTED]
    once, ids = Once(), short_ids(one.id for one in found)
    for one in listed:
        lines(one, once, ids[one.id])
    if more := len(wanted if is_chosen else newest) - len(listed):
        also = "" if is_chosen else ", also what agents said and what is over"
        say((f"{more:,} more{also}: `steno entries --all`", "dim"))
    if not found:
        none = "No entries here. `--everywhere` lists all; `steno capture --all` reads the whole history."
        say("No entry fits." if is_chosen or given["project"] else none)


def lines(entry: Any, once: Once, id_: str, mark: str = "") -> None:
    """One of several: the words, to what they were said, what it is, and when it was said."""
    from steno.vocabulary import PEOPLE, TELLERS

    once.is_new(words_of(entry))
    in_lines(mark, words_of(entry), _LINES)
    answered = [words for name, words in exchange(entry) if name != "afterwards" and once.is_new(words)]
    for words in answered[:1]:
        in_lines("  to: ", words, _TO_LINES)
    often = f"said {entry.repeated + 1} times" if entry.repeated else ""
    edited = "edited" if entry.origin == "edit" and entry.evidence else ""
    by = edited if entry.origin in PEOPLE else f"by {TELLERS.get(entry.origin, 'a tool')}"
    place = re.split(r"[\\/]", (entry.project or "").rstrip("\\/"))[-1]
    facts = (entry.category, id_, often, ago(_last_said(entry)), place, _OVER.get(entry.status, ""), by)
    say((f"  {'  '.join(filter(None, map(one_line, facts)))}", "dim"))


def in_lines(mark: str, text: str, most: int) -> None:
    """A text behind a mark, in so many lines; what is cut off, is cut off with a sign."""
    room = width() - len(mark)
    found = wrapped(one_line(text), room) if laid_out() else [one_line(text)]
    if len(found) > most:
        found = [*found[: most - 1], cut(" ".join(found[most - 1 :]), room)]
    for number, line in enumerate(found):
        say((" " * len(mark) if number else mark) + line)


def _last_said(entry: Any) -> str:
    return entry.repeated_at or entry.created_at or ""


def words_of(entry: Any) -> str:
    """What a person said, whole; where they corrected it, or nobody said it, what it says."""
    said: str = entry.detail.exchange.said
    return said if said and entry.origin != "edit" else str(entry.summary)


def _told(done: str) -> Callable[..., None]:
    return lambda entry, given: say(
        (f"{done} ", "green"), (entry.id, "bold"), f"  {entry.category}  {one_line(entry.summary)}"
    )


def _entry(entry: Any, given: Mapping[str, Any]) -> None:
    once = Once()
    say((entry.category, "bold"), (f"  {entry.id}  {moment(entry.created_at, '')}".rstrip(), "dim"))
    for name, words in (("", words_of(entry)), *exchange(entry)):
        if once.is_new(words):
            paragraph(f"{name}: {words}" if name else words)
    for said in entry.evidence:
        line = f"  line {said.line}" if said.line is not None else ""
        at = f"  #{said.turn}  {moment(said.at, '')}".rstrip()
        say((said.role, "bold"), (f"{at}  {said.session}{line}", "dim"))
        if once.is_new(said.quote):
            paragraph(said.quote)
    facts({name: words for name, words in _known(entry).items() if not once.has(words)}, 12)
    for link in entry.links:
        facts({f"{link.kind} ": f"{link.id}: {link.summary or 'an integration note'}"}, 12)


def _known(entry: Any) -> dict[str, str]:
    """What else is known of it: how sure and why, where somebody stands, where it belongs, and how much it is used."""
    from steno.vocabulary import TELLERS
    from steno.vocabulary.details import as_stored

    kept = as_stored(entry.detail)
    stance = kept.pop("stance", {}) | {"reach": "", "binds": ""}
    told = {name: kept[name] for name in kept if name not in ("exchange", "weight")} | {"tags": entry.tags}
    told = {name.replace("_", " "): value for name, value in (stance | told | {"subject": entry.subject}).items()}
    by = entry.superseded_by
    return {
        "told by": "" if entry.evidence else TELLERS[entry.origin],
        "status": entry.status,
        "replaced by": f"{by}: `steno entries show {by}`" if by else "",
        "certainty": f"{entry.certainty}, confidence {share(entry.confidence)}",
        "proposed by": entry.cue,
        "origin": entry.origin,
        "repeated": many(entry.repeated, "time") if entry.repeated else "",
        "reach": _REACH[entry.detail.stance.reach] if entry.category in ("rule", "rejected") else "",
        **{name: "; ".join(map(str, value)) if isinstance(value, list) else str(value) for name, value in told.items()
           if value},
        "domain": entry.domain,
        "project": entry.project or "",
        "agent": entry.agent or "",
        "accessed": in_use(entry.access) if entry.access.last_at else "never",
        "weight": f"{share(entry.freshness)} in recall; a use brings it back" if entry.freshness < _FADING else "",
    }  # fmt: skip


def exchange(entry: Any) -> Iterator[tuple[str, str]]:
    """What its words answered, whole, and what came of them."""
    found = entry.detail.exchange
    stopped = f"{found.call.tool} {found.call.given}".rstrip() if found.call else ""
    if stopped:
        yield "stopped", stopped
    if found.answered not in ("", stopped):
        yield "to", found.answered
    if found.afterwards:
        yield "afterwards", found.afterwards


def moment(at: str | None, never: str = "some day") -> str:
    return never if at is None else when(at) if laid_out() else at


# -- what is believed ------------------------------------------------------------------------------------------------

_ACTS: Final = {"revise": "corrected by a person", "archive": "archived by a person", "review": "settled by a person"}
_ENDS: Final = {"replaced": "newer words took its place", "settled": "a person chose the other", "laid aside": ""}
# So many of those who were told are named.
_NAMED: Final = 3
# A session by the name it is shown under.
_Named = Callable[[str], str]


def _believed(found: Any, given: Mapping[str, Any]) -> None:
    every = [held for belief in found for held in (belief.last, *belief.before)]
    sessions = {said.session for held in every for said in held.entry.evidence}
    sessions |= {told.session for held in every for told in held.given if told.session}
    short = short_ids(sessions) if laid_out() else {}
    for belief in found:
        _belief(belief, lambda session: one_line(short.get(session, session)))
    if proofs := [found for held in every for found in held.verified]:
        _proof(proofs)
    if not found:
        say("Nothing is known about this. `steno recall` looks through everything that was said.")


def _belief(belief: Any, named: _Named) -> None:
    entry = belief.last.entry
    stands = (belief.in_words, "green" if belief.holds else "yellow")
    say(stands, "  ", (entry.category, "bold"), (f"  {entry.id}  {_times(belief.last)}", "dim"))
    paragraph(entry.summary)
    _words(belief.last, named)
    for held in belief.before:
        say("  ", ("before  ", "yellow"), (f"{held.entry.id}  {_times(held)}", "dim"))
        say("    ", one_line(held.entry.summary))
        _words(held, named)
    for against in belief.against:
        settled = f"settled: {against.answer}" if against.answer else "not settled, `steno review` asks"
        say("  ", ("against ", "yellow"), (f"{against.id}  {against.category}, {settled}", "dim"))
        say("    ", one_line(against.summary))
        say("    ", (one_line(against.reason), "dim"))
    say()


def _words(held: Any, named: _Named) -> None:
    """Whose words it rests on, what people did with it, how it ended, and who was told."""
    from steno.vocabulary import TELLERS

    for said, found in held.quotes:
        mark = ("✓", "green") if found else ("✗ not in the journal:", "red")
        line = f" line {said.line}" if said.line is not None else ""
        place = f"{said.role}, {named(said.session)}{line}, turn {said.turn}"
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
        whom = f"to {one_line(given.agent)}" if given.agent else "to an agent"
        where = f", session {named(given.session)}" if given.session else ""
        why = f", {given.why}" if given.why else ""
        say("    ", (f"given {moment(given.at)} {whom} ({given.kind}{why}){where}", "dim"))
    if (more := held.times_given - len(held.given[:_NAMED])) > 0:
        say("    ", (f"given {many(more, 'time')} before", "dim"))


def _changed(change: Any, now: str) -> str:
    """What a person did, and the words from before; those they gave it stand above unless they gave it others since."""
    was = f": was “{one_line(change.was)}”" if change.was else ""
    became = f", then “{one_line(change.summary)}”" if change.summary and change.summary != now else ""
    return f"{_ACTS[change.act]} {moment(change.at)}{was}{became}"


def _proof(found: list[bool]) -> None:
    """What the marks are worth."""
    if all(found):
        whole = "1 quote was" if len(found) == 1 else f"All {len(found)} quotes were"
        say(("✓ ", "green"), (f"{whole} found in the journal just now, word for word.", "dim"))
    else:
        missing = f"{found.count(False)} of {many(len(found), 'quote')} not found in the journal: `steno store doctor`"
        say(("✗ ", "red"), missing)


def _times(held: Any) -> str:
    return f"since {moment(held.since)}" + (f" until {moment(held.until)}" if held.until else "")


# -- what is shared --------------------------------------------------------------------------------------------------


def _with(one: Any) -> str:
    return " in ".join(name for name in (one.agent, one.project) if name) or "everybody"


def _shared(word: str, style: str) -> Callable[..., None]:
    def look(found: Any, given: Mapping[str, Any]) -> None:
        for one in found:
            say((f"{word} ", style), f"{_with(one)}: ", (one.what, "bold"), f"  {one_line(one.text)}".rstrip())
        if not found:
            say("It was not shared with them. `steno entries shared` lists what is.")

    return look


BEFORE: Final = {"entries list": _list}
LOOKS: Final = {
    "entries list": entries,
    "entries show": _entry,
    "entries remember": _told("Remembered"),
    "entries revise": _told("Revised"),
    "entries archive": _told("Archived"),
    "entries believes": _believed,
    "entries shared": Rows(
        (
            Column("what"),
            Column("with", telling=True, of=_with),
            Column("since", "time"),
            Column("says", telling=True, of=lambda one: one.text),
        ),
        "Nothing is shared: what belongs to a project or an agent is seen there only.",
    ),
    "entries share": _shared("Shared with", "green"),
    "entries unshare": _shared("No longer shared with", "yellow"),
}
