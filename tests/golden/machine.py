"""One machine with one home on it, always the same, and what command lines print there.

The home is made once, by the command lines of `story.txt`, and every command line that is looked at begins with a fresh
copy of it. Time stands still and nothing is random, so that only a change of the program changes what is printed. What
still depends on the machine is replaced by a word in capitals.
"""

import fcntl
import hashlib
import itertools
import json
import os
import re
import secrets
import shlex
import shutil
import stat
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import chdir, contextmanager
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any
from unittest.mock import patch

from click.testing import CliRunner

from steno import __version__, clock
from steno.cli.tree import every_name, program
from steno.testing import said, write_jsonl

HERE = Path(__file__).parent
EXPECTED = HERE / "expected"
SAMPLES = HERE.parents[1] / "samples"
# All that is still different from home to home: sizes of files, and what a model computes.
_ROUGH = re.compile(r'("(?:disk_bytes|probability|lasting|importance)": |sessions, )[\d.]+')
NOW = "2026-09-21T12:00:00+00:00"
PLACE = Path("/tmp/steno-golden")
LINE = 118


class Still(datetime):
    """The time of a clock that stands still."""

    @classmethod
    def now(cls, tz: Any = None) -> "Still":
        return cls.fromisoformat(NOW).astimezone(tz)


class Machine:
    """A folder that is the whole machine."""

    def __init__(self) -> None:
        self._folder, self._kept = PLACE / "sam", PLACE / "kept"
        self._environment = {
            "HOME": str(self._folder), "STENO_HOME": f"{self._folder}/steno", "STENO_EMBEDDING": "off",
            "PATH": f"{self._folder}/bin", "TZ": "UTC", "USER": "sam", "GIT_CONFIG_NOSYSTEM": "1",
        }  # fmt: skip
        self._names: dict[str, str] = {}
        self._furnish()
        for words in lines(HERE / "story.txt"):
            printed, code = self.run(self.named(words))
            assert code == 0, f"steno {shlex.join(words)}\n{printed}"
        for name in NAMES:
            self._id(name)
        for file in (self._folder / "steno" / "notebook").rglob("*.md"):
            os.utime(file, (Still.now().timestamp(),) * 2)
        shutil.copytree(self._folder, self._kept, symlinks=True)
        self._marks = self._marked()

    def shows(self, words: list[str]) -> str:
        """A command line and what it prints for 80 columns and as JSON; one that ends in `| cat`, in a pipe."""
        told = self.printed(words)
        if words[-1] != "cat" and "--json" in self.run([*words, "--help"])[0]:
            told += self.printed([*words, "--json"])
        return told

    def printed(self, words: list[str]) -> str:
        """A command line and what it prints, on the machine as it was after the story."""
        self.restore()
        text, code = self.run(self.named(words))
        end = f"[exit {code}]\n" if code else ""
        return f"$ steno {' '.join(map(_quoted, words))}\n{_anywhere(_readable(text))}{end}\n"

    def run(self, words: list[str]) -> tuple[str, int]:
        into_pipe = words[-2:] == ["|", "cat"]
        with self.on({} if into_pipe else {"COLUMNS": "80"}):
            result = CliRunner().invoke(program, words[:-2] if into_pipe else words)
        return result.output, result.exit_code

    @contextmanager
    def on(self, more: Mapping[str, str] = MappingProxyType({})) -> Iterator[None]:
        """Be on the machine, in the shop."""
        random = (hashlib.blake2b(b"%d" % number).digest() for number in itertools.count())
        with (
            patch.dict(os.environ, {**self._environment, **more}, clear=True),
            patch.object(clock, "datetime", Still),
            patch.object(secrets, "token_bytes", lambda count=32: next(random)[:count]),
            patch.object(os, "urandom", lambda count: next(random)[:count]),
            chdir(self._folder / "shop"),
        ):
            yield

    def _marked(self) -> dict[str, tuple[int, ...]]:
        """What is there, folders before what is in them, and what tells whether it is still the same."""
        found = {}
        for folder, folders, files in os.walk(self._folder):
            for path in (os.path.join(folder, name) for name in (*folders, *files)):
                facts = os.lstat(path)
                changed = () if stat.S_ISDIR(facts.st_mode) else (facts.st_size, facts.st_mtime_ns)
                found[path] = (facts.st_mode, *changed)
        return found

    def restore(self) -> None:
        """Everything as it was after the story: what a command line changed, made or removed, and no more."""
        now = self._marked()
        for path in [path for path, mark in now.items() if self._marks.get(path) != mark][::-1]:
            os.rmdir(path) if stat.S_ISDIR(now[path][0]) else os.unlink(path)
        for path, (mode, *_) in self._marks.items():
            if not os.path.lexists(path):
                kept = self._kept / Path(path).relative_to(self._folder)
                os.mkdir(path, mode & 0o777) if stat.S_ISDIR(mode) else shutil.copy2(kept, path, follow_symlinks=False)

    def _furnish(self) -> None:
        """What is there before Steno is."""
        home, shop, tools = self._folder, self._folder / "shop", self._folder / "bin"
        shutil.copytree(SAMPLES, home / "samples")
        shutil.copytree(SAMPLES / "transcripts" / "claude-code", home / ".claude" / "projects" / "cookie-shop")
        for folder in (shop / "reports", tools, home / ".openclaw" / "workspace"):
            folder.mkdir(parents=True)
        (home / "in").symlink_to(shop / "reports")
        for name, real in (("git", "git"), ("true", "true"), ("make", "true")):
            (tools / name).symlink_to(shutil.which(real) or real)
        (tools / "df").write_text("#!/bin/sh\necho /dev/disk 100000000 80000000 20000000 80% /\n")
        (tools / "df").chmod(0o755)
        subprocess.run(["git", "init", "--quiet", "--initial-branch=main", shop], check=True, env=self._environment)
        for path, text in FILES.items():
            (home / path).write_text(text)
        write_jsonl(home / "shop.jsonl", *_talk(str(shop)))
        write_jsonl(home / "later.jsonl", said("Always label the boxes.", session="s3", at="2026-09-21T11:30:00Z"))
        for path in home.rglob("*"):
            os.utime(path, (Still.now().timestamp() - 3600,) * 2, follow_symlinks=False)

    def named(self, words: list[str]) -> list[str]:
        """The words with the ids and folders that words in capitals stand for."""
        return [self._id(word) if word in NAMES else word.replace("~", str(self._folder)) for word in words]

    def _id(self, name: str) -> str:
        if name not in self._names:
            line, words = NAMES[name]
            printed, _ = self.run([*shlex.split(line), "--json"])
            found = next(value for value in map(json.loads, printed.splitlines()) if words in json.dumps(value))
            self._names[name] = str(found.get("entry", found.get("last", found))["id"])
        return self._names[name]


