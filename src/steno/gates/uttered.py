"""What a person said and nothing was noted of: it can remind, as words that were said, and nothing more."""

from typing import Final

from steno.store.gates import Uttered
from steno.vocabulary import Entry, Evidence
from steno.vocabulary.details import Exchange, Known

# A sentence is compared if it is so likely to refuse, instruct or settle. The rest mostly asks for something.
_LEAST: Final = 0.1


def as_entry(heard: Uttered) -> Entry | None:
    """The weighty sentences of an utterance as an entry nobody keeps; None where there is none."""
    one = heard.utterance
    kept = [
        sentence
        for sentence in one.sentences
        if max(sentence.acts.get(act, 0.0) for act in ("reject", "instruct", "choose")) >= _LEAST
    ]
    if not kept:
        return None
    said = (" " if len(kept) == len(one.sentences) else " … ").join(sentence.text for sentence in kept)
    exchange = Exchange(said=said, kind=one.answers, answered=one.answered, call=one.call, afterwards=one.afterwards)
    return Entry(
        id=f"turn:{one.turn}", category="context", status="active", certainty="confirmed", confidence=0.0, summary=said,
        detail=Known(exchange=exchange), origin="user", tags=[], domain="GENERAL", subject=[], session=heard.session,
        project=heard.project, agent=heard.agent, created_at=one.at, superseded_by=None, repeated=0, cue="uttered",
        evidence=[Evidence(session=heard.session, turn=one.turn, line=None, role="user", quote=said)],
    )  # fmt: skip
