"""Pi: JSON lines under ~/.pi/agent/sessions, a file per session. OpenClaw grew out of it and writes the same events."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import msgspec

from steno.sources.base import FileSource
from steno.sources.jsonlines import read_lines
from steno.sources.pi_events import PiEvents
from steno.vocabulary import Batch, Transcript, Watermark

# Where OpenClaw keeps an agent's sessions.
AGENT: Final = re.compile(r"/agents/([^/]+)/(?:agent|sessions)/[^/]*$")
# Pi's files have this version or none; OpenClaw has gone on counting.
_LAST_VERSION: Final = 3


class Pi(FileSource):
    """The source `pi`."""

    name = "pi"

    def places(self, environment: Mapping[str, str]) -> list[Path]:
        home = environment.get("PI_CODING_AGENT_DIR") or f"{environment.get('HOME', '~')}/.pi/agent"
        return [Path(home).expanduser() / "sessions"]

    def recognises(self, path: str, head: bytes) -> bool:
        # OpenClaw keeps copies of sessions to go back to under this name.
        return path.endswith(".jsonl") and ".checkpoint." not in path and whose(path, head) == self.name

    def read(self, transcript: Transcript, watermark: Watermark) -> Iterator[Batch]:
        stem = Path(transcript.path).stem
        return read_lines(transcript.path, watermark, lambda state: PiEvents(stem, "pi", state))


def whose(path: str, head: bytes) -> str | None:
    """Which host wrote a file of this format: by where it lies, else by what OpenClaw alone writes. None: another's."""
    try:
        first = msgspec.json.decode(head.partition(b"\n")[0])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    if not isinstance(first, dict) or first.get("type") != "session" or not ("id" in first or "cwd" in first):
        return None
    if "/.pi/" in path:
        return "pi"
    version = first.get("version")
    later = isinstance(version, int) and version > _LAST_VERSION
    return "openclaw" if later or AGENT.search(path) or b'"__openclaw"' in head else "pi"
