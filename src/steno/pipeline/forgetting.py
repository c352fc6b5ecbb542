"""What a person means when they say what to forget."""

from steno.store import Store
from steno.vocabulary.errors import UnknownTurn, WrongUse


def meant(
    store: Store, *, session: str | None, turn: int | None, text: str | None, since: str | None, until: str | None
) -> list[int]:
    """Numbers of the turns, named by exactly one of the ways to say it."""
    ways = [session is not None, turn is not None, text is not None, since is not None or until is not None]
    if sum(ways) != 1:
        raise WrongUse("say one thing to forget: a session, a turn, a text, or a time", hint="steno forget --help")
    if text is not None:
        if not text.strip():
            raise WrongUse("an empty text is in every turn", hint="name the text to forget")
        return store.eraser.of_text(text)
    if session is not None:
        return store.eraser.of_session(store.journal.session_id(session))
    if turn is not None:
        if found := store.eraser.of_turn(turn):
            return found
        raise UnknownTurn(f"there is no turn {turn}", hint="`steno sessions show SESSION` shows the number of each")
    return store.eraser.of_time(since or "", until or "9999")
