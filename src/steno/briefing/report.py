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


def spoken(text: str) -> list[str]:
    """What an agent said, by sentences, of a long text its beginning and its end; tables, code and headings are left
    out, and what announces them."""
    if len(text) > _TAIL:
        begins, ends = text[: _TAIL // 2], text[-_TAIL // 2 :]
        text = f"{begins.rpartition(_LF)[0] or begins}{_LF * 2}{ends.partition(_LF)[2] or ends}"
    said = [one for one in sentences(_DIRECTIVE.sub("", text)) if one.kind in ("prose", "item")]
    return [words for one in said if (words := safe(plain(one.text))) and not words.endswith(_COLONS)]


@lru_cache(maxsize=128)
def reported(text: str) -> tuple[str, ...]:
    """What an agent said, without sentences that tell nothing to whoever goes on; nothing if the rest says little."""
    said = tuple(one for one in spoken(text) if tells(one))
    return said if sum(map(telling_words, said[:_FEW])) >= _FEW else ()


def gist(said: Sequence[str], most: int, *, ends: bool = False) -> str:
    """So much of what was said as fits, in its order: what is open, then how it begins; or how it begins and `ends`."""
    last = len(said) - 1
    far = [min(at, last - at) if ends else at for at in range(len(said))]
    kept: set[int] = set()
    for place in sorted(range(len(said)), key=lambda at: (not _OPEN.heard(said[at].lower()), far[at])):
        if not kept or sum(len(said[one]) + 3 for one in kept) + len(said[place]) <= most:
            kept.add(place)
    pieces = [("… " if place and place - 1 not in kept else "") + said[place] for place in sorted(kept)]
    return f"{sentences_of(' '.join(pieces), most)}{' …' if kept and max(kept) < last else ''}"


def end_of(text: str, most: int) -> str:
    """The end of what somebody said, in whole sentences where they are not too long."""
    kept: list[str] = []
    for one in reversed(spoken(text)):
        if kept and sum(map(len, kept)) + len(kept) + len(one) > most:
            return f"… {' '.join(kept[::-1])}"
        kept.append(one if len(one) <= most else shortened(one, most))
    return " ".join(kept[::-1])


def tells(text: str, *, of_choice: bool = False) -> bool:
    """Whether it says how something is: not what an agent looks at, does next, or that somebody is right. `of_choice`:
    which way it turns to says something, too."""
    heard = _IDLE.heard(text.lower().replace("’", "'"))
    if "concedes" in heard and telling_words(text) < ALONE:
        return False
    if of_choice:
        return "narrates" not in heard or "changes" in heard
    return "narrates" not in heard and lexicon("announces").search(text[:_TAIL]) is None
