"""Lays aside what has expired, stands there twice, or nobody needed: archived, never deleted, and every run can be
taken back."""

from collections import Counter
from datetime import timedelta
from typing import Final

from steno.clock import before
from steno.home import Home
from steno.pipeline.backups import Backups, image
from steno.pipeline.organise import Organiser
from steno.pipeline.rulebook import Rulebook
from steno.pipeline.workbook import Workbook
from steno.upkeep.job import Job, Moment, Report
from steno.upkeep.picking import Picked, pick
from steno.vocabulary.errors import StenoError


def _run(home: Home, moment: Moment) -> Report:
    if moment.dry:
        return _report(pick(home, moment))
    rules = Rulebook(home)
    notebook = Organiser(home, rules)
    with notebook.edits_in():
        picked = pick(home, moment)
        found = _as_copied(home, moment, picked)
        gone = set(home.store.pruning.lay_aside(moment.run, found, moment.now))
    rules.settle(moment.now)
    notebook.follow()
    Workbook(home).tidy(before(moment.now, timedelta(days=home.settings["prune_days"])))
    return _report(Picked([one for one in found if one[0] in gone], picked.left))


def _as_copied(home: Home, moment: Moment, picked: Picked) -> list[tuple[str, str]]:
    """Of what may go, that which is exactly as it was copied."""
    copied = Backups(home).before(moment.day)
    if copied is None:
        raise StenoError("there is no copy of what would go", hint="`steno upkeep run backup` makes it")
    now = {entry.id: image(entry) for entry in home.store.entries.some(id_ for id_, _ in picked.found)}
    return [(id_, reason) for id_, reason in picked.found if id_ in now and copied.get(id_) == now[id_]]


def _report(picked: Picked) -> Report:
    by_reason = Counter(reason for _, reason in picked.found)
    lines = [f"{number:,} laid aside: {reason}" for reason, number in by_reason.most_common()]
    if picked.left:
        lines.append(f"{picked.left:,} more wait for another night (prune_share)")
    return Report(changed=len(picked.found), lines=tuple(lines))


def bring_back(home: Home, run: int) -> int:
    """What a run laid aside holds again; how many entries."""
    rules = Rulebook(home)
    notebook = Organiser(home, rules)
    with notebook.edits_in():
        back = home.store.pruning.bring_back(run)
    rules.settle()
    notebook.follow()
    return len(back)


JOB: Final = Job(
    name="prune",
    explain="Reads what holds and archives what has expired (a passing situation older than `prune_days`), what another"
    " entry says in the same words, what has no tag and nobody recalled or was told for `prune_days`, open tasks"
    " and promises nobody spoke of for `open_days`, and the oldest observations without a tag where they are more"
    " than `observations_most`, down to `observations_kept`. Never what is younger than `fresh_hours`, never more"
    " than `prune_share` of what holds in one night, never a rule in force, a refusal or a decision, nothing a"
    " person told us about, nothing of work at hand, and only what backup copied and nobody changed since. Nothing"
    " is deleted: recall finds it with `--past`, and `steno upkeep undo RUN` brings it back. The files of pieces"
    " of work nobody was at for `prune_days` go from the notebook; `steno sessions work` tells of them from the"
    " store.",
    run=_run,
    after=("curate", "backup"),
    pause_minutes="prune_pause_minutes",
)
