"""What the door of the hooks needs from whoever runs it, and what was said to which session."""

from collections import Counter, OrderedDict
from threading import Lock
from typing import Final, NamedTuple, Protocol

from msgspec import Struct, field

from steno.gates.patience import Patience
from steno.memory import Memory

# Sessions and actions remembered at most; the ones that were quiet longest are let go.
_MOST_SESSIONS: Final = 512
_MOST_ACTIONS: Final = 512


class Talk(Struct, kw_only=True):
    """What one context of an agent was told since we know it."""

    # Ids of entries and rules.
    told: set[str] = field(default_factory=set)
    # Whether it was told how to begin, or to go on after its context was lost.
    briefed: bool = False
    lost: bool = False
    # Prompts of a person so far, and the last one.
    prompts: int = 0
    request: str = ""
    # What it was reminded of before it called a tool.
    patience: Patience = field(default_factory=Patience)
    # Reasons for which an action was sent back to be asked about, and how many prompts there had been.
    sent_back: dict[str, int] = field(default_factory=dict)

    def lose(self, *, goes_on: bool) -> None:
        """The context was compacted, and the work goes on, or cleared: what it was told is gone."""
        self.briefed, self.lost = False, goes_on
        self.told.clear()
        self.patience.forget()


class Tried(NamedTuple):
    """An action we had something to say about, until it is known how it went."""

    agent: str
    text: str
    # The flow it belongs to, and whether it is its last step.
    flow: str | None
    last_step: bool


class Said:
    """What was said to whom. Bounded; forgotten with the daemon, except for what receipts tell."""

    def __init__(self) -> None:
        # What could not be answered, by why.
        self.counts: Counter[str] = Counter()
        # The status line, when it was made, and for which project.
        self.line: tuple[float, str | None, str] | None = None
        self._lock = Lock()
        self._talks: OrderedDict[tuple[str, str], Talk] = OrderedDict()
        self._tried: OrderedDict[str, Tried] = OrderedDict()

    def to(self, session: str, agent_id: str = "") -> Talk | None:
        """What a session, or an agent within it, was told; None: it was never met."""
        with self._lock:
            talk = self._talks.get((session, agent_id))
            if talk is not None:
                self._talks.move_to_end((session, agent_id))
            return talk

    def meet(self, session: str, agent_id: str, talk: Talk) -> Talk:
        """Keep what a session was told; if somebody else met it meanwhile, theirs."""
        with self._lock:
            kept = self._talks.setdefault((session, agent_id), talk)
            while len(self._talks) > _MOST_SESSIONS:
                self._talks.popitem(last=False)
            return kept

    def trying(self, action: str, tried: Tried) -> None:
        """Remember an action by the host's name for it."""
        with self._lock:
            self._tried[action] = tried
            while len(self._tried) > _MOST_ACTIONS:
                self._tried.popitem(last=False)

    def tried(self, action: str) -> Tried | None:
        """What we had to say about an action; once."""
        with self._lock:
            return self._tried.pop(action, None)


class Desk(Protocol):
    """What a hook's answer is made with."""

    @property
    def memory(self) -> Memory:
        """The front desk, warm; nobody else uses it while an answer is made."""

    @property
    def said(self) -> Said:
        """What was said to which session."""

    def flush(self, path: str, session: str | None, seconds: float) -> None:
        """Capture this transcript and let the scribe read that session now; wait for it so long at most."""

    def later(self, path: str | None, session: str | None = None, *, urgent: bool = False) -> None:
        """Look at this transcript soon (None: at all of them), and save where that session stands. Does not wait."""

    def before_compact(self, session: str) -> None:
        """Let a model read this session now, if one may. Does not wait."""
