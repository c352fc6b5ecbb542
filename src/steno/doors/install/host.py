"""What the installer asks of a host."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal, Protocol

# In force as it should be; there, but of another place or version; not there.
State = Literal["installed", "outdated", "absent"]


class Host(Protocol):
    """One agent program: which file of its user holds hooks, and what ours look like in it. Text in, text out."""

    # As it is called on the command line and in transcripts.
    name: str
    # As its users call it.
    title: str
    # The program that is looked for on the machine.
    program: str
    # The oldest version that understands what we write.
    oldest: tuple[int, ...]
    # Events at which it is to run our client.
    events: tuple[str, ...]
    # What makes its program answer one question on standard input: no tools, no hooks, no session left behind.
    answers_with: tuple[str, ...]

    def file(self, environment: Mapping[str, str]) -> Path:
        """The user's own file that holds hooks."""

    def installed(self, text: str, home: Path, *, status_line: bool) -> str:
        """The file's text with our hooks in force."""

    def removed(self, text: str) -> str:
        """The file's text without anything of ours."""

    def has_status_line(self, text: str) -> bool:
        """Whether a status line of ours stands in this text."""

    def state(self, text: str, home: Path) -> State:
        """How it stands with our hooks in this text."""

    def remarks(self, text: str, environment: Mapping[str, str]) -> list[str]:
        """What the user should know about a file in which our hooks stand."""

    def mcp_command(self, server: list[str], home: Path | None) -> list[str]:
        """What the user may run to give the host our MCP server; `home` where it is not the usual one."""

    def in_force(self, file: Path, environment: Mapping[str, str]) -> Callable[[str], list[str]] | None:
        """What a text of this settings file makes our hooks run by; None: it is no settings file of the host."""
