"""Files that are written whole or not at all, and locks."""

import os
import stat
import threading
from pathlib import Path

import pytest

from steno.files import NotWritable, locked, write_whole
from steno.vocabulary.errors import UpkeepBusy


def test_a_reader_sees_the_old_content_until_the_new_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "page"
    path.write_text("old")
    with write_whole(path, mode=0o640, sync=True) as file:
        file.write(b"ne")
        assert path.read_text() == "old"
        file.write(b"w")
    assert path.read_text() == "new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert os.listdir(tmp_path) == ["page"]


@pytest.mark.parametrize("error", [OSError, KeyboardInterrupt])
def test_what_fails_in_the_middle_leaves_everything_as_it_was(tmp_path: Path, error: type[BaseException]) -> None:
    path = tmp_path / "page"
    path.write_text("old")

    def fail() -> None:
        with write_whole(path) as file:
            file.write(b"half")
            raise error

    with pytest.raises(error):
        fail()
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["page"]


def test_a_link_is_replaced_and_what_it_leads_to_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "theirs").write_text("precious")
    (tmp_path / "page").symlink_to(tmp_path / "theirs")
    folder = os.open(tmp_path, os.O_RDONLY)
    with write_whole("page", inside=folder) as file:
        file.write(b"ours")
    os.close(folder)
    assert not (tmp_path / "page").is_symlink()
    assert (tmp_path / "page").read_text() == "ours"
    assert (tmp_path / "theirs").read_text() == "precious"


def test_only_its_owner_may_read_a_new_file(tmp_path: Path) -> None:
    with write_whole(tmp_path / "page"):
        pass
    assert stat.S_IMODE((tmp_path / "page").stat().st_mode) == 0o600


def test_whoever_comes_second_waits_or_is_told(tmp_path: Path) -> None:
    path, order = tmp_path / "home" / "some.lock", []
    with locked(path):
        other = threading.Thread(target=lambda: order.append(_held(path)))
        other.start()
        with pytest.raises(UpkeepBusy, match="somebody else"), locked(path, lambda: UpkeepBusy("somebody else")):
            pass
        order.append("first")
    other.join()
    assert order == ["first", "second"]


def _held(path: Path) -> str:
    with locked(path):
        return "second"


def test_a_lock_that_cannot_be_made_is_named_and_no_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("words")
    (tmp_path / "link").symlink_to(tmp_path / "file")
    for path in (tmp_path / "file" / "some.lock", tmp_path / "link"):
        with pytest.raises(NotWritable, match="cannot write into"), locked(path):
            pass
    assert (tmp_path / "file").read_text() == "words"
