"""The words of the house as frozen values. No input, no output, no imports from other rooms."""

from steno.vocabulary.briefings import (
    BOOT_TOKENS,
    GATE_TOKENS,
    TIER_TOKENS,
    Briefing,
    Fate,
    Loss,
    LossItem,
    Receipt,
    ReceiptKind,
)
from steno.vocabulary.checkpoints import (
    Checkpoint,
    Phase,
    Repository,
    Request,
    ResultKind,
    Run,
    Trail,
    TrailCommand,
    TrailFailure,
    TrailFile,
    TrailItem,
    TrailResult,
    TrailTest,
)
from steno.vocabulary.entries import (
    AT_WORK,
    CATEGORIES,
    PEOPLE,
    STATUSES,
    TELLERS,
    Candidate,
    Category,
    Certainty,
    Entry,
    EntryStatus,
    Evidence,
    Origin,
    Quote,
    Tag,
    Window,
)
from steno.vocabulary.errors import StenoError
from steno.vocabulary.flows import FLOW_STATUSES, Flow, FlowRecord, FlowStatus, Health
from steno.vocabulary.gates import Action, Allow, Ask, Block, Graded, Outcome, Page, Reason, Tool, Verdict, Warn
from steno.vocabulary.reports import (
    Captured,
    Check,
    Coverage,
    Forgotten,
    Found,
    Here,
    Hit,
    Imported,
    Learnt,
    Neighbour,
    Problem,
    Recallable,
    Scope,
    SessionCaptured,
    Status,
    Vitals,
)
from steno.vocabulary.reviews import Answer, Contradiction, Ending, HeldPage, Offer, Review, Writer
from steno.vocabulary.rules import MODES, RULE_STATUSES, Firing, Matcher, Mode, Reaction, Rule, RuleStatus, Trial
from steno.vocabulary.sessions import FROM_FILES, HEARSAY, Session, SessionKind
from steno.vocabulary.transcripts import Batch, Read, Transcript, Watermark
from steno.vocabulary.turns import HUMAN_KINDS, ROLES, JournalTurn, Kind, Role, Turn
