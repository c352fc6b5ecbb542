"""Words of which no refusal was noted: they can remind, as what they are."""

import pytest

from steno.gates.asked import asked
from steno.gates.match import Index, Match
from steno.gates.pair import least
from steno.gates.uttered import as_entry
from steno.gates.verdict import by_words
from steno.vocabulary import Action, Entry
from steno.vocabulary.utterances import Sentence, Utterance


def uttered(text: str, **acts: float) -> Entry:
    sentence = Sentence(text=text, acts=acts, importance=0.9, lasting=0.6)  # type: ignore[arg-type]
    said = Utterance(turn=7, sentences=[sentence], answers="proposal", answered="Shall I keep them in localStorage?")
    return as_entry(said, "s1", "/shop", None)


def found(entry: Entry, text: str) -> list[Match]:
    action = Action(agent="bot", text=text)
    return Index([], {}, [entry]).refusals(action, asked(action), lambda _: True, {})


def test_words_that_may_refuse_remind_of_what_was_said_and_never_ask():
    (match,) = found(uttered("no tokens in localStorage", reject=0.5), "keep the tokens in localStorage")
    ground = by_words(match)
    assert (match.entry.id, match.sure, match.strength >= least()) == ("turn:7", False, True)
    assert (ground.mode, ground.reason.kind, ground.reason.quote) == ("warn", "said", "no tokens in localStorage")


@pytest.mark.parametrize("acts", [{"ask_do": 0.9}, {"ask_know": 0.9}, {"reject": 0.05}])
def test_a_request_reminds_of_nothing(acts):
    assert found(uttered("put the tokens into localStorage", **acts), "keep the tokens in localStorage") == []


def test_words_an_entry_rests_on_count_once():
    entry = uttered("no tokens in localStorage", reject=0.9)
    action = Action(agent="bot", text="keep the tokens in localStorage")
    noted = Entry(
        **{name: getattr(entry, name) for name in Entry.__struct_fields__} | {"id": "e1", "category": "rejected"}
    )
    index = Index([noted], {}, [entry])
    assert [match.entry.id for match in index.refusals(action, asked(action), lambda _: True, {})] == ["e1"]
