"""What waits for a person's word."""

import sys
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from steno.cli.looks.entries import Once, lines, moment, words_of
from steno.cli.show import facts, laid_out, on_terminal, one_line, paragraph, say
from steno.cli.words import ago

_SIGNS: Final = {"+": "green", "-": "red", " ": ""}
# Columns of what a fact is called.
_WIDE: Final = 13
_WAITS: Final = "Waits until you answer"


class Way(NamedTuple):
    """A kind of what waits, as a person sees it."""

    # What becomes of it if nobody answers.
    stays: str
    asks: str
    # The answers by key, and how they are put to a person.
    keys: dict[str, str]
    prompt: str
    # What it is called where it is counted, and what is said of it there.
    thing: str
    rest: str = ""


WAYS: Final = {
    "request": Way(_WAITS, "an agent asks", {"y": "yes", "n": "no"}, "[y]es, do it  [n]o", "request", " of agents"),
    "held page": Way(
        _WAITS, "page", {"t": "take", "b": "back"}, "[t]ake it as it is  [b]ack to what was there",
        "page", " of the notebook",
    ),
    "contradiction": Way(
        _WAITS, "They cannot both hold", {"1": "one", "2": "other", "b": "both"}, "[1] first  [2] second  [b]oth",
        "contradiction",
    ),
    "ending": Way(
        "Holds until you end it", "End it?", {"e": "end", "k": "keep"}, "[e]nd it  [k]eep it", "rule", " that may end"
    ),
    "offer": Way(
        "Ends with its piece of work if you say nothing", "Make it last?",
        {"k": "keep", "d": "drop", "r": "reword", "w": "work"}, "[k]eep  [d]rop  [r]eword  this [w]ork only",
        "instruction", " you may make last",
    ),
}  # fmt: skip
DONE: Final = {
    "keep": "it lasts",
    "drop": "dropped",
    "reword": "it lasts, in your words",
    "work": "for this work only",
    "end": "it holds no more",
    "one": "the first holds",
    "other": "the second holds",
    "both": "both hold",
    "yes": "allowed",
    "no": "refused",
    "take": "taken as it is",
    "back": "as it was before",
}
NOTHING: Final = "Nothing to review."


def way(found: Any) -> Way:
    """The kind it is of."""
    return WAYS[found.__struct_config__.tag]


def _reviews(found: Any, given: Mapping[str, Any]) -> None:
    """Each with how it is settled, under what becomes of those nobody answers."""
    once, title = Once(), ""
    for one in found:
        before, title = title, way(one).stays
        if title != before:
            say((title, "bold"))
        review(one, once=once)
        say((f"`steno review answer {one.id} {' | '.join(way(one).keys.values())}` settles it", "dim"))
        say()
    if not found:
        say(NOTHING)


def _answered(found: Any, given: Mapping[str, Any]) -> None:
    say((f"{DONE[given['answer']].capitalize()}: ", "green"), in_a_line(found))


def review(found: Any, place: str = "", once: Once | None = None) -> None:
    """What waits; in a view of several, what stands above already is not quoted again."""
    once = once or Once()
    match found.__struct_config__.tag:
        case "request":
            _request(found, place)
        case "held page":
            _page(found, place)
        case tag:
            is_pair = tag == "contradiction"
            say((place, "dim"), (way(found).asks, "bold"), f": {found.reason}" if is_pair else "")
            for number, entry in enumerate(found.entries, 1):
                lines(entry, once, entry.id if is_pair else "", f"{number}  " if is_pair else "")
            for line in why_end(found) if tag == "ending" else ():
                say("  ", line)


def why_end(found: Any) -> Iterator[str]:
    """Why a rule may end: how often a person allowed what it stops, and how they took it back."""
    if found.yeses:
        yield f"You allowed it {found.yeses} times, last {ago(found.allowed_at)}."
    if found.taken_back:
        yield f"You said {ago(found.taken_back_at)}: “{one_line(found.taken_back)}”"


def _request(act: Any, place: str) -> None:
    """What an agent asked for: what, who, when, what that ends, and what it had said before."""
    asked = ago(act.last_at or act.at) if laid_out() else act.last_at
    often = f"{act.times} times" if act.times > 1 else ""
    nobody = "no terminal" if act.who.evidence == "no terminal" else "an agent"
    told = (act.id, act.project or "", act.who.agent or nobody, act.who.session, asked, often)
    say((place, "dim"), ("an agent asks", "bold"), (f"  {'  '.join(filter(None, map(one_line, told)))}", "dim"))
    paragraph(act.words.replace("\n", "↵"))
    facts({"  in": str((act.given or {}).get("directory") or "")}, _WIDE)
    for line in act.ends.splitlines():
        facts({"  ends" if act.ends_it else "  about": line}, _WIDE)
    facts({"  it said": act.said, "  seen": act.who.in_words}, _WIDE)


def _page(found: Any, place: str) -> None:
    """A page that waits: why, who changed it and when, and what is different."""
    say((place, "dim"), ("page", "bold"), f"  {found.page} {one_line(found.reason)}", (f"  {found.id}", "dim"))
    if found.who:
        who = f"{found.who.agent}, " if found.who.agent else ""
        by = f"{who}{found.who.source} session {found.who.session}, {moment(found.who.began)}"
        facts({"  by": by, "  with": f"{found.who.tool}: {found.who.call}"}, _WIDE)
    facts({"  changed": moment(found.at)}, _WIDE)
    for line in found.diff.split("\n")[2:]:
        say("  ", (line, _SIGNS.get(line[:1], "dim")))


def in_a_line(found: Any) -> str:
    """What an answer was about."""
    match found.__struct_config__.tag:
        case "request":
            done = {"carried out": "done, as your act: ", "allowed": "the agent may do it once within a day: "}
            return f"{done.get(found.state, '')}{one_line(found.words)}"
        case "held page":
            return f"{found.page}; what stood there lies in {found.beside}" if found.beside else str(found.page)
    return " / ".join(one_line(words_of(entry)) for entry in found.entries)


def _key_by_key(given: Mapping[str, Any], *, as_json: bool) -> bool:
    if as_json or not (sys.stdin.isatty() and on_terminal()):
        return True
    from steno.cli.reviewing import go_through

    go_through(given)
    return False


BEFORE: Final = {"review list": _key_by_key}
LOOKS: Final = {
    "review list": _reviews,
    "review show": lambda found, given: _reviews([found], given),
    "review answer": _answered,
    "review undo": lambda found, given: say(("Taken back: ", "green"), in_a_line(found)),
}
