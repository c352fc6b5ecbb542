"""What an agent said, cut into parts that know their surroundings; and the moment they were said in."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from steno.language.sentence import Span, sentences
from steno.language.watch import Watch
from steno.language.words import plain as lowered
from steno.scribe.work.calls import changed
from steno.vocabulary import JournalTurn, Window

# A turn longer than this is read at its beginning and its end: findings open an answer, wrap-ups close it.
READ_HEAD, READ_TAIL = 24_000, 8_000
# Sentences up to which a turn is brief; letters up to which the agent has hardly answered, and up to which a person's
# words are only a yes.
BRIEF, HARDLY, ASSENT = 4, 300, 80
# Headings and parts from which on an offer is a whole proposal.
HEADINGS, LONG = 3, 60

# What a sentence is read for: each a file of the lexicon. What the beginning of a turn, or a person's message, and a
# line above a list are read for.
_SENTENCE: Final = Watch(
    *"cause shown figures limits behaves follows defect checked contrast reason negated proposes open_ended own_work "
    "settled wished told failed barred changes refutes hedge confirms narrates persons lesson promise_agent "
    "lasting_fact able offers surprises still_open".split()
)
_OPENING: Final = Watch("concedes", "wraps", "confirms")
_LEAD: Final = Watch("lead_open", "lead_done", "lead_findings")
_MARKER: Final = re.compile(r"^(?:[-*•+–]\s+(?:\[[ xX]\]\s*)?|[(\[]?(?:\d{1,3}|[a-zA-Z])[.)\]]\s+|#+\s+|\\(?=#))+")
_FILLER: Final = re.compile(
    r"^(?:(?:good|great|hmm|yep|yeah|yes|ok|okay|right|so(?! far)|clean|wait|ah|ha|confirmed|interesting|and|but|also|"
    r"perfect|excellent|well|actually|you're (?:absolutely )?right|good (?:catch|point|call|question))\b[\s,.!—–:-]+)+"
    r"(?=\S)",
    re.IGNORECASE,
)
_WRAP_LINE: Final = re.compile(
    r"^[#* \t]*(?:summary|changes|what (?:was|i) (?:done|changed|did)|files (?:modified|changed))\b", re.I | re.M
)


class Part(NamedTuple):
    """A sentence, list item or table row, with what is needed to understand it."""

    span: Span
    # The line that opens the list it stands in, and where that line begins.
    lead: str = ""
    lead_at: int = -1
    heading: str = ""
    # All headings it stands under, in lower case.
    section: str = ""
    # Neighbours in the same paragraph or item.
    before: str = ""
    after: str = ""
    # Number of the paragraph, item or row.
    block: int = 0
    # Whether it only opens the list that follows.
    opens_list: bool = False
    # The words in small letters, and the lexicons that have a cue in them.
    low: str = ""
    signs: frozenset[str] = frozenset()

    @property
    def text(self) -> str:
        return self.span.text

    @property
    def states(self) -> bool:
        """Whether it says that something is so: no question, no announcement, no row of a table."""
        return not self.low.endswith("?") and "narrates" not in self.signs and self.span.kind != "table"


class Moment(NamedTuple):
    """The moment in which an agent's turn was said."""

    # The person's last words, and whether the agent has said next to nothing since.
    human: JournalTurn | None
    first_answer: bool
    asked: bool
    agreed: bool
    objected: bool
    # How the turn ends: with a question to the person, or with the announcement of more work.
    offers: bool
    goes_on: bool
    # The turn sums up finished work.
    wraps: bool
    # The turn opens by giving the person right.
    concedes: bool
    # A long structured proposal: headings, options, and a question at the end.
    proposes: bool
    # The turn has a few sentences only: each weighs more than one among many.
    brief: bool
    # It ends a stretch in which files were changed: what it says is what was made.
    made: bool

    @property
    def reports(self) -> bool:
        """Whether it comes right after the person told or ordered something, and asked nothing."""
        return self.first_answer and not self.asked

    @property
    def answers(self) -> bool:
        return self.first_answer and self.asked


def plain(text: str) -> str:
    """One line without list markers, emphasis and openers such as "Good," or "Hmm,"."""
    bare = _MARKER.sub("", " ".join(text.split())).replace("**", "").replace("|", " ").strip(" :—–")
    return " ".join((_FILLER.sub("", bare) or bare).split())


