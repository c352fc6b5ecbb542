"""What an agent states in so many words: a cause, a lesson, something found out, a choice with its reason, a promise
with a date. It is kept as the agent's, and binds nobody."""

from collections.abc import Iterator

from steno.language.sentence import sentences, unlisted
from steno.language.words import content_words, squeeze, without_own_words
from steno.scribe.plain import Pattern, agents_patterns, cue
from steno.vocabulary import Candidate, JournalTurn, Quote
from steno.vocabulary.details import DETAILS, Todo

# Agents sum up at the end, and open with what they found: of a longer turn only the head and the tail are read.
_HEAD, _TAIL = 8_000, 8_000
# Longer is no statement; shorter says nothing.
_LONGEST, _WORDS = 600, 5


def statements(turn: JournalTurn) -> Iterator[Candidate]:
    """What an agent's words state plainly; of one category the first of a turn."""
    text = turn.turn.text
    if not cue("agent quick look").search(text) or "[STENO" in text or without_own_words(text) != text:
        return
    pieces = [(0, len(text))] if len(text) <= _HEAD + _TAIL else [(0, _HEAD), (len(text) - _TAIL, len(text))]
    found: dict[str, Candidate] = {}
    for begin, end in pieces:
        told = [span for span in sentences(text[begin:end]) if span.kind in ("prose", "item")]
        for span, after in zip(told, [*told[1:], None], strict=False):
            # "X fails because of Y. I'm dropping it."
            gives_up = after is not None and cue("gives up").match(after.text)
            words = text[begin + span.start : begin + after.end] if after and gives_up else span.text
            if len(words) <= _LONGEST and len(words.split()) >= _WORDS and (pattern := _stated(words)):
                found.setdefault(pattern.category, _candidate(turn, words, pattern))
    yield from found.values()


def _stated(sentence: str) -> Pattern | None:
    """The first pattern that a sentence states without a doubt. Lessons and promises are about what may come."""
    doubted = sentence.endswith(":") or cue("agent unsure").search(sentence) is not None
    for pattern, words in agents_patterns():
        if (not doubted or pattern.category in ("commitment", "learning")) and words.search(sentence):
            return pattern
    return None


def _candidate(turn: JournalTurn, words: str, pattern: Pattern) -> Candidate:
    said = squeeze(unlisted(words))
    detail = DETAILS[pattern.category]()
    if isinstance(detail, Todo):
        detail = Todo(owner="agent")
    return Candidate(
        category=pattern.category,
        summary=said,
        evidence=[Quote(turn.id, words)],
        detail=detail,
        confidence=0.6,
        tags=["lesson"] if pattern.category == "learning" else [],
        subject=content_words(said),
        cue=pattern.name,
    )
