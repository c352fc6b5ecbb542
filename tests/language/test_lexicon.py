"""Cues: every one is said by a sentence that is there for it, and none is heard where it was not said."""

import re
import tomllib
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
import re2
from hypothesis import given, settings
from hypothesis import strategies as st

from steno.language.lexicon import Lexicon, lexicon
from steno.language.watch import Watch
from steno.language.words import plain

FOLDER = files("steno.language") / "lexicon"
TOLD: dict[str, dict[str, Any]] = {
    path.name.removesuffix(".toml"): tomllib.loads(path.read_text("utf-8"))
    for path in sorted(FOLDER.iterdir(), key=lambda path: path.name)
}
CUES = [pytest.param(name, cue, id=f"{name}-{cue['id']}") for name, told in TOLD.items() for cue in told["cue"]]


def is_said(pattern: str, cue: dict[str, Any], sentences: list[str]) -> bool:
    """Whether one pattern alone is in one of the sentences."""
    alone = Lexicon({"cue": [{"id": cue["id"], "language": cue["language"], "patterns": [pattern]}]})
    return any(alone.search(sentence) for sentence in sentences)


def alternatives(pattern: str) -> Iterator[str]:
    """The pattern once for each alternative in it, at any depth, with the ones beside that left out."""
    stack: list[list[int]] = [[0]]
    spans: list[tuple[int, int, int, int]] = []

    def close(end: int) -> None:
        cuts = stack.pop()
        if len(cuts) > 1:
            edges = [*cuts, end + 1]
            spans.extend((cuts[0], end, edges[at], edges[at + 1] - 1) for at in range(len(cuts)))

    at, in_class = 0, False
    while at < len(pattern):
        sign = pattern[at]
        if sign == "\\":
            at += 1
        elif sign == "[" or in_class:
            in_class = sign != "]"
        elif sign == "(":
            assert pattern.startswith("(?:", at), "groups do not capture"
            at += 2
            stack.append([at + 1])
        elif sign == "|":
            stack[-1].append(at + 1)
        elif sign == ")":
            close(at)
            # What may be left out is there, too.
            if pattern[at + 1 : at + 2] == "?":
                yield pattern[: at + 1] + pattern[at + 2 :]
        at += 1
    close(len(pattern))
    for start, end, one, one_end in spans:
        yield pattern[:start] + pattern[one:one_end] + pattern[end:]
    if not spans:
        yield pattern


@pytest.mark.parametrize("pattern", ["a", "a|b", "(?:a|b(?:c|d)?)e", r"x\|y", "[|]"])
def test_alternatives_are_told_apart_at_any_depth(pattern: str) -> None:
    told = {
        "a": ["a"],
        "a|b": ["a", "b"],
        "(?:a|b(?:c|d)?)e": ["(?:a|b(?:c|d))e", "(?:a|b(?:c)?)e", "(?:a|b(?:d)?)e", "(?:a)e", "(?:b(?:c|d)?)e"],
        r"x\|y": [r"x\|y"],
        "[|]": ["[|]"],
    }
    assert list(alternatives(pattern)) == told[pattern]


@pytest.mark.parametrize(("name", "cue"), CUES)
def test_every_alternative_is_in_a_sentence_that_must_match(name: str, cue: dict[str, Any]) -> None:
    unused = [
        one for pattern in cue["patterns"] for one in alternatives(pattern) if not is_said(one, cue, cue["match"])
    ]
    assert unused == []


@pytest.mark.parametrize(("name", "cue"), CUES)
def test_every_exception_is_in_a_sentence_that_must_not_match(name: str, cue: dict[str, Any]) -> None:
    unused = [
        one for pattern in cue.get("except", []) for one in alternatives(pattern) if not is_said(one, cue, cue["not"])
    ]
    assert unused == []


@pytest.mark.parametrize(("name", "cue"), CUES)
def test_cues_are_heard_where_they_are_said_and_nowhere_else(name: str, cue: dict[str, Any]) -> None:
    one = Lexicon({"cue": [cue]})
    assert [sentence for sentence in cue["match"] if not one.search(sentence)] == []
    assert [sentence for sentence in cue["match"] if not lexicon(name).search(sentence)] == []
    assert [sentence for sentence in cue["not"] if lexicon(name).search(sentence)] == []


