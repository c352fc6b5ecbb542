"""A patch as the edit it is."""

import re
from collections.abc import Mapping
from typing import Any, Final

_TOOL: Final = "apply_patch"
# A line of a patch that names a file.
_PATCHED: Final = re.compile(r"\*\*\* (?:Add File|Update File|Delete File|Move to): (.+)")


def as_edit(tool: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """What a tool is given, a patch as an edit: where, what goes, what comes. A hook has it where a shell's command
    stands, a transcript by itself."""
    patch = given.get("command", given.get("input"))
    if tool != _TOOL or not isinstance(patch, str):
        return dict(given)
    lines = patch.splitlines()
    paths = [found[1].strip() for line in lines if (found := _PATCHED.match(line))]
    gone, new = ("\n".join(line[1:] for line in lines if line.startswith(sign)) for sign in "-+")
    return {"file_path": paths[0] if paths else "", "paths": paths, "old_string": gone, "new_string": new}
