"""Files a host loads when a session starts, and how much of them it reads; what is over that it leaves out in silence.

OpenClaw: AGENTS, SOUL, TOOLS, IDENTITY, USER, HEARTBEAT, BOOTSTRAP and MEMORY.md of a workspace, 20,000 characters of
each (4,000 of USER.md), 60,000 together, or what its configuration says. It drops the middle: 70 % of the limit stay in
front of it, 20 % behind. Claude Code: MEMORY.md of the memory it keeps by itself, 200 lines or 25,000 bytes. Hermes:
2,200 characters of MEMORY.md, 1,375 of USER.md. Those two drop the end.

60,000 is what a run of the client told of itself; older ones had 150,000.
"""

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from steno.sources.files import open_quietly
from steno.vocabulary.errors import Unreadable
from steno.vocabulary.notebooks import Cut, Limit

_NAMES: Final = ("AGENTS", "SOUL", "TOOLS", "IDENTITY", "USER", "HEARTBEAT", "BOOTSTRAP", "MEMORY")
_EACH, _USER, _TOGETHER = 20_000, 4_000, 60_000
_FRONT, _BEHIND = 0.7, 0.2
_LINES, _BYTES = 200, 25_000
_HERMES: Final = {"MEMORY.md": 2_200, "USER.md": 1_375}
# So much of a file is looked at: nobody reads a fraction of it.
_LOOKED_AT: Final = 4 << 20
_SHOWN: Final = 80


def limits(environment: Mapping[str, str]) -> list[Limit]:
    """Every such file on this machine."""
    home = _home(environment)
    claude = Path(environment.get("CLAUDE_CONFIG_DIR") or home / ".claude").expanduser()
    hermes = Path(environment.get("HERMES_HOME") or home / ".hermes").expanduser()
    found = [limit for claw in _claws(environment) for folder in claw.workspaces for limit in _openclaw(claw, folder)]
    found += [limit for path in sorted(claude.glob("projects/*/memory/MEMORY.md")) for limit in _claude_code(path)]
    for name, most in _HERMES.items():
        path = hermes / "memories" / name
        if text := _text(path):
            found.append(_limit("hermes", path, text, most, cut=(most, len(text))))
    return found


def workspaces(environment: Mapping[str, str]) -> list[Path]:
    """Folders in which OpenClaw's agents keep their files."""
    return [folder for claw in _claws(environment) for folder in claw.workspaces]


def limit_of(path: Path, environment: Mapping[str, str]) -> int:
    """How many characters of a file in a workspace are read."""
    each = next((claw.each for claw in _claws(environment) if path.parent in claw.workspaces), _EACH)
    return min(each, _USER) if path.name == "USER.md" else each


class _Claw(NamedTuple):
    """What a configuration of OpenClaw says."""

    workspaces: list[Path]
    each: int
    together: int


def _claws(environment: Mapping[str, str]) -> Iterator[_Claw]:
    home = _home(environment)
    state = Path(environment.get("OPENCLAW_STATE_DIR") or home / ".openclaw").expanduser()
    for folder in (state, *sorted(home.glob(".openclaw-*"))):
        config = re.sub(r"^\s*//.*$", "", _text(folder / "openclaw.json"), flags=re.M)
        named = re.findall(r"\bworkspace[\"']?\s*:\s*[\"']([^\"'\0]+)[\"']", config)
        places = [Path(re.sub(r"^~(?=/|$)", str(home), name)) for name in named]
        yield _Claw(
            list(dict.fromkeys([*sorted(folder.glob("workspace*")), *places])),
            _number("bootstrapMaxChars", config, _EACH),
            _number("bootstrapTotalMaxChars", config, _TOGETHER),
        )


def _home(environment: Mapping[str, str]) -> Path:
    return Path(environment.get("HOME", "~")).expanduser()


def _openclaw(claw: _Claw, folder: Path) -> Iterator[Limit]:
    """The files of a workspace in the order they are loaded, then all of them together."""
    used = 0
    for name in _NAMES:
        path = folder / f"{name}.md"
        if text := _text(path):
            most = min(claw.each, _USER) if name == "USER" else claw.each
            yield _limit("openclaw", path, text, most, cut=_middle(text, min(most, max(0, claw.together - used))))
            used += min(len(text), most)
    if used:
        yield Limit(host="openclaw", path=str(folder), unit="characters", used=used, most=claw.together)


def _claude_code(path: Path) -> Iterator[Limit]:
    """By lines or by bytes, whichever ends first."""
    text = _text(path)
    lines, size = text.count("\n") + 1, len(text.encode("utf-8", "replace"))
    if not text:
        return
    rows = text.split("\n")
    kept = min(len("\n".join(rows[:_LINES])), len(text.encode("utf-8", "replace")[:_BYTES].decode("utf-8", "ignore")))
    cut = _cut(text, kept, len(text))
    if lines / _LINES >= size / _BYTES:
        yield Limit(host="claude-code", path=str(path), unit="lines", used=lines, most=_LINES, cut=cut)
    else:
        yield Limit(host="claude-code", path=str(path), unit="bytes", used=size, most=_BYTES, cut=cut)


def _limit(host: str, path: Path, text: str, most: int, *, cut: tuple[int, int]) -> Limit:
    return Limit(host=host, path=str(path), unit="characters", used=len(text), most=most, cut=_cut(text, *cut))


def _middle(text: str, most: int) -> tuple[int, int]:
    """From where to where a text is left out."""
    return (int(most * _FRONT), len(text) - int(most * _BEHIND)) if len(text) > most else (0, 0)


def _cut(text: str, start: int, end: int) -> Cut | None:
    gone = text[start:end]
    if not gone.strip():
        return None
    words = " ".join(gone.split())
    first = text.count("\n", 0, start) + 1
    return Cut(
        first=first,
        last=first + gone.rstrip().count("\n"),
        characters=len(gone),
        begins=words[:_SHOWN],
        ends=words[-_SHOWN:] if len(words) > 2 * _SHOWN else words[_SHOWN:],
    )


def _number(name: str, config: str, usual: int) -> int:
    """A number of a configuration that may hold comments and names without quotes."""
    found = re.search(rf"\b{name}[\"']?\s*:\s*(\d{{1,9}})\b", config)
    return int(found[1]) or usual if found else usual


def _text(path: Path) -> str:
    """What stands in a file, without the blanks at its end; nothing if it cannot be read."""
    try:
        with open_quietly(os.fspath(path)) as file:
            return (file.read(_LOOKED_AT) or b"").decode("utf-8-sig", "replace").replace("\r\n", "\n").rstrip()
    except (Unreadable, OSError):
        return ""
