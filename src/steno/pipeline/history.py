"""The history of the notebook, kept by git in the notebook itself: what it said on which night, and a way back.

Only pages are in it: no settings, no transcripts, nothing hidden, and no page in which a secret stands. Git is run with
no configuration but ours and none of its hooks, and never speaks to another machine.
"""

import os
import shutil
from contextlib import suppress
from typing import Final

from steno.home import Home
from steno.pipeline.notebook import Notebook, folder_of
from steno.processes import run
from steno.vocabulary.errors import StenoError, WrongUse
from steno.vocabulary.notebooks import Committed

_IGNORED: Final = "*\n!*/\n!*.md\n.*\n!.gitignore\n"
_OURS: Final = (
    *("-c", "user.name=steno", "-c", "user.email=steno@localhost", "-c", "commit.gpgsign=false"),
    *("-c", "core.hooksPath=/dev/null", "-c", "core.autocrlf=false", "-c", "gc.auto=0", "-c", "core.quotePath=false"),
)
_SECONDS: Final = 60.0
_BYTES: Final = 1 << 24


class History:
    """What the notebook was on earlier nights."""

    def __init__(self, home: Home) -> None:
        self._store, self._root = home.store, home.notebook
        self._clock, self._clean = home.clock, home.clean

    def is_on(self) -> bool:
        """Whether the nights are kept."""
        return self._store.pages.history() is not None

    def turn(self, *, on: bool) -> None:
        """Keep them from now on, or no more; what was kept stays."""
        if on:
            Notebook(self._root).put(".gitignore", _IGNORED)
            if not (self._root / ".git").exists():
                self._git("init", "--quiet", "--template=")
        self._store.pages.set_history("" if on else None)

    def commit(self) -> Committed | None:
        """Keep the notebook as it is now. None: nothing changed since."""
        if not self.is_on():
            raise WrongUse("the notebook has no history", hint="`steno notebook git on` begins one")
        now = self._clock()
        self._store.pages.set_history(now[:10])
        self._git("add", "--all")
        left_out = [name for name in self._changed() if self._holds_a_secret(name)]
        if left_out:
            self._git("reset", "--quiet", "--", *left_out)
        changed = self._changed()
        if not changed:
            return None
        self._git("commit", "--quiet", "--message", f"nightly: {now[:16].replace('T', ' ')}")
        return Committed(at=now, pages=sum(name.endswith(".md") for name in changed), left_out=left_out)

    def begin_again(self) -> None:
        """Words were forgotten: what was kept may hold them, so it goes, and begins anew with what is left."""
        if self.is_on():
            with suppress(FileNotFoundError), folder_of(self._root) as folder:
                shutil.rmtree(".git", ignore_errors=True, dir_fd=folder)
            self.turn(on=True)
            self.commit()

    def _changed(self) -> list[str]:
        has_commits = self._git("rev-parse", "--quiet", "--verify", "HEAD", may_fail=True)
        found = self._git("diff", "--cached", "--name-only", "-z", "HEAD" if has_commits else "--root")
        return [name for name in found.split("\0") if name]

    def _holds_a_secret(self, name: str) -> bool:
        path = self._root / name
        if path.is_symlink() or not path.is_file():
            return path.is_symlink()
        text = path.read_text("utf-8", errors="replace")
        return self._clean(text) != text

    def _git(self, *arguments: str, may_fail: bool = False) -> str:
        with folder_of(self._root):
            pass  # it is no link: git would keep what lies elsewhere
        place = {"GIT_DIR": str(self._root / ".git"), "GIT_WORK_TREE": str(self._root)}
        alone = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "GIT_TERMINAL_PROMPT": "0"}
        environment = {"PATH": os.environ.get("PATH", os.defpath), **place, **alone}
        ran = run(["git", *_OURS, *arguments], _SECONDS, _BYTES, folder=self._root, environment=environment)
        if ran.code is None:
            raise StenoError(f"git {ran.problem}", hint="install git, or `steno notebook git off`")
        if ran.problem and not may_fail:
            raise StenoError(
                f"git {arguments[0]} {ran.problem} in {self._root}",
                hint="look at the repository there; `steno notebook git off` does without",
            )
        return ran.out
