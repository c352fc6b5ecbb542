"""Sessions of an agent that works with a shell, as its host writes them."""

from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from steno.testing import write_jsonl

Worked = Callable[..., Path]


@pytest.fixture
def worked(tmp_path: Path) -> Worked:
    """Writes a session: a request, then commands. A command that begins with `!` fails; `edit` changes a file."""
    numbers = count(1)

    def write(session: str, request: str, *commands: str, day: str = "2026-03-01", project: str = "/work/shop") -> Path:
        path = tmp_path / "transcripts" / f"{session}.jsonl"

        def line(kind: str, content: Any) -> dict[str, Any]:
            number = next(numbers)
            return {
                "type": kind,
                "uuid": f"u{number}",
                "sessionId": session,
                "cwd": project,
                "timestamp": f"{day}T10:00:{number % 60:02}.000Z",
                "message": {"role": kind, "content": content},
            }

        write_jsonl(path, line("user", request))
        for command in commands:
            call = f"call-{next(numbers)}"
            edit = {"name": "Edit", "input": {"file_path": f"{project}/a.py", "old_string": "a", "new_string": "b"}}
            shell = {"name": "Bash", "input": {"command": command.removeprefix("!")}}
            used = {"type": "tool_use", "id": call, **(edit if command == "edit" else shell)}
            result = {
                "type": "tool_result",
                "tool_use_id": call,
                "content": "Exit code 1" if command.startswith("!") else "done",
                "is_error": command.startswith("!"),
            }
            write_jsonl(path, line("assistant", [used]), line("user", [result]))
        return path

    return write
