"""Weigh what people said: a few turns at once after they were read, the rest of a session when a briefing wants it. The
scribe itself only writes down, so it stays quick over a history of years."""

from collections.abc import Iterable
from contextlib import suppress
from typing import Final

from msgspec import structs

from steno.scribe.hear import own_sentences
from steno.scribe.weigh import NOTHING, Unheard, weigh
from steno.store import Store
from steno.vocabulary.errors import StoreError
from steno.vocabulary.utterances import Utterance

# At about 14 ms a turn; in a longer session the latest turns are weighed first, the rest with the next briefing.
_MOST, _LATELY = 256, 40
# Less is not worth keeping of what a sentence does.
_PROBABLE: Final = 0.1


def weigh_lately(store: Store, sessions: Iterable[int]) -> None:
    """Weigh what was said last in sessions that were just read, so that the gate knows it at the next call."""
    left = _LATELY
    for session_id in sorted(sessions, reverse=True):
        if left > 0:
            left -= weigh_session(store, session_id, left)


def weigh_session(store: Store, session_id: int, most: int = _MOST) -> int:
    """Give turns of people in a session their weights; how many. Without the encoder they have none."""
    with suppress(Unheard):
        found = [_weighed(one, text) for one, text in store.exchanges.unweighed(session_id, most=most)]
        if found:
            # A store that is busy keeps none of it: the next briefing weighs it again.
            with suppress(StoreError):
                store.exchanges.put_weights(found)
        return len(found)
    return 0


def _weighed(one: Utterance, text: str) -> Utterance:
    spans = [(said.start, said.end) for said in own_sentences(text)[: len(one.sentences)]]
    stopped = f"{one.call.tool} {one.call.given}" if one.call else ""
    weights = weigh(text, spans, before=one.answered, stopped=stopped) if spans else [NOTHING]
    told = [
        structs.replace(
            sentence,
            acts={act: round(chance, 2) for act, chance in found.acts.items() if chance >= _PROBABLE},
            lasting=round(found.lasting, 2),
            importance=round(found.importance, 2),
        )
        for sentence, found in zip(one.sentences, weights, strict=False)
    ]
    return structs.replace(one, sentences=told)
