"""What an agent's message says of the work: done, still to do, about to do, asked, held up. Verbatim sentences."""

import re
from typing import Final

from steno.language.lexicon import lexicon
from steno.language.sentence import sentences
from steno.language.words import squeeze
from steno.scribe.work.clauses import clauses

# A message is read in full up to this length; of a longer one, the beginning and the end, where agents sum up.
_READ: Final = 6000
_SENTENCE: Final = 240
_PER_MESSAGE: Final = 12
# Fewer letters say nothing; so few only that something is done.
_SHORTEST, _SAYS = 4, 12

_SIGNS: Final = re.compile(r"^\W+")
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
        if item and self._under is not None and not lexicon("not_yet").search(text):
            self._under.append(text)
            return
        leads = text.endswith((":", ":**"))
        self._under = self._under if leads else None
        if text.endswith("?"):
            if lexicon("asks_back").search(text):
                self.asked.append(text)
        elif lexicon("held_up").search(text):
            self.held_up.append(text)
        elif lexicon("intent").search(text):
            self.intent = text
        elif lexicon("to_do").search(_SIGNS.sub("", text)):
            self.to_do += [] if leads else [text]
            self._under = self.to_do
        elif lexicon("finished").search(text) and not lexicon("not_yet").search(text):
            self.finished, self._under = True, self.done
            self.done += [text] if len(text) > _SAYS and not leads else []


def stated(text: str) -> list[str]:
    """The clauses of a message that say how things are: no question, no guess, nothing that is yet to come."""
    bare = [span.text.strip("*#-• ") for span in sentences(text[:_READ]) if span.kind not in ("code", "table")]
    told = [one for one in bare if not one.endswith(("?", "？", ":")) and not lexicon("hedge").search(one)]
    return [part for one in told for part in clauses(one) if not lexicon("not_yet").search(part)]


def short(text: str, limit: int = _SENTENCE) -> str:
    """A text on one line, cut at a word where it is too long."""
    text = squeeze(text[: limit * 4])
    return text if len(text) <= limit else f"{text[:limit].rsplit(' ', 1)[0]} …"
