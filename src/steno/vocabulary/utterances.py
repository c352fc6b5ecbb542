"""What a person said in one go, and what it answered: a row of `exchanges`."""

from msgspec import Struct, field

from steno.vocabulary.details import Act, Afterwards, Answered, Call
from steno.vocabulary.turns import Kind


class Sentence(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One sentence, and how it was weighed."""

    text: str
    # What it does, as far as it is at all probable.
    acts: dict[Act, float] = field(default_factory=dict)
    lasting: float = 0.0
    importance: float = 0.0
    # The text of what it names by a letter or a number.
    option: str = ""

    @property
    def corrects(self) -> float:
        """How probable it is that it says no, sets right or tells how it is to be done."""
        reject, correct, instruct = (self.acts.get(act, 0.0) for act in ("reject", "correct", "instruct"))
        return 1 - (1 - reject) * (1 - correct) * (1 - instruct)

    def worth(self, *, stops: bool = False) -> float:
        """How much whoever goes on would miss it: how much it matters, above all where it corrects, settles or asks for
        something. What is only asked in order to understand is answered by now; who stops a call corrects, however they
        put it.

        The shares were set on labelled sessions (benchmarks/recovery.py); around them the figures hardly move.
        """
        corrects = 1.0 if stops else self.corrects
        does = max(corrects, self.lasting, *(self.acts.get(act, 0.0) for act in ("choose", "ask_do", "inform")))
        return self.importance + 0.5 * does - 0.3 * self.acts.get("ask_know", 0.0) * (1 - corrects)


class Utterance(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A person's own words in a turn, with what they answered and what came of it."""

    turn: int
    # Several where one turn answers several questions.
    place: int = 0
    kind: Kind = "said"
    at: str | None = None
    # Only what is plainly their own: nothing pasted or quoted.
    sentences: list[Sentence] = field(default_factory=list)
    # Whether something pasted stood beside it.
    pasted: bool = False
    answers: Answered = ""
    answered: str = ""
    # What was offered beside it and not taken, where it was answered through a tool.
    passed_over: list[str] = field(default_factory=list)
    # The call that was stopped or refused.
    call: Call | None = None
    afterwards: Afterwards = ""

    @property
    def said(self) -> str:
        """The words, on one line."""
        return " ".join(one.text for one in self.sentences)

    @property
    def is_weighed(self) -> bool:
        """Whether somebody weighed what it does."""
        return any(one.acts for one in self.sentences)

    @property
    def worth(self) -> float:
        """That of the sentence that would be missed most."""
        return max((one.worth(stops=self.call is not None) for one in self.sentences), default=0.0)
