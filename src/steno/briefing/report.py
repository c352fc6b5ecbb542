"""What an agent says of its work, on one line: whole sentences, what is open first, nothing that only announces."""

import re
from collections.abc import Sequence
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
_OPEN: Final = Watch("still_open")
_LINK: Final = re.compile(r"\[([^\]\n]{1,160})\]\([^)\s]{1,400}\)")
# What a host is told in the agent's text.
_DIRECTIVE: Final = re.compile(r"^::[a-z][\w-]{0,40}\{[^\n]{0,2000}\}[ \t]*$", re.MULTILINE)
# Letters of scripts that write no words apart; so many stand for one.
_CJK: Final = re.compile(r"[\u3040-\u9fff]")
_LETTERS: Final = 3
_END: Final = re.compile(r"[.!?](?=\s)|[。！？]")
_COLONS, _LF = (":", "："), "\n"
_WORDS: Final = ("prose", "item")
# A number by itself, cut off from its point.
_BARE: Final = re.compile(r"\W*\d{1,3}[.)]\W*")
# The line below the head of a table; and how long an announcement may be that stands before a point.
_RULE: Final = re.compile(r"[\s|:-]+")
_LEAD: Final = 80
# What a sign that something is left out takes.
_GAP: Final = 3
# Of a sentence that does not fit so much at least is worth telling.
_LITTLE: Final = 60


def telling_words(text: str) -> int:
    """How many words of a text say something."""
    return len(content_words(text)) + len(_CJK.findall(text)) // _LETTERS


def plain(text: str) -> str:
    """Without what only makes letters bold, where a link leads, and what is meant for the host."""
    return _LINK.sub(r"\1", _DIRECTIVE.sub("", text).replace("**", "")).strip(" #>-*")


def sentences_of(text: str, most: int) -> str:
    """The beginning of a text, to the end of a sentence where one is near."""
    line = safe(text)
    if len(line) <= most:
        return line
    ends = [found.end() for found in _END.finditer(line[:most])]
    return f"{line[: ends[-1]]} …" if ends and ends[-1] > most * 0.4 else shortened(line, most)


def kept(text: str, most: int) -> str:
    """A short text whole, else its beginning."""
    letters = len(text) + (_LETTERS - 1) * len(_CJK.findall(text[: _SHORT + 1]))
    return text if letters <= _SHORT else sentences_of(text, most)


def spoken(text: str) -> list[str]:
    """What an agent said, by sentences, of a long text its beginning and its end; code and headings are left out, and
    what announces them. A point of a list stands behind what announces the list; a row of a table is a sentence."""
    if len(text) > _TAIL:
        begins, ends = text[: _TAIL // 2], text[-_TAIL // 2 :]
        text = f"{begins.rpartition(_LF)[0] or begins}{_LF * 2}{ends.partition(_LF)[2] or ends}"
    said: list[str] = []
    lead = ""
    for one in sentences(_DIRECTIVE.sub("", text)):
        if one.kind == "table" and _RULE.fullmatch(one.text) and said:
            # The row above the rule is the head of the table.
            said.pop()
        words = _row(one.text) if one.kind == "table" else safe(plain(one.text)) if one.kind in _WORDS else ""
        announces = words.endswith(_COLONS) or _BARE.fullmatch(words) is not None
        if words and not announces:
            said.append(f"{lead} {words}" if lead and one.kind == "item" else words)
        lead = f"{lead} {words}".strip() if announces and len(words) <= _LEAD else ""
    return said


def _row(text: str) -> str:
    first, *others = [safe(plain(cell)) for cell in text.strip().strip("|").split("|")]
    return f"{first}: {', '.join(filter(None, others))}" if first and any(others) else ""


@lru_cache(maxsize=128)
def reported(text: str) -> tuple[str, ...]:
    """What an agent said at the end of a turn, without sentences that tell nothing to whoever goes on, and without what
    it asked: that was answered since. Nothing if the rest says little."""
    said = tuple(one for one in spoken(text) if tells(one) and not _asks(one))
    return said if sum(map(telling_words, said[:_FEW])) >= _FEW else ()


def gist(said: Sequence[str], most: int) -> str:
    """So much of what was said as fits, in its order: what is open first, how it begins, how it ends; then
    what follows the beginning, and what stands before the end."""
    last, left = len(said) - 1, most
    ends = [at for at in range(last, -1, -1) if _OPEN.heard(said[at].lower()) or (at == last and _asks(said[at]))]
    # The beginning leaves room for the end.
    begins = max(most // 2, most - sum(len(one) + _GAP for one in said[1:]))
    kept: dict[int, str] = {}
    for at in dict.fromkeys([*ends, 0, last] if said else []):
        room = left if at or 0 in ends else min(left, begins)
        if not kept or room >= min(_LITTLE, len(said[at])):
            kept[at] = sentences_of(said[at], room)
            left -= len(kept[at]) + _GAP
    for run in (range(1, last), range(last - 1, 0, -1)):
        for at in run:
            if at not in kept and len(said[at]) > left:
                break
            if at not in kept:
                kept[at] = said[at]
                left -= len(said[at]) + _GAP
    pieces = [("… " if at and at - 1 not in kept else "") + kept[at] for at in sorted(kept)]
    return f"{' '.join(pieces)}{' …' if kept and max(kept) < last else ''}"


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
