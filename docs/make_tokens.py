"""Make `src/steno/tokens.xz`, the part of o200k that `steno.tokens` counts with: `python docs/make_tokens.py`.

Everything comes from the package rs_bpe, which carries o200k and cl100k (OpenAI, MIT licence), and from Python's own
tables of Unicode. A low rank means a frequent token. cl100k was learnt mostly from English and code, so its ranks say
which tokens of o200k are worth listing; they are never used for counting.

The file has five parts, parted by the byte FE: merges of all scripts, later merges of ASCII alone, then of the sorted
pieces that are one token how many characters each shares with the one before, and their rests, and last the shapes of
the characters below U+10000. The byte FF parts merges and rests. Neither byte occurs in UTF-8.
"""

import lzma
import re
import unicodedata
from itertools import pairwise
from os.path import commonprefix
from pathlib import Path

from rs_bpe.bpe import openai

from steno.tokens import SIGNS

TARGET = Path(__file__).parent.parent / "src/steno/tokens.xz"
O200K = openai.o200k_base()
SIZE_OF_O200K, SIZE_OF_CL100K = 199_998, 100_256

# Chosen by measuring: together about 100 KB.
RANKS_OF_ALL_SCRIPTS = 8_000
RANKS_OF_ASCII = 15_000
RANKS_OF_LISTED_WORDS = 60_000
RANKS_OF_LISTED_SIGNS = 30_000

SINGLE_BYTES = 256
SHORT = ("", "'s", "'t", "'re", "'ve", "'m", "'ll", "'d")
WORD = re.compile(r" ?(?:[A-Z]*[a-z]+|[A-Z]+[a-z]*)")
PIECE = re.compile(r"[^\r\nA-Za-z0-9]?(?:[A-Z]*[a-z]+|[A-Z]+[a-z]*)| ?[^\sA-Za-z0-9]+[\r\n/]*")
# White_Space of Unicode outside ASCII, which `\s` means in o200k.
SPACE = "\x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
SHAPES = {"Lu": "A", "Lt": "A", "Ll": "a", "L": "\x80", "M": "\x80", "N": "0"}


def tokens(tokenizer: openai.Tokenizer, size: int) -> list[bytes]:
    """Give a vocabulary in the order of its ranks."""
    encoding = tokenizer.bpe()
    return [bytes(encoding.decode_tokens([rank])) for rank in range(size)]


def holds(piece: str) -> bool:
    """Whether a piece is one token, and costs one more at most with a short ending and, as a word, behind a sign."""
    befores = ["", *SIGNS] if piece.isalpha() else [""]
    shorts = SHORT if piece[-1].isalpha() else [""]
    return all(
        O200K.count(before + piece + short) <= 1 + bool(before) + bool(short) for before in befores for short in shorts
    )


def listed(vocabulary: list[bytes]) -> list[str]:
    """Give the frequent pieces that the merges alone do not make one token."""
    frequency = {token: rank for rank, token in enumerate(tokens(openai.cl100k_base(), SIZE_OF_CL100K))}
    found = []
    for token in vocabulary[RANKS_OF_ASCII:]:
        if token.isascii() and token in frequency and PIECE.fullmatch(piece := token.decode()):
            most = RANKS_OF_LISTED_WORDS if WORD.fullmatch(piece) else RANKS_OF_LISTED_SIGNS
            if frequency[token] < most and holds(piece):
                found.append(piece)
    return sorted(found)


def folded(pieces: list[str]) -> tuple[bytes, bytes]:
    """Write how many characters each piece shares with the one before, and the rest of each."""
    shared = [len(commonprefix(pair)) for pair in pairwise(["", *pieces])]  # noqa: RUF071
    return bytes(shared), b"\xff".join(piece[n:].encode() for n, piece in zip(shared, pieces, strict=True))


def shape(character: str) -> str:
    """Give the ASCII character that stands for the kind of this one; U+0081 where Unicode did not always agree."""
    category = unicodedata.category(character)
    if character.isascii():
        return character
    if character in SPACE:
        return "\x0b"
    # The long s is an s to o200k when it looks for 's.
    if category in ("Cn", "Cs", "Co") or category != unicodedata.ucd_3_2_0.category(character) or character == "ſ":
        return "\x81"
    return SHAPES.get(category, SHAPES.get(category[0], "!"))


def main() -> None:
    """Write the file."""
    vocabulary = tokens(O200K, SIZE_OF_O200K)
    merges = vocabulary[SINGLE_BYTES:RANKS_OF_ALL_SCRIPTS]
    ascii_only = [token for token in vocabulary[RANKS_OF_ALL_SCRIPTS:RANKS_OF_ASCII] if token.isascii()]
    shapes = "".join(shape(chr(code)) for code in range(0x10000))
    parts = [b"\xff".join(merges), b"\xff".join(ascii_only), *folded(listed(vocabulary)), shapes.encode("latin-1")]
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "lc": 4, "pb": 0}]
    TARGET.write_bytes(lzma.compress(b"\xfe".join(parts), check=lzma.CHECK_CRC32, filters=filters))


if __name__ == "__main__":
    main()
