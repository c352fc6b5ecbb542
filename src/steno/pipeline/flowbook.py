"""Flows at the front desk: what people and outcomes tell us is kept as records, and folded into the table of flows."""

import re
from collections.abc import Iterable
from contextlib import suppress
from itertools import groupby
from typing import Any, Final

from steno.flows.find import Near, find
from steno.flows.fold import Record, as_learnt, fold
from steno.home import Home
from steno.language.words import squeeze
from steno.rules.score import holds_for
from steno.store.flows import Extent
from steno.vocabulary import FLOW_STATUSES, Flow
from steno.vocabulary.errors import Overtaken, UnknownFlow, WrongUse

_NAME: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_NAME_LENGTH: Final = 64
_MOST_STEPS: Final = 50
_MOST_TRIGGERS: Final = 20
_TEXT_LENGTH: Final = 500
# Learning reads the whole journal again (60 µs a turn), so it waits until a tenth has come, and not less than this.
_WORTH_LEARNING: Final = 200
# How often learning begins again because something was forgotten meanwhile.
_TRIES: Final = 5
_ORDER: Final = {status: place for place, status in enumerate(("active", "candidate", "retired"))}


class Flowbook:
    """All flows of a store."""

    def __init__(self, home: Home) -> None:
        self._store, self._flows = home.store, home.store.flows
        self._clock, self._scrub = home.clock, home.clean

    # -- looking -----------------------------------------------------------------------------------------------------

    def all(
        self, status: str | None = None, project: str | None = None, at: str | None = None, *, agent: str | None = None
    ) -> list[Flow]:
        """Flows in force first, then candidates, then retired ones; of a project and an agent those that hold for all,
        too, and those that are shared with them.

        `at` asks as of that time.
        """
        if status not in (None, *FLOW_STATUSES):
            raise WrongUse(f"no flow can be {status!r}", hint=f"the choices are {', '.join(FLOW_STATUSES)}")
        flows = self._flows.all() if at is None else self._as_of(at)
        shared = self._store.shares.with_([project or ""], agent)
        wanted = (
            flow
            for flow in flows
            if status in (None, flow.status) and (holds_for(flow, project, agent) or flow.name in shared)
        )
        return sorted(wanted, key=lambda flow: (_ORDER[flow.status], flow.name))

    def find(
        self, text: str, project: str | None = None, near: Near | None = None, *, agent: str | None = None
    ) -> list[tuple[Flow, float]]:
        """The flows in force that a text calls for, the best first."""
        return find(self.all("active", project, agent=agent), text, near)

    def one(self, name: str) -> Flow:
        """The flow called so."""
        flows = {flow.name: flow for flow in self._flows.all()}
        if name not in flows:
            raise UnknownFlow(f"no flow is called {name!r}", hint=_choices(name, list(flows)))
        return flows[name]

    # -- what people and outcomes tell us ----------------------------------------------------------------------------

    def add(
        self, name: str, steps: Iterable[str], triggers: Iterable[str] = (), domain: str = "GENERAL",
        agent: str | None = None, project: str | None = None, needs_approval: bool = False,
    ) -> Flow:  # fmt: skip
        """A person makes a flow; it is in force at once."""
        self._check_name(name)
        given = {"steps": steps, "triggers": triggers, "domain": domain, "agent": agent, "project": project}
        return self._tell("add", name, {**self._clean(given), "needs_approval": needs_approval})

    def edit(
        self, name: str, *, steps: Iterable[str] | None = None, triggers: Iterable[str] | None = None,
        domain: str | None = None, agent: str | None = None, project: str | None = None,
        needs_approval: bool | None = None,
    ) -> Flow:  # fmt: skip
        """A person changes what is given. Other steps make a new version, which starts its own count."""
        flow = self.one(name)
        given = {"steps": steps, "triggers": triggers, "domain": domain, "agent": agent, "project": project}
        changes = self._clean({field: value for field, value in given.items() if value is not None})
        changes |= {} if needs_approval is None else {"needs_approval": needs_approval}
        if not changes:
            raise WrongUse("nothing is to be changed", hint="give the steps, triggers, domain, agent or approval")
        if flow.status == "candidate":
            self._tell("activate", name, _value(flow))
        return self._tell("edit", name, _value(flow) | changes)

    def activate(self, name: str) -> Flow:
        """A person puts a candidate, or a retired flow, in force."""
        flow = self.one(name)
        return flow if flow.status == "active" else self._tell("activate", name, _value(flow))

    def retire(self, name: str) -> Flow:
        """A person takes a flow out of force; a candidate does not come up again."""
        flow = self.one(name)
        return flow if flow.status == "retired" else self._tell("retire", name, _value(flow))

    def outcome(self, name: str, passed: bool, summary: str = "") -> Flow:
        """A flow was followed to its end, and went well or not."""
        words = self._scrub(squeeze(summary))
        value = {"flow": self.one(name).name, "passed": passed, "summary": words}
        self._store.entries.tell("outcome", name, value, self._clock())
        self._fold()
        return self.one(name)

    # -- folding and learning ----------------------------------------------------------------------------------------

    def settle(self) -> None:
        """Bring the table in step with records and journal. Learns anew when the journal has changed enough."""
        for _ in range(_TRIES):
            extent, before = self._flows.extent(), self._flows.learnt_from()
            if not _is_worth_learning(extent, before):
                self._fold()
                return
            with suppress(Overtaken):
                self._fold(self._learn(), extent)
                break
        if extent[1:] != (before[1:] if before else (0, 0)):
            # Words that were forgotten or redacted may have stood in the flows until now.
            self._store.eraser.erase_traces()

    def _fold(self, learnt: list[Flow] | None = None, extent: Extent | None = None) -> None:
        with self._flows.write():
            if extent is not None:
                if self._flows.extent()[1:] != extent[1:]:
                    raise Overtaken("something was forgotten while flows were learnt")
                self._flows.note_learnt(extent)
            candidates = self._candidates() if learnt is None else learnt
            self._flows.put(fold(map(Record._make, self._flows.records()), candidates).values())

    def _learn(self) -> list[Flow]:
        """Candidates of every project, from the whole journal."""
        # The scribe's cues take a third of a second to compile; only learning may wait for them.
        from steno.flows.learn import learn
        from steno.pipeline.stretches import stretches

        found: list[Flow] = []
        for project, sessions in groupby(self._flows.sessions(), key=lambda session: session.project):
            done = [stretch for one in sessions for stretch in stretches(one.name, self._flows.turns(one.id))]
            found += learn(done, project, taken=[flow.name for flow in found])
        return found

    def _candidates(self) -> list[Flow]:
        """What was learnt last, as it was learnt."""
        return [as_learnt(flow) for flow in self._flows.all() if flow.status == "candidate"]

    def _as_of(self, at: str) -> list[Flow]:
        records = (record for record in map(Record._make, self._flows.records()) if record.at <= at)
        learnt = (flow for flow in self._candidates() if flow.created_at <= at)
        return list(fold(records, learnt).values())

    # ----------------------------------------------------------------------------------------------------------------

    def _tell(self, do: str, name: str, value: dict[str, Any]) -> Flow:
        self._store.entries.tell("flow", name, {"do": do, "name": name, **value}, self._clock())
        self._fold()
        return self.one(name)

    def _check_name(self, name: str) -> None:
        if not _NAME.fullmatch(name) or len(name) > _NAME_LENGTH or self._scrub(name) != name:
            better = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:_NAME_LENGTH] or "deploy-to-production"
            raise WrongUse(
                f"{name!r} cannot be a flow's name: lower case letters, digits and hyphens, at most {_NAME_LENGTH}",
                hint=f"for example {better}",
            )
        known = {flow.name: flow.status for flow in self._flows.all()}
        if name in known:
            verb = "edit" if known[name] == "active" else "activate"
            raise WrongUse(f"there is a flow {name!r} already ({known[name]})", hint=f"`steno flows {verb} {name}`")

    def _clean(self, given: dict[str, Any]) -> dict[str, Any]:
        """What a person typed: on one line each, without secrets, within bounds."""
        clean: dict[str, Any] = {}
        for field, value in given.items():
            if field in ("steps", "triggers"):
                clean[field] = [text for text in map(self._text, value) if text]
            else:
                clean[field] = self._text(value) if value else None
        if "steps" in clean and not 0 < len(clean["steps"]) <= _MOST_STEPS:
            raise WrongUse(
                f"a flow has 1 to {_MOST_STEPS} steps, not {len(clean['steps'])}", hint="--step, once for each"
            )
        if len(clean.get("triggers", ())) > _MOST_TRIGGERS:
            raise WrongUse(f"a flow has at most {_MOST_TRIGGERS} triggers", hint="a few short phrases will do")
        if "domain" in clean:
            clean["domain"] = clean["domain"] or "GENERAL"
        return clean

    def _text(self, text: str) -> str:
        clean = self._scrub(squeeze(text))
        if len(clean) > _TEXT_LENGTH:
            raise WrongUse(f"{clean[:40]!r}… is longer than {_TEXT_LENGTH} characters", hint="make several steps of it")
        return clean


def _is_worth_learning(now: Extent, before: Extent | None) -> bool:
    if before is None or now[1:] != before[1:]:
        return True
    return now.turn - before.turn >= max(_WORTH_LEARNING, before.turn // 10)


def _value(flow: Flow) -> dict[str, Any]:
    """A flow as a record holds it."""
    fields = ("steps", "triggers", "domain", "agent", "project", "needs_approval", "created_at")
    return {field: getattr(flow, field) for field in fields}


def _choices(name: str, names: list[str]) -> str:
    if not names:
        return "there is none yet; `steno flows add` makes one"
    from difflib import get_close_matches  # 5 ms that only a wrong name costs

    near = get_close_matches(name, names, n=5, cutoff=0.4) or sorted(names)[:5]
    return f"near it: {', '.join(near)}; `steno flows` lists all"
