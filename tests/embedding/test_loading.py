"""Which model a choice means."""

import subprocess
import sys
from pathlib import Path

import pytest

from steno.embedding import Choice, load
from steno.vocabulary.errors import NoEmbedding


def test_importing_the_room_imports_nothing_heavy() -> None:
    heavy = {"numpy", "onnxruntime", "tokenizers", "onnx", "urllib.request"}
    code = f"import sys, steno.embedding; print({heavy} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


def test_off_says_that_it_is_switched_off(tmp_path: Path) -> None:
    with pytest.raises(NoEmbedding, match="switched off"):
        load(Choice("off"), tmp_path)


@pytest.mark.parametrize("model", ["", "mini", "minilm:x", "onnx:x", "ollama: ", "off:1", ":"])
def test_a_choice_nobody_knows_gets_the_list_of_choices(tmp_path: Path, model: str) -> None:
    with pytest.raises(NoEmbedding, match="no model is called") as caught:
        load(Choice(model), tmp_path)
    assert caught.value.hint.startswith("choose one of minilm, off, ollama:NAME")


def test_a_choice_does_not_show_its_key() -> None:
    assert repr(Choice("openai:x", key="sk-very-secret")) == "Choice(model='openai:x', url='', key='***')"
