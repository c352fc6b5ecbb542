"""Facts in so many words: each frame matches its sentences, and nothing else does."""

import pytest

from steno.language.facts import Frame, frame, stated
from steno.language.words import data

FRAMES = data("facts")["frame"]
SAID = [pytest.param(one["name"], sentence, id=sentence) for one in FRAMES for sentence in one["match"]]
NOT_SAID = [sentence for one in FRAMES for sentence in one["not"]]


@pytest.mark.parametrize(("name", "sentence"), SAID)
def test_a_fact_said_plainly_is_seen(name: str, sentence: str) -> None:
    found = frame(sentence)
    assert found is not None
    assert (found.name, bool(found.about), bool(found.value)) == (name, True, True)


@pytest.mark.parametrize("sentence", NOT_SAID)
def test_what_is_asked_supposed_denied_or_only_looks_like_a_fact_is_none(sentence: str) -> None:
    assert frame(sentence) is None


def test_there_are_six_frames_at_most_and_each_of_their_patterns_is_needed() -> None:
    assert len(FRAMES) <= 6
    for one in FRAMES:
        assert len({frame(sentence) for sentence in one["match"]}) >= len(one["patterns"])


@pytest.mark.parametrize(
    ("older", "newer", "about"),
    [
        ("Ana Kovacs is our designer.", "Ana left, Ben is our designer now.", ("role", "designer")),
        ("The docs live in Confluence.", "We moved the docs to Notion.", ("place", "docs")),
        ("The staging server is at 10.0.0.5", "our staging server is at 10.0.0.9", ("place", "staging server")),
        ("Backups go to the NAS.", "All backups go to S3 now.", ("goes", "backups")),
        ("Ana owns the checkout.", "Ben took over the checkout from Ana.", ("owner", "checkout")),
    ],
)
def test_two_facts_about_one_thing_have_one_subject_and_two_values(
    older: str, newer: str, about: tuple[str, str]
) -> None:
    one, other = frame(older), frame(newer)
    assert one is not None
    assert other is not None
    assert (one[:2], other[:2]) == (about, about)
    assert one.value != other.value


def test_a_fact_is_found_among_other_sentences_and_a_long_sentence_is_none() -> None:
    assert stated("Ana left last week. Ben is our designer now.") == Frame("role", "designer", "ben")
    assert frame(f"Ben is our designer, {'and so on ' * 30}") is None
