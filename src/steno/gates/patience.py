"""When a reminder is worth its tokens: nothing twice, nothing that is still in the agent's context, and few of them."""

from typing import Final

from msgspec import Struct, field

# The same is not said again for so many turns; a call of a tool and what came of it are two.
_TURNS: Final = 20
_OF_CALL: Final = 2
# After that it must be so likely: what stands in the context already is worth a second time only where it is meant.
_AGAIN: Final = 0.25
# From here on it is no guess: a matcher fired, or a person typed a rule that concerns the call.
_PLAIN: Final = 0.9
# Guesses a context may have at once, and what each call adds. With these 4 of 100 accepted calls of real sessions
# were reminded of something; a plain level that costs as much shows a third less of what was refused.
_AT_ONCE, _PER_CALL = 3.0, 0.025


class Patience(Struct, kw_only=True):
    """What one context of an agent was reminded of, and how many more guesses it may have."""

    turns: int = 0
    left: float = _AT_ONCE
    # At which turn it was reminded of an entry or a rule.
    at: dict[str, int] = field(default_factory=dict)

    def called(self) -> None:
        """A tool is about to be called."""
        self.turns += _OF_CALL
        self.left = min(_AT_ONCE, self.left + _PER_CALL)

    def prompted(self) -> None:
        """A person spoke."""
        self.turns += 1

    def keeps_back(self, id_: str, strength: float) -> str:
        """Why it is not reminded of something as likely as this now; empty where it may be."""
        ago = self.turns - self.at[id_] if id_ in self.at else None
        if ago is not None and (ago <= _TURNS or strength < _AGAIN):
            return f"a reminder was given {ago} turns ago"
        return "enough guesses lately" if self.left < 1 and strength < _PLAIN else ""

    def reminded(self, ids: list[str]) -> None:
        """It was."""
        self.left = max(0.0, self.left - 1)
        self.at.update(dict.fromkeys(ids, self.turns))

    def forget(self) -> None:
        """The context was compacted: what was said more than a few turns ago is gone."""
        self.at = {id_: turn for id_, turn in self.at.items() if self.turns - turn <= _TURNS}
