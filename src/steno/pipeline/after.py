"""After an action: one outcome, graded; the flow's record, one entry for what was done, one for what was learnt, and
whether that will last."""

import json
import os
from datetime import UTC, datetime
from typing import Any, Final

from msgspec import structs

from steno.clock import as_text
from steno.gates.grade import Grade, grade, said_before
from steno.gates.tools import changed_since
from steno.home import Home
from steno.pipeline.flowbook import Flowbook
from steno.pipeline.rulebook import Rulebook
from steno.sources.common import project_of
from steno.store.gates import LastGate
from steno.store.remembered import digest
from steno.vocabulary import Entry, Graded, Outcome, Rule
from steno.vocabulary.details import Doing
from steno.vocabulary.errors import WrongUse

# Of what an agent tells us.
_LONGEST: Final = 2_000
# How an agent says that it learnt nothing.
_NOTHING: Final = "none"


class After:
    """Takes in one outcome."""

    def __init__(self, home: Home, rules: Rulebook) -> None:
        self._store, self._rules, self._flows = home.store, rules, Flowbook(home)
        self._clock, self._scrub = home.clock, home.clean

    def grade(self, outcome: Outcome) -> Graded:
        """Grade, count for the flow, keep what was done and learnt, and check that something but words changed."""
        if not outcome.summary.strip():
            raise WrongUse("an outcome needs a summary", hint='steno gate after AGENT pass "what was done"')
        learned = self._clean(outcome.learned or "")
        outcome = structs.replace(
            outcome,
            summary=self._clean(outcome.summary),
            learned=None if learned.casefold() in ("", _NOTHING) else learned,
            directory=place(outcome.directory),
        )
        flow = self._flows.one(outcome.flow) if outcome.flow else None
        last = self._store.gates.last(outcome.agent, outcome.session)
        changed = self._changed(outcome, last) if outcome.learned else []
        graded = self._kept(outcome, self._graded(outcome, last), changed)
        if flow is not None:
            flow = self._flows.outcome(flow.name, outcome.passed, outcome.summary)
        return structs.replace(graded, flow=flow)

    def _graded(self, outcome: Outcome, last: LastGate | None) -> Grade:
        """What the outcome says about the rules on the last page."""
        names = dict.fromkeys(name.partition(":")[::2] for name in (last.items if last is not None else ()))
        ids = {id_ for kind, id_ in names if kind in ("rule", "reason")}
        shown: list[Rule] = [rule for rule in self._rules.all() if rule.id in ids]
        return grade(outcome, shown, [id_ for kind, id_ in names if kind == "reason"])

    # -- what was done and learnt --------------------------------------------------------------------------------------

    def _kept(self, outcome: Outcome, graded: Grade, changed: list[str]) -> Graded:
        """One record of the outcome. What was done updates the entry of much the same; so does what was learnt."""
        entries, now, project = self._store.entries, self._clock(), self._project(outcome)
        state = None if outcome.seen else self._state_before(outcome, project)
        lesson = self._lesson_before(outcome.learned, project) if outcome.learned else None
        id_ = lesson.id if lesson is not None else None
        if outcome.learned and lesson is None:
            agent, words = outcome.agent, outcome.learned
            id_ = entries.remember(words, "learning", project=project, agent=agent, now=now, origin="assistant")
        value: dict[str, Any] = {
            "agent": outcome.agent,
            "project": project,
            "passed": outcome.passed,
            "summary": outcome.summary,
            # The flow counts its own record of it; here it is named.
            "followed": outcome.flow,
            "learned": outcome.learned,
            "lesson": id_,
            "permanent": bool(changed) if id_ else None,
            "reinforced": graded.reinforced,
            "violated": graded.violated,
            "repeats": lesson.id if lesson is not None else None,
            "state": None if outcome.seen else state.id if state is not None else _state_id(outcome, project),
        }
        entries.tell("outcome", "", value, now)
        self._rules.settle(now)
        return Graded(
            passed=outcome.passed,
            flow=None,
            entry=entries.one(value["state"]) if value["state"] else None,
            updated=state is not None,
            lesson=entries.one(id_) if id_ is not None else None,
            repeated=lesson is not None,
            reinforced=graded.reinforced,
            violated=graded.violated,
            permanent=value["permanent"],
            changed=changed,
            proposal=_proposal(outcome) if id_ and not changed else "",
        )

    def _state_before(self, outcome: Outcome, project: str | None) -> Entry | None:
        """What this agent said when it did much the same here, or followed the same flow."""
        states = self._store.entries.all(category="agent_state", status="active")
        own = [one for one in states if (one.agent, one.project) == (outcome.agent, project) and _tells_deed(one)]
        same = next((one for one in own if one.id == _state_id(outcome, project)), None)
        return same or (None if outcome.flow else said_before(outcome.summary, own))

    def _lesson_before(self, learned: str, project: str | None) -> Entry | None:
        lessons = self._store.entries.all(category="learning", status="active")
        return said_before(learned, (one for one in lessons if one.project in (None, project)))

    def _clean(self, text: str) -> str:
        return self._scrub(" ".join(text.split()))[:_LONGEST]

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


def _tells_deed(entry: Entry) -> bool:
    return isinstance(entry.detail, Doing) and entry.detail.passed is not None


def _state_id(outcome: Outcome, project: str | None) -> str:
    """Of what follows a flow there is one entry for the flow."""
    what = ("flow", outcome.flow) if outcome.flow else ("", outcome.summary)
    return digest("state", outcome.agent, project or "", *what)


def _proposal(outcome: Outcome) -> str:
    """How to make words last."""
    if outcome.flow:
        return f"only words changed: put it into the flow {outcome.flow}"
    return "only words changed: make it a step of a flow, or a rule with a matcher"
