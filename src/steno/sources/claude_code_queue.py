"""Prompts typed while Claude Code is busy. Each is one turn, however the program then hands it to the agent.

It writes `enqueue` when the person presses return, and later one of: `dequeue` (the prompt follows as a user line),
`remove` (it goes in mid-turn: older versions write it nowhere else, newer ones as an attachment before or after), or
`popAll` (the person took it back into the editor; they said it all the same). So a prompt waits here until its fate
is known, and what waits is part of the watermark's state.
"""

from typing import Any

import msgspec

from steno.vocabulary import Read


class PromptQueue:
    """The program's prompt queue, followed from its bookkeeping lines."""

    def __init__(self, state: dict[str, Any] | None) -> None:
        state = state or {}
        self._waiting = msgspec.convert(state.get("waiting", []), list[Read])
        # Prompts told already on `remove`, whose attachment may still come.
        self._told: list[str] = state.get("told", [])

    @property
    def state(self) -> dict[str, Any]:
        """What waits, for the next reader."""
        return {"waiting": msgspec.to_builtins(self._waiting), "told": self._told} if self else {}

    def __bool__(self) -> bool:
        return bool(self._waiting or self._told)

    def typed(self, prompt: Read) -> None:
        """`enqueue`: the person pressed return."""
        self._waiting.append(prompt)

    def operation(self, name: str, text: str) -> list[Read] | None:
        """Any other operation: the turns that are certain now."""
        if name == "dequeue":
            self._take(text)
            return None
        if name == "remove":
            taken = self._take(text)
            self._told += [prompt.turn.text for prompt in taken]
            return taken or None
        if name == "popAll":
            taken, self._waiting = self._waiting, []
            return taken or None
        return None

    def attached(self, text: str, prompt: Read) -> list[Read]:
        """An attachment brings a queued prompt in: new, unless `remove` has told it."""
        if text in self._told:
            self._told.remove(text)
            return []
        self._waiting = [waiting for waiting in self._waiting if waiting.turn.text != text]
        return [prompt]

    def delivered(self, text: str) -> list[Read]:
        """A prompt arrives as a user line. Whatever still waits and is no part of it was lost on the way: tell it."""
        self._told.clear()
        waiting, self._waiting = self._waiting, []
        return [prompt for prompt in waiting if prompt.turn.text not in text]

    def _take(self, text: str) -> list[Read]:
        """The waiting prompt an operation means: the named one, else the oldest."""
        for index, prompt in enumerate(self._waiting):
            if not text or prompt.turn.text == text:
                return [self._waiting.pop(index)]
        return []
