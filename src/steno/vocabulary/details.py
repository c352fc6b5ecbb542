"""What an entry keeps beyond its sentence, by category: fields, so that nobody reads our own English back.

Every detail has the same three parts: the stance (what is refused or wanted, and why), the exchange (the person's words
with what they answered and what came of it), and how the words were weighed.
"""

from collections.abc import Mapping
from typing import Any, Final, Literal, TypeAlias

import msgspec
from msgspec import Struct, field

# What words do.
Act = Literal[
    "reject",  # says no to something done, proposed or assumed
    "correct",  # sets a fact or an understanding right
    "choose",  # settles on something
    "approve",  # accepts a proposal or a result
    "instruct",  # tells how it is to be done from now on
    "ask_do",  # asks for something to be done now
    "ask_know",  # asks in order to understand
    "report",  # says what fails, or was seen
    "inform",  # gives background
    "other",  # greets, thanks, goes on
]
# What a person's words answer.
Answered = Literal[
    "",
    "call",  # a tool call they stopped or refused
    "option",  # one of several things put to them
    "question",  # a question asked of them
    "proposal",  # what the agent offered or was about to do
    "words",  # the last thing the agent said
]
# What came of it, as far as the session shows.
Afterwards = Literal[
    "",
    "ran later",  # the stopped call was run after all, with the person's leave
    "ran anyway",  # it was run and nobody had allowed it
    "redone",  # it was done another way
    "reverted",  # what was done was taken back right after
    "said again",  # the person had to repeat themselves
]
# How far a person's words reach.
Reach = Literal[
    "work",  # for the piece of work at hand
    "standing",  # until a person says otherwise
]


class Call(Struct, frozen=True, omit_defaults=True):
    """A tool call: which tool, and what it was given, in one line."""

    tool: str
    # The command, or the path, or the first words of what it was given.
    given: str = ""


class Exchange(Struct, frozen=True, omit_defaults=True):
    """What a person said, whole, and what they answered. A reader who sees it needs no label from us."""

    said: str = ""
    kind: Answered = ""
    # Verbatim: the option with its text, the question, the sentence that proposed.
    answered: str = ""
    call: Call | None = None
    afterwards: Afterwards = ""


class Stance(Struct, frozen=True, omit_defaults=True):
    """Where somebody stands. Each in words that were said; empty where nothing was."""

    refused: str = ""
    wanted: str = ""
    why: str = ""
    # When it ends or may be reopened.
    until: str = ""
    reach: Reach = "work"
    # Whether it forbids or orders in so many words ("never", "always", "I don't want"), so that the gate may ask.
    binds: bool = False


class Weight(Struct, frozen=True, omit_defaults=True):
    """How the words were weighed: what they do, and how probable that is, that it lasts, and that it matters."""

    act: Act = "other"
    probability: float = 0.0
    lasting: float = 0.0
    importance: float = 0.0


class Detail(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="keeps", tag=str.lower):
    """What every detail keeps."""

    stance: Stance = Stance()
    exchange: Exchange = Exchange()
    weight: Weight = Weight()
    # Names of what it is about: files, commands, identifiers.
    about: list[str] = field(default_factory=list)
    # One sentence on it in a model's words, checked against what was said. Never a rule's text.
    line: str = ""

    @property
    def what(self) -> str:
        """What it comes to, in words that were said; empty where they say nothing by themselves."""
        return self.stance.wanted or self.stance.refused

    @property
    def why(self) -> str:
        """The reason that was given."""
        return self.stance.why


class Decided(Detail, frozen=True, kw_only=True, omit_defaults=True):
    """A decision. The choice is what the stance wants."""

    # The question it settles.
    question: str = ""
    # Options that were not taken.
    options: list[str] = field(default_factory=list)
    risks: str = ""
    # How to undo it if it proves wrong.
    if_wrong: str = ""
    task: str = ""
    phase: str = ""


class Rejected(Detail, frozen=True, kw_only=True, omit_defaults=True):
    """A no. What it is said to is what the stance refuses."""

    @property
    def what(self) -> str:
        """What was refused: what the words name, else the call, else what they answer."""
        call = self.exchange.call
        return self.stance.refused or (f"{call.tool} {call.given}" if call else self.exchange.answered)


class Instructed(Detail, frozen=True, kw_only=True, omit_defaults=True):
    """A standing instruction (what the stance wants, or refuses) or a preference."""

    preference: bool = False


class Failed(Detail, frozen=True, kw_only=True, omit_defaults=True):
    """An approach that failed."""

    approach: str = ""
    cause: str = ""
    symptom: str = ""
    task: str = ""

    @property
    def what(self) -> str:
        """What was tried."""
        return self.approach

    @property
    def why(self) -> str:
        """Why it failed."""
        return self.cause


class Todo(Detail, frozen=True, kw_only=True, omit_defaults=True):
    """A task or a commitment."""

    owner: Literal["", "user", "agent"] = ""
    due: str = ""
    # It was done before it was laid aside.
    resolved: bool = False


class Known(Detail, frozen=True, kw_only=True, omit_defaults=True):
    """A discovery, a lesson, a fact, or the situation."""

    # Until when it holds.
    due: str = ""


class Doing(Known, frozen=True, kw_only=True, omit_defaults=True):
    """The state of an agent."""

    # How what it did last went. None: it tells what an agent is or can do.
    passed: bool | None = None


AnyDetail: TypeAlias = Decided | Rejected | Instructed | Failed | Todo | Known | Doing
DETAILS: Final[Mapping[str, type[AnyDetail]]] = {
    "decision": Decided,
    "rejected": Rejected,
    "rule": Instructed,
    "exclusion": Failed,
    "task": Todo,
    "commitment": Todo,
    "discovery": Known,
    "learning": Known,
    "fact": Known,
    "context": Known,
    "agent_state": Doing,
}


def detail_of(category: str, stored: Mapping[str, Any]) -> AnyDetail:
    """A detail as it was stored. Fields of another version are left out; the category says which detail it is."""
    kept = {name: value for name, value in stored.items() if name != "keeps"}
    try:
        return msgspec.convert(kept, DETAILS[category])
    except msgspec.ValidationError:
        # An older version kept it in another form; reading the session again makes it anew.
        return DETAILS[category]()


def as_stored(detail: AnyDetail) -> dict[str, Any]:
    """A detail as it is stored and printed: only what is there."""
    found: dict[str, Any] = msgspec.to_builtins(detail)
    return {name: value for name, value in found.items() if value and name != "keeps"}
