"""Trials: a rule's matcher replayed over every tool call where the rule holds, before it may stand in anybody's way."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec

from steno.home import Home
from steno.rules.matcher import FIELDS, check
from steno.rules.trial import Replay, weighed
from steno.vocabulary import Firing, Matcher, Rule, Trial
from steno.vocabulary.errors import WrongUse

if TYPE_CHECKING:
    from steno.pipeline.rulebook import Rulebook


class Trials:
    """Tries matchers on the journal, and keeps how they did as records."""

    def __init__(self, home: Home, rules: "Rulebook") -> None:
        self._store, self._clock, self._clean = home.store, home.clock, home.clean
        self._rules = rules

    def trial(
        self, id_: str, matcher: Matcher | None = None, progress: Callable[[int], None] = lambda _: None
    ) -> tuple[Rule, Trial, list[Firing]]:
        """Try a rule's matcher; a matcher that is given is set first, in mode `warn`.

        The rule after the trial, the figures, and every place where it would have fired.
        """
        rule = self._set(id_, matcher) if matcher is not None else self._rules.living(id_)
        if rule.matcher is None:
            raise WrongUse(
                f"the rule {rule.id} has no matcher to try",
                hint=rf'give it one: `steno rules trial {rule.id} --matcher-command "^npm\b"`',
            )
        firings = self._replay(rule, rule.matcher, progress)
        trial = weighed(rule.matcher, firings, self._clock())
        return self._rules.tell(rule.id, {"do": "trial", "trial": msgspec.to_builtins(trial)}), trial, firings

    def _set(self, id_: str, matcher: Matcher) -> Rule:
        check(matcher)
        for pattern in filter(None, (getattr(matcher, name) for name in FIELDS)):
            if self._clean(pattern) != pattern:
                raise WrongUse("a pattern holds what looks like a secret", hint="name something else to find")
        told = {"do": "matcher", "matcher": msgspec.to_builtins(matcher), "mode": "warn"}
        return self._rules.tell(self._rules.living(id_).id, told)

    def _replay(self, rule: Rule, matcher: Matcher, progress: Callable[[int], None]) -> list[Firing]:
        entries = self._store.entries
        own = frozenset(evidence.turn for entry in entries.some([rule.id]) for evidence in entry.evidence)
        rejected = entries.all(category="rejected")
        refusals = frozenset(entry.evidence[0].turn for entry in rejected if entry.evidence)
        replay = Replay(matcher, refusals=refusals, own=own)
        for portion in self._store.journal.acts(rule.project):
            replay.see(portion)
            progress(len(portion))
        return replay.firings()
