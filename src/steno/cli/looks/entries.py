"""Entries, what is believed, who may see what, and what waits for a person's word."""

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from steno.cli.show import laid_out, on_terminal, one_line, paragraph, say, short_ids
from steno.cli.table import Cell, Column, Rows, table
from steno.cli.words import ago, day, in_use, many, share, when

# An active entry needs no mark.
_MARKS: Final = {"done": "✓ ", "superseded": "↷ ", "archived": "▫ ", "forgotten": "✗ "}
_STYLES: Final = {"active": "green", "done": "cyan", "superseded": "yellow", "archived": "dim", "forgotten": "red"}
# What has more than this left of its weight has not begun to lose it.
_FADING: Final = 0.9
_REACH: Final = {"standing": "standing: until a person says otherwise", "work": "for the piece of work at hand"}
# What is known of an entry: its name, the words, and how they look.
_Fact = tuple[str, str, str]


# -- entries ---------------------------------------------------------------------------------------------------------


def _summary(entry: Any) -> Cell:
    style = "dim" if entry.status in ("superseded", "archived", "forgotten") else ""
    return (_MARKS.get(entry.status, "") if laid_out() else "") + entry.summary, style


ENTRIES: Final = Rows(
    (
        Column("id", "id"),
        Column("category", spare=1),
        Column("status", spare=5),
        Column("origin", spare=3),
        Column("created_at", "time", "said", spare=2),
        Column("project", "path", spare=4),
        Column("summary", telling=True, of=_summary),
    ),
    "No entries here. `--everywhere` lists all; `steno capture --all` reads the whole history.",
)


def _entries(found: Any, given: Mapping[str, Any]) -> None:
    chosen = any(given[name] for name in ("category", "status", "session", "project", "domain", "unused"))
    if not found and (chosen or given["resolved"] is not None):
        say("No entry fits.")
    else:
        ENTRIES(found, given)


def _told(done: str) -> Callable[..., None]:
    return lambda entry, given: say(
        (f"{done} ", "green"), (entry.id, "bold"), f"  {entry.category}  {one_line(entry.summary)}"
    )


def _entry(entry: Any, given: Mapping[str, Any]) -> None:
    say((entry.category, "bold"), (f"  {entry.id}  {_time(entry.created_at, '')}".rstrip(), "dim"))
    paragraph(entry.summary)
    said = list(exchange(entry))
    for name, words in said:
        paragraph(f"{name}: {words}")
    _who(entry, one_line(" ".join([entry.summary, *(words for _, words in said)])))
    for group in _facts(entry):
        if told := [fact for fact in group if fact[1] and fact[1] not in [words for _, words in said]]:
            say()
        for name, value, style in told:
            say((f"{name:<11} ", "dim"), (one_line(value), style))


def _who(entry: Any, shown: str) -> None:
    """Who said it, when and where; their words, as far as they do not stand above."""
    from steno.vocabulary import TELLERS

    if not entry.evidence:
        say((f"told by {TELLERS[entry.origin]}", "dim"))
    for said in entry.evidence:
        line = f"  line {said.line}" if said.line is not None else ""
        at = f"  #{said.turn}  {_time(said.at, '')}".rstrip()
        say((said.role, "bold"), (f"{at}  {said.session}{line}", "dim"))
        if one_line(said.quote) not in shown:
            paragraph(said.quote)


def _facts(entry: Any) -> Iterator[list[_Fact]]:
    """What else is known of it, in groups: how sure and why, where somebody stands, where it belongs, how much it is
    used, and what it has to do with others."""
    replaced = f"{entry.superseded_by}: `steno entries show {entry.superseded_by}`" if entry.superseded_by else ""
    yield [
        ("status", entry.status, _STYLES[entry.status]),
        ("replaced by", replaced, "yellow"),
        ("certainty", f"{entry.certainty}, confidence {share(entry.confidence)}", ""),
        ("proposed by", entry.cue, ""),
        ("origin", entry.origin, ""),
        ("repeated", many(entry.repeated, "time") if entry.repeated else "", ""),
    ]
    yield list(_stance(entry))
    yield [
        ("tags", ", ".join(entry.tags), ""),
        ("subject", ", ".join(entry.subject), ""),
        ("domain", entry.domain, ""),
        ("project", entry.project or "", ""),
        ("agent", entry.agent or "", ""),
    ]
    weight = f"{share(entry.freshness)} in recall; a use brings it back" if entry.freshness < _FADING else ""
    yield [
        ("accessed", in_use(entry.access) if entry.access.last_at else "never", ""),
        ("weight", weight, ""),
        *((link.kind, f"{link.id}: {link.summary or 'an integration note'}", "") for link in entry.links),
    ]


