"""Consistency: what cannot hold beside something else, across entries, the notebook, rules and memory files.

It asks and never mends: which of two is right is a person's call."""

from collections.abc import Iterator

from steno.home import Home
from steno.language.sentence import sentences
from steno.scribe.admit import OPPOSITE, held_against
from steno.upkeep.job import Job, Moment, Report
from steno.vocabulary import Category, Entry
from steno.vocabulary.details import detail_of
from steno.vocabulary.entries import Compared

_PORTION = 100
# Sentences of a page's prose or a memory file that are looked at, and what each may be.
_SENTENCES = 40
_MAY_BE: tuple[Category, ...] = ("rule", "fact")
_SHOWN = 8


def _run(home: Home, moment: Moment) -> Report:
    store, found = home.store, list[tuple[str, str, str]]()
    while not moment.stop() and (ids := store.accesses.due("consistency", _PORTION)):
        pairs = list(dict.fromkeys(pair for entry in store.entries.some(ids) for pair in _against(home, entry)))
        if moment.dry:
            found += pairs
            break
        with store.entries.write():
            found += [pair for pair in pairs if store.reviews.put(*pair)]
            store.accesses.looked_at("consistency", ids)
    files = [] if moment.stop() else list(_files(home, dry=moment.dry))
    asked = [f"{reason}: {one} and {other} (`steno review`)" for one, other, reason in found[:_SHOWN]]
    more = [f"and {len(found) - _SHOWN:,} more"] if len(found) > _SHOWN else []
    return Report(changed=len(found), lines=(*asked, *more, *files), flags=tuple(files[:_SHOWN]))


def _against(home: Home, entry: Entry) -> Iterator[tuple[str, str, str]]:
    """Pairs of which a person must say which holds: the older one, the newer one, and why."""
    if entry.status not in ("active", "done"):
        return
    new = [home.store.entries.known(entry.id)]
    if entry.origin == "file":
        new = [one for text in _claims(entry.summary) for one in _as_said(entry.id, text, entry.created_at)]
    for one in new:
        held = held_against(one, home.store.entries.like(one, project=entry.project, session_id=None))
        older = dict.fromkeys(held.supersedes, OPPOSITE) | held.contradicts
        newer = dict.fromkeys(held.superseded_by, OPPOSITE) | held.contradicted_by
        yield from ((other, entry.id, reason) for other, reason in older.items())
        yield from ((entry.id, other, reason) for other, reason in newer.items())


def _files(home: Home, *, dry: bool) -> Iterator[str]:
    """What a memory file that is new says against what people said. No entry: it is told, and nothing else."""
    notes = home.store.accesses.notes_to_compare()
    for note in notes:
        for text in _claims(note.text):
            for one in _as_said("", text, note.at):
                held = held_against(one, home.store.entries.like(one, project=note.project, session_id=None))
                for other in (*held.contradicts, *held.contradicted_by):
                    yield f"{note.name} says “{text}”, against entry {other} (`steno entries show {other}`)"
    if notes and not dry:
        home.store.accesses.compared_notes(max(note.id for note in notes))


def _claims(text: str) -> list[str]:
    return [one.text for one in sentences(text)[:_SENTENCES]]


def _as_said(id_: str, text: str, at: str | None) -> Iterator[Compared]:
    """A file's sentence as each of the things it may be."""
    for category in _MAY_BE:
        detail = detail_of(category, {})
        yield Compared(id_, category, "active", "confirmed", "file", at, detail, text)


JOB = Job(
    name="consistency",
    explain=(
        "Holds every entry that is new or says something else against all that may contradict it: entries, rules, what"
        " people wrote on pages of the notebook; and memory files that are new against what people said. A pair of"
        " entries waits in `steno review`; what a file says against them is a flag. Changes nothing else."
    ),
    run=_run,
)
