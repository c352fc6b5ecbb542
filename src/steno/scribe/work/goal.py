"""The goal of a piece of work: the assignment in the human's words, and what they asked for since.

A request begins a piece of work where there is none; later ones are steps of it, unless the human plainly goes on to
something else. What they pasted, answers, assent and prompts they took back are no requests.
"""

import re
from typing import Final, Literal

from msgspec import Struct, field

from steno.language.lexicon import lexicon
from steno.language.sentence import sentences
from steno.language.words import STOPWORDS, content_words, squeeze, stems
from steno.scribe.close import named, without_end
from steno.scribe.hear import Segment, segments
from steno.scribe.work.message import short
from steno.vocabulary import JournalTurn, Turn

# What a person's words mean for the work at hand.
Meant = Literal["nothing", "step", "new", "go on", "finished", "dropped"]

_ASSIGNMENT, _STEP, _NOW, _LATEST = 700, 240, 400, 140
# Steps that are kept: the last ones.
_STEPS: Final = 3
_READ, _NAME = 8000, 80
_OWN: Final = frozenset({"typed", "list"})
# Words a request needs to be one; to be kept as a step; to be weighed as something else altogether; and the share of
# them that may occur in the work it would leave. Of 23 labelled sessions, two hold more than one piece of work.
_SUBSTANCE, _TELLING, _LONG, _SHARED = 4, 8, 25, 0.1
# Words that say what a short request is about.
_NEW: Final = 3
# A single word that is shorter is an answer; the bare name of a command does not say what the work is.
_SHORT: Final = 12
_CJK: Final = re.compile(r"[\u3040-\u9fff]")
_OTHER_LETTERS: Final = re.compile(r"[^\W\d_a-zA-ZÀ-ÿ]")
_IMAGE: Final = re.compile(r"\[Image[^\]\n]{0,60}\]")
# Words that a host files as the person's.
_WRAPPED: Final = re.compile(r"\s*<(system[_-]instruction|system-reminder)>.*?</\1>\s*", re.DOTALL)
_MACHINE: Final = ("Operation stopped by hook", "Caveat:", "<", "[Request interrupted")
_ASSENT: Final = STOPWORDS | frozenset(
    "ahead agreed continue cool correct fine good great lgtm nice perfect proceed sounds stop thank wait weiter".split()
)
# "A script that backs it up" points at nothing by its "that".
_RELATIVE: Final = re.compile(r"(?<=\b[Aa] )((?:\w+ ){1,3})that\b")
# One sentence and no more.
_ONE: Final = re.compile(r"(?:[^.!?;\n]|\.(?=\w))*[.!?]*\s*")
# Where words that drop the work end.
_PIECE: Final = re.compile(r"(?<=[,;])\s+")
_END: Final = re.compile(r"\s*(?:[.,;:!–—-]\s*|$)")
# What drops the work; and what only takes back what was asked for last.
_DROPS: Final = ("drops_all", "never_mind")
_ASKING: Final = frozenset({"said", "queued", "denied", "command", "delegated", "scheduled"})


