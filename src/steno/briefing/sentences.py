"""A text in whole sentences: which of them are told where there is no room for all.

Nothing is cut within a sentence. A point of a list keeps the line that introduces it, which may turn its meaning round.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from steno.briefing.render import safe
from steno.language.lexicon import lexicon
from steno.language.sentence import sentences, unlisted
from steno.language.watch import Watch

# Of a longer text only the end is looked at: there stands what is open.
_MOST: Final = 16_000
# A command that stands by itself in a block is shown; a longer block is code.
_COMMAND: Final = 140
_LEAD: Final = 160
# Shorter words say nothing ("Great."); longer ones do not only give somebody right.
_WORD, _PRAISE = 12, 60
# A letter of a script that writes no words apart costs as much as several.
_WIDE: Final = re.compile(r"[\u3040-\u9fff\uac00-\ud7af]")
_LETTERS: Final = 3
_LINK: Final = re.compile(r"\[([^\]\n]{1,160})\]\((?!https?:)[^)\s]{1,400}\)")
# What an agent's text says to its host only.
_DIRECTIVE: Final = re.compile(
    r"^::[a-z][\w-]{0,40}\{[^\n]{0,2000}\}[ \t]*$|^</?[a-z][\w-]{2,40}>[ \t]*$"
    r"|[^\w\n]{0,4}(?:Insight )?─{5,}[^\w\n]{0,2}|<oai-mem-citation>[^\n]{0,4000}",
    re.MULTILINE,
)
_RULE: Final = re.compile(r"[\s|:+-]+")
_NUMBER: Final = re.compile(r"\(?(\d{1,3}|[a-zA-Z])[.)\]:]")
_FENCE: Final = ("```", "~~~")

# Begins with what stands in the sentence before.
_LEANS: Final = re.compile(
    r"(?:it|its|it's|this|that|that's|they|these|those|he|both|neither|also|but|so|and|then|otherwise|same|because|which"
    r"|either way)\b",
    re.IGNORECASE,
)
# "Dispatching the review for task 3." is no news; "Testing is done." is.
_IS_DOING: Final = re.compile(r"(?:now |ok(?:ay)?,? )?[a-z]{2,20}ing (?!is\b|was\b|are\b|were\b|it\b)")
_DOING: Final = 120
# Only says what the agent is about to do, or that somebody is right; and what tells how things stand.
_IDLE: Final = Watch("narrates", "concedes")
_STANDS: Final = Watch("still_open", "sums_up", "offers", "failed")
_NAMES: Final = re.compile(r"\b[0-9a-f]{7,12}\b|#\d+|https?://|`[^`]+`|\b\d+ (?:passed|failed|tests)", re.IGNORECASE)


class Unit(NamedTuple):
    """A sentence, a point of a list or a row of a table; with the line that introduces it."""

    text: str
    lead: str = ""
    is_point: bool = False

    @property
    def alone(self) -> str:
        """How it reads by itself."""
        return f"{self.lead} {self.text}".strip()


Weight = Callable[[Unit, int, int], float]


def size(text: str) -> int:
    """How much room a text takes, in letters."""
    return len(text) + (_LETTERS - 1) * (0 if text.isascii() else len(_WIDE.findall(text)))


def units(text: str) -> list[Unit]:
    """The sentences of a text, without its code."""
    found: list[Unit] = []
    lead, is_new = "", False
    for kind, words in _lines(_tail(text)):
        if kind == "rule":
            # The row above it is the head of a table.
            found = found[:-1]
        elif words.endswith((":", "：")) or kind == "heading":
            found += _unused(lead, is_new)
            lead, is_new = f"{words.rstrip(':：')}:", True
        else:
            # A list goes on under its line; other words follow it once, and none follows a heading.
            if kind == "prose" and (not is_new or lead.startswith("#")):
                lead = ""
            if len(lead) > _LEAD:
                found.append(Unit(lead))
                lead = ""
            found.append(Unit(words, lead.lstrip("#"), kind == "item"))
            is_new = False
    return [*found, *_unused(lead, is_new)]


def _unused(lead: str, is_new: bool) -> list[Unit]:
    """A line that introduces what is not shown, such as code."""
    return [Unit(lead)] if is_new and lead and not lead.startswith("#") else []


def _tail(text: str) -> str:
    shown = _DIRECTIVE.sub("", text[-_MOST:])
    if len(text) <= _MOST:
        return shown
    _, _, whole_lines = shown.partition("\n")
    # A block of code that began before this is closed in it.
    return f"```\n{whole_lines}" if whole_lines.count("```") % 2 else whole_lines


def _lines(text: str) -> Iterator[tuple[str, str]]:
    """What kind of line it is, and its words without marks."""
    block: list[str] = []
    for span in sentences(text):
        if span.kind == "code":
            block.append(span.text.strip())
            continue
        yield from _command(block)
        block = []
        if span.kind == "table":
            yield from _row(span.text)
            continue
        words = _plain(span.text)
        if span.kind == "heading":
            yield "heading", f"#{words}"
        elif words and any(letter.isalnum() for letter in words):
            yield ("item" if span.kind == "item" else "prose"), words
    yield from _command(block)


def _command(block: Sequence[str]) -> Iterator[tuple[str, str]]:
    lines = [line for line in block if line and not line.startswith(_FENCE)]
    if len(lines) == 1 and len(lines[0]) <= _COMMAND:
        yield "item", f"`{safe(lines[0]).strip('`')}`"


def _row(text: str) -> Iterator[tuple[str, str]]:
    if _RULE.fullmatch(text):
        yield "rule", ""
        return
    first, *others = [_plain(cell) for cell in text.strip().strip("|").split("|")]
    if first and any(others):
        yield "item", f"{first}: {', '.join(filter(None, others))}"


def _plain(text: str) -> str:
    """Words without bullets and what only makes letters bold or leads to a file; the number of a point stays."""
    number = _NUMBER.match(text.lstrip("*_ ")) if unlisted(text) != text else None
    words = _LINK.sub(r"\1", unlisted(text)).replace("**", "").replace("__", "").strip(" #>*")
    return safe(f"({number[1]}) {words}" if number else words)


def shown(chosen: Iterable[int], every: Sequence[Unit]) -> str:
    """Some of the sentences in their order; … where others are left out."""
    out: list[str] = []
    before = -1
    lead = ""
    for at in sorted(chosen):
        unit = every[at]
        is_gap = at != before + 1 and not (unit.lead and unit.lead == lead)
        head = f"{unit.lead} " if unit.lead and (unit.lead != lead or is_gap) else ""
        end = ";" if unit.is_point and unit.text[-1] not in ".!?;:" else ""
        out.append(f"{'… ' if is_gap else ''}{head}{unit.text}{end}")
        before, lead = at, unit.lead
    text = " ".join(out).rstrip(";")
    return f"{text} …" if out and before != len(every) - 1 else text


def picked(text: str, most: int, weight: Weight, *, announcements: bool = False) -> str:
    """A text whole if it fits into so many letters, else its weightiest sentences in their order."""
    every = [
        one
        for one in units(text)
        if announcements or not ((announces(one.text) and not one.is_point) or one.text.endswith((":", "：")))
    ]
    whole = shown(range(len(every)), every)
    if size(whole) <= most:
        return whole
    worth = [weight(one, at, len(every)) for at, one in enumerate(every)]
    taken: set[int] = set()
    for at in sorted(range(len(every)), key=lambda at: -worth[at]):
        leans = {at - 1} if at and _LEANS.match(every[at].text) else set()
        wanted = taken | {at} | leans
        if worth[at] > 0 and size(shown(wanted, every)) <= most:
            taken = wanted
    return shown(taken, every)


@lru_cache(maxsize=1024)
def announces(text: str) -> bool:
    """Whether an agent only says what it is about to do, or that something is good or right."""
    plain = text.lower().replace("’", "'")
    heard = _IDLE.heard(plain)
    praises = size(text) < _WORD or ("concedes" in heard and size(text) < _PRAISE)
    is_doing = size(text) < _DOING and _IS_DOING.match(plain) is not None
    says = praises or is_doing or "narrates" in heard or lexicon("announces").search(plain) is not None
    return says and not text.endswith(("?", "？"))


def leans(text: str) -> bool:
    """Whether it cannot be understood without the sentence before."""
    return _LEANS.match(text) is not None


def of_report(one: Unit, at: int, many: int) -> float:
    """What a sentence of a report is worth to whoever goes on."""
    worth = 0.2 - len(one.text) / 400 + 1.5 * len(_STANDS.heard(one.text.lower().replace("’", "'")))
    worth += 1.2 * one.text.endswith(("?", "？")) + 0.7 * bool(_NAMES.search(one.text))
    return worth + (1.0 if at >= many - 2 else 0.0) + (1.3 if at == 0 else 0.0)
