"""The encoder in JAX: MiniLM with a head that reads each sentence where it stands in its turn."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from steno.embedding.graph import HEADS, WIDTH, held
from steno.embedding.minilm import carrier
from steno.scribe.frames import FEATURES
from steno.scribe.weigh import OUTPUTS

Weights = dict[str, Any]


def base(layers: int) -> Weights:
    """The weights to start from, out of the carrier the embedding uses, too; its first `layers` layers."""
    found = {name: value for name, value in held(carrier() / "onnx/model.onnx").items() if _wanted(name, layers)}
    found["head.weight"] = np.zeros((2 * WIDTH + FEATURES, len(OUTPUTS)), np.float32)
    found["head.bias"] = np.full(len(OUTPUTS), -1.5, np.float32)
    return {name: np.asarray(value, np.float32) for name, value in found.items()}


def _wanted(name: str, layers: int) -> bool:
    number = name.partition(".")[0]
    return not number.isdigit() or int(number) < layers


def hidden(weights: Mapping[str, Any], batch: Mapping[str, Any], layers: int, key: Any = None) -> Any:
    """The last layer: (rows, length, WIDTH)."""
    ids, mask = batch["ids"], batch["mask"]
    x = weights["word"][ids] + weights["position"][: ids.shape[1]] + weights["token_type"][batch["segments"]]
    x = _norm(x, weights["norm.weight"], weights["norm.bias"])
    bias = (1.0 - mask)[:, None, None, :] * -1e9
    for layer in range(layers):
        line = partial(_line, weights, layer)
        norm = partial(_layer_norm, weights, layer)
        query, keys, value = (_split(line(x, name)) for name in ("q_proj", "k_proj", "v_proj"))
        seen = jax.nn.softmax(query @ keys.transpose(0, 1, 3, 2) / np.sqrt(WIDTH // HEADS) + bias) @ value
        seen = line(seen.transpose(0, 2, 1, 3).reshape(x.shape), "o_proj")
        x = norm(x + _dropped(seen, key, 2 * layer), "attention_output_norm")
        seen = line(jax.nn.gelu(line(x, "fc1"), approximate=False), "fc2")
        x = norm(x + _dropped(seen, key, 2 * layer + 1), "mlp_output_norm")
    return x


def logits(weights: Mapping[str, Any], batch: Mapping[str, Any], layers: int, key: Any = None) -> Any:
    """(rows, asked, OUTPUTS): for each sentence the mean of its vectors, that of the whole, and the features."""
    x = hidden(weights, batch, layers, key)
    means = batch["pool"] @ x
    z = jnp.concatenate([means, jnp.broadcast_to(x[:, :1], means.shape), batch["features"]], -1)
    if key is not None:
        z = z * jax.random.bernoulli(jax.random.fold_in(key, 2 * layers), 0.8, z.shape) / 0.8
    return z @ weights["head.weight"] + weights["head.bias"]


def _dropped(x: Any, key: Any, number: int) -> Any:
    """With a tenth left out while it is taught; one mask for all places of a row, which is as good and far cheaper."""
    if key is None:
        return x
    kept = jax.random.bernoulli(jax.random.fold_in(key, number), 0.9, (x.shape[0], 1, x.shape[2]))
    return x * kept / 0.9


def _norm(x: Any, weight: Any, bias: Any) -> Any:
    return (x - x.mean(-1, keepdims=True)) / jnp.sqrt(x.var(-1, keepdims=True) + 1e-12) * weight + bias


def _layer_norm(weights: Mapping[str, Any], layer: int, x: Any, name: str) -> Any:
    return _norm(x, weights[f"{layer}.{name}.weight"], weights[f"{layer}.{name}.bias"])


def _line(weights: Mapping[str, Any], layer: int, x: Any, name: str) -> Any:
    return x @ weights[f"{layer}.{name}.weight"] + weights[f"{layer}.{name}.bias"]


def _split(x: Any) -> Any:
    return x.reshape(*x.shape[:2], HEADS, -1).transpose(0, 2, 1, 3)
