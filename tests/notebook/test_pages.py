"""What stands on which page, and that writing is quiet, stable and private."""

import stat
from pathlib import Path

import pytest

from steno.notebook.pages import AGENTS, place_of
from steno.notebook.text import as_line, as_words, file_name
from steno.testing import an_entry, house, said, write_jsonl
from steno.vocabulary import Category, Origin

from .conftest import PROJECT, Desk


def test_each_thing_stands_on_its_page_and_a_second_run_writes_nothing(desk: Desk) -> None:
    desk.told("never change the payments table by hand")
    desk.told("we do not use ORMs", "rejected")
    desk.told("the token goes into request_log", "decision")
    desk.told("the queue is slow on Mondays", "discovery")
    desk.told("the staging host is called eris", "fact")
    desk.told("order new cookies", "task")
    desk.told("everybody writes British English", project=None)
    first = desk.memory.notebook.sync()
    assert sorted(first.written) == [
        "MEMORY.md", "rules.md", "shop/MEMORY.md", "shop/decisions.md", "shop/observations.md", "shop/rejections.md",
        "shop/rules.md", "shop/topics/projects/shop.md",
    ]  # fmt: skip
    assert desk.lines() == ["# Rules: shop", "## What holds", "- never change the payments table by hand"]
    assert desk.lines("decisions.md")[2] == "- 2026-03-02 09:03 the token goes into request_log"
    assert desk.lines("topics/projects/shop.md") == [
        "# Shop", "## What holds", "- the staging host is called eris", "## To do", "- [ ] order new cookies",
    ]  # fmt: skip
    second = desk.memory.notebook.sync()
    assert (second.written, second.edits, second.held) == ([], [], [])


def test_what_a_person_files_under_a_field_of_their_own_has_a_page(desk: Desk) -> None:
    desk.memory.remember("prices are in cents", category="fact", project=PROJECT, domain="Pricing")
    desk.memory.notebook.sync()
    assert desk.lines("topics/projects/pricing.md") == ["# Pricing: shop", "## What holds", "- prices are in cents"]


def test_facts_about_people_and_places_stand_on_the_page_of_their_kind_said_or_told(desk: Desk, tmp_path: Path) -> None:
    facts = [
        "Ana Kovacs is our designer.",
        "The staging server is at stage.shop.example.",
        "We use cents, never floats.",
    ]
    lines = [said(" ".join(facts), project=PROJECT, at="2026-03-02T09:00:00Z"), said("Ok.", role="assistant")]
    desk.memory.capture(write_jsonl(tmp_path / "talk.jsonl", *lines), source="jsonl")
    for words in ("Backups go to b2.example.com.", "Tom Weber is our contact.", "The shop closes at six."):
        desk.memory.remember(words, category="fact", project=PROJECT)
    desk.sync()
    pages = {
        "people/people": ["- “Ana Kovacs is our designer.”", "- Tom Weber is our contact."],
        "infrastructure/operations": [
            "- “The staging server is at stage.shop.example.”",
            "- Backups go to b2.example.com.",
        ],
        "projects/shop": ["- The shop closes at six."],
    }
    found = {name: desk.lines(f"topics/{name}.md")[2:] for name in pages}
    assert found == pages
    desk.memory.rebuild()
    desk.sync()
    assert {name: desk.lines(f"topics/{name}.md")[2:] for name in pages} == pages


def test_what_people_said_stands_in_their_own_words_with_what_it_answered_once(desk: Desk, tmp_path: Path) -> None:
    lines = [
        said("Shall I keep the orders in SQLite?", role="assistant", project=PROJECT, at="2026-03-02T09:00:00Z"),
        said("yes, let's go with SQLite", at="2026-03-02T09:01:00Z"),
    ]
    desk.memory.capture(write_jsonl(tmp_path / "talk.jsonl", *lines), source="jsonl")
    desk.sync()
    page = desk.read("decisions.md")
    assert desk.lines("decisions.md")[2:] == [
        "- 2026-03-02 09:01 “yes, let's go with SQLite”",
        "  - answers: Shall I keep the orders in SQLite?",
    ]
    # Whoever says where it stands says nothing in other words.
    [decision] = desk.memory.entries(category="decision")
    desk.memory.revise(decision.id, status="done")
    desk.sync()
    assert (desk.memory.entry(decision.id).origin, desk.read("decisions.md")) == ("user", page)
    desk.replace("let's go with SQLite", "we go with SQLite", "decisions.md")
    assert [entry.summary for entry in desk.memory.entries(category="decision")] == ["yes, we go with SQLite"]


