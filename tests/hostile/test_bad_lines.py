"""Damaged lines: each keeps its neighbours, is counted, and never raises."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steno.sources import files
from steno.sources.jsonlines import read_lines
from steno.testing import all_turns, house, said, texts, write_jsonl
from steno.vocabulary import Captured, Status

BEFORE, AFTER = said("before"), said("after")
GOOD = json.dumps(said("good")).encode()
WANTED = ("session", "role", "text", "id", "at", "agent", "project", "tool")


class Lines(NamedTuple):
    """What became of the lines of a transcript."""

    read: int = 0
    skipped: int = 0
    bad: int = 0
    mended: int = 0


def counted(report: Captured | Status) -> Lines:
    if isinstance(report, Captured):
        return Lines(report.lines_read, report.lines_skipped, report.lines_bad, report.lines_mended)
    sums = [sum(getattr(session, name) for session in report.sessions) for name in ("lines_read", "lines_skipped")]
    return Lines(*sums, report.lines_bad, report.lines_mended)


def capture(folder: Path, path: Path) -> tuple[list[str], Lines]:
    """What one capture brings. Status counts the same, a second capture brings nothing, the store is sound."""
    with house(folder) as memory:
        report = memory.capture(path, source="jsonl")
        found = texts(memory)
        assert report.problems == []
        assert counted(memory.status()) == counted(report)
        assert memory.capture(path, source="jsonl") == Captured(transcripts=1, unchanged=1)
        assert [check for check in memory.doctor() if not check.ok] == []
    return found, counted(report)


def between(folder: Path, *middle: Any) -> tuple[list[str], Lines]:
    """What a capture makes of some lines between two good ones."""
    return capture(folder, write_jsonl(folder / "t.jsonl", BEFORE, *middle, AFTER))


def with_field(name: str, raw: str, *more: str) -> bytes:
    """A good line in which one field holds raw JSON."""
    fields = {key: json.dumps(value) for key, value in said("good").items() if key != name}
    pairs = [f'"{key}": {value}' for key, value in {**fields, name: raw}.items()]
    return ("{" + ", ".join([*pairs, *more]) + "}").encode()


# -- torn ends -------------------------------------------------------------------------------------------------------


class Growing:
    """A transcript that grows, captured after every append."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.path = folder, folder / "t.jsonl"

    def append(self, data: bytes) -> list[str]:
        """The words of the turns that are new after these bytes."""
        with self.path.open("ab") as file:
            file.write(data)
        with house(self.folder) as memory:
            known = len(texts(memory))
            memory.capture(self.path, source="jsonl")
            return texts(memory)[known:]

    def lines(self) -> Lines:
        with house(self.folder) as memory:
            return counted(memory.status())


def test_a_torn_last_line_waits_and_is_read_once_when_it_is_complete(tmp_path: Path) -> None:
    growing = Growing(tmp_path)
    assert growing.append(json.dumps(BEFORE).encode() + b"\n" + GOOD[:20]) == ["before"]
    assert growing.append(b"") == []
    assert growing.append(GOOD[20:] + b"\n" + json.dumps(AFTER).encode() + b"\n") == ["good", "after"]
    assert growing.lines() == Lines(read=3)


def test_a_torn_line_may_be_completed_in_many_appends(tmp_path: Path) -> None:
    growing = Growing(tmp_path)
    pieces = [GOOD[start : start + 9] for start in range(0, len(GOOD), 9)]
    assert [growing.append(piece) for piece in pieces] == [[]] * (len(pieces) - 1) + [["good"]]
    assert growing.append(b"\n") == []
    assert growing.lines() == Lines(read=1)


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"  \n"])
def test_a_whole_object_without_newline_is_read_at_once_and_its_newline_changes_nothing(
    tmp_path: Path, end: bytes
) -> None:
    growing = Growing(tmp_path)
    assert growing.append(GOOD) == ["good"]
    assert growing.append(end) == []
    assert growing.append(json.dumps(AFTER).encode() + end) == ["after"]
    assert growing.lines() == Lines(read=2)
    with house(tmp_path) as memory:
        assert [found.turn.line for found in all_turns(memory)] == [1, 2]


