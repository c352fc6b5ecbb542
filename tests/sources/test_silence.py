"""On every host: what wakes an agent was typed by nobody, and an answer that says nothing is no answer."""

from pathlib import Path
from typing import Any

import pytest

from steno.testing import all_turns, house, said, write_jsonl

PULSE = '<steno pulse="1">\nOpen work: “make the cart fast”. Go on with it now.\n</steno>'
ASKED, SILENT = "make the cart fast", "HEARTBEAT_OK"
AT = "2026-04-28T01:32:46.000Z"
SESSION = "019dd1b7-0000-776d-a01b-8e0a84059557"


def claude_code(role: str, text: str, number: int) -> dict[str, Any]:
    place = {"parentUuid": None, "isSidechain": False, "uuid": f"u{number}", "timestamp": AT, "sessionId": SESSION}
    content = text if role == "user" else [{"type": "text", "text": text}]
    return {**place, "type": role, "cwd": "/nowhere/shop", "message": {"role": role, "content": content}}


def codex(role: str, text: str, number: int) -> dict[str, Any]:
    content = [{"type": "input_text" if role == "user" else "output_text", "text": text}]
    payload = {"type": "message", "role": role, "content": content}
    return {"type": "response_item", "timestamp": AT, "ordinal": number, "payload": payload}


def pi(role: str, text: str, number: int) -> dict[str, Any]:
    message = {"role": role, "content": [{"type": "text", "text": text}]}
    return {"type": "message", "id": f"e{number}", "timestamp": AT, "message": message}


def generic(role: str, text: str, number: int) -> dict[str, Any]:
    return said(text, role=role, id=str(number))


META = {"type": "session_meta", "timestamp": AT, "ordinal": 0, "payload": {"id": SESSION, "cwd": "/home/ada/shop"}}
HEAD = {"type": "session", "version": 3, "id": SESSION, "timestamp": AT, "cwd": "/home/ada/shop"}
# A line of each host, and what its transcripts begin with.
HOSTS = {
    "claude-code": (claude_code, []), "codex": (codex, [META]), "pi": (pi, [HEAD]), "openclaw": (pi, [HEAD]),
    "jsonl": (generic, []),
}  # fmt: skip


def heard(folder: Path, host: str, *words: tuple[str, str]) -> list[tuple[str, str]]:
    """Who said what, as it is kept of a transcript in which these words stand."""
    line, first = HOSTS[host]
    lines = [line(role, text, number) for number, (role, text) in enumerate(words, 1)]
    with house(folder) as memory:
        memory.capture(write_jsonl(folder / f"{SESSION}.jsonl", *first, *lines), source=host)
        kept = [found.turn for found in all_turns(memory)]
    return [(turn.role, turn.text) for turn in kept if turn.role in ("user", "assistant")]


@pytest.mark.parametrize("host", HOSTS)
def test_an_answer_that_is_only_a_sign_of_silence_is_dropped(tmp_path: Path, host: str) -> None:
    signs = [("assistant", text) for text in (SILENT, "NO_REPLY", f" **{SILENT}**.\n", "No response requested.")]
    full = ("assistant", f"{SILENT}, but the disk is full")
    assert heard(tmp_path, host, ("user", ASKED), *signs, full) == [("user", ASKED), full]


@pytest.mark.parametrize("host", HOSTS)
def test_what_wakes_an_agent_is_nobodys_words(tmp_path: Path, host: str) -> None:
    went_on = ("assistant", "The cart asks once now.")
    assert heard(tmp_path, host, ("user", ASKED), ("user", PULSE), went_on) == [("user", ASKED), went_on]


@pytest.mark.parametrize("host", HOSTS)
def test_a_person_may_speak_of_the_sign(tmp_path: Path, host: str) -> None:
    assert heard(tmp_path, host, ("user", SILENT)) == [("user", SILENT)]
