"""From text to vectors. Importing this room is cheap: numpy and the rest are imported when a model is loaded."""

import threading
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Final
from weakref import WeakValueDictionary

from steno.embedding.base import MINILM, Choice, Model
from steno.vocabulary.errors import NoEmbedding

__all__ = ["MINILM", "Choice", "Model", "load"]

# Which function makes a model of each form; imported when first used. A form with a colon wants something behind it.
_FORMS: Final = {
    "minilm": "steno.embedding.minilm:load",
    "ollama:": "steno.embedding.remote:ollama",
    "openai:": "steno.embedding.remote:openai",
}
_HINT: Final = "choose one of minilm, off, ollama:NAME, openai:NAME"


# Models this process has, shared by its memories for as long as one of them has it: each would take 90 MB.
_loaded: "WeakValueDictionary[tuple[Choice, Path], Model]" = WeakValueDictionary()
_loading: Final = threading.Lock()


def load(choice: Choice, folder: Path) -> Model:
    """The chosen model, ready to embed. `folder` is where files made from its weights are kept. Else NoEmbedding."""
    form, colon, _ = choice.model.partition(":")
    if choice.model == "off":
        raise NoEmbedding("turning text into vectors is switched off", hint="choose a model to switch it on")
    place = _FORMS.get(form + colon)
    if place is None or (colon and not choice.name):
        raise NoEmbedding(f"no model is called {choice.model!r}", hint=_HINT)
    module, _, attribute = place.partition(":")
    make: Callable[[Choice, Path], Model] = getattr(import_module(module), attribute)
    with _loading:
        if (model := _loaded.get((choice, folder))) is None:
            model = _loaded[choice, folder] = make(choice, folder)
    return model