class Goal(Struct):
    """What the human wants."""

    # The turn that set the task. None: nobody's, another agent's, or it is over.
    begun: int | None = None
    assignment: str = ""
    # Turn, words and weight of what was asked for since.
    asked_since: list[tuple[int, str, int]] = field(default_factory=list)
    # The agent says that it finished, and the human has asked for nothing since.
    claimed: bool = False
    # Its list of to-dos is finished, and the human has asked for nothing since.
    over: bool = False
    # The turn of a prompt nobody has acted on yet, and whether the one that set the task was taken back.
    fresh: int | None = None
    void: bool = False

    @property
    def text(self) -> str | None:
        """The assignment; on lines below it the steps, the last being where the work stands now."""
        *then, now = self.steps or [""]
        lines = [self.assignment, *(f"Then: {text}" for text in then), *([f"Now: {now}"] if now else [])]
        return "\n".join(lines) if self.assignment else None

    @property
    def steps(self) -> list[str]:
        """What was asked for since the assignment."""
        texts = [text for _, text, _ in self.asked_since]
        return [*(short(text, _STEP) for text in texts[:-1]), *texts[-1:]]

    @property
    def latest(self) -> str:
        """What was asked for last, in short."""
        return short((self.steps or [self.assignment])[-1], _LATEST)

    def agent_acted(self, *, finished: bool = False) -> None:
        """The agent took the prompt up, and may say that it finished."""
        self.fresh = None
        self.claimed = self.claimed or finished

    def stopped(self) -> None:
        """The human stopped the agent: a prompt nobody had acted on was taken back."""
        if self.fresh is not None:
            kept = [step for step in self.asked_since if step[0] != self.fresh]
            self.void, self.asked_since, self.fresh = kept == self.asked_since, kept, None

    def asked(self, turn: JournalTurn, *, answers: bool, known: str | None = None) -> Meant:
        """Somebody spoke: what it means for the work. `answers`: the agent had asked; `known`: the goal of the work
        that a session before this one left open."""
        words, said = request(turn.turn), turn.turn
        if not words or said.kind not in _ASKING:
            return "nothing"
        if said.by_human and (ended := self._ended(words)):
            return ended
        left_open = known if said.by_human and not self.assignment else None
        if left_open and (lexicon("go_on").opens(words) or words == left_open.split("\n")[0]):
            return "go on"
        return self._requested(turn, words, answers=answers)

    def begin(self, turn: JournalTurn, words: str = "") -> None:
        """A new piece of work; `words`: what of the turn asks for it."""
        self.assignment, self.asked_since = short(words or request(turn.turn), _ASSIGNMENT), []
        self.begun = turn.id if turn.turn.by_human else None
        self.claimed = self.over = self.void = False
        self.fresh = turn.id

    def end(self) -> None:
        """The work is over; the next request begins another."""
        self.begun = None

    def _requested(self, turn: JournalTurn, words: str, *, answers: bool) -> Meant:
        too_short = weight(words) == 1 and (len(words) < _SHORT or turn.turn.is_slash)
        left = after_drop(words)
        if too_short or not left or is_assent(left) or _rules(words):
            return "nothing"
        if answers and (lexicon("no").opens(words) or lexicon("refusal").opens(words)):
            return "nothing" if not self.assignment else self._step(turn.id, words)
        over = self.begun is None and turn.turn.by_human
        if over or not self.assignment:
            return "nothing" if lexicon("go_on").opens(words) and weight(words) < _LONG else "new"
        if self.void:
            # The same piece of work, with the words that were meant.
            begun = self.begun
            self.begin(turn)
            self.begun = begun
            return "step"
        if not answers and turn.turn.kind in ("said", "command") and self._is_something_else(words):
            return "new"
        return self._step(turn.id, words)

    def _step(self, turn: int, words: str) -> Meant:
        text = short(words, _NOW)
        known = [self.assignment, *(step[1] for step in self.asked_since)]
        if text in known or words[:_STEP] == self.assignment[:_STEP]:
            return "step"
        # A short one ("commit and push") tells where the work stands only as long as it is the last.
        kept = [step for step in self.asked_since if step[2] >= _TELLING]
        self.asked_since = [*kept[-_STEPS + 1 :], (turn, text, weight(words))]
        self.claimed = self.over = False
        self.fresh = turn
        return "step"

    def _is_something_else(self, words: str) -> bool:
        if short(words, _ASSIGNMENT) == self.assignment:
            return False
        if lexicon("another_task").opens(words) or (self.claimed and lexicon("next_task").opens(words)):
            return weight(words) > _SUBSTANCE
        if not self.claimed or _goes_on(words):
            return False
        said = stems(words[:2000])
        asked = [self.assignment, *(step[1] for step in self.asked_since)]
        if weight(words) >= _LONG:
            return len(said & stems(" ".join(asked), 200)) <= _SHARED * len(said)
        # In few words only what is made anew, and has nothing to do with what was asked for.
        makes = lexicon("making").opens(words) is not None and not lexicon("follow_up").search(words)
        return makes and len(said) >= _NEW and not said & stems(" ".join(asked), 400)

    def _ended(self, words: str) -> Meant | None:
        if not self.assignment:
            return None
        if without_end(words, self.assignment) is not None:
            return "finished"
        kept = [one for one in self.asked_since if not _dropped(words, one[1])]
        if _dropped(words, self.assignment, whole=True):
            return "dropped"
        if kept != self.asked_since or _dropped(words, self.assignment):
            self.asked_since = kept
            return "nothing"
        if self.asked_since and _after("never_mind", words) is not None:
            self.asked_since = self.asked_since[:-1]
            return "nothing"
        return "dropped" if after_drop(words) != words else None


