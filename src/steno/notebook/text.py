"""Words on a page: on one line, without anything that hides or poses as markup, and back again without a loss."""

import re
from hashlib import blake2b
from html import unescape
from typing import Final

# Longer than anybody writes on one line; what is longer is prose.
LONGEST_LINE: Final = 4_000
# What moves the cursor, runs backwards or hides; terminal escapes go whole.
_ESCAPE: Final = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]{0,200}(?:\x07|\x1b\\)?|[@-Z\\-_])")
_HIDDEN: Final = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff0-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e0fff]+"
)
# Where none of these stands, nothing needs to be changed.
_PLAIN: Final = frozenset("<&[\\")
_SPACE: Final = re.compile(r"\s+")
_ENTITY: Final = re.compile(r"&(?=lt;|amp;)")
_TAG: Final = re.compile(r"<(?=[A-Za-z/!?|])")
_BOX: Final = re.compile(r"\\*\[[ xX]\]")
# What editors, formatters and word processors make of the same signs.
_TYPESET: Final = str.maketrans(
    dict.fromkeys("\u2018\u2019\u201a\u201b\u2032", "'")
    | dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb", '"')
    | dict.fromkeys("\u2010\u2011\u2212", "-")
    | {"\u2013": "--", "\u2014": "--", "\u2026": "...", "\u00a0": " ", "\u202f": " "}
)
_ESCAPED: Final = re.compile(r"\\(?=[!-/:-@\[-`{-~])")
_EMPHASIS: Final = re.compile(r"(?<![\w_])(_{1,2})(?=\S)([^_]+)(?<=\S)\1(?![\w_])")
_UNSAFE: Final = re.compile(r"[^a-z0-9._-]+")
# Names some file systems keep for themselves.
_RESERVED: Final = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?")
_LONGEST_NAME: Final = 60


def as_line(words: str) -> str:
    """Words as they stand in a line of a page."""
    if words.isprintable() and _PLAIN.isdisjoint(words) and "  " not in words:
        return words.strip()
    line = _SPACE.sub(" ", _HIDDEN.sub("", _ESCAPE.sub("", words))).strip()
    line = _TAG.sub("&lt;", _ENTITY.sub("&amp;", line))
    return f"\\{line}" if _BOX.match(line) else line


def as_words(line: str) -> str:
    """What a line of a page says."""
    if "&" not in line and "\\" not in line:
        return " ".join(line.split())
    line = line[1:] if line.startswith("\\") and _BOX.match(line) else line
    return _SPACE.sub(" ", line.replace("&lt;", "<").replace("&amp;", "&")).strip()


def plain(words: str) -> str:
    """The same words however they are typeset: quotes, dashes, escapes, emphasis and white space tell nothing apart."""
    if words.isascii() and "\\" not in words and "_" not in words and "&" not in words and "---" not in words:
        return " ".join(words.split())
    text = _ESCAPED.sub("", unescape(_HIDDEN.sub("", words))).translate(_TYPESET)
    text = _EMPHASIS.sub(lambda found: f"{'*' * len(found[1])}{found[2]}{'*' * len(found[1])}", text)
    return " ".join(text.replace("---", "--").split())


def file_name(words: str) -> str:
    """A name for a file or a folder, of characters every disk knows; the same words give the same name."""
    name = _UNSAFE.sub("-", words.lower()).strip("-.")
    if len(name) > _LONGEST_NAME or not name or _RESERVED.fullmatch(name):
        name = f"{name[:_LONGEST_NAME].rstrip('-.')}-{mark(words)[:4]}".lstrip("-")
    return name


def mark(*parts: str) -> str:
    """An id for what has none in the store: twelve digits, like that of an entry."""
    return blake2b("\0".join(parts).encode("utf-8", "replace"), digest_size=6).hexdigest()