def test_a_new_entry_changes_only_its_line(desk: Desk) -> None:
    desk.told("always run the linter first")
    desk.told("never push on a Friday evening")
    desk.sync()
    before = desk.read().splitlines()
    desk.clock.now = "2026-03-03T09:03:00.000Z"
    desk.told("write the changelog by hand")
    desk.sync()
    added = [line for line in desk.read().splitlines() if line not in before]
    assert [line.partition(" <!--")[0] for line in added] == ["- write the changelog by hand"]


def test_a_page_of_one_project_holds_nothing_of_another(desk: Desk) -> None:
    desk.told("never deploy the shop on Fridays")
    desk.told("never mail the whole club at once", project="/home/sam/club")
    desk.sync()
    assert "club" not in desk.read()
    assert "shop" not in (desk.root / "club" / "rules.md").read_text()
    assert [(desk.root / name).exists() for name in ("rules.md", "club/MEMORY.md")] == [False, True]


def test_two_projects_of_one_name_have_two_folders(desk: Desk) -> None:
    desk.told("first of all be kind")
    desk.told("second of all be brief", project="/srv/shop")
    desk.sync()
    found = {folder.project: folder.path for folder in desk.memory.notebook.state().folders}
    assert len(set(found.values())) == 3
    assert found.keys() == {"", PROJECT, "/srv/shop"}


def test_files_are_for_their_owner_only(desk: Desk) -> None:
    desk.told("be kind to newcomers", "fact")
    desk.sync()
    modes = {stat.S_IMODE(path.stat().st_mode) for path in desk.root.rglob("*") if path.is_file()}
    folders = {stat.S_IMODE(path.stat().st_mode) for path in (desk.root, *desk.root.rglob("*")) if path.is_dir()}
    assert (modes, folders) == ({0o600}, {0o700})


def test_the_index_never_has_more_bytes_than_it_may(desk: Desk) -> None:
    for number in range(300):
        desk.memory.remember(f"remember thing number {number}", category="fact", project=f"/srv/project-{number}")
    desk.sync()
    index = (desk.root / "MEMORY.md").read_bytes()
    assert 4_500 < len(index) <= 5_000
    assert index.endswith(b" -->\n")


def test_what_another_line_says_already_is_left_off(desk: Desk) -> None:
    desk.told("the staging host is called eris and lies in Oslo", "fact")
    desk.told("staging host is called eris", "fact")
    desk.sync()
    assert desk.lines("topics/projects/shop.md")[2:] == ["- the staging host is called eris and lies in Oslo"]
    assert len(desk.memory.entries(category="fact")) == 2


def test_what_an_agent_told_is_labelled_and_never_a_rule(desk: Desk) -> None:
    desk.memory.remember("the cache is warm at nine", category="fact", project=PROJECT, by_agent=True)
    desk.sync()
    assert desk.lines("topics/projects/shop.md")[1:] == [
        "## Told by agents, not checked",
        "- the cache is warm at nine",
    ]


def test_what_was_forgotten_leaves_the_pages_and_the_prose(desk: Desk) -> None:
    desk.told("never phone Rumpelstiltskin at night")
    desk.told("always be early")
    desk.sync()
    desk.save(desk.read() + "\nRumpelstiltskin lives in the wood.\n\nThe wood is large and dark.\n")
    desk.memory.forget(text="Rumpelstiltskin")
    texts = "".join(path.read_text() for path in desk.root.rglob("*.md"))
    assert "Rumpelstiltskin" not in texts
    assert "The wood is large and dark." in desk.read()
    assert "- always be early" in desk.lines()
    assert b"Rumpelstiltskin" not in (desk.memory.home.root / "steno.db").read_bytes()


@pytest.mark.parametrize(
    "words", ["a <b> c", "&lt; and &amp; stay", "[ ] not a box", "\\[x] neither", "<!-- x -->", "plain", "1 < 2 <3"]
)
def test_words_on_a_line_come_back_as_they_were(words: str) -> None:
    assert as_words(as_line(words)) == words


@pytest.mark.parametrize("name", ["../../etc/passwd", "a\0b", "x" * 300, "🎉", "con", "NUL.txt", "", "..", ". ."])
def test_names_are_of_characters_every_disk_knows(name: str) -> None:
    made = file_name(name)
    assert 0 < len(made) <= 70
    assert not set(made) - set("abcdefghijklmnopqrstuvwxyz0123456789._-")
    assert made not in ("con", "nul.txt", "..", ".")
    assert not made.startswith(".")