def without_drop(words: str, asked: str) -> str:
    """What else is said by whoever drops what was asked for, by its name or with no name at all."""
    for one in _dropped(words, asked, whole=True):
        words = words.replace(one, "", 1)
    return after_drop(words.strip())


def _dropped(words: str, asked: str, *, whole: bool = False) -> list[str]:
    """What drops something that was asked for by its name; the `whole` of it, where only the verb is left."""
    pieces = [piece for one in sentences(words[:_NOW]) for piece in _PIECE.split(one.text)]
    said = [(piece, named(piece, "dropped")) for piece in pieces]
    asks = stems(asked)
    return [piece for piece, what in said if what and what <= asks and not (whole and len(asks - what) > 1)]


def request(turn: Turn) -> str:
    """What somebody says in their own words, on one line; a plan or a template whole where there is nothing else."""
    text = _WRAPPED.sub("", turn.text[:_READ], count=1)
    if text.startswith(_MACHINE):
        return ""
    if turn.is_slash:
        # What a command is given is the request; its name is not.
        text = text.partition(" ")[2] or text
    cut = segments(text)
    # A name in quotation marks or backticks belongs to the sentence around it.
    own = [text[part.start : part.end] for part in cut if part.kind in _OWN or _is_a_name(text, part)]
    if not any(part.kind in _OWN for part in cut):
        own = [text] if cut and cut[0].kind in ("template", "quoted") else []
    return squeeze(_IMAGE.sub(" ", "".join(own)))


def _is_a_name(text: str, part: Segment) -> bool:
    inline = part.end - part.start <= _NAME and "\n" not in text[part.start : part.end]
    return inline and part.kind in ("quoted", "code")


def is_assent(words: str) -> bool:
    """Yes, go ahead, thanks, b: words that ask for nothing new."""
    if _OTHER_LETTERS.search(words):
        return weight(words) < _SUBSTANCE - 1
    return lexicon("satisfied").covers(words) or not set(content_words(words)) - _ASSENT


def weight(words: str) -> int:
    """How many words; where none are written apart, two signs count as one. A link or a number says much."""
    return len(words.split()) + len(_CJK.findall(words)) // 2 + _SUBSTANCE * ("http" in words or "#" in words)


def after_drop(words: str) -> str:
    """What is said after the work at hand was dropped."""
    return next((left for name in _DROPS if (left := _after(name, words)) is not None), words)


def _after(name: str, words: str) -> str | None:
    """What is said after words that begin so, as a thought of their own; None where they do not."""
    found = lexicon(name).opens(words)
    end = _END.match(words, found.end) if found else None
    return words[end.end() :] if end else None


def _goes_on(words: str) -> bool:
    """Whether words begin with something that points back at what is being talked of."""
    first = _RELATIVE.sub(" ", " ".join(words.split()[:12]))
    return any(lexicon(name).search(first) for name in ("pointer", "refers_back"))


def _rules(words: str) -> bool:
    """Whether one sentence rules or refuses and asks for nothing: it is kept as an entry, and the work goes on."""
    found = lexicon("ruling").opens(words)
    return found is not None and _ONE.fullmatch(words[found.start : 400]) is not None
