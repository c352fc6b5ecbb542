"""Looks whether everything is as it should be. Never writes."""

import shlex
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from steno.clock import as_text, before
from steno.home import Home
from steno.notebook.pages import MEMORY
from steno.pipeline.flags import Flags
from steno.pipeline.notebook import BUFFER, DAYS, STATE, Notebook
from steno.upkeep.job import Job, Moment, Report


def _run(home: Home, moment: Moment) -> Report:
    folder = home.notebook
    found = [
        *_stale_state(home, moment, folder),
        *_observations(home),
        *_index(home, moment, folder),
        *_rules(home),
    ]
    # What stands in status and boot anyway is not flagged twice, nor what this night mends.
    known = [
        *_missing_day(home, moment, folder),
        *_buffer(folder),
        *_untouched(home, moment, folder),
        *_failed(home),
        *_unread(home, moment),
        *Flags(home).of_work(),
    ]
    return Report(lines=tuple(known), flags=tuple(found))


def _stale_state(home: Home, moment: Moment, folder: Path) -> Iterator[str]:
    """Sessions went on, and where they stand was not written down."""
    at, hours = _changed_at(folder / STATE), home.settings["fresh_hours"]
    if at and at < before(moment.now, timedelta(hours=hours)):
        later = before(at, -timedelta(hours=hours))
        if home.store.lately.heard(later, moment.now, most=1):
            yield f"{STATE} is of {at[:16]}, and sessions went on since"


def _missing_day(home: Home, moment: Moment, folder: Path) -> Iterator[str]:
    if moment.day not in Notebook(folder).days():
        heard = home.store.lately.heard(f"{moment.day}T00", f"{moment.day}T99", most=1)
        if heard:
            yield f"{moment.day} has no page, though somebody worked then"


def _observations(home: Home) -> Iterator[str]:
    most = home.settings["observations_most"]
    for project, lines in sorted(home.store.pruning.observed().items()):
        if lines > most:
            yield f"observations of {project or 'no project'} without a tag: {lines:,}, more than {most:,}"


def _index(home: Home, moment: Moment, folder: Path) -> Iterator[str]:
    """Pages are owed, and the index has not followed for days."""
    at, days = _changed_at(folder / MEMORY), home.settings["index_days"]
    owed = len(home.store.pages.due())
    if owed and at and at < before(moment.now, timedelta(days=days)):
        yield f"{MEMORY} is of {at[:10]}, and {owed:,} changes are not on their pages"


def _rules(home: Home) -> Iterator[str]:
    """As they were folded last: to fold them is for promote."""
    most = home.settings["rules_most"]
    for agent, number in home.store.rules.in_force().items():
        if number > most:
            yield f"rules in force for {agent or 'every agent'}: {number:,}, more than {most:,}"


def _buffer(folder: Path) -> Iterator[str]:
    if text := Notebook(folder).text(BUFFER):
        yield f"{BUFFER} holds {len(text):,} characters"


def _untouched(home: Home, moment: Moment, folder: Path) -> Iterator[str]:
    """Pages of days are not meant to be: a day that has passed stays as it is."""
    days = home.settings["prune_days"]
    since = before(moment.now, timedelta(days=days))
    files = [file for file in folder.rglob("*.md") if file.parent.name != DAYS] if folder.is_dir() else []
    if old := sum((_changed_at(file) or since) < since for file in files):
        yield f"pages nobody touched for {days} days: {old:,} of {len(files):,}"


def _failed(home: Home) -> Iterator[str]:
    for run in home.store.runs.last().values():
        if run.state == "failed":
            yield f"{run.job} failed the last time: {run.error}"


def _unread(home: Home, moment: Moment) -> Iterator[str]:
    for agent, number in home.store.messages.waiting(moment.now).items():
        yield f"messages {agent} has not read: {number:,} (`steno relay threads --agent {shlex.quote(agent)}`)"


def _changed_at(path: Path) -> str | None:
    try:
        return as_text(datetime.fromtimestamp(path.stat().st_mtime, UTC))
    except OSError:
        return None


JOB: Final = Job(
    name="audit",
    explain="Reads the store, the notebook and the runs, and tells what is not as it should be: where sessions stand"
    " not written down for `fresh_hours`, a day without its page, observations over `observations_most`, an"
    " index that lags behind for `index_days`, more than `rules_most` rules, jobs that failed, pages"
    " untouched for `prune_days`, a working buffer that is not empty, messages no agent read, files a host cuts,"
    " gaps, broken flows."
    " Never writes anything.",
    run=_run,
    writes=False,
)
