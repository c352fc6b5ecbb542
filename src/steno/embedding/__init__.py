"""From text to vectors. Importing this room is cheap: numpy and the rest are imported when a model is loaded."""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Final

from steno.embedding.base import MINILM, Choice, Model
from steno.vocabulary.errors import NoEmbedding

__all__ = ["MINILM", "Choice", "Model", "keep", "load"]

# Which function makes a model of each form; imported when first used. A form with a colon wants something behind it.
_FORMS: Final = {
    "minilm": "steno.embedding.minilm:load",
    "ollama:": "steno.embedding.remote:ollama",
    "openai:": "steno.embedding.remote:openai",
}
_HINT: Final = "choose one of minilm, off, ollama:NAME, openai:NAME"


# Models that this process keeps for whoever loads them next.
_kept: dict[tuple[Choice, Path], Model] = {}


def keep(choice: Choice, folder: Path) -> None:
    """Load a model that runs on this machine and keep it for as long as the process lives. Else NoEmbedding."""
    if choice.model == "minilm":
        _kept[choice, folder] = load(choice, folder)


def load(choice: Choice, folder: Path) -> Model:
    """The chosen model, ready to embed. `folder` is where files made from its weights are kept. Else NoEmbedding."""
    if kept := _kept.get((choice, folder)):
        return kept
    form, colon, _ = choice.model.partition(":")
    if choice.model == "off":
        raise NoEmbedding("turning text into vectors is switched off", hint="choose a model to switch it on")
    place = _FORMS.get(form + colon)
    if place is None or (colon and not choice.name):
        raise NoEmbedding(f"no model is called {choice.model!r}", hint=_HINT)
    module, _, attribute = place.partition(":")
    make: Callable[[Choice, Path], Model] = getattr(import_module(module), attribute)
    return make(choice, folder)
