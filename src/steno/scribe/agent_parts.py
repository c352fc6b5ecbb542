"""What an assistant said, cut into parts that know their surroundings; and the scene they were said in."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from steno.scribe.agent_hear import Heard, hear
from steno.scribe.text import Span, sentences
from steno.vocabulary import JournalTurn, Window

# A turn longer than this is read at its beginning and its end: findings open an answer, wrap-ups close it.
READ_HEAD, READ_TAIL = 24_000, 8_000
# Sentences up to which a turn is brief.
BRIEF = 4

OFFERS = re.compile(
    r"\b(?:want me to|want to (?:proceed|continue|tackle|start|verify|go)|do you want|should i|shall i|"
    r"shall we|should we|"
    r"would you (?:like|prefer|rather)|ready to (?:start|begin|proceed)|ok to|okay to|may i|can i|"
    r"let me know|what(?:'s| is) your (?:take|preference|call)|what do you (?:think|prefer)|which (?:one|"
    r"would|do you|option)|"
    r"if you(?:'d like| want|'d prefer| prefer),? i (?:can|could)|i can also|say the word|sound good|"
    r"does (?:this|that|it) (?:look|sound|work|make sense|address|match))\b",
)
CONCEDES = re.compile(
    r"(?:ah |oh |yes|yeah|yep|ok|okay|hmm|ha)?[,!. ]*(?:you're (?:absolutely |completely )?right|(?:good|"
    r"great|fair|excellent) (?:catch|point|call|idea|thinking|question)|"
    r"that's (?:much )?(?:better|right|correct|a good)|agreed|exactly|makes sense|understood|got it|noted|"
    r"will do|my (?:bad|mistake)|sorry|right\b|fair\b|stimmt|verstanden|alles klar)"
)
_AGREES = re.compile(
    r"(?:ok|okay|yes|yep|yeah|yup|sure|go|do it|go ahead|sounds good|good|great|perfect|nice|please do|fix it|lgtm|"
    r"makes sense|alright|right|agreed|proceed|continue|exactly|correct|cool|fine|ja|genau|passt|mach)\b",
)
_OBJECTS = re.compile(
    r"(?:no\b|nope|nah|don't|do not|stop|wait|why\b|that's (?:wrong|not|horrible)|wrong|hmm|ehh?|actually|"
    r"but\b|\.\.\.|not \w|revert|undo|you (?:haven't|didn't|forgot|missed)|isn't|can't we|couldn't|nein|nicht)",
)
_WRAPS = re.compile(
    r"(?:(?:perfect|great|excellent|good|ok|okay|nice)[!.,]? )?(?:all (?:done|changes|tests?|checks?|\d+)|"
    r"done\b|pushed|merged|committed|fixed|updated|finished|complete|comment posted|"
    r"here(?:'s| is) (?:a |the )?(?:summary|list|what|where|pr)|summary|\*\*summary|#+ summary|implemented|"
    r"excellent progress|good progress|current state|everything (?:is|works|passes))",
)
_WRAP_LINE = re.compile(
    r"^[#*\s]*(?:summary|changes|what (?:was|i) (?:done|changed|did)|files (?:modified|changed))\b",
    re.I | re.M,
)
_BOLD_LEAD = re.compile(r"\*\*[^*]+\*\*[^.!?]{0,60}:?$")


class Part(NamedTuple):
    """A sentence, list item or table row, with what is needed to understand it."""

    span: Span
    # The line that opens the list it stands in, or the bold line above it, and where that line begins.
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

    # The words in lower case, for the cues.
    low: str = ""
    heard: Heard = Heard()

    @property
    def text(self) -> str:
        return self.span.text


class Scene(NamedTuple):
    """The moment in which an assistant's turn was said."""

    # The person's last words, and whether nothing else was said in between.
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
    # It comes right after the person told or ordered something, and asked nothing.
    reports: bool
    # The turn has a few sentences only: each weighs more than one among many.
    brief: bool
    # The tool result that failed since somebody last spoke.
    failed: JournalTurn | None


def lowered(text: str) -> str:
    """Lower case with straight apostrophes: what the cues are searched in."""
    return text.lower().replace("’", "'")


def read(text: str) -> list[Part]:
    """The parts of an assistant's words, in order. Code is left out."""
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
        if span.kind == "prose" and left is None and not (lead and (_bold(lead.text) or _indented(text, span))):
            lead = None
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
        if span.kind == "prose" and right is None and not _indented(text, span) and _opens(span.text):
            lead = span
    return parts


def _lone(span: Span, shift: int) -> Part:
    low = lowered(span.text)
    placed = span._replace(start=span.start + shift, end=span.end + shift) if shift else span
    return Part(span=placed, low=low, heard=hear(low))


def _under(headings: list[tuple[int, str]], line: str) -> list[tuple[int, str]]:
    """The headings a text stands under after one more: those of a higher level, and the new one."""
    title = line.lstrip("# \t")
    level = len(line) - len(title)
    return [*(one for one in headings if one[0] < level), (level, title)]


def _opens(text: str) -> bool:
    return _leads(text) or _bold(text)


def _leads(text: str) -> bool:
    return text.rstrip().rstrip("*").endswith(":")


def _bold(text: str) -> bool:
    return text.startswith("**") and _BOLD_LEAD.match(text) is not None


def _indented(text: str, span: Span) -> bool:
    """Whether a piece goes on inside a list item."""
    return text[max(0, span.start - 2) : span.start] == "  "


def _together(text: str, left: Span, right: Span) -> bool:
    """Whether two pieces stand in one paragraph or one list item."""
    if left.kind != right.kind or left.kind not in ("prose", "item") or (right.kind == "item" and right.label):
        return False
    return right.start - left.end < 8 and "\n" not in text[left.end : right.start]


def scene(text: str, parts: Sequence[Part], window: Window) -> Scene:
    """What went before a turn and how it ends."""
    human = next((said for said in reversed(window.said) if said.turn.by_human), None)
    words = lowered(human.turn.text[:2000]).strip() if human else ""
    offers = any(OFFERS.search(part.low) for part in parts[-4:] if "?" in part.low or "if you" in part.low)
    goes_on = not offers and (text[-80:].rstrip().endswith(":") or "narrates" in parts[-1].heard.signs)
    headings = len({part.heading for part in parts})
    first = human is not None and _answers(human, window)
    return Scene(
        human=human,
        first_answer=first,
        asked="?" in words,
        agreed=len(words) < 200 and bool(_AGREES.match(words)),
        objected=human is not None and (human.turn.kind == "denied" or bool(_OBJECTS.match(words))),
        offers=offers,
        goes_on=goes_on,
        wraps=not goes_on and _sums_up(text),
        concedes=bool(CONCEDES.match(lowered(text[:80]).lstrip())),
        proposes=offers and (headings > 3 or len(parts) > 60),
        reports=first and "?" not in words,
        brief=not goes_on and len(parts) <= BRIEF,
        failed=_failure(window),
    )


def _sums_up(text: str) -> bool:
    return bool(_WRAPS.match(lowered(text[:400]).lstrip("# *\n")) or _WRAP_LINE.search(text[:READ_HEAD]))


def _answers(human: JournalTurn, window: Window) -> bool:
    """Whether the assistant has said next to nothing since the person spoke."""
    since = [said for said in window.said if said.id > human.id and said.turn.role == "assistant"]
    return sum(len(said.turn.text.strip()) for said in since) < 300


def _failure(window: Window) -> JournalTurn | None:
    spoke = max((said.id for said in window.said), default=0)
    return next((done for done in reversed(window.done) if done.id > spoke and done.turn.failed), None)