@lru_cache(maxsize=256)
def lead_signs(line: str) -> frozenset[str]:
    """What a heading or a line above a list says the list is."""
    return _LEAD.heard(lowered(line).strip("#* "))


@lru_cache(maxsize=256)
def opening_signs(text: str) -> frozenset[str]:
    """What the beginning of a message does."""
    return _OPENING.heard(lowered(text).lstrip("#* \n"))


def read(text: str) -> list[Part]:
    """The parts of an agent's words, in order. Code is left out."""
    if len(text) <= READ_HEAD + READ_TAIL:
        return _placed(text, sentences(text))
    head = _placed(text, sentences(text[:READ_HEAD]))
    tail = text[-READ_TAIL:]
    return head + _placed(tail, sentences(tail), len(text) - READ_TAIL)


def _placed(text: str, spans: Sequence[Span], shift: int = 0) -> list[Part]:
    parts: list[Part] = []
    lead: Span | None = None
    headings: list[tuple[int, str]] = []
    block, section = 0, ""
    prose = [span for span in spans if span.kind in ("prose", "item", "heading", "table")]
    for before, span, after in zip([None, *prose], prose, [*prose[1:], None], strict=False):
        left = before if before and _together(text, before, span) else None
        right = after if after and _together(text, span, after) else None
        block += left is None
        if span.kind == "heading":
            headings, lead = _under(headings, span.text), None
            section = lowered(" > ".join(title for _, title in headings))
            continue
        lead = None if span.kind == "prose" and left is None else lead
        part = _lone(span, shift)._replace(
            lead=lead.text if lead else "",
            lead_at=lead.start + shift if lead else -1,
            heading=headings[-1][1] if headings else "",
            section=section,
            before=left.text if left else "",
            after=right.text if right else "",
            block=block,
            opens_list=after is not None and after.kind in ("item", "table") and _leads(span.text),
        )
        parts.append(part)
        if span.kind == "prose" and right is None and _leads(span.text):
            lead = span
    return parts


def _lone(span: Span, shift: int) -> Part:
    low = lowered(plain(span.text))
    placed = span._replace(start=span.start + shift, end=span.end + shift) if shift else span
    return Part(span=placed, low=low, signs=_SENTENCE.heard(low))


def _under(headings: list[tuple[int, str]], line: str) -> list[tuple[int, str]]:
    """The headings a text stands under after one more: those of a higher level, and the new one."""
    title = line.lstrip("# \t")
    level = len(line) - len(title)
    return [*(one for one in headings if one[0] < level), (level, title)]


def _leads(text: str) -> bool:
    return text.rstrip().rstrip("*").endswith(":")


def _together(text: str, left: Span, right: Span) -> bool:
    """Whether two pieces stand in one paragraph or one list item."""
    if left.kind != right.kind or left.kind not in ("prose", "item") or (right.kind == "item" and right.label):
        return False
    return right.start - left.end < 8 and "\n" not in text[left.end : right.start]


def moment(text: str, parts: Sequence[Part], window: Window) -> Moment:
    """What went before a turn and how it ends."""
    human = window.human
    words = lowered(human.turn.text[:2000]).strip() if human else ""
    asked = "?" in words
    objected = human is not None and human.turn.kind == "denied"
    offers = any("offers" in part.signs for part in parts[-4:] if "?" in part.low or "if you" in part.low)
    goes_on = not offers and (text[-80:].rstrip().endswith(":") or "narrates" in parts[-1].signs)
    return Moment(
        human=human,
        first_answer=human is not None and _hardly_answered(human, window),
        asked=asked,
        agreed=human is not None and len(words) < ASSENT and not asked and not objected,
        objected=objected,
        offers=offers,
        goes_on=goes_on,
        wraps=not goes_on and ("wraps" in opening_signs(text[:60]) or bool(_WRAP_LINE.search(text[:READ_HEAD]))),
        concedes="concedes" in opening_signs(text[:60]),
        proposes=offers and (len({part.heading for part in parts}) > HEADINGS or len(parts) > LONG),
        brief=not goes_on and len(parts) <= BRIEF,
        made=not goes_on and any(changed(one) for one in window.done if human is None or one.id > human.id),
    )


def _hardly_answered(human: JournalTurn, window: Window) -> bool:
    since = [said for said in window.said if said.id > human.id and said.turn.role == "assistant"]
    return sum(len(said.turn.text.strip()) for said in since) < HARDLY