FILES = {
    "shop/reports/today.csv": "orders,12\n",
    "shop/Makefile": "deploy: ## put the shop online\n\t./deploy.sh\n",
    "shop/CLAUDE.md": "# Shop\n\n- Orders are kept for ten years.\n- The printer is on floor 2.\n",
    ".openclaw/workspace/USER.md": "# Sam\n\nRuns a shop.\n",
    ".openclaw/workspace/TOOLS.md": "# Tools\n",
    ".openclaw/workspace/MEMORY.md": "# Memory\n\n" + "- The printer is on floor 2.\n" * 1000,
}

# What a word in capitals in a command line stands for: the id of the first of what this lists that holds these words.
NAMES = {
    "ENTRY": ("entries", "Stripe"),
    "FACT": ("entries", "invoices"),
    "RULE": ("rules", "staging"),
    "LINTED": ("rules", "lint"),
    "REVIEW": ("review", "fridays"),
    "WORK": ("sessions work", ""),
    "MESSAGE": ("relay threads", "staging"),
    "FLAG": ("flags", ""),
    "PRUNED": ("upkeep", '"name": "prune"'),
}


def lines(path: Path) -> Iterator[list[str]]:
    """Command lines, one in a line, without the word `steno`."""
    for line in path.read_text("utf-8").splitlines():
        if words := shlex.split(line, comments=True):
            yield words


