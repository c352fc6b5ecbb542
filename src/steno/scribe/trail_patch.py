"""Codex's patches: which files one adds, updates, deletes and moves."""

import re
from typing import Final

BEGIN: Final = "*** Begin Patch"
_HEADER: Final = re.compile(r"^\*\*\* (Add File|Update File|Delete File|Move to): (.+?)\s*$", re.MULTILINE)
_ACTS: Final = {"Add File": "created", "Update File": "edited", "Delete File": "deleted"}
_FAILED: Final = re.compile(
    r"\s*(?:apply_patch verification failed|Failed to |Invalid patch|error:|patch rejected)", re.I
)


def files_of(patch: str) -> list[list[str]]:
    """Acts and paths of a patch, in its order. A file that moves is deleted here and created there."""
    _, found, body = patch.partition(BEGIN)
    if found and "\n" not in body[:200]:
        # The patch stands inside a program's text, with its line ends written as two characters.
        body = body.replace("\\n", "\n")
    acts: list[list[str]] = []
    for header in _HEADER.finditer(body if found else patch):
        what, path = header[1], header[2].strip("\"'")
        if what == "Move to":
            if acts and acts[-1][0] == "edited":
                acts[-1][0] = "deleted"
            acts.append(["created", path])
        else:
            acts.append([_ACTS[what], path])
    return acts


def patch_failed(text: str) -> bool:
    """Whether a patch's result says that it was not applied, where the host gives no status."""
    return _FAILED.match(text[:200]) is not None