def test_a_torn_line_that_another_one_was_written_over_costs_only_itself(tmp_path: Path) -> None:
    growing = Growing(tmp_path)
    assert growing.append(GOOD[:30]) == []
    assert growing.append(json.dumps(AFTER).encode() + b"\n") == ["after"]
    assert growing.lines() == Lines(bad=1, mended=1)


def test_a_second_object_on_a_line_read_without_its_newline_is_still_read(tmp_path: Path) -> None:
    growing = Growing(tmp_path)
    assert growing.append(GOOD) == ["good"]
    assert growing.append(json.dumps(AFTER).encode() + b"\n") == ["after"]
    assert growing.append(json.dumps(said("last")).encode()) == ["last"]
    with house(tmp_path) as memory:
        assert [found.turn.line for found in all_turns(memory)] == [1, 1, 2]


# -- pieces ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "kept", "lines"),
    [
        (GOOD + json.dumps(said("second")).encode(), ["good", "second"], Lines(2, 0, 1, 1)),
        (GOOD[:23] + GOOD, ["good"], Lines(2, 0, 1, 1)),
        (GOOD + GOOD[:25], ["good"], Lines(2, 0, 1, 1)),
        (b'{"session":"s1","role":"user","te' + GOOD + b'xt":"lost"}', ["good"], Lines(2, 0, 1, 1)),
        (b"\0" * 4096, [], Lines(2, 0, 1, 0)),
        (b"\0" * 4096 + GOOD, ["good"], Lines(2, 0, 1, 1)),
        (GOOD + b"\0" * 4096, ["good"], Lines(2, 0, 1, 1)),
        (GOOD[:30] + b"\0" * 64 + GOOD[30:], ["good"], Lines(2, 0, 1, 1)),
        (GOOD.replace(b"good", b"a\xff\xfeb"), ["a\ufffd\ufffdb"], Lines(2, 0, 1, 1)),
        (GOOD.replace(b"good", b"\xed\xa0\x80"), ["\ufffd\ufffd\ufffd"], Lines(2, 0, 1, 1)),
        (GOOD.replace(b"good", rb"a\ud83db"), ["a\ufffdb"], Lines(2, 0, 1, 1)),
        (GOOD.replace(b"good", rb"a\ude00\ud83d"), ["a\ufffd\ufffd"], Lines(2, 0, 1, 1)),
        (GOOD.replace(b"good", rb"a\ud83d\ude00"), ["a\U0001f600"], Lines(3)),
        (GOOD.replace(b"good", rb"a\u0000b"), ["a\0b"], Lines(3)),
        (b"\xef\xbb\xbf" + GOOD, ["good"], Lines(2, 0, 1, 1)),
        (b"\t " + GOOD + b" \r", ["good"], Lines(3)),
        (b"", [], Lines(2, 1)),
        (b" \t\r", [], Lines(2, 1)),
    ],
)  # fmt: skip
def test_of_a_damaged_line_what_can_be_read_is_kept(tmp_path: Path, line: bytes, kept: list[str], lines: Lines) -> None:
    assert between(tmp_path, line) == (["before", *kept, "after"], lines)


@pytest.mark.parametrize("line", ["1", "null", "true", '"text"', "[]", "[{}]", "{}", "}", "{", "nul", "{'a': 1}"])
def test_a_line_that_is_no_object_of_the_format_is_counted_as_bad(tmp_path: Path, line: str) -> None:
    assert between(tmp_path, line) == (["before", "after"], Lines(2, 0, 1, 0))


@pytest.mark.parametrize("value", ["NaN", "Infinity", "-Infinity", "1e999999", "9" * 5000, "-" + "9" * 400_000])
def test_numbers_that_are_none_cost_at_most_their_line(tmp_path: Path, value: str) -> None:
    must = [with_field(name, value) for name in ("session", "role", "text")]
    may = [with_field(name, value) for name in ("id", "at", "agent", "project", "tool", "unwanted")]
    found, lines = between(tmp_path, *must, said("middle"), *may)
    assert (found[0], found[-8:]) == ("before", ["middle", *["good"] * 6, "after"])
    assert lines.read + lines.bad == 12


