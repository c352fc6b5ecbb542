"""`steno review`: what waits for a person's word. On a terminal one key each, elsewhere plain lines."""

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final, assert_never

import click

import steno
from steno.cli.entries import flat
from steno.cli.exchange import exchange, weighed
from steno.cli.show import answer, json_option, laid_out, on_terminal, one_line, paragraph, print_json, say
from steno.cli.table import Column, table
from steno.cli.words import ago, many, when

if TYPE_CHECKING:
    from steno import Memory
    from steno.cli.keys import Keys
    from steno.vocabulary import Answer, Entry, Review

_COLUMNS: Final = (Column(""), Column("one", telling=True), Column("other", telling=True))
_ROWS: Final = (
    *("entry", "category", "summary", "stopped", "option", "asked", "proposed", "agent said", "said", "afterwards"),
    *("said often", "origin", "project", "at"),
)
_ANSWERS: "Final[tuple[Answer, ...]]" = ("keep", "drop", "reword", "work", "one", "other", "both")
_UNSURE: "Final[dict[str, Answer]]" = {"k": "keep", "d": "drop", "r": "reword", "w": "work"}
_PAIR: "Final[dict[str, Answer]]" = {"1": "one", "2": "other", "b": "both"}
_HELP: Final = {
    "k": "keep: I mean that, from now on",
    "d": "drop: I do not; lay it aside",
    "r": "reword: I mean that, in words I type",
    "w": "work: I mean that, for this piece of work only",
    "1": "the first holds; the other counts as superseded",
    "2": "the second holds; the first counts as superseded",
    "b": "both hold",
    "s": "skip: it goes on waiting",
    "u": "undo the last answer",
    "q": "quit; every answer so far is kept",
}
_DONE: "Final[dict[Answer, str]]" = {
    "keep": "kept",
    "drop": "dropped",
    "reword": "kept in your words",
    "work": "kept for this work",
    "one": "the first holds",
    "other": "the second holds",
    "both": "both hold",
}


@click.command(short_help="Answer what waits for your word.")
@click.argument("id_", metavar="[ID|undo]", required=False)
@click.argument("answer", metavar="[ANSWER]", type=click.Choice(_ANSWERS), required=False)
@click.argument("words", metavar="[TEXT]", nargs=-1)
@json_option
def review(id_: str | None, answer: "Answer | None", words: tuple[str, ...], as_json: bool) -> None:
    """Go through what waits for your word, one key each; or show the review ID, or answer it.

    \b
    Rules and refusals Steno is not sure of. Until you keep them they bind nobody.
      keep      you mean that, from now on
      drop      you do not: it is laid aside
      reword    you mean that, in the words of TEXT
      work      you mean that, for this piece of work only
    Entries that contradict each other. What is not kept counts as superseded.
      one       the first holds
      other     the second holds
      both      both hold

    `steno review undo` takes the last answer back. Without a terminal everything that waits is listed.
    """
    with steno.open() as memory:
        if id_ == "undo" and answer is None:
            again = memory.unresolve()
            _tell(as_json, {"undone": again.id}, "Waits again: ", again)
        elif id_ is not None and answer is not None:
            settled = memory.resolve(id_, answer, " ".join(words) or None)
            _tell(as_json, {"id": settled.id, "keep": answer}, f"{_DONE[answer].capitalize()}: ", settled)
        elif id_ is None and not as_json and sys.stdin.isatty() and on_terminal():
            _go_through(memory)
        else:
            _list([found for found in memory.reviews() if id_ is None or found.id.startswith(id_)], id_, as_json)


def _list(found: "list[Review]", id_: str | None, as_json: bool) -> None:
    if id_ is not None and not found:
        from steno.vocabulary.errors import UnknownEntry

        raise UnknownEntry(f"no open review {id_!r}", hint="`steno review` lists them")
    if as_json:
        print_json(*map(_flat, found))
    elif not found:
        say("Nothing to review.")
    else:
        for one in found:
            _show(one)
            answers = " | ".join(_choices(one).values())
            say((f"`steno review {one.id} {answers}` settles it", "dim"))
            say()


def _flat(found: "Review") -> dict[str, Any]:
    from steno.vocabulary import Contradiction, Unsure

    match found:
        case Contradiction(id=id_, reason=reason, one=one, other=other):
            return {"id": id_, "kind": "contradiction", "reason": reason, "one": flat(one), "other": flat(other)}
        case Unsure(id=id_, entry=entry, also=also):
            return {"id": id_, "kind": "unsure", "entry": flat(entry), "also": [one.id for one in also]}
        case _:
            assert_never(found)


def _tell(as_json: bool, value: dict[str, Any], done: str, found: "Review") -> None:
    answer(value, (done, "green"), _in_a_line(found), as_json=as_json)


# -- on a terminal -----------------------------------------------------------------------------------------------------


