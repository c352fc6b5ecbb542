"""Words that are one word, and things of one kind."""

import pytest

from steno.language.kinds import kin
from steno.language.same_word import names_of, one_word, words_of


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("deploys", "deploying", True),
        ("repo", "repository", True),
        ("k8s", "Kubernetes", True),
        ("remove", "delete", True),
        ("cache", "cash", False),
        ("test", "toast", False),
    ],
)
def test_words_are_one_by_stem_or_by_name(one: str, other: str, same: bool) -> None:
    assert (one_word(one) == one_word(other)) is same


def test_a_text_has_the_words_within_its_names() -> None:
    assert words_of("formatIban") == {"formatiban", "format", "iban"}
    assert words_of("cd /srv/app && run kafka") == {"run", "kafka"}
    assert words_of("缓存层") == {"缓存层", "缓存", "存层"}
    assert words_of("please never") == frozenset()


def test_names_are_told_by_how_they_are_written() -> None:
    assert names_of("use the `left pad` of Lodash in v2") == {"left", "pad", "lodash", "v2"}
    assert names_of("Die Liste ist lang") == frozenset()


def test_a_kind_is_kin_to_what_belongs_to_it() -> None:
    assert one_word("redis") in kin(one_word("cache"))
    assert one_word("cache") in kin(one_word("redis"))
    assert kin("nothing of the kind") == frozenset()
