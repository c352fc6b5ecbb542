"""One repository: is there work that nobody committed or pushed for long?"""

import os
import shlex
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

from steno.clock import as_text, seconds_between
from steno.fleet.check import Asked
from steno.sources.git import SAFE
from steno.vocabulary.looks import Finding

# Work that lies about for longer was left.
_HOURS: Final = 24
# Files whose time is looked at.
_FILES: Final = 100
_COLUMNS: Final = {"1": 8, "2": 9, "u": 10, "?": 1}


def look_at(folder: str, ask: Callable[..., Asked], now: str) -> Finding:
    """How a repository is: work at hand is fine, work that was left is not. Asks git, changes nothing."""
    what, git = f"repository {folder}", ("git", *SAFE, "--no-optional-locks", "-C", folder)
    asked = ask(*git, "status", "--porcelain=v2", "--branch")
    if asked.problem:
        return Finding(what=what, ok=None, detail=asked.problem)
    lines = asked.said.splitlines()
    told = {parts[1]: parts[2] for line in lines if line.startswith("# ") and len(parts := line.split(" ", 2)) == 3}
    changed = [line for line in lines if line[:2] in ("1 ", "2 ", "u ", "? ")]
    left = _left(folder, changed, now)
    ahead = int(told.get("branch.ab", "+0").split()[0])
    unpushed = _hours(ask(*git, "log", "-1", "--format=%cI").said.strip(), now) if ahead else None
    quoted = shlex.quote(folder)
    if unpushed is not None and unpushed >= _HOURS:
        detail = f"commits not pushed: {ahead}, the last one {unpushed:.0f} hours old"
        return Finding(what=what, ok=False, detail=detail, mend=f"git -C {quoted} push")
    if left is not None and left >= _HOURS:
        detail = f"files not committed: {len(changed)}, untouched for {left:.0f} hours"
        return Finding(what=what, ok=False, detail=detail, mend=f"git -C {quoted} status")
    if "branch.upstream" not in told:
        head = told.get("branch.head", "its branch")
        return Finding(what=what, ok=None, detail=f"whether it is pushed: {head} has no upstream")
    return Finding(what=what, ok=True, detail=f"files not committed: {len(changed)}, commits not pushed: {ahead}")


def _left(folder: str, changed: list[str], now: str) -> float | None:
    """Hours since anybody touched what is not committed. None: nothing is, or it cannot be told."""
    times = []
    for line in changed[:_FILES]:
        path = line.split(" ", _COLUMNS[line[0]])[-1].split("\t")[0]
        try:
            times.append(os.lstat(os.path.join(folder, path)).st_mtime)
        except (OSError, ValueError):
            continue
    return _hours(as_text(datetime.fromtimestamp(max(times), UTC)), now) if times else None


def _hours(at: str, now: str) -> float | None:
    try:
        return seconds_between(at, now) / 3600
    except (ValueError, TypeError):
        return None