@pytest.mark.parametrize("depth", [300, 480, 600, 900, 1100, 100_000])
def test_deep_nesting_costs_at_most_its_line(tmp_path: Path, depth: int) -> None:
    middle, good = [], []
    for opening, closing in [("[", "]"), ('{"a":', "}")]:
        deep = opening * depth + "1" + closing * depth
        for name in (*WANTED, "unwanted"):
            good.append(f"after {name} {opening}")
            middle += [with_field(name, deep), with_field(name, deep, '"more": NaN'), opening * depth, said(good[-1])]
    found, lines = between(tmp_path, *middle)
    assert [text for text in found if text.startswith(("before", "after"))] == ["before", *good, "after"]
    assert lines.read + lines.bad == len(middle) + 2


@pytest.mark.parametrize("value", [None, True, 0, -1, 1.5, 10**30, "", [], {}, ["a"], {"a": "b"}, [[[]]]])
def test_a_field_of_the_wrong_type_costs_at_most_its_line(tmp_path: Path, value: Any) -> None:
    must = [{**said("good"), name: value} for name in ("session", "role", "text")]
    may = [{**said("good"), name: value} for name in ("id", "at", "agent", "project", "tool")]
    found, lines = between(tmp_path, *must, said("middle"), *may)
    assert (found[0], found[-7:]) == ("before", ["middle", *["good"] * 5, "after"])
    assert lines.read + lines.bad == 11


@pytest.mark.parametrize("value", [True, "", None, 1.5, [], {}])
def test_an_id_that_is_none_does_not_make_two_turns_one(tmp_path: Path, value: Any) -> None:
    found, lines = between(tmp_path, said("one", id=value), said("two", id=value))
    assert (found, lines) == (["before", "one", "two", "after"], Lines(4))


CLAUDE = {
    "type": "user", "uuid": "u1", "sessionId": "c1", "timestamp": "2026-01-01T00:00:00.000Z", "cwd": "/x",
    "message": {"role": "user", "content": "good"},
}  # fmt: skip


@pytest.mark.parametrize("value", [None, True, -1, 1.5, "", "x", [], [[]], {}, {"a": []}, ["a", {"type": []}]])
@pytest.mark.parametrize("kind", ["user", "assistant", "system", "queue-operation", "attachment"])
def test_a_field_of_the_wrong_type_costs_at_most_its_line_in_claude_code_too(
    tmp_path: Path, value: Any, kind: str
) -> None:
    names = (
        "type uuid sessionId timestamp cwd gitBranch agentId isSidechain isMeta isCompactSummary isApiErrorMessage "
        "message subtype compactMetadata operation content promptSource turnOrigin origin attachment toolUseResult"
    ).split()
    lines = [{**CLAUDE, "type": kind, "uuid": f"x{number}", name: value} for number, name in enumerate(names)]
    blocks = ("type", "text", "thinking", "id", "name", "input", "tool_use_id", "content", "is_error")
    for number, block in enumerate(("text", "thinking", "tool_use", "tool_result")):
        contents = [{"type": block, "text": "t", "id": "i", "name": "n", name: value} for name in blocks]
        lines.append({**CLAUDE, "type": kind, "uuid": f"y{number}", "message": {"content": contents, "usage": value}})
    path = write_jsonl(tmp_path / "t.jsonl", CLAUDE, *lines, {**CLAUDE, "uuid": "u2", "message": {"content": "after"}})
    with house(tmp_path) as memory:
        report = memory.capture(path, source="claude-code")
        found = texts(memory)
        assert (found[0], found[-1], report.lines_seen) == ("good", "after", len(lines) + 2)
        assert [check for check in memory.doctor() if not check.ok] == []


# -- whole files -----------------------------------------------------------------------------------------------------


def test_a_file_without_any_newline_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(GOOD)
    assert capture(tmp_path, path) == (["good"], Lines(1))


