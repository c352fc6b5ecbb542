"""After an action: one outcome, graded; the flow's record, one entry for what was learnt, and whether it will last."""

import json
import os
from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from msgspec import structs

from steno.clock import Clock, as_text
from steno.gates.grade import Grade, grade, known_lesson
from steno.gates.tools import changed_since
from steno.sources.common import project_of
from steno.store import Store
from steno.store.gates import LastGate
from steno.vocabulary import Entry, Graded, Outcome, Rule
from steno.vocabulary.errors import WrongUse

if TYPE_CHECKING:
    from steno.pipeline.flowbook import Flowbook
    from steno.pipeline.rulebook import Rulebook
    from steno.pipeline.scrub import Scrubber


# Of what an agent tells us.
_LONGEST: Final = 2_000


class After:
    """Takes in one outcome."""

    def __init__(
        self, store: Store, rulebook: "Rulebook", flowbook: "Flowbook", *, clock: Clock,
        scrubber: "Callable[[], Scrubber]",
    ) -> None:  # fmt: skip
        self._store = store
        self._rules = rulebook
        self._flows = flowbook
        self._clock = clock
        self._scrubber = scrubber

    def grade(self, outcome: Outcome) -> Graded:
        """Grade, count for the flow, keep the lesson, and check that something but words changed."""
        if not outcome.summary.strip():
            raise WrongUse("an outcome needs a summary", hint='steno gate after AGENT pass "what was done"')
        outcome = structs.replace(outcome, directory=place(outcome.directory))
        flow = self._flows.one(outcome.flow) if outcome.flow else None
        last = self._store.gates.last(outcome.agent, outcome.session)
        changed = self._changed(outcome, last) if outcome.learned else []
        graded = self._graded(outcome, last)
        learned = self._clean(outcome.learned) if outcome.learned and outcome.learned.strip() else None
        entry, updated = self._keep(outcome, learned, graded)
        if flow is not None:
            flow = self._flows.outcome(flow.name, outcome.passed, outcome.summary)
        return Graded(
            passed=outcome.passed,
            flow=flow,
            entry=entry,
            updated=updated,
            reinforced=graded.reinforced,
            violated=graded.violated,
            permanent=bool(changed) if learned else None,
            changed=changed if learned else [],
            proposal=_proposal(outcome, learned) if learned and not changed else "",
        )

    def _graded(self, outcome: Outcome, last: LastGate | None) -> Grade:
        """What the outcome says about the rules on the last page."""
        names = dict.fromkeys(name.partition(":")[::2] for name in (last.items if last is not None else ()))
        ids = {id_ for kind, id_ in names if kind in ("rule", "reason")}
        shown: list[Rule] = [rule for rule in self._rules.all() if rule.id in ids]
        return grade(outcome, shown, [id_ for kind, id_ in names if kind == "reason"])

    # -- what was learnt ---------------------------------------------------------------------------------------------

    def _keep(self, outcome: Outcome, learned: str | None, graded: Grade) -> tuple[Entry | None, bool]:
        """One record of the outcome, and one entry for its lesson: the one that says it already, or a new one."""
        entries, now, project = self._store.entries, self._clock(), self._project(outcome)
        known = None
        if learned is not None:
            lessons = entries.all(category="learning", status="active")
            known = known_lesson(learned, (one for one in lessons if one.project in (None, project)))
        value: dict[str, Any] = {
            "agent": outcome.agent,
            "passed": outcome.passed,
            "summary": self._clean(outcome.summary),
            # The flow counts its own record of it; here it is named.
            "followed": outcome.flow,
            "learned": learned,
            "reinforced": graded.reinforced,
            "violated": graded.violated,
            "repeats": known.id if known is not None else None,
        }
        entries.tell("outcome", "", value, now)
        id_ = known.id if known is not None else None
        if learned is not None and known is None:
            id_ = entries.remember(
                learned, "learning", project=project, agent=outcome.agent, now=now, origin="assistant"
            )
        self._rules.settle(now)
        return (entries.one(id_) if id_ is not None else None), known is not None

    def _clean(self, text: str) -> str:
        return self._scrubber().text(" ".join(text.split()))[:_LONGEST]

    def _project(self, outcome: Outcome) -> str | None:
        facts = self._store.gates.session(outcome.session) if outcome.session else None
        if facts is not None and facts.project is not None:
            return facts.project
        return project_of(os.path.abspath(outcome.directory)) if outcome.directory else None

    # -- whether it lasts --------------------------------------------------------------------------------------------

    def _changed(self, outcome: Outcome, last: LastGate | None) -> list[str]:
        """Scripts, schemas, flows and matchers that changed since the action began."""
        facts = self._store.gates.session(outcome.session) if outcome.session else None
        since = last.at if last is not None else facts.started_at if facts is not None else None
        if since is None:
            return []
        files = changed_since(outcome.directory, lambda at: _text_of(at) >= since) if outcome.directory else []
        return [*files, *self._recorded(since)]

    def _recorded(self, since: str) -> list[str]:
        """Flows and matchers somebody made or changed since."""
        found = []
        for at, act, name, value in self._store.entries.records():
            if at >= since and act == "flow":
                found.append(f"flow {name}")
            elif at >= since and act == "rule" and json.loads(value).get("do") == "matcher":
                found.append(f"matcher of rule {name}")
        return list(dict.fromkeys(found))


def place(directory: str | None) -> str | None:
    """A directory, unless no path can look like this."""
    try:
        return directory if directory and b"\0" not in os.fsencode(directory) else None
    except ValueError:
        return None


def _text_of(at: float) -> str:
    return as_text(datetime.fromtimestamp(at, UTC))


def _proposal(outcome: Outcome, learned: str | None) -> str:
    """How to make words last."""
    if outcome.flow:
        return f"only words changed: put it into the flow with `steno flows edit {outcome.flow} --step …`"
    return (
        "only words changed: make it a step of a flow (`steno flows add NAME --step …`), or a rule with a matcher "
        "(`steno rules add`, then `steno rules trial ID`)"
    )
