"""Sessions by the names people and hosts give them."""

from contextlib import suppress

from steno.home import Home
from steno.vocabulary.errors import UnknownSession


def kept_name(home: Home, session: str | None) -> str | None:
    """A session's id as it may be kept: hosts and hooks may put anything into it."""
    return None if session is None else home.clean(session)


def named(home: Home, session: str, project: str | None = None, at: str | None = None) -> str:
    """A session by the name the journal has for it, without what was taken out of that; of a project, if given."""
    journal, briefed = home.store.journal, home.store.briefed
    if project is None:
        with suppress(UnknownSession):
            journal.session_id(session)
            return session
        return home.clean(session)
    found = session_id(home, session) if session != "latest" else briefed.latest(at or "", project)
    found = found or journal.latest_in(project or None)
    facts = None if found is None else briefed.session(found)[0]
    if facts is None or facts.project != (project or None):
        what = "no session was captured here yet" if session == "latest" else f"no session {session!r} here"
        raise UnknownSession(what, hint=f"asked from {project or 'no project'}")
    return f"{facts.source}:{facts.session}"


def session_id(home: Home, session: str, project: str | None = None) -> int:
    """The session called so, or the only one whose id begins so."""
    return home.store.journal.session_id(named(home, session, project))


def session_or_all(home: Home, session: str | None, project: str | None = None) -> int | None:
    """The session called so; None stands for all of them."""
    return None if session is None else session_id(home, session, project)
