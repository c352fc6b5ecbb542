"""What a Codex file says about its thread: who started it, where it works, which lines are its own."""

import re
from typing import Any, Final

import msgspec
from msgspec import structs

from steno.sources.codex_line import Payload
from steno.sources.common import project_of, text_or_none, time_of, whole_number, window_of
from steno.vocabulary import Session, SessionKind

_NAME: Final = re.compile(r"rollout-[\dT-]{19}-(.+?)(?:_[0-9a-f-]+)?\.jsonl(?:\.zst)?")


class ThreadFacts:
    """The session of one file, from its first `session_meta` on. Later ones are a resumption's or a copied parent's."""

    def __init__(self, name: str, state: dict[str, Any] | None) -> None:
        self._name = name
        state = state or {}
        self.session: Session | None = msgspec.convert(state["session"], Session) if "session" in state else None
        self._known: bool = state.get("known", False)
        # Lines before this number, or before this time, are copies of the parent's.
        self._own_ordinal: int | None = state.get("own_ordinal")
        self._born: str | None = state.get("born")
        # Where the thread works now; `session` keeps where it began.
        self.directory: str | None = state.get("directory")

    @property
    def state(self) -> dict[str, Any]:
        """The same, for the next reader."""
        if self.session is None:
            return {}
        session = {name: value for name, value in structs.asdict(self.session).items() if value is not None}
        place = {"own_ordinal": self._own_ordinal, "born": self._born, "directory": self.directory}
        return {"session": session, "known": self._known, **place}

    @property
    def here(self) -> Session:
        """The session. A file without its first line is known by its name."""
        if self.session is None:
            named = _NAME.fullmatch(self._name)
            thread = named[1] if named else self._name.partition(".jsonl")[0]
            self.session = Session(source="codex", session=thread, agent="codex")
        return self.session

    def meta(self, payload: Payload) -> bool:
        """Take in a `session_meta`. False: it is somebody else's."""
        thread = text_or_none(payload.id) or text_or_none(payload.session_id) or self.here.session
        if self._known:
            return self.session is not None and thread == self.session.session
        spawn = _spawn(payload.source)
        parent = text_or_none(payload.parent_thread_id) or text_or_none(spawn.get("parent_thread_id"))
        origin = parent or text_or_none(payload.forked_from_id)
        directory = self.directory = text_or_none(payload.cwd)
        self.session = Session(
            source="codex",
            session=thread,
            kind=_kind(payload, parent),
            parent=origin,
            agent=text_or_none(payload.agent_nickname) or text_or_none(spawn.get("agent_nickname")) or "codex",
            directory=directory,
            project=project_of(directory) if directory else None,
            branch=text_or_none(payload.git.get("branch")) if isinstance(payload.git, dict) else None,
        )
        self._known = True
        self._own_ordinal = whole_number(payload.subagent_history_start_ordinal)
        self._born = time_of(payload.timestamp) if origin else None
        return True

    def is_copied(self, ordinal: Any, timestamp: Any) -> bool:
        """Whether a line was copied from the parent's file when this thread split off."""
        number = whole_number(ordinal)
        if number is not None and self._own_ordinal is not None and number < self._own_ordinal:
            return True
        at = time_of(timestamp) if self._born else None
        return at is not None and self._born is not None and at < self._born

    def context(self, payload: Payload) -> None:
        """Take in a `turn_context`."""
        session, directory, model = self.here, text_or_none(payload.cwd), text_or_none(payload.model)
        self.directory = directory or self.directory
        if session.directory is None and directory:
            session = structs.replace(session, directory=directory, project=project_of(directory))
        if model and model != session.model:
            session = structs.replace(session, model=model, context_window=session.context_window or window_of(model))
        self.session = session

    def window(self, size: Any) -> None:
        """Take in the size of the model's context."""
        if (tokens := whole_number(size)) is not None and tokens != self.here.context_window:
            self.session = structs.replace(self.here, context_window=tokens)


def _spawn(source: Any) -> dict[str, Any]:
    """Who spawned a subagent, where its source says so."""
    subagent = source.get("subagent") if isinstance(source, dict) else None
    spawn = subagent.get("thread_spawn") if isinstance(subagent, dict) else None
    return spawn if isinstance(spawn, dict) else {}


def _kind(payload: Payload, parent: str | None) -> SessionKind:
    source = payload.source
    if parent or "subagent" in (source, payload.thread_source) or (isinstance(source, dict) and "subagent" in source):
        return "subagent"
    # Threads the program starts for itself, such as putting its memories in order.
    return "scheduled" if isinstance(source, dict) and "internal" in source else "main"