def test_a_forgotten_session_does_not_come_back_from_the_pages(desk: Desk) -> None:
    path = desk.memory.home.root.parent / "t.jsonl"
    lines = [said("never feed Rumpelstiltskin after midnight, ever", session=f"s{n}", project=PROJECT) for n in (1,)]
    lines.append(said("always water the office plants on Mondays", session="s2", project=PROJECT))
    desk.memory.capture(write_jsonl(path, *lines), source="jsonl")
    desk.sync()
    assert "Rumpelstiltskin" in desk.texts()
    desk.save(desk.read().replace("-->\n", "-->\n  - my own remark\n", 1))
    desk.memory.forget(session="s1")
    desk.sync()
    assert "Rumpelstiltskin" not in desk.texts() + str(desk.memory.entries())
    assert "office plants" in desk.texts()
    assert "my own remark" in desk.texts()


def test_what_is_redacted_later_is_redacted_on_its_page(tmp_path: Path) -> None:
    with house(tmp_path) as memory:
        memory.remember("the door opens with sesame-4711", category="fact", project=PROJECT)
        memory.notebook.sync()
    with house(tmp_path, redact_patterns="sesame-[0-9]+") as memory:
        memory.redact()
        texts = "".join(path.read_text() for path in memory.home.notebook.rglob("*.md"))
        assert "sesame-4711" not in texts
        assert [entry.summary.count("the door opens with") for entry in memory.entries()] == [1]


def test_while_all_is_learnt_anew_no_line_goes(desk: Desk) -> None:
    desk.told("always be early")
    desk.sync()
    before = desk.texts()
    desk.memory.home.store.entries.clear()
    assert desk.memory.notebook.sync().written == []
    assert desk.texts() == before
    desk.memory.scribe()
    assert (desk.sync(), desk.texts()) == ([], before)


@pytest.mark.parametrize(
    ("category", "origin", "certainty", "confidence", "place"),
    [
        ("decision", "user", "confirmed", 0.9, ("decisions.md", "What was decided")),
        ("decision", "assistant", "confirmed", 0.5, ("decisions.md", AGENTS)),
        ("rule", "user", "confirmed", 0.9, ("rules.md", "What holds")),
        ("rule", "assistant", "confirmed", 0.9, None),
        ("rejected", "edit", "confirmed", 1.0, ("rejections.md", "What was refused")),
        ("fact", "file", "confirmed", 0.5, None),
        ("fact", "tool", "confirmed", 0.5, None),
        ("agent_state", "assistant", "confirmed", 0.5, None),
    ],
)
def test_only_words_of_people_hold(
    category: Category, origin: Origin, certainty: str, confidence: float, place: tuple[str, str] | None
) -> None:
    entry = an_entry(category, "words", origin=origin, certainty=certainty, confidence=confidence)
    assert place_of(entry, None) == place


def test_what_an_older_version_let_wait_goes_from_a_page_with_its_heading(desk: Desk) -> None:
    desk.told("tabs are fine")
    waits = desk.told("spaces are better")
    desk.sync()
    line = next(line for line in desk.read("rules.md").splitlines(keepends=True) if "spaces" in line)
    older = desk.read("rules.md").replace(line, f"\n## Waiting for your word\n\n{line.replace('- ', '- [ ] ', 1)}")
    desk.save(older, "rules.md")
    desk.sync()
    desk.memory.archive(waits)
    assert desk.sync() == []
    assert desk.lines("rules.md")[1:] == ["## What holds", "- tabs are fine"]


def test_a_page_holds_the_latest_and_says_where_the_older_ones_are(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("steno.pipeline.leaves.MOST_LINES", 3)
    ids = [shelf(desk, number) for number in range(3)]
    desk.told("dust the shelves", "task")
    desk.sync()
    page = "topics/projects/shop.md"
    assert desk.lines(page)[2:5] == [f"- shelf {number} is for books about rivers" for number in range(3)]
    shelf(desk, 3)
    # Nobody deleted what went; whoever edits a line at that moment means its entry.
    assert desk.replace("shelf 0 is for books", "shelf 0 is for maps", page) == [
        ("revised", "shelf 0 is for maps about rivers")
    ]
    shelf(desk, 4)
    desk.sync()
    older = "- older ones: `steno entries --category fact`"
    assert desk.lines(page)[1:] == [
        "## What holds", older, *(f"- shelf {number} is for books about rivers" for number in (2, 3, 4)),
        "## To do", "- [ ] dust the shelves",
    ]  # fmt: skip
    assert desk.replace(older[2:], "", page) == []
    assert (desk.lines(page)[2], desk.sync()) == (older, [])
    holding = {entry.id: entry.summary for entry in desk.memory.entries(status="active", category="fact")}
    assert [holding[id_] for id_ in ids[:2]] == [
        "shelf 0 is for maps about rivers",
        "shelf 1 is for books about rivers",
    ]


def shelf(desk: Desk, number: int) -> str:
    desk.clock.now = f"2026-03-02T10:0{number}:00.000Z"
    return desk.told(f"shelf {number} is for books about rivers", "fact")
