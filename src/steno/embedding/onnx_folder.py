"""A model of the user's own: a folder with model.onnx and tokenizer.json."""

import hashlib
import os
import re
from pathlib import Path
from typing import Any, Final

from steno.embedding.base import Choice
from steno.embedding.onnx_model import OnnxModel, open_session, open_tokenizer
from steno.vocabulary.errors import NoEmbedding

# Used when the tokenizer does not say how much the model can read, and the most we believe it.
USUAL_LIMIT: Final = 128
HIGHEST_LIMIT: Final = 512
_LOOKED_AT: Final = 1 << 20


def load(choice: Choice, folder: Path) -> OnnxModel:
    """The model in the folder behind `onnx:`. Nothing is written."""
    home = Path(os.path.abspath(os.path.expanduser(choice.name)))
    try:
        name = _name(home)
        content = (home / "tokenizer.json").read_bytes()
    except (OSError, ValueError) as error:
        raise NoEmbedding(
            f"cannot read the model in {home}: {error}", hint="the folder must hold model.onnx and tokenizer.json"
        ) from error
    tokenizer = open_tokenizer(content, name)
    return OnnxModel(open_session(home / "model.onnx", name), tokenizer, name=name, limit=_limit(tokenizer))


def _limit(tokenizer: Any) -> int:
    """As many tokens as the tokenizer says the model can read."""
    said = (tokenizer.truncation or {}).get("max_length", USUAL_LIMIT)
    # Some files write 0 or 10**30 for "no limit".
    return min(int(said), HIGHEST_LIMIT) if said > 8 else USUAL_LIMIT


def _name(home: Path) -> str:
    """The folder's name with a mark of its files: the first MB and the size of each that shapes the vectors."""
    mark = hashlib.sha256()
    for path in [home / "model.onnx", *sorted(home.glob("model.onnx[._]*")), home / "tokenizer.json"]:
        with path.open("rb") as file:
            mark.update(file.read(_LOOKED_AT) + f"\n{path.stat().st_size}\n".encode())
    return f"onnx-{re.sub(r'[^A-Za-z0-9.]+', '-', home.name)}-{mark.hexdigest()[:12]}"
