"""Whether words a model wrote stand where it says they stand: its quotes, and every name and number it uses."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from steno.language.words import normal, without_own_words
from steno.scribe.hear import whose
from steno.vocabulary import JournalTurn

# Fewer words of a person are no quote, unless they are all that was said.
_WORDS: Final = 3
# No quote is looked for that is longer.
_LONGEST: Final = 1_200
# A word; of scripts without spaces, two signs.
_UNIT: Final = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2}|[^\W\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af](?:[^\s\u3040-\u30ff\u3400-\u9fff]*)"
)
_QUOTED: Final = re.compile(r"“([^“”]+)”|「([^「」]+)」|(?<![\w\"])\"([^\"]{2,})\"(?!\w)")
_TICKED: Final = re.compile(r"`([^`]+)`")
_LEFT_OUT: Final = re.compile(r"\s*(?:\[…\]|\[\.\.\.\]|…|\.\.\.)\s*")
_SENTENCE: Final = re.compile(r"(?:^|[.!?:;—–(]\s+|[“\"(\[/])$")
# What is checked: words with a digit, a capital, or a sign within that no plain word has.
_WORD: Final = re.compile(r"\d+(?:[.,:]\d+)+|[\w@#$~.+/\\:=&%*-]*\w[\w+#]*(?:\(\))?|\w", re.ASCII)
_SIGN: Final = re.compile(r"\w[_/\\.@#:=+]\w|^[@#~/.$]|--|\(\)$")
_EDGES: Final = ".,:;*=&%-"
# Short for words that are written out as often as not.
_COMMON: Final = frozenset(
    "pr prs ci cd ok ui ux api apis json yaml html css http https url urls sql id ids os cli sdk llm ai todo e2e i"
    " readme ide gpu cpu ram ssh ssl tls jwt uuid csv md pdf utf-8 mb kb gb ms".split()
)
_ALIKE: Final = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "\u00a0": " "})


def verbatim(text: str, quote: str) -> str:
    """A quote exactly as it stands in a text, whatever white space a model wrote; empty: it was not said there."""
    words = quote.split()
    if not words or len(quote) > _LONGEST:
        return ""
    for form in (words, json.dumps(" ".join(words), ensure_ascii=False)[1:-1].split()):
        found = re.search(r"(?:\s|\\n|\\t)+".join(map(re.escape, form)), text)
        if found and found.group() in without_own_words(text):
            return found.group()
    return ""


class Said:
    """What was said in some turns, for looking things up in."""

    def __init__(self, turns: Iterable[JournalTurn], more: Iterable[str] = ()) -> None:
        self._turns = list(turns)
        raw = [f"{turn.turn.tool or ''} {without_own_words(turn.turn.text)}".strip() for turn in self._turns]
        self._text = _plain("\n".join([*raw, *(_unescaped(text) for text in raw), *more]))

    def holds(self, text: str) -> bool:
        """Whether every name, number, path and quoted phrase of a text occurs here."""
        if not all(self._has(piece) for quote in quotes_of(text) for piece in _LEFT_OUT.split(quote) if piece):
            return False
        ticked = [found.group(1) for found in _TICKED.finditer(text)]
        if not all(self._has(piece) for one in ticked for piece in _LEFT_OUT.split(one) if piece):
            return False
        bare = _TICKED.sub(" ", _QUOTED.sub(" ", text))
        return all(self._named(name) for name in _names(bare))

    def _named(self, name: str) -> bool:
        """Whether a name occurs; one joined of several (“the 35-tool server”), if each does."""
        joined = name.split("-")
        return self._has(name, whole=name[0].isdigit()) or (
            len(joined) > 1 and all(part and self._has(part, whole=part[0].isdigit()) for part in joined)
        )

    def _has(self, piece: str, *, whole: bool = False) -> bool:
        wanted = _plain(piece).strip()
        if not whole:
            return wanted in self._text
        return re.search(rf"(?<!\d)(?<!\d[.,]){re.escape(wanted)}(?!\d)", self._text) is not None


def quotes_human(
    text: str, turns: Mapping[int, JournalTurn], cited: Iterable[int], *, handed_over: bool = False
) -> bool:
    """Whether a line carries words a person typed in one of the turns it cites; or sent, if `handed_over` will do."""
    people = [turns[turn].turn.text for turn in cited if turn in turns and turns[turn].by_human]
    pieces = [piece for quote in quotes_of(text) for piece in _LEFT_OUT.split(quote) if piece]
    return any(_is_theirs(said, piece, handed_over) for said in people for piece in pieces)


def _is_theirs(said: str, piece: str, handed_over: bool) -> bool:
    if len(_UNIT.findall(piece)) < _WORDS:
        return bool(normal(piece)) and normal(piece) == normal(said)
    place = _plain(said).find(_plain(piece).strip())
    own = _as_it_stands(said, piece) if place >= 0 else ""
    return bool(own) and (handed_over or whose(said, own) != "other")


def _as_it_stands(said: str, piece: str) -> str:
    """The same words in their own case and signs."""
    signs = {"'": "['’‘]", '"': '["“”]', "-": "[-–—]"}
    words = ("".join(signs.get(sign, re.escape(sign)) for sign in word.translate(_ALIKE)) for word in piece.split())
    found = re.search(r"\s+".join(words), said, re.I)
    return found.group() if found else ""


def quotes_of(text: str) -> list[str]:
    """What stands in quotation marks."""
    return [next(filter(None, found.groups())) for found in _QUOTED.finditer(text)]


def _names(text: str) -> Iterator[str]:
    for found in _WORD.finditer(text):
        word = found.group().strip(_EDGES)
        if len(word) > 1 and word[0].isdigit() and word[-1].isalpha() and word[:-1].isdigit():
            word = word[:-1]
        if not word or word.lower() in _COMMON or (word.rstrip("s").isupper() and word.lower().rstrip("s") in _COMMON):
            continue
        first = _SENTENCE.search(text[: found.start()]) is not None
        if (
            any(sign.isdigit() for sign in word)
            or _SIGN.search(word)
            or (any(map(str.isupper, word[1:])) and len(word) > 1)
        ):
            yield from _parts(word)
        elif word[0].isupper() and not first and len(word) > 1:
            yield word


def _parts(word: str) -> list[str]:
    """A name as one; of two joined by a slash or a colon each, where they are no path."""
    if "://" in word or word.startswith(("/", "~", ".", "@")) or not re.fullmatch(r"[\w#+-]+(?:[/:=][\w#+-]+)+", word):
        return [word]
    return [part for part in re.split(r"[/:=]", word) if part]


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", text.translate(_ALIKE)).lower()


def _unescaped(text: str) -> str:
    """The words of a call, which is JSON, without its escapes."""
    return text.replace("\\n", " ").replace('\\"', '"').replace("\\t", " ") if "\\" in text else ""
