"""Unresolved warnings, in words: all of them for people; for an agent that starts, those it can do something about."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Final

from steno.client import ALIVE
from steno.clock import as_text, before, seconds_between
from steno.flows.record import health, shown
from steno.home import Home
from steno.scribe.weigh import trouble
from steno.sources.bootstrap import limits
from steno.store.works import Silent
from steno.vocabulary import Flow
from steno.vocabulary.notebooks import Limit
from steno.vocabulary.reviews import MOST_OFFERS
from steno.vocabulary.upkeep import Run

# What nobody went on with for a week warns nobody any more.
_LATELY: Final = timedelta(days=7)
# After so long without upkeep, or of capture standing still, everybody is told.
SILENCE: Final = timedelta(hours=36)
# An action that began so lately may be under way.
_UNDER_WAY: Final = timedelta(hours=1)
# Flows named, each.
_FLOWS: Final = 5
_FILES: Final = 5


class Flags:
    """What somebody should look at."""

    def __init__(self, home: Home) -> None:
        self._home, self._store, self._clock = home, home.store, home.clock

    def for_people(self, project: str | None = None) -> list[str]:
        """Everything unresolved; of what belongs to a project, that of one or of all."""
        problems = self._store.lately.unresolved().problems
        unread = [f"transcripts that cannot be read (`steno status`): {problems}"] if problems else []
        return [
            *self.of_upkeep(),
            *self.of_work(project),
            *self._gaps(),
            *unread,
            *self._paused(),
            *filter(None, [trouble()]),
            *self._silent(),
        ]

    def for_agents(self, project: str | None) -> list[str]:
        """What an agent should know of or can mend: no files it cannot, nothing that waits for a person.

        Without a project, what belongs to one is told to nobody.
        """
        here = project or ""
        work = [*self._lost(here), *self._flows(here)]
        return [
            *self._stopped(),
            *self._failed(),
            *work,
            *self._gaps(),
            *self._paused(),
            *filter(None, [trouble()]),
            *self._silent(),
        ]

    def of_upkeep(self) -> list[str]:
        """What is wrong with how the memory takes care of itself, and what it wants somebody to look at."""
        flags = [f"{run.job}: {flag}" for run in self._last_runs() for flag in run.report.flags]
        return [*self._stopped(), *self._failed(), *flags]

    def of_work(self, project: str | None = None) -> list[str]:
        """What is not about capture, and so stands nowhere else."""
        unresolved, now = self._store.lately.unresolved(), self._clock()
        ungraded = self._store.gates.ungraded(before(now, _LATELY), before(now, _UNDER_WAY))
        told = {
            "requests of agents that wait for a person (`steno review`)": unresolved.requests,
            "pages of the notebook that wait for a person (`steno review`)": unresolved.pages,
            "contradictions that wait for a person (`steno review`)": unresolved.contradictions,
            "instructions a person may make last (`steno review`)": len(self._store.reviews.offers()[:MOST_OFFERS]),
            "flags somebody raised (`steno flags`)": len(self._store.causes.flags()),
            "capabilities whose last check failed (`steno capabilities`)": self._store.capabilities.failed(),
            "actions of the last 7 days of which nobody said how they went (`steno gate after`)": ungraded,
        }
        counted = [f"{words}: {number}" for words, number in told.items() if number]
        return [*counted, *self._asleep(), *self._lost(project), *self._flows(project), *self._lessons(), *self._full()]

    def _stopped(self) -> list[str]:
        """Capture stands still, or nobody looks after the memory: nobody else would notice."""
        now, told = self._clock(), []
        until = self._alive_until()
        if until is not None and until < now:
            since = before(until, SILENCE)[:16]
            told.append(f"nothing is captured since {since}: the daemon does not run (`steno up`)")
        last = self._store.runs.last_good_at() or self._store.runs.kept_since()
        if last is not None and last < before(now, SILENCE):
            told.append(f"no upkeep since {last[:16]} (`steno upkeep`)")
        return told

    def _failed(self) -> list[str]:
        bad = [run for run in self._last_runs() if run.state in ("failed", "skipped")]
        return [f"upkeep: {run.job} {run.state} (`steno upkeep explain {run.job}`)" for run in bad]

    def _last_runs(self) -> list[Run]:
        return list(self._store.runs.last().values())

    def _gaps(self) -> list[str]:
        gaps = self._store.lately.unresolved().gaps
        return [f"gaps in what was captured (`steno status`): {gaps}"] if gaps else []

    def _asleep(self) -> list[str]:
        """Agents that could not be woken."""
        failed = self._store.wakes.failed(before(self._clock(), _LATELY))
        see = "(`steno agents pulse`)"
        return [f"pulse could not wake {agent} at {at[:16]}: {said} {see}" for agent, at, said in failed]

    def _lost(self, project: str | None) -> list[str]:
        """Compactions that took too much of what work depends on."""
        return [
            f"the compaction of session {one.session} took {one.missing} of {one.critical} things work depends on"
            f" (`steno sessions loss --session {one.session[:8]}`)"
            for one in self._store.lately.losses(before(self._clock(), _LATELY))
            if project in (None, one.project or "")
        ]

    def _flows(self, project: str | None) -> list[str]:
        """Flows that had better be written anew, or given up."""
        flows = [one for one in self._store.flows.all() if one.status == "active"]
        here = [one for one in flows if project is None or one.project in (None, project)]
        return [*self._unwell(here, "broken", "rewrite it"), *self._unwell(here, "unused", "retire it or use it")]

    def _unwell(self, flows: Iterable[Flow], how: str, hint: str) -> list[str]:
        found = [flow for flow in flows if health(flow, self._clock()) == how][:_FLOWS]
        return [f"flow {flow.name}: {shown(flow)}; {hint} (`steno flows show {flow.name}`)" for flow in found]

    def _lessons(self) -> list[str]:
        found = self._store.gates.lessons_in_words()
        if not found:
            return []
        days = int(seconds_between(found[0].since, self._clock()) // 86_400)
        return [f"lessons that are only words (`steno rules lessons`): {len(found)}, the oldest for {days} days"]

    def _full(self) -> list[str]:
        """Files of which a host reads only so much, before it cuts them in silence."""
        near = [one for one in limits(self._home.environment) if one.is_near]
        more = [f"and {len(near) - _FILES:,} more such files (`steno notebook limits`)"] if len(near) > _FILES else []
        return [*map(_nearly_cut, near[:_FILES]), *more]

    def _paused(self) -> list[str]:
        paused = self._store.control.paused()
        return [f"capture is paused since {paused}"] if paused else []

    def _alive_until(self) -> str | None:
        """When somebody should say that capture stands still, as the daemon that captured last put it off; None: no
        daemon ever captured here, or people capture by hand."""
        if not self._home.settings["auto_capture"]:
            return None
        try:
            return as_text(datetime.fromtimestamp((self._home.root / ALIVE).stat().st_mtime, UTC))
        except (OSError, OverflowError, ValueError):
            return None

    def _silent(self) -> list[str]:
        return [silence(session) for session in self._store.works.silent(before(self._clock(), _LATELY))]


def _nearly_cut(limit: Limit) -> str:
    does = "cuts" if limit.cut or limit.used > limit.most else "will soon cut"
    holds = f"{limit.used:,} of at most {limit.most:,} {limit.unit}"
    return f"{limit.host} {does} {limit.path}, which holds {holds} (`steno notebook limits`)"


def silence(session: Silent) -> str:
    """That hardly a word of people was heard in a long session, in words."""
    return f"session {session.session}: {session.turns:,} turns, and hardly a word of yours was heard"