def _stance(entry: Any) -> Iterator[_Fact]:
    """Where somebody stands, and what else its category keeps."""
    from steno.vocabulary.details import as_stored

    stance = entry.detail.stance
    for name in ("refused", "wanted", "why", "until"):
        yield name, one_line(getattr(stance, name)), ""
    binds = entry.category in ("rule", "rejected")
    yield "reach", _REACH[stance.reach] if binds else "", ""
    for name, value in as_stored(entry.detail).items():
        if name not in ("stance", "exchange", "weight"):
            yield name.replace("_", " "), "; ".join(map(str, value)) if isinstance(value, list) else str(value), ""


def exchange(entry: Any) -> Iterator[tuple[str, str]]:
    """What its words answered, whole; the words, where it has others by now; and what came of them."""
    found = entry.detail.exchange
    stopped = f"{found.call.tool} {found.call.given}".rstrip() if found.call else ""
    if stopped:
        yield "stopped", stopped
    if found.answered not in ("", stopped):
        yield "to", found.answered
    if one_line(found.said) not in one_line(entry.summary):
        yield "said", found.said
    if found.afterwards:
        yield "afterwards", found.afterwards


def _time(at: str | None, never: str = "some day") -> str:
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
        say("    ", (f"given {_time(given.at)} {whom} ({given.kind}{why}){where}", "dim"))
    if (more := held.times_given - len(held.given[:_NAMED])) > 0:
        say("    ", (f"given {many(more, 'time')} before", "dim"))


def _changed(change: Any, now: str) -> str:
    """What a person did, and the words from before; those they gave it stand above unless they gave it others since."""
    was = f": was “{one_line(change.was)}”" if change.was else ""
    became = f", then “{one_line(change.summary)}”" if change.summary and change.summary != now else ""
    return f"{_ACTS[change.act]} {_time(change.at)}{was}{became}"


def _proof(found: list[bool]) -> None:
    """What the marks are worth."""
    if all(found):
        whole = "1 quote was" if len(found) == 1 else f"All {len(found)} quotes were"
        say(("✓ ", "green"), (f"{whole} found in the journal just now, word for word.", "dim"))
    else:
        missing = f"{found.count(False)} of {many(len(found), 'quote')} not found in the journal: `steno store doctor`"
        say(("✗ ", "red"), missing)


def _times(held: Any) -> str:
    return f"since {_time(held.since)}" + (f" until {_time(held.until)}" if held.until else "")


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


# -- reviews ---------------------------------------------------------------------------------------------------------

_SIGNS: Final = {"+": "green", "-": "red", " ": ""}
_SIDES: Final = (Column(""), Column("one", telling=True), Column("other", telling=True))
_ROWS: Final = (
    *("entry", "category", "summary", "stopped", "to", "said", "afterwards", "said often", "origin", "project", "at"),
)
OFFER: Final = {"k": "keep", "d": "drop", "r": "reword", "w": "work"}
PAIR: Final = {"1": "one", "2": "other", "b": "both"}
ASKED: Final = {"y": "yes", "n": "no"}
PAGE: Final = {"t": "take", "b": "back"}
DONE: Final = {
    "keep": "it lasts",
    "drop": "dropped",
    "reword": "it lasts, in your words",
    "work": "for this work only",
    "one": "the first holds",
    "other": "the second holds",
    "both": "both hold",
    "yes": "allowed",
    "no": "refused",
    "take": "taken as it is",
    "back": "as it was before",
}
NOTHING: Final = "Nothing to review."


def _reviews(found: Any, given: Mapping[str, Any]) -> None:
    for one in found:
        review(one)
        say((f"`steno review answer {one.id} {' | '.join(choices(one).values())}` settles it", "dim"))
        say()
    if not found:
        say(NOTHING)


def _answered(found: Any, given: Mapping[str, Any]) -> None:
    say((f"{DONE[given['answer']].capitalize()}: ", "green"), in_a_line(found))


