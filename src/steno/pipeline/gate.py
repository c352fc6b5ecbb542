"""The gate: what is known about an action before it is done, and what is learnt from how it went.

What is read from the store is kept in memory until the store changes, so that a warm gate answers within milliseconds.
"""

import os
from collections.abc import Callable
from contextlib import suppress
from itertools import islice
from typing import Final, NamedTuple

from msgspec import structs

from steno.briefing.page import named, page_text, verdict_name
from steno.flows.find import find
from steno.gates.asked import Asked, asked
from steno.gates.leave import asks_for
from steno.gates.match import Index, Match
from steno.gates.tools import Tools, among
from steno.gates.uttered import as_entry
from steno.gates.verdict import Ground, by_flow, by_matcher, by_words, verdict
from steno.home import Home
from steno.pipeline.after import After, place
from steno.pipeline.flowbook import Flowbook
from steno.pipeline.habits import Habits
from steno.pipeline.rulebook import Rulebook
from steno.pipeline.scope import Scope, projects_of
from steno.rules.matcher import Matchers, fires
from steno.store.database import Row
from steno.store.gates import SessionFacts
from steno.tokens import count
from steno.vocabulary import AT_WORK, Action, Briefing, Entry, Flow, Graded, Outcome, Page, Rule, Tool, Verdict
from steno.vocabulary.errors import StoreError, WrongUse
from steno.vocabulary.fleet import Capability

# A rule from this score on is always on the page.
_SHOWN_RULES: Final = 8.0
_MOST_RULES, _MOST_ACTIVE = 8, 5
# An entry about the same subject shares so much of the action's telling words.
_TOUCHES: Final = 0.34
_KNOWN: Final = frozenset({"decision", "fact", "learning", "discovery", "task", "commitment", "context"})
_LONGEST_NAME: Final = 200
_MOST_SCOPES: Final = 50
# So few entries are read anew at once, within some 20 ms: who knows little is never behind.
_AT_ONCE: Final = 500
# Words of which nothing was noted are known of so many sessions of a project.
_SESSIONS: Final = 3
# What was said in the same session so many turns ago needs no reminder.
_LATELY: Final = 20

# Whether an agent may be reminded of what an id stands for, as likely as a number says.
MayRemind = Callable[[str, float], bool]


class _Known(NamedTuple):
    """What was read from the store, and when it would have to be read again."""

    stamp: Row
    state: Row
    words: Index
    by_id: dict[str, Entry]
    projects: frozenset[str | None]
    flows: list[Flow]


class _Rules(NamedTuple):
    """Rules in force somewhere: the highest score first; those with a matcher; ids of those whose command it says."""

    held: list[Rule]
    matching: Matchers
    plain: frozenset[str]


