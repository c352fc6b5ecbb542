"""Teaches the encoder: turns to batches, batches to weights. One process, one seed, the same weights every time."""

import random
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import jax
import jax.numpy as jnp
import numpy as np
import optax
from labelled import Turn

from steno.scribe.frames import FEATURES, Frame, frames
from steno.scribe.weigh import OUTPUTS
from steno.scribe.wordpiece import WordPiece
from training.model import Weights, base, logits

# Frames are padded to one of these, so that few shapes are compiled.
LENGTHS: Final = (32, 48, 64, 80, 96, 128, 176)
TOKENS: Final = 1536
# Sentences asked about in one row of a batch.
ASKED: Final = 4
_MUCH: Final = 80


@dataclass(frozen=True)
class Recipe:
    """What may be chosen."""

    epochs: int = 3
    layers: int = 6
    # Layers that stay as they were, with the embeddings.
    frozen: int = 2
    rate: float = 1e-4
    smoothing: float = 0.03
    seed: int = 12


@dataclass
class Item:
    """A row of a batch: a frame with what its sentences do."""

    frame: Frame
    labels: np.ndarray
    weights: np.ndarray


def items(turns: Sequence[Turn], tokenizer: WordPiece) -> list[Item]:
    """Rows of all turns. Who said much counts less each time."""
    spoken = Counter(turn.person for turn in turns)
    shares = {person: min(1.0, (_MUCH / count) ** 0.5) for person, count in spoken.items()}
    return [row for turn in turns for row in _items(turn, shares[turn.person], tokenizer)]


def _items(turn: Turn, weight: float, tokenizer: WordPiece) -> Iterator[Item]:
    spans = [(sentence.start, sentence.end) for sentence in turn.sentences]
    for frame in frames(turn.text, spans, before=turn.before, stopped=turn.stopped, tokenizer=tokenizer):
        keep = [k for k, (at, _, _) in enumerate(frame.asked) if turn.sentences[at].counts]
        for part in (keep[at : at + ASKED] for at in range(0, len(keep), ASKED)):
            found = [turn.sentences[frame.asked[k][0]] for k in part]
            labels = np.array(
                [[act in s.acts for act in OUTPUTS[:-2]] + [s.lasting, s.importance or 0.0] for s in found], np.float32
            )
            weights = np.full(labels.shape, weight, np.float32)
            weights[:, -1] = [weight * (s.importance is not None) for s in found]
            # Nobody said what these do: a weak no.
            weights *= np.array([[1.0 if s.acts else 0.5] for s in found], np.float32)
            asked, features = [frame.asked[k] for k in part], [frame.features[k] for k in part]
            yield Item(frame._replace(asked=asked, features=features), labels, weights)


def batches(rows: Sequence[Item], shuffle: random.Random | None = None) -> Iterator[tuple[dict[str, Any], Any, Any]]:
    """Rows of about the same length together."""
    by_length: dict[int, list[Item]] = {}
    for row in rows:
        by_length.setdefault(next(x for x in LENGTHS if len(row.frame.pieces) <= x), []).append(row)
    groups = []
    for length, held in sorted(by_length.items()):
        if shuffle:
            shuffle.shuffle(held)
        size = max(4, TOKENS // length)
        groups += [(length, size, held[at : at + size]) for at in range(0, len(held), size)]
    if shuffle:
        shuffle.shuffle(groups)
    for length, size, held in groups:
        yield _batch(length, size, held)


def _batch(length: int, size: int, rows: Sequence[Item]) -> tuple[dict[str, Any], Any, Any]:
    ids, segments = np.zeros((size, length), np.int32), np.zeros((size, length), np.int32)
    mask = np.zeros((size, length), np.float32)
    mask[:, 0] = 1
    pool, features = np.zeros((size, ASKED, length), np.float32), np.zeros((size, ASKED, FEATURES), np.float32)
    labels, weights = (np.zeros((size, ASKED, len(OUTPUTS)), np.float32) for _ in range(2))
    for at, row in enumerate(rows):
        count, asked = len(row.frame.pieces), len(row.frame.asked)
        ids[at, :count], mask[at, :count], segments[at, row.frame.own : count] = row.frame.pieces, 1, 1
        for number, (_, start, end) in enumerate(row.frame.asked):
            pool[at, number, start:end] = 1 / (end - start)
        features[at, :asked], labels[at, :asked], weights[at, :asked] = row.frame.features, row.labels, row.weights
    batch = {"ids": ids, "segments": segments, "mask": mask, "pool": pool, "features": features}
    return batch, labels, weights


def teach(turns: Sequence[Turn], tokenizer: WordPiece, recipe: Recipe) -> Weights:
    """Weights after some epochs; what is returned is a running mean of the last steps."""
    rows = items(turns, tokenizer)
    order = random.Random(recipe.seed)
    steps = recipe.epochs * sum(1 for _ in batches(rows))
    start = base(recipe.layers)
    still = {name: jnp.asarray(value) for name, value in start.items() if _is_frozen(name, recipe.frozen)}
    weights = {name: jnp.asarray(value) for name, value in start.items() if name not in still}
    kinds = {name: "head" if name.startswith("head") else "body" for name in weights}
    body = optax.adamw(optax.warmup_cosine_decay_schedule(0, recipe.rate, steps // 10 + 1, steps), weight_decay=0.01)
    tune = optax.multi_transform(
        {
            "body": optax.chain(optax.clip_by_global_norm(1.0), body),
            "head": optax.adamw(optax.cosine_decay_schedule(3e-3, steps)),
        },
        kinds,
    )
    state, mean, began = tune.init(weights), weights, time.monotonic()
    step = jax.jit(partial(_step, tune, recipe))
    key, number = jax.random.key(recipe.seed, impl="rbg"), 0
    for epoch in range(recipe.epochs):
        losses = []
        for batch, labels, weight in batches(rows, order):
            keep = min(0.99, (number + 1) / (number + 10))
            weights, state, mean, loss = step(
                still, weights, state, mean, batch, labels, weight, jax.random.fold_in(key, number), keep
            )
            number += 1
            losses.append(loss)
        spent = time.monotonic() - began
        print(f"epoch {epoch + 1}: loss {np.mean([float(x) for x in losses]):.4f}, {spent:.0f} s", flush=True)
    return {**still, **{name: np.asarray(value) for name, value in mean.items()}}


def _is_frozen(name: str, frozen: int) -> bool:
    first = name.partition(".")[0]
    return first in ("word", "position", "token_type", "norm") or (first.isdigit() and int(first) < frozen)


def _step(
    tune: Any,
    recipe: Recipe,
    still: Weights,
    weights: Weights,
    state: Any,
    mean: Weights,
    batch: Mapping[str, Any],
    labels: Any,
    weight: Any,
    key: Any,
    keep: Any,
) -> tuple[Weights, Any, Weights, Any]:
    def loss_of(weights: Weights) -> Any:
        found = logits({**still, **weights}, batch, recipe.layers, key)
        soft = labels * (1 - 2 * recipe.smoothing) + recipe.smoothing
        each = optax.sigmoid_binary_cross_entropy(found, soft) * (1 + 1.5 * labels) * weight
        return each.sum() / jnp.maximum(weight[..., 0].sum(), 1) / len(OUTPUTS)

    loss, slope = jax.value_and_grad(loss_of)(weights)
    change, state = tune.update(slope, state, weights)
    weights = optax.apply_updates(weights, change)
    mean = jax.tree.map(lambda old, new: keep * old + (1 - keep) * new, mean, weights)
    return weights, state, mean, loss
