"""The gate: what is known about an action before it is done, and what is learnt from how it went.

What is read from the store is kept in memory until the store changes, so that a warm gate answers within milliseconds.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Final, NamedTuple

from msgspec import structs

from steno.briefing.page import named, page_text, verdict_name
from steno.flows.find import find
from steno.gates.asked import Asked, asked
from steno.gates.leave import asks_for
from steno.gates.match import Index
from steno.gates.said import as_entry
from steno.gates.tools import among, tools_of
from steno.gates.verdict import Ground, by_flow, by_matcher, by_words, verdict
from steno.home import Home
from steno.language.shell import is_command
from steno.pipeline.after import After, place
from steno.pipeline.flowbook import Flowbook
from steno.pipeline.rulebook import Rulebook
from steno.pipeline.scope import Scope, projects_of
from steno.rules.matcher import fires
from steno.rules.seen import called
from steno.store.database import Row
from steno.store.gates import SessionFacts
from steno.tokens import count
from steno.vocabulary import AT_WORK, Action, Briefing, Entry, Flow, Graded, Outcome, Page, Rule, Tool, Verdict
from steno.vocabulary.errors import StoreError, WrongUse
from steno.vocabulary.fleet import AgentFacts, Capability

_MOST_ACTIVE: Final = 5
_KNOWN: Final = frozenset({"decision", "fact", "learning", "discovery", "task", "commitment", "context"})
# Rules from this score on are counted on the page where they do not concern the action.
_WEIGHTY: Final = 8.0
_LONGEST_NAME: Final = 200
_WANTED: Final = "a person just asked for it"
_MOST_NAMED: Final = 200
# So few entries are read anew at once, within some 20 ms: who knows little is never behind.
_AT_ONCE: Final = 500
# Words of which nothing was noted are known of so many sessions of a project.
_SESSIONS: Final = 3
# What was said in the same session so many turns ago needs no reminder.
_LATELY: Final = 20

# Why an agent is not to be reminded of something as likely as that; empty where it may be.
KeepsBack = Callable[[str, float], str]


class _Known(NamedTuple):
    """What was read from the store, and when it would have to be read again."""

    stamp: Row
    state: Row
    words: Index
    by_id: dict[str, Entry]
    projects: frozenset[str | None]
    flows: list[Flow]


class Gate:
    """Stands before and after an action."""

    def __init__(self, home: Home, rules: Rulebook) -> None:
        self._home, self._store, self._clock = home, home.store, home.clock
        self._rules = rules
        self._kept: _Known | None = None
        # Somebody else brings it up to date.
        self._kept_warm = False
        self._names: dict[str, str] = {}

    def before(
        self, action: Action, keeps_back: KeepsBack = lambda _id, _strength: "", *, given: bool = True
    ) -> Verdict:
        """What stands in the way of an action; where the page is `given` to somebody, also what else is known."""
        agent = self._agent(action.agent)
        if not action.text.strip() and not action.input:
            raise WrongUse("there is no action in an empty text", hint="say what is about to be done")
        session = self._store.gates.session(action.session) if action.session else None
        action = _as_call(structs.replace(action, agent=agent, directory=place(action.directory)))
        known, words = self._known(), asked(action)
        here = projects_of(action, session, known.projects)
        scope = Scope(here, agent, self._store.shares.with_(here, agent))
        rules = [rule for rule in self._rules.in_force() if scope.holds(rule)]
        flow = next((flow for flow, _ in find(filter(scope.holds, known.flows), action.text[:1000])), None)
        grounds = [*self._fired(known, rules, action, words), *self._said(known, action, words, scope)]
        grounds = [_with_leave(ground, action, words) for ground in grounds]
        page = _page(known, rules, grounds, action, flow)
        if given:
            page = self._whole(known, page, words, rules, scope)
        if flow is not None and flow.needs_approval:
            grounds.append(by_flow(flow))
        # What a person typed as a rule is no guess.
        kept_back = [
            _just_said(known.by_id.get(one.reason.id), session)
            or keeps_back(one.reason.id, 1.0 if one.reason.by == "edit" else one.strength)
            # What would have been asked is never kept back, though the person seems to want it now.
            if one.mode == "warn" and one.because != _WANTED else ""
            for one in grounds
        ]  # fmt: skip
        pairs = list(zip(grounds, kept_back, strict=True))[:_MOST_NAMED]
        page = structs.replace(page, because={_name(one): why or one.because for one, why in pairs})
        answer = verdict(page, [one for one, why in pairs if not why])
        if given:
            self._note(answer, action, session)
        return answer

    def _fired(self, known: _Known, rules: list[Rule], action: Action, words: Asked) -> Iterator[Ground]:
        """Rules whose matcher fires. One that was never tried does not at what only looks, nor by a text alone: it does
        not see which way the words point."""
        for rule in rules:
            matcher = rule.matcher
            if matcher is None:
                continue
            blind = matcher.text is not None and not (matcher.command or matcher.path or matcher.family)
            if rule.trial is None and (words.harmless or blind):
                continue
            if (found := fires(matcher, action)) is not None:
                yield by_matcher(rule, known.by_id.get(rule.id), found)

    def _said(self, known: _Known, action: Action, words: Asked, scope: Scope) -> Iterator[Ground]:
        """What was said and concerns the action, as far as a person lets it go."""
        for match in known.words.concerning(action, words, scope.holds):
            if match.sure and not self._rules.may_ask(match.entry):
                match = match._replace(sure=False)
            if self._rules.holds(match.entry):
                yield by_words(match)

    def after(self, outcome: Outcome) -> Graded:
        """What is made of how an action went."""
        name = self._agent(outcome.agent)
        return After(self._home, self._rules).grade(structs.replace(outcome, agent=name))

    # -- what is known -----------------------------------------------------------------------------------------------

    def warm(self) -> None:
        """Bring what is known up to date. Whoever calls this keeps doing so: where it takes long, no answer waits.

        Reading 9,000 entries anew takes a second and a half, which is longer than an agent waits for an answer.
        """
        self._known(wait=True)
        self._kept_warm = True

    @property
    def index(self) -> Index:
        """Entries laid out by their words."""
        return self._known().words

    def _known(self, *, wait: bool = False) -> _Known:
        """What the store says; read again only if entries, records or flows may have changed."""
        gates, kept = self._store.gates, self._kept
        stamp = gates.stamp()
        if kept is not None and kept.stamp == stamp:
            return kept
        state = gates.state()
        if kept is not None and kept.state == state:
            self._kept = kept._replace(stamp=stamp)
            return self._kept
        # Words that were forgotten are told by nobody, however long it takes.
        takes_long = kept is not None and len(kept.by_id) > _AT_ONCE and kept.state[-1] == state[-1]
        if kept is not None and takes_long and self._kept_warm and not wait:
            return kept
        # What was only handed over, or told by who knows whom, stands in nobody's way and is on no page.
        entries = [entry for entry in self._store.entries.all(status="active") if entry.origin in AT_WORK]
        heard = [found for one in gates.uttered(_SESSIONS) if (found := as_entry(one))]
        self._kept = _Known(
            stamp,
            state,
            Index(entries, gates.refused_calls(), heard),
            {entry.id: entry for entry in (*entries, *heard)},
            frozenset(entry.project for entry in (*entries, *heard)),
            Flowbook(self._home).all("active"),
        )
        return self._kept

    # -- the page ----------------------------------------------------------------------------------------------------

    def _whole(self, known: _Known, page: Page, words: Asked, rules: list[Rule], scope: Scope) -> Page:
        """With what else is known about the action's subject. A hook shows none of that."""
        shown = {entry.id for entry in (*page.rejected, *page.excluded)} | {rule.id for rule in page.rules}
        near = known.words.touching(words.does | words.undoes)
        touched = (entry for entry in near if entry.category in _KNOWN and scope.holds(entry))
        name, facts = self._called(scope)
        domain = facts.domains[0] if page.domain == "GENERAL" and len(facts.domains) == 1 else page.domain
        return structs.replace(
            page,
            domain=domain,
            active=[entry for entry, _ in zip(touched, range(_MOST_ACTIVE), strict=False)],
            more=sum(rule.score >= _WEIGHTY and rule.id not in shown for rule in rules),
            tools=self._existing(page, name, words, scope),
        )

    def _existing(self, page: Page, name: str, words: Asked, scope: Scope) -> list[Tool]:
        """Tools of the directory, and what else this agent may do there; also what a step of the flow needs."""
        meant = words.does | words.undoes
        here = among(tools_of(os.path.abspath(page.action.directory)), meant) if page.action.directory else []
        able = _one_each(self._store.capabilities.of(name, scope.here))
        needed = [asked(Action(agent="", text=step)).does for step in page.flow.steps] if page.flow else []
        fits = [tool for wanted in (meant, *needed) for tool in among(able, wanted)]
        known = {tool.command: tool for tool in fits}
        return [*known.values(), *(tool for tool in here if tool.command not in known)]

    def _called(self, scope: Scope) -> tuple[str, AgentFacts]:
        """Whose place it is where the action happens; else the agent by the name it gives itself."""
        found = [self._store.agents.called(scope.agent, place) for place in [*sorted(scope.here)] or [""]]
        return next((one for one in found if one[0] != scope.agent), found[0])

    # -- who, and what was told --------------------------------------------------------------------------------------

    def _agent(self, name: str) -> str:
        """The agent's name as it is kept: registered at its first use, without secrets."""
        if not name.strip():
            hint = "steno gate before AGENT …"
            raise WrongUse("an action needs the name of the agent that is about to do it", hint=hint)
        if name not in self._names:
            clean = self._home.clean(" ".join(name[:_LONGEST_NAME].encode("utf-8", "replace").decode().split()))
            # A gate that cannot write still answers.
            with suppress(StoreError):
                self._store.gates.meet(clean, self._clock())
            self._names[name] = clean
        return self._names[name]

    def _note(self, answer: Verdict, action: Action, session: SessionFacts | None) -> None:
        """The receipt: names of what was on the page, why, and the verdict."""
        page = answer.page
        items = [f"entry:{entry.id}" for entry in (*page.rejected, *page.excluded, *page.active)]
        items += [f"rule:{rule.id}" for rule in page.rules]
        items += [f"flow:{page.flow.name}"] if page.flow is not None else []
        items += named(answer)
        page_of = Briefing(
            text="", tokens=count(page_text(answer)), tier=None, session=session.name if session else None, at="",
            items=items, kind="gate", agent=action.agent, turn=session.turn if session else None,
            because=page.because, verdict=verdict_name(answer), tool=action.tool,
        )  # fmt: skip
        with suppress(StoreError):
            self._store.receipts.put(page_of, "action", self._clock())