def test_a_file_of_words_without_any_newline_waits(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(b"these are words")
    assert capture(tmp_path, path) == ([], Lines())


def test_an_empty_file_holds_nothing(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.touch()
    assert capture(tmp_path, path) == ([], Lines())


def test_a_file_may_end_its_lines_as_windows_does(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(b"".join(json.dumps(item).encode() + b"\r\n" for item in (BEFORE, AFTER)) + b"\r\n")
    with house(tmp_path) as memory:
        report = memory.capture(path, source="jsonl")
        assert (texts(memory), counted(report)) == (["before", "after"], Lines(2, 1))


def test_a_file_that_says_it_was_changed_in_the_year_2300_is_read(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "t.jsonl", BEFORE)
    os.utime(path, ns=(10_413_792_000 * 10**9,) * 2)
    if path.stat().st_mtime_ns < 1 << 63:
        pytest.skip("this file system knows no such time")
    assert capture(tmp_path, path) == (["before"], Lines(1))


# -- long lines ------------------------------------------------------------------------------------------------------

MEGABYTE = 1 << 20


def line_of(size: int, text: str = "x") -> bytes:
    """A good line of so many bytes."""
    frame = len(json.dumps(said("")))
    return json.dumps(said((text * size)[: size - frame])).encode()


@pytest.fixture
def short_limit(monkeypatch: pytest.MonkeyPatch) -> int:
    """A limit small enough to try every place around it."""
    assert read_lines.__kwdefaults__ is not None
    monkeypatch.setitem(read_lines.__kwdefaults__, "limit", 200)
    return 200


@pytest.mark.parametrize("block", [7, 64, 199, 200, 201, 300, 1000])
def test_the_limit_of_a_line_is_exact_however_the_file_is_read(
    tmp_path: Path, short_limit: int, monkeypatch: pytest.MonkeyPatch, block: int
) -> None:
    monkeypatch.setattr(files, "BLOCK", block)
    just = [line_of(short_limit + less) for less in (0, -1, -2, -7, -64)]
    over = [line_of(short_limit + more) for more in (1, 2, 7, 64, 65, 1000)]
    good = [json.dumps(said(f"good {number}")).encode() for number in range(12)]
    middle = [line for pair in zip(just + over, good, strict=False) for line in pair]
    found, lines = between(tmp_path, *middle)
    kept = [json.loads(line)["text"] for line in middle if line not in over]
    assert (found, lines) == (["before", *kept, "after"], Lines(read=18, bad=6))


@pytest.mark.parametrize("block", [7, 64, 200, 1000])
def test_reading_goes_on_after_a_line_that_was_too_long(
    tmp_path: Path, short_limit: int, monkeypatch: pytest.MonkeyPatch, block: int
) -> None:
    monkeypatch.setattr(files, "BLOCK", block)
    growing = Growing(tmp_path)
    assert growing.append(json.dumps(BEFORE).encode() + b"\n" + line_of(400)[:350]) == ["before"]
    assert growing.append(b"x" * 50) == []
    assert growing.append(b"\n") == []
    assert growing.lines() == Lines(read=1, bad=1)
    assert growing.append(json.dumps(AFTER).encode() + b"\n") == ["after"]
    assert growing.lines() == Lines(read=2, bad=1)


PEAK = """
import re, sys, threading
from pathlib import Path
from steno.testing import house, texts

def anonymous():
    return int(re.search(r"RssAnon:\\s*(\\d+)", Path("/proc/self/status").read_text())[1]) >> 10

peak, done = 0, threading.Event()
def look():
    global peak
    while not done.wait(0.002):
        peak = max(peak, anonymous())

watcher = threading.Thread(target=look)
watcher.start()
folder = Path(sys.argv[1])
with house(folder) as memory:
    report = memory.capture(folder / "t.jsonl", source="jsonl")
    done.set()
    watcher.join()
    print(max(peak, anonymous()), report.lines_read, report.lines_bad, *texts(memory))
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs Linux to tell anonymous memory")
@pytest.mark.parametrize(
    ("name", "megabytes"), [("100 MB", [100]), ("40 MB twice", [40, 40]), ("without end", [60, 0])]
)
def test_memory_stays_bounded_whatever_the_size_of_a_line(tmp_path: Path, name: str, megabytes: list[int]) -> None:
    with (tmp_path / "t.jsonl").open("wb") as file:
        for number, size in enumerate(megabytes):
            file.write(json.dumps(said(f"good{number}")).encode() + b'\n{"session": "s1", "role": "user", "text": "')
            for _ in range(size):
                file.write(b"x" * MEGABYTE)
            file.write(b'"}\n')
        file.write(b'{"session": "s1", "role": "user", "text": "' + b"x" * 40 * MEGABYTE if not size else b"")
    done = subprocess.run([sys.executable, "-c", PEAK, str(tmp_path)], capture_output=True, text=True, check=True)
    peak, read, bad, *found = done.stdout.split()
    long = sum(1 for size in megabytes if size)
    assert (int(read), int(bad)) == (len(megabytes) * 2 - long, long)
    assert [text for text in found if text.startswith("good")] == [f"good{n}" for n in range(len(megabytes))]
    assert int(peak) < 150


# -- properties ------------------------------------------------------------------------------------------------------

# Bytes that are no newline: what can stand between two of them.
junk = st.one_of(
    st.binary(max_size=80),
    st.text(max_size=40).map(lambda text: text.encode("utf-8", "surrogatepass")),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(WANTED), inner, max_size=4),
        max_leaves=8,
    ).map(lambda value: json.dumps(value).encode()),
    st.integers(0, len(GOOD)).map(lambda size: GOOD[:size]),
    st.integers(0, len(GOOD)).map(lambda size: GOOD[size:]),
).map(lambda line: line.replace(b"\n", b""))


def numbered(lines: list[bytes | None]) -> tuple[bytes, list[str]]:
    """A transcript in which every None is a good line, and the words of the good lines."""
    good = [f"turn {number}" for number, line in enumerate(lines) if line is None]
    names = iter(good)
    whole = [json.dumps(said(next(names))).encode() if line is None else line for line in lines]
    return b"".join(line + b"\n" for line in whole), good


def told(folder: Path) -> tuple[list[tuple[str, Any]], list[str]]:
    """The journal without its numbers, and its good turns in order."""
    with house(folder) as memory:
        found = all_turns(memory)
        assert [check for check in memory.doctor() if not check.ok] == []
    words = [item.turn.text for item in found if item.session == "s1" and item.turn.text.startswith("turn ")]
    return [(item.session, item.turn) for item in found], words


def in_temporary_folder(test: Callable[[Path], None]) -> None:
    """Hypothesis runs many examples in one test; each needs a folder of its own."""
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as folder:
        test(Path(folder))


lines_and_junk = st.lists(st.none() | junk, max_size=8).map(lambda lines: [None, *lines, None])
quick = settings(max_examples=60)


@quick
@given(lines=lines_and_junk)
def test_whatever_stands_between_them_good_lines_are_read_once_and_in_order(lines: list[bytes | None]) -> None:
    data, good = numbered(lines)

    def check(folder: Path) -> None:
        (folder / "t.jsonl").write_bytes(data)
        _, counts = capture(folder, folder / "t.jsonl")
        assert told(folder)[1] == good
        assert counts.read + counts.skipped + counts.bad == len(lines)

    in_temporary_folder(check)


@quick
@given(lines=lines_and_junk, cuts=st.lists(st.floats(0, 1), max_size=6), block=st.integers(1, 300))
def test_however_a_transcript_grows_the_journal_is_that_of_one_reading(
    lines: list[bytes | None], cuts: list[float], block: int
) -> None:
    data, good = numbered(lines)
    places = sorted({0, len(data), *(int(cut * len(data)) for cut in cuts)})

    def check(folder: Path) -> None:
        once, growing = folder / "once", Growing(folder / "growing")
        for place in (once, growing.folder):
            place.mkdir()
        (once / "t.jsonl").write_bytes(data)
        capture(once, once / "t.jsonl")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(files, "BLOCK", block)
            for start, end in pairwise(places):
                growing.append(data[start:end])
        assert told(growing.folder) == told(once)
        assert told(once)[1] == good

    in_temporary_folder(check)


@quick
@given(lines=lines_and_junk, block=st.integers(1, 40), stop=st.integers(0, 40))
def test_stopped_after_any_batch_of_any_size_a_capture_goes_on_as_if_nothing_had_been(
    lines: list[bytes | None], block: int, stop: int
) -> None:
    data, good = numbered(lines)

    class Stopped(BaseException):
        pass

    def check(folder: Path) -> None:
        once, again = folder / "once", folder / "again"
        for place in (once, again):
            place.mkdir()
            (place / "t.jsonl").write_bytes(data)
        _, counts = capture(once, once / "t.jsonl")
        left = stop

        def progress(*_: int) -> None:
            nonlocal left
            left -= 1
            if left < 0:
                raise Stopped

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(files, "BLOCK", block)
            with house(again) as memory:
                try:
                    memory.capture(again / "t.jsonl", source="jsonl", progress=progress)
                except Stopped:
                    memory.capture(again / "t.jsonl", source="jsonl")
                assert counted(memory.status()) == counts
        assert told(again) == told(once)
        assert told(once)[1] == good

    in_temporary_folder(check)
