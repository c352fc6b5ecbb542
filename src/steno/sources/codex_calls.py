"""Codex's tool calls between their beginning and their result."""

from typing import Any

from steno.sources.codex_text import Outcome, outcome
from steno.sources.common import whole_number


class OpenCalls:
    """Calls whose result has not come yet, with what events told about them. One call has one result."""

    def __init__(self, state: dict[str, Any] | None) -> None:
        # By call: tool, exit status, failed, declined.
        self._open: dict[str, list[Any]] = {call: list(known) for call, known in (state or {}).items()}

    @property
    def state(self) -> dict[str, Any]:
        """The same, for the next reader."""
        return {call: list(known) for call, known in self._open.items()}

    def opened(self, call: str | None, tool: str) -> None:
        """The assistant called a tool."""
        if call:
            self._open[call] = [tool, None, None, False]

    def ended(self, call: Any, exit_code: Any, status: Any, success: Any, *, refused: bool = False) -> None:
        """An event tells how a call went, mostly before its result."""
        known = self._open.get(call) if isinstance(call, str) else None
        if known is None:
            return
        exit_status = whole_number(exit_code)
        failed: bool | None
        if exit_status is not None:
            failed = exit_status != 0
        elif isinstance(success, bool):
            failed = not success
        else:
            failed = {"completed": False, "failed": True}.get(status) if isinstance(status, str) else None
        known[1:] = [exit_status, failed, refused or status == "declined"]

    def closed(self, call: str | None, output: Any) -> tuple[str | None, Outcome]:
        """The result is here: the tool and how it went. The output's own word counts, the event's where it has none."""
        tool, exit_status, failed, declined = self._open.pop(call or "", [None, None, None, False])
        result = outcome(output, tool)
        if result.refused or declined:
            return tool, Outcome(result.text, failed=True, refused=True)
        if result.failed is None:
            result = Outcome(result.text, exit_status, failed)
        return tool, result
