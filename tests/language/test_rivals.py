"""Things of which only one can stand in one place: every word of the file is in a sentence that shows it."""

import pytest

from steno.language.claims import claim, keys, relation
from steno.language.rivals import rivals_of
from steno.language.same_word import one_word, words_of
from steno.language.words import data

GROUPS = [*data("rivals")["rivals"], data("rivals")["versions"]]
OPPOSED = [pair for group in GROUPS for pair in group["opposed"]]
APART = [pair for group in GROUPS for pair in group["apart"]]


@pytest.mark.parametrize("group", data("rivals")["rivals"], ids=lambda group: group["of"])
def test_every_rival_is_in_a_sentence_that_needs_it(group):
    said = words_of(" ".join(sentence for pair in group["opposed"] for sentence in pair))
    assert [word for word in group["words"] if one_word(word) not in said] == []
    assert {rivals_of(one_word(word)) for word in group["words"]} == {group["of"]}


@pytest.mark.parametrize(("one", "other"), OPPOSED)
def test_two_for_the_same_place_are_opposed_and_find_each_other(one, other):
    this, that = claim(one), claim(other)
    assert relation(this, that) == "opposed"
    assert set(keys(this, widely=False)) & set(keys(that, widely=False))


@pytest.mark.parametrize(("one", "other"), APART)
def test_two_for_different_places_go_together(one, other):
    assert relation(claim(one), claim(other)) in ("apart", "doubtful")


@pytest.mark.parametrize(
    ("one", "other", "found"),
    [
        ("never commit without running the tests", "I told you: never commit without running the tests", "same"),
        ("use tabs", "as I said, use tabs", "same"),
        ("our database is called shop_prod", "our database is called shop_live", "opposed"),
        ("the queue is named jobs_v1", "the queue is named jobs_v2", "opposed"),
        ("fix parse_date", "fix parse_time", "apart"),
        ("I said no", "no", "apart"),
    ],
)
def test_what_was_said_before_is_the_same_and_another_name_is_another_value(one, other, found):
    assert relation(claim(one), claim(other)) == found
