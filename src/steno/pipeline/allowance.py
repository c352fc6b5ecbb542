"""Whether a model may be asked now, and about what: the user's budget, hours and places."""

from datetime import timedelta
from functools import cached_property
from typing import Final

from steno.clock import before, is_within
from steno.home import Home
from steno.llm import FORMS, Choice, is_known
from steno.pipeline.leave_out import LeaveOut, whole_path
from steno.store.calls import Failing
from steno.vocabulary.calls import ModelState

_DAY: Final = timedelta(hours=24)
_HOUR: Final = timedelta(hours=1)
_CALLS_AN_HOUR: Final = 12
# After so many failures in a row nobody asks for two to the power of so many minutes, at most six hours.
_LONGEST_WAIT: Final = timedelta(hours=6)


class Allowance:
    """What the user allows."""

    def __init__(self, home: Home) -> None:
        self._store, self._settings = home.store, home.settings
        self._clock, self._clean = home.clock, home.clean

    def state(self) -> ModelState:
        """Whether a model may be asked now, and what is left today."""
        now, first = self._clock(), next(iter(self.choices), Choice(""))
        spent = self._store.calls.since(before(now, _DAY))
        of_tokens, of_money = self._settings["model_tokens_a_day"], self._settings["model_money_a_day"]
        failing, until = self._failing(first), self._down_until(first, now)
        return ModelState(
            model=first.model and self.named(first),
            fallback=self._settings["model_fallback"],
            is_free=first.is_free,
            why_not=self.why_not(now),
            tokens_spent=spent.tokens,
            money_spent=spent.money,
            tokens_left=max(0, of_tokens - spent.tokens) if of_tokens else None,
            money_left=max(0.0, of_money - spent.money) if of_money else None,
            down_until=until,
            problem=failing.problem if failing else None,
        )

    @cached_property
    def choices(self) -> list[Choice]:
        """The model and the one in its place, as far as they are named."""
        named = (("model", "model_url", "model_key"), ("model_fallback", "model_fallback_url", "model_fallback_key"))
        chosen = [Choice(*(self._settings[name].strip() for name in names)) for names in named]
        return [choice for choice in chosen if choice.model] if chosen[0].model else []

    def why_not(self, now: str) -> str:
        """Why none may be asked now, in words for a person. Empty: one may be."""
        if not self.choices:
            return "no model is configured"
        if reason := self._not_at(now):
            return reason
        reasons = [self.why_not_this(choice, now) for choice in self.choices]
        return reasons[0] if all(reasons) else ""

    def why_not_this(self, choice: Choice, now: str) -> str:
        """What keeps us from asking one of them, whatever about."""
        if not is_known(choice):
            return f"no model is called {choice.model!r}: choose {FORMS}"
        if not choice.is_free and not self._settings["model_money_a_day"]:
            return "it costs money and has no budget: model_money_a_day is 0"
        if choice.is_free and not self._settings["model_tokens_a_day"]:
            return "it has no budget: model_tokens_a_day is 0"
        if until := self._down_until(choice, now):
            return f"it failed again and again and is left alone until {until}"
        return self.too_dear(choice, now, 1, 0.0)

    def too_dear(self, choice: Choice, now: str, needed: int, money: float) -> str:
        """Whether the day's budget, or the hour's, has no room for as much."""
        spent = self._store.calls.since(before(now, _DAY))
        if (of_tokens := self._settings["model_tokens_a_day"]) and spent.tokens + needed > of_tokens:
            left = max(0, of_tokens - spent.tokens)
            return f"{left:,} of the {of_tokens:,} tokens of 24 hours are left"
        of_money = self._settings["model_money_a_day"]
        if not choice.is_free and (spent.money >= of_money or spent.money + money > of_money):
            return f"${max(0.0, of_money - spent.money):.4f} of the ${of_money:.4f} of 24 hours are left"
        if self._store.calls.since(before(now, _HOUR)).calls >= _CALLS_AN_HOUR:
            return f"it was asked {_CALLS_AN_HOUR} times within the hour"
        return ""

    def _not_at(self, now: str) -> str:
        """Whether the user wants it left alone at this hour."""
        if not (hours := self._settings["model_hours"].strip()):
            return ""
        try:
            inside = is_within(hours, now)
        except ValueError as error:
            return f"model_hours is {error}"
        return "" if inside else f"it is not its hour: model_hours is {hours}"

    def kept_from_it(self, *places: str | None) -> str:
        """Whether the user keeps something that was said there to themselves."""
        kept = [whole_path(pattern) for pattern in self._settings["model_not_for"]]
        for place in places:
            if place is None and kept:
                return "nobody knows where it was said, and model_not_for keeps some places to themselves"
            if LeaveOut(excluded=[*kept, *(one for one, _ in self._store.control.excluded())], pauses=[]).path(place):
                return "the user keeps this project from models"
        return ""

    def _down_until(self, choice: Choice, now: str) -> str | None:
        failing = self._failing(choice)
        # A failure dated in the future is from before the clock was set: it says nothing about now.
        if failing is None or failing.at > now:
            return None
        until = before(failing.at, -min(timedelta(minutes=2**failing.times), _LONGEST_WAIT))
        return until if until > now else None

    def _failing(self, choice: Choice) -> Failing | None:
        return self._store.calls.failing(self.named(choice)) if choice.model else None

    def named(self, choice: Choice) -> str:
        """A model as the ledger calls it: a command line may hold anything."""
        return self._clean(choice.model)