def _as_call(action: Action) -> Action:
    """An action by every door alike: a command line that is told in words is a call of a shell; a call without words is
    told by what it runs or touches."""
    if not action.tool and not action.input and is_command(action.text):
        return structs.replace(action, tool="Bash", input={"command": action.text})
    if action.text.strip():
        return action
    made = called(action)
    return structs.replace(action, text=made.command or " ".join([made.tool, made.line[:_LONGEST_NAME]]))


def _page(known: _Known, rules: list[Rule], grounds: list[Ground], action: Action, flow: Flow | None) -> Page:
    """What concerns the action, each in its own section."""
    ids = list(dict.fromkeys(ground.reason.id for ground in grounds))
    entries = [known.by_id[id_] for id_ in ids if id_ in known.by_id]
    held = {rule.id: rule for rule in rules}
    elsewhere = {entry.id for entry in entries if entry.category in ("rejected", "exclusion", "context")}
    return Page(
        action=action,
        domain=flow.domain if flow is not None else "GENERAL",
        flow=flow,
        rejected=[entry for entry in entries if entry.category == "rejected"],
        excluded=[entry for entry in entries if entry.category == "exclusion"],
        said=[entry for entry in entries if entry.category == "context"],
        rules=[held[id_] for id_ in ids if id_ in held and id_ not in elsewhere],
    )


