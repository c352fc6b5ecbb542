"""Counting tokens: an upper bound of what o200k counts, and cutting a text to a budget."""

import base64
import subprocess
import sys

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rs_bpe.bpe import openai

from steno import tokens
from steno.tokens import ELLIPSIS, count, cut
from steno.tokens import SIGNS as SIGNS_BEFORE

ORACLE = openai.o200k_base()
ANY = st.text(st.characters(exclude_categories=["Cs"]))
PROSE = (
    "The tests failed twice last night, so we decided to keep the old parser and to look at the queue again tomorrow."
)
RUSSIAN = "Вчера вечером проверки дважды не прошли, поэтому мы решили оставить старый разбор и завтра снова посмотреть."
CHINESE = "昨天晚上测试失败了两次，所以我们决定保留旧的解析器，明天再看一下队列。"
CODE = 'def read(path: str) -> list[str]:\n    """Lines."""\n    with open(path) as file:\n        return list(file)\n'

WORDS = st.sampled_from(
    "the don't HTTPServer i'm IT'S xqzvkj naïve “quoted” it’s x_1 camelCase zzzzqqq café 'ſ K".split()
)
GAPS = st.sampled_from(
    ["", " ", "  ", "\t", "\n", "\r\n", " \n ", "\n\n\n", "\x1c", "\x0b", "\x85", "\u00a0", "\u3000", "\u2028"]
)
ODD_WORDS = st.lists(st.tuples(WORDS | st.from_regex(r"[a-zA-Z]{1,12}", fullmatch=True), GAPS)).map(
    lambda pairs: "".join(word + gap for word, gap in pairs)
)
HEX = st.binary(max_size=200).map(bytes.hex)
BASE64 = st.binary(max_size=200).map(lambda raw: base64.b64encode(raw).decode())
CJK = st.text(st.characters(min_codepoint=0x3000, max_codepoint=0x9FFF) | st.sampled_from("的一是Ab 、。\n"))
SIGNS = st.text(st.sampled_from("“”’–—…→✓─│🙂👩‍💻🇩🇪\ufe0f\u200d aZ'.\n"))
# Words and signs of many scripts, marks, numbers and spaces outside ASCII, and characters younger than Unicode 3.2.
PLACES = [
    (0x80, 0x24F),
    (0x300, 0x5FF),
    (0x600, 0x6FF),
    (0x900, 0x97F),
    (0xE00, 0xE7F),
    (0x1F00, 0x20CF),
    (0xAC00, 0xAFFF),
]
SCRIPTS = st.one_of(
    [
        st.text(st.characters(min_codepoint=low, max_codepoint=high) | st.sampled_from(" 's1aA./\n\u3000"))
        for low, high in [*PLACES, (0xFF00, 0xFFEF), (0x1F000, 0x1FBFF), (0x20000, 0x2FFFF)]
    ]
)
CODE_LIKE = st.text(st.sampled_from("abcxyzABC019 _.,;:(){}[]<>=+-*/#'\"\\\t\n\r")) | st.text(
    st.characters(max_codepoint=0x7F)
)
SHORT = ("'s", "'t", "'re", "'ve", "'m", "'ll", "'d", "'S", "'LL", "'Ve")


def true_count(text: str) -> int:
    return ORACLE.count(text)


@settings(max_examples=250)
@given(st.one_of(ANY, ODD_WORDS, HEX, BASE64, CJK, SIGNS, SCRIPTS, CODE_LIKE))
@example(" " * 300)
@example("=" * 300)
@example("a" * 300)
@example("0123456789" * 30)
@example("的" * 24)
@example("IT'ſ")
@example("".join(map(chr, range(0x80))))
def test_a_count_is_never_below_the_true_one(text: str) -> None:
    assert count(text) >= true_count(text)


@settings(max_examples=200)
@given(st.lists(st.one_of(ANY, ODD_WORDS, CJK, SIGNS, SCRIPTS, CODE_LIKE), max_size=6))
def test_a_joined_text_is_counted_safely_as_a_whole(texts: list[str]) -> None:
    joined = "".join(texts)
    assert count(joined) >= true_count(joined)


def test_each_looked_up_piece_costs_what_we_say_in_every_form() -> None:
    pieces = tokens._vocabulary().pieces
    assert [piece for piece in pieces if true_count(piece) > 1] == []
    shortened = [piece + short for piece in pieces for short in SHORT]
    assert [text for text in shortened if true_count(text) > count(text)] == []
    words = sorted(piece for piece in pieces if piece.isalpha())[::60]
    behind_a_sign = [sign + word + short for word in words for sign in SIGNS_BEFORE for short in ("", "'s", "'ll")]
    assert [text for text in behind_a_sign if true_count(text) > count(text)] == []


@pytest.mark.parametrize("text", [PROSE, CODE])
def test_a_count_of_prose_and_code_is_close(text: str) -> None:
    assert count(text) <= true_count(text) * 1.15


@pytest.mark.parametrize("text", [RUSSIAN, CHINESE])
def test_a_count_of_another_script_is_far_below_its_bytes(text: str) -> None:
    assert true_count(text) <= count(text) <= len(text.encode()) * 2 / 3


def test_every_known_character_is_split_where_o200k_splits_it() -> None:
    characters = [chr(code) for code in [*range(0xD800), *range(0xE000, 0x10000), *range(0x1F300, 0x1FB00)]]
    frames = ("A{}b", " {}a", "1{}2", "!{}'s", "{}\n/", "{0}{0}{0}{0}")
    texts = [frame.format(character) for character in characters for frame in frames]
    assert [text for text in texts if count(text) < true_count(text)] == []


@given(st.text())
def test_no_text_costs_more_than_its_bytes(text: str) -> None:
    assert count(text) <= len(text.encode("utf-8", "surrogatepass"))


def test_a_lone_surrogate_is_counted() -> None:
    assert count("a \ud800 b") >= 3


def test_importing_the_module_unpacks_nothing() -> None:
    code = "from steno import tokens; raise SystemExit(tokens._vocabulary.cache_info().currsize)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@settings(max_examples=150)
@given(st.one_of(ANY, ODD_WORDS, CJK, SIGNS, CODE_LIKE), st.integers(-2, 60))
def test_a_cut_text_never_costs_more_than_allowed(text: str, most: int) -> None:
    shortened = cut(text, most)
    assert count(shortened) <= max(most, 0)
    assert shortened == text or text.startswith(shortened.removesuffix(ELLIPSIS))


@given(ANY)
def test_a_text_that_fits_is_not_cut(text: str) -> None:
    assert cut(text, count(text)) == text


def test_a_cut_ends_at_a_word_and_shows_it() -> None:
    shortened = cut(PROSE, 10)
    assert shortened.endswith(ELLIPSIS)
    assert PROSE[len(shortened) - 1].isspace()
    assert len(shortened) > 20


def test_a_single_long_word_is_cut_inside() -> None:
    shortened = cut("f00d" * 500, 20)
    assert shortened.endswith(ELLIPSIS)
    assert len(shortened) > 15


@pytest.mark.parametrize("most", [0, -1])
def test_without_a_budget_nothing_is_left(most: int) -> None:
    assert cut(PROSE, most) == ""