class Gate:
    """Stands before and after an action."""

    def __init__(self, home: Home, rules: Rulebook) -> None:
        self._home, self._store, self._clock = home, home.store, home.clock
        self._rules = rules
        self._tools = Tools()
        self._habits = Habits(home.store)
        self._kept: _Known | None = None
        # Somebody else brings it up to date.
        self._kept_warm = False
        self._names: dict[str, str] = {}
        # Rules in force, and those of them that hold where something was asked before.
        self._in_force: list[Rule] = []
        self._in_scope: dict[Scope, _Rules] = {}

    def before(
        self, action: Action, may_remind: MayRemind = lambda _id, _strength: True, *, given: bool = True
    ) -> Verdict:
        """What stands in the way of an action; where the page is `given` to somebody, also what else is known."""
        agent = self._agent(action.agent)
        if not action.text.strip() and not action.input:
            raise WrongUse("there is no action in an empty text", hint="say what is about to be done")
        session = self._store.gates.session(action.session) if action.session else None
        action = structs.replace(action, agent=agent, directory=place(action.directory))
        known, words = self._known(), asked(action)
        here = projects_of(action, session, known.projects)
        scope = Scope(here, agent, self._store.shares.with_(here, agent))
        rules = self._rules_in(scope)
        matches = self._matches(known, action, words, scope, session)
        page = _page(known, action, matches, scope)
        if given:
            page = self._whole(known, page, words, matches, rules.held, scope)
        grounds = [*_fired(known, action, words, rules.matching), *map(by_words, matches)]
        grounds = [_with_leave(ground, action, words) for ground in grounds]
        grounds += [by_flow(page.flow)] if page.flow is not None and page.flow.needs_approval else []
        answer = verdict(
            page, [one for one in grounds if one.mode != "warn" or may_remind(one.reason.id, one.strength)]
        )
        if given:
            self._note(answer, action, session)
        return answer

    def _matches(
        self, known: _Known, action: Action, words: Asked, scope: Scope, session: SessionFacts | None
    ) -> list[Match]:
        """What was refused and may come again. What was just said here needs no reminder, but may be asked about; nor
        does a command where a matcher says which one is meant, and this is another."""
        habits, plain = self._habits.of(scope.here), self._rules_in(scope).plain if action.tool and words.runs else ()
        said = {_said_in(known.by_id[id_]) for id_ in plain if id_ in known.by_id}
        found = [
            match
            for match in map(self._as_told, known.words.refusals(action, words, scope.holds, habits))
            if (match.sure or not (_said_in(match.entry) in said or _was_just_said(match.entry, session)))
            and self._rules.holds(match.entry)
        ]
        if action.tool:
            self._habits.add(scope.here, words)
        return found

    def _as_told(self, match: Match) -> Match:
        """A match as far as a person lets it go."""
        return match._replace(sure=False) if match.sure and not self._rules.may_ask(match.entry) else match

    def _rules_in(self, scope: Scope) -> "_Rules":
        """Rules in force that concern an action; kept until one of them changes."""
        if self._in_force is not self._rules.in_force() or len(self._in_scope) > _MOST_SCOPES:
            self._in_force, self._in_scope = self._rules.in_force(), {}
        if scope not in self._in_scope:
            held = sorted(filter(scope.holds, self._in_force), key=lambda rule: (-rule.score, rule.id))
            asking = (
                rule for rule in held if rule.mode != "warn" and rule.matcher is not None and rule.matcher.command
            )
            self._in_scope[scope] = _Rules(held, Matchers(held), frozenset(rule.id for rule in asking))
        return self._in_scope[scope]

    def after(self, outcome: Outcome) -> Graded:
        """What is made of how an action went."""
        name = self._agent(outcome.agent)
        after = After(self._home, self._rules)
        return after.grade(structs.replace(outcome, agent=name))

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
        known = self._store.entries.all(status="active")
        entries = [entry for entry in known if entry.origin in AT_WORK]
        said = [found for one in gates.uttered(_SESSIONS) if (found := as_entry(one))]
        self._kept = _Known(
            stamp,
            state,
            Index(entries, gates.refused_calls(), said),
            {entry.id: entry for entry in entries},
            frozenset(entry.project for entry in (*entries, *said)),
            Flowbook(self._home).all("active"),
        )
        return self._kept

    # -- the page ----------------------------------------------------------------------------------------------------

    def _whole(
        self, known: _Known, page: Page, words: Asked, matches: list[Match], rules: list[Rule], scope: Scope
    ) -> Page:
        """With what else is known about the action's subject. A hook shows none of that."""
        touching = known.words.touching(words, _TOUCHES)
        touched = [match.entry for match in touching if scope.holds(match.entry)]
        return structs.replace(
            page,
            active=[entry for entry in touched if entry.category in _KNOWN][:_MOST_ACTIVE],
            rules=_foremost(rules, {match.entry.id for match in matches}),
            tools=self._existing(page.action, words, scope),
        )

    def _existing(self, action: Action, words: Asked, scope: Scope) -> list[Tool]:
        """Tools of the directory, and what else this agent may do there."""
        meant = words.does | words.undoes
        here = self._tools.found(os.path.abspath(action.directory), meant) if action.directory else []
        names = {tool.command for tool in here}
        able = map(_capability, self._store.capabilities.of(self._called(scope), scope.here))
        return [*here, *(tool for tool in among(able, meant) if tool.command not in names)]

    def _called(self, scope: Scope) -> str:
        """Whose place it is where the action happens; else the agent by the name it gives itself."""
        found = (self._store.agents.called(scope.agent, place)[0] for place in sorted(scope.here))
        return next((name for name in found if name != scope.agent), scope.agent)

    # -- who, and what was told --------------------------------------------------------------------------------------

    def _agent(self, name: str) -> str:
        """The agent's name as it is kept: registered at its first use, without secrets."""
        if not name.strip():
            raise WrongUse(
                "an action needs the name of the agent that is about to do it", hint="steno gate before AGENT …"
            )
        if name not in self._names:
            clean = self._home.clean(" ".join(name[:_LONGEST_NAME].encode("utf-8", "replace").decode().split()))
            # A gate that cannot write still answers.
            with suppress(StoreError):
                self._store.gates.meet(clean, self._clock())
            self._names[name] = clean
        return self._names[name]

    def _note(self, answer: Verdict, action: Action, session: SessionFacts | None) -> None:
        """The receipt: names of what was on the page, and the verdict."""
        page, name = answer.page, verdict_name(answer)
        items = [f"entry:{entry.id}" for entry in (*page.rejected, *page.excluded, *page.active)]
        items += [f"rule:{rule.id}" for rule in page.rules]
        items += [f"flow:{page.flow.name}"] if page.flow is not None else []
        items += named(answer)
        page_of = Briefing(
            text="", tokens=count(page_text(answer)), tier=None, session=session.name if session else None, at="",
            items=items, kind="gate", agent=action.agent, turn=session.turn if session else None, verdict=name,
        )  # fmt: skip
        with suppress(StoreError):
            self._store.receipts.put(page_of, "action", self._clock())


