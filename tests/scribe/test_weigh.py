"""What the encoder makes of a person's sentences, and that nothing it is given can hurt."""

import shutil
import unicodedata
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from steno.embedding.minilm import carrier
from steno.scribe import frames, weigh
from steno.scribe.weigh import FOLDER, NOTHING, Unheard, Weighed
from steno.scribe.wordpiece import WordPiece
from steno.vocabulary.details import Act

OFFER = "Shall I use sqlite (a) or postgres (b) for the queue?"
DONE = "I have added the retry and its tests; all of them pass. Shall I commit?"


# Latin to Arabic, kana, ideographs, Hangul, emoji. Of rarer signs two libraries know two versions of Unicode.
SCRIPTS = ((0x20, 0x5FF), (0x2010, 0x2BFF), (0x3000, 0x30FF), (0x4E00, 0x9FFF), (0xAC00, 0xD7A3), (0x1F300, 0x1F6FF))
KNOWN = ("L", "N", "P", "S", "Zs", "Mn")


@pytest.fixture(scope="module")
def words() -> WordPiece:
    return WordPiece((FOLDER / "vocabulary.txt").read_text("utf-8").split("\n"))


def weighed(said: str, before: str = "", stopped: str = "") -> Weighed:
    return weigh.weigh(said, [(0, len(said))], before=before, stopped=stopped)[0]


@pytest.mark.parametrize(
    ("said", "before", "act"),
    [
        ("never push to main", DONE, "instruct"),
        ("always write commit messages in English", DONE, "instruct"),
        ("no, not that", OFFER, "reject"),
        ("I don't want a cache here", "I will add a cache in front of the store.", "reject"),
        ("go with option b", OFFER, "choose"),
        ("looks good, commit", DONE, "approve"),
        ("why is the queue a table of its own?", DONE, "ask_know"),
        ("add a test for the empty list", DONE, "ask_do"),
        # German standing instructions are not heard (docs/numbers.md): nothing is claimed of them here.
        ("das wollte ich nicht", "I will add a cache in front of the store.", "reject"),
        ("nimm b", OFFER, "choose"),
        ("passt so", DONE, "approve"),
        ("warum eine eigene Tabelle?", DONE, "ask_know"),
    ],
)
def test_plain_words_do_what_one_expects(said: str, before: str, act: Act) -> None:
    found = weighed(said, before).acts
    assert max(found, key=lambda name: found[name]) == act


def test_what_was_said_before_changes_what_a_word_does() -> None:
    assert weighed("yes", DONE).acts["approve"] > weighed("yes", "").acts["approve"]


def test_the_same_words_always_weigh_the_same_whoever_stands_beside_them() -> None:
    alone = weighed("no, keep it as it is", OFFER, "Bash git push")
    weigh.weigh("a long text. " * 50, [(0, 12)], before=DONE, stopped="")
    assert weighed("no, keep it as it is", OFFER, "Bash git push") == alone


def test_every_span_has_an_answer_in_its_order() -> None:
    said = "No. Use b instead. Thanks!"
    found = weigh.weigh(said, [(0, 3), (4, 18), (19, 26)], before=OFFER, stopped="")
    assert [len(one.acts) for one in found] == [10, 10, 10]
    assert found[0].acts["reject"] > found[2].acts["reject"]
    assert weigh.weigh(said, [], before="", stopped="") == []


@pytest.mark.parametrize("name", ["encoder.onnx", "vocabulary.txt", "weights.toml"])
@pytest.mark.parametrize("harm", ["missing", "damaged"])
def test_weights_that_are_missing_or_damaged_are_told_every_time(
    name: str, harm: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(FOLDER, tmp_path / "hearing")
    path = tmp_path / "hearing" / name
    if harm == "missing":
        path.unlink()
    else:
        path.write_bytes(b"\0" + path.read_bytes())
    monkeypatch.setattr(weigh, "FOLDER", tmp_path / "hearing")
    for _ in range(2):
        with pytest.raises(Unheard, match="words cannot be weighed"):
            weighed("no")


@pytest.mark.parametrize(
    "said",
    [
        "word " * 5000,
        "x" * 5_000_000,
        "🙏" * 2000,
        "好" * 100_000,
        "\ud800 \x00 \ufffd",
        "\n".join(["no, not that."] * 100_000),
    ],
    ids=["long sentence", "one word of 5 MB", "emoji", "ideographs", "not encodable", "many sentences"],
)
def test_whatever_is_said_few_looks_are_taken(said: str, words: WordPiece) -> None:
    spans, at = [], 0
    for line in said.split("\n"):
        spans.append((at, at + len(line)))
        at += len(line) + 1
    looks = frames.frames(said, spans, before=said, stopped=said, tokenizer=words)
    assert len(looks) <= frames.HEAD + frames.TAIL
    longest = frames.OWN + frames.SCENE + 4
    assert all(len(look.pieces) <= longest for look in looks)
    assert len(weigh.weigh(said, spans, before=said, stopped=said)) == len(spans)


def test_the_middle_of_an_endless_turn_weighs_nothing() -> None:
    said = "\n".join(["no, not that."] * 10_000)
    spans = [(at, at + 13) for at in range(0, len(said), 14)]
    found = weigh.weigh(said, spans, before="", stopped="")
    assert found[0] != NOTHING != found[-1]
    assert found[5_000] == NOTHING


@given(said=st.text(max_size=60), before=st.text(max_size=60), stopped=st.text(max_size=20))
def test_any_text_gives_probabilities(said: str, before: str, stopped: str) -> None:
    found = weighed(said, before, stopped)
    assert all(0 <= chance <= 1 for chance in (*found.acts.values(), found.lasting, found.importance))


@pytest.mark.skipif(find_spec("tokenizers") is None, reason="needs the package tokenizers")
@given(text=st.text(st.one_of(st.characters(min_codepoint=a, max_codepoint=b, categories=KNOWN) for a, b in SCRIPTS)))
def test_words_are_cut_as_the_usual_tokenizer_cuts_them(text: str) -> None:
    # The usual one takes these for signs of its own wherever they stand; for us they are what somebody wrote.
    assume(not any(sign in text for sign in ("[UNK]", "[CLS]", "[SEP]", "[PAD]", "[MASK]")))
    ours, usual = _both_tokenizers()
    assert ours.pieces(text) == usual.encode(text, add_special_tokens=False).ids


@cache
def _both_tokenizers() -> tuple[WordPiece, Any]:
    from tokenizers import Tokenizer

    usual = Tokenizer.from_file(str(carrier() / "tokenizer.json"))
    usual.no_truncation()
    usual.no_padding()
    return WordPiece((FOLDER / "vocabulary.txt").read_text("utf-8").split("\n")), usual


def test_a_word_is_cut_into_the_longest_pieces_it_is_known_by(words: WordPiece) -> None:
    assert words.pieces("Überprüfung") == words.pieces(unicodedata.normalize("NFD", "uberprufung"))
    assert words.pieces("a" * 101) == [words.unknown]
    assert words.pieces("don't") == words.pieces("don ' t")
