"""The notebook on a disk that is full, or that may only be read: a real one, in a folder only this test sees."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from steno.testing import house

from ..conftest import PATIENCE

ROOT = Path(__file__).parents[2]
BEGIN = """
import errno, json, subprocess, sys
from pathlib import Path
from steno.testing import house
from steno.vocabulary.errors import StenoError

folder, disk = Path(sys.argv[1]), Path(sys.argv[2])

def fill():
    with open(disk / "filler", "wb", buffering=0) as filler:
        try:
            while filler.write(b"x" * 512):
                pass
        except OSError as error:
            return error.errno == errno.ENOSPC

def remount(how):
    subprocess.run(["mount", "-o", f"remount,{how}", str(disk)], check=True)

def told(call):
    try:
        return call()
    except StenoError as error:
        return error.message

def edit(page, old, new):
    with open(page, "r+", encoding="utf-8") as opened:
        text = opened.read()
        assert old in text and len(old) == len(new)
        opened.seek(0)
        opened.write(text.replace(old, new))
"""
ONE_FOLDER = """
found = {}
with house(folder) as memory:
    memory.remember("water the plants on Mondays", category="rule", project="/shop")
    memory.remember("close the till", category="rule", project="/farm")
    memory.notebook.sync()
    page = disk / "rules.md"
    before = page.read_text()
    if sys.argv[3] == "full":
        assert fill()
        edit(page, "Mondays", "Fridays")
    else:
        edit(page, "Mondays", "Fridays")
        remount("ro")
    now = page.read_text()
    for number in range(60):
        words = f"rule {number} of many, each of them long enough to fill a page"
        memory.remember(words, category="rule", project="/shop")
    memory.remember("feed the hens", category="rule", project="/farm")
    synced = memory.notebook.sync()
    found["held"] = [(one.page, one.reason.partition(":")[2].strip()) for one in synced.held]
    found["taken"] = [one.text for one in synced.edits]
    found["untouched"] = page.read_text() == now
    found["left"] = sorted(one.name for one in disk.iterdir() if one.name != "filler")
    found["others"] = "feed the hens" in (folder / "steno/notebook/farm/rules.md").read_text()
    (remount("rw") if sys.argv[3] == "read-only" else (disk / "filler").unlink())
    memory.notebook.sync()
    text = page.read_text()
    found["afterwards"] = ("on Fridays" in text, text.count("of many"), memory.notebook.sync().written)
print(json.dumps(found))
"""
WHOLE_HOME = """
with house(disk) as memory:
    memory.remember("water the plants on Mondays", category="rule")
    memory.notebook.sync()
page = disk / "steno/notebook/rules.md"
if sys.argv[3] == "full":
    assert fill()
    edit(page, "Mondays", "Fridays")
else:
    edit(page, "Mondays", "Fridays")
    remount("ro")
def sync():
    with house(disk) as memory:
        return [one.text for one in memory.notebook.sync().edits]
found = {"said": told(sync), "kept": "on Fridays" in page.read_text()}
(remount("rw") if sys.argv[3] == "read-only" else (disk / "filler").unlink())
found["afterwards"] = told(sync)
print(json.dumps(found))
"""


def on_a_small_disk(folder: Path, script: str, how: str, size: str, place: str = "disk") -> Any:
    """What a script says that has a disk of so many bytes of its own, mounted where nobody else sees it."""
    disk = folder / place
    disk.mkdir(parents=True)
    mount = f'mount -t tmpfs -o size={size} tmpfs "$1" && shift && exec "$@"'
    command = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", mount, "sh", str(disk)]
    try:
        subprocess.run([*command, "true"], check=True, capture_output=True, timeout=PATIENCE)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("this machine lets nobody mount a disk of their own")
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "STENO_EMBEDDING": "off"}
    run = [sys.executable, "-c", BEGIN + script, str(folder), str(disk), how]
    done = subprocess.run([*command, *run], capture_output=True, text=True, env=environment, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


pytestmark = pytest.mark.skipif(shutil.which("unshare") is None, reason="mounts a disk of its own")


@pytest.mark.parametrize(("how", "why"), [("full", "No space left on device"), ("read-only", "Read-only file system")])
def test_pages_on_a_disk_that_cannot_be_written_are_left_as_they_are_until_it_can(
    tmp_path: Path, how: str, why: str
) -> None:
    with house(tmp_path):
        pass
    assert on_a_small_disk(tmp_path, ONE_FOLDER, how, "64k", "steno/notebook/shop") == {
        "held": [["shop/rules.md", why], ["shop/MEMORY.md", why]],
        "taken": ["water the plants on Fridays"],
        "untouched": True,
        "left": ["MEMORY.md", "rules.md"],
        "others": True,
        "afterwards": [True, 60, []],
    }


@pytest.mark.parametrize("how", ["full", "read-only"])
def test_an_edit_in_a_home_that_cannot_be_written_waits_in_its_file(tmp_path: Path, how: str) -> None:
    told = on_a_small_disk(tmp_path, WHOLE_HOME, how, "4m")
    assert (told["kept"], told["afterwards"]) == (True, ["water the plants on Fridays"])
    words = {"full": "no room left on the disk of ", "read-only": "its disk may only be read"}
    assert words[how] in told["said"]
