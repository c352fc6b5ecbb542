"""Variables: the names the work needs, by kind: what people and agents wrote, and how things stand by the trail."""

import re
import tomllib
from pathlib import Path
from typing import Final

from msgspec import Struct, field

from steno.scribe.work.shell import without_cd
from steno.vocabulary import JournalTurn, Trail

# Shown per kind, the latest ones.
SHOWN: Final = 12
_LENGTH: Final = 300
_READ: Final = 4000
_PER_TURN: Final = 24

_TOLD: Final = tomllib.loads(Path(__file__).with_name("variables.toml").read_text("utf-8"))
_PATTERNS: Final = {kind: re.compile(shape, re.MULTILINE) for kind, shape in _TOLD["patterns"].items()}
_NAMED: Final = re.compile(r"[0-9a-f]{7,40} ")
# Shaped like an issue's key or a path, and none.
_NOT: Final = re.compile(r"(?:UTF|ISO|SHA|RFC|HTTP|GPT|AES)-|//|[\d/]+$|(?:Node|Next)\.js$")


class Variables(Struct):
    """The names found so far: by kind, the latest last."""

    found: dict[str, list[str]] = field(default_factory=dict)

    def values(self, directory: str, trail: Trail) -> dict[str, list[str]]:
        """By kind, the latest last; what the trail knows stands behind what was said."""
        done = [one.text.split()[0] for one in trail.results if one.kind == "commit" and _NAMED.match(one.text)]
        stands = {
            "branch": [one.branch for one in trail.repositories if one.branch],
            "command": [without_cd(trail.last_test.command)[0].split(" | ")[0]] if trail.last_test else [],
            "commit": done,
            "directory": [directory] if directory else [],
            "path": [file.path for file in sorted(trail.files, key=lambda file: file.turn) if file.changed],
            "pr": [f"#{one.number}" for one in trail.requests if one.number],
        }
        kinds = sorted({*self.found, *stands})
        shown = {kind: _once([*self.found.get(kind, []), *stands.get(kind, [])]) for kind in kinds}
        return {kind: values for kind, values in shown.items() if values}

    def said(self, turn: JournalTurn) -> None:
        """Somebody wrote: a person or the agent."""
        text = turn.turn.text
        text = text if len(text) <= _READ * 2 else f"{text[:_READ]}\n{text[-_READ:]}"
        for kind, pattern in _PATTERNS.items():
            named = [_tidy(kind, found) for found in pattern.finditer(text)][:_PER_TURN]
            if any(named):
                self.found[kind] = _once([*self.found.get(kind, []), *filter(None, named)])


def _once(values: list[str]) -> list[str]:
    """Each at its last place, the last ones."""
    return list(dict.fromkeys(reversed(values)))[:SHOWN][::-1]


def _tidy(kind: str, found: re.Match[str]) -> str:
    """The first group that holds something, else the whole; empty where it is no name."""
    value = next(filter(None, found.groups()), found[0]).lstrip("@ ").rstrip(" .,;:!?*_")
    if value.isdigit() and kind in ("pr", "issue"):
        return f"#{value}"
    return "" if len(value) > _LENGTH or (kind in ("path", "issue") and _NOT.match(value)) else value
