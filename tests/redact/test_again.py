"""Words that were looked at in vain are not looked at again; that must not hide a secret among them."""

import pytest

from steno.redact import Redactor, sweep
from steno.redact.engine import Span
from steno.redact.rules import Rule

REDACTOR = Redactor(secret=b"key")


def test_the_same_words_are_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[int] = []
    closer = sweep._Eye._secret

    def counted(self: sweep._Eye, rule: Rule, start: int, end: int) -> Span | None:
        looked.append(start)
        return closer(self, rule, start, end)

    monkeypatch.setattr(sweep._Eye, "_secret", counted)
    line = "token: 17 and what else stands in this line of a table\n"
    assert REDACTOR.clean([line * 200]).counts == {}
    assert len(looked) <= 30


@pytest.mark.parametrize(
    ("before", "after"), [("", ""), ("x", " "), ("-", "."), ("\n", "("), ("token: 17\n" * 90, "\ntoken: 17" * 90)]
)
def test_a_secret_after_the_same_words_in_vain_is_found(before: str, after: str) -> None:
    secret = "k3J9x2Lm4Qp7Rt5W"
    vain = "password = os.environ['DB']\n" * 40
    (clean,) = REDACTOR.clean([f"{vain}password = '{secret}'{after}\n{before}\n{vain}password = '{secret}'"]).texts
    assert secret not in clean


def test_a_text_is_cleaned_the_same_way_alone_and_among_others() -> None:
    texts = ["token: 17", "x token: 17", "token: k3J9x2Lm4Qp7Rt5W", "token: 17 ", "token: 1742", "token: 17"]
    assert REDACTOR.clean(texts).texts == [REDACTOR.clean([text]).texts[0] for text in texts]
