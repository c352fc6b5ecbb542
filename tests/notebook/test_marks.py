"""What editors, formatters and pastes do to a page: no entry is lost, none is raised, and where it cannot be told what
was meant, a person is asked."""

import re
import textwrap
from collections.abc import Callable

import pytest

from steno.notebook.parse import marks_in
from steno.vocabulary import HeldPage

from .conftest import PROJECT, Desk

MARK = re.compile(r"\s*<!--.*?-->")
RULES = [
    *("never touch table t1 by hand", "never push on a Friday", "always run `make test` before a release"),
    *("you are the stock clerk here, not an architect", "tabs are *fine* in make_files"),
]
FACTS = [
    "the oven is from 1970",
    "Ada's boxes stand -- mostly -- in the cellar",
    'the shop is called "Heron" since March',
]
TASKS = ["order new cookies", "paint the door"]
LESSON = "the oven needs an hour to warm up"
PAGES = ("rules.md", "rejections.md", "decisions.md", "topics/projects/shop.md")
# Those on which several lines stand below one heading.
LONG = {"rules.md", "topics/projects/shop.md"}

Standing = dict[str, tuple[str, str, str, str, str, float]]


@pytest.fixture
def pages(desk: Desk) -> Desk:
    return begin(desk)


def begin(desk: Desk) -> Desk:
    """A shop with lines of every kind: what holds, and what agents told."""
    for words, category in [
        *((words, "rule") for words in RULES),
        ("no framework for forms", "rejected"),
        ("use SQLite", "decision"),
        *((words, "fact") for words in FACTS),
        *((words, "task") for words in TASKS),
    ]:
        desk.told(words, category)
    desk.memory.remember(LESSON, category="learning", project=PROJECT, by_agent=True)
    desk.memory.remember("bake at night", category="decision", project=PROJECT, by_agent=True)
    desk.memory.rules.settle()
    desk.sync()
    return desk


def standing(desk: Desk) -> Standing:
    """Every entry as it stands, with the score of its rule."""
    scores = {rule.id: rule.score for rule in desk.memory.rules.all()}
    return {
        entry.id: (
            entry.summary, entry.status, entry.certainty, entry.category, entry.origin, scores.get(entry.id, 0.0)
        )
        for entry in desk.memory.entries()
    }  # fmt: skip


def texts(desk: Desk) -> dict[str, str]:
    return {name: desk.read(name) for name in PAGES}


def held(desk: Desk) -> list[HeldPage]:
    return [review for review in desk.memory.reviews() if isinstance(review, HeldPage)]


def back(desk: Desk) -> None:
    """Put every page back that waits. One that waits for another may wait no more then."""
    while pages := held(desk):
        desk.memory.resolve(pages[0].id, "back")
        assert len(held(desk)) < len(pages)


def without_marks(text: str) -> str:
    return MARK.sub("", text)


def smart(text: str) -> str:
    text = re.sub(r"(?m)(?<=[\s(])\"(?=\w)", "“", text).replace('"', "”").replace("'", "’")
    return re.sub(r"(?<!<!)--(?!>)", "—", text)


def straight(text: str) -> str:
    return text.translate(str.maketrans("“”‘’", "\"\"''"))


def reflowed(text: str) -> str:
    """Every item in lines of 30 columns, as formatters write them."""
    return "\n".join(
        "\n".join(textwrap.wrap(line, 30, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False))
        if line.startswith("- ")
        else line
        for line in text.split("\n")
    )


def escaped(text: str) -> str:
    return "\n".join(
        line if line.startswith("#") else re.sub(r"(?<=\w)_(?=\w)", r"\\_", line) for line in text.split("\n")
    )


def fewer_headings(text: str) -> str:
    return "\n".join(line for line in text.split("\n") if not line.startswith("## "))


def joined(text: str) -> str:
    """As Emacs fills a list: in one paragraph."""
    return re.sub(r"\n(?=- )", " ", text)


