"""From weights to the file that ships: an ONNX graph for one frame, its matrices in eight bits."""

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper
from onnxruntime.quantization import QuantType, quantize_dynamic

from steno.embedding.graph import Graph, layer, placed
from steno.scribe.frames import FEATURES
from steno.scribe.weigh import OUTPUTS


def export(weights: Mapping[str, Any], layers: int, target: Path) -> None:
    """Write the quantised graph. The head stays as it is: it is small, and every probability hangs on it."""
    graph = Graph()
    words = graph.add("Gather", graph.hold("word", weights["word"]), "ids")
    kinds = graph.add("Gather", graph.hold("token_type", weights["token_type"]), "segments")
    x = placed(graph, weights, graph.add("Add", words, kinds), graph.add("Shape", "ids"))
    for number in range(layers):
        x = layer(graph, weights, number, x, rows=False)
    _head(graph, weights, x)
    length, asked = "length", "asked"
    inputs = [
        helper.make_tensor_value_info("ids", TensorProto.INT64, [length]),
        helper.make_tensor_value_info("segments", TensorProto.INT64, [length]),
        helper.make_tensor_value_info("pool", TensorProto.FLOAT, [asked, length]),
        helper.make_tensor_value_info("features", TensorProto.FLOAT, [asked, FEATURES]),
    ]
    made = graph.model(
        "hearing", inputs, helper.make_tensor_value_info("logits", TensorProto.FLOAT, [asked, len(OUTPUTS)])
    )
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


def _head(graph: Graph, weights: Mapping[str, Any], x: str) -> None:
    mean = graph.add("MatMul", "pool", x)
    whole = graph.add("Gather", x, graph.hold("first", np.array([0])), axis=0)
    whole = graph.add("Expand", whole, graph.add("Shape", mean))
    z = graph.add("Concat", mean, whole, "features", axis=-1)
    own = graph.hold("head.weight", weights["head.weight"]), graph.hold("head.bias", weights["head.bias"])
    graph.result("Gemm", z, *own, name="logits")