@pytest.mark.parametrize("name", TOLD)
def test_a_lexicon_says_what_it_is_for_and_names_each_cue_once(name: str) -> None:
    assert (FOLDER / f"{name}.toml").read_text("utf-8").startswith("# ")
    ids = [cue["id"] for cue in TOLD[name]["cue"]]
    assert len(ids) == len(set(ids))
    assert TOLD[name].keys() <= {"cue", "beside"}
    for cue in TOLD[name]["cue"]:
        assert {"id", "language", "patterns", "match", "not"} <= cue.keys() <= {*cue, "except"}
        assert re.fullmatch("[a-z]{2}", cue["language"])


def test_every_lexicon_is_on_its_page() -> None:
    page = (Path(__file__).parents[2] / "docs" / "lexicon.md").read_text("utf-8")
    assert [name for name in TOLD if f"`{name}`" not in page] == []


def test_every_lexicon_is_asked_for_by_its_name() -> None:
    code = [path.read_text("utf-8") for path in (Path(__file__).parents[2] / "src" / "steno").rglob("*.py")]
    asking = "".join(text for text in code if "lexicon(" in text or "Watch(" in text)
    assert [name for name in TOLD if f'"{name}"' not in asking] == []


@pytest.mark.parametrize(("name", "cue"), CUES)
def test_patterns_are_in_small_letters_linear_and_bounded(name: str, cue: dict[str, Any]) -> None:
    for pattern in [*cue["patterns"], *cue.get("except", [])]:
        re2.compile(pattern)
        assert not re.search(r"(?<!\\)[*+]|\{\d*,\}", pattern), "a repetition without an end"
        bare = re.sub(r"\\.", "", pattern)
        assert bare == plain(bare)


@pytest.mark.parametrize("name", TOLD)
def test_an_endless_line_takes_bounded_time(name: str) -> None:
    units = ["a", "no ", "not x ", "let me ", "in this ", "take it ", " ", "我", "because", "(", "if you "]
    line = "".join(unit * (20_000 // len(unit)) for unit in units)
    # Looks at all of it, for every cue: what is quadratic in it does not come back.
    lexicon(name).covers(line)


@settings(max_examples=200)
@given(st.text(), st.sampled_from(sorted(TOLD)))
def test_whatever_is_said_a_cue_stands_where_it_was_found(text: str, name: str) -> None:
    found = lexicon(name).search(text)
    assert found is None or 0 <= found.start < found.end <= len(text)
    assert len(plain(text)) == len(text)
    opening = lexicon(name).opens(text)
    assert opening is None or opening == found


def test_a_cue_is_found_where_it_stands_whatever_letters_stand_before_it() -> None:
    text = "İ don’t want it, NEVER MIND"
    found = lexicon("never_mind").search(text)
    assert found
    assert text[found.start : found.end] == "NEVER MIND"


@pytest.mark.parametrize(
    ("name", "text", "opens", "covers"),
    [
        ("yes", "Yes please, go ahead!", True, True),
        ("yes", "yeah sounds good, thanks", True, True),
        ("yes", "ok but use tabs", True, False),
        ("yes", "press the yes button", False, False),
        ("yes", "", False, False),
        ("no", "well, no", True, True),
        ("no", "No, I meant the other file", True, False),
        ("no", "No problem.", False, False),
        ("no", "There is no such file", False, False),
        ("no", "no problem, no", False, False),
        ("undo", "can you revert that?", False, False),
    ],
)
def test_a_cue_may_open_a_text_or_be_all_of_it(name: str, text: str, opens: bool, covers: bool) -> None:
    assert (bool(lexicon(name).opens(text)), lexicon(name).covers(text)) == (opens, covers)


@pytest.mark.parametrize("name", ["refusal", "corrects"])
def test_whatever_a_lexicon_finds_a_watch_hears(name: str) -> None:
    watch = Watch(name)
    said = [sentence for cue in TOLD[name]["cue"] for sentence in (*cue["match"], *cue["not"]) if sentence.isascii()]
    every = [form for one in said for form in (one, one.upper(), f"({one})", f"well, {one}.")]
    found = [sentence for sentence in every if lexicon(name).search(sentence)]
    assert found
    assert [sentence for sentence in found if not watch.heard(plain(sentence))] == []
