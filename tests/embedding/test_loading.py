"""Which model a choice means, and models out of a folder of the user's own."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from steno.embedding import Choice, Model, load
from steno.embedding.minilm import carrier
from steno.vocabulary.errors import NoEmbedding

TEXTS = ["never change the payments table by hand", "", "apple cake"]


@pytest.fixture
def folder(made_model: Path, tmp_path: Path) -> Path:
    """The quantised model as a folder of the user's own."""
    own = tmp_path / "my model"
    own.mkdir()
    (whole,) = made_model.iterdir()
    (own / "model.onnx").symlink_to(whole)
    (own / "tokenizer.json").write_bytes((carrier() / "tokenizer.json").read_bytes())
    return own


def test_importing_the_room_imports_nothing_heavy() -> None:
    heavy = {"numpy", "onnxruntime", "tokenizers", "onnx", "urllib.request"}
    code = f"import sys, steno.embedding; print({heavy} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


def test_off_says_that_it_is_switched_off(tmp_path: Path) -> None:
    with pytest.raises(NoEmbedding, match="switched off"):
        load(Choice("off"), tmp_path)


@pytest.mark.parametrize("model", ["", "mini", "minilm:x", "onnx", "onnx:", "ollama: ", "off:1", ":"])
def test_a_choice_nobody_knows_gets_the_list_of_choices(tmp_path: Path, model: str) -> None:
    with pytest.raises(NoEmbedding, match="no model is called") as caught:
        load(Choice(model), tmp_path)
    assert caught.value.hint.startswith("choose one of minilm, off, onnx:FOLDER")


def test_a_choice_does_not_show_its_key() -> None:
    assert repr(Choice("openai:x", key="sk-very-secret")) == "Choice(model='openai:x', url='', key='***')"


def test_a_folder_of_ones_own_gives_the_same_vectors_under_its_own_name(
    folder: Path, minilm: Model, tmp_path: Path
) -> None:
    own = load(Choice(f"onnx:{folder}"), tmp_path)
    assert own.name.startswith("onnx-my-model-")
    assert np.array_equal(own.embed(TEXTS), minilm.embed(TEXTS))
    with (folder / "tokenizer.json").open("a") as file:
        file.write("\n")
    assert load(Choice(f"onnx:{folder}"), tmp_path).name != own.name


@pytest.mark.parametrize("file", ["model.onnx", "tokenizer.json"])
def test_a_folder_with_a_missing_or_damaged_file_is_named(folder: Path, tmp_path: Path, file: str) -> None:
    (folder / file).unlink()
    with pytest.raises(NoEmbedding, match="my model") as caught:
        load(Choice(f"onnx:{folder}"), tmp_path)
    assert caught.value.hint == "the folder must hold model.onnx and tokenizer.json"
    (folder / file).write_bytes(b"{\xff no such thing")
    with pytest.raises(NoEmbedding, match=r"cannot (load|read)") as caught:
        load(Choice(f"onnx:{folder}"), tmp_path)
    assert "damaged" in caught.value.hint
