"""How many tokens a text costs, for budgets: never fewer than o200k counts, and close to it on English and code.

The text is split as o200k splits it, and each piece is merged with the first merges of its vocabulary only. A merge
never adds a token, and the later ones come after these, so stopping early cannot count too few. Common pieces that are
one token are looked up. What we cannot split for sure (characters younger than Unicode 3.2) costs its UTF-8 bytes.

The vocabulary beside this module, `tokens.xz`, is a part of o200k, which OpenAI publishes under the MIT licence
(tiktoken). `docs/make_tokens.py` makes it and says how it is laid out.
"""

import lzma
import re
from functools import cache, lru_cache
from heapq import heapify, heappop, heappush
from importlib.resources import files
from typing import NamedTuple

ELLIPSIS = "…"
# The signs that cost a looked-up word one token more at most; the generator tries each word behind each of them.
SIGNS = "".join(chr(code) for code in range(0x80) if not chr(code).isalnum() and chr(code) not in " \r\n") + "“‘’—–…"

# Shapes of characters outside ASCII beside A, a, 0, ! and the vertical tab, which stand for their kind: a letter of
# either case, and one we do not know. The pattern is that of o200k.
_OTHER, _UNKNOWN = "\x80", re.compile("[\x81\U00010000-\U0001f2ff\U0001fb00-\U0010ffff]")
_UPPER, _LOWER, _LETTER, _SPACE = f"A-Z{_OTHER}", f"a-z{_OTHER}", f"A-Za-z{_OTHER}", r" \t\n\r\x0b\x0c"
_SHORT = r"(?:'(?:[sStTmMdD]|[rR][eE]|[vV][eE]|[lL][lL]))?"
_PIECE = re.compile(
    rf"[^\r\n{_LETTER}0-9]?(?:[{_UPPER}]*[{_LOWER}]+|[{_UPPER}]+[{_LOWER}]*){_SHORT}|[0-9]{{1,3}}"
    rf"| ?[^{_SPACE}{_LETTER}0-9]+[\r\n/]*|[{_SPACE}]*[\r\n]+|[{_SPACE}]+(?![^{_SPACE}])|[{_SPACE}]+"
)
# No piece of o200k goes on from a visible character to a space.
_SEAM = re.compile(r"(?<=\S)(?= )")
_WORD = re.compile(rf"([ {re.escape(SIGNS)}]?)([A-Za-z]+)('(?:[stmd]|re|ve|ll))?")
# No token of o200k has more characters.
_LONGEST_TOKEN = 128


class Vocabulary(NamedTuple):
    """The part of o200k that we know."""

    # The place of each merge in their order: first those of all scripts, then those of ASCII alone.
    merges: dict[bytes, int]
    # How many merges are known for all scripts.
    of_all_scripts: int
    # Pieces that are one token, of ASCII alone.
    pieces: frozenset[str]
    # The shape of each character below U+10000: ASCII is its own.
    shapes: str


def count(text: str) -> int:
    """Give an upper bound of the tokens of a text, in nearly linear time."""
    stretches = _SEAM.split(text)
    return sum(map(_short if max(map(len, stretches)) <= _LONGEST_TOKEN else _stretch, stretches))


def cut(text: str, most: int) -> str:
    """Give the longest beginning of a text that costs at most this much, with an ellipsis where something was cut."""
    if most <= 0:
        return ""
    longest = most * _LONGEST_TOKEN
    if len(text) <= longest and count(text) <= most:
        return text
    return _cut_at_a_word(text[: longest + 1], most) or (ELLIPSIS if count(ELLIPSIS) <= most else "")


def _cut_at_a_word(text: str, most: int) -> str:
    """Give the longest shortened text that fits, or nothing."""
    fits, too_long = 0, len(text)
    while too_long - fits > 1:
        middle = (fits + too_long) // 2
        if count(text[:middle] + ELLIPSIS) <= most:
            fits = middle
        else:
            too_long = middle
    if not fits:
        return ""
    whole_words = re.match(r"(?s).*\S(?=\s)", text[: fits + 1])
    for shortened in ([whole_words[0]] if whole_words else []) + [text[:length] for length in range(fits, 0, -1)]:
        if count(shortened + ELLIPSIS) <= most:
            return shortened + ELLIPSIS
    return ""


def _stretch(text: str) -> int:
    """Bound what stands between two seams, for most texts a word and its signs."""
    if text.isascii():
        return sum(map(_cost, _PIECE.findall(text)))
    shape = text.translate(_vocabulary().shapes)
    if _UNKNOWN.search(shape):
        return _bytes(text)
    return sum(_cost(text[piece.start() : piece.end()]) for piece in _PIECE.finditer(shape))


# Words come again and again.
_short = lru_cache(maxsize=1 << 14)(_stretch)


@lru_cache(maxsize=1 << 16)
def _cost(piece: str) -> int:
    """Bound one piece."""
    vocabulary = _vocabulary()
    if piece in vocabulary.pieces:
        return 1
    word = _WORD.fullmatch(piece)
    if word:
        before, bare, short = word.groups("")
        if before + bare in vocabulary.pieces:
            return 1 + bool(short)
        if before != " " and bare in vocabulary.pieces:
            return 2 + bool(short)
    last = len(vocabulary.merges) if piece.isascii() else vocabulary.of_all_scripts
    return _merged(piece.encode("utf-8", "surrogatepass"), vocabulary.merges, last)


def _bytes(text: str) -> int:
    """Count UTF-8 bytes: what a tokenizer that merges bytes can cost at most. A lone surrogate is read as three."""
    return len(text.encode("utf-8", "surrogatepass"))


def _merged(piece: bytes, merges: dict[bytes, int], last: int) -> int:
    """Count what is left of a piece when the merges before the last are done, the first ones first."""
    left = len(piece)
    # Where the part that starts here ends (0 once it is swallowed), and where the part before it starts.
    end, previous = [*range(1, left + 1), 0], [*range(-1, left)]
    pairs = [(merges.get(piece[at : at + 2], last), at, at + 1, at + 2) for at in range(left - 1)]
    heapify(pairs)
    while pairs and pairs[0][0] < last:
        _, start, middle, stop = heappop(pairs)
        if end[start] != middle or end[middle] != stop:
            continue
        end[start], end[middle], previous[stop] = stop, 0, start
        left -= 1
        if start:
            first = previous[start]
            heappush(pairs, (merges.get(piece[first:stop], last), first, start, stop))
        if stop < len(piece):
            heappush(pairs, (merges.get(piece[start : end[stop]], last), start, stop, end[stop]))
    return left


@cache
def _vocabulary() -> Vocabulary:
    """Unpack the vocabulary."""
    packed = lzma.decompress(files("steno").joinpath("tokens.xz").read_bytes())
    everywhere, ascii_only, shared, rests, shapes = packed.split(b"\xfe")
    first = everywhere.split(b"\xff")
    merges = {token: place for place, token in enumerate(first + ascii_only.split(b"\xff"))}
    pieces = _unfolded(shared, rests.decode("latin-1").split("\xff"))
    return Vocabulary(merges, len(first), pieces, shapes.decode("latin-1"))


def _unfolded(shared: bytes, rests: list[str]) -> frozenset[str]:
    """Put together a sorted list from how many characters each piece shares with the one before, and the rest of it."""
    pieces, piece = [], ""
    for length, rest in zip(shared, rests, strict=True):
        piece = piece[:length] + rest
        pieces.append(piece)
    return frozenset(pieces)
