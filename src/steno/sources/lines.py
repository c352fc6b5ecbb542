"""The wall around JSON: a line becomes objects, or is bad. Nothing a transcript holds raises anything else.

The fast path is one msgspec decode into a struct that names only the wanted fields; everything else in the line is
skipped without being built. A line that fails goes through `mend`, which keeps what can be kept.
"""

import json
import re
from typing import Any, Final

import msgspec

# An object that starts in the middle of a line: not a value inside another one, so a torn line was written before it.
_SPLICE: Final = re.compile(r"(?<![:,\[\s]){(?=\")")
# How often a damaged line is tried again. Real splices hold two or three objects.
_TRIES: Final = 8


class LineDecoder:
    """Decodes lines into one shape."""

    def __init__(self, shape: type[msgspec.Struct]) -> None:
        self._shape = shape
        self._names = dict(zip(shape.__struct_encode_fields__, shape.__struct_fields__, strict=True))
        self.decode = msgspec.json.Decoder(shape).decode

    def mend(self, line: bytes) -> list[Any]:
        """Read a line that is not one JSON object: splices, NUL runs, bad UTF-8, NaN, endless numbers, half emoji."""
        text = line.replace(b"\0", b"").decode("utf-8", "replace").strip()
        objects: list[Any] = []
        start = 0
        for _ in range(_TRIES):
            try:
                value, end = _LENIENT.raw_decode(text, start)
                found = self._fill(value) if isinstance(value, dict) else None
            except (ValueError, RecursionError):
                splice = _SPLICE.search(text, start + 1)
                if splice is None:
                    break
                start = splice.start()
                continue
            if found is not None:
                objects.append(found)
            start = len(text) - len(text[end:].lstrip())
            if start == len(text):
                break
        return objects

    def _fill(self, value: dict[str, Any]) -> Any:
        known = {self._names[name]: _whole(field) for name, field in value.items() if name in self._names}
        return self._shape(**known)


def value_of(field: Any) -> Any:
    """The value of a field that was left undecoded until somebody wants it. Damaged inside: None."""
    if not isinstance(field, msgspec.Raw):
        return field
    try:
        return msgspec.json.decode(field) if memoryview(field).nbytes else None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def as_json(value: Any) -> str:
    """A tool's input as text."""
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _whole(value: Any) -> Any:
    """The same value without half surrogates (a host that cuts text in the middle of an emoji leaves them)."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [_whole(item) for item in value]
    if isinstance(value, dict):
        return {_whole(name): _whole(item) for name, item in value.items()}
    return value


_LENIENT: Final = json.JSONDecoder(
    parse_constant=lambda _: None,
    # 19 digits fit SQLite and msgspec; longer ones stay text, since Python refuses to read 4,301 digits.
    parse_int=lambda digits: int(digits) if len(digits) < 19 else digits,
)
