"""A matcher tried on what was done: where it would have fired, and what the human did about it."""

from collections.abc import Iterable
from typing import Final

from msgspec import Struct, field

from steno.language.lexicon import lexicon
from steno.language.tool_call import read
from steno.language.words import squeeze, stems
from steno.rules.matcher import fires
from steno.rules.stance import says_no
from steno.vocabulary import Action, Firing, JournalTurn, Matcher, Reaction, Trial, Turn

# An objection is taken to be about one of the last acts, unless its words name an earlier one.
_NEAR: Final = 3
# Who objects does so at once; further down a long text anything may stand.
_BEGINNING: Final = 300
_LONGEST_WORDS: Final = 200


class _Open(Struct):
    """A firing whose reaction is not known yet."""

    turn: JournalTurn
    action: str
    # Number of the call in its session.
    number: int
    ended: bool = False
    reaction: Reaction | None = None
    words: str = ""


class _Session(Struct):
    """How far one session has been gone through."""

    calls: int = 0
    # Something was denied or interrupted since the last call: a rejection now is of that.
    stopped: bool = False
    open: list[_Open] = field(default_factory=list)


class Replay:
    """Goes through the journal once, in order; only what waits for a reaction is kept, besides the firings."""

    def __init__(self, matcher: Matcher, *, refusals: frozenset[int], own: frozenset[int]) -> None:
        self._matcher = matcher
        # Turns a rejection rests on, and those the rule itself rests on.
        self._refusals = refusals
        self._own = own
        self._sessions: dict[tuple[str, str], _Session] = {}
        self._firings: list[Firing] = []

    def see(self, turns: Iterable[JournalTurn]) -> None:
        """Take in the next turns."""
        for found in turns:
            session = self._sessions.setdefault((found.source, found.session), _Session())
            match found.turn.kind:
                case "call":
                    session.calls, session.stopped = session.calls + 1, False
                    if action := fires(self._matcher, action_of(found.turn)):
                        session.open.append(_Open(found, action, session.calls))
                case "result":
                    for waiting in _meant(session, found.turn):
                        waiting.ended = True
                case "denied":
                    session.stopped = True
                    for waiting in _meant(session, found.turn):
                        waiting.reaction = "refused"
                        waiting.words = found.turn.text if found.turn.by_human else ""
                case "interrupted":
                    session.stopped = True
                    for waiting in session.open:
                        if not waiting.ended and waiting.reaction is None:
                            waiting.reaction = "refused"
                case _:
                    self._hear(session, found)

    def firings(self) -> list[Firing]:
        """All firings, in the order of the journal. Where a session ended before anybody spoke, nothing is known."""
        for session in self._sessions.values():
            self._firings += [_firing(waiting, waiting.reaction or "none") for waiting in session.open]
            session.open = []
        return sorted(self._firings, key=lambda firing: firing.turn)

    def _hear(self, session: _Session, said: JournalTurn) -> None:
        """The human speaks: everything open in this session has its reaction."""
        for waiting in session.open:
            reaction = waiting.reaction or self._judged(session, waiting, said)
            waiting.words = waiting.words or said.turn.text
            self._firings.append(_firing(waiting, reaction))
        session.open = []

    def _judged(self, session: _Session, waiting: _Open, said: JournalTurn) -> Reaction:
        if said.id in self._own:
            return "corrected"
        words = said.turn.text[:_BEGINNING]
        refuses = said.id in self._refusals and not session.stopped
        if not refuses and not objects(words):
            return "accepted"
        near = session.calls - waiting.number < _NEAR
        # Against something else: neither for nor against this one.
        return "corrected" if near or stems(words) & stems(waiting.action) else "none"


def objects(words: str) -> bool:
    """Whether a person's words go against what was just done."""
    said = words[:_BEGINNING]
    cued = lexicon("no").opens(said) or lexicon("pause").opens(said) or lexicon("undo").search(said)
    return bool(cued or lexicon("reproaches").search(said) or any(says_no(said)))


def action_of(turn: Turn) -> Action:
    """A tool call of the journal as the action it was."""
    return Action(agent="", text="", tool=turn.tool or "tool", input=dict(read(turn.tool, turn.text).given))


def weighed(matcher: Matcher, firings: Iterable[Firing], at: str) -> Trial:
    """The figures of a trial: refused or corrected is right, accepted is wrong."""
    reactions = [firing.reaction for firing in firings]
    right = sum(reaction in ("refused", "corrected") for reaction in reactions)
    return Trial(at=at, matcher=matcher, fired=len(reactions), right=right, wrong=reactions.count("accepted"))


def in_words(trial: Trial) -> str:
    """The sentence for a person."""
    if not trial.fired:
        return "would never have fired"
    if trial.fired == 1:
        how = "rightly" if trial.right else "wrongly" if trial.wrong else "whether rightly is not known"
        return f"would have fired once, {how}"
    unknown = trial.fired - trial.right - trial.wrong
    told = f"would have fired {trial.fired:,} times, {trial.right:,} of them rightly"
    return f"{told}, {unknown:,} not known" if unknown else told


def _meant(session: _Session, end: Turn) -> list[_Open]:
    """The open firings a result or a refusal belongs to: by the host's id, else the last one without an end."""
    waiting = [one for one in session.open if not one.ended and one.reaction is None]
    if end.call is not None:
        return [one for one in waiting if one.turn.turn.call == end.call]
    # Only the very last call can be meant.
    return [one for one in waiting[-1:] if one.number == session.calls and one.turn.turn.call is None]


def _firing(waiting: _Open, reaction: Reaction) -> Firing:
    found = waiting.turn
    words = squeeze(waiting.words[: 4 * _LONGEST_WORDS])
    return Firing(
        session=found.session,
        turn=found.id,
        at=found.turn.at,
        tool=found.turn.tool,
        action=waiting.action,
        reaction=reaction,
        words=words if len(words) <= _LONGEST_WORDS else words[: _LONGEST_WORDS - 1] + "…",
    )
