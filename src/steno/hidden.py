"""Signs that nobody sees, or that drive a terminal: shown as escapes, so that what is read is what is there.

With zero-width signs, marks of direction, tags and variation selectors a text can say one thing to a person and another
to a model. Three uses are ordinary and stay: what joins emoji, what makes a sign an emoji, and the joiners between
letters of scripts that are written with them.
"""

import re
from functools import cache
from typing import Any, Final

_EMOJI: Final = "\u00a9\u00ae\u203c\u2049\u2122-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
# Arabic and its kin, and the scripts of India and its neighbours.
_JOINED: Final = (
    "\u0620-\u06d5\u0700-\u074f\u0750-\u08c9\u0900-\u0dff\u0f00-\u109f\u1780-\u17b3\ufb50-\ufdff\ufe70-\ufefc"
)
# Control characters but line feed and tab; format characters but those that can be seen; separators of lines; fillers;
# variation selectors; halves of surrogate pairs; everything in the plane of tags.
_ALWAYS: Final = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ud800-\udfff\ufe00-\ufe0e\ufeff\uffa0\ufff0-\ufffb\U00013430-\U0001343f\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)


@cache
def _hidden() -> re.Pattern[str]:
    """Compiled when it is needed first: most of what is shown is plain."""
    return re.compile(
        f"[{_ALWAYS}]"
        # Joiners: between emoji (only the one), or between letters that they join or part.
        f"|(?<![{_JOINED}{_EMOJI}\ufe0f])\u200d|\u200d(?![{_JOINED}{_EMOJI}])|(?<![{_JOINED}])\u200c|\u200c(?![{_JOINED}])"
        # The selector that makes an emoji of a sign, or of a digit a key.
        f"|(?<![{_EMOJI}#*0-9])\ufe0f|(?<=[#*0-9])\ufe0f(?!\u20e3)"
    )


def shown(text: str) -> str:
    """The text with every such sign as an escape that can be seen."""
    if text.isascii() and text.isprintable():
        return text
    return _hidden().sub(_sign, text)


def encoded(value: Any) -> bytes:
    """A value as JSON, without anything that hides or drives a terminal."""
    import msgspec

    try:
        return escaped(msgspec.json.encode(value))
    except UnicodeEncodeError:  # the name of a file that is not UTF-8: its other bytes are written out
        import json

        text = json.dumps(msgspec.to_builtins(value), ensure_ascii=False)
        return escaped(re.sub("[\ud800-\udfff]", lambda half: f"\\\\u{ord(half[0]):04x}", text).encode())


def escaped(encoded: bytes) -> bytes:
    """The same JSON value, with such signs as escapes of JSON."""
    if encoded.isascii() and b"\x7f" not in encoded:
        return encoded
    return _hidden().sub(_json_escape, encoded.decode()).encode()


def _sign(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code < 0x20:
        return chr(0x2400 + code)
    return "␡" if code == 0x7F else f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def _json_escape(found: re.Match[str]) -> str:
    units = found[0].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))
