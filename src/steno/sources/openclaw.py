"""OpenClaw: a database per agent (openclaw_database.py), before 2026-08 JSON lines as pi writes them."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from steno.sources.jsonlines import read_lines
from steno.sources.openclaw_database import DATABASE, list_sessions, read_session
from steno.sources.openclaw_events import OpenClawEvents
from steno.sources.openclaw_sessions import origin_in_folder
from steno.sources.pi import AGENT, whose
from steno.vocabulary import Batch, Transcript, Watermark

_SQLITE: Final = b"SQLite format 3\0"


class OpenClaw:
    """The source `openclaw`."""

    name = "openclaw"

    def places(self, environment: Mapping[str, str]) -> list[Path]:
        home = Path(environment.get("HOME", "~")).expanduser()
        state = Path(environment.get("OPENCLAW_STATE_DIR") or home / ".openclaw").expanduser()
        profiles = sorted(home.glob(".openclaw-*"))
        return [folder / "agents" for folder in (state, *profiles)]

    def recognises(self, path: str, head: bytes) -> bool:
        name = Path(path).name
        if name == DATABASE:
            return head.startswith(_SQLITE)
        # A checkpoint is a copy of its session, kept to go back to.
        return ".jsonl" in name and ".checkpoint." not in name and whose(path, head) == self.name

    def transcripts(self, path: str) -> list[Transcript]:
        if Path(path).name == DATABASE:
            return [Transcript(self.name, path, part) for part in list_sessions(path)]
        return [Transcript(self.name, path)]

    def read(self, transcript: Transcript, watermark: Watermark) -> Iterator[Batch]:
        path, agent = transcript.path, _agent_of(transcript.path)
        if transcript.part is not None:
            return read_session(path, transcript.part, watermark, agent=agent)
        stem = Path(path).name.partition(".jsonl")[0]
        return read_lines(
            path,
            watermark,
            lambda state: OpenClawEvents(stem, agent, state, origin_of=lambda session: origin_in_folder(path, session)),
        )


def _agent_of(path: str) -> str:
    """The agent a path belongs to."""
    named = AGENT.search(path)
    return named[1] if named else "openclaw"
