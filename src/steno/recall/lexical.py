"""Words: from what a person asks to an expression of the full-text index. The only place that builds one."""

import re
from typing import Final

from steno.vocabulary import Hit, JournalTurn

# Too common to tell one turn from another; the index keeps them, the question does not need them.
STOP_WORDS: Final = frozenset(
    "a about after all also am an and any are as at be because been before being but by can could did do does doing "
    "for from get got had has have he her here him his how i if in into is it its just know let like me more my no "
    "not now of off on once only or other our out over own same she should so some such than that the their them "
    "then there these they this those to too up us was we were what when where which while who why will with would "
    "you your".split()
)
_WORD: Final = re.compile(r"\w+")
# More words than this make the index rank half the journal; the longest say most.
_MOST_WORDS: Final = 32
_QUOTE: Final = 240


def expression(question: str) -> str:
    """Any of the question's words. Each is quoted, so that nothing in a question is ever syntax."""
    longest = sorted(telling_words(question), key=len, reverse=True)[:_MOST_WORDS]
    return " OR ".join(f'"{word}"' for word in longest)


def telling_words(question: str) -> list[str]:
    """The words that tell turns apart, each once; common ones only if there are no others."""
    words = list(dict.fromkeys(word.casefold() for word in _WORD.findall(question)))
    return [word for word in words if word not in STOP_WORDS] or words


def hit(found: JournalTurn, rank: float, question: str) -> Hit:
    """A turn as an answer: the score grows with the match, the quote is the passage around it."""
    turn = found.turn
    text = turn.text.casefold()
    words = [word for word in telling_words(question) if word in text]
    return Hit(
        id=found.id,
        kind="turn",
        score=round(-rank, 4),
        reason=f"words: {', '.join(words)}" if words else "the same words in another form",
        session=found.session,
        source=found.source,
        turn=found.id,
        line=turn.line,
        native_id=turn.native_id,
        text=turn.text,
        quote=passage(turn.text, words),
        at=turn.at,
        origin=origin_of(found),
    )


def origin_of(found: JournalTurn) -> str:
    """Whose words a turn holds."""
    if found.turn.role == "user":
        return "user" if found.turn.by_human else "agent"
    return found.turn.role if found.turn.role in ("assistant", "tool") else "agent"


def passage(text: str, words: list[str]) -> str:
    """A verbatim piece of the text around the rarest of the words."""
    if len(text) <= _QUOTE:
        return text
    lowered = text.casefold()
    longest = max(words, key=len, default="")
    place = lowered.find(longest) if longest and len(lowered) == len(text) else 0
    start = max(0, place - _QUOTE // 3)
    return text[start : start + _QUOTE]
