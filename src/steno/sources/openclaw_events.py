"""Makes turns of OpenClaw's events, the same in its database and in its files: pi's, and who is behind a message."""

import re
from collections.abc import Callable
from typing import Any, ClassVar, Final

from msgspec import structs

from steno.sources.common import WORDS_IN, text_of
from steno.sources.openclaw_sessions import Origin
from steno.sources.pi_events import Event, PiEvents
from steno.sources.wrappers import own_words
from steno.vocabulary import Kind, Read, Session

# Prompts the program gives itself: polls, wake-ups, the first prompt after a reset, the memory flush, what became of a
# command. The time may stand before them.
_SCHEDULED: Final = re.compile(
    r"(?:\[[^\]\n]{0,100}\]\s*)?(?:\[OpenClaw [a-z ]+\]|\[cron:|Read HEARTBEAT\.md|An async command |"
    r"A new session was started via /new or /reset|Pre-compaction memory flush)"
)
# Signs of a conversation with more than two in it: the envelope, the line below it, or the facts told before it.
_AMONG_MANY: Final = re.compile(
    r"^\[[^\]\n]*\b(?:group|channel|room|guild)\b[^\]\n]*\]|^\[from: |\"is_group_chat\"\s*:\s*true|"
    r"\"group_(?:subject|channel|space)\"\s*:",
    re.MULTILINE | re.IGNORECASE,
)


class OpenClawEvents(PiEvents):
    """Makes turns of the events of one session."""

    source: ClassVar = "openclaw"

    def __init__(
        self, name: str, agent: str, state: dict[str, Any], *,
        origin_of: Callable[[str], Origin | None], fixed: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(name, agent, state)
        # In a database the session's id is known; a file tells it in its first line.
        self._fixed = fixed
        self._origin_of = origin_of
        # Whether others than the owner may speak here.
        self._shared: bool = state.get("shared", False)
        if "session" not in state:
            self._session = self._with_origin(self._session)

    @property
    def state(self) -> dict[str, Any]:
        return super().state | ({"shared": True} if self._shared else {})

    def _named(self, name: str) -> Session:
        return self._session if self._fixed else self._with_origin(super()._named(name))

    def _with_origin(self, session: Session) -> Session:
        if (origin := self._origin_of(session.session)) is None:
            return session
        self._shared = origin.shared
        return structs.replace(session, kind=origin.kind, parent=origin.parent)

    def _user(self, event: Event, message: dict[str, Any], number: int) -> list[Read] | None:
        text = text_of(message.get("content"))
        if not text.strip():
            return None
        kind = self._kind_of(text, message)
        if kind != "said":
            return [self._read(event, number, 0, "user", kind, text)]
        if self._is_owner(message, text) and (words := own_words(text)).strip():
            return [self._read(event, number, 0, "user", "said", words)]
        return [self._read(event, number, 0, "system", "notice", text)]

    def _kind_of(self, text: str, message: dict[str, Any]) -> Kind:
        """Whose words a `user` message holds, as far as the host's structure tells."""
        provenance = message.get("provenance")
        told = provenance.get("kind") if isinstance(provenance, dict) else None
        if _is_scheduled(text) or told == "internal_system":
            return "scheduled"
        return WORDS_IN[self._session.kind] if told in (None, "external_user") else "delegated"

    def _is_owner(self, message: dict[str, Any], text: str) -> bool:
        """Whether the owner sent a message. Where nothing says so, whoever speaks in a conversation of two is taken for
        them, and nobody in a larger one."""
        ours = message.get("__openclaw")
        told = ours.get("senderIsOwner") if isinstance(ours, dict) else None
        return told is True or (told is None and not self._shared and not _AMONG_MANY.search(text))

    def _ended(self, message: dict[str, Any]) -> Kind:
        """A refusal only if the host's own note says so: the words could be the output of the command."""
        details = message.get("details")
        refused = isinstance(details, dict) and details.get("status") in ("denied", "user-denied")
        return "denied" if refused else "result"


def _is_scheduled(text: str) -> bool:
    """Whether nobody typed this prompt."""
    return _SCHEDULED.match(text) is not None or ("HEARTBEAT.md" in text and "HEARTBEAT_OK" in text)