@contextmanager
def machine() -> Iterator[Machine]:
    """The machine. Ids depend on where it stands, so it always stands in one place, and one at a time."""
    PLACE.mkdir(exist_ok=True)
    place = os.open(PLACE, os.O_RDONLY)
    try:
        fcntl.flock(place, fcntl.LOCK_EX)
        _clear()
        with patch.dict(os.environ, TZ="UTC"):
            time.tzset()
            yield Machine()
        _clear()
    finally:
        time.tzset()
        os.close(place)


def _clear() -> None:
    for left in PLACE.iterdir():
        shutil.rmtree(left)


def everything() -> dict[str, str]:
    """All command lines and what they print, by the name of the file in `expected/`: the word at the top, and help."""
    top = {name.split()[0] for name in every_name()}
    found = {"help": ""}
    with machine() as one:
        for name in ["", *every_name()]:
            found["help"] += one.printed([*name.split(), "--help"])
        for words in lines(HERE / "commands.txt"):
            name = words[0] if words[0] in top else "other"
            found[name] = found.get(name, "") + one.shows(words)
    return {name: text.rstrip("\n") + "\n" for name, text in found.items()}


def _quoted(word: str) -> str:
    return word if word == "|" or word[0] == "~" else shlex.quote(word)


def _anywhere(text: str) -> str:
    """What is printed, as it would be printed on any machine by any version."""
    for place, word in ((sys.executable, "PYTHON"), (str(Path(clock.__file__).parent), "PACKAGE")):
        text = text.replace(place, word)
    text = text.replace(f"steno {__version__}", "steno VERSION")
    return _ROUGH.sub(r"\1N", text)


def _readable(text: str) -> str:
    """What is printed, with JSON on as many lines as it takes for them to be short."""
    made = []
    for line in text.splitlines():
        try:
            made.append(_laid_out(json.loads(line)) if line.startswith(("{", "[")) else line)
        except ValueError:
            made.append(line)
    return "".join(f"{line}\n" for line in made)


def _laid_out(value: Any, indent: int = 0) -> str:
    whole = json.dumps(value, ensure_ascii=False)
    if len(whole) + indent <= LINE or not isinstance(value, dict | list):
        return whole
    if isinstance(value, dict):
        parts = [f"{json.dumps(name)}: {_laid_out(one, indent + 1)}" for name, one in value.items()]
    else:
        parts = [_laid_out(one, indent + 1) for one in value]
    filled = [parts[0]]
    for part in parts[1:]:
        if "\n" in filled[-1] + part or len(filled[-1]) + len(part) + indent > LINE - 4:
            filled.append(part)
        else:
            filled[-1] += f", {part}"
    first, last = "{}" if isinstance(value, dict) else "[]"
    return first + f",\n{' ' * (indent + 1)}".join(filled) + last


def _talk(shop: str) -> Iterator[dict[str, Any]]:
    """What was said in the shop."""
    said_so = [
        ("s1", "08:00", "user", "Payments go through a card processor. Let's go with Stripe, because they do refunds."),
        ("s1", "08:01", "assistant", "Shall I bring in Redis for the carts?"),
        ("s1", "08:02", "user", "no, no Redis for the carts."),
        ("s1", "08:03", "user", "Never deploy to production without a run on staging first."),
        ("s1", "08:04", "assistant", "Understood. I found out that the mail server refuses attachments over 10 MB."),
        ("s1", "08:05", "user", "Ask me before you push to main on fridays."),
        ("s2", "11:00", "user", "Please make the search page faster, it takes 3 seconds."),
        ("s2", "11:01", "assistant", "I will add an index on orders.customer and then measure again."),
        ("s2", "11:02", "tool", "3 passed"),
        ("s2", "11:03", "user", "good. And please add a test for empty searches"),
    ]
    for number, (session, at, role, text) in enumerate(said_so):
        facts = {"session": session, "id": f"{number}", "at": f"2026-09-21T{at}:00Z", "agent": "ada", "project": shop}
        yield said(text, role=role, **facts, **({"tool": "Bash"} if role == "tool" else {}))
