"""Other people's collections of hostile input, each piece between two good lines. They lie beside the repository."""

import json
import os
from pathlib import Path

import pytest

from steno.testing import house, said, texts, write_jsonl
from steno.vocabulary import Captured
from steno.vocabulary.errors import WrongUse

CORPORA = Path(os.environ.get("STENO_CORPORA") or Path(__file__).parents[3] / "shared" / "data" / "corpora")

pytestmark = pytest.mark.skipif(
    not CORPORA.is_dir(), reason=f"no corpora at {CORPORA}; STENO_CORPORA says where they are"
)


def capture_among(tmp_path: Path, pieces: list[bytes]) -> tuple[list[str], Captured]:
    """Words of the good lines after a capture of all pieces, each with a good line before and after it."""
    lines = [json.dumps(said("good 0")).encode()]
    for number, piece in enumerate(pieces, 1):
        lines += [piece, json.dumps(said(f"good {number}")).encode()]
    path = write_jsonl(tmp_path / "t.jsonl", *lines)
    with house(tmp_path) as memory:
        report = memory.capture(path, source="jsonl")
        assert report.problems == []
        assert report.lines_seen == memory.status().lines_seen == path.read_bytes().count(b"\n")
        assert report.lines_bad == memory.status().lines_bad
        assert [check for check in memory.doctor() if not check.ok] == []
        assert memory.capture(path, source="jsonl") == Captured(transcripts=1, unchanged=1)
        return [text for text in texts(memory) if text.startswith("good ")], report


def good(number: int) -> list[str]:
    return [f"good {n}" for n in range(number + 1)]


def test_every_file_of_the_json_test_suite_keeps_its_neighbours(tmp_path: Path) -> None:
    suite = sorted((CORPORA / "jsontestsuite" / "test_parsing").glob("*.json"))
    assert len(suite) > 300
    found, report = capture_among(tmp_path, [path.read_bytes() for path in suite])
    assert found == good(len(suite))
    assert report.turns == len(suite) + 1


@pytest.mark.parametrize("source", ["jsonl", "claude-code"])
def test_every_file_of_the_json_test_suite_may_be_the_value_of_any_field(tmp_path: Path, source: str) -> None:
    suite = sorted((CORPORA / "jsontestsuite" / "test_parsing").glob("*.json"))
    pieces = [path.read_bytes().replace(b"\n", b" ") for path in suite]
    if source == "jsonl":
        names = ("session", "role", "text", "id", "at", "tool", "unwanted")
        start = b'{"session": "x", "role": "user", "text": "y", '
        ends = [json.dumps(said(f"good {number}")).encode() for number in range(len(pieces) + 1)]
    else:
        names = ("message", "uuid", "timestamp", "attachment", "toolUseResult", "turnOrigin", "unwanted")
        start = b'{"type": "user", "sessionId": "x", '
        ends = [
            json.dumps({"type": "user", "uuid": f"{n}", "sessionId": "s", "message": {"content": f"good {n}"}}).encode()
            for n in range(len(pieces) + 1)
        ]
    lines = [ends[0]]
    for number, piece in enumerate(pieces):
        lines += [start + f'"{name}": '.encode() + piece + b"}" for name in names] + [ends[number + 1]]
    path = write_jsonl(tmp_path / "t.jsonl", *lines)
    with house(tmp_path) as memory:
        report = memory.capture(path, source=source)
        assert report.lines_seen == len(lines)
        assert [text for text in texts(memory) if text.startswith("good ")] == good(len(pieces))
        assert [check for check in memory.doctor() if not check.ok] == []


def test_every_naughty_string_is_kept_recalled_and_counted_as_it_is(tmp_path: Path) -> None:
    naughty = list(dict.fromkeys(json.loads((CORPORA / "blns" / "blns.json").read_text("utf-8"))))
    assert len(naughty) > 500
    lines = [line for number, text in enumerate(naughty) for line in (said(text), said(f"good {number}", session="g"))]
    path = write_jsonl(tmp_path / "t.jsonl", *lines)
    with house(tmp_path) as memory:
        report = memory.capture(path, source="jsonl")
        assert (report.turns, report.lines_bad, report.redacted) == (2 * len(naughty), 0, {})
        assert [item.turn.text for item in memory.turns("s1")] == naughty
        assert [item.turn.text for item in memory.turns("g")] == good(len(naughty) - 1)
        for text in naughty:
            memory.recall(text, k=3)
            if text.strip():
                assert memory.forget(text=text, only_count=True).turns >= 1
            else:
                with pytest.raises(WrongUse):
                    memory.forget(text=text, only_count=True)
        assert [check for check in memory.doctor() if not check.ok] == []


def test_every_naughty_string_can_be_the_name_of_anything_and_be_forgotten(tmp_path: Path) -> None:
    naughty = [text for text in dict.fromkeys(json.loads((CORPORA / "blns" / "blns.json").read_text("utf-8"))) if text]
    lines = [
        said("words", session=f"{text} ", id=text, agent=text, project=text, tool=text, at=text) for text in naughty
    ]
    path = write_jsonl(tmp_path / "t.jsonl", *lines)
    with house(tmp_path) as memory:
        report = memory.capture(path, source="jsonl")
        assert (report.turns, report.lines_bad) == (len(naughty), 0)
        assert sorted(found.session.session for found in memory.sessions()) == sorted(f"{text} " for text in naughty)
        left = memory.status().turns
        for text in naughty[:60]:
            left -= memory.forget(text=text).turns if text.strip() else 0
        assert memory.status().turns == left
        assert [check for check in memory.doctor() if not check.ok] == []


def test_the_utf_8_stress_file_keeps_its_neighbours_bare_and_inside_a_text(tmp_path: Path) -> None:
    stress = (CORPORA / "utf8-stress" / "UTF-8-test.txt").read_bytes().split(b"\n")
    assert len(stress) > 290
    safe = [line.replace(b"\\", b"/").replace(b'"', b"'") for line in stress]
    inside = [b'{"session": "u", "role": "user", "text": "' + line + b'"}' for line in safe]
    found, report = capture_among(tmp_path, [*stress, *inside])
    assert found == good(2 * len(stress))
    assert report.turns == 3 * len(stress) + 1
    with house(tmp_path) as memory:
        assert [item.turn.text for item in memory.turns("u")] == [
            line.replace(b"\0", b"").decode("utf-8", "replace") for line in safe
        ]
