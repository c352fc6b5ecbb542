"""Records `finding.md` anew: runs every command line on it in a home of its own and puts what it prints in its place.

python docs/make_finding.py docs/finding.md
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
BLOCK = re.compile(r"^```\n(\$ .*?)^```$", re.MULTILINE | re.DOTALL)
PROMPT = "$ "


def main(page: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="steno-finding-") as home:
        shutil.copytree(ROOT / "samples", f"{home}/samples")
        text = page.read_text("utf-8")
        page.write_text(BLOCK.sub(lambda found: f"```\n{recorded(found[1], home)}```", text), "utf-8")


def recorded(block: str, home: str) -> str:
    """The command lines of a block, each with what it prints now."""
    lines = (line for line in block.splitlines() if line.startswith(PROMPT))
    return "".join(f"{line}\n{printed(line.removeprefix(PROMPT), home)}" for line in lines)


def printed(command: str, home: str) -> str:
    """What a command prints in that home, which is no project, with the vectors of what it captured made."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "STENO_HOME": home, "HOME": home, "PATH": path, "STENO_EMBEDDING": "minilm"}
    both = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    done = subprocess.run(command, shell=True, cwd=home, env=environment, text=True, **both)
    if done.returncode > 1:
        raise SystemExit(f"{command}\n{done.stdout}")
    return done.stdout


if __name__ == "__main__":
    main(Path(sys.argv[1]))
