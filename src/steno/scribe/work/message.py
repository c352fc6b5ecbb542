"""What an agent's message says of the work: done, still to do, about to do, asked, held up. Verbatim sentences."""

import re
from typing import Final

from steno.language.clauses import clauses
from steno.language.lexicon import lexicon
from steno.language.sentence import sentences
from steno.language.words import squeeze

# A message is read in full up to this length; of a longer one, the beginning and the end, where agents sum up.
_READ: Final = 6000
_SENTENCE: Final = 240
_PER_MESSAGE: Final = 12
# Fewer letters say nothing; so few only that something is done.
_SHORTEST, _SAYS = 4, 12

_FINISHED: Final = re.compile(
    r"\b(?:done|completed?|finished|fixed|committed|pushed|merged|implemented|resolved|posted|replied|deployed|"
    r"released|verified|all (?:\w+ ){0,3}(?:tests|checks) (?:\w+ )?pass(?:ed|ing)?|tests? (?:now )?pass(?:es|ed)?|"
    r"all green|all (?:clean|passing)|works now|now works?|passes (?:now|cleanly))\b|✅",
    re.IGNORECASE,
)
_NOT_YET: Final = re.compile(
    r"\b(?:not|never|isn't|aren't|haven't|hasn't|wasn't|won't|didn't|doesn't|will|I'll|we'll|let me|let's|should|would|"
    r"could|can|need(?:s|ed)? to|have to|going to|about to|once|if|until|before|when|unless|todo|pending|remaining|"
    r"want me|before we|depending)\b|\?",
    re.IGNORECASE,
)
_TO_DO: Final = re.compile(
    r"^(?:\W*)(?:next(?: steps?| up)?\b|remaining\b|still (?:to do|open|need|missing|left)|to-?do\b|left to do|"
    r"follow-?ups?\b|outstanding\b|left: |not yet\b)"
    r"|\b(?:remains? to|still (?:need(?:s|ed)?|to do|left|open|missing|pending)|"
    r"left to do|(?:we|I|you) (?:still )?need to|not yet (?:done|implemented|fixed|committed|pushed)|next steps?)\b",
    re.IGNORECASE,
)
_INTENT: Final = re.compile(
    r"(?:^|[.:,—–-] |\b(?:now|so|good|ok(?:ay)?|next|first|then)[,.!]? )(?:let me|let's|I'll|I will|I'm going to|"
    r"I need to|also need to|need to|the fix(?: is)?:|we need to)\b",
    re.IGNORECASE,
)
_ASKED: Final = re.compile(
    r"\b(?:want me to|would you like|should (?:I|we)|shall (?:I|we)|do you want|let me know|"
    r"which (?:one|of|option|would)|have you|did you|can you (?:confirm|check|try|tell)|ready to|ok to|okay to|"
    r"your call|what do you think|thoughts)\b",
    re.IGNORECASE,
)
_HELD_UP: Final = re.compile(
    r"\b(?:blocked (?:by|on|until)|waiting (?:for|on)|can(?:'|no)t proceed|unable to|stuck on|depends on your|"
    r"(?:waits? for|awaits?|awaiting|need|ready for) your (?:input|decision|approval|answer|review|ok)|"
    r"please approve)\b",
    re.IGNORECASE,
)
_MARKS: Final = re.compile(r"^(?:[-*+•]\s+|\d{1,3}[.)]\s+|#{1,6}\s+|>\s?)+")


class Message:
    """What a message says of the work, each list in its order."""

    def __init__(self, text: str) -> None:
        self.done: list[str] = []
        self.to_do: list[str] = []
        # What the agent is about to do: its last such sentence.
        self.intent = ""
        self.asked: list[str] = []
        self.held_up: list[str] = []
        # Whether the message says that something was finished.
        self.finished = False
        # What the points of a list below the last sentence are.
        self._under: list[str] | None = None
        for span in sentences(text if len(text) <= _READ else f"{text[: _READ // 2]}\n\n{text[-_READ // 2 :]}"):
            if span.kind not in ("code", "table") and len(span.text) >= _SHORTEST:
                self._take(short(_MARKS.sub("", span.text)), item=span.kind == "item")
        del self.done[_PER_MESSAGE:], self.to_do[_PER_MESSAGE:], self.asked[:-3], self.held_up[3:]

    def _take(self, text: str, *, item: bool) -> None:
        if item and self._under is not None and not _NOT_YET.search(text):
            self._under.append(text)
            return
        leads = text.endswith((":", ":**"))
        self._under = self._under if leads else None
        if text.endswith("?"):
            if _ASKED.search(text):
                self.asked.append(text)
        elif _HELD_UP.search(text):
            self.held_up.append(text)
        elif _INTENT.search(text):
            self.intent = text
        elif _TO_DO.search(text):
            self.to_do += [] if leads else [text]
            self._under = self.to_do
        elif _FINISHED.search(text) and not _NOT_YET.search(text):
            self.finished, self._under = True, self.done
            self.done += [text] if len(text) > _SAYS and not leads else []


def stated(text: str) -> list[str]:
    """The clauses of a message that say how things are: no question, no guess, nothing that is yet to come."""
    bare = [span.text.strip("*#-• ") for span in sentences(text[:_READ]) if span.kind not in ("code", "table")]
    told = [one for one in bare if not one.endswith(("?", "？", ":")) and not lexicon("hedge").search(one)]
    return [part for one in told for part in clauses(one) if not _NOT_YET.search(part)]


def short(text: str, limit: int = _SENTENCE) -> str:
    """A text on one line, cut at a word where it is too long."""
    text = squeeze(text[: limit * 4])
    return text if len(text) <= limit else f"{text[:limit].rsplit(' ', 1)[0]} …"
