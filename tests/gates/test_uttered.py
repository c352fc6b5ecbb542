"""Words of which nothing was noted: they can remind, as what they are."""

import pytest
from msgspec import structs

from steno.gates.asked import asked
from steno.gates.match import Index, Match
from steno.gates.said import as_entry
from steno.gates.verdict import by_words
from steno.store.gates import Uttered
from steno.vocabulary import Action, Entry
from steno.vocabulary.utterances import Sentence, Utterance

WORDS = "no tokens in localStorage"


def uttered(**acts: float) -> Entry | None:
    sentences = [Sentence(text="thanks!"), Sentence(text=WORDS, acts=acts)]  # type: ignore[arg-type]
    said = Utterance(turn=7, sentences=sentences, answers="proposal", answered="Shall I keep them in localStorage?")
    return as_entry(Uttered(said, "s1", "/shop", None))


def found(entries: list[Entry], said: list[Entry]) -> list[Match]:
    action = Action(agent="bot", text="keep the tokens in localStorage")
    return Index(entries, {}, said).concerning(action, asked(action), lambda _: True)


@pytest.mark.parametrize("act", ["reject", "instruct", "choose"])
def test_weighty_words_remind_of_what_was_said_and_never_ask(act):
    entry = uttered(**{act: 0.5})
    assert entry is not None
    (match,) = found([], [entry])
    ground = by_words(match)
    assert (match.entry.id, match.sure, ground.mode) == ("turn:7", False, "warn")
    assert (ground.reason.kind, ground.reason.quote) == ("said", WORDS)


@pytest.mark.parametrize("acts", [{}, {"reject": 0.05}, {"inform": 0.9}])
def test_words_without_weight_remind_of_nothing(acts):
    assert uttered(**acts) is None


def test_words_an_entry_rests_on_count_once():
    entry = uttered(reject=0.9)
    assert entry is not None
    noted = structs.replace(entry, id="e1", category="rejected")
    assert [match.entry.id for match in found([noted], [entry])] == ["e1"]
