"""Makes a smaller, faster model of MiniLM's weights: a graph of our own, in eight bits. Run in a process of its own:
`python -m … SOURCE TARGET`.

In ours it would leave 200 MB behind, and the package writes to the root logger.
"""

import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from steno.embedding.base import INSTALL, needed
from steno.processes import run
from steno.vocabulary.errors import NoEmbedding

# It takes about two seconds; a machine this much slower is stuck.
_PATIENCE: Final = 300.0


def quantise(source: Path, target: Path) -> None:
    """Write the quantised form of `source` to `target`, or raise NoEmbedding."""
    for package in ("onnx", "onnxruntime"):
        if find_spec(package) is None:
            raise NoEmbedding(f"making the model needs the package {package}", hint=INSTALL)
    # -P: a file in the current folder must not pass for one of these packages.
    command = [sys.executable, "-P", "-m", "steno.embedding.quantise", str(source), str(target)]
    if problem := run(command, _PATIENCE, 0).problem:
        raise NoEmbedding(f"cannot quantise the model: it {problem}", hint=f"is the installation whole? {INSTALL}")


def main(source: str, target: str) -> None:
    """What the process of its own does."""
    kit = needed("onnxruntime.quantization")
    from steno.embedding.graph import held, sentence_model

    # Not the file: given a path, the kit writes beside it, into somebody else's folder, and two of us collide.
    model = sentence_model(held(Path(source)))
    # Cosine to the model of 32 bits is .990; leaving layers out bought nothing (at most .994, slower). Weights use
    # seven of the eight bits: with all of them a processor without VNNI cuts sums off and has other vectors.
    kit.quantize_dynamic(model, target, weight_type=kit.QuantType.QInt8, per_channel=True, reduce_range=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
