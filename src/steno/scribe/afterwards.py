"""What came of a refusal: a refused call was run after all or done another way; what was done was taken back. Pure."""

from collections.abc import Sequence
from typing import Final

from steno.language.tool_call import plain_name
from steno.language.words import stems
from steno.scribe.failures import REVERTS
from steno.scribe.hear import own_sentences
from steno.scribe.scene import call_of
from steno.scribe.weigh import heard
from steno.vocabulary import JournalTurn
from steno.vocabulary.details import Afterwards, Call

# Words of a call that are enough to name it.
_NAMED: Final = 2


def gave_leave(said: Sequence[JournalTurn], call: Call) -> bool:
    """Whether a person allowed a call they had refused, in what was said since, in order: their last word on it counts.

    They ask for it by name, or say yes where the agent asked for nothing else.
    """
    leave, before = False, ""
    for turn in said:
        if turn.turn.role == "assistant":
            before = turn.turn.text
        elif turn.by_human:
            for words, act in _acts(turn.turn.text, before):
                named = _names(words, call)
                if act in ("approve", "choose"):
                    leave = leave or named or _names(before, call) or "?" not in before
                elif named or act == "reject":
                    leave = act == "ask_do"
    return leave


def _acts(text: str, before: str) -> list[tuple[str, str]]:
    """A person's sentences with what each does above all; none where nothing is heard."""
    spans = own_sentences(text)
    found = zip(spans, heard(text, spans, before=before) or [], strict=False)
    return [(span.text, max(one.acts, key=one.acts.__getitem__)) for span, one in found]


def _names(words: str, call: Call) -> bool:
    """Whether words name a call: two of its own, or all it has."""
    own = stems(call.given)
    return bool(own) and len(own & stems(words)) >= min(_NAMED, len(own))


def takes_back(call: JournalTurn) -> bool:
    """Whether a call takes back what was done: a revert, or files as they were."""
    done = call_of(call)
    return done is not None and REVERTS.search(done.given) is not None


def came_of(refused: Call, call: JournalTurn) -> Afterwards:
    """What a call that now succeeded says about one that was refused."""
    done = call_of(call)
    if done is None or refused.tool != done.tool:
        return ""
    # A plan is never the same twice: one that is taken after another was refused is its new form.
    if plain_name(done.tool) == "exitplanmode":
        return "redone"
    # A command is run again as it was; what is written into a file may be something else this time.
    again: Afterwards = "ran later" if " " in done.given else "redone"
    return again if refused == done and done.given else ""
