"""What an agent is told, and the proof that it was."""

from typing import Literal

from msgspec import Struct, field

# Tokens a tier may cost at most, counted with our upper bound.
TIER_TOKENS: dict[int, int] = {0: 1_000, 1: 10_000, 2: 15_000, 3: 70_000}
BOOT_TOKENS = 2_000
GATE_TOKENS = 3_000

ReceiptKind = Literal["brief", "boot", "gate"]
# Why something was given: a session started, its context was compacted, a prompt or an action called for it, or
# somebody asked.
Why = Literal["start", "compaction", "prompt", "action", "asked"]
# What a receipt names in place of what was in a text that had to be cut: nobody knows which of it was left.
CUT = "cut"


class Briefing(Struct, frozen=True, kw_only=True):
    """Text for an agent, within a budget."""

    text: str
    tokens: int
    # None: a boot.
    tier: int | None
    session: str | None
    at: str
    # Ids of the entries in it, in order.
    entries: list[str] = field(default_factory=list)
    # Everything in it by name: "goal", "next", "variables", "entry:ID", "rule:ID", "flow:NAME", "turn:N".
    items: list[str] = field(default_factory=list)
    kind: ReceiptKind = "brief"
    agent: str | None = None
    # The last turn of the session it is for.
    turn: int | None = None
    # Why: "entry:ID", "turn:N", "rule:ID", "goal" or "state:branch", each with one short phrase of ours, never words of
    # anybody. What was looked at and left out is named, too.
    because: dict[str, str] = field(default_factory=dict)
    # Of a gate: its verdict, the tool, and the host's id of the call.
    verdict: str | None = None
    tool: str | None = None
    call: str | None = None


class Receipt(Struct, frozen=True, kw_only=True):
    """What was given to whom, and when. Canonical. It names what was in it and holds none of the words."""

    id: int
    at: str
    kind: ReceiptKind
    agent: str | None
    session: str | None
    # The session's last turn when it was given.
    turn: int | None
    tier: int | None
    tokens: int
    items: list[str]
    # Of a gate.
    verdict: str | None
    # None: nobody noted it then.
    why: Why | None = None
    # Why each thing was told, counted, or neither, by name, in fixed phrases. None: nobody noted it then.
    because: dict[str, str] | None = None
    # Of a gate: the tool, and the host's id of the call.
    tool: str | None = None
    call: str | None = None


# Below this share of what work depends on, a loss is a flag.
ENOUGH_KEPT = 0.8

# "present": the host's summary carries it. "restored": our briefing does. "missing": neither.
Fate = Literal["present", "restored", "missing"]


class LossItem(Struct, frozen=True, kw_only=True):
    """One thing that was live before a compaction, and what became of it."""

    # "goal", "phase", "progress", "decision", "rejected", "exclusion", "rule", "variable", "step".
    kind: str
    text: str
    # Id of the entry, where it is one.
    entry: str | None
    # Whether work suffers at once when it is lost.
    critical: bool
    fate: Fate


class Loss(Struct, frozen=True, kw_only=True):
    """What a compaction took."""

    session: str
    # The boundary turn.
    turn: int
    at: str | None
    items: list[LossItem]
    # Characters of the host's summary; 0: it has none.
    summary_characters: int
    # Whether a briefing was given since.
    given: bool

    def share(self, kind: str | None = None, *, critical: bool = False) -> float | None:
        """How much of it is not missing. None: there was nothing of that kind."""
        items = [item for item in self.items if kind in (None, item.kind) and (item.critical or not critical)]
        return sum(item.fate != "missing" for item in items) / len(items) if items else None
