"""The goal: what the human wants, in their words. A new piece of work replaces it, a follow-up says where it stands."""

import re
from typing import Any, Final

from steno.scribe.checkpoint_words import short
from steno.vocabulary import Turn

_GOAL: Final = 700
_NOW: Final = 400
_EARLIER: Final = 8
# Words a request needs to be more than an answer or a nudge.
_SUBSTANCE: Final = 4
_LONG: Final = 25

_NUDGE: Final = re.compile(
    r"\W*(?:yes|yep|yeah|no|nope|ok(?:ay)?|sure|continue|go (?:ahead|on)|do it|thanks?|thank you|great|cool|nice|"
    r"perfect|good|stop|wait|proceed|please|try again|lgtm|[a-d]|\d)\W*|"
    r"(?:\W*(?:yes|yep|yeah|ok(?:ay)?|sure|right|ah|oh)\b)*\W*(?:that'?s|that is|this is|it'?s|all|looks|sounds) "
    r"(?:\w+ )?(?:fine|good|ok(?:ay)?|great|right|perfect|correct|true|acceptable)"
    r"(?: for now| by me| with me| to me)?\W*",
    re.IGNORECASE,
)
_NEW: Final = re.compile(
    r"\W*(?:(?:ok(?:ay)?|alright|great|cool|nice|perfect|good|thanks?|thank you|so|done)[,.!\s]+){0,3}"
    r"(?:new (?:task|topic|feature|goal)\b|next (?:task|up|thing|item)\b|next[:,]|moving on\b|"
    r"let'?s (?:move on|switch|start|begin|work) (?:on|to|with)?|"
    r"(?:a )?(?:different|another) (?:task|topic|thing|issue)\b|"
    r"now (?:let'?s|i want|i'd like|i need|please|implement|add|fix|build|create|write|refactor)\b|"
    r"implement the following plan\b)",
    re.IGNORECASE,
)
_SAME: Final = re.compile(
    r"\b(?:actually|instead|also|btw|by the way|still|again|wait|hmm|nope|that|those|these|it)\b", re.IGNORECASE
)
_REQUEST: Final = re.compile(
    r"\W*(?:please|can you|could you|i(?:'d)? (?:want|need|like|would like)|we (?:need|want|should)|let'?s|add|build|"
    r"change|check|create|debug|delete|deploy|design|document|fix|find|implement|improve|investigate|make|migrate|move|port|"
    r"refactor|release|remove|rename|replace|research|review|rewrite|run|set ?up|test|update|upgrade|write|help)\b",
    re.IGNORECASE,
)
# One sentence that rules or refuses and asks for nothing. It is kept as an entry; the work goes on as it was.
_RULING: Final = re.compile(
    r"\W*(?:(?:no|nope|nein|please|and|also|btw)[,.!\s]+){0,3}"
    r"(?:never|don'?t|do not|always|from now on|nie(?:mals)?|immer)\b[^.!?;\n]*[.!?]*\s*",
    re.IGNORECASE,
)
# Not the person's words, though their host files them there.
_MACHINE: Final = ("Operation stopped by hook", "Caveat:", "<", "[Image", "[Request interrupted")
_PASTE: Final = re.compile(
    r"```|^\s*(?:at |File \"|Traceback|\w+Error:|\{\"|\d{4}-\d\d-\d\d|[A-Z][a-z]{2} [ \d]\d )", re.MULTILINE
)


class Goal:
    """What the human wants now. `finished` is told by the agent's words and makes room for the next goal."""

    def __init__(self, state: dict[str, Any]) -> None:
        self._main: str | None = state.get("main")
        self._now: str | None = state.get("now")
        self._finished: bool = state.get("finished", False)
        # Whose words the goal is: a person's replace what another agent or a timer asked for.
        self._by_human: bool = state.get("by_human", False)
        self._earlier: list[str] = list(state.get("earlier", []))

    @property
    def state(self) -> dict[str, Any]:
        return {
            "main": self._main,
            "now": self._now,
            "finished": self._finished,
            "by_human": self._by_human,
            "earlier": list(self._earlier),
        }

    @property
    def text(self) -> str | None:
        return f"{self._main}\nNow: {self._now}" if self._main and self._now else self._main

    @property
    def now(self) -> str | None:
        """The last thing asked for."""
        return self._now or self._main

    def agent_finished(self) -> None:
        self._finished = True

    def asked(self, turn: Turn) -> bool:
        """Somebody asks for something. Whether it was a request, and not a nudge."""
        words = own_words(turn.text)
        count = len(words.split())
        if not is_request(words):
            return False
        if self._main is None or (turn.by_human and not self._by_human) or self._is_new(words, count):
            self._replace(words, by_human=turn.by_human)
        elif short(words, _GOAL) != self._main:
            self._now = short(words, _NOW)
            self._finished = False
        return True

    def _is_new(self, words: str, count: int) -> bool:
        if _NEW.match(words):
            return count > _SUBSTANCE
        head = " ".join(words.split()[:12])
        return self._finished and count >= _LONG and bool(_REQUEST.match(words)) and not _SAME.search(head)

    def _replace(self, words: str, *, by_human: bool) -> None:
        new = short(words, _GOAL)
        if self._main is not None and new != self._main:
            self._earlier = [*self._earlier, self._main][-_EARLIER:]
        self._main, self._now, self._finished, self._by_human = new, None, False, by_human


def own_words(text: str) -> str:
    """A message without what was pasted into it, unless there is nothing else."""
    head = text[:8000].strip()
    found = _PASTE.search(head)
    return head[: found.start()].strip() if found and found.start() > 20 else head


def is_request(words: str) -> bool:
    """Whether words ask for something, or tell enough to work on."""
    if not words or words.startswith(_MACHINE) or _NUDGE.fullmatch(words[:60]) or _RULING.fullmatch(words[:400]):
        return False
    return len(words.split()) >= _SUBSTANCE or "http" in words or "#" in words or len(words) >= 12
