"""Dialogues as a host writes them down: a person's words, an agent's behind `> `, what its tools do behind `! `."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from steno.clock import as_text


def staged(folder: Path, project: str, *lines: str, day: int = 1, begun: datetime | None = None) -> Path:
    """A transcript of Claude Code. `! Edit a.py` edits, `! TodoWrite completed pending` keeps a list, `! pytest -q =
    3 passed` runs a command. It began on that day of February 2026, unless told when."""
    begun = begun or datetime(2026, 2, day, 10, tzinfo=UTC)
    session = f"{project}-{day}"
    path = folder / f"{session}.jsonl"
    told = [turn for number, line in enumerate(lines) for turn in _turns(line, number)]
    facts = {"sessionId": session, "cwd": f"/home/ada/{project}", "isSidechain": False, "userType": "external"}
    dated = [
        {
            "uuid": f"{session}-{at}",
            "timestamp": as_text(begun + timedelta(seconds=at)),
            **facts,
            **turn,
        }
        for at, turn in enumerate(told)
    ]
    path.write_text("".join(json.dumps(turn) + "\n" for turn in dated), "utf-8")
    return path


def _turns(line: str, number: int) -> list[dict[str, Any]]:
    if line.startswith("> "):
        return [_of("assistant", [{"type": "text", "text": line[2:]}])]
    if not line.startswith("! "):
        return [_of("user", line)]
    what, _, printed = line[2:].partition(" = ")
    tool, _, path = what.partition(" ")
    given: dict[str, Any]
    name, given = (tool, {"file_path": path}) if tool in ("Edit", "Write") else ("Bash", {"command": what})
    if tool == "TodoWrite":
        name, given = tool, {"todos": [{"content": f"part {at}", "status": one} for at, one in enumerate(path.split())]}
    call = {"type": "tool_use", "id": f"call-{number}", "name": name, "input": given}
    result = {"type": "tool_result", "tool_use_id": f"call-{number}", "content": printed or "ok"}
    return [_of("assistant", [call]), _of("user", [result])]


def _of(role: str, content: object) -> dict[str, Any]:
    return {"type": role, "message": {"role": role, "content": content}}