def _go_through(memory: "Memory") -> None:
    """Ask for a key for each that waits. Every answer is kept at once; Ctrl-C ends it like `q`."""
    import signal

    from steno.cli.keys import keys

    # What a script starts in its background inherits that this is ignored, and could not be left by it.
    signal.signal(signal.SIGINT, signal.default_int_handler)

    sitting = _Sitting(memory)
    if not sitting.next():
        say("Nothing to review.")
        return
    try:
        with keys() as typed:
            while (found := sitting.next()) and sitting.ask(found, typed):
                pass
    finally:
        say(f"{many(sitting.answered, 'answer')}, {len(memory.reviews()):,} left.")


class _Sitting:
    """One person's way through what waits."""

    def __init__(self, memory: "Memory") -> None:
        self._memory = memory
        self._skipped: set[str] = set()
        # What was taken back is asked again first.
        self._again: str | None = None
        self.answered = 0

    def next(self) -> "Review | None":
        """What is to be asked now."""
        left = [found for found in self._memory.reviews() if found.id not in self._skipped]
        self._left = len(left)
        again = (found for found in left if found.id == self._again)
        return next(again, left[0] if left else None)

    def ask(self, found: "Review", typed: "Keys") -> bool:
        """Show one and do what the keys say, until something is settled. False: that is enough."""
        place = self.answered + len(self._skipped) + 1
        say()
        _show(found, f"{place} of {place + self._left - 1}  ")
        _offer(found)
        while key := typed.next().lower():
            match key:
                case "q":
                    return False
                case "s":
                    self._skipped.add(found.id)
                    return True
                case "u" if self._undo():
                    return True
                case _ if answer := _choices(found).get(key):
                    if self._answer(found, answer, typed):
                        return True
                case "?":
                    for name in (*_choices(found), "s", "u", "q"):
                        say((f"  {name}  ", "bold"), _HELP[name])
        return False

    def _answer(self, found: "Review", answer: "Answer", typed: "Keys") -> bool:
        words = None
        if answer == "reword":
            say(("In your words (empty: leave it as it is):", "bold"))
            words = typed.line()
            if not words:
                return False
        settled = self._memory.resolve(found.id, answer, words)
        say((_DONE[answer], "green"), (f"  {_in_a_line(settled)}", "dim"))
        self.answered += 1
        self._again = None
        return True

    def _undo(self) -> bool:
        from steno.vocabulary.errors import WrongUse

        try:
            again = self._memory.unresolve()
        except WrongUse as error:
            say((error.message, "yellow"))
            return False
        say(("undone", "yellow"), (f"  {_in_a_line(again)}", "dim"))
        self._again = again.id
        self._skipped.discard(again.id)
        self.answered = max(self.answered - 1, 0)
        return True


def _offer(found: "Review") -> None:
    unsure, pair = "[k]eep  [d]rop  [r]eword  this [w]ork only", "[1] first  [2] second  [b]oth"
    say((f"{unsure if _choices(found) is _UNSURE else pair}  [s]kip  [u]ndo  [q]uit  [?]", "bold"))


def _choices(found: "Review") -> "dict[str, Answer]":
    from steno.vocabulary import Unsure

    return _UNSURE if isinstance(found, Unsure) else _PAIR


# -- how one looks -----------------------------------------------------------------------------------------------------


def _show(found: "Review", place: str = "") -> None:
    from steno.vocabulary import Contradiction, Unsure

    match found:
        case Contradiction(one=one, other=other):
            say((place, "dim"), ("contradiction", "bold"), f"  {found.reason}", (f"  {found.id}", "dim"))
            this, that = _column(one), _column(other)
            names = [name for name in _ROWS if this.get(name) or that.get(name)]
            table(_COLUMNS, [[name, this.get(name), that.get(name)] for name in names])
        case Unsure(entry=entry, also=also):
            say((place, "dim"), (f"{entry.category}?", "bold"), (f"  {entry.id}  {_where(entry)}", "dim"))
            paragraph(entry.summary)
            if (times := sum(one.repeated + 1 for one in (entry, *also))) > 1:
                where = f", in {len(also) + 1} projects" if also else ""
                say((f"  {'said':<11}", "dim"), f"{many(times, 'time')}{where}")
            for name, words in exchange(entry):
                if one_line(words) != one_line(entry.summary):
                    say((f"  {name:<11}", "dim"), one_line(words))
            if entry.detail.weight.probability:
                say((f"  {'weighed':<11}", "dim"), weighed(entry))
        case _:
            assert_never(found)


def _in_a_line(found: "Review") -> str:
    from steno.vocabulary import Unsure

    entries: Iterable[Entry] = [found.entry] if isinstance(found, Unsure) else [found.one, found.other]
    return " / ".join(one_line(entry.summary) for entry in entries)


def _where(entry: "Entry") -> str:
    said = ago(entry.created_at) if laid_out() else entry.created_at
    often = f"said {entry.repeated + 1} times" if entry.repeated else ""
    return "  ".join(filter(None, (entry.project, entry.agent, said, often)))


def _column(entry: "Entry") -> dict[str, str]:
    return {
        "entry": entry.id,
        "category": entry.category,
        "summary": entry.summary,
        **dict(exchange(entry)),
        "said often": f"{entry.repeated + 1} times" if entry.repeated else "",
        "origin": entry.origin,
        "project": entry.project or "",
        "at": when(entry.created_at) if laid_out() else entry.created_at or "",
    }