def _name(ground: Ground) -> str:
    """What a ground is called in a receipt."""
    id_, kind = ground.reason.id, ground.reason.kind
    return id_ if id_.startswith("turn:") else f"{kind if kind in ('rule', 'flow') else 'entry'}:{id_}"


def _with_leave(ground: Ground, action: Action, words: Asked) -> Ground:
    """A person who just asked for it need not be asked; what they had said is laid beside the call."""
    if ground.mode == "ask" and asks_for(action.request, ground.reason.quote or ground.reason.text, words):
        return ground._replace(mode="warn", because=_WANTED)
    return ground


def _just_said(entry: Entry | None, session: SessionFacts | None) -> str:
    """Why a session needs no reminder of what it heard a few turns ago; empty where it did not."""
    if entry is None or session is None or session.turn is None or entry.session != session.name or not entry.evidence:
        return ""
    return "said here a few turns ago" if session.turn - entry.evidence[0].turn <= _LATELY else ""


def _one_each(found: list[Capability]) -> list[Tool]:
    """Capabilities by their commands: told and found by a scan are one, as well as its worst check says."""
    tools = {}
    for one in sorted(found, key=lambda one: (True, None, False).index(one.passed)):
        where = f"{one.about} (in {one.project})" if one.project else one.about
        command = " ".join(one.command.split()).removeprefix("./")
        tools[command] = Tool(command=command, kind="capability", about=where.strip(), healthy=one.passed)
    return list(tools.values())
