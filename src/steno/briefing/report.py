"""What an agent says of its work, on one line: whole sentences, what is open first, nothing that only announces."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from steno.briefing.render import safe, shortened
from steno.language.lexicon import lexicon
from steno.language.sentence import sentences
from steno.language.watch import Watch
from steno.language.words import content_words

# Words of no more characters are never cut; those of a script that writes no words apart count as several.
_SHORT: Final = 200
# Words of fewer telling ones say little without what they answer.
ALONE: Final = 6
_TAIL, _FEW = 4_000, 2
_IDLE: Final = Watch("narrates", "concedes", "changes")
# What of a report is told before the rest.
_OPEN: Final = frozenset({"still_open", "sums_up"})
_MATTERS: Final = Watch(*_OPEN, "failed")
_LEFT: Final = Watch("still_open", "offers")
_LINK: Final = re.compile(r"\[([^\]\n]{1,160})\]\([^)\s]{1,400}\)")
# What a host is told in the agent's text.
_DIRECTIVE: Final = re.compile(r"^(?:::[a-z][\w-]{0,40}\{[^\n]{0,2000}\}|</?[a-z][\w-]{2,40}>)[ \t]*$", re.MULTILINE)
# Letters of scripts that write no words apart; so many stand for one.
_CJK: Final = re.compile(r"[\u3040-\u9fff]")
_LETTERS: Final = 3
_END: Final = re.compile(r"[.!?](?=\s)|[。！？]")
_COLONS, _DASHES = (":", "："), ("—", "–")
_LF, _FENCE = "\n", "```"
_WORDS: Final = ("prose", "item")
# A number by itself, cut off from its point.
_BARE: Final = re.compile(r"\W*\d{1,3}[.)]\W*")
# The line below the head of a table; and how long an announcement may be that stands before a point.
_RULE: Final = re.compile(r"[\s|:-]+")
_LEAD: Final = 80
# A beginning takes no more than one part of so many before what matters.
_SHARE: Final = 3
# Less of a sentence is not understood.
_LITTLE: Final = 100
# What a sign that something is left out takes.
_GAP: Final = 3


def telling_words(text: str) -> int:
    """How many words of a text say something."""
    return len(content_words(text)) + _unspaced(text) // _LETTERS


def wide(text: str) -> int:
    """How much room a text takes: a letter that stands for more costs more, too."""
    return len(text) + 2 * _unspaced(text)


def _unspaced(text: str) -> int:
    return 0 if text.isascii() else len(_CJK.findall(text))


def plain(text: str) -> str:
    """Without what only makes letters bold, where a link leads, and what is meant for the host."""
    text = _undirected(text).replace("**", "")
    return (_LINK.sub(r"\1", text) if "](" in text else text).strip(" #>-*")


def _undirected(text: str) -> str:
    return _DIRECTIVE.sub("", text) if "::" in text or "<" in text else text


def sentences_of(text: str, most: int) -> str:
    """The beginning of a text, to the end of a sentence where one is near."""
    line = safe(text)
    if len(line) <= most:
        return line
    ends = [found.end() for found in _END.finditer(line[:most])]
    return f"{line[: ends[-1]]} …" if ends and ends[-1] > most * 0.4 else shortened(line, most)


def kept(text: str, most: int) -> str:
    """A short text whole, else its beginning."""
    return text if wide(text) <= _SHORT else sentences_of(text, most)


def spoken(text: str) -> list[str]:
    """What an agent said, by sentences, of a long text its beginning and its end; code and headings are left out, and
    what announces them. A point of a list stands behind what announces the list; a row of a table is a sentence."""
    return [words for words, _ in _spoken(text)]


def _spoken(text: str) -> list[tuple[str, bool]]:
    """The sentences, and whether they are points of a list."""
    said: list[tuple[str, bool]] = []
    lead = ""
    for one in sentences(_undirected(_ends(text))):
        if one.kind == "table" and _RULE.fullmatch(one.text) and said:
            # The row above the rule is the head of the table.
            said.pop()
        words = _row(one.text) if one.kind == "table" else safe(plain(one.text)) if one.kind in _WORDS else ""
        announces = words.endswith((*_COLONS, *_DASHES)) or _BARE.fullmatch(words) is not None
        if words and not announces:
            is_point = one.kind == "item"
            follows = is_point or lead.endswith(_DASHES)
            said.append((f"{lead} {words}" if lead and follows else words, is_point))
        lead = f"{lead} {words}".strip() if announces and len(words) <= _LEAD else ""
    return said


def _ends(text: str) -> str:
    """The beginning and the end of a long text, by whole lines, with every block of code that is cut off closed."""
    if len(text) <= _TAIL:
        return text
    begins, ends = text[: _TAIL // 2], text[-_TAIL // 2 :]
    begins, ends = begins.rpartition(_LF)[0] or begins, ends.partition(_LF)[2] or ends
    within = ends.count(_FENCE) % 2 != text.count(_FENCE) % 2
    return _LF.join([begins, *([_FENCE] if begins.count(_FENCE) % 2 else []), "", *([_FENCE] if within else []), ends])


def _row(text: str) -> str:
    first, *others = [safe(plain(cell)) for cell in text.strip().strip("|").split("|")]
    return f"{first}: {', '.join(filter(None, others))}" if first and any(others) else ""


@lru_cache(maxsize=128)
def reported(text: str) -> tuple[str, ...]:
    """What an agent said at the end of a turn, without sentences that tell nothing to whoever goes on, and without what
    it asked and the points it put to the human with it: that was answered since. Nothing if the rest says little."""
    every = _spoken(text)
    asked = bool(every) and _asks(every[-1][0])
    while every and _asks(every[-1][0]):
        every.pop()
    while asked and every and every[-1][1]:
        every.pop()
    return _telling(words for words, _ in every) or _telling(spoken(text))


def closed(report: Sequence[str]) -> tuple[str, ...]:
    """A report without what it left open or put to the human: they spoke since."""
    return tuple(one for one in report if not _LEFT.heard(one.lower()))


def _telling(said: Iterable[str]) -> tuple[str, ...]:
    told = tuple(one for one in said if tells(one) and not _asks(one))
    return told if sum(map(telling_words, told[:_FEW])) >= _FEW else ()


def gist(said: Sequence[str], most: int) -> str:
    """So much of what was said as fits, in whole sentences and in their order: how it begins if that is short, the last
    that is open or sums it up, the last that failed, how it ends; then what follows the beginning."""
    if not said:
        return ""
    heard = [_matters(one) for one in said]
    last = len(said) - 1
    opens = [at for at in range(len(said)) if heard[at] & _OPEN or (at == last and _asks(said[at]))]
    fails = [at for at in range(len(said)) if "failed" in heard[at]]
    begins = [0] if wide(said[0]) <= most // _SHARE else []
    kept: set[int] = set()
    left = most
    # "Tell me if you want that" says nothing without what stands before it.
    ends = (last,) if telling_words(said[last]) > _FEW else (last - 1, last)
    for at in dict.fromkeys((*begins, *opens[-1:], *fails[-1:], 0, *(at for at in ends if at >= 0))):
        if wide(said[at]) <= left:
            kept.add(at)
            left -= wide(said[at]) + _GAP
    if not kept & {0, *opens, *fails}:
        return sentences_of(said[0], most) if most >= _LITTLE else ""
    for at in range(1, last) if 0 in kept else ():
        if at not in kept and wide(said[at]) > left:
            break
        left -= 0 if at in kept else wide(said[at]) + _GAP
        kept.add(at)
    pieces = [("… " if at and at - 1 not in kept else "") + said[at] for at in sorted(kept)]
    return f"{' '.join(pieces)}{' …' if max(kept) < last else ''}"


@lru_cache(maxsize=1024)
def _matters(text: str) -> frozenset[str]:
    return _MATTERS.heard(text.lower())


def _asks(text: str) -> bool:
    return text.rstrip(')”"*').endswith(("?", "？"))


def tells(text: str, *, of_choice: bool = False) -> bool:
    """Whether it says how something is: not what an agent looks at, does next, or that somebody is right. `of_choice`:
    which way it turns to says something, too."""
    heard = _IDLE.heard(text.lower().replace("’", "'"))
    if "concedes" in heard and telling_words(text) < ALONE:
        return False
    if of_choice:
        return "narrates" not in heard or "changes" in heard
    return "narrates" not in heard and lexicon("announces").search(text[:_TAIL]) is None