def review(found: Any, place: str = "") -> None:
    from steno.vocabulary import Contradiction, HeldPage
    from steno.vocabulary.acts import Act

    if isinstance(found, Act):
        _request(found, place)
        return
    if isinstance(found, HeldPage):
        _page(found, place)
        return
    if isinstance(found, Contradiction):
        say((place, "dim"), ("contradiction", "bold"), f"  {found.reason}", (f"  {found.id}", "dim"))
        this, that = map(_side, found.entries)
        names = [name for name in _ROWS if this.get(name) or that.get(name)]
        table(_SIDES, [[name, this.get(name), that.get(name)] for name in names])
        return
    entry = found.entry
    often = f"{entry.repeated + 1} times, last " if entry.repeated else ""
    where = f", in {one_line(os.path.basename(entry.project))}" if entry.project else ""
    said = f"  said {often}{day(entry.repeated_at or entry.created_at)}{where}"
    say((place, "dim"), ("Make it last? ", "bold"), f"“{one_line(entry.summary)}”", (said, "dim"))
    for name, words in exchange(entry):
        paragraph(f"{name}: {words}")


def _request(act: Any, place: str) -> None:
    """What an agent asked for: what, who, when, what that ends, and what it had said before."""
    asked = ago(act.last_at or act.at) if laid_out() else act.last_at
    often = f"{act.times} times" if act.times > 1 else ""
    nobody = "no terminal" if act.who.evidence == "no terminal" else "an agent"
    told = (act.project or "", act.who.agent or nobody, act.who.session, asked, often)
    where = "  ".join(filter(None, map(one_line, told)))
    say((place, "dim"), ("an agent asks", "bold"), (f"  {act.id}  {where}", "dim"))
    paragraph(act.words.replace("\n", "↵"))
    if act.given and act.given.get("directory"):
        say((f"  {'in':<11}", "dim"), one_line(str(act.given["directory"])))
    for line in act.ends.splitlines():
        say((f"  {'ends' if act.ends_it else 'about':<11}", "dim"), line)
    if act.said:
        say((f"  {'it said':<11}", "dim"), one_line(act.said))
    say((f"  {'seen':<11}", "dim"), one_line(act.who.in_words))


def _page(found: Any, place: str) -> None:
    """A page that waits: why, who changed it and when, and what is different."""
    say((place, "dim"), ("page", "bold"), f"  {found.page} {one_line(found.reason)}", (f"  {found.id}", "dim"))
    if found.who:
        who = f"{found.who.agent}, " if found.who.agent else ""
        said = f"{who}{found.who.source} session {found.who.session}, {_time(found.who.began)}"
        say((f"  {'by':<11}", "dim"), one_line(said))
        say((f"  {'with':<11}", "dim"), one_line(f"{found.who.tool}: {found.who.call}"))
    say((f"  {'changed':<11}", "dim"), _time(found.at))
    for line in found.diff.split("\n")[2:]:
        say("  ", (line, _SIGNS.get(line[:1], "dim")))


def _side(entry: Any) -> dict[str, str]:
    return {
        "entry": entry.id,
        "category": entry.category,
        "summary": entry.summary,
        **dict(exchange(entry)),
        "said often": f"{entry.repeated + 1} times" if entry.repeated else "",
        "origin": entry.origin,
        "project": entry.project or "",
        "at": _time(entry.created_at, ""),
    }


def choices(found: Any) -> dict[str, str]:
    from steno.vocabulary import HeldPage, Offer
    from steno.vocabulary.acts import Act

    kinds: dict[type, dict[str, str]] = {Act: ASKED, HeldPage: PAGE, Offer: OFFER}
    return kinds.get(type(found), PAIR)


def in_a_line(found: Any) -> str:
    if choices(found) is ASKED:
        done = {"carried out": "done, as your act: ", "allowed": "the agent may do it once within a day: "}
        return f"{done.get(found.state, '')}{one_line(found.words)}"
    if choices(found) is PAGE:
        return f"{found.page}; what stood there lies in {found.beside}" if found.beside else str(found.page)
    return " / ".join(one_line(entry.summary) for entry in found.entries)


def _key_by_key(given: Mapping[str, Any], *, as_json: bool) -> bool:
    if as_json or not (sys.stdin.isatty() and on_terminal()):
        return True
    from steno.cli.reviewing import go_through

    go_through(given)
    return False


BEFORE: Final = {"review list": _key_by_key}
LOOKS: Final = {
    "entries list": _entries,
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
    "review list": _reviews,
    "review show": lambda found, given: _reviews([found], given),
    "review answer": _answered,
    "review undo": lambda found, given: say(("Taken back: ", "green"), in_a_line(found)),
}