def _page(known: _Known, action: Action, matches: list[Match], scope: Scope) -> Page:
    shown = [match.entry for match in matches]
    flows = find(filter(scope.holds, known.flows), action.text[:1000])
    flow = flows[0][0] if flows else None
    return Page(
        action=action,
        domain=flow.domain if flow is not None else "GENERAL",
        flow=flow,
        rejected=[entry for entry in shown if entry.category == "rejected"],
        excluded=[entry for entry in shown if entry.category == "exclusion"],
        rules=[],
    )


def _fired(known: _Known, action: Action, words: Asked, rules: Matchers) -> list[Ground]:
    return [
        by_matcher(rule, known.by_id.get(rule.id), found)
        for rule in rules.likely(action)
        if rule.matcher is not None and _may_fire(rule, words) and (found := fires(rule.matcher, action)) is not None
    ]


def _with_leave(ground: Ground, action: Action, words: Asked) -> Ground:
    """A person who just asked for it need not be asked; what they had said is laid beside the call."""
    asked_for = ground.mode == "ask" and asks_for(action.request, ground.reason.quote or ground.reason.text, words)
    return ground._replace(mode="warn") if asked_for else ground


def _may_fire(rule: Rule, words: Asked) -> bool:
    """Whether a matcher may speak. One that was never tried does not of what only looks; nor does it where it looks
    for words alone: it does not see which way they point."""
    matcher = rule.matcher
    if matcher is None or rule.trial is not None:
        return matcher is not None
    return not words.harmless and (matcher.command is not None or matcher.path is not None)


def _was_just_said(entry: Entry, session: SessionFacts | None) -> bool:
    """Whether a session heard it a few turns ago."""
    if session is None or session.turn is None or entry.session != session.name or not entry.evidence:
        return False
    return session.turn - entry.evidence[0].turn <= _LATELY


def _said_in(entry: Entry) -> int | str:
    """The turn an entry was said in; the entry itself where it was written by hand."""
    return entry.evidence[0].turn if entry.evidence else entry.id


def _capability(one: Capability) -> Tool:
    where = f"{one.about} (in {one.project})" if one.project else one.about
    return Tool(command=one.command, kind="capability", about=where.strip(), healthy=one.passed)


def _foremost(rules: list[Rule], touched: set[str]) -> list[Rule]:
    """Rules that weigh most, those the action touches first."""
    meant = [rule for rule in rules if rule.id in touched]
    shown = (rule for rule in rules if rule.score >= _SHOWN_RULES and rule.id not in touched)
    return [*meant, *islice(shown, _MOST_RULES)][:_MOST_RULES]
