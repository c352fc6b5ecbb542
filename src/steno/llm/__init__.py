"""The user's own language model, if they named one. Importing this room is cheap: libraries are imported when used."""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Final

from steno.llm.base import Choice, Model, Question, Reply, Response, Used
from steno.vocabulary.errors import NoModel

__all__ = ["FORMS", "Choice", "Model", "Question", "Reply", "Response", "Used", "is_known", "load"]

# Which module makes a model of each form; imported when first used.
_FORMS: Final = {"anthropic": "served", "command": "command", "gemini": "served", "openai": "served"}
FORMS: Final = "anthropic:NAME, openai:NAME, gemini:NAME or command:PROGRAM"


def is_known(choice: Choice) -> bool:
    """Whether it has a form we know, and a name."""
    return choice.model.partition(":")[0] in _FORMS and bool(choice.name)


def load(choice: Choice, folder: Path) -> Model:
    """The chosen model. `folder` is where a program is run, and never captured. Else NoModel."""
    if not is_known(choice):
        raise NoModel(f"no model is called {choice.model!r}", hint=f"choose {FORMS}")
    module = import_module(f"steno.llm.{_FORMS[choice.model.partition(':')[0]]}")
    make: Callable[[Choice, Path], Model] = module.load
    return make(choice, folder)