# What becomes of it: nothing is to be said, or a person is asked.
SILENT: dict[str, Callable[[str], str]] = {
    "strip": without_marks,
    "reflow": reflowed,
    "reflow and strip": lambda text: reflowed(without_marks(text)),
    "CRLF": lambda text: text.replace("\n", "\r\n"),
    "CRLF and strip": lambda text: without_marks(text).replace("\n", "\r\n"),
    "BOM": lambda text: "\ufeff" + text,
    "BOM and strip": lambda text: "\ufeff" + without_marks(text),
    "smart quotes": smart,
    "smart quotes and strip": lambda text: smart(without_marks(text)),
    "straight quotes": straight,
    "straight quotes and strip": lambda text: straight(without_marks(text)),
    "other bullets": lambda text: re.sub(r"(?m)^- ", "*   ", text),
    "other bullets and strip": lambda text: re.sub(r"(?m)^- ", "+ ", without_marks(text)),
    "escapes": escaped,
    "escapes and strip": lambda text: escaped(without_marks(text)),
    "emphasis": lambda text: text.replace("*fine*", "_fine_"),
    "emphasis and strip": lambda text: without_marks(text).replace("*fine*", "_fine_"),
    "one space before": lambda text: re.sub(r"(?m)^- ", " - ", text),
    "no boxes": lambda text: re.sub(r"(?m)^- \[ \] ", "- ", text),
    "no boxes, and strip": lambda text: re.sub(r"(?m)^- \[ \] ", "- ", without_marks(text)),
    "lines twice": lambda text: doubled(text),
    "lines twice, and strip": lambda text: doubled(without_marks(text)),
    "marks in the wrong order": lambda text: swapped(text),
    "no headings": fewer_headings,
    "no blank lines": lambda text: re.sub(r"\n\n+", "\n", text),
    "a heading called otherwise": lambda text: re.sub(r"(?m)^## .*$", "## My own words", text),
}
ASKED: dict[str, Callable[[str], str]] = {
    "numbers": lambda text: re.sub(r"(?m)^- ", "1. ", text),
    "numbers and strip": lambda text: re.sub(r"(?m)^- ", "1. ", without_marks(text)),
    "a paragraph": joined,
    "a paragraph without marks": lambda text: joined(without_marks(text)),
    "deeper": lambda text: re.sub(r"(?m)^- ", "    - ", text),
    "deeper and strip": lambda text: re.sub(r"(?m)^- ", "    - ", without_marks(text)),
    "quoted": lambda text: re.sub(r"(?m)^- ", "> - ", text),
    "another text": lambda text: "# Mine\n\n- quite another line\n- and one more\n",
    "cut short": lambda text: text[: len(text) * 2 // 3].rstrip("\n"),
    "empty": lambda text: "",
}


def doubled(text: str) -> str:
    return re.sub(r"(?m)^([-*+] .*(?:\n +(?!- ).+)*)$", r"\1\n\1", text)


def swapped(text: str) -> str:
    """The marks of a page in the opposite order."""
    marks = re.findall(r"<!--.*?-->", text)
    return re.sub(r"<!--.*?-->", lambda _: marks.pop(), text)


@pytest.mark.parametrize("how", SILENT)
def test_what_an_editor_does_to_all_lines_loses_and_raises_none(pages: Desk, how: str) -> None:
    before = standing(pages)
    for name in PAGES:
        pages.save(SILENT[how](pages.read(name)), name)
    synced = pages.memory.notebook.sync()
    assert (synced.edits, synced.conflicts, synced.held) == ([], [], [])
    assert standing(pages) == before
    marks = marks_in("".join(texts(pages).values()))
    assert {id_ for id_, entry in before.items() if entry[1] == "active" and marks.count(id_) != 1} == set()
    assert (pages.sync(), pages.memory.notebook.sync().written) == ([], [])


@pytest.mark.parametrize("how", ASKED)
def test_where_lines_are_lines_no_more_the_whole_file_waits_and_goes_back(pages: Desk, how: str) -> None:
    before, was = standing(pages), texts(pages)
    for name in LONG:
        pages.save(ASKED[how](pages.read(name)), name)
    found = texts(pages)
    for _ in range(2):
        assert pages.memory.notebook.sync().edits == []
        assert (standing(pages), texts(pages)) == (before, found)
    assert {page.name for page in held(pages)} == LONG
    assert all(page.reason and page.who is None for page in held(pages))
    assert not any("<!--" in page.diff for page in held(pages))
    back(pages)
    assert (held(pages), standing(pages), texts(pages)) == ([], before, was)
    kept = {path.read_bytes().decode() for path in pages.shop.rglob("*.md.*")}
    assert kept == {found[name] for name in LONG}


def test_a_page_put_back_by_hand_waits_no_more(pages: Desk) -> None:
    was = pages.read()
    pages.save("# Mine\n\n- quite another line\n")
    pages.sync()
    assert [page.page for page in held(pages)] == ["shop/rules.md"]
    pages.save(was)
    assert (pages.sync(), held(pages)) == ([], [])


def test_a_page_that_is_meant_is_taken_at_its_word(pages: Desk) -> None:
    pages.save("# Mine\n\n## What holds\n\n- quite another rule\n")
    pages.sync()
    [page] = held(pages)
    assert page.reason == "has lost the marks of 5 lines, and what is new may be theirs"
    assert f"\n-- {RULES[0]}\n" in page.diff
    pages.memory.resolve(page.id, "take")
    assert held(pages) == []
    assert [rule.rule for rule in pages.memory.rules.all() if rule.source == "rule"] == ["quite another rule"]
    assert pages.lines()[1:] == ["## What holds", "- quite another rule"]


def test_what_is_due_stands_on_a_page_once_it_waits_no_more(pages: Desk) -> None:
    found = "# Mine\n\n## What holds\n\n- quite another rule\n"
    pages.save(found)
    pages.sync()
    pages.told("be brief with customers")
    pages.sync()
    assert pages.read() == found
    back(pages)
    assert "- be brief with customers" in pages.lines()


def test_a_critical_rule_or_a_refusal_is_ended_by_a_word_only(pages: Desk) -> None:
    before = standing(pages)
    for name, words in (("rules.md", RULES[0]), ("rejections.md", "no framework for forms")):
        pages.save("".join(line for line in pages.read(name).splitlines(keepends=True) if words not in line), name)
    pages.sync()
    assert [(page.name, page.reason) for page in held(pages)] == [
        ("rejections.md", "has lost what holds until you end it: “no framework for forms”"),
        ("rules.md", f"has lost what holds until you end it: “{RULES[0]}”"),
    ]
    assert standing(pages) == before
    for page in held(pages):
        pages.memory.resolve(page.id, "take")
    ended = [entry[0] for id_, entry in standing(pages).items() if entry[1] != before[id_][1]]
    assert sorted(ended) == [RULES[0], "no framework for forms"]


def test_a_deleted_line_that_binds_nobody_is_a_deletion(pages: Desk) -> None:
    name = "topics/projects/shop.md"
    line = next(line for line in pages.read(name).splitlines(keepends=True) if FACTS[0] in line)
    assert pages.replace(line, "", name) == [("archived", FACTS[0])]


def test_a_line_cut_here_and_pasted_there_is_the_same_line(pages: Desk) -> None:
    name, other = "topics/projects/shop.md", "topics/people/ada.md"
    [id_] = [id_ for id_, entry in standing(pages).items() if entry[0] == FACTS[1]]
    line = next(line for line in pages.read(name).splitlines(keepends=True) if id_ in line)
    pages.save(pages.read(name).replace(line, ""), name)
    pages.save(f"# Ada\n\n## What holds\n\n{without_marks(line)}", other)
    assert pages.sync() == [("moved", FACTS[1])]
    assert f"<!-- {id_} -->" in pages.read(other)


def test_what_is_cut_and_pasted_back_later_is_what_it_was(pages: Desk) -> None:
    before, was = standing(pages), texts(pages)
    for name in PAGES:
        pages.save("\n".join(line for line in was[name].split("\n") if not line.startswith("- ")), name)
    pages.sync()
    for name in PAGES:
        pages.save(without_marks(was[name]), name)
    pages.sync()
    assert (held(pages), standing(pages)) == ([], before)
    assert {name: sorted(text.split("\n")) for name, text in texts(pages).items()} == {
        name: sorted(text.split("\n")) for name, text in was.items()
    }


def test_what_an_agent_told_is_not_raised_by_standing_elsewhere(pages: Desk) -> None:
    before = standing(pages)
    pages.save(
        pages.read("decisions.md").replace("## Told by agents, not checked", "## What was decided"), "decisions.md"
    )
    pages.sync()
    assert [page.reason.partition(":")[0] for page in held(pages)] == ["puts what an agent told among what people said"]
    assert standing(pages) == before


@pytest.mark.parametrize("marks", ["with marks", "without marks"])
def test_a_sorted_page_loses_and_raises_nothing(pages: Desk, marks: str) -> None:
    before = standing(pages)
    for name in PAGES:
        text = pages.read(name) if marks == "with marks" else without_marks(pages.read(name))
        pages.save("\n".join(sorted(text.split("\n"))), name)
    pages.sync()
    assert standing(pages) == before


def test_two_editors_that_save_in_turn_double_nothing(pages: Desk) -> None:
    theirs = pages.read()
    pages.save(theirs.replace("## What holds\n\n", "## What holds\n\n- be early\n"))
    mine = pages.read()
    assert pages.sync() == [("added", "be early")]
    # The first editor still shows what it saved, without the mark the line has by now.
    pages.save(mine.replace("- be early", "- be early\n- be kind"))
    assert pages.sync() == [("added", "be kind")]
    assert [line for line in pages.lines() if line.startswith("- be ")] == ["- be early", "- be kind"]
    # The second never saw either of them.
    pages.save(theirs)
    pages.sync()
    [page] = held(pages)
    assert "be early" in page.reason
    assert "be kind" in page.reason


def test_what_stood_below_a_line_and_stands_apart_is_asked_about(pages: Desk) -> None:
    line = next(line for line in pages.read("decisions.md").splitlines(keepends=True) if "use SQLite" in line)
    pages.replace(line, f"{line}  - reasoning: one file\n", "decisions.md")
    pages.replace("  - reasoning: one file", "- reasoning: one file", "decisions.md")
    assert [page.reason for page in held(pages)] == ["has lines of their own that stood below another"]


def test_a_line_that_went_to_a_page_that_waits_is_not_gone(pages: Desk) -> None:
    before = standing(pages)
    name = "topics/projects/shop.md"
    line = next(line for line in pages.read(name).splitlines(keepends=True) if FACTS[0] in line)
    pages.save(pages.read(name).replace(line, ""), name)
    pages.save(f"{line}\n- be quiet\n", "rules.md")
    pages.sync()
    assert {(page.name, page.reason.partition(":")[0]) for page in held(pages)} == {
        ("rules.md", "has lost the marks of 5 lines, and what is new may be theirs"),
        (name, "has lost lines to shop/rules.md, which waits"),
    }
    assert standing(pages) == before


def test_forgetting_reaches_what_waits_and_what_was_put_away(pages: Desk) -> None:
    name = "topics/projects/shop.md"
    pages.save("# Mine\n\n- the gadget Zorbl is ours\n", name)
    pages.save("# Mine\n\n- the gadget Zorbl rules\n")
    pages.sync()
    [one, _] = held(pages)
    pages.memory.resolve(one.id, "back")
    pages.memory.forget(text="Zorbl")
    assert len(held(pages)) == 1
    assert "Zorbl" not in repr(held(pages))
    assert not [path for path in pages.root.rglob("*") if path.is_file() and "Zorbl" in path.read_text()]
