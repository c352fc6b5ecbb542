"""Dialogues as a host writes them down: a person's words, an agent's behind `> `, what its tools do behind `! `."""

import json
from pathlib import Path
from typing import Any


def staged(folder: Path, project: str, *lines: str, day: int = 1) -> Path:
    """A transcript of Claude Code. `! Edit a.py` edits, `! pytest -q = 3 passed` runs a command."""
    session = f"{project}-{day}"
    path = folder / f"{session}.jsonl"
    told = [turn for number, line in enumerate(lines) for turn in _turns(line, number)]
    facts = {"sessionId": session, "cwd": f"/home/ada/{project}", "isSidechain": False, "userType": "external"}
    dated = [
        {
            "uuid": f"{session}-{at}",
            "timestamp": f"2026-02-{day:02}T10:{at // 60:02}:{at % 60:02}.000Z",
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
    name, given = (tool, {"file_path": path}) if tool in ("Edit", "Write") else ("Bash", {"command": what})
    call = {"type": "tool_use", "id": f"call-{number}", "name": name, "input": given}
    result = {"type": "tool_result", "tool_use_id": f"call-{number}", "content": printed or "ok"}
    return [_of("assistant", [call]), _of("user", [result])]


def _of(role: str, content: object) -> dict[str, Any]:
    return {"type": role, "message": {"role": role, "content": content}}
