"""One daemon per home; and its log, which stays within its bound."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from steno.client import LOCK, LOG
from steno.daemon.lock import AlreadyRuns, Holder, held, holder, started_at
from steno.daemon.log import Log, kept_log, last_lines
from steno.files import NotWritable

from ..conftest import Begin, wait_until
from .conftest import SOURCE

HOLDS = """
import pathlib, sys
from steno.daemon.lock import held
with held(pathlib.Path(sys.argv[1])): sys.stdin.read()
"""

CRASHES = """
import pathlib, sys
from steno.daemon.log import Log
log = Log(pathlib.Path(sys.argv[1]), most_bytes=500)
for number in range(100): log.say(f"line {number}")
raise RuntimeError("crash")
"""


def test_the_lock_says_who_holds_it_until_it_is_let_go(tmp_path: Path) -> None:
    assert holder(tmp_path) is None
    with held(tmp_path):
        one = holder(tmp_path)
        assert one == Holder(os.getpid(), started_at(os.getpid()))
        assert one.is_alive()
    assert holder(tmp_path) is None


def test_a_second_one_is_refused_by_name_and_a_killed_one_does_not_count(tmp_path: Path, begin: Begin) -> None:
    command = [sys.executable, "-c", HOLDS, str(tmp_path)]
    other = begin(command, stdin=subprocess.PIPE, env=os.environ | {"PYTHONPATH": str(SOURCE)})
    wait_until(lambda: (one := holder(tmp_path)) and one.pid)
    with pytest.raises(AlreadyRuns, match=f"process {other.pid} runs as the daemon"), held(tmp_path):
        pass
    other.kill()
    other.wait()
    assert (tmp_path / LOCK).read_text("utf-8").startswith(f"{other.pid} ")
    assert holder(tmp_path) is None
    with held(tmp_path):
        assert holder(tmp_path) == Holder(os.getpid(), started_at(os.getpid()))


def test_another_process_with_the_same_number_is_not_taken_for_it() -> None:
    assert not Holder(os.getpid(), "12345").is_alive()
    assert not Holder(os.getpid(), "").is_alive()


def test_a_home_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    with pytest.raises(match=r"cannot write into .*file/steno: Not a directory"):
        held(tmp_path / "file" / "steno").__enter__()


def test_a_link_in_place_of_the_lock_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / LOCK).symlink_to(tmp_path / "precious")
    (tmp_path / "precious").write_text("words", "utf-8")
    with pytest.raises(NotWritable):
        held(tmp_path).__enter__()
    assert (tmp_path / "precious").read_text("utf-8") == "words"


def test_a_log_turns_over_and_keeps_one_older_file(tmp_path: Path) -> None:
    log = Log(tmp_path, most_bytes=500)
    for number in range(100):
        log.say(f"line {number}")
    log.close()
    sizes = {file.name: file.stat().st_size for file in tmp_path.iterdir()}
    assert sorted(sizes) == [LOG, f"{LOG}.old"]
    assert max(sizes.values()) < 600
    assert [line.split(" ", 1)[1] for line in last_lines(tmp_path, 14)] == [f"line {n}" for n in range(86, 100)]


def test_what_the_process_itself_prints_follows_into_the_new_file(tmp_path: Path) -> None:
    command = [sys.executable, "-c", CRASHES, str(tmp_path)]
    with (tmp_path / LOG).open("wb") as file:
        subprocess.run(command, stdout=file, stderr=file, env=os.environ | {"PYTHONPATH": str(SOURCE)}, check=False)
    assert (tmp_path / f"{LOG}.old").exists()
    assert last_lines(tmp_path, 1) == ["RuntimeError: crash"]
    assert "Traceback" in (tmp_path / LOG).read_text("utf-8")


def test_a_line_of_the_log_is_one_line_and_others_write_there_too(tmp_path: Path) -> None:
    import logging

    with kept_log(tmp_path) as log:
        log.say("one\ntwo\r\n\x1b")
        logging.getLogger("steno.hooks").warning("three\nfour")
    logging.getLogger("steno.hooks").warning("nobody hears this")
    assert [line.split(" ", 1)[1] for line in last_lines(tmp_path, 9)] == ["one two \x1b", "three four"]
