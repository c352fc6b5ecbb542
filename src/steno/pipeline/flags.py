"""Unresolved warnings, in words: all of them for people; for an agent that starts, those it can do something about."""

from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import Final

from steno.clock import Clock, before, seconds_between
from steno.flows.record import health, shown
from steno.scribe.weigh import trouble
from steno.store import Store
from steno.store.works import Silent
from steno.vocabulary import Flow
from steno.vocabulary.limits import Limit

# What nobody went on with for a week warns nobody any more.
_LATELY: Final = timedelta(days=7)
# An action that began so lately may be under way.
_UNDER_WAY: Final = timedelta(hours=1)
# Flows named, each.
_FLOWS: Final = 5
_FILES: Final = 5


class Flags:
    """What somebody should look at."""

    def __init__(self, store: Store, clock: Clock, limits: Callable[[], list[Limit]]) -> None:
        self._store = store
        self._clock = clock
        self._limits = limits

    def for_people(self) -> list[str]:
        """Everything unresolved."""
        problems = self._store.lately.unresolved().problems
        unread = [f"transcripts that cannot be read (`steno status`): {problems}"] if problems else []
        return [*self.of_work(), *self._gaps(), *unread, *self._paused(), *filter(None, [trouble()]), *self._silent()]

    def for_agents(self, project: str | None) -> list[str]:
        """What an agent should know of or can mend: no files it cannot, nothing that waits for a person.

        Without a project, what belongs to one is told to nobody.
        """
        here = project or ""
        work = [*self._lost(here), *self._flows(here), *self._lessons(here)]
        return [*work, *self._gaps(), *self._paused(), *filter(None, [trouble()]), *self._silent()]

    def of_work(self) -> list[str]:
        """What is not about capture, and so stands nowhere else."""
        unresolved, now = self._store.lately.unresolved(), self._clock()
        ungraded = self._store.gates.ungraded(before(now, _LATELY), before(now, _UNDER_WAY))
        told = {
            "contradictions that wait for a person (`steno review`)": unresolved.contradictions,
            "rules and refusals to be kept or dropped by a person (`steno review`)": unresolved.unsure,
            "flags somebody raised (`steno flags`)": len(self._store.causes.flags()),
            "capabilities whose last check failed (`steno capabilities`)": self._store.capabilities.failed(),
            "actions of the last 7 days of which nobody said how they went (`steno gate after`)": ungraded,
        }
        counted = [f"{words}: {number}" for words, number in told.items() if number]
        return [*counted, *self._lost(None), *self._flows(None), *self._lessons(None), *self._full()]

    def _gaps(self) -> list[str]:
        gaps = self._store.lately.unresolved().gaps
        return [f"gaps in what was captured (`steno status`): {gaps}"] if gaps else []

    def _lost(self, project: str | None) -> list[str]:
        """Compactions that took too much of what work depends on."""
        return [
            f"the compaction of session {one.session} took {one.missing} of {one.critical} things work depends on"
            f" (`steno loss --session {one.session[:8]}`)"
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

    def _lessons(self, project: str | None) -> list[str]:
        found = [one for one in self._store.gates.lessons_in_words() if project in (None, one.project or "")]
        if not found:
            return []
        days = int(seconds_between(found[0].since, self._clock()) // 86_400)
        return [f"lessons that are only words (`steno rules lessons`): {len(found)}, the oldest for {days} days"]

    def _full(self) -> list[str]:
        """Files of which a host reads only so much, before it cuts them in silence."""
        near = [one for one in self._limits() if one.is_near]
        more = [f"and {len(near) - _FILES:,} more such files (`steno notebook limits`)"] if len(near) > _FILES else []
        return [*map(_nearly_cut, near[:_FILES]), *more]

    def _paused(self) -> list[str]:
        paused = self._store.control.paused()
        return [f"capture is paused since {paused} (`steno resume`)"] if paused else []

    def _silent(self) -> list[str]:
        return [silence(session) for session in self._store.works.silent(before(self._clock(), _LATELY))]


def _nearly_cut(limit: Limit) -> str:
    does = "cuts" if limit.cut or limit.used > limit.most else "will soon cut"
    holds = f"{limit.used:,} of at most {limit.most:,} {limit.unit}"
    return f"{limit.host} {does} {limit.path}, which holds {holds} (`steno notebook limits`)"


def silence(session: Silent) -> str:
    """That next to nothing was learnt of a long session, in words."""
    learnt = "nothing" if not session.entries else "next to nothing"
    return f"session {session.session}: {session.turns:,} turns, {learnt} learnt"
