"""Drift: does recent work serve what people said an agent is for, and do the files that say who it is agree."""

from collections.abc import Sequence
from datetime import timedelta
from typing import NamedTuple

from steno.briefing.render import safe
from steno.clock import before
from steno.fleet.agents import registered
from steno.home import Home
from steno.language.words import stems
from steno.pipeline.notebook import CAPSULE, DRIFT, WAKE, Notebook
from steno.upkeep.job import Job, Moment, Report
from steno.vocabulary import Entry

# What was said of agents that is looked at; pieces of work below which nobody can tell.
_STATED, _FEWEST = 20, 5
# So many words in common with what is stated: it is about that.
_SHARED = 2
# Less than this share of the work serves it: that is drift.
_SERVES = 0.2
_LINE, _NOTES = 160, 30


def _run(home: Home, moment: Moment) -> Report:
    goal, drifts = _goal(home, moment)
    agrees = _agreement(home)
    if not moment.dry:
        _keep(home, moment.day, [*goal, *agrees])
    return Report(changed=1, lines=(*goal, *agrees), flags=(*drifts, *agrees))


class _Stated(NamedTuple):
    """Something people said an agent is for."""

    # In whose words, for the line that tells of it.
    name: str
    words: frozenset[str]
    # The projects whose work is held against it; none: all.
    projects: tuple[str, ...]


def _goal(home: Home, moment: Moment) -> tuple[list[str], list[str]]:
    """How much of the work of the last days serves each thing that was stated; a flag where next to nothing does."""
    stated, days = _stated(home), home.settings["recent_days"]
    works = home.store.works.since(before(moment.now, timedelta(days=days)))
    goals = [(work.project, safe(work.goal.splitlines()[0], _LINE)) for work in works if work.goal]
    if not stated:
        return [f"what agents are for is not known: nobody said so; pieces of work in {days} days: {len(goals)}"], []
    lines, flags = [], []
    for one in stated:
        theirs = [goal for project, goal in goals if not one.projects or project in one.projects]
        apart = [goal for goal in theirs if len(one.words & stems(goal)) < _SHARED]
        line = f"{len(theirs) - len(apart)} of {len(theirs)} pieces of work in {days} days serve {one.name}"
        lines.append(line)
        if len(theirs) >= _FEWEST and len(theirs) - len(apart) < _SERVES * len(theirs):
            lines += [f"not about it: {goal}" for goal in apart[:3]]
            flags.append(f"drift: {line} (`notebook/{DRIFT}`)")
    return lines, flags


def _stated(home: Home) -> list[_Stated]:
    """Each agent's north star; where none has one, what people said of agents."""
    store = home.store
    stars = [
        _Stated(f"the north star of {agent.name}", _words(star.mission, *star.work), agent.projects)
        for agent in registered(store.agents.all(), store.agents.seen())
        if (star := agent.facts.star)
    ]
    who = [entry.summary for entry in _who(home)]
    return stars or ([_Stated("what people said agents are for", _words(*who), ())] if who else [])


def _words(*texts: str) -> frozenset[str]:
    return frozenset(word for text in texts for word in stems(text))


def _who(home: Home) -> list[Entry]:
    return home.store.entries.some(home.store.lately.newest(("agent_state",), _STATED))


def _agreement(home: Home) -> list[str]:
    """What the saved files say of who an agent is, against what is known."""
    notebook = Notebook(home.notebook)
    texts = {name: seen.text for name in (CAPSULE, WAKE) if (seen := notebook.look(name))}
    found = []
    for entry in _who(home)[-10:]:
        lacking = [name for name, text in texts.items() if safe(entry.summary, _LINE) not in text]
        if texts and lacking:
            found.append(f"not in {' and '.join(lacking)}: {safe(entry.summary, _LINE)}")
    return found


def _keep(home: Home, day: str, lines: Sequence[str]) -> None:
    """One dated note a day, the latest first; those before it stay."""
    notebook = Notebook(home.notebook)
    seen = notebook.look(DRIFT)
    before_, *notes = (seen.text if seen else "# Drift\n").split("\n## ")
    kept = [note for note in notes if not note.startswith(day)][: _NOTES - 1]
    today = "\n".join([day, "", *(f"- {line}" for line in lines), ""])
    notebook.put(DRIFT, "\n## ".join([before_, today, *kept]))


JOB = Job(
    name="drift",
    explain=(
        "Compares the goals of the work of the last `recent_days` with the north star of the agent whose projects they"
        " are of (where no agent has one, with what people said of agents: entries of the category agent_state), and"
        " what capsule.md and wake-state.md say of who it is with what is known. Writes one dated note a day into"
        " `drift.md`; where next to none of at least five pieces of work serves what was said, or the files disagree,"
        " that is a flag. What nobody said is told as not known."
    ),
    run=_run,
)
