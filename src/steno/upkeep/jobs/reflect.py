"""Reflect: recent entries that belong together get one note that cites them and claims nothing."""

from datetime import timedelta

from steno.briefing.integration import Joined, integration_page
from steno.clock import before
from steno.home import Home
from steno.pipeline.notebook import INTEGRATIONS, Notebook
from steno.store.integrations import Integration
from steno.upkeep.clusters import FEWEST, clusters, title
from steno.upkeep.job import Job, Moment, Report
from steno.vocabulary import Category, Entry

# The newest entries that are looked at, and the latest notes that stand on the page.
_ENTRIES, _SHOWN = 400, 30
_CITED: tuple[Category, ...] = ("decision", "discovery", "learning", "exclusion", "fact", "rule", "rejected")
# Of two groups that share so much of the smaller one, the second is the first one grown.
_SAME = 0.5


def _run(home: Home, moment: Moment) -> Report:
    store, since = home.store, before(moment.now, timedelta(days=home.settings["recent_days"]))
    recent = store.integrations.recent(since, _CITED, _ENTRIES)
    # What cites nothing recent cannot be what a group of recent entries grew from.
    known, lines = store.integrations.since(since), list[str]()
    for group in clusters(store.entries.some(recent), store.vectors.of_entries(recent)):
        if moment.stop():
            break
        if line := _note(home, group, known, moment):
            lines.append(line)
    if not moment.dry:
        _write(home, moment.now)
    return Report(changed=len(lines), lines=tuple(lines))


def _may_be_cited(entry: Entry) -> bool:
    holds = entry.status in ("active", "done") and entry.certainty == "confirmed"
    return holds and entry.category in _CITED and entry.origin in ("user", "edit", "assistant")


def _note(home: Home, group: list[Entry], known: list[Integration], moment: Moment) -> str:
    """One note for a group; what it comes to, in a line. Empty: there is one already."""
    ids = {entry.id for entry in group}
    same = next((note for note in known if _is_same(note, ids)), None)
    if same and ids <= set(same.members):
        return ""
    members = ids | set(same.members if same else ())
    if not moment.dry:
        id_ = same.id if same else None
        home.store.integrations.put(members, group[0].project, moment.now, id_=id_)
    return f"{title(group)}: {len(members)} entries"


def _is_same(note: Integration, ids: set[str]) -> bool:
    return len(ids & set(note.members)) >= _SAME * min(len(ids), len(note.members))


def _write(home: Home, now: str) -> None:
    """The page of all notes, from what still holds of each."""
    notes = home.store.integrations.since(most=_SHOWN)
    found = {entry.id: entry for entry in home.store.entries.some(id_ for note in notes for id_ in note.members)}
    joined = []
    for note in notes:
        members = [entry for id_, entry in found.items() if id_ in note.members and _may_be_cited(entry)]
        if len(members) >= FEWEST:
            joined.append(Joined(id=note.id, about=title(members), project=note.project, members=members))
    notebook = Notebook(home.notebook)
    if joined or notebook.look(INTEGRATIONS):
        notebook.put(INTEGRATIONS, integration_page(joined, now))


JOB = Job(
    name="reflect",
    explain=(
        "Groups the entries of the last `recent_days` by what they mean, or by the words they share where there are no"
        " vectors, and writes one integration note for each group of three or more: the ids of the entries it cites."
        " The page `integrations.md` shows them in the words of those entries; a note claims nothing and is never made"
        " of notes, nor of what was curated. A group that grew is the same note."
    ),
    run=_run,
    every="2 hours off-peak",
)
