"""From weights to the file that ships: an ONNX graph for one frame, its matrices in eight bits."""

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic

from steno.scribe.frames import FEATURES
from steno.scribe.weigh import OUTPUTS
from training.model import HEADS, WIDTH

_OPSET: Final = 20


class _Graph:
    """Nodes in the order in which they run."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.held: list[Any] = []

    def hold(self, name: str, value: Any) -> str:
        self.held.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def add(self, kind: str, *inputs: str, outputs: int = 1, **attributes: Any) -> Any:
        names = [f"{kind}_{len(self.nodes)}_{number}" for number in range(outputs)]
        self.nodes.append(helper.make_node(kind, list(inputs), names, name=names[0], **attributes))
        return names[0] if outputs == 1 else names


def export(weights: Mapping[str, Any], layers: int, target: Path) -> None:
    """Write the quantised graph. The head stays as it is: it is small, and every probability hangs on it."""
    graph = _Graph()
    x = _embedded(graph, weights)
    for layer in range(layers):
        x = _layer(
            graph, {n.removeprefix(f"{layer}."): v for n, v in weights.items() if n.startswith(f"{layer}.")}, layer, x
        )
    _head(graph, weights, x)
    length, asked = "length", "asked"
    inputs = [
        helper.make_tensor_value_info("ids", TensorProto.INT64, [length]),
        helper.make_tensor_value_info("segments", TensorProto.INT64, [length]),
        helper.make_tensor_value_info("pool", TensorProto.FLOAT, [asked, length]),
        helper.make_tensor_value_info("features", TensorProto.FLOAT, [asked, FEATURES]),
    ]
    outputs = [helper.make_tensor_value_info("logits", TensorProto.FLOAT, [asked, len(OUTPUTS)])]
    made = helper.make_model(
        helper.make_graph(graph.nodes, "hearing", inputs, outputs, graph.held),
        opset_imports=[helper.make_opsetid("", _OPSET)],
        ir_version=10,
    )
    onnx.checker.check_model(made)
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "plain.onnx"
        onnx.save(made, plain)
        quantize_dynamic(
            plain,
            target,
            weight_type=QuantType.QInt8,
            per_channel=True,
            # Seven bits: with eight, processors differ (see `embedding/quantise.py`).
            reduce_range=True,
            nodes_to_exclude=["logits"],
            op_types_to_quantize=["MatMul", "Gather"],
        )


def _embedded(graph: _Graph, weights: Mapping[str, Any]) -> str:
    words = graph.add("Gather", graph.hold("word", weights["word"]), "ids")
    kinds = graph.add("Gather", graph.hold("token_type", weights["token_type"]), "segments")
    zero, one = graph.hold("zero", np.array([0])), graph.hold("one", np.array([1]))
    length = graph.add("Shape", "ids")
    places = graph.add("Slice", graph.hold("position", weights["position"]), zero, length, zero, one)
    x = graph.add("Add", graph.add("Add", words, kinds), places)
    return _normed(graph, "norm", weights["norm.weight"], weights["norm.bias"], x)


def _layer(graph: _Graph, own: Mapping[str, Any], layer: int, x: str) -> str:
    names = ("q_proj", "k_proj", "v_proj")
    scale = np.float32((WIDTH // HEADS) ** -0.5)
    scales = (scale, np.float32(1), np.float32(1))
    fused = [
        np.concatenate([own[f"{name}.{part}"] * by for name, by in zip(names, scales, strict=True)], -1)
        for part in ("weight", "bias")
    ]
    asked = _line(graph, f"{layer}.qkv", *fused, x)
    if layer == 0:
        graph.hold("heads", np.array([-1, HEADS, WIDTH // HEADS]))
        graph.hold("flat", np.array([-1, WIDTH]))
    parts = graph.add("Split", asked, outputs=3, axis=-1, num_outputs=3)
    orders = ([1, 0, 2], [1, 2, 0], [1, 0, 2])
    query, key, value = (
        graph.add("Transpose", graph.add("Reshape", part, "heads"), perm=order)
        for part, order in zip(parts, orders, strict=True)
    )
    seen = graph.add("MatMul", graph.add("Softmax", graph.add("MatMul", query, key), axis=-1), value)
    seen = graph.add("Reshape", graph.add("Transpose", seen, perm=[1, 0, 2]), "flat")
    seen = _line(graph, f"{layer}.o", own["o_proj.weight"], own["o_proj.bias"], seen)
    norm = "attention_output_norm"
    x = _normed(graph, f"{layer}.{norm}", own[f"{norm}.weight"], own[f"{norm}.bias"], graph.add("Add", x, seen))
    wide = graph.add("Gelu", _line(graph, f"{layer}.fc1", own["fc1.weight"], own["fc1.bias"], x))
    seen = _line(graph, f"{layer}.fc2", own["fc2.weight"], own["fc2.bias"], wide)
    norm = "mlp_output_norm"
    return _normed(graph, f"{layer}.{norm}", own[f"{norm}.weight"], own[f"{norm}.bias"], graph.add("Add", x, seen))


def _head(graph: _Graph, weights: Mapping[str, Any], x: str) -> None:
    mean = graph.add("MatMul", "pool", x)
    whole = graph.add("Gather", x, graph.hold("first", np.array([0])), axis=0)
    whole = graph.add("Expand", whole, graph.add("Shape", mean))
    z = graph.add("Concat", mean, whole, "features", axis=-1)
    held = graph.hold("head.weight", weights["head.weight"]), graph.hold("head.bias", weights["head.bias"])
    graph.nodes.append(helper.make_node("Gemm", [z, *held], ["logits"], name="logits"))


def _line(graph: _Graph, name: str, weight: Any, bias: Any, x: str) -> str:
    found: str = graph.add("MatMul", x, graph.hold(f"{name}.weight", weight))
    return str(graph.add("Add", found, graph.hold(f"{name}.bias", bias)))


def _normed(graph: _Graph, name: str, weight: Any, bias: Any, x: str) -> str:
    held = graph.hold(f"{name}.weight", weight), graph.hold(f"{name}.bias", bias)
    return str(graph.add("LayerNormalization", x, *held, axis=-1, epsilon=1e-12))
