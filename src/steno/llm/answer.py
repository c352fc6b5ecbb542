"""From what a model wrote to the JSON value in it."""

import re
from typing import Any, Final

import msgspec

from steno.llm.base import MOST_BYTES

_FENCED: Final = re.compile(r"```[a-zA-Z]*\n(.*?)\n?```", re.DOTALL)


def json_in(text: str) -> Any:
    """The JSON of an answer, also where words or a fence stand around it. ValueError: there is none."""
    if len(text) > MOST_BYTES:
        raise ValueError(f"it has more than {MOST_BYTES >> 20} MB")
    if not text.strip():
        raise ValueError("it is empty")
    fenced = _FENCED.search(text)
    first, last = text.find("{"), text.rfind("}")
    for piece in (text, fenced.group(1) if fenced else "", text[first : last + 1] if 0 <= first < last else ""):
        try:
            return msgspec.json.decode(piece)
        except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
            continue
    raise ValueError("it is no JSON")
