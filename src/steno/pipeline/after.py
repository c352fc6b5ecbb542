"""After an action: one outcome, graded; the flow's record, one entry for what was done, one for what was learnt, and
whether that will last."""

import json
import os
from collections.abc import Iterator
from datetime import datetime
from typing import Final

from msgspec import structs

from steno.gates.grade import holds_lesson, said_before, speaks_of
from steno.gates.tools import changed_since, plain_text
from steno.home import Home
from steno.pipeline.flowbook import Flowbook
from steno.pipeline.rulebook import Rulebook
from steno.sources.common import project_of
from steno.store.gates import LastGate
from steno.store.remembered import digest
from steno.vocabulary import PEOPLE, Entry, Graded, Outcome
from steno.vocabulary.details import Doing
from steno.vocabulary.errors import WrongUse

# Of what an agent tells us.
_LONGEST: Final = 2_000
# How an agent says that it learnt nothing.
_NOTHING: Final = ("", "none")
# How a lesson lasts that belongs to no flow.
_OTHERWISE: Final = "make it a step of a flow, or a rule with a matcher"


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
            learned=None if learned.casefold() in _NOTHING else learned,
            directory=place(outcome.directory),
        )
        flow = self._flows.one(outcome.flow) if outcome.flow else None
        graded = self._kept(outcome, self._store.gates.last(outcome.agent, outcome.session))
        if flow is not None:
            flow = self._flows.outcome(flow.name, outcome.passed, outcome.summary)
        return structs.replace(graded, flow=flow)

    def _kept(self, outcome: Outcome, last: LastGate | None) -> Graded:
        """One record of the outcome. What was done updates the entry of much the same; so does what was learnt."""
        entries, now, project = self._store.entries, self._clock(), self._project(outcome)
        names = [name.partition(":")[::2] for name in (last.items if last is not None else ())]
        stood_in_the_way = {id_ for kind, id_ in names if kind == "reason"}
        shown = {id_ for kind, id_ in names if kind == "rule"} | stood_in_the_way
        spoken_of = speaks_of(outcome, [rule for rule in self._rules.all() if rule.id in shown])
        reinforced, violated = list[str](), list[str]()
        for rule in spoken_of:
            if not outcome.passed and rule.id in stood_in_the_way:
                violated.append(rule.id)
            # What a person said needs no proof.
            elif outcome.passed and rule.origin not in PEOPLE and rule.id not in stood_in_the_way:
                reinforced.append(rule.id)
        known, lesson, changed = None, None, []
        if outcome.learned:
            learnt = entries.all(category="learning", status="active")
            known = said_before(outcome.learned, (one for one in learnt if one.project in (None, project)))
            lesson = known.id if known is not None else entries.remember(
                outcome.learned, "learning", project=project, agent=outcome.agent, now=now, origin="assistant"
            )  # fmt: skip
            changed = list(self._changed(outcome, outcome.learned, last))
        before, state = None, None
        if not outcome.seen:
            before = self._done_before(outcome, project)
            new = digest("state", outcome.agent, project or "", "", outcome.summary)
            state = before.id if before is not None else new
        permanent = bool(changed) if lesson else None
        value = {
            "agent": outcome.agent,
            "project": project,
            "passed": outcome.passed,
            "summary": outcome.summary,
            # The flow counts its own record of it; here it is named.
            "followed": outcome.flow,
            "learned": outcome.learned,
            "lesson": lesson,
            "permanent": permanent,
            "reinforced": reinforced,
            "violated": violated,
            "repeats": known.id if known is not None else None,
            "state": state,
        }
        entries.tell("outcome", "", value, now)
        self._rules.settle(now)
        where = f"put it into the flow {outcome.flow}" if outcome.flow else _OTHERWISE
        return Graded(
            passed=outcome.passed,
            flow=None,
            entry=entries.one(state) if state else None,
            updated=before is not None,
            lesson=entries.one(lesson) if lesson else None,
            repeated=known is not None,
            reinforced=reinforced,
            violated=violated,
            permanent=permanent,
            changed=changed,
            proposal=f"only words changed: {where}" if lesson and not changed else "",
        )

    def _done_before(self, outcome: Outcome, project: str | None) -> Entry | None:
        """What this agent said when it did much the same here."""
        states = self._store.entries.all(category="agent_state", status="active")
        own = (one for one in states if (one.agent, one.project) == (outcome.agent, project))
        return said_before(
            outcome.summary, (one for one in own if isinstance(one.detail, Doing) and one.detail.passed is not None)
        )

    def _clean(self, text: str) -> str:
        return self._scrub(" ".join(text.split()))[:_LONGEST]

    def _project(self, outcome: Outcome) -> str | None:
        facts = self._store.gates.session(outcome.session) if outcome.session else None
        if facts is not None and facts.project is not None:
            return facts.project
        return project_of(os.path.abspath(outcome.directory)) if outcome.directory else None

    def _changed(self, outcome: Outcome, learned: str, last: LastGate | None) -> Iterator[str]:
        """Scripts, schemas, flows and matchers that have to do with a lesson and changed since the action began."""
        facts = self._store.gates.session(outcome.session) if outcome.session else None
        since = last.at if last is not None else facts.started_at if facts is not None else None
        if since is None:
            return
        if outcome.directory:
            for named in changed_since(outcome.directory, datetime.fromisoformat(since).timestamp()):
                path = named.partition(" ")[2]
                if holds_lesson(learned, path, plain_text(outcome.directory, path)):
                    yield named
        made = {
            (act, name) for at, act, name, value in self._store.entries.records() if at >= since and _makes(act, value)
        }
        for act, name in sorted(made):
            if act == "flow":
                flow = self._flows.one(name)
                if holds_lesson(learned, f"{flow.name.replace('-', ' ')} {' '.join(flow.steps)}"):
                    yield f"flow {name}"
            elif holds_lesson(learned, f"{(rule := self._rules.one(name)).rule} {rule.matcher}"):
                yield f"matcher of rule {name}"


def place(directory: str | None) -> str | None:
    """A directory, unless no path can look like this."""
    try:
        return directory if directory and b"\0" not in os.fsencode(directory) else None
    except ValueError:
        return None


def _makes(act: str, value: str) -> bool:
    """Whether a record makes or changes a flow or a matcher."""
    return act == "flow" or (act == "rule" and json.loads(value).get("do") == "matcher")
